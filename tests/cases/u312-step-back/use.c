#include "input.h"

static struct job *job_of(long *link)
{
	return (struct job *)((char *)link - 8);
}

int main(void)
{
	struct job job = { .tag = 7 };

	return job_of(&job.link)->tag != 7;
}

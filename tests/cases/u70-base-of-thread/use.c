#include "input.h"
#include <pthread.h>
static int got;
static void *run(void *p)
{
	struct base *b = p;
	got = b->id;
	return 0;
}
int main(void)
{
	struct job j = { .b = { 7, 1 }, .v = 2 };
	pthread_t t;
	pthread_create(&t, 0, run, &j);
	pthread_join(t, 0);
	return got != 7;
}

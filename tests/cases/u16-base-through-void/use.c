#include "input.h"

static uint32_t refs(void *any)
{
	struct base *b = any;

	return b->refs;
}

int main(void)
{
	static struct s s = { .kind = 3, .refs = 1 };

	return refs(&s) != 1;
}

#include "input.h"
#include <stdlib.h>
static void *mk(void)
{
	struct der *d = calloc(1, sizeof *d);
	d->b.id = 4;
	d->v = 9;
	return d;
}
static int id(void *p)
{
	struct base *b = p;
	return b->id;
}
int main(void)
{
	return !(id(mk()) == 4);
}

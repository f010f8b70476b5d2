#include "input.h"
#include <stdlib.h>
#include <string.h>
static int cmp(const void *a, const void *b)
{
	const struct cmd *c = b;
	return strcmp(a, c->name);
}
static const struct cmd t[] = { { "add", 5, 7, 9 }, { "del", 6, 8, 7 }, { "mod", 9, 9, 8 } };
int main(void)
{
	const struct cmd *c = bsearch("del", t, 3, sizeof *t, cmp);
	return !(c && c->v == 8);
}

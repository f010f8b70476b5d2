#include "input.h"
#include <string.h>
#include <stdlib.h>
static int cmp(const void *a, const void *b)
{
	return memcmp(a, b, 2);
}
int main(void)
{
	struct rec r[2] = { { 2, 5, 1, 1, "b" }, { 1, 7, 2, 2, "a" } };
	qsort(r, 2, sizeof *r, cmp);
	return !(r[0].v == 2 && r[0].minor == 7);
}

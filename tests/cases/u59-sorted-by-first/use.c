#include "input.h"
#include <stdlib.h>
static int cmp(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
int main(void)
{
	struct rec r[3] = { { 3, 7, 1, 9 }, { 1, 8, 2, 8 }, { 2, 9, 3, 7 } };
	qsort(r, 3, sizeof *r, cmp);
	return !(r[0].v == 2 && r[1].v == 3 && r[2].v == 1);
}

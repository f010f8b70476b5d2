#include "input.h"
#include <stdlib.h>
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
	struct s x = {1, 7, 5, 6, 2};
	qsort(&x.a, 3, sizeof(int), cmp);
	return x.a != 5 || x.b != 6 || x.c != 7;
}

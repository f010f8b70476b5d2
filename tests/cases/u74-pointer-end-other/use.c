#include "input.h"
int main(void)
{
	struct s x = {.lo = {1, 2, 3, 4}, .hi = {5, 6, 7, 8}};
	int t = 0;
	int *p, *end = &x.hi[4];
	for (p = x.lo; p < end; p++)
		t += *p;
	return t != 36;
}

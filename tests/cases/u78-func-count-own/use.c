#include "input.h"
static int sum(const int *p, int n)
{
	int t = 0;
	for (int i = 0; i < n; i++)
		t += p[i];
	return t;
}
static int count(const int *p, int below)
{
	int t = 0;
	for (int i = 0; i < 4; i++)
		t += p[i] < below;
	return t;
}
int main(void)
{
	struct s x = {.lo = {1, 2, 3, 4}, .hi = {5, 6, 7, 8}};
	return sum(x.lo, 4) + sum(x.hi, sizeof x.hi / sizeof x.hi[0]) + count(x.lo, 100) != 40;
}

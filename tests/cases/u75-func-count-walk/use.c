#include "input.h"
static int sum(const int *p, int n)
{
	int t = 0;
	while (n--)
		t += *p++;
	return t;
}
int main(void)
{
	struct s x = {.lo = {1, 2, 3, 4}, .hi = {5, 6, 7, 8}};
	return sum(x.lo, 8) != 36;
}

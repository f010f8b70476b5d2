#include "input.h"
int main(void)
{
	struct s s = { 1, 2, 3, 4 };
	long *p = (long *)&s;
	return p[2] != 3;
}

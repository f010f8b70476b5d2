#include "input.h"
int main(void)
{
	static struct s x = {.lo = {1, 2, 3, 4}, .hi = {5, 6, 7, 8}, .z = 9, .q = 77};
	int t = 0;
	for (int i = 0; i < NREGS; i++)
		t += x.lo[i];
	return t != 36;
}

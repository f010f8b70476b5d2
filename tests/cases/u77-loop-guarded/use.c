#include "input.h"
int main(void)
{
	struct s x = {.lo = {1, 2, 3, 4}, .hi = {5, 6, 7, 8}};
	int t = 0, i;
	for (i = 0; i < 8; i++)
		if (i < 4)
			t += x.lo[i];
		else
			t += x.hi[i - 4];
	for (i = 0; i < 8; i++)
		t += i < 4 ? x.lo[i] : x.hi[i - 4];
	for (i = 0; i < 8; i++) {
		if (i >= 4)
			break;
		t += x.lo[i];
	}
	for (i = 0; i < 8; i++)
		t += x.lo[i % 4] + x.lo[i & 3] + x.lo[i / 2] + x.lo[i >> 1];
	return t != 72 + 10 + 20 + 20 + 20 + 20;
}

#include "input.h"
int main(void)
{
	struct s x = {0};
	int i, n = 0;
	for (i = 0; i < 8; i++)
		x.b[i] = i;
	for (i = 0; i < 4; i++) {
		x.a[i] = i;
		n++;
	}
	for (n = 3; n >= 0; n--)
		x.a[n] += x.b[n + 4];
	i = 8;
	if (i > 4)
		i = 0;
	x.a[i] = 1;
	do {
		x.a[i]++;
	} while (++i < 4);
	switch (n) {
	case -1:
		break;
	default:
		x.a[n] = 3;
	}
	return x.a[3] != 11;
}

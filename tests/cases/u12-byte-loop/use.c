#include "input.h"

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };
	unsigned sum = 0;

	for (unsigned i = 0; i < sizeof s; i++)
		sum = sum * 31 + ((const unsigned char *)&s)[i];
	static const unsigned char same[12] = { 1, 0, 0, 0, 2, 0, 0, 0, 3 };
	unsigned want = 0;
	for (unsigned i = 0; i < sizeof same; i++)
		want = want * 31 + same[i];
	return sum != want;
}

#include "input.h"
#include <stddef.h>

static uint32_t checksum(const void *data, size_t n)
{
	const unsigned char *p = data;
	uint32_t sum = 0;

	while (n--)
		sum = sum * 33 + *p++;
	return sum;
}

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };
	static const unsigned char stored[12] = { 1, 0, 0, 0, 2, 0, 0, 0, 3 };

	return checksum(&s, sizeof s) != checksum(stored, sizeof stored);
}

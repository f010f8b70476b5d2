#include "input.h"

static int sum(struct s *s)
{
	unsigned long offset = 4;
	int total = 0;

	while (offset < sizeof *s) {
		total += *(int *)((char *)s + offset);
		offset += 8;
	}
	return total;
}

int main(void)
{
	struct s s = { .c = 1, .a = 2, .z = 3, .b = 4 };

	return sum(&s) != 6;
}

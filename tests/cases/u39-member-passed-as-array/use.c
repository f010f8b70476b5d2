#include "input.h"

static uint32_t sum(const uint32_t *p, int n)
{
	uint32_t total = 0;

	for (int i = 0; i < n; i++)
		total += p[i];
	return total;
}

int main(void)
{
	static struct s s = { .x = 1, .y = 2 };

	return sum(&s.x, 2) != 3;
}

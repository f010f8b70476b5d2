#include "input.h"

int main(void)
{
	static struct s s = { .x = 1, .y = 2 };
	const uint32_t *p = &s.x;
	uint32_t sum = 0;

	for (int i = 0; i < 2; i++)
		sum += *p++;
	return sum != 3;
}

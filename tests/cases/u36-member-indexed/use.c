#include "input.h"

int main(void)
{
	static struct s s = { .x = 1, .y = 2, .z = 3 };
	uint32_t sum = 0;

	for (int i = 0; i < 3; i++)
		sum = sum * 10 + (&s.x)[i];
	return sum != 123;
}

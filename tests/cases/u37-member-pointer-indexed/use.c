#include "input.h"

int main(void)
{
	static struct s s = { .x = 1, .y = 2 };
	uint32_t *p = &s.x;

	return p[1] != 2;
}

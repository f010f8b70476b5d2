#include "input.h"

int main(void)
{
	static struct s s = { .x = { 1, 2 }, .y = 3 };

	return s.x[s.y - 1] != 3 || s.x[2] != 3;
}

#include "input.h"

int main(void)
{
	static struct s s = { .x = 1, .y = 2 };

	return *(&s.x + 1) != 2;
}

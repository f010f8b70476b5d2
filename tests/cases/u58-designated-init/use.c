#include "input.h"

int main(void)
{
	static struct s s = { .b = 1 };

	return s.b != 1;
}

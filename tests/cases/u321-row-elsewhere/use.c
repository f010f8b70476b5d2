#include "input.h"

int main(void)
{
	struct box box = { .lo = 1, .mid = 2, .hi = 4, .weight = 100 };

	return total(&box.lo, 3) != 7;
}

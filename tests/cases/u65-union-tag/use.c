#include "input.h"
int main(void)
{
	union any a;
	a.v = (struct v) { .type = 3, .k = 1, .val = 9, .z = 2 };
	return !(a.type == 3 && a.v.val == 9);
}

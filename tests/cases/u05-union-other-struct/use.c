#include "input.h"

int main(void)
{
	union view v = { .o = { 0, 0 } };

	v.s.b = 11;
	return v.o.high != 11;
}

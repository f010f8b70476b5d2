#include "input.h"

int main(void)
{
	union both u = { .raw = { 0, 0, 0 } };

	u.s.b = 7;
	return u.raw[1] != 7;
}

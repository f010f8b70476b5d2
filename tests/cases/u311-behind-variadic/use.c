#include "input.h"
#include <stdio.h>

int main(void)
{
	struct size s = { 0 };

	if (sscanf("4x5", "%dx%d", &s.wide, &s.wide + 1) != 2)
		return 1;
	return s.wide != 4 || s.high != 5;
}

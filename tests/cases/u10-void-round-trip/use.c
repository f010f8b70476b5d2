#include "input.h"
#include <stdio.h>

int main(void)
{
	unsigned char buf[12] = { 1, 0, 0, 0, 8 };
	void *p = buf;
	struct s *s = p;

	return s->b != 8;
}

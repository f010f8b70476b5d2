#include "input.h"
#include <string.h>

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3, .d = 4 };
	size_t n = (char *)&s.d - (char *)&s.b;

	memset(&s.b, 0, n);
	return s.a != 1 || s.b != 0 || s.c != 0 || s.d != 4;
}

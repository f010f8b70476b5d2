#include "input.h"
#include <string.h>

static void copy(void *to, const void *from, size_t n)
{
	memcpy(to, from, n);
}

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3, .d = 4 }, t;
	size_t n = PART;

	copy(&t.b, &s.b, n);
	return t.a != 0 || t.b != 2 || t.c != 3 || t.d != 0;
}

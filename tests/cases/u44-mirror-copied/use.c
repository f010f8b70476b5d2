#include "input.h"
#include <string.h>

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };
	struct s_compat t;

	memcpy(&t, &s, sizeof t);
	return t.a != 1 || t.b != 2 || t.c != 3;
}

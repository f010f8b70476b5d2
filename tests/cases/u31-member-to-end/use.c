#include "input.h"
#include <string.h>

int main(void)
{
	static struct s s = { .keep = 1, .a = 2, .b = 3, .c = 4 };

	memset(&s.a, 0, sizeof s - offsetof(struct s, a));
	return s.keep != 1 || s.a || s.b || s.c;
}

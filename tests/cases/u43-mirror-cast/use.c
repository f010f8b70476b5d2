#include "input.h"

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };
	struct s_compat *t = (void *)&s;

	return t->a != 1 || t->b != 2 || t->c != 3;
}

#include "input.h"

int main(void)
{
	static struct s s = { .kind = 3, .refs = 1 };
	struct base *b = (struct base *)&s;

	return b->kind != 3 || b->refs != 1;
}

#include "input.h"

int main(void)
{
	struct s s = { .a = 6 };
	struct ref r = { 1, { .s = &s } };

	return r.s->a != 6;
}

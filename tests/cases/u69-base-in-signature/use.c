#include "input.h"
static int cb(struct base *b)
{
	return b->id;
}
int main(void)
{
	struct der d = { .b = { 4 }, .v = 9 };
	int (*f)(struct der *) = (int (*)(struct der *))cb;
	return f(&d) != 4;
}

#include "input.h"
int main(void)
{
	struct der d = { .b = { 4 }, .v = 9 };
	struct box x;
	x.priv = &d;
	struct base *b = x.priv;
	return b->id != 4;
}

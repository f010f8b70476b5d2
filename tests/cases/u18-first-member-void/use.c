#include "input.h"

static int kind_of(const void *any)
{
	return *(const int *)any;
}

int main(void)
{
	static struct s s = { .kind = 3 };

	return kind_of(&s) != 3;
}

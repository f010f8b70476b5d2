#include "input.h"

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };
	const unsigned char *p = (const unsigned char *)&s;

	return !(*p == 1 && p[4] == 2 && *(p + 8) == 3);
}

#include "input.h"
#include <string.h>

int main(void)
{
	static struct s a = { .head = 1, .start = 2, .x = 3, .end = 4 }, b;
	const char *from = (const char *)&a.start;

	memcpy(&b.start, from, (const char *)&a.end - from);
	return b.head || b.start != 2 || b.x != 3 || b.end;
}

#include "input.h"
#include <string.h>

static void set(struct s *s, int which, int value)
{
	size_t off = 0;

	if (which == 1)
		off = offsetof(struct s, b);
	memcpy((char *)s + (off ? off : offsetof(struct s, b)), &value, sizeof value);
}

int main(void)
{
	struct s rows[3] = { { .a = 1 }, { .a = 2 }, { .a = 3 } }, one;
	long total = 0;

	for (size_t off = 0; off < sizeof rows; off += sizeof(struct s)) {
		memcpy(&one, (char *)rows + off, sizeof one);
		total += one.a;
	}
	for (size_t at = 0; at < sizeof one; at += 8)
		memcpy((char *)&rows[0] + at, (char *)&rows[2] + at, 8);
	set(&one, 1, 7);
	return total != 6 || rows[0].a != 3 || one.b != 7;
}

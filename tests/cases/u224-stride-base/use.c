#include "input.h"
#include <string.h>

static int unpack(struct s *s, const unsigned char *in)
{
	static const int width[] = { 1, 4, 1, 4 };
	char *base = (char *)s;
	int pos = 0, n = 0;

	for (int i = 0; i < 4; i++) {
		pos = (pos + width[i] - 1) & ~(width[i] - 1);
		memcpy(base + pos, in + n, width[i]);
		pos += width[i];
		n += width[i];
	}
	return n;
}

int main(void)
{
	static const unsigned char in[] = { 1, 2, 0, 0, 0, 3, 4, 0, 0, 0 };
	struct s s = { 0 };

	return unpack(&s, in) != 10 || s.c != 1 || s.a != 2 || s.z != 3 || s.b != 4;
}

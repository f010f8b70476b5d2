#include "input.h"
#include <string.h>

static const unsigned char sizes[] = { 1, 4, 1, 4 };

static void pack(const struct s *s, unsigned char *out)
{
	unsigned off = 0;

	for (int i = 0; i < 4; i++) {
		off = (off + sizes[i] - 1) / sizes[i] * sizes[i];
		memcpy(out, (const char *)s + off, sizes[i]);
		out += sizes[i];
		off += sizes[i];
	}
}

int main(void)
{
	struct s s = { .c = 1, .a = 2, .z = 3, .b = 4 };
	unsigned char out[10];

	pack(&s, out);
	return out[0] != 1 || out[1] != 2 || out[5] != 3 || out[6] != 4;
}

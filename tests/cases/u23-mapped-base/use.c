#include "input.h"
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
	static const unsigned char image[16] = { 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3 };
	FILE *f = tmpfile();
	char *base;

	fwrite(image, 1, sizeof image, f);
	fflush(f);
	base = mmap(NULL, 16, PROT_READ, MAP_SHARED, fileno(f), 0);
	const struct s *s = (const struct s *)(base + 4);
	return s->b != 2;
}

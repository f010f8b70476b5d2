#include "input.h"
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
	static const unsigned char image[12] = { 1, 0, 0, 0, 2, 0, 0, 0, 3 };
	FILE *f = tmpfile();

	fwrite(image, 1, sizeof image, f);
	fflush(f);
	struct s *s = mmap(NULL, sizeof *s, PROT_READ, MAP_SHARED, fileno(f), 0);
	return s == MAP_FAILED || s->b != 2;
}

#include "input.h"
#include <sys/mman.h>

int main(void)
{
	struct s *s = mmap(0, sizeof *s, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	s->b = 2;
	return s->b != 2;
}

#include "input.h"

static _Alignas(16) char pool[4096];
static size_t used;

static void *take(size_t n)
{
	char *p = pool + used;

	used += (n + 15) & ~(size_t)15;
	return p;
}

int main(void)
{
	struct s *s = take(sizeof *s), *t = (struct s *)(pool + used);

	s->b = 1;
	t->b = 2;
	return s->b != 1;
}

#include "input.h"
#include <malloc.h>
#include <stdlib.h>

int main(void)
{
	struct s *s = calloc(1, offsetof(struct s, rare));

	s->b = 1;
	return offsetof(struct s, b) >= offsetof(struct s, rare) || offsetof(struct s, a) >= offsetof(struct s, rare);
}

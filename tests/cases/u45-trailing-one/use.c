#include "input.h"
#include <stdlib.h>
#include <string.h>

int main(void)
{
	struct s *s = malloc(sizeof *s + 20);

	s->n = 77;
	memcpy(s->data, "0123456789012345", 17);
	return s->n != 77;
}

#include "input.h"
#include <string.h>

/* All but the kind, which is known to come first. */
static void clear(struct s *s)
{
	memset((char *)s + sizeof s->kind, 0, sizeof *s - sizeof s->kind);
}

int main(void)
{
	struct s s = { .kind = 1, .used = 2, .state = 3, .total = 4, .mark = 5 };

	clear(&s);
	return s.kind != 1 || s.used || s.state || s.total || s.mark;
}

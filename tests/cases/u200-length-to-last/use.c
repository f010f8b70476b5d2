#include <stdlib.h>
#include "input.h"

static struct s *put(struct s *s, char c)
{
	if (s->n == s->m)
		s = realloc(s, (size_t)((s->m *= 2) + LENGTH_TO(struct s, text)));
	((char *)s->text)[s->n++] = c;
	return s;
}

int main(void)
{
	struct s *s = calloc(1, sizeof *s);
	int wrong = 0;

	s->mark = 'm';
	s->kind = 'k';
	s->m = (int)sizeof s->text;
	for (int i = 0; i < 100; i++)
		s = put(s, (char)i);
	for (int i = 0; i < s->n; i++)
		wrong += ((char *)s->text)[i] != i;
	return wrong != 0 || s->n != 100 || s->m != 160 || s->mark != 'm' || s->kind != 'k';
}

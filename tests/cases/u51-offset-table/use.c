#include "input.h"

struct option { const char *name; size_t offset, size; };
static const struct option options[] = {
	{ "a", offsetof(struct s, a), sizeof(((struct s *)0)->a) },
	{ "b", offsetof(struct s, b), sizeof(((struct s *)0)->b) },
};

static void set(struct s *s, const struct option *o, uint64_t value)
{
	char *at = (char *)s + o->offset;

	if (o->size == 1)
		*(uint8_t *)at = value;
	else
		*(uint64_t *)((char *)s + o->offset) = value;
}

int main(void)
{
	static struct s s;

	set(&s, &options[0], 1);
	set(&s, &options[1], 2);
	return s.a != 1 || s.b != 2;
}

#include "input.h"

static int on_event(int kind, void *arg)
{
	if (kind == 0) {
		struct s *s = arg;
		return s->b;
	}
	struct timer *t = arg;
	return t->when;
}

int main(void)
{
	static struct s s = { .b = 3 };
	static struct timer t = { 4 };
	struct conn c = { .context = &s };
	const struct s *again = c.context;

	return on_event(0, &s) + on_event(1, &t) + again->b != 10;
}

#include "input.h"

int main(void)
{
	static struct s s = { .d = 7 };
	struct link *l = &s.link;
	void *v = l;
	const struct s *t = (const struct s *)((unsigned char *)v - offsetof(struct s, link));

	return of_link(l)->d != 7 || t->d != 7;
}

#include "input.h"
enum { LINK = offsetof(struct s, link) };
static const size_t where = offsetof(struct s, link);
int main(void)
{
	struct s x = {.a = 5};
	struct l *p = &x.link;
	return entry(p)->a != 5 || ((struct s *)((char *)p - LINK))->a != 5 ||
	       ((struct s *)((char *)p - where))->a != 5;
}

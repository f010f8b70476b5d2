#include "input.h"
static long get(const unsigned char *p)
{
	const struct s *x = (const struct s *)p;
	return x->a + x->q;
}
int main(void)
{
	struct s x = {1, 2, 3, 4};
	return get((const unsigned char *)&x) != 6;
}

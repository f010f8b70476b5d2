#include "input.h"

static void get(uint32_t *out)
{
	out[0] = 4;
}

int main(void)
{
	static struct s s;
	uint32_t *p = &s.x;

	get(&s.x);
	*p += 1;
	return s.x != 5;
}

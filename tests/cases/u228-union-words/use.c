#include "input.h"

typedef union { struct { uint32_t w0, w1, w2; }; struct s s; } any;

int main(void)
{
	any u;

	u.w0 = u.w1 = u.w2 = 0;
	u.s.seq = 7;
	u.s.flags = 1;
	return u.w2 != 7 || u.w1 != 1;
}

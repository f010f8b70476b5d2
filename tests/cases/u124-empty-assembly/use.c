#include "input.h"
int main(void)
{
	struct block block = { .kind = 1, .length = 7, .flags = 2 }, *p = &block, *q = &block;
	HIDE(p);
	asm volatile("" : "+r"(q) : : "memory");
	return !(p->kind == 1 && q->length == 7 && p->flags == 2);
}

#include "input.h"

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };
	uint64_t got = 2;

#ifdef __x86_64__
	unsigned long address = (unsigned long)&s;
	__asm__("movq 8(%1), %0" : "=r"(got) : "r"((void *)address), "m"(s));
#endif
	return got != 2;
}

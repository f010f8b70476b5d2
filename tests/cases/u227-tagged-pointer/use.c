#include "input.h"

int main(void)
{
	static struct s s = { .a = 4, .b = 5 };
	struct link l = { (unsigned long)&s | 1 };

	return target(&l)->a != 4 || ((struct s *)(l.to & ~1ul))->b != 5 || ((struct s *)(l.to - 1))->a != 4;
}

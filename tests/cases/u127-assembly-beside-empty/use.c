#include "input.h"
int main(void)
{
	struct block block = { .kind = 1, .length = 7, .flags = 2 }, *p = &block;
	int length;
	FETCH(length, p);
	return length != 7;
}

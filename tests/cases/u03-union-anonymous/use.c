#include "input.h"

int main(void)
{
	struct reg r = { .dirty = 1 };

	r.part.high = 5;
	return r.words[1] != 5;
}

#include "input.h"

int main(void)
{
	union node n = { .t = { .kind = 4, .text = "x" } };

	return n.s.kind != 4;
}

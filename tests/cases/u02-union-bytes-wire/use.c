#include "input.h"

int main(void)
{
	union packet p = { .bytes = { 3, 0, 0, 0, 9 } };

	return p.s.length != 9;
}

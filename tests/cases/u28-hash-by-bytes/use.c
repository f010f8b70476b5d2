#include "input.h"

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .c = 3 };

	return fnv_hash(&s, sizeof s) != 0x794671b5;
}

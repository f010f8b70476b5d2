#include "input.h"
#include <string.h>

#define HEAD (sizeof(struct s) - sizeof(((struct s *)0)->tail))

int main(void)
{
	struct s x = { .c = 1, .a = 2, .z = 3, .b = 4, .tail = "abc" }, y = { 0 };

	memcpy(&y, &x, HEAD);
	return y.c != 1 || y.a != 2 || y.z != 3 || y.b != 4 || y.tail[0];
}

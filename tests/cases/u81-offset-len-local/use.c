#include "input.h"
#include <string.h>
int main(void)
{
	struct s x = {.k = 1, .a = 2, .b = 3, .c = 4, .d = 5}, y = {0};
	size_t n = offsetof(struct s, c);
	memcpy(&y, &x, n);
	return y.a != 2 || y.b != 3 || y.k != 1 || y.c || y.d;
}

#include "input.h"
#include <string.h>
int main(void)
{
	struct s x = {.k = 1, .a = 2, .b = 3, .c = 4, .d = 5};
	memset((char *)&x + S_ZERO_FROM, 0, S_ZERO_TO - S_ZERO_FROM);
	return x.a || x.b || x.k != 1 || x.c != 4 || x.d != 5;
}

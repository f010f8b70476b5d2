#include "input.h"
#include <stdio.h>
#include <string.h>
int main(void)
{
	struct s x = {.k = 3, .z = 4, .q = 9};
	snprintf(x.a, 8, "abcdefg");
	return memcmp(x.b, "efg", 4);
}

#include "input.h"
#include <string.h>

int main(void)
{
	uint32_t words[6];
	struct s s = { .a = 1, .b = 2, .c = 3 };

	memcpy(words, &s, sizeof words);
	return words[2] != 2;
}

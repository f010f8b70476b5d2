#include "input.h"
#include <string.h>

int main(void)
{
	uint64_t words[3] = { 1, 2, 3 };
	struct s s;

	memcpy(&s, words, sizeof s);
	return s.b != 2;
}

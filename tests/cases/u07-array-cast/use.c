#include "input.h"

int main(void)
{
	static uint64_t words[3] = { 1, 2, 3 };
	struct s *s = (struct s *)words;

	return s->b != 2;
}

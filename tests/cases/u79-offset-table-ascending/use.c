#include "input.h"
static const size_t offs[] = {offsetof(struct s, k), offsetof(struct s, a), offsetof(struct s, b),
			      offsetof(struct s, c)};
int main(void)
{
	for (int i = 1; i < 4; i++)
		if (offs[i] <= offs[i - 1])
			return 1;
	return 0;
}

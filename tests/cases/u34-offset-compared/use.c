#include "input.h"

int main(void)
{
	return offsetof(struct s, a) < offsetof(struct s, b) && offsetof(struct s, b) < offsetof(struct s, c) ? 0 : 1;
}

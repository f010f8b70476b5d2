#include "input.h"
#include <string.h>

int main(void)
{
	static struct s s = { .a = 1, .b = 2, .keep = 3, .more = 4 };

	memset(&s, 0, offsetof(struct s, keep));
	return s.a || s.b || s.keep != 3 || s.more != 4;
}

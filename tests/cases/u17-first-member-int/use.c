#include "input.h"

int main(void)
{
	static struct s s = { .kind = 3 };

	return *(int *)&s != 3;
}

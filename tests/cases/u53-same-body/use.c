#include "input.h"

int main(void)
{
	static struct one s = { .b = 2 };

	return ((struct two *)&s)->b != 2;
}

#include "input.h"
int main(void)
{
	if (sizeof(struct s) != 12)
		return 1;
	return 0;
}

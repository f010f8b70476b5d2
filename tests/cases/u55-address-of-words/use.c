#include "input.h"

int main(void)
{
	uint64_t word = 0x0000000300020001;

	return (*(struct s *)&word).b != 2;
}

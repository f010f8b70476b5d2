#include "input.h"

enum { FAR = 70 };

int main(void)
{
	struct device device = { 0 };

	set_bit(FAR, &device.low);
	return device.high != 64;
}

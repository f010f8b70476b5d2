#include "input.h"

enum { UP = 1, RUNNING = 33 };

static int is_set(struct device *device, int nr)
{
	return test_bit(nr, &device->flags);
}

int main(void)
{
	struct device device = { 0 };

	set_bit(UP, &device.state);
	set_bit(RUNNING, &device.flags);
	clear_bit(2, &device.state);
	return !test_bit(UP, &device.state) || is_set(&device, UP) || !is_set(&device, RUNNING);
}

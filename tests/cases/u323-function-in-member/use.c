#include "input.h"

static int first_int(const void *object)
{
	return *(const int *)object;
}

int main(void)
{
	struct item item = { .id = 42, .flag = 1, .size = 5, .other = 2, .key = first_int };

	return item.key(&item) != 42;
}

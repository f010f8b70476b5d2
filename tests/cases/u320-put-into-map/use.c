#include "input.h"

int main(void)
{
	static struct entry entry = { .state = 1, .value = 5, .kind = 2 };
	struct entry *found;

	map_put(&entry, 7);
	found = map_get(7);
	return !found || found->value != 5 || found->state != 1 || found->kind != 2;
}

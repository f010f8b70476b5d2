#include "input.h"

static char letter(const struct entry *entry, int at)
{
	return entry->key[at];
}

int main(void)
{
	struct entry entry = { .key = { 'k' }, .rest = "ey-text" };
	volatile int at = 3;

	return letter(&entry, at) != '-';
}

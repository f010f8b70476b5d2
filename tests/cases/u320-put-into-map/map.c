#include "input.h"

static struct key *first;

void map_put(void *entry, int hash)
{
	struct key *key = entry;

	key->hash = hash;
	key->next = first;
	first = key;
}

void *map_get(int hash)
{
	for (struct key *key = first; key; key = key->next)
		if (key->hash == hash)
			return key;
	return 0;
}

#include "input.h"
#include <stdlib.h>
static void fill(struct entry *entry)
{
	struct eviction *eviction = (struct eviction *)entry->data;
	eviction->kind = 3;
	eviction->when = 50;
	eviction->flags = 7;
	entry->size = sizeof *eviction;
}
int main(void)
{
	struct entry *entry = malloc(sizeof *entry + sizeof(struct eviction));
	struct eviction *eviction;
	if (!entry)
		return 1;
	fill(entry);
	eviction = (struct eviction *)entry->data;
	return !(eviction->kind == 3 && eviction->when == 50 && eviction->flags == 7);
}

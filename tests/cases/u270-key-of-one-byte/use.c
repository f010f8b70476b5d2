#include "input.h"
#include <stddef.h>
#include <string.h>
static void set(struct node *node, const char *key)
{
	unsigned char *at = node->key;

	for (size_t i = 0; i <= strlen(key); i++)
		at[i] = (unsigned char)key[i];
}
int main(void)
{
	static struct entry entry;

	entry.uses = 7;
	entry.store = &entry;
	set(&entry.node, "abcdefgh");
	return entry.uses != 7 || entry.store != &entry || entry.state != 0 ||
	       strcmp((const char *)&entry + offsetof(struct entry, node.key), "abcdefgh") != 0;
}

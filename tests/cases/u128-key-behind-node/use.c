#include "input.h"
#include <string.h>
static const struct node *find(const struct node *node, const char *key)
{
	while (node && strcmp((const char *)node->key, key) != 0)
		node = node->next;
	return node;
}
int main(void)
{
	static struct entry first, second;
	strcpy(first.path, "first");
	strcpy(second.path, "second");
	first.node.next = &second.node;
	first.uses = 1;
	second.state = 2;
	return find(&first.node, "second") != &second.node;
}

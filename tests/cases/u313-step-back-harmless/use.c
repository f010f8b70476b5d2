#include "input.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* What stands behind a head, and back: by the size of it all. */
static void *data_of(struct head *head)
{
	return (char *)head + sizeof *head;
}

static struct head *head_of(void *data)
{
	return (struct head *)((char *)data - sizeof(struct head));
}

static struct head *head_of_size(long *size)
{
	return (struct head *)((char *)size - offsetof(struct head, size));
}

int main(void)
{
	struct head *head = calloc(1, sizeof *head + 16);
	int wrong = !head || head_of(data_of(head)) != head || head_of_size(&head->size) != head;

	if (sscanf("3", "%ld", &head->size) != 1)
		wrong = 1;
	wrong |= head->size != 3;
	free(head);
	return wrong;
}

#include <stddef.h>
#include <string.h>

#include "s.h"

void clear(struct range *range);
void clear(struct range *range)
{
	memset(&range->first, 0, offsetof(struct range, b) - offsetof(struct range, first));
}

static const struct values table[] = { { 1, { { 2, 3 } }, 4, { 5 } } };
const void *use(void);
const void *use(void)
{
	return table;
}

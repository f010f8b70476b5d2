#include "input.h"
#include <string.h>
static struct ent t[] = { { "add", 5, 7, 9, 1 }, { "del", 6, 8, 7, 2 } };
int main(void)
{
	for (unsigned i = 0; i < 2; i++)
		if (!strcmp((char *)&t[i], "del"))
			return t[i].v != 6;
	return 1;
}

#include "input.h"
#include <string.h>

static void swap(struct pair *a, struct pair *b)
{
	char t[sizeof(struct pair)];

	memcpy(t, a, sizeof t);
	memcpy(a, b, sizeof *a);
	memcpy(b, t, sizeof *b);
}

int main(void)
{
	struct pair a = { 1, 2, 3 }, b = { 4, 5, 6 };

	swap(&a, &b);
	return a.size != 5 || b.other != 3;
}

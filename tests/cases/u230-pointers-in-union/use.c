#include "input.h"

static int kind(ref r)
{
	return r.h->kind;
}

int main(void)
{
	struct s s = { .h = { 6 }, .a = 1 };

	return kind((ref) { .s = &s }) != 6;
}

#include "input.h"

static int64_t get(const struct value *v)
{
	switch (v->kind) {
	case 0:
		return v->u.s.b;
	case 1:
		return v->u.number;
	default:
		return v->u.text[0];
	}
}

int main(void)
{
	struct value v = { .kind = 0, .u.s.b = 4 };

	return get(&v) != 4;
}

#include "input.h"
#include <string.h>

/* The kind and what is used, not the total. */
static void clear(void *state)
{
	memset(state, 0, 8);
}

int main(void)
{
	struct state state = { .kind = 1, .used = 2, .ready = 3, .total = 4 };

	clear(&state);
	return state.kind || state.used || state.ready != 3 || state.total != 4;
}

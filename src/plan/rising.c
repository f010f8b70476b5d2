#include "plan/rising.h"

const struct rs_cost *rs_rising_cost(struct rs_arena *arena, const struct rs_binding *binding)
{
	struct rs_binding *copy = rs_arena_new(arena, struct rs_binding);

	*copy = *binding;
	copy->machine.t_upgrade_ns = 0;
	copy->machine.t_memory_ns = 0;
	return rs_cost_create(arena, copy);
}

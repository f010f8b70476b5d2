#include <string.h>

#include "parse/uses_internal.h"

void rs_use_branch_add(struct rs_initializer_list *list, const struct rs_initializer_branch *branch)
{
	for (size_t i = 0; i < list->n_branches; i++) {
		struct rs_initializer_branch *known = &list->branches[i];

		if (known->source != branch->source || known->span.start != branch->span.start ||
		    known->choice != branch->choice || known->n_choices != branch->n_choices)
			continue;
		known->is_read = known->is_read || branch->is_read;
		return;
	}
	*rs_array_push(list->arena, list->branches, list->n_branches, list->branches_capacity) = *branch;
}

static void refuse(struct rs_pin_list *pins, const struct rs_initializer_branch *branch, const char *message)
{
	unsigned line = rs_source_position(branch->source, branch->span.start).line;

	for (size_t i = 0; i < pins->n_pins; i++) {
		struct rs_pin *pin = &pins->pins[i];

		if (pin->line == line && pin->file && strcmp(pin->file, branch->source->path) == 0 &&
		    strcmp(pin->code, "positional-initializer") == 0) {
			rs_use_index_strengthen(pins, pin, message);
			return;
		}
	}
	rs_pin_add(pins, "positional-initializer", RS_PIN_CONTRACT, RS_NONE, line, true, "%s", message);
	pins->pins[pins->n_pins - 1].file = branch->source->path;
}

static unsigned count_choices(const struct rs_initializer_list *list, const struct rs_initializer_branch *of)
{
	unsigned count = 0;

	for (size_t i = 0; i < list->n_branches; i++)
		count += list->branches[i].source == of->source && list->branches[i].choice != 0 &&
			 list->branches[i].span.start == of->span.start;
	return count;
}

void rs_uses_settle(const struct rs_initializer_list *list, struct rs_pin_list *pins)
{
	for (size_t i = 0; i < list->n_branches; i++) {
		const struct rs_initializer_branch *branch = &list->branches[i];

		if (!branch->is_read)
			refuse(pins, branch,
			       rs_arena_printf(pins->arena,
					       "values stand here that no configuration seen has, so that the "
					       "patch cannot rewrite them: %s shows them",
					       branch->advice));
		else if (branch->choice != 0 && count_choices(list, branch) < branch->n_choices)
			refuse(pins, branch,
			       rs_arena_printf(
				       pins->arena,
				       "#if makes %u lists of this one, and %u of them %s seen: what the "
				       "places mean in the others is not known (%s would show)",
				       branch->n_choices, count_choices(list, branch),
				       count_choices(list, branch) == 1 ? "was" : "were", branch->advice));
	}
}

#include "plan/plan.h"

#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "plan/joins.h"
#include "plan/moves.h"
#include "plan/permit.h"
#include "plan/place.h"
#include "plan/solve.h"
#include "record/layout.h"

/* Whether some part of the declaration does not follow the part before it. */
static bool is_split(const struct rs_record *record, const size_t *positions, size_t first)
{
	for (size_t u = first + 1; u < first + record->units[first].n_parts; u++)
		if (positions[u] != positions[u - 1] + 1)
			return true;
	return false;
}

/* Declarations that come apart, then the moves. */
static void list_operations(struct rs_arena *arena, const struct rs_record *record,
			    const struct rs_operation *moves, struct rs_plan *plan)
{
	size_t *positions = rs_arena_array(arena, size_t, record->n_units), count = 0;
	struct rs_operation *all =
		rs_arena_array(arena, struct rs_operation, record->n_units + plan->moved_blocks);

	for (size_t i = 0; i < record->n_units; i++)
		positions[plan->order[i]] = i;
	for (size_t u = 0; u < record->n_units; u++) {
		const struct rs_unit *unit = &record->units[u];

		if (unit->n_parts && unit->part == 0 && is_split(record, positions, u))
			all[count++] = (struct rs_operation) { .kind = RS_OPERATION_SPLIT,
							       .first_unit = u,
							       .n_units = unit->n_parts,
							       .after_unit = RS_NONE };
	}
	for (size_t i = 0; i < plan->moved_blocks; i++)
		all[count++] = moves[i];
	plan->operations = all;
	plan->n_operations = count;
}

void rs_plan_from_order(struct rs_arena *arena, const struct rs_record *record, const struct rs_cost *cost,
			const size_t *order, struct rs_plan *ret_plan)
{
	struct rs_plan plan = { 0 };
	size_t *own_order = rs_arena_array(arena, size_t, record->n_units);
	uint64_t *offset_bits = rs_arena_array(arena, uint64_t, record->n_members);
	struct rs_operation *operations;
	struct rs_moves moves;

	if (record->n_units)
		memcpy(own_order, order, record->n_units * sizeof *order);
	rs_layout_compute(record, own_order, offset_bits, &plan.size_bytes);
	moves = rs_moves_list(arena, record, own_order, &operations);
	plan.order = own_order;
	plan.offset_bits = offset_bits;
	plan.cost_ns = cost ? rs_cost_layout(cost, offset_bits, plan.size_bytes) : 0;
	plan.moved_blocks = moves.n_blocks;
	list_operations(arena, record, operations, &plan);
	rs_joins_remark(arena, record, own_order, &plan.remarks, &plan.n_remarks);
	plan.changed_lines = moves.changed_lines;
	*ret_plan = plan;
}

bool rs_plan_is_permitted(struct rs_arena *arena, const struct rs_record *record,
			  const struct rs_binding *binding, const size_t *order, const char **ret_reason)
{
	return rs_permit_check(arena, record, binding, order, ret_reason);
}

static bool is_beaten_by(const struct rs_plan *plan, const struct rs_plan *other)
{
	int cost = rs_score_compare_cost(other->cost_ns, plan->cost_ns);

	if (cost > 0 || other->size_bytes > plan->size_bytes || other->changed_lines > plan->changed_lines)
		return false;
	return cost < 0 || other->size_bytes < plan->size_bytes || other->changed_lines < plan->changed_lines;
}

/* The search weighs torn groups besides; what is shown is not to be beaten in what is shown. The pick stays:
 * its groups are the reason for its lines. */
static void drop_beaten(struct rs_arena *arena, struct rs_plan *plans, struct rs_plan_set *set)
{
	size_t n_all = set->n_plans, pick = set->pick, count = 0;
	bool *beaten = rs_arena_array(arena, bool, n_all);

	for (size_t i = 0; i < n_all; i++) {
		for (size_t j = 0; j < n_all && i != pick && !beaten[i]; j++)
			beaten[i] = j != i && is_beaten_by(&plans[i], &plans[j]);
	}
	for (size_t i = 0; i < n_all; i++) {
		if (beaten[i])
			continue;
		if (i == pick)
			set->pick = count;
		plans[count] = plans[i];
		plans[count].id = (unsigned)count + 1;
		count++;
	}
	set->n_plans = count;
}

void rs_plan_optimize(struct rs_arena *arena, const struct rs_record *record, const struct rs_binding *binding,
		      const struct rs_plan_options *options, struct rs_plan_set *ret_set)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	const struct rs_cost *cost = binding ? rs_cost_create(scratch, binding) : NULL;
	size_t *order = rs_arena_array(scratch, size_t, record->n_units);
	struct rs_plan_set set = { .pick = RS_NONE };
	struct rs_solution solution;
	struct rs_plan *plans;

	for (size_t i = 0; i < record->n_units; i++)
		order[i] = i;
	rs_plan_from_order(arena, record, cost, order, &set.original);
	rs_solve(scratch, record, binding, cost, options, &set.original, &solution);
	plans = rs_arena_array(arena, struct rs_plan, solution.n_orders);
	for (size_t i = 0; i < solution.n_orders; i++)
		rs_plan_from_order(arena, record, cost, solution.orders[i], &plans[i]);
	set.plans = plans;
	set.n_plans = solution.n_orders;
	set.pick = solution.pick;
	drop_beaten(arena, plans, &set);
	set.lower_bound_ns = solution.lower_bound_ns;
	set.lower_bound_bytes = solution.lower_bound_bytes;
	set.proven = solution.proven;
	*ret_set = set;
}

struct naming {
	struct rs_arena *arena;
	const struct rs_record *record;
	const char *const *names;
	size_t n_names;
	size_t *units; /* in the order in which they are named */
	size_t n_units;
	bool *is_named;
};

static struct rs_error *report_unknown(const struct naming *naming, const char *name)
{
	const struct rs_record *record = naming->record;
	const char **candidates = rs_arena_array(naming->arena, const char *, record->n_members);
	size_t count = 0;
	const char *nearest;

	for (size_t i = 0; i < record->n_members; i++)
		if (record->members[i].path && record->members[i].path[0])
			candidates[count++] = record->members[i].path;
	nearest = rs_nearest_name(name, candidates, count);
	if (!nearest)
		return rs_error_create(RS_ERROR_NOT_FOUND, NULL, 0, 0, "'%s' has no member '%s'", record->name,
				       name);
	return rs_error_create(RS_ERROR_NOT_FOUND, NULL, 0, 0, "'%s' has no member '%s'; did you mean '%s'?",
			       record->name, name, nearest);
}

/* The unit that a member's name, or a unit's own, stands for. */
static size_t find_unit(const struct rs_record *record, const char *name)
{
	size_t member = rs_record_find_member(record, name);

	if (member != RS_NONE)
		return record->members[member].unit;
	const struct rs_alias *alias = rs_record_find_alias(record, name);
	if (alias && alias->unit != RS_NONE)
		return alias->unit;
	for (size_t u = 0; u < record->n_units; u++)
		if (record->units[u].name && strcmp(record->units[u].name, name) == 0)
			return u;
	return RS_NONE;
}

/* Several members of one unit may be named, one after the other. */
static struct rs_error *add_name(struct naming *naming, size_t index)
{
	const char *name = naming->names[index];
	size_t unit = find_unit(naming->record, name);

	if (unit == RS_NONE)
		return report_unknown(naming, name);
	for (size_t i = 0; i < index; i++)
		if (strcmp(naming->names[i], name) == 0)
			return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "'%s' is named twice", name);
	if (naming->is_named[unit]) {
		if (naming->units[naming->n_units - 1] == unit)
			return NULL;
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
				       "'%s' moves together with '%s', which is named elsewhere", name,
				       naming->record->units[unit].name);
	}
	naming->is_named[unit] = true;
	naming->units[naming->n_units++] = unit;
	return NULL;
}

/* An order of units as it is put together. */
struct sequence {
	const struct rs_record *record;
	const bool *carried;
	size_t *order, count;
	bool *is_in;
};

static void append(struct sequence *sequence, size_t unit)
{
	if (sequence->is_in[unit])
		return;
	sequence->is_in[unit] = true;
	sequence->order[sequence->count++] = unit;
}

/* The carried units of a region from this one on. */
static void append_carried(struct sequence *sequence, size_t unit, size_t region)
{
	const struct rs_record *record = sequence->record;

	for (; unit < record->n_units && sequence->carried[unit] && record->units[unit].region == region;
	     unit++)
		append(sequence, unit);
}

static void append_moving(struct sequence *sequence, size_t unit)
{
	size_t region = sequence->record->units[unit].region, first = 0;

	while (sequence->record->units[first].region != region)
		first++;
	append_carried(sequence, first, region);
	append(sequence, unit);
	append_carried(sequence, unit + 1, region);
}

/* The named units, then the others; carried ones behind the unit that they follow, or before all of their
 * region when they stand at its beginning. */
static size_t *complete_order(const struct naming *naming, const bool *carried)
{
	size_t n_units = naming->record->n_units;
	struct sequence sequence = { .record = naming->record, .carried = carried };

	sequence.order = rs_arena_array(naming->arena, size_t, n_units);
	sequence.is_in = rs_arena_array(naming->arena, bool, n_units);
	for (size_t i = 0; i < naming->n_units; i++)
		append_moving(&sequence, naming->units[i]);
	for (size_t u = 0; u < n_units; u++)
		if (carried[u])
			append_carried(&sequence, u, naming->record->units[u].region);
		else if (!naming->is_named[u])
			append_moving(&sequence, u);
	return sequence.order;
}

struct rs_error *rs_plan_from_names(struct rs_arena *arena, const struct rs_record *record,
				    const struct rs_binding *binding, const char *const *names, size_t n_names,
				    struct rs_plan *ret_plan)
{
	struct naming naming = { .arena = arena, .record = record, .names = names, .n_names = n_names };
	const struct rs_cost *cost = binding ? rs_cost_create(arena, binding) : NULL;
	const char *reason = NULL;
	size_t *order;

	naming.units = rs_arena_array(arena, size_t, record->n_units);
	naming.is_named = rs_arena_array(arena, bool, record->n_units);
	for (size_t i = 0; i < n_names; i++)
		RS_TRY(add_name(&naming, i));
	order = complete_order(&naming, rs_permit_find_carried(arena, record, binding));
	if (!rs_plan_is_permitted(arena, record, binding, order, &reason))
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "the order is not possible: %s", reason);
	rs_plan_from_order(arena, record, cost, order, ret_plan);
	return NULL;
}

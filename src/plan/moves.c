#include "plan/moves.h"

#include <string.h>

#include "plan/groups.h"

/* The best choice of kept units among those up to one that is itself kept. */
struct choice {
	size_t lines;    /* kept */
	size_t n_blocks; /* moved ones so far */
	size_t previous; /* position in the new order of the kept unit before; RS_NONE */
};

struct rs_moves_scratch {
	const struct rs_record *record;
	struct choice *choices; /* one a position, and one for the end */
	size_t *breaks; /* breaks[i]: positions up to i where a unit does not follow its original neighbour */
	size_t *tree;   /* by unit: Fenwick tree of the best positions to come from; RS_NONE */
	bool *kept;     /* by position */
	struct rs_groups groups;
};

struct rs_moves_scratch *rs_moves_scratch_create(struct rs_arena *arena, const struct rs_record *record)
{
	struct rs_moves_scratch *scratch = rs_arena_new(arena, struct rs_moves_scratch);

	scratch->record = record;
	scratch->choices = rs_arena_array(arena, struct choice, record->n_units + 1);
	scratch->breaks = rs_arena_array(arena, size_t, record->n_units + 1);
	scratch->tree = rs_arena_array(arena, size_t, record->n_units + 1);
	scratch->kept = rs_arena_array(arena, bool, record->n_units + 1);
	rs_groups_find(arena, record, &scratch->groups);
	return scratch;
}

static size_t count_lines(const struct rs_record *record, size_t unit)
{
	return record->units[unit].n_lines ? record->units[unit].n_lines : 1;
}

/* Whether it is better to keep the unit at position a than that at b as the last one before some units that
 * move: of the blocks that these make, what hangs on where they begin is counted here. */
static bool is_better_before(const struct rs_moves_scratch *scratch, size_t a, size_t b)
{
	const struct choice *x = &scratch->choices[a], *y = &scratch->choices[b];

	if (x->lines != y->lines)
		return x->lines > y->lines;
	return x->n_blocks + scratch->breaks[b + 1] < y->n_blocks + scratch->breaks[a + 1];
}

static void tree_add(struct rs_moves_scratch *scratch, const size_t *order, size_t position)
{
	for (size_t i = order[position] + 1; i <= scratch->record->n_units; i += i & -i)
		if (scratch->tree[i] == RS_NONE || is_better_before(scratch, position, scratch->tree[i]))
			scratch->tree[i] = position;
}

/* Among the units below this one. */
static size_t tree_find(const struct rs_moves_scratch *scratch, size_t unit)
{
	size_t best = RS_NONE;

	for (size_t i = unit; i > 0; i -= i & -i)
		if (scratch->tree[i] != RS_NONE &&
		    (best == RS_NONE || is_better_before(scratch, scratch->tree[i], best)))
			best = scratch->tree[i];
	return best;
}

/* unit: that at the position, or one more than all at the end. */
static void choose_before(struct rs_moves_scratch *scratch, const size_t *order, size_t position, size_t unit,
			  size_t own_lines)
{
	struct choice *best = &scratch->choices[position];
	size_t before = tree_find(scratch, unit);
	const size_t *breaks = scratch->breaks;

	*best = (struct choice) { own_lines, position ? breaks[position - 1] : 0, RS_NONE };
	if (before != RS_NONE) {
		const struct choice *choice = &scratch->choices[before];

		*best = (struct choice) { choice->lines + own_lines,
					  choice->n_blocks + 1 + breaks[position - 1] - breaks[before + 1],
					  before };
	}
	if (position > 0 && order[position - 1] < unit) {
		const struct choice *choice = &scratch->choices[position - 1];
		size_t lines = choice->lines + own_lines;

		if (lines > best->lines || (lines == best->lines && choice->n_blocks < best->n_blocks))
			*best = (struct choice) { lines, choice->n_blocks, position - 1 };
	}
}

struct rs_moves rs_moves_compute(struct rs_moves_scratch *scratch, const size_t *order)
{
	size_t n = scratch->record->n_units, total = 0;
	struct rs_moves moves;

	for (size_t i = 0; i < n; i++) {
		bool follows = i > 0 && order[i] == order[i - 1] + 1;

		scratch->breaks[i] = (i ? scratch->breaks[i - 1] : 0) + !follows;
		total += count_lines(scratch->record, order[i]);
	}
	for (size_t i = 0; i <= n; i++)
		scratch->tree[i] = RS_NONE;
	for (size_t i = 0; i <= n; i++) {
		if (i >= 2)
			tree_add(scratch, order, i - 2);
		choose_before(scratch, order, i, i < n ? order[i] : n,
			      i < n ? count_lines(scratch->record, order[i]) : 0);
	}
	memset(scratch->kept, 0, (n + 1) * sizeof *scratch->kept);
	for (size_t i = scratch->choices[n].previous; i != RS_NONE; i = scratch->choices[i].previous)
		scratch->kept[i] = true;
	moves.n_blocks = scratch->choices[n].n_blocks;
	moves.changed_lines = 2 * (total - scratch->choices[n].lines);
	moves.burden = moves.changed_lines + moves.n_blocks + rs_groups_weigh(&scratch->groups, order);
	return moves;
}

size_t rs_moves_list_kept(struct rs_arena *arena, size_t n_units, const size_t *order, const bool *kept,
			  struct rs_operation **ret_operations)
{
	struct rs_operation *operations = rs_arena_array(arena, struct rs_operation, n_units);
	size_t count = 0;

	for (size_t i = 0, end; i < n_units; i = end) {
		end = i + 1;
		if (kept[i])
			continue;
		while (end < n_units && !kept[end] && order[end] == order[end - 1] + 1)
			end++;
		operations[count++] = (struct rs_operation) { .kind = RS_OPERATION_MOVE,
							      .first_unit = order[i],
							      .n_units = end - i,
							      .after_unit = i ? order[i - 1] : RS_NONE };
	}
	*ret_operations = operations;
	return count;
}

struct rs_moves rs_moves_list(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
			      struct rs_operation **ret_operations)
{
	struct rs_moves_scratch *scratch = rs_moves_scratch_create(arena, record);
	struct rs_moves moves = rs_moves_compute(scratch, order);

	rs_moves_list_kept(arena, record->n_units, order, scratch->kept, ret_operations);
	return moves;
}

size_t rs_moves_find(const size_t *order, size_t n, size_t unit)
{
	size_t i = 0;

	while (i < n && order[i] != unit)
		i++;
	return i;
}

void rs_moves_apply(struct rs_arena *arena, size_t n_units, const struct rs_operation *operations,
		    size_t n_operations, size_t *ret_order)
{
	size_t *rest = rs_arena_array(arena, size_t, n_units);

	for (size_t i = 0; i < n_units; i++)
		ret_order[i] = i;
	for (size_t k = 0; k < n_operations; k++) {
		const struct rs_operation *move = &operations[k];
		size_t n_rest = 0, to = 0;

		for (size_t i = 0; i < n_units; i++)
			if (ret_order[i] < move->first_unit || ret_order[i] >= move->first_unit + move->n_units)
				rest[n_rest++] = ret_order[i];
		if (move->after_unit != RS_NONE)
			to = rs_moves_find(rest, n_rest, move->after_unit) + 1;
		memcpy(ret_order, rest, to * sizeof *rest);
		for (size_t i = 0; i < move->n_units; i++)
			ret_order[to + i] = move->first_unit + i;
		memcpy(ret_order + to + move->n_units, rest + to, (n_rest - to) * sizeof *rest);
	}
}

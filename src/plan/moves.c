#include "plan/moves.h"

#include <string.h>

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
	bool *kept;     /* by position */
};

struct rs_moves_scratch *rs_moves_scratch_create(struct rs_arena *arena, const struct rs_record *record)
{
	struct rs_moves_scratch *scratch = rs_arena_new(arena, struct rs_moves_scratch);

	scratch->record = record;
	scratch->choices = rs_arena_array(arena, struct choice, record->n_units + 1);
	scratch->breaks = rs_arena_array(arena, size_t, record->n_units + 1);
	scratch->kept = rs_arena_array(arena, bool, record->n_units + 1);
	return scratch;
}

static size_t count_lines(const struct rs_record *record, size_t unit)
{
	return record->units[unit].n_lines ? record->units[unit].n_lines : 1;
}

/* Blocks that units moved to positions from … to - 1 make. */
static size_t count_blocks(const struct rs_moves_scratch *scratch, size_t from, size_t to)
{
	return from < to ? 1 + scratch->breaks[to - 1] - scratch->breaks[from] : 0;
}

static bool is_better(const struct choice *a, const struct choice *b)
{
	return a->lines != b->lines ? a->lines > b->lines : a->n_blocks < b->n_blocks;
}

/* end: one past the last position, where nothing stands but everything has come before. */
static void choose_before(struct rs_moves_scratch *scratch, const size_t *order, size_t position, size_t end)
{
	struct choice *best = &scratch->choices[position];
	size_t own = position < end ? count_lines(scratch->record, order[position]) : 0;

	*best = (struct choice) { own, count_blocks(scratch, 0, position), RS_NONE };
	for (size_t i = 0; i < position; i++) {
		const struct choice *before = &scratch->choices[i];
		struct choice candidate = { before->lines + own, 0, i };

		if (candidate.lines < best->lines || (position < end && order[i] > order[position]))
			continue;
		candidate.n_blocks = before->n_blocks + count_blocks(scratch, i + 1, position);
		if (is_better(&candidate, best))
			*best = candidate;
	}
}

struct rs_moves rs_moves_compute(struct rs_moves_scratch *scratch, const size_t *order)
{
	size_t n = scratch->record->n_units, total = 0;

	for (size_t i = 0; i < n; i++) {
		bool follows = i > 0 && order[i] == order[i - 1] + 1;

		scratch->breaks[i] = (i ? scratch->breaks[i - 1] : 0) + !follows;
		total += count_lines(scratch->record, order[i]);
	}
	for (size_t i = 0; i <= n; i++)
		choose_before(scratch, order, i, n);
	memset(scratch->kept, 0, (n + 1) * sizeof *scratch->kept);
	for (size_t i = scratch->choices[n].previous; i != RS_NONE; i = scratch->choices[i].previous)
		scratch->kept[i] = true;
	return (struct rs_moves) { scratch->choices[n].n_blocks, 2 * (total - scratch->choices[n].lines) };
}

struct rs_moves rs_moves_list(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
			      struct rs_operation **ret_operations)
{
	struct rs_moves_scratch *scratch = rs_moves_scratch_create(arena, record);
	struct rs_moves moves = rs_moves_compute(scratch, order);
	struct rs_operation *operations = rs_arena_array(arena, struct rs_operation, moves.n_blocks);
	size_t count = 0;

	for (size_t i = 0, end; i < record->n_units; i = end) {
		end = i + 1;
		if (scratch->kept[i])
			continue;
		while (end < record->n_units && !scratch->kept[end] && order[end] == order[end - 1] + 1)
			end++;
		operations[count++] = (struct rs_operation) { .kind = RS_OPERATION_MOVE,
							      .first_unit = order[i],
							      .n_units = end - i,
							      .after_unit = i ? order[i - 1] : RS_NONE };
	}
	*ret_operations = operations;
	return moves;
}

static size_t find_unit(const size_t *order, size_t n, size_t unit)
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
			to = find_unit(rest, n_rest, move->after_unit) + 1;
		memcpy(ret_order, rest, to * sizeof *rest);
		for (size_t i = 0; i < move->n_units; i++)
			ret_order[to + i] = move->first_unit + i;
		memcpy(ret_order + to + move->n_units, rest + to, (n_rest - to) * sizeof *rest);
	}
}

#include "session/blocks.h"

#include <string.h>

#include "plan/moves.h"
#include "text/patch.h"

struct hunks {
	struct rs_patch_hunk *items;
	size_t n_items;
};

/* Whether the old text's line is taken out. */
static bool is_removed(const struct hunks *hunks, size_t line)
{
	for (size_t i = 0; i < hunks->n_items; i++)
		if (line >= hunks->items[i].old_start &&
		    line < hunks->items[i].old_start + hunks->items[i].old_lines)
			return true;
	return false;
}

static const struct rs_file_change *find_own_change(const struct rs_record *record,
						    const struct rs_plan_result *plan)
{
	for (size_t i = 0; i < plan->n_changes; i++)
		if (strcmp(plan->changes[i].source->realpath, record->source->realpath) == 0)
			return &plan->changes[i];
	return NULL;
}

/* By position: units whose declaration begins on a line that stays. */
static bool *find_kept(struct rs_arena *arena, const struct rs_record *record, const size_t *order,
		       const struct hunks *hunks)
{
	bool *kept = rs_arena_array(arena, bool, record->n_units + 1);

	for (size_t i = 0; i < record->n_units; i++) {
		size_t byte = record->units[order[i]].declaration.start;

		kept[i] = !is_removed(hunks, rs_source_position(record->source, byte).line);
	}
	return kept;
}

/* Then the lines do not say which of them moves. */
static bool share_lines(const struct rs_record *record)
{
	for (size_t u = 1; u < record->n_units; u++)
		if (rs_source_position(record->source, record->units[u - 1].span.end).line >=
		    rs_source_position(record->source, record->units[u].span.start).line)
			return true;
	return false;
}

static bool gives_order(const struct rs_operation *moves, size_t n_moves, const struct rs_plan *plan,
			size_t n_units)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	size_t *order = rs_arena_array(arena, size_t, n_units);

	rs_moves_apply(arena, n_units, moves, n_moves, order);
	return memcmp(order, plan->order, n_units * sizeof *order) == 0;
}

static bool is_rising(const size_t *order, const bool *kept, size_t n_units)
{
	size_t last = 0;

	for (size_t i = 0; i < n_units; i++) {
		if (kept[i] && order[i] < last)
			return false;
		last = kept[i] ? order[i] : last;
	}
	return true;
}

static size_t count_splits(const struct rs_plan *plan)
{
	size_t count = 0;

	while (count < plan->n_operations && plan->operations[count].kind == RS_OPERATION_SPLIT)
		count++;
	return count;
}

static void take_moves(struct rs_arena *arena, struct rs_plan_result *plan, const struct rs_operation *moves,
		       size_t n_moves)
{
	struct rs_plan *own = rs_arena_new(arena, struct rs_plan);
	size_t n_splits = count_splits(plan->plan);
	struct rs_operation *operations = rs_arena_array(arena, struct rs_operation, n_splits + n_moves);

	*own = *plan->plan;
	for (size_t i = 0; i < n_splits + n_moves; i++)
		operations[i] = i < n_splits ? own->operations[i] : moves[i - n_splits];
	own->operations = operations;
	own->n_operations = n_splits + n_moves;
	own->moved_blocks = n_moves;
	plan->plan = own;
}

struct rs_error *rs_blocks_count(struct rs_session *session, size_t index, struct rs_plan_result *plan)
{
	const struct rs_record *record = session->records[index].record;
	const struct rs_file_change *change = find_own_change(record, plan);
	size_t most = session->options.plan.max_moves, n_moves;
	struct rs_operation *moves;
	struct hunks hunks;
	bool *kept;

	if (!change || plan->base || share_lines(record))
		return NULL;
	RS_TRY(rs_patch_hunks(session->arena, change->source->text, change->source->size, change->new_text,
			      change->new_size, &hunks.items, &hunks.n_items));
	kept = find_kept(session->arena, record, plan->plan->order, &hunks);
	if (!is_rising(plan->plan->order, kept, record->n_units))
		return NULL;
	n_moves = rs_moves_list_kept(session->arena, record->n_units, plan->plan->order, kept, &moves);
	if (n_moves != plan->plan->moved_blocks && (most == 0 || n_moves <= most) &&
	    gives_order(moves, n_moves, plan->plan, record->n_units))
		take_moves(session->arena, plan, moves, n_moves);
	return NULL;
}

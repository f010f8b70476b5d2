#include "session/session_internal.h"

#include <inttypes.h>
#include <string.h>

#include "plan/moves.h"

/* Declarations without a name of their own can look alike: then the fields' places decide, but not for ever. */
enum { MOST_TRIES = 512 };

/* What one part of a move may mean: first units of a run, or units that it follows. */
struct choice {
	size_t *units;
	size_t n_units, taken;
};

struct replay {
	struct rs_arena *arena;
	const struct rs_record *record;
	const struct rs_target_plan *plan;
	struct choice *runs, *afters; /* one a move */
};

static bool is_run(const struct rs_record *record, size_t unit, const char *const *names, size_t count)
{
	if (count > record->n_units - unit)
		return false;
	for (size_t i = 0; i < count; i++)
		if (strcmp(record->units[unit + i].name, names[i]) != 0)
			return false;
	return true;
}

static struct rs_error *find_runs(const struct replay *replay, const char *const *names, size_t count,
				  struct choice *choice)
{
	const struct rs_record *record = replay->record;
	struct rs_position at = rs_source_position(record->source, record->span.start);

	choice->units = rs_arena_array(replay->arena, size_t, record->n_units);
	for (size_t u = 0; count > 0 && u < record->n_units; u++)
		if (is_run(record, u, names, count))
			choice->units[choice->n_units++] = u;
	if (choice->n_units > 0)
		return NULL;
	return rs_error_create(
		RS_ERROR_CHANGED, record->source->path, at.line, at.column,
		"the plan was made for another layout: it moves '%s', which is not there that way",
		count > 0 ? names[0] : "");
}

static struct rs_error *find_choices(struct replay *replay)
{
	size_t n_moves = replay->plan->n_moves;

	replay->runs = rs_arena_array(replay->arena, struct choice, n_moves);
	replay->afters = rs_arena_array(replay->arena, struct choice, n_moves);
	for (size_t i = 0; i < n_moves; i++) {
		const struct rs_target_move *move = &replay->plan->moves[i];

		RS_TRY(find_runs(replay, move->units, move->n_units, &replay->runs[i]));
		if (move->after)
			RS_TRY(find_runs(replay, &move->after, 1, &replay->afters[i]));
	}
	return NULL;
}

/* The next combination of choices; false when all were taken. */
static bool advance(const struct replay *replay)
{
	for (size_t i = 0; i < 2 * replay->plan->n_moves; i++) {
		struct choice *choice = i % 2 ? &replay->afters[i / 2] : &replay->runs[i / 2];

		if (++choice->taken < choice->n_units)
			return true;
		choice->taken = 0;
	}
	return false;
}

/* Gives the order that the choices mean; false when a run would follow a part of itself. */
static bool apply_choices(const struct replay *replay, size_t *order)
{
	size_t n_moves = replay->plan->n_moves;
	struct rs_operation *operations = rs_arena_array(replay->arena, struct rs_operation, n_moves);

	for (size_t i = 0; i < n_moves; i++) {
		const struct choice *run = &replay->runs[i], *after = &replay->afters[i];
		size_t first = run->units[run->taken], count = replay->plan->moves[i].n_units;
		size_t anchor = after->n_units > 0 ? after->units[after->taken] : RS_NONE;

		if (anchor != RS_NONE && anchor >= first && anchor < first + count)
			return false;
		operations[i] = (struct rs_operation) { RS_OPERATION_MOVE, first, count, anchor };
	}
	rs_moves_apply(replay->arena, replay->record->n_units, operations, n_moves, order);
	return true;
}

static struct rs_error *check_layout(const struct replay *replay, const struct rs_plan *plan)
{
	const struct rs_record *record = replay->record;
	struct rs_position at = rs_source_position(record->source, record->span.start);

	for (size_t i = 0; i < replay->plan->n_fields; i++) {
		const struct rs_target_field *field = &replay->plan->fields[i];
		size_t member = rs_record_find_member(record, field->name);

		if (member == RS_NONE)
			return rs_error_create(RS_ERROR_CHANGED, record->source->path, at.line, at.column,
					       "the plan was made for another layout: there is no '%s' here "
					       "(are the compiler flags the same?)",
					       field->name);
		if (plan->offset_bits[member] != field->offset_bits)
			return rs_error_create(
				RS_ERROR_CHANGED, record->source->path, at.line, at.column,
				"the plan was made for another layout: it has '%s' at bit %" PRIu64
				", here that order puts it at bit %" PRIu64
				" (are the compiler flags the same?)",
				field->name, field->offset_bits, plan->offset_bits[member]);
	}
	if (plan->size_bytes == replay->plan->size_bytes)
		return NULL;
	return rs_error_create(RS_ERROR_CHANGED, record->source->path, at.line, at.column,
			       "the plan was made for another layout: it makes %" PRIu64
			       " bytes, here they are %" PRIu64 " (are the compiler flags the same?)",
			       replay->plan->size_bytes, plan->size_bytes);
}

static struct rs_error *try_choices(const struct replay *replay, const struct rs_record_result *result,
				    struct rs_plan *plan)
{
	const struct rs_record *record = replay->record;
	size_t *order = rs_arena_array(replay->arena, size_t, record->n_units);
	const char *reason = "a declaration would follow itself";

	if (!apply_choices(replay, order) ||
	    !rs_plan_is_permitted(replay->arena, record, result->binding, order, &reason))
		return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "struct '%s': the order is not possible: %s",
				       record->name, reason);
	rs_plan_from_order(replay->arena, record, result->cost, order, plan);
	return check_layout(replay, plan);
}

struct rs_error *rs_session_replay(struct rs_session *session, const struct rs_target_plan *target,
				   const struct rs_record_result *result, struct rs_plan *ret_plan)
{
	struct replay replay = { .arena = session->arena, .record = result->record, .plan = target };

	RS_TRY(find_choices(&replay));
	struct rs_error *error = try_choices(&replay, result, ret_plan);
	for (size_t i = 1; error && i < MOST_TRIES && advance(&replay); i++) {
		struct rs_error *other = try_choices(&replay, result, ret_plan);

		if (other) {
			rs_error_destroy(other);
			continue;
		}
		rs_error_destroyp(&error);
		error = NULL;
	}
	return error;
}

struct rs_error *rs_session_replay_headlines(struct rs_session *session, const struct rs_target_plan *target,
					     const struct rs_record_result *result,
					     struct rs_headlines *ret_headlines)
{
	struct replay replay = { .arena = session->arena, .record = result->record, .plan = target };
	struct rs_headline *items = rs_arena_array(session->arena, struct rs_headline, target->n_headlines);

	for (size_t i = 0; i < target->n_headlines; i++) {
		struct choice choice = { .n_units = 0 };

		RS_TRY(find_runs(&replay, &target->headlines[i].unit, 1, &choice));
		items[i] = (struct rs_headline) { choice.units[0], target->headlines[i].text };
	}
	*ret_headlines = (struct rs_headlines) { items, target->n_headlines };
	return NULL;
}

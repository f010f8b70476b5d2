#include "session/explain.h"

#include <string.h>

#include "plan/permit.h"

/* --- what holds a member --- */

static void add_held(struct rs_session *session, struct rs_explained *explained, size_t *capacity,
		     struct rs_pin pin)
{
	struct rs_pin *held = (struct rs_pin *)(uintptr_t)explained->held;

	for (size_t i = 0; i < explained->n_held; i++)
		if (held[i].line == pin.line && strcmp(held[i].code, pin.code) == 0 &&
		    strcmp(held[i].message, pin.message) == 0)
			return;
	*rs_array_push(session->arena, held, explained->n_held, *capacity) = pin;
	explained->held = held;
}

static bool is_about(const struct rs_constraint *constraint, size_t unit)
{
	bool has_other = constraint->kind == RS_KEEP_BEFORE || constraint->kind == RS_KEEP_NEXT ||
			 constraint->kind == RS_KEEP_ON_LINE;

	return constraint->unit == unit || (has_other && constraint->other == unit);
}

/* A constraint of the profile has no pin of its own: what it asks for is said instead. */
static struct rs_pin describe(struct rs_session *session, const struct rs_record *record,
			      const struct rs_constraint *constraint)
{
	static const char *const verbs[] = {
		[RS_KEEP_FIRST] = "comes first",           [RS_KEEP_LAST] = "comes last",
		[RS_KEEP_BEFORE] = "stays before",         [RS_KEEP_NEXT] = "is directly followed by",
		[RS_KEEP_ON_LINE] = "lies on a line with",
	};
	const char *other = constraint->other == RS_NONE ? NULL : record->units[constraint->other].name;

	return (struct rs_pin) { .code = "asked",
				 .strength = RS_PIN_HARD,
				 .message = rs_arena_printf(
					 session->arena, "'%s' %s%s%s%s, as the profile asks",
					 record->units[constraint->unit].name, verbs[constraint->kind],
					 other ? " '" : "", other ? other : "", other ? "'" : ""),
				 .unit = constraint->unit };
}

static void list_held(struct rs_session *session, const struct rs_record_result *result,
		      struct rs_explained *explained)
{
	const struct rs_record *record = result->record;
	size_t unit = record->members[explained->now.member].unit, capacity = 0;

	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].unit == unit || record->pins[i].refuses)
			add_held(session, explained, &capacity, record->pins[i]);
	for (size_t i = 0; i < rs_permit_count(record, result->binding); i++) {
		const struct rs_constraint *constraint = rs_permit_get(record, result->binding, i);

		if (!is_about(constraint, unit))
			continue;
		if (i >= record->n_constraints)
			add_held(session, explained, &capacity, describe(session, record, constraint));
		else if (constraint->pin != RS_NONE)
			add_held(session, explained, &capacity, record->pins[constraint->pin]);
	}
}

/* --- layouts --- */

static struct rs_explain_subject subject_of(const struct rs_session *session,
					    const struct rs_record_result *result, const struct rs_plan *plan)
{
	return (struct rs_explain_subject) { .record = result->record,
					     .binding = result->binding,
					     .cost = result->cost,
					     .order = plan->order,
					     .offset_bits = plan->offset_bits,
					     .size_bytes = plan->size_bytes,
					     .line_bytes = session->profile.machine.line_bytes };
}

static void explain_now(struct rs_session *session, const struct rs_record_result *result, size_t member,
			struct rs_explained *explained)
{
	struct rs_explain_subject subject = subject_of(session, result, result->original.plan);

	rs_explain_member(session->arena, &subject, member, &explained->now);
	if (result->pick == RS_NONE && result->verdict != RS_VERDICT_REFUSED)
		rs_explain_moves(session->arena, &subject, &explained->now);
}

/* With steps done the field may be another member: it is known by its path. */
static void explain_then(struct rs_session *session, const struct rs_record_result *result, const char *path,
			 struct rs_explained *explained)
{
	const struct rs_plan_result *plan = &result->plans[result->pick];
	const struct rs_record_result *of = plan->base ? plan->base : result;
	struct rs_explain_subject subject = subject_of(session, of, plan->plan);
	size_t member = rs_record_find_member(of->record, path);

	if (member == RS_NONE)
		return;
	rs_explain_member(session->arena, &subject, member, &explained->then);
	rs_explain_moves(session->arena, &subject, &explained->then);
	explained->plan = plan;
}

void rs_session_explain(struct rs_session *session, struct rs_record_result *result)
{
	const struct rs_session_options *options = &session->options;
	struct rs_explained *all = rs_arena_array(session->arena, struct rs_explained, options->n_explain);

	for (size_t i = 0; i < options->n_explain; i++) {
		struct rs_explained *explained = &all[result->n_explanations];
		size_t member = rs_record_find_member(result->record, options->explain[i]);

		if (member == RS_NONE)
			continue;
		result->n_explanations++;
		explained->name = options->explain[i];
		explain_now(session, result, member, explained);
		list_held(session, result, explained);
		if (result->pick != RS_NONE)
			explain_then(session, result, explained->name, explained);
	}
	result->explanations = all;
}

static bool is_member(const struct rs_session *session, const char *name)
{
	for (size_t r = 0; r < session->n_records; r++)
		if (rs_record_find_member(session->records[r].record, name) != RS_NONE)
			return true;
	return false;
}

static bool is_elsewhere(const struct rs_session *session, const char *name)
{
	for (size_t r = 0; r < session->n_records; r++)
		if (rs_record_find_alias(session->records[r].record, name))
			return true;
	return false;
}

struct rs_error *rs_session_explain_check(struct rs_session *session)
{
	for (size_t i = 0; i < session->options.n_explain; i++) {
		const char *name = session->options.explain[i], *nearest;

		if (is_member(session, name))
			continue;
		if (is_elsewhere(session, name))
			return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
					       "--explain: '%s' is a member in other configurations only",
					       name);
		nearest = rs_session_nearest_member(session, name);
		return rs_error_create(
			RS_ERROR_USAGE, NULL, 0, 0, "--explain: no struct has a member '%s'%s%s%s", name,
			nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	}
	return NULL;
}

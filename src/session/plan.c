#include "session/session_internal.h"

#include <string.h>

#include "base/file.h"
#include "record/embedding.h"
#include "session/advice.h"
#include "session/allow.h"
#include "session/asked.h"
#include "session/headlines.h"
#include "session/remarks.h"
#include "session/variant.h"

static void add_configurations(struct rs_session *session, const struct rs_session_record *from,
			       const size_t *order, struct rs_plan_result *result)
{
	struct rs_plan_view *views = rs_session_plan_views(session, from);
	struct rs_configuration_result *figures =
		rs_arena_array(session->arena, struct rs_configuration_result, from->n_views);

	for (size_t i = 0; i < from->n_views; i++) {
		struct rs_plan_figure figure = rs_agree_figure(from->record, &views[i], order);

		figures[i] =
			(struct rs_configuration_result) { views[i].name, figure.size_bytes, figure.cost_ns };
	}
	result->configurations = figures;
	result->n_configurations = from->n_views;
}

static bool is_among(const struct rs_container_result *containers, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(containers[i].name, name) == 0)
			return true;
	return false;
}

static void add_containers(struct rs_arena *arena, const struct rs_placement *placement, uint64_t size_bytes,
			   struct rs_plan_result *result)
{
	size_t n_bases = placement->kind == RS_PLACE_EMBEDDED ? placement->n_bases : 0;
	struct rs_container_result *containers = rs_arena_array(arena, struct rs_container_result, n_bases);

	for (size_t b = 0; b < n_bases; b++) {
		const struct rs_record *record = placement->bases[b].record;
		struct rs_container_result *container = &containers[result->n_containers];

		if (!record || is_among(containers, result->n_containers, record->name))
			continue;
		container->name = record->name;
		rs_embedding_compute(record, placement->bases[b].at, size_bytes,
				     rs_arena_array(arena, uint64_t, record->n_members),
				     &container->size_bytes);
		result->n_containers++;
	}
	result->containers = containers;
}

static struct rs_plan_result plan_result(struct rs_session *session, const struct rs_session_record *from,
					 const struct rs_record_result *record, const struct rs_plan *plan)
{
	struct rs_plan_result result = { .plan = plan, .changed_lines = plan->changed_lines };

	add_configurations(session, from, plan->order, &result);
	if (record->binding)
		add_containers(session->arena, &record->binding->placement, plan->size_bytes, &result);
	if (record->cost)
		result.lines = rs_cost_report(session->arena, record->cost, plan->offset_bits, plan->size_bytes,
					      &result.n_lines);
	return result;
}

static void set_original(struct rs_session *session, const struct rs_session_record *from,
			 struct rs_record_result *result)
{
	const struct rs_record *record = result->record;
	size_t *order = rs_arena_array(session->arena, size_t, record->n_units);
	struct rs_plan *plan = rs_arena_new(session->arena, struct rs_plan);
	uint64_t *offsets = rs_arena_array(session->arena, uint64_t, record->n_members);

	for (size_t i = 0; i < record->n_units; i++)
		order[i] = i;
	for (size_t i = 0; i < record->n_members; i++)
		offsets[i] = record->members[i].offset_bits;
	/* The compiler's own numbers, not the arithmetic's: a refused record may not follow it. */
	*plan = (struct rs_plan) { .order = order, .offset_bits = offsets, .size_bytes = record->size_bytes };
	if (result->cost)
		plan->cost_ns = rs_cost_layout(result->cost, offsets, record->size_bytes);
	result->original = plan_result(session, from, result, plan);
}

static void add_remarks(struct rs_session *session, const struct rs_record *record,
			struct rs_plan_result *plans, size_t n_plans)
{
	struct rs_mention *mentions = NULL;
	size_t n_mentions = 0;

	if (n_plans > 0)
		rs_mentions_find(session->arena, record, &mentions, &n_mentions);
	for (size_t i = 0; i < n_plans; i++)
		rs_remarks_list(session->arena, record, plans[i].plan, mentions, n_mentions, &plans[i].remarks,
				&plans[i].n_remarks);
}

static void take_plans(struct rs_session *session, const struct rs_session_record *from,
		       const struct rs_plan_set *set, struct rs_record_result *result)
{
	struct rs_plan_result *plans = rs_arena_array(session->arena, struct rs_plan_result, set->n_plans);
	bool has_headlines =
		session->options.headlines || (result->binding && (result->binding->allow & RS_ALLOW_COMMENT));

	for (size_t i = 0; i < set->n_plans; i++) {
		plans[i] = plan_result(session, from, result, &set->plans[i]);
		if (has_headlines && !from->target->plan)
			plans[i].headlines = rs_headlines_find(session->arena, result->record, result->binding,
							       plans[i].plan);
	}
	add_remarks(session, result->record, plans, set->n_plans);
	result->plans = plans;
	result->n_plans = set->n_plans;
	result->pick = set->pick;
	result->lower_bound_ns = set->lower_bound_ns;
	result->lower_bound_bytes = set->lower_bound_bytes;
	result->proven = set->proven || (result->record->n_units < 2 && !result->binding);
	result->verdict = set->n_plans > 0 ? RS_VERDICT_PLANS : RS_VERDICT_NO_GAIN;
}

static struct rs_error *plan_of_names(struct rs_session *session, const struct rs_target *target,
				      const struct rs_record_result *result, struct rs_plan *plan)
{
	struct rs_error *error = rs_plan_from_names(session->arena, result->record, result->binding,
						    target->order, target->n_order, plan);

	return error && error->code == RS_ERROR_USAGE
		       ? rs_error_prefix(error, "struct '%s'", result->record->name)
		       : error;
}

static struct rs_error *plan_by_hand(struct rs_session *session, const struct rs_session_record *from,
				     struct rs_record_result *result)
{
	const struct rs_target *target = from->target;
	struct rs_plan *plan = rs_arena_new(session->arena, struct rs_plan);
	struct rs_plan_set set = { .plans = plan, .n_plans = 1, .pick = 0 };
	bool is_done;

	RS_TRY(rs_variant_by_hand(session, from, result, &is_done));
	if (is_done)
		return NULL;
	RS_TRY(target->plan ? rs_session_replay(session, target->plan, result, plan)
			    : plan_of_names(session, target, result, plan));
	result->is_by_hand = true;
	plan->id = 1;
	if (plan->n_operations == 0)
		set.n_plans = 0, set.pick = RS_NONE;
	take_plans(session, from, &set, result);
	if (target->plan && set.n_plans > 0)
		return rs_session_replay_headlines(session, target->plan, result, &result->plans[0].headlines);
	return NULL;
}

static struct rs_error *choose(struct rs_session *session, const struct rs_target *target,
			       struct rs_record_result *result)
{
	unsigned id = session->options.pick;

	/* Of a plan file the one plan was taken when it was read. */
	if (id == 0 || result->n_plans == 0 || target->has_expected_hash)
		return NULL;
	for (size_t i = 0; i < result->n_plans; i++)
		if (result->plans[i].plan->id == id) {
			result->pick = i;
			return NULL;
		}
	return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0,
			       "struct '%s' has no plan %u: there are plans 1 to %u", result->record->name, id,
			       result->plans[result->n_plans - 1].plan->id);
}

/* A file outside the project is never edited, whatever its records could gain. */
static bool is_outside_root(const struct rs_session *session, const struct rs_record *record)
{
	return rs_path_below(record->source->realpath, session->root) == record->source->realpath;
}

static void refuse_outside_root(struct rs_session *session, struct rs_record_result *result)
{
	const struct rs_record *record = result->record;
	struct rs_pin *hazard = rs_arena_new(session->arena, struct rs_pin);

	*hazard = (struct rs_pin) {
		.code = "outside-root",
		.strength = RS_PIN_HARD,
		.message = rs_arena_printf(session->arena, "%s lies outside the project root %s (--root)",
					   record->source->realpath, session->root),
		.file = record->source->path,
		.line = rs_source_position(record->source, record->span.start).line,
		.unit = RS_NONE,
		.refuses = true,
	};
	result->hazards = hazard;
	result->n_hazards = 1;
	result->verdict = RS_VERDICT_REFUSED;
}

struct rs_error *rs_session_plan(struct rs_session *session, const struct rs_session_record *from,
				 enum rs_session_goal goal, struct rs_record_result *ret_result)
{
	struct rs_record_result result = { .record = from->record, .pick = RS_NONE };

	RS_TRY(rs_session_bind(session, from->record, from->tu, &session->notes, &result.binding));
	RS_TRY(rs_session_bind_views(session, from));
	RS_TRY(rs_asked_check_lines(from->record, result.binding));
	if (result.binding)
		result.cost = rs_cost_create(session->arena, result.binding);
	set_original(session, from, &result);
	if (goal == RS_GOAL_ANNOTATE || goal == RS_GOAL_CHECK) {
		result.verdict = RS_VERDICT_NONE;
	} else if (rs_record_is_refused(from->record)) {
		result.verdict = RS_VERDICT_REFUSED;
	} else if (is_outside_root(session, from->record)) {
		refuse_outside_root(session, &result);
	} else if (from->target->order || from->target->plan) {
		RS_TRY(plan_by_hand(session, from, &result));
	} else {
		struct rs_plan_set set;

		rs_session_find_plans(session, from, &result, &set);
		take_plans(session, from, &set, &result);
		RS_TRY(rs_variants_add(session, from, &result));
		rs_asked_note_unmet(session, &result);
		if (result.verdict == RS_VERDICT_NO_GAIN)
			result.held_gain = rs_allow_find_gain(session, from, &result);
	}
	RS_TRY(choose(session, from->target, &result));
	if (result.verdict == RS_VERDICT_PLANS || result.verdict == RS_VERDICT_NO_GAIN)
		rs_advice_find(session, &result);
	*ret_result = result;
	return NULL;
}

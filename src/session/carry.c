#include "session/session_internal.h"

#include "plan/place.h"
#include "session/blocks.h"
#include "session/changes.h"
#include "text/patch.h"

void rs_session_rewrite(struct rs_session *session, size_t index, struct rs_plan_result *plan)
{
	const struct rs_source *source = session->records[index].record->source;
	const struct rs_session_pick pick = { .record = index, .plan = plan };
	struct rs_session_changes changes;

	if (plan->edits)
		return;
	rs_changes_collect(session, &pick, 1, &changes);
	plan->edits = changes.edits ? changes.edits : rs_arena_new(session->arena, struct rs_edit);
	plan->n_edits = changes.n_edits;
	const struct rs_file_change *own = rs_changes_find(&changes, source->realpath);
	plan->changes = changes.files;
	plan->n_changes = changes.n_files;
	plan->new_text = own ? own->new_text : source->text;
	plan->new_size = own ? own->new_size : source->size;
}

struct rs_error *rs_session_count_lines(struct rs_plan_result *plan)
{
	size_t total = 0;

	for (size_t i = 0; i < plan->n_changes; i++) {
		const struct rs_file_change *change = &plan->changes[i];
		size_t lines;

		RS_TRY(rs_patch_count_lines(change->source->text, change->source->size, change->new_text,
					    change->new_size, &lines));
		total += lines;
	}
	plan->changed_lines = total;
	return NULL;
}

static struct rs_error *verify_plan(struct rs_session *session, size_t index, struct rs_plan_result *plan)
{
	const struct rs_session_pick pick = { .record = index, .plan = plan };
	struct rs_session_changes changes;

	rs_session_rewrite(session, index, plan);
	rs_changes_collect(session, &pick, 1, &changes);
	RS_TRY(rs_session_count_lines(plan));
	RS_TRY(rs_blocks_count(session, index, plan));
	RS_TRY(rs_error_prefix(rs_changes_verify(session, &changes, &pick, 1), "plan %u", plan->plan->id));
	plan->verified = true;
	return NULL;
}

/* What the compiler has against an order is a finding like any other pin; so is, among other records, a plan
 * that cannot be proved. */
static void add_hazard(struct rs_session *session, struct rs_record_result *result,
		       const struct rs_error *error)
{
	struct rs_pin *hazards = rs_arena_array(session->arena, struct rs_pin, result->n_hazards + 1);

	for (size_t i = 0; i < result->n_hazards; i++)
		hazards[i] = result->hazards[i];
	hazards[result->n_hazards++] = (struct rs_pin) {
		.code = error->code == RS_ERROR_REJECTED ? "compiler-rejects" : "not-verified",
		.strength = RS_PIN_HARD,
		.message = rs_arena_strdup(session->arena, error->message),
		.file = error->path ? rs_arena_strdup(session->arena, error->path) : NULL,
		.line = error->line,
		.unit = RS_NONE,
		.refuses = true,
	};
	result->hazards = hazards;
}

static bool is_better(const struct rs_plan *a, const struct rs_plan *b)
{
	return a->cost_ns != b->cost_ns ? a->cost_ns < b->cost_ns : a->size_bytes < b->size_bytes;
}

/* What is proved of a plan that is gone is proved of none that is left. */
static bool meets_bound(const struct rs_record_result *result)
{
	const struct rs_plan *least = result->original.plan;

	for (size_t i = 0; i < result->n_plans; i++)
		if (is_better(result->plans[i].plan, least))
			least = result->plans[i].plan;
	return result->cost ? rs_score_compare_cost(least->cost_ns, result->lower_bound_ns) <= 0
			    : least->size_bytes <= result->lower_bound_bytes;
}

/* Takes the plan out; the best that is left becomes the pick when it was that. */
static void drop_plan(struct rs_record_result *result, size_t plan)
{
	bool was_pick = result->pick == plan;

	for (size_t i = plan; i + 1 < result->n_plans; i++)
		result->plans[i] = result->plans[i + 1];
	result->n_plans--;
	result->proven = result->proven && meets_bound(result);
	if (result->n_plans == 0) {
		result->pick = RS_NONE;
		result->verdict = RS_VERDICT_REFUSED;
	} else if (was_pick) {
		result->pick = 0;
		for (size_t i = 1; i < result->n_plans; i++)
			if (is_better(result->plans[i].plan, result->plans[result->pick].plan))
				result->pick = i;
	} else if (result->pick != RS_NONE && result->pick > plan) {
		result->pick--;
	}
}

/* Verifies a plan; a plan that the compiler rejects is dropped with the reason, and *ret_kept is false. */
static struct rs_error *settle_plan(struct rs_session *session, size_t index, size_t plan, bool *ret_kept)
{
	struct rs_record_result *result = &session->results[index];
	struct rs_error *error = verify_plan(session, index, &result->plans[plan]);

	*ret_kept = !error;
	if (!error || error->code != RS_ERROR_REJECTED)
		return error;
	add_hazard(session, result, error);
	drop_plan(result, plan);
	rs_error_destroy(error);
	return NULL;
}

void rs_session_drop_pick(struct rs_session *session, size_t index, const struct rs_error *reason)
{
	struct rs_record_result *result = &session->results[index];

	add_hazard(session, result, reason);
	drop_plan(result, result->pick);
}

struct rs_error *rs_session_carry_out(struct rs_session *session)
{
	for (size_t r = 0; r < session->n_records; r++) {
		bool kept;

		for (size_t i = 0; i < session->results[r].n_plans; i += kept)
			RS_TRY(settle_plan(session, r, i, &kept));
	}
	return NULL;
}

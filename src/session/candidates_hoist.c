#include "session/candidates_hoist.h"

#include <math.h>
#include <string.h>

#include "plan/place.h"

/* Members beyond these are taken together or not at all, and so is what is left when the trials are used up. */
enum { MOST_FIELDS = 16, MOST_TRIALS = 48 };
/* Of a search: a model need not be searched to its end. */
static const double SECONDS_OF_TRIAL = 0.1, LEAST_SHARE = 0.5;

typedef uint32_t field_set; /* bit per field of the step */

struct choosing {
	struct rs_session *session;
	const struct rs_record *record;
	const struct rs_binding *binding;
	struct rs_alteration all;
	uint64_t most_bytes;
	size_t n_trials;
};

static struct rs_alteration make_step(const struct choosing *choosing, field_set set)
{
	const char **fields = rs_arena_array(choosing->session->arena, const char *, choosing->all.n_fields);
	struct rs_alteration step = { .kind = RS_OPERATION_HOIST, .fields = fields };

	for (size_t i = 0; i < choosing->all.n_fields; i++)
		if (set >> i & 1)
			fields[step.n_fields++] = choosing->all.fields[i];
	return step;
}

static void take_best(struct rs_hoist_choice *choice, const struct rs_plan_set *plans, uint64_t most_bytes)
{
	choice->cost_ns = INFINITY;
	for (size_t i = 0; i <= plans->n_plans; i++) {
		const struct rs_plan *plan = i < plans->n_plans ? &plans->plans[i] : &plans->original;
		struct rs_score own = { plan->cost_ns, plan->size_bytes };

		if (plan->size_bytes > most_bytes ||
		    rs_score_compare(own, (struct rs_score) { choice->cost_ns, choice->size_bytes }) >= 0)
			continue;
		choice->cost_ns = plan->cost_ns;
		choice->size_bytes = plan->size_bytes;
		choice->order = plan->order;
	}
}

/* What the members of the set buy; a cost without end where it cannot be, or does not fit. */
static struct rs_hoist_choice try_set(struct choosing *choosing, field_set set)
{
	struct rs_arena *arena = choosing->session->arena;
	struct rs_hoist_choice choice = { .step = make_step(choosing, set), .cost_ns = INFINITY };
	struct rs_hoisted *hoisted = rs_arena_new(arena, struct rs_hoisted);
	bool *leaves = rs_arena_array(arena, bool, choosing->record->n_members);
	struct rs_plan_options options = choosing->session->options.plan;
	struct rs_plan_set plans;

	choosing->n_trials++;
	for (size_t i = 0; i < choice.step.n_fields; i++)
		leaves[rs_record_find_member(choosing->record, choice.step.fields[i])] = true;
	if (!rs_hoist_model(arena, choosing->record, choosing->binding, leaves, hoisted))
		return choice;
	options.time_limit_s = SECONDS_OF_TRIAL;
	options.max_size_bytes = choosing->most_bytes;
	rs_plan_optimize(arena, &hoisted->record, &hoisted->binding, &options, &plans);
	take_best(&choice, &plans, choosing->most_bytes);
	choice.hoisted = isinf(choice.cost_ns) ? NULL : hoisted;
	return choice;
}

static int compare(const struct rs_hoist_choice *a, const struct rs_hoist_choice *b)
{
	return rs_score_compare((struct rs_score) { a->cost_ns, a->size_bytes },
				(struct rs_score) { b->cost_ns, b->size_bytes });
}

/* Takes one member after the other out, as long as nothing is lost by it. */
static field_set thin_out(struct choosing *choosing, field_set set, struct rs_hoist_choice *choice)
{
	bool goes_on = true;

	while (goes_on && (set & (set - 1))) {
		field_set best = 0;

		goes_on = false;
		for (field_set rest = set; rest && choosing->n_trials < MOST_TRIALS; rest &= rest - 1) {
			struct rs_hoist_choice fewer = try_set(choosing, set ^ (rest & -rest));
			int by = compare(&fewer, choice);

			if (by > 0 || (by == 0 && best))
				continue;
			best = set ^ (rest & -rest);
			*choice = fewer;
		}
		goes_on = best != 0;
		set = best ? best : set;
	}
	return set;
}

/* Adds the member that gains most, as long as one gains anything. */
static field_set build_up(struct choosing *choosing, double original_ns, struct rs_hoist_choice *choice)
{
	field_set set = 0, added;

	*choice = (struct rs_hoist_choice) { .cost_ns = original_ns, .size_bytes = UINT64_MAX };
	do {
		added = 0;
		for (size_t i = 0; i < choosing->all.n_fields && choosing->n_trials < MOST_TRIALS; i++) {
			struct rs_hoist_choice more;

			if (set >> i & 1)
				continue;
			more = try_set(choosing, set | (field_set)1 << i);
			if (rs_score_compare_cost(more.cost_ns, choice->cost_ns) >= 0)
				continue;
			added = (field_set)1 << i;
			*choice = more;
		}
		set |= added;
	} while (added);
	return set;
}

static field_set find_single(struct choosing *choosing, struct rs_hoist_choice *choice)
{
	field_set best = 0;

	choice->cost_ns = INFINITY;
	for (size_t i = 0; i < choosing->all.n_fields; i++) {
		struct rs_hoist_choice one = try_set(choosing, (field_set)1 << i);

		if (compare(&one, choice) >= 0)
			continue;
		best = (field_set)1 << i;
		*choice = one;
	}
	return best;
}

static double best_known(const struct rs_record_result *result)
{
	double least = result->original.plan->cost_ns;

	for (size_t i = 0; i < result->n_plans; i++)
		least = fmin(least, result->plans[i].plan->cost_ns);
	return least;
}

size_t rs_candidates_choose_hoists(struct rs_session *session, const struct rs_session_record *from,
				   const struct rs_record_result *result, struct rs_alteration all,
				   struct rs_hoist_choice *ret_choices)
{
	struct choosing choosing = { .session = session,
				     .record = from->record,
				     .binding = result->binding,
				     .all = all,
				     .most_bytes = rs_candidates_most_bytes(session, result, from->record) };
	struct rs_hoist_choice lean, single;
	field_set everything, lean_set, single_set;
	double known = best_known(result);

	if (all.n_fields == 0)
		return 0;
	ret_choices[0] = (struct rs_hoist_choice) { .step = all };
	if (all.n_fields > MOST_FIELDS || !result->binding || !result->cost)
		return 1;
	everything = (field_set)((UINT64_C(1) << all.n_fields) - 1);
	ret_choices[0] = lean = try_set(&choosing, everything);
	ret_choices[0].step = all;
	lean_set = lean.hoisted ? thin_out(&choosing, everything, &lean) : build_up(&choosing, known, &lean);
	if (lean_set == 0 || lean_set == everything)
		return 1;
	ret_choices[1] = lean;
	single_set = find_single(&choosing, &single);
	if (single_set == lean_set || known - single.cost_ns < LEAST_SHARE * (known - lean.cost_ns))
		return 2;
	ret_choices[2] = single;
	return 3;
}

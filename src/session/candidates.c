#include "session/candidates.h"

#include <string.h>

#include "plan/path_cost.h"
#include "plan/pick.h"
#include "plan/place.h"
#include "session/candidates_hoist.h"
#include "session/lift_words.h"

/* What is done beside hoisting or moving has to save so much of the cost besides. */
static const double LEAST_ON_TOP = 0.99;

/* --- hoisting --- */

static const struct rs_profile_struct *profile_of(const struct rs_session *session,
						  const struct rs_record *record)
{
	return session->has_profile ? rs_profile_find(&session->profile, record->name) : NULL;
}

/* The names that are of members inside something anonymous here, as the record has them; those that are in
 * `among` alone (NULL: all). */
static struct rs_alteration hoist_step(struct rs_arena *arena, const struct rs_record *record,
				       const struct rs_profile_names *names, const struct rs_target *among)
{
	const char **fields = rs_arena_array(arena, const char *, names->n_names);
	struct rs_alteration step = { .kind = RS_OPERATION_HOIST, .fields = fields };

	for (size_t i = 0; i < names->n_names; i++) {
		size_t member = rs_record_find_member(record, names->names[i]);
		bool is_among = !among;

		for (size_t k = 0; !is_among && k < among->n_order; k++)
			is_among = strcmp(among->order[k], names->names[i]) == 0;
		if (is_among && member != RS_NONE && record->members[member].parent != RS_NONE)
			fields[step.n_fields++] = record->members[member].path;
	}
	return step;
}

static struct rs_alterations one_step(struct rs_arena *arena, struct rs_alteration step)
{
	struct rs_alteration *items = rs_arena_new(arena, struct rs_alteration);

	*items = step;
	return (struct rs_alterations) { items, step.n_fields > 0 };
}

static void add(struct rs_session *session, struct rs_candidates *candidates, struct rs_alterations steps)
{
	if (steps.n_items > 0)
		*rs_array_push(session->arena, candidates->items, candidates->n_items,
			       candidates->items_capacity) = steps;
}

static struct rs_aligned_base base_as_it_stands(const struct rs_session_record *from,
						const struct rs_record_result *result)
{
	return (struct rs_aligned_base) { .record = from->record,
					  .cost = result->cost,
					  .order = result->original.plan->order,
					  .known_ns = result->original.plan->cost_ns };
}

/* Members that begin lines: in the struct as it stands, in its best order, and with members hoisted. What comes
 * on top of something else has to be worth it. */
static void find_aligned(struct rs_session *session, const struct rs_session_record *from,
			 const struct rs_record_result *result, const struct rs_hoist_choice *choices,
			 size_t n_choices, struct rs_candidates *candidates)
{
	struct rs_aligned_base base = base_as_it_stands(from, result);
	double least = base.known_ns;

	rs_candidates_find_aligned(session, from, result, &base, candidates);
	for (size_t i = 0; i < result->n_plans; i++)
		if (result->plans[i].plan->cost_ns < least) {
			least = result->plans[i].plan->cost_ns;
			base.order = result->plans[i].plan->order;
		}
	base.known_ns = LEAST_ON_TOP * least;
	if (result->n_plans > 0)
		rs_candidates_find_aligned(session, from, result, &base, candidates);
	for (size_t i = n_choices; i-- > 0;) {
		const struct rs_hoist_choice *choice = &choices[i];

		if (!choice->hoisted)
			continue;
		base = (struct rs_aligned_base) {
			.record = &choice->hoisted->record,
			.cost = rs_cost_create(session->arena, &choice->hoisted->binding),
			.order = choice->order,
			.known_ns = LEAST_ON_TOP * (choice->cost_ns < least ? choice->cost_ns : least),
			.before = choice->step
		};
		rs_candidates_find_aligned(session, from, result, &base, candidates);
		return;
	}
}

struct rs_error *rs_candidates_find(struct rs_session *session, const struct rs_session_record *from,
				    struct rs_record_result *result, struct rs_candidates *ret_candidates)
{
	struct rs_alterations lift = { NULL, 0 };
	const struct rs_profile_struct *type = profile_of(session, from->record);
	struct rs_hoist_choice choices[RS_HOIST_MOST_CHOICES];
	size_t n_choices = 0;

	*ret_candidates = (struct rs_candidates) { .items = NULL };
	if (!type || session->is_variant)
		return NULL;
	if (type->allow & RS_ALLOW_HOIST)
		n_choices = rs_candidates_choose_hoists(
			session, from, result, hoist_step(session->arena, from->record, &type->hoist, NULL),
			choices);
	for (size_t i = 0; i < n_choices; i++)
		add(session, ret_candidates, one_step(session->arena, choices[i].step));
	find_aligned(session, from, result, choices, n_choices, ret_candidates);
	if (type->allow & RS_ALLOW_LIFT)
		RS_TRY(rs_lift_words_parse(session->arena, &type->lift, &lift));
	add(session, ret_candidates, rs_lift_words_of_kind(session->arena, lift, RS_OPERATION_LIFT));
	add(session, ret_candidates, rs_lift_words_of_kind(session->arena, lift, RS_OPERATION_LOWER));
	return NULL;
}

struct rs_alterations rs_candidates_asked(struct rs_session *session, const struct rs_session_record *from)
{
	const struct rs_profile_struct *type = profile_of(session, from->record);
	const struct rs_target *target = from->target;

	if (session->is_variant)
		return (struct rs_alterations) { NULL, 0 };
	if (target->plan)
		return target->plan->steps;
	if (!type || !(type->allow & RS_ALLOW_HOIST) || target->n_order == 0)
		return (struct rs_alterations) { NULL, 0 };
	return one_step(session->arena, hoist_step(session->arena, from->record, &type->hoist, target));
}

/* --- words --- */

static void append_names(struct rs_builder *out, const struct rs_alteration *step)
{
	for (size_t i = 0; i < step->n_fields; i++)
		rs_builder_printf(out, "%s%s", i ? ", " : "", step->fields[i]);
}

const char *rs_candidates_describe(struct rs_arena *arena, struct rs_alterations steps)
{
	static const char *const verbs[] = { [RS_OPERATION_HOIST] = "hoist ",
					     [RS_OPERATION_ALIGN] = "align ",
					     [RS_OPERATION_PAD] = "pad before ",
					     [RS_OPERATION_LIFT] = "lift ",
					     [RS_OPERATION_LOWER] = "lower " };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	for (size_t i = 0; i < steps.n_items; i++) {
		rs_builder_appends(&text, i ? "; " : "");
		rs_builder_appends(&text, verbs[steps.items[i].kind]);
		if (steps.items[i].kind == RS_OPERATION_LOWER)
			rs_builder_printf(&text, "%s to ", steps.items[i].name);
		append_names(&text, &steps.items[i]);
	}
	return rs_arena_strdup(arena, text.data);
}

bool rs_candidates_is_new(struct rs_alterations steps, const struct rs_record *record, size_t unit)
{
	const struct rs_unit *own = &record->units[unit];
	const char *text = record->source->text + own->declaration.start;
	const char *path = own->n_members > 0 ? record->members[own->first_member].path : "";

	for (size_t i = 0; i < steps.n_items; i++) {
		const struct rs_alteration *step = &steps.items[i];

		if (step->adds_member &&
		    (step->name ? strcmp(step->name, path) == 0
				: strncmp(step->spelling, text, strlen(step->spelling)) == 0))
			return true;
		for (size_t f = 0; step->kind == RS_OPERATION_HOIST && f < step->n_fields; f++)
			if (strcmp(step->fields[f], path) == 0)
				return true;
	}
	return false;
}

/* The members of the union that do not leave: what shared the bytes. */
static void append_sharers(struct rs_builder *out, const struct rs_record *old,
			   const struct rs_alteration *step)
{
	size_t member = rs_record_find_member(old, step->fields[0]), top = RS_NONE;
	size_t inner = member, count = 0;

	for (size_t p = old->members[member].parent; p != RS_NONE; p = old->members[p].parent) {
		if (old->members[p].is_union && top == RS_NONE)
			top = p;
		inner = top == RS_NONE ? p : inner;
	}
	for (size_t m = top + 1; top != RS_NONE && m <= top + old->members[top].n_inside;
	     m = rs_record_next_sibling(old, m))
		if (m != inner && old->members[m].path[0])
			rs_builder_printf(out, "%s%s", count++ ? ", " : "", old->members[m].path);
}

void rs_candidates_remark(struct rs_arena *arena, const struct rs_record *old, struct rs_alterations steps,
			  struct rs_plan_result *plan)
{
	struct rs_pin *remarks = rs_arena_array(arena, struct rs_pin, plan->n_remarks + steps.n_items);

	if (plan->n_remarks)
		memcpy(remarks, plan->remarks, plan->n_remarks * sizeof *remarks);
	for (size_t i = 0; i < steps.n_items; i++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder names = { 0 };
		RS_CLEANUP(rs_builder_deinit) struct rs_builder sharers = { 0 };
		const struct rs_alteration *step = &steps.items[i];

		if (step->kind != RS_OPERATION_HOIST)
			continue;
		append_names(&names, step);
		append_sharers(&sharers, old, step);
		if (sharers.length == 0)
			continue;
		size_t member = rs_record_find_member(old, step->fields[0]);
		remarks[plan->n_remarks++] = (struct rs_pin) {
			.code = "storage-parted",
			.strength = RS_PIN_ADVICE,
			.message = rs_arena_printf(
				arena, "%s no longer share%s storage with %s, as the profile allows",
				names.data, step->n_fields == 1 ? "s" : "", sharers.data),
			.line = old->members[member].line,
			.unit = old->members[member].unit,
		};
	}
	plan->remarks = remarks;
}

/* --- which plans are shown --- */

uint64_t rs_candidates_most_bytes(const struct rs_session *session, const struct rs_record_result *result,
				  const struct rs_record *record)
{
	uint64_t original = record->size_bytes, most = session->options.plan.max_size_bytes;

	if (most == 0 && result->binding)
		most = result->binding->max_size;
	if (most == 0)
		most = result->binding && (result->binding->allow & RS_ALLOW_GROW) ? UINT64_MAX : original;
	return most;
}

struct choosing {
	const struct rs_record_result *result;
	struct rs_plan_result *plans;
	size_t n_plans;
};

static double value_of(const struct choosing *choosing, const struct rs_plan_result *plan)
{
	return choosing->result->cost ? plan->plan->cost_ns : (double)plan->plan->size_bytes;
}

/* Bytes that the plan is weighed by: where the record is a part of known structs, theirs on average. */
static uint64_t bytes_of(const struct rs_plan_result *plan)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < plan->n_containers; i++)
		sum += plan->containers[i].size_bytes;
	return plan->n_containers ? sum / plan->n_containers : plan->plan->size_bytes;
}

static bool beats(const struct choosing *choosing, const struct rs_plan_result *a,
		  const struct rs_plan_result *b)
{
	int cost = choosing->result->cost ? rs_score_compare_cost(a->plan->cost_ns, b->plan->cost_ns) : 0;

	if (cost > 0 || bytes_of(a) > bytes_of(b) || a->changed_lines > b->changed_lines)
		return false;
	return cost < 0 || bytes_of(a) < bytes_of(b) || a->changed_lines < b->changed_lines;
}

/* Of two that are equal in everything the one that comes first stays. */
static bool is_beaten(const struct choosing *choosing, const struct rs_plan_result *plans, size_t n_plans,
		      size_t plan)
{
	for (size_t i = 0; i < n_plans; i++) {
		if (i == plan)
			continue;
		if (beats(choosing, &plans[i], &plans[plan]) ||
		    (i < plan && !beats(choosing, &plans[plan], &plans[i]) &&
		     plans[i].changed_lines == plans[plan].changed_lines &&
		     bytes_of(&plans[i]) == bytes_of(&plans[plan]) &&
		     value_of(choosing, &plans[i]) <= value_of(choosing, &plans[plan])))
			return true;
	}
	return false;
}

static void insert(struct choosing *choosing, struct rs_plan_result plan)
{
	size_t at = choosing->n_plans++;

	for (; at > 0 && choosing->plans[at - 1].changed_lines > plan.changed_lines; at--)
		choosing->plans[at] = choosing->plans[at - 1];
	choosing->plans[at] = plan;
}

static double least_value(const struct choosing *choosing)
{
	double least = value_of(choosing, &choosing->result->original);

	for (size_t i = 0; i < choosing->n_plans; i++)
		if (value_of(choosing, &choosing->plans[i]) < least)
			least = value_of(choosing, &choosing->plans[i]);
	return least;
}

static struct rs_pick_option make_option(struct rs_arena *arena, const struct rs_record_result *result,
					 const struct rs_plan_result *plan)
{
	struct rs_pick_option option = { plan->plan->cost_ns, NULL, bytes_of(plan), plan->changed_lines };
	const struct rs_cost *cost = plan->base ? plan->base->cost : result->cost;
	double *path_ns;

	if (!cost)
		return option;
	path_ns = rs_arena_array(arena, double, result->binding->n_paths);
	rs_path_cost_compute(cost, plan->plan->offset_bits, plan->plan->size_bytes, path_ns);
	option.path_ns = path_ns;
	return option;
}

static size_t find_pick(const struct choosing *choosing)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_record_result *result = choosing->result;
	struct rs_pick_option *options = rs_arena_array(arena, struct rs_pick_option, choosing->n_plans);
	struct rs_pick_option original = make_option(arena, result, &result->original);

	for (size_t i = 0; i < choosing->n_plans; i++)
		options[i] = make_option(arena, result, &choosing->plans[i]);
	return rs_pick_choose(&original, options, choosing->n_plans,
			      result->binding ? result->binding->n_paths : 0);
}

static void number_plans(struct rs_session *session, struct choosing *choosing)
{
	for (size_t i = 0; i < choosing->n_plans; i++) {
		struct rs_plan *own = rs_arena_new(session->arena, struct rs_plan);

		*own = *choosing->plans[i].plan;
		own->id = (unsigned)i + 1;
		choosing->plans[i].plan = own;
	}
}

void rs_candidates_choose(struct rs_session *session, struct rs_record_result *result,
			  const struct rs_plan_result *plans, size_t n_plans)
{
	struct choosing choosing = { .result = result };

	choosing.plans = rs_arena_array(session->arena, struct rs_plan_result, n_plans);
	for (size_t i = 0; i < n_plans; i++)
		if (!is_beaten(&choosing, plans, n_plans, i))
			insert(&choosing, plans[i]);
	number_plans(session, &choosing);
	result->plans = choosing.plans;
	result->n_plans = choosing.n_plans;
	result->pick = find_pick(&choosing);
	result->verdict = RS_VERDICT_PLANS;
	if (result->cost)
		result->proven = rs_score_compare_cost(least_value(&choosing), result->lower_bound_ns) <= 0;
}

#include "session/variant.h"

#include <string.h>

#include "base/path.h"
#include "plan/place.h"
#include "rewrite/lift_check.h"
#include "rewrite/prepare.h"
#include "rewrite/related.h"
#include "rewrite/rewrite.h"
#include "session/candidates.h"
#include "session/changes.h"
#include "session/lift.h"
#include "session/lift_words.h"
#include "session/remarks.h"

/* --- a session of the text with the steps done --- */

static void refuse(struct rs_session *session, struct rs_record_result *result, struct rs_alterations steps,
		   const char *reason, const char *file, unsigned line)
{
	struct rs_pin *hazards = rs_arena_array(session->arena, struct rs_pin, result->n_hazards + 1);

	for (size_t i = 0; i < result->n_hazards; i++)
		hazards[i] = result->hazards[i];
	hazards[result->n_hazards++] = (struct rs_pin) {
		.code = "step-refused",
		.strength = RS_PIN_ADVICE,
		.message = rs_arena_printf(session->arena, "%s: %s",
					   rs_candidates_describe(session->arena, steps), reason),
		.file = file ? file : result->record->source->path,
		.line = line,
		.unit = RS_NONE,
	};
	result->hazards = hazards;
}

static bool has_arrivals(const struct rs_variant *variant)
{
	return variant->lifting.n_items > 0 && !rs_lifting_lowers(variant->lifting);
}

/* The text stands for the file; whatever stood for it before does no longer. */
static void add_buffer(struct rs_session *session, const struct rs_source *source,
		       struct rs_parse_options *parse)
{
	struct rs_buffer *buffers = rs_arena_array(session->arena, struct rs_buffer, parse->n_buffers + 1);
	size_t count = 0;

	for (size_t i = 0; i < parse->n_buffers; i++)
		if (strcmp(rs_path_canonical(session->arena, parse->buffers[i].path), source->realpath) != 0)
			buffers[count++] = parse->buffers[i];
	buffers[count++] = (struct rs_buffer) { source->realpath, source->text, source->size };
	parse->buffers = buffers;
	parse->n_buffers = count;
}

static struct rs_error *open_session(struct rs_session *session, const struct rs_session_record *from,
				     const struct rs_record_result *result,
				     const struct rs_source *const *sources, size_t n_sources,
				     struct rs_variant *variant)
{
	struct rs_session_options options = session->options;
	struct rs_target *target = rs_arena_new(session->arena, struct rs_target);
	const struct rs_result *found;

	uint64_t most_bytes = rs_candidates_most_bytes(session, result, from->record);

	options.pick = 0;
	/* A struct that members are lifted into has to grow: its own size then is the limit, if none is given.
	 */
	if (most_bytes < UINT64_MAX && !has_arrivals(variant))
		options.plan.max_size_bytes = most_bytes;
	options.is_series = options.with_cache = false;
	options.root = session->root;
	for (size_t i = 0; i < n_sources; i++)
		add_buffer(session, sources[i], &options.parse);
	*target = *from->target;
	target->name = from->record->name;
	target->has_expected_hash = false;
	target->n_others = 0;
	RS_TRY(rs_session_create(&options, target, 1, &variant->session));
	*rs_array_push(session->arena, session->variants, session->n_variants, session->variants_capacity) =
		variant->session;
	variant->session->as_it_stands = result->binding;
	variant->session->is_variant = true;
	variant->session->lifting = variant->lifting;
	variant->session->profile = session->profile;
	variant->session->has_profile = session->has_profile;
	RS_TRY(rs_session_run(variant->session, RS_GOAL_REVIEW, &found));
	if (found->n_records != 1)
		return rs_error_create(RS_ERROR_REJECTED, from->record->source->path, 0, 0,
				       "the struct is not found any more");
	variant->result = &found->records[0];
	return NULL;
}

static bool is_same_pin(const struct rs_pin *a, const struct rs_pin *b)
{
	return strcmp(a->code, b->code) == 0 &&
	       (a->file == b->file ||
		(a->file && b->file && strcmp(a->file, b->file) == 0 && a->line == b->line));
}

static bool is_known(const struct rs_record *record, const struct rs_pin *pin)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].unit != RS_NONE && is_same_pin(&record->pins[i], pin))
			return true;
	return false;
}

static bool is_hoisted(struct rs_alterations steps, const struct rs_record *record, size_t unit)
{
	const struct rs_unit *own = &record->units[unit];
	const char *path = own->n_members > 0 ? record->members[own->first_member].path : "";

	for (size_t i = 0; i < steps.n_items; i++)
		for (size_t f = 0; steps.items[i].kind == RS_OPERATION_HOIST && f < steps.items[i].n_fields;
		     f++)
			if (strcmp(steps.items[i].fields[f], path) == 0)
				return true;
	return false;
}

/* A marker that a step adds is one. */
static bool holds(const struct rs_variant *variant, const struct rs_record *old, const struct rs_pin *pin)
{
	const struct rs_record *record = variant->result->record;

	if (is_hoisted(variant->steps, record, pin->unit))
		return true;
	return !is_known(old, pin) && !rs_candidates_is_new(variant->steps, record, pin->unit);
}

/* What depends on where the members lay is not told from what moves them, but from what holds them once they
 * are out. */
static const struct rs_pin *find_holding(const struct rs_variant *variant, const struct rs_record *old)
{
	const struct rs_record *record = variant->result->record;

	for (size_t i = 0; i < record->n_pins; i++) {
		const struct rs_pin *pin = &record->pins[i];

		if (pin->strength == RS_PIN_ADVICE)
			continue;
		if (pin->refuses || (pin->unit != RS_NONE && holds(variant, old, pin)))
			return pin;
	}
	return NULL;
}

/* Opens the session of the text with the steps done; *ret_open false: they are refused, and that is said. */
static struct rs_error *prepare(struct rs_session *session, const struct rs_session_record *from,
				struct rs_record_result *result, struct rs_variant *variant, bool *ret_open)
{
	const struct rs_source *source = from->record->source;
	struct rs_prepared prepared;

	rs_prepare_apply(session->arena, from->record, variant->steps, &prepared);
	*ret_open = prepared.source != NULL;
	if (*ret_open)
		return open_session(session, from, result, &prepared.source, 1, variant);
	refuse(session, result, variant->steps, prepared.refusal, NULL,
	       rs_source_position(source, prepared.refusal_byte).line);
	return NULL;
}

/* The same where members come from other structs: many files change. */
static struct rs_error *lift(struct rs_session *session, const struct rs_session_record *from,
			     struct rs_record_result *result, struct rs_variant *variant, bool *ret_open)
{
	struct rs_lift_outcome outcome;

	RS_TRY(rs_lift_carry_out(session, from, variant->steps, &outcome));
	variant->steps = outcome.steps;
	variant->lifting = outcome.lifting;
	variant->texts = outcome.texts;
	variant->losers = outcome.losers;
	*ret_open = !outcome.texts.refusal;
	if (*ret_open)
		return open_session(session, from, result, outcome.texts.after, outcome.texts.n_texts, variant);
	refuse(session, result, variant->steps, outcome.texts.refusal, outcome.file, outcome.line);
	return NULL;
}

/* NULL in *ret_variant: it is refused, and that is said. */
static struct rs_error *create(struct rs_session *session, const struct rs_session_record *from,
			       struct rs_record_result *result, struct rs_alterations steps,
			       const struct rs_variant **ret_variant)
{
	struct rs_variant *variant = rs_arena_new(session->arena, struct rs_variant);
	const struct rs_source *source = from->record->source;
	bool is_open;

	*ret_variant = NULL;
	variant->steps = steps;
	RS_TRY(rs_lift_words_ask(steps) ? lift(session, from, result, variant, &is_open)
					: prepare(session, from, result, variant, &is_open));
	if (!is_open)
		return NULL;
	steps = variant->steps;
	const char *reason = rs_related_check(session->arena, from->record, variant->result->record, steps);
	const struct rs_pin *pin = reason ? NULL : find_holding(variant, from->record);
	if (pin)
		reason = rs_arena_printf(session->arena, "%s (%s)", pin->message, pin->code);
	if (!reason && variant->result->original.n_configurations != result->original.n_configurations)
		reason = "the configurations are no longer the same";
	if (!reason) {
		*ret_variant = variant;
		return NULL;
	}
	refuse(session, result, steps, reason, pin ? pin->file : NULL,
	       pin ? pin->line : rs_source_position(source, from->record->span.start).line);
	return NULL;
}

/* With nothing moved: what does not go with the steps themselves, such as values by position, shows here,
 * before plans are held against each other. */
static struct rs_error *try_alone(struct rs_session *session, const struct rs_session_record *from,
				  const struct rs_variant *variant)
{
	struct rs_plan_result plan = { .plan = variant->result->original.plan,
				       .variant = variant,
				       .steps = variant->steps };
	const struct rs_session_pick pick = { .record = (size_t)(from - session->records), .plan = &plan };
	struct rs_session_changes changes;

	rs_session_rewrite(session, pick.record, &plan);
	rs_changes_collect(session, &pick, 1, &changes);
	return rs_changes_verify(session, &changes, &pick, 1);
}

/* The compiler does not take the text, or the order asked for is not possible there. */
static struct rs_error *create_or_refuse(struct rs_session *session, const struct rs_session_record *from,
					 struct rs_record_result *result, struct rs_alterations steps,
					 const struct rs_variant **ret_variant)
{
	struct rs_error *error = create(session, from, result, steps, ret_variant);

	if (!error && *ret_variant)
		error = try_alone(session, from, *ret_variant);
	if (!error || (error->code != RS_ERROR_PARSE && error->code != RS_ERROR_REJECTED &&
		       error->code != RS_ERROR_NOT_FOUND))
		return error;
	*ret_variant = NULL;
	refuse(session, result, steps, rs_arena_strdup(session->arena, error->message),
	       error->path ? rs_arena_strdup(session->arena, error->path) : NULL, error->line);
	rs_error_destroy(error);
	return NULL;
}

/* --- its plans --- */

/* Where the members of the variant's record lie as the struct stands; an added one nowhere, which is its end.
 */
static const uint64_t *old_offsets(struct rs_arena *arena, const struct rs_record_result *result,
				   const struct rs_record *record)
{
	uint64_t *offsets = rs_arena_array(arena, uint64_t, record->n_members);

	for (size_t m = 0; m < record->n_members; m++) {
		size_t old = rs_related_find(result->record, record, m);

		offsets[m] = old == RS_NONE ? result->record->size_bytes * 8
					    : result->record->members[old].offset_bits;
	}
	return offsets;
}

/* The variant's result, with the struct as it stands for its original. */
static const struct rs_record_result *make_base(struct rs_arena *arena, const struct rs_record_result *result,
						const struct rs_variant *variant)
{
	struct rs_record_result *base = rs_arena_new(arena, struct rs_record_result);
	struct rs_plan *original = rs_arena_new(arena, struct rs_plan);

	*base = *variant->result;
	*original = *result->original.plan;
	original->order = variant->result->original.plan->order;
	original->offset_bits = old_offsets(arena, result, base->record);
	base->original.plan = original;
	base->original.containers = result->original.containers;
	base->original.n_containers = result->original.n_containers;
	if (base->cost)
		base->original.lines = rs_cost_report(arena, base->cost, original->offset_bits,
						      original->size_bytes, &base->original.n_lines);
	return base;
}

static bool is_lowered(const struct rs_variant *variant, const struct rs_record *old, size_t unit)
{
	return unit < old->n_units && old->units[unit].n_members > 0 && rs_lifting_lowers(variant->lifting) &&
	       rs_lift_leaves(variant->lifting, old, old->units[unit].first_member);
}

/* The order that the units of the old record get; NULL when it cannot be told. */
static const size_t *old_order(struct rs_arena *arena, const struct rs_record *old,
			       const struct rs_variant *variant, const struct rs_plan *plan)
{
	const struct rs_record *record = variant->result->record;
	size_t *old_unit = rs_arena_array(arena, size_t, record->n_units);
	size_t *order = rs_arena_array(arena, size_t, old->n_units), count = 0;

	for (size_t u = 0; u < record->n_units; u++) {
		while (is_lowered(variant, old, count))
			count++;
		old_unit[u] = rs_candidates_is_new(variant->steps, record, u) ? RS_NONE : count++;
	}
	while (is_lowered(variant, old, count))
		count++;
	if (count != old->n_units)
		return NULL;
	count = 0;
	for (size_t i = 0; i < record->n_units; i++)
		if (old_unit[plan->order[i]] != RS_NONE)
			order[count++] = old_unit[plan->order[i]];
	for (size_t u = 0; u < old->n_units; u++) /* nobody's neighbour any more */
		if (is_lowered(variant, old, u))
			order[count++] = u;
	return order;
}

static void add_losers(struct rs_arena *arena, const struct rs_variant *variant, struct rs_plan_result *plan)
{
	struct rs_pin *remarks = rs_arena_array(arena, struct rs_pin, plan->n_remarks + 1);

	for (size_t i = 0; i < plan->n_remarks; i++)
		remarks[i] = plan->remarks[i];
	remarks[plan->n_remarks++] = (struct rs_pin) {
		.code = "member-lowered",
		.strength = RS_PIN_ADVICE,
		.message = rs_arena_printf(
			arena,
			"besides its containers %s has the struct, and loses '%s', which nothing that was "
			"read uses there",
			variant->losers, variant->lifting.items[0].name),
		.unit = RS_NONE,
	};
	plan->remarks = remarks;
}

/* What to look at is said of the text as it stands. */
static void add_remarks(struct rs_session *session, const struct rs_record *old,
			const struct rs_variant *variant, struct rs_plan_result *plan)
{
	const size_t *order = old_order(session->arena, old, variant, plan->plan);
	struct rs_mention *mentions;
	struct rs_plan moves;
	size_t n_mentions;

	plan->remarks = NULL;
	plan->n_remarks = 0;
	if (order) {
		rs_plan_from_order(session->arena, old, NULL, order, &moves);
		moves.cost_ns = plan->plan->cost_ns;
		rs_mentions_find(session->arena, old, &mentions, &n_mentions);
		rs_remarks_list(session->arena, old, &moves, mentions, n_mentions, &plan->remarks,
				&plan->n_remarks);
	}
	rs_candidates_remark(session->arena, old, variant->steps, plan);
	if (variant->losers)
		add_losers(session->arena, variant, plan);
}

static struct rs_plan_result make_plan(struct rs_session *session, struct rs_record_result *result,
				       const struct rs_variant *variant, const struct rs_plan_result *found,
				       const struct rs_record_result *base)
{
	struct rs_plan_result plan = *found;

	plan.base = base;
	plan.variant = variant;
	plan.steps = variant->steps;
	plan.edits = NULL;
	plan.n_edits = plan.n_changes = 0;
	plan.changes = NULL;
	add_remarks(session, result->record, variant, &plan);
	return plan;
}

/* The file's text as it stands, and a name for what the plan makes of it. */
static const struct rs_source *find_source(const struct rs_variant *variant,
					   const struct rs_session_record *from, const char *realpath)
{
	if (strcmp(from->record->source->realpath, realpath) == 0)
		return from->record->source;
	for (size_t i = 0; i < from->initializers->n_items; i++)
		if (strcmp(from->initializers->items[i].source->realpath, realpath) == 0)
			return from->initializers->items[i].source;
	for (size_t i = 0; i < variant->texts.n_texts; i++)
		if (strcmp(variant->texts.before[i]->realpath, realpath) == 0)
			return variant->texts.before[i];
	return NULL;
}

static void add_edits(struct rs_session *session, const struct rs_variant *variant,
		      const struct rs_session_record *from, const struct rs_source *after,
		      struct rs_edit **edits, size_t *n_edits, size_t *capacity)
{
	const struct rs_source *before = find_source(variant, from, after->realpath);
	struct rs_edit *own;
	size_t count;

	if (!before)
		return;
	rs_rewrite_lines(session->arena, before, after, &own, &count);
	for (size_t i = 0; i < count; i++)
		*rs_array_push(session->arena, *edits, *n_edits, *capacity) = own[i];
}

static bool is_own(const struct rs_session_record *from, const struct rs_source *source)
{
	return strcmp(source->realpath, from->record->source->realpath) == 0;
}

void rs_variant_edits(struct rs_session *session, const struct rs_session_pick *pick,
		      struct rs_session_changes *changes, struct rs_edit **ret_edits, size_t *ret_count)
{
	const struct rs_session_record *from = &session->records[pick->record];
	const struct rs_lift_texts *texts = &pick->plan->variant->texts;
	struct rs_session *other = pick->plan->variant->session;
	struct rs_plan_result *plan = rs_arena_new(session->arena, struct rs_plan_result);
	const struct rs_session_pick there = { .record = 0, .plan = plan };
	struct rs_session_changes found;
	size_t capacity = 0;
	bool has_own = false;

	*plan = (struct rs_plan_result) { .plan = pick->plan->plan, .headlines = pick->plan->headlines };
	*ret_edits = NULL;
	*ret_count = 0;
	rs_changes_collect(other, &there, 1, &found);
	for (size_t i = 0; i < found.n_files; i++) {
		const struct rs_file_change *file = &found.files[i];

		has_own |= is_own(from, file->source);
		add_edits(session, pick->plan->variant, from,
			  rs_source_create(session->arena, file->source->path, file->source->realpath,
					   file->new_text, file->new_size),
			  ret_edits, ret_count, &capacity);
	}
	if (!has_own)
		add_edits(session, pick->plan->variant, from, other->records[0].record->source, ret_edits,
			  ret_count, &capacity);
	for (size_t i = 0; i < texts->n_texts; i++)
		if (!is_own(from, texts->after[i]) && !rs_changes_find(&found, texts->after[i]->realpath))
			add_edits(session, pick->plan->variant, from, texts->after[i], ret_edits, ret_count,
				  &capacity);
	for (size_t i = 0; i < found.initializers.n_changed; i++)
		*rs_array_push(session->arena, changes->initializers.changed, changes->initializers.n_changed,
			       changes->initializers.changed_capacity) = found.initializers.changed[i];
	if (found.initializers.impossible) {
		changes->initializers.impossible = found.initializers.impossible;
		changes->initializers.reason = found.initializers.reason;
	}
}

/* --- the plans of all --- */

struct merging {
	struct rs_session *session;
	const struct rs_session_record *from;
	struct rs_record_result *result;
	struct rs_plan_result *plans;
	size_t n_plans, plans_capacity;
};

static bool is_worth(const struct merging *merging, const struct rs_plan *plan,
		     const struct rs_variant *variant)
{
	const struct rs_plan *original = merging->result->original.plan;
	const struct rs_record *record =
		has_arrivals(variant) ? variant->result->record : merging->result->record;
	uint64_t most = rs_candidates_most_bytes(merging->session, merging->result, record);

	if (plan->size_bytes > most)
		return false;
	/* What a struct loses to its containers makes it smaller, and is no gain. */
	return merging->result->cost
		       ? rs_score_compare_cost(plan->cost_ns, original->cost_ns) < 0
		       : plan->size_bytes < original->size_bytes && !rs_lifting_lowers(variant->lifting);
}

static void add_plan(struct merging *merging, struct rs_plan_result plan)
{
	if (plan.variant && !is_worth(merging, plan.plan, plan.variant))
		return;
	*rs_array_push(merging->session->arena, merging->plans, merging->n_plans, merging->plans_capacity) =
		plan;
}

static void add_variant(struct merging *merging, const struct rs_variant *variant)
{
	struct rs_record_result *result = merging->result;
	const struct rs_record_result *there = variant->result;
	const struct rs_record_result *base = make_base(merging->session->arena, result, variant);

	add_plan(merging, make_plan(merging->session, result, variant, &there->original, base));
	for (size_t i = 0; i < there->n_plans; i++)
		add_plan(merging, make_plan(merging->session, result, variant, &there->plans[i], base));
	if (there->lower_bound_ns < result->lower_bound_ns)
		result->lower_bound_ns = there->lower_bound_ns;
	if (there->lower_bound_bytes < result->lower_bound_bytes)
		result->lower_bound_bytes = there->lower_bound_bytes;
}

static struct rs_error *add_variants(struct merging *merging)
{
	struct rs_candidates candidates;

	RS_TRY(rs_candidates_find(merging->session, merging->from, merging->result, &candidates));
	for (size_t i = 0; i < candidates.n_items; i++) {
		const struct rs_variant *variant;

		RS_TRY(create_or_refuse(merging->session, merging->from, merging->result, candidates.items[i],
					&variant));
		if (variant)
			add_variant(merging, variant);
	}
	return NULL;
}

/* What is compared, and held to the limit, is what the diff shows: the steps' own lines count. */
static struct rs_error *count_lines(struct merging *merging)
{
	size_t index = (size_t)(merging->from - merging->session->records), n_kept = 0;
	size_t most = merging->session->options.plan.max_lines;

	for (size_t i = 0; i < merging->n_plans; i++) {
		rs_session_rewrite(merging->session, index, &merging->plans[i]);
		RS_TRY(rs_session_count_lines(&merging->plans[i]));
		if (most == 0 || !merging->plans[i].variant || merging->plans[i].changed_lines <= most)
			merging->plans[n_kept++] = merging->plans[i];
	}
	merging->n_plans = n_kept;
	return NULL;
}

struct rs_error *rs_variants_add(struct rs_session *session, const struct rs_session_record *from,
				 struct rs_record_result *result)
{
	struct merging merging = { .session = session, .from = from, .result = result };

	RS_TRY(add_variants(&merging));
	if (merging.n_plans == 0)
		return NULL;
	for (size_t i = 0; i < result->n_plans; i++)
		add_plan(&merging, result->plans[i]);
	RS_TRY(count_lines(&merging));
	if (merging.n_plans > 0)
		rs_candidates_choose(session, result, merging.plans, merging.n_plans);
	return NULL;
}

struct rs_error *rs_variant_by_hand(struct rs_session *session, const struct rs_session_record *from,
				    struct rs_record_result *result, bool *ret_done)
{
	struct rs_alterations steps = rs_candidates_asked(session, from);
	struct rs_plan_result *plan;
	const struct rs_variant *variant;

	*ret_done = steps.n_items > 0;
	if (!*ret_done)
		return NULL;
	RS_TRY(create(session, from, result, steps, &variant));
	if (!variant) {
		const struct rs_pin *reason = &result->hazards[result->n_hazards - 1];

		return rs_error_create(RS_ERROR_USAGE, reason->file, reason->line, 0, "struct '%s': %s",
				       from->record->name, reason->message);
	}
	plan = rs_arena_new(session->arena, struct rs_plan_result);
	*plan = make_plan(session, result, variant,
			  variant->result->n_plans > 0 ? &variant->result->plans[0]
						       : &variant->result->original,
			  make_base(session->arena, result, variant));
	result->is_by_hand = true;
	rs_candidates_choose(session, result, plan, 1);
	return NULL;
}

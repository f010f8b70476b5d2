#include <inttypes.h>
#include <string.h>

#include "parse/aligners.h"
#include "plan/place.h"
#include "record/layout.h"
#include "session/candidates.h"

/* A second one is tried where it is smaller and still has so much of the gain. */
static const double LEAST_SHARE = 0.5;
/* One that comes on top of others has to save so much of the cost besides. */
static const double LEAST_ON_TOP = 0.99;

enum { MOST_ALIGNED = 4 };

/* What the struct as it stands comes to when units begin lines. */
struct trial {
	size_t units[MOST_ALIGNED];  /* rising */
	uint64_t room[MOST_ALIGNED]; /* bytes from the end of what stands before the unit to its line */
	size_t n_units;              /* 0: nothing was found */
	double cost_ns;
	uint64_t size_bytes;
};

struct trying {
	struct rs_session *session;
	const struct rs_session_record *from;
	const struct rs_record_result *result;
	const struct rs_aligned_base *base;
	struct rs_candidates *candidates;
	uint32_t line_bytes;
	bool pads; /* room is made by a member, and the struct's own alignment stays */
};

/* A type asks for its alignment in all its objects: only a declaration of one plain member can do so here. */
static bool can_begin_line(const struct rs_record *record, size_t unit)
{
	const struct rs_unit *own = &record->units[unit];
	const struct rs_member *member = &record->members[own->first_member];

	return own->origin == RS_UNIT_PLAIN && own->n_members == 1 && !own->n_parts && !member->is_bitfield &&
	       !member->is_anonymous && member->path[0] && !member->is_flexible && member->size_bits > 0;
}

/* The text is that of the struct as it stands: what leaves another place cannot be given anything there. */
static bool is_where_it_was(const struct trying *trying, size_t unit)
{
	const struct rs_record *record = trying->base->record, *old = trying->from->record;
	size_t member = rs_record_find_member(old, record->members[record->units[unit].first_member].path);

	return member != RS_NONE && old->members[member].parent == RS_NONE;
}

static bool has_unit(const struct trial *trial, size_t unit)
{
	for (size_t i = 0; i < trial->n_units; i++)
		if (trial->units[i] == unit)
			return true;
	return false;
}

static void add_unit(struct trial *trial, size_t unit)
{
	size_t at = trial->n_units++;

	for (; at > 0 && trial->units[at - 1] > unit; at--)
		trial->units[at] = trial->units[at - 1];
	trial->units[at] = unit;
}

static uint64_t room_before(const struct rs_record *record, const uint64_t *offset_bits, size_t unit)
{
	size_t first = record->units[unit].first_member;
	uint64_t end = 0;

	for (size_t m = 0; m < first; m++) {
		uint64_t own = (offset_bits[m] + record->members[m].size_bits + 7) / 8;

		end = own > end ? own : end;
	}
	return offset_bits[first] / 8 - end;
}

/* Those that `with` has, and one more. */
static struct trial try_unit(const struct trying *trying, const struct trial *with, size_t unit)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_record *record = trying->base->record;
	struct rs_record aligned = *record;
	struct rs_member *members = rs_arena_array(arena, struct rs_member, record->n_members);
	uint64_t *offsets = rs_arena_array(arena, uint64_t, record->n_members);
	struct trial trial = *with;

	add_unit(&trial, unit);
	memcpy(members, record->members, record->n_members * sizeof *members);
	for (size_t i = 0; i < trial.n_units; i++) {
		struct rs_member *member = &members[record->units[trial.units[i]].first_member];

		member->align_bytes = member->requested_align_bytes = trying->line_bytes;
	}
	aligned.members = members;
	if (!trying->pads && aligned.align_bytes < trying->line_bytes)
		aligned.align_bytes = trying->line_bytes;
	rs_layout_compute(&aligned, trying->base->order, offsets, &trial.size_bytes);
	trial.cost_ns = rs_cost_layout(trying->base->cost, offsets, trial.size_bytes);
	for (size_t i = 0; i < trial.n_units; i++)
		trial.room[i] = room_before(record, offsets, trial.units[i]);
	return trial;
}

static bool is_possible(const struct trying *trying, const struct trial *trial, double known_ns)
{
	return trial->size_bytes <=
		       rs_candidates_most_bytes(trying->session, trying->result, trying->result->record) &&
	       rs_score_compare_cost(trial->cost_ns, known_ns) < 0;
}

static bool is_better(const struct trial *a, const struct trial *b)
{
	int cost = rs_score_compare_cost(a->cost_ns, b->cost_ns);

	return cost != 0 ? cost < 0 : a->size_bytes < b->size_bytes;
}

/* With one unit more than `with`: the best, and the smallest of those that have much of its gain. */
static void choose(const struct trying *trying, const struct trial *with, double known_ns,
		   struct trial *ret_best, struct trial *ret_smallest)
{
	const struct rs_record *record = trying->base->record;
	struct trial *trials = rs_arena_array(trying->session->arena, struct trial, record->n_units);
	size_t count = 0;

	*ret_best = (struct trial) { .n_units = 0 };
	for (size_t u = 0; u < record->n_units; u++) {
		if (!can_begin_line(record, u) || !is_where_it_was(trying, u) || has_unit(with, u))
			continue;
		trials[count] = try_unit(trying, with, u);
		if (!is_possible(trying, &trials[count], known_ns))
			continue;
		if (ret_best->n_units == 0 || is_better(&trials[count], ret_best))
			*ret_best = trials[count];
		count++;
	}
	*ret_smallest = *ret_best;
	for (size_t i = 0; i < count; i++)
		if (trials[i].size_bytes < ret_smallest->size_bytes &&
		    known_ns - trials[i].cost_ns >= LEAST_SHARE * (known_ns - ret_best->cost_ns))
			*ret_smallest = trials[i];
}

static struct rs_alteration align_step(const struct trying *trying, const char *const *field)
{
	struct rs_aligner aligner = rs_aligners_find(trying->session->arena, trying->from->tu,
						     trying->from->record, trying->line_bytes);

	return (struct rs_alteration) { .kind = RS_OPERATION_ALIGN,
					.fields = field,
					.n_fields = 1,
					.spelling = aligner.text,
					.bytes = trying->line_bytes,
					.adds_member = aligner.style == RS_ALIGNER_MEMBER };
}

static struct rs_alteration pad_step(const struct trying *trying, uint64_t bytes, const char *const *field)
{
	struct rs_arena *arena = trying->session->arena;
	const char *name = rs_arena_printf(arena, "__pad_before_%s", *field + strspn(*field, "_"));

	while (rs_record_find_member(trying->from->record, name) != RS_NONE)
		name = rs_arena_printf(arena, "_%s", name);
	return (struct rs_alteration) { .kind = RS_OPERATION_PAD,
					.fields = field,
					.n_fields = 1,
					.spelling =
						rs_arena_printf(arena, "char %s[%" PRIu64 "];", name, bytes),
					.name = name,
					.bytes = (unsigned)bytes,
					.adds_member = true };
}

static bool is_same(const struct rs_alterations *a, const struct rs_alteration *items, size_t count)
{
	if (a->n_items != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (a->items[i].kind != items[i].kind || a->items[i].n_fields != items[i].n_fields ||
		    strcmp(a->items[i].fields[0], items[i].fields[0]) != 0)
			return false;
	return true;
}

static void add(const struct trying *trying, const struct trial *trial)
{
	struct rs_arena *arena = trying->session->arena;
	const struct rs_record *record = trying->base->record;
	struct rs_alteration *steps = rs_arena_array(arena, struct rs_alteration, 1 + MOST_ALIGNED);
	size_t n_steps = 0;

	if (trying->base->before.n_fields > 0)
		steps[n_steps++] = trying->base->before;
	for (size_t i = 0; i < trial->n_units; i++) {
		const char **field = rs_arena_new(arena, const char *);

		*field = record->members[record->units[trial->units[i]].first_member].path;
		if (trying->pads && trial->room[i] == 0)
			continue;
		steps[n_steps++] =
			trying->pads ? pad_step(trying, trial->room[i], field) : align_step(trying, field);
	}
	if (n_steps == (trying->base->before.n_fields > 0))
		return;
	for (size_t i = 0; i < trying->candidates->n_items; i++)
		if (is_same(&trying->candidates->items[i], steps, n_steps))
			return;
	*rs_array_push(arena, trying->candidates->items, trying->candidates->n_items,
		       trying->candidates->items_capacity) = (struct rs_alterations) { steps, n_steps };
}

/* One unit, and on top of the best one more at a time as long as that is worth it. */
static void add_best(const struct trying *trying)
{
	struct trial best = { .n_units = 0 }, smallest;
	double known_ns = trying->base->known_ns;

	while (best.n_units < MOST_ALIGNED) {
		struct trial with = best;

		choose(trying, &with, known_ns, &best, &smallest);
		if (best.n_units == 0)
			return;
		add(trying, &best);
		if (with.n_units == 0 && smallest.units[0] != best.units[0])
			add(trying, &smallest);
		known_ns = LEAST_ON_TOP * best.cost_ns;
	}
}

/* What the objects lie in is not aligned: nobody may rely on it. */
static bool has_unaligned_objects(const struct rs_record *record)
{
	for (size_t i = 0; i < record->n_pins; i++)
		if (record->pins[i].strength == RS_PIN_CONTRACT &&
		    strcmp(record->pins[i].code, "unaligned-allocation") == 0)
			return true;
	return false;
}

static const size_t *as_it_stands(struct rs_arena *arena, const struct rs_record *record)
{
	size_t *order = rs_arena_array(arena, size_t, record->n_units);

	for (size_t u = 0; u < record->n_units; u++)
		order[u] = u;
	return order;
}

void rs_candidates_find_aligned(struct rs_session *session, const struct rs_session_record *from,
				const struct rs_record_result *result, const struct rs_aligned_base *base,
				struct rs_candidates *candidates)
{
	struct rs_aligned_base unmoved = *base;
	struct trying trying = {
		.session = session, .from = from, .result = result, .base = base, .candidates = candidates
	};

	if (!result->binding || !base->cost)
		return;
	trying.line_bytes = result->binding->machine.line_bytes;
	if ((result->binding->allow & RS_ALLOW_ALIGN) && !has_unaligned_objects(from->record))
		add_best(&trying);
	trying.pads = true;
	/* Room is made in front of the unit where it stands in the text. */
	unmoved.order = as_it_stands(session->arena, base->record);
	trying.base = &unmoved;
	/* Where objects do not begin lines no room in them reaches from line to line. */
	if ((result->binding->allow & RS_ALLOW_PAD) && result->binding->placement.kind == RS_PLACE_LINE_ALIGNED)
		add_best(&trying);
}

bool rs_candidates_find_room(struct rs_arena *arena, const struct rs_record *record, const struct rs_cost *cost,
			     const struct rs_plan *plan, uint32_t line_bytes,
			     struct rs_candidates_room *ret_room)
{
	struct rs_aligned_base base = { .record = record, .cost = cost, .order = plan->order };
	struct trying trying = { .base = &base, .line_bytes = line_bytes };
	struct trial none = { .n_units = 0 }, best = { .cost_ns = plan->cost_ns };

	for (size_t u = 0; u < record->n_units && !has_unaligned_objects(record); u++) {
		struct trial trial;

		if (!can_begin_line(record, u))
			continue;
		trial = try_unit(&trying, &none, u);
		if (rs_score_compare_cost(trial.cost_ns, best.cost_ns) < 0)
			best = trial;
	}
	if (best.n_units == 0)
		return false;
	*ret_room = (struct rs_candidates_room) {
		.field =
			rs_arena_strdup(arena, record->members[record->units[best.units[0]].first_member].path),
		.cost_ns = best.cost_ns,
		.size_bytes = best.size_bytes
	};
	return true;
}

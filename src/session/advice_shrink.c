#include "session/advice_shrink.h"

#include <inttypes.h>
#include <string.h>

#include "plan/shrink.h"

enum { NAMES_SHOWN = 4, MOST_MESSAGES = 3, MOST_CANDIDATES = 24, MOST_PAIRED = 12, WORD_BYTES = 8 };

/* Of the cost, below which a path's line is not worth a word. */
static const double LEAST_SHARE = 0.01;

enum reason { REASON_RANGE, REASON_ENUM, REASON_TRUTH };

/* A member that could be smaller, as far as its type says. */
struct candidate {
	size_t member;
	uint64_t bytes;
	enum reason reason;
};

struct offer {
	struct candidate of[RS_SHRINK_MOST_MEMBERS];
	size_t n_of;
	struct rs_shrunk shrunk;
	size_t path; /* that touches fewer lines; RS_NONE */
	size_t path_lines, path_lines_before;
};

struct shrinking {
	struct rs_arena *arena;
	const struct rs_record_result *of;
	struct rs_explain_subject subject;
	double cost_ns;
	double least_ns; /* of any plan … */
	uint64_t least_bytes;
	struct candidate candidates[MOST_CANDIDATES];
	size_t n_candidates;
	struct offer *offers;
	size_t n_offers, offers_capacity;
};

/* --- candidates --- */

/* The type without what does not change its size. */
static const char *skip_qualifiers(const char *type)
{
	static const char *const words[] = { "const ", "volatile " };

	for (size_t i = 0; i < RS_COUNT_OF(words); i++)
		if (strncmp(type, words[i], strlen(words[i])) == 0)
			return skip_qualifiers(type + strlen(words[i]));
	return type;
}

static bool is_any(const char *text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(text, words[i]) == 0)
			return true;
	return false;
}

/* No time, no address and no size of a file: those are large for a reason. */
static bool is_number(const char *type)
{
	static const char *const types[] = {
		"long",
		"unsigned long",
		"long int",
		"unsigned long int",
		"long long",
		"int",
		"unsigned int",
		"unsigned",
		"unsigned long long",
		"size_t",
		"ssize_t",
		"int64_t",
		"uint64_t",
		"s64",
		"u64",
		"__s64",
		"__u64",
		"int32_t",
		"uint32_t",
		"s32",
		"u32",
		"__s32",
		"__u32",
		"ulong",
		"uint",
	};

	return is_any(type, types, RS_COUNT_OF(types));
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* A truth value by the type's name, or a number that is called one. */
static bool is_truth(const char *type, const char *name)
{
	static const char *const types[] = { "gboolean", "BOOL", "bool_t", "boolean_t", "Bool" };

	if (is_any(type, types, RS_COUNT_OF(types)))
		return true;
	return is_number(type) && (strncmp(name, "is_", 3) == 0 || strncmp(name, "has_", 4) == 0 ||
				   ends_in(name, "_enabled") || ends_in(name, "_disabled"));
}

static bool is_alone(const struct rs_record *record, const struct rs_member *member)
{
	const struct rs_unit *unit = &record->units[member->unit];

	return member->parent == RS_NONE && member->path[0] && unit->origin == RS_UNIT_PLAIN &&
	       unit->n_members == 1 && !unit->n_parts && !member->is_bitfield && !member->is_array &&
	       !member->is_aggregate && !member->is_flexible && !member->requested_align_bytes;
}

static bool make_candidate(const struct rs_record *record, size_t index, struct candidate *ret_candidate)
{
	const struct rs_member *member = &record->members[index];
	const char *type = skip_qualifiers(member->type);
	uint64_t bytes = member->size_bits / 8;

	if (!is_alone(record, member) || (bytes != WORD_BYTES && bytes != WORD_BYTES / 2))
		return false;
	*ret_candidate = (struct candidate) { .member = index, .bytes = bytes / 2 };
	if (is_truth(type, member->name))
		*ret_candidate = (struct candidate) { index, 1, REASON_TRUTH };
	else if (strncmp(type, "enum ", 5) == 0)
		*ret_candidate = (struct candidate) { index, 1, REASON_ENUM };
	else
		return is_number(type);
	return true;
}

static double heat_of(const struct shrinking *shrinking, const struct candidate *candidate)
{
	const struct rs_member_heat *heat = &shrinking->of->binding->heat[candidate->member];

	return heat->reads + heat->writes;
}

/* The hottest ones where there are many. */
static void add_candidate(struct shrinking *shrinking, struct candidate candidate)
{
	size_t at = shrinking->n_candidates;

	while (at > 0 && heat_of(shrinking, &shrinking->candidates[at - 1]) < heat_of(shrinking, &candidate))
		at--;
	if (at == MOST_CANDIDATES)
		return;
	if (shrinking->n_candidates < MOST_CANDIDATES)
		shrinking->n_candidates++;
	for (size_t i = shrinking->n_candidates - 1; i > at; i--)
		shrinking->candidates[i] = shrinking->candidates[i - 1];
	shrinking->candidates[at] = candidate;
}

/* --- what they buy --- */

static uint64_t count_lines(const struct shrinking *shrinking, uint64_t bytes)
{
	return (bytes + shrinking->subject.line_bytes - 1) / shrinking->subject.line_bytes;
}

/* The busiest path that touches fewer lines. */
static void find_path(const struct shrinking *shrinking, struct offer *offer)
{
	const struct rs_binding *binding = shrinking->of->binding;
	const struct rs_explain_subject *subject = &shrinking->subject;

	offer->path = RS_NONE;
	for (size_t p = 0; p < binding->n_paths; p++) {
		size_t before =
			rs_cost_lines_of_path(subject->cost, p, subject->offset_bits, subject->size_bytes);
		size_t now = rs_cost_lines_of_path(offer->shrunk.cost, p, offer->shrunk.offset_bits,
						   offer->shrunk.size_bytes);

		if (binding->paths[p].rate <= 0 || now >= before ||
		    (offer->path != RS_NONE && binding->paths[p].rate <= binding->paths[offer->path].rate))
			continue;
		offer->path = p;
		offer->path_lines = now;
		offer->path_lines_before = before;
	}
}

static bool saves_line(const struct shrinking *shrinking, const struct offer *offer)
{
	return count_lines(shrinking, offer->shrunk.size_bytes) <
	       count_lines(shrinking, shrinking->subject.size_bytes);
}

static bool is_worth(const struct shrinking *shrinking, const struct offer *offer)
{
	bool is_narrow = false, is_smaller = offer->shrunk.size_bytes < shrinking->least_bytes;

	if (offer->shrunk.cost_ns > shrinking->cost_ns * (1 + 1e-9) ||
	    offer->shrunk.size_bytes > shrinking->subject.size_bytes)
		return false;
	for (size_t i = 0; i < offer->n_of; i++)
		is_narrow |= offer->of[i].reason == REASON_RANGE;
	if (is_smaller && (saves_line(shrinking, offer) || !is_narrow))
		return true;
	return offer->path != RS_NONE && offer->shrunk.cost_ns < (1 - LEAST_SHARE) * shrinking->least_ns;
}

static bool is_better(const struct offer *a, const struct offer *b)
{
	if (a->shrunk.size_bytes != b->shrunk.size_bytes)
		return a->shrunk.size_bytes < b->shrunk.size_bytes;
	return a->shrunk.cost_ns < b->shrunk.cost_ns;
}

static void try_offer(struct shrinking *shrinking, struct offer offer)
{
	struct rs_shrink shrink = { .n_members = offer.n_of };
	size_t at = shrinking->n_offers;

	for (size_t i = 0; i < offer.n_of; i++) {
		shrink.members[i] = offer.of[i].member;
		shrink.bytes[i] = offer.of[i].bytes;
	}
	rs_shrink_try(shrinking->arena, &shrinking->subject, &shrink, &offer.shrunk);
	find_path(shrinking, &offer);
	if (!is_worth(shrinking, &offer))
		return;
	*rs_array_push(shrinking->arena, shrinking->offers, shrinking->n_offers, shrinking->offers_capacity) =
		offer;
	for (; at > 0 && is_better(&offer, &shrinking->offers[at - 1]); at--)
		shrinking->offers[at] = shrinking->offers[at - 1];
	shrinking->offers[at] = offer;
}

static void try_pairs(struct shrinking *shrinking)
{
	size_t n = shrinking->n_candidates < MOST_PAIRED ? shrinking->n_candidates : MOST_PAIRED;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++)
			try_offer(shrinking,
				  (struct offer) { .of = { shrinking->candidates[i], shrinking->candidates[j] },
						   .n_of = 2 });
	if (shrinking->n_offers > 1)
		shrinking->n_offers = 1;
}

/* --- words --- */

static const char *name_of(const struct shrinking *shrinking, const struct candidate *candidate)
{
	return shrinking->of->record->members[candidate->member].path;
}

/* Whether another member alone buys the same in the same way. */
static bool buys_same(const struct shrinking *shrinking, const struct offer *a, const struct offer *b)
{
	const struct rs_member *members = shrinking->of->record->members;

	return a->n_of == 1 && b->n_of == 1 && a->of[0].bytes == b->of[0].bytes &&
	       a->of[0].reason == b->of[0].reason &&
	       members[a->of[0].member].size_bits == members[b->of[0].member].size_bits &&
	       a->shrunk.size_bytes == b->shrunk.size_bytes && a->path == b->path &&
	       a->shrunk.cost_ns == b->shrunk.cost_ns;
}

/* "one of 'head', 'tail' (2 more)": any of them is enough. */
static void append_names(const struct shrinking *shrinking, const struct offer *offers, size_t count,
			 struct rs_builder *text)
{
	rs_builder_appends(text, count > 1 ? "one of " : "");
	for (size_t i = 0; i < count && i < NAMES_SHOWN; i++)
		rs_builder_printf(text, "%s'%s'", i ? ", " : "", name_of(shrinking, &offers[i].of[0]));
	if (count > NAMES_SHOWN)
		rs_builder_printf(text, " (%zu more)", count - NAMES_SHOWN);
}

static void append_type(const struct shrinking *shrinking, const struct candidate *candidate,
			struct rs_builder *text)
{
	const struct rs_member *member = &shrinking->of->record->members[candidate->member];

	rs_builder_printf(text, " in %" PRIu64 " byte%s instead of %" PRIu64, candidate->bytes,
			  candidate->bytes == 1 ? "" : "s", member->size_bits / 8);
	if (candidate->reason == REASON_RANGE)
		rs_builder_printf(text, " (if %" PRIu64 " bits hold all its values)", candidate->bytes * 8);
	else if (candidate->reason == REASON_ENUM)
		rs_builder_appends(text, " (if the enumerators fit)");
	else
		rs_builder_appends(text, " (if it is only true or false)");
}

static void append_gain(const struct shrinking *shrinking, const struct offer *offer, struct rs_builder *text)
{
	uint64_t before = shrinking->subject.size_bytes, now = offer->shrunk.size_bytes;
	uint64_t lines = count_lines(shrinking, now);

	if (now < before)
		rs_builder_printf(text, "the struct takes %" PRIu64 " bytes instead of %" PRIu64, now, before);
	if (saves_line(shrinking, offer))
		rs_builder_printf(text, " and %" PRIu64 " line%s instead of %" PRIu64, lines,
				  lines == 1 ? "" : "s", count_lines(shrinking, before));
	if (offer->path != RS_NONE)
		rs_builder_printf(text, "%s%s touches %zu line%s instead of %zu (%.1f ns instead of %.1f)",
				  now < before ? ", " : "", shrinking->of->binding->paths[offer->path].name,
				  offer->path_lines, offer->path_lines == 1 ? "" : "s",
				  offer->path_lines_before, offer->shrunk.cost_ns, shrinking->cost_ns);
}

/* One message for all from this one on that buy the same; gives how many these are. */
static size_t describe(const struct shrinking *shrinking, const struct offer *offers, size_t count,
		       const char **ret_message)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	size_t n_same = 1;

	while (n_same < count && buys_same(shrinking, &offers[0], &offers[n_same]))
		n_same++;
	append_names(shrinking, offers, n_same, &text);
	append_type(shrinking, &offers[0].of[0], &text);
	for (size_t i = 1; i < offers[0].n_of; i++) {
		rs_builder_printf(&text, " and '%s'", name_of(shrinking, &offers[0].of[i]));
		append_type(shrinking, &offers[0].of[i], &text);
	}
	rs_builder_appends(&text, ": ");
	append_gain(shrinking, &offers[0], &text);
	*ret_message = rs_arena_strdup(shrinking->arena, text.data);
	return n_same;
}

static void find_least(struct shrinking *shrinking, const struct rs_record_result *result,
		       const struct rs_plan *layout)
{
	shrinking->least_ns = layout->cost_ns;
	shrinking->least_bytes = layout->size_bytes;
	for (size_t i = 0; i < result->n_plans; i++) {
		const struct rs_plan *plan = result->plans[i].plan;

		if (plan->cost_ns < shrinking->least_ns)
			shrinking->least_ns = plan->cost_ns;
		if (plan->size_bytes < shrinking->least_bytes)
			shrinking->least_bytes = plan->size_bytes;
	}
}

const char *const *rs_advice_shrink_find(struct rs_arena *arena, const struct rs_record_result *result,
					 const struct rs_plan_result *layout, size_t *ret_count)
{
	const char **messages = rs_arena_array(arena, const char *, MOST_MESSAGES);
	const struct rs_record_result *of = layout->base ? layout->base : result;
	struct shrinking shrinking = { .arena = arena,
				       .of = of,
				       .cost_ns = layout->plan->cost_ns,
				       .subject = { .record = of->record,
						    .binding = of->binding,
						    .cost = of->cost,
						    .order = layout->plan->order,
						    .offset_bits = layout->plan->offset_bits,
						    .size_bytes = layout->plan->size_bytes,
						    .line_bytes = of->binding->machine.line_bytes } };
	struct candidate candidate;

	find_least(&shrinking, result, layout->plan);
	for (size_t m = 0; m < of->record->n_members; m++)
		if (make_candidate(of->record, m, &candidate))
			add_candidate(&shrinking, candidate);
	for (size_t i = 0; i < shrinking.n_candidates; i++)
		try_offer(&shrinking, (struct offer) { .of = { shrinking.candidates[i] }, .n_of = 1 });
	if (shrinking.n_offers == 0)
		try_pairs(&shrinking);
	*ret_count = 0;
	for (size_t i = 0; i < shrinking.n_offers && *ret_count < MOST_MESSAGES;)
		i += describe(&shrinking, &shrinking.offers[i], shrinking.n_offers - i,
			      &messages[(*ret_count)++]);
	return messages;
}

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/trust.h"
#include "record/layout.h"
#include "session/review_internal.h"

/* --- the summary --- */

static uint64_t sum_holes(const struct rs_review_pair *pair, const struct rs_record *record)
{
	uint64_t *offsets = rs_arena_array(pair->arena, uint64_t, record->n_members);
	size_t count;
	uint64_t sum = 0;

	for (size_t m = 0; m < record->n_members; m++)
		offsets[m] = record->members[m].offset_bits;
	const struct rs_hole *holes = rs_layout_holes(pair->arena, record, offsets, record->size_bytes, &count);
	for (size_t i = 0; i < count; i++)
		sum += holes[i].size_bits;
	return sum / 8;
}

static const char *describe(const struct rs_review_pair *pair)
{
	if (pair->n_added + pair->n_removed + pair->n_renamed + pair->n_retyped > 0)
		return "its fields change";
	return pair->n_moved > 0 ? "a pure reorder" : "its fields stay";
}

/* Whoever asks for an alignment wants the room that it takes. */
static bool is_aligned_anew(const struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;

	for (size_t i = 0; i < before->n_pins; i++)
		if (strcmp(before->pins[i].code, "packed") == 0)
			return false;
	if (after->align_bytes > before->align_bytes)
		return true;
	for (size_t m = 0; m < before->n_members; m++)
		if (pair->twin[m] != RS_NONE && after->members[pair->twin[m]].requested_align_bytes >
							before->members[m].requested_align_bytes)
			return true;
	return false;
}

static void summarize(const struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;
	bool is_same = pair->n_added + pair->n_removed + pair->n_retyped == 0;

	rs_finding_add(pair->list, "struct-changed", RS_FINDING_NOTE, after, RS_NONE, NULL,
		       "struct '%s': %s (%zu moved, %zu added, %zu removed); size %" PRIu64 " -> %" PRIu64
		       ", holes %" PRIu64 " -> %" PRIu64 " bytes",
		       after->name, describe(pair), pair->n_moved, pair->n_added, pair->n_removed,
		       before->size_bytes, after->size_bytes, sum_holes(pair, before), sum_holes(pair, after));
	if (is_same && !pair->has_resized && after->size_bytes > before->size_bytes)
		rs_finding_add(pair->list, "size-grew",
			       is_aligned_anew(pair) ? RS_FINDING_NOTE : RS_FINDING_WARNING, after, RS_NONE,
			       NULL,
			       "struct '%s' grows from %" PRIu64 " to %" PRIu64 " bytes without a new field",
			       after->name, before->size_bytes, after->size_bytes);
}

/* --- fields --- */

static void compare_alignment(const struct rs_review_pair *pair, size_t member, const struct rs_member *old)
{
	const struct rs_member *new = &pair->after->record->members[member];

	if (new->requested_align_bytes < old->requested_align_bytes)
		rs_finding_add(pair->list, "alignment-lost", RS_FINDING_WARNING, pair->after->record, member,
			       NULL, "'%s' was aligned to %u bytes and no longer is", new->path,
			       old->requested_align_bytes);
	if (new->requested_align_bytes > old->requested_align_bytes)
		rs_finding_add(pair->list, "alignment-gained", RS_FINDING_NOTE, pair->after->record, member,
			       NULL, "'%s' is now aligned to %u bytes", new->path, new->requested_align_bytes);
}

static uint64_t line_of(const struct rs_review_pair *pair, uint64_t offset_bits)
{
	uint64_t bytes = pair->after->cost ? rs_cost_line_bytes(pair->after->cost) : 64;

	return offset_bits / (8 * bytes);
}

static void compare_place(const struct rs_review_pair *pair, size_t old, size_t new)
{
	const struct rs_member *before = &pair->before->record->members[old];
	const struct rs_member *after = &pair->after->record->members[new];
	uint64_t from = line_of(pair, before->offset_bits), to = line_of(pair, after->offset_bits);

	if (!pair->moved[old] && from == to)
		return;
	rs_finding_add(pair->list, "field-moved", RS_FINDING_NOTE, pair->after->record, new, NULL,
		       "'%s' %s from byte %" PRIu64 " to %" PRIu64 " (line %" PRIu64 " -> %" PRIu64 ")",
		       after->path, pair->moved[old] ? "moves" : "comes", before->offset_bits / 8,
		       after->offset_bits / 8, from, to);
}

/* A reorder that loses a field or changes its type did not mean to. Who rebuilds a struct, did. */
static enum rs_finding_level level_of(const struct rs_review_pair *pair)
{
	return pair->n_moved > 0 && pair->n_added == 0 ? RS_FINDING_WARNING : RS_FINDING_NOTE;
}

static void compare_gone(const struct rs_review_pair *pair, size_t old)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;
	size_t parent = before->members[old].parent;

	/* What went with the struct around it need not be said, and not what another struct lost. */
	while (parent != RS_NONE && !*before->members[parent].path)
		parent = before->members[parent].parent;
	if (parent == RS_NONE ||
	    (pair->twin[parent] != RS_NONE && rs_review_is_in_place(&before->members[parent])))
		rs_finding_add(pair->list, "field-removed", level_of(pair), after, RS_NONE,
			       before->members[old].path, "'%s' of struct '%s' is gone",
			       before->members[old].path, after->name);
}

static void compare_member(const struct rs_review_pair *pair, size_t old)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;
	const struct rs_member *member = &before->members[old];
	size_t new = pair->twin[old];

	if (new == RS_NONE) {
		compare_gone(pair, old);
		return;
	}
	if (strcmp(member->name, after->members[new].name) != 0)
		rs_finding_add(pair->list, "field-renamed", RS_FINDING_NOTE, after, new, NULL,
			       "'%s' has the place and the type that '%s' had", after->members[new].path,
			       member->path);
	if (!rs_review_same_type(member, &after->members[new]))
		rs_finding_add(pair->list, "field-type", level_of(pair), after, new, NULL,
			       "'%s' changes its type: %s -> %s", member->path, member->declaration,
			       after->members[new].declaration);
	compare_alignment(pair, new, member);
	if (rs_review_is_top(before, old))
		compare_place(pair, old, new);
}

static void compare_record_alignment(const struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;

	/* It follows from the fields, unless none of them went or changed. */
	bool follows = pair->n_removed + pair->n_retyped > 0;

	if (after->align_bytes < before->align_bytes)
		rs_finding_add(pair->list, "alignment-lost", follows ? RS_FINDING_NOTE : RS_FINDING_WARNING,
			       after, RS_NONE, NULL, "struct '%s' was aligned to %u bytes, now to %u",
			       after->name, before->align_bytes, after->align_bytes);
	if (after->align_bytes > before->align_bytes)
		rs_finding_add(pair->list, "alignment-gained", RS_FINDING_NOTE, after, RS_NONE, NULL,
			       "struct '%s' was aligned to %u bytes, now to %u", after->name,
			       before->align_bytes, after->align_bytes);
}

static void compare_fields(const struct rs_review_pair *pair)
{
	const struct rs_record *before = pair->before->record, *after = pair->after->record;

	for (size_t m = 0; m < before->n_members; m++)
		if (*before->members[m].path)
			compare_member(pair, m);
	for (size_t m = 0; m < after->n_members; m++)
		if (rs_review_is_top(after, m) && pair->origin[m] == RS_NONE)
			rs_finding_add(pair->list, "field-added", RS_FINDING_NOTE, after, m, NULL,
				       "'%s' is new", after->members[m].path);
	compare_record_alignment(pair);
}

/* --- cost and sharing --- */

static bool share(const struct rs_record_result *side, const char *writer, const char *victim)
{
	for (size_t i = 0; i < side->original.n_lines; i++) {
		const struct rs_line_report *line = &side->original.lines[i];
		bool has_writer = false, has_victim = false;

		for (size_t w = 0; w < line->n_writers; w++)
			has_writer |= strcmp(side->record->members[line->writers[w]].path, writer) == 0;
		for (size_t v = 0; v < line->n_victims; v++)
			has_victim |= strcmp(side->record->members[line->victims[v]].path, victim) == 0;
		if (has_writer && has_victim)
			return true;
	}
	return false;
}

/* Pairs of a written and a used member that share a line on one side and not on the other: the first of each
 * writer. */
static void compare_sharing(const struct rs_review_pair *pair, const struct rs_record_result *with,
			    const struct rs_record_result *without, bool is_new)
{
	/* What was traded for something better is worth knowing, no more. */
	bool is_loss = is_new && pair->after->original.plan->cost_ns >= pair->before->original.plan->cost_ns;

	for (size_t i = 0; i < with->original.n_lines; i++) {
		const struct rs_line_report *line = &with->original.lines[i];

		for (size_t w = 0; w < line->n_writers; w++) {
			const char *writer = with->record->members[line->writers[w]].path;
			size_t member = rs_record_find_member(pair->after->record, writer);

			for (size_t v = 0; v < line->n_victims; v++) {
				const char *victim = with->record->members[line->victims[v]].path;

				if (strcmp(writer, victim) == 0 || share(without, writer, victim))
					continue;
				rs_finding_add(
					pair->list, is_new ? "false-sharing-added" : "false-sharing-removed",
					is_loss ? RS_FINDING_WARNING : RS_FINDING_NOTE, pair->after->record,
					member, NULL,
					is_new ? "'%s', which is written, now shares line %" PRIu64 " with '%s'"
					       : "'%s', which is written, no longer shares line %" PRIu64
						 " with '%s'",
					writer, line->line, victim);
				break;
			}
		}
	}
}

/* " (sampled)": a change of cost is worth what the figures behind it are. */
static const char *trust_of(const struct rs_review_pair *pair)
{
	const struct rs_binding *binding = pair->after->binding;
	const char *trust = binding ? rs_profile_trust(binding->sources, binding->n_sources) : NULL;

	return trust ? rs_arena_printf(pair->list->arena, " (%s)", trust) : "";
}

static void compare_cost(const struct rs_review_pair *pair)
{
	const double noticeable = 0.001;
	double before, after;

	if (!pair->before->cost || !pair->after->cost)
		return;
	before = pair->before->original.plan->cost_ns;
	after = pair->after->original.plan->cost_ns;
	if (after > before * (1 + noticeable))
		rs_finding_add(pair->list, "cost-increased", RS_FINDING_WARNING, pair->after->record, RS_NONE,
			       NULL, "under the profile%s the cost rises from %.1f to %.1f ns per unit of rate",
			       trust_of(pair), before, after);
	if (after < before * (1 - noticeable))
		rs_finding_add(pair->list, "cost-decreased", RS_FINDING_NOTE, pair->after->record, RS_NONE,
			       NULL, "under the profile%s the cost falls from %.1f to %.1f ns per unit of rate",
			       trust_of(pair), before, after);
	compare_sharing(pair, pair->after, pair->before, true);
	compare_sharing(pair, pair->before, pair->after, false);
}

void rs_review_compare_layout(const struct rs_review_pair *pair)
{
	summarize(pair);
	compare_fields(pair);
	compare_cost(pair);
}

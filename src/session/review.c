#include "session/review.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "session/review_internal.h"

/* One reading of one side. */
struct side {
	struct rs_session_options options;
	struct rs_buffer *buffers;
	struct rs_target *targets;
	size_t n_targets, targets_capacity;
	struct rs_session *session;
	const struct rs_result *result; /* NULL: nothing was read */
};

struct rs_review {
	struct rs_arena *arena;
	const struct rs_git_changes *changes;
	struct side layouts[2];       /* before and after */
	struct side uses[2];          /* of the records whose order changes */
	struct rs_review_pair *moved; /* those, as layouts show them */
	size_t n_moved, moved_capacity;
	bool has_reorder; /* of any of them */
	struct rs_finding_list list;
	struct rs_notes notes;
	struct rs_result result;
};

enum { BEFORE, AFTER };

static bool is_c(const char *path)
{
	static const char *const endings[] = { ".h", ".c", ".inc", ".def", ".hh", ".x" };
	const char *dot = strrchr(rs_path_basename(path), '.');

	for (size_t i = 0; dot && i < RS_COUNT_OF(endings); i++)
		if (strcmp(dot, endings[i]) == 0)
			return true;
	return false;
}

static void set_buffers(struct rs_review *review, struct side *side, const struct rs_session_options *options,
			const struct rs_git_text *texts, size_t n_texts)
{
	side->options = *options;
	side->buffers = rs_arena_array(review->arena, struct rs_buffer, n_texts);
	for (size_t i = 0; i < n_texts; i++)
		side->buffers[i] = (struct rs_buffer) { texts[i].path, texts[i].text, texts[i].size };
	side->options.parse.buffers = side->buffers;
	side->options.parse.n_buffers = n_texts;
}

static void set_side(struct rs_review *review, struct side *side, const struct rs_session_options *options,
		     unsigned which)
{
	const struct rs_git_changes *changes = review->changes;

	if (which == BEFORE)
		set_buffers(review, side, options, changes->old_texts, changes->n_old_texts);
	else
		set_buffers(review, side, options, changes->new_texts, changes->n_new_texts);
}

static void add_target(struct rs_review *review, struct side *side, const char *path, const char *name)
{
	*rs_array_push(review->arena, side->targets, side->n_targets, side->targets_capacity) =
		(struct rs_target) { .file = path, .name = name, .may_fail = true };
}

static struct rs_error *read_side(struct side *side, enum rs_session_goal goal)
{
	if (side->n_targets == 0)
		return NULL;
	RS_TRY(rs_session_create(&side->options, side->targets, side->n_targets, &side->session));
	return rs_session_run(side->session, goal, &side->result);
}

static struct rs_error *read_layouts(struct rs_review *review, const struct rs_session_options *options)
{
	for (size_t i = 0; i < review->changes->n_items; i++) {
		const struct rs_git_change *change = &review->changes->items[i];

		if (is_c(change->path) && change->old_text)
			add_target(review, &review->layouts[BEFORE], change->path, NULL);
		if (is_c(change->path) && change->new_text)
			add_target(review, &review->layouts[AFTER], change->path, NULL);
	}
	for (unsigned which = BEFORE; which <= AFTER; which++) {
		set_side(review, &review->layouts[which], options, which);
		RS_TRY(read_side(&review->layouts[which], RS_GOAL_CHECK));
	}
	return NULL;
}

/* --- pairs --- */

/* "file.h:12", and not "outer::inner". */
static bool is_nameless(const struct rs_record *record)
{
	const char *colon = strrchr(record->name, ':');

	return colon && colon > record->name && colon[-1] != ':';
}

static size_t count_common(const struct rs_record *a, const struct rs_record *b)
{
	size_t count = 0;

	for (size_t m = 0; m < a->n_members; m++)
		count += *a->members[m].path && rs_record_find_member(b, a->members[m].path) != RS_NONE;
	return count;
}

/* One without a name is called by its line: the one that has most fields in common, and half of them at least.
 */
static const struct rs_record_result *find_nameless(const struct side *side, const struct rs_record *like,
						    size_t *index)
{
	const struct rs_record_result *found = NULL;
	size_t most = 0;

	for (size_t i = 0; side->result && i < side->result->n_records; i++) {
		const struct rs_record *record = side->result->records[i].record;
		size_t common = count_common(like, record);

		if (!is_nameless(record) || common <= most || 2 * common < like->n_members ||
		    strcmp(record->source->realpath, like->source->realpath) != 0)
			continue;
		most = common;
		found = &side->result->records[i];
		if (index)
			*index = i;
	}
	return found;
}

static const struct rs_record_result *find_record(const struct side *side, const struct rs_record *like,
						  size_t *index)
{
	if (is_nameless(like))
		return find_nameless(side, like, index);
	for (size_t i = 0; side->result && i < side->result->n_records; i++) {
		const struct rs_record *record = side->result->records[i].record;

		if (strcmp(record->name, like->name) == 0 &&
		    strcmp(record->source->realpath, like->source->realpath) == 0) {
			if (index)
				*index = i;
			return &side->result->records[i];
		}
	}
	return NULL;
}

static bool is_unread(const struct side *side, const char *file)
{
	const struct rs_session *session = side->session;

	for (size_t i = 0; session && i < session->n_failures; i++)
		if (strcmp(rs_path_canonical(session->arena, session->failures[i].file), file) == 0)
			return true;
	return false;
}

/* The one of the other side, also where it came from another file, which has none of its name now. */
static const struct rs_record_result *find_other(const struct rs_review *review, unsigned which,
						 const struct rs_record *like)
{
	const struct side *there = &review->layouts[which], *here = &review->layouts[BEFORE + AFTER - which];
	const struct rs_record_result *found = find_record(there, like, NULL);

	for (size_t i = 0; !found && there->result && i < there->result->n_records; i++) {
		const struct rs_record *record = there->result->records[i].record;

		if (strcmp(record->name, like->name) == 0 && !is_nameless(like) &&
		    !find_record(here, record, NULL))
			found = &there->result->records[i];
	}
	return found;
}

static bool same_text(const struct rs_record *a, const struct rs_record *b)
{
	size_t length = a->span.end - a->span.start;

	return b->span.end - b->span.start == length &&
	       memcmp(a->source->text + a->span.start, b->source->text + b->span.start, length) == 0;
}

static bool same_layout(const struct rs_record *a, const struct rs_record *b)
{
	if (a->size_bytes != b->size_bytes || a->align_bytes != b->align_bytes || a->n_members != b->n_members)
		return false;
	for (size_t m = 0; m < a->n_members; m++)
		if (a->members[m].offset_bits != b->members[m].offset_bits ||
		    strcmp(a->members[m].path, b->members[m].path) != 0)
			return false;
	return true;
}

static struct rs_review_pair make_pair(struct rs_review *review, const struct rs_record_result *before,
				       const struct rs_record_result *after)
{
	struct rs_review_pair pair = {
		.arena = review->arena, .list = &review->list, .before = before, .after = after
	};

	rs_review_match(&pair);
	return pair;
}

static void add_for_uses(struct rs_review *review, const struct rs_review_pair *pair)
{
	const struct rs_record *const records[] = { pair->before->record, pair->after->record };

	*rs_array_push(review->arena, review->moved, review->n_moved, review->moved_capacity) = *pair;
	review->has_reorder |= rs_review_has_reorder(pair);
	for (unsigned which = BEFORE; which <= AFTER; which++)
		add_target(review, &review->uses[which], records[which]->source->path, records[which]->name);
}

static void compare_records(struct rs_review *review)
{
	const struct rs_result *after = review->layouts[AFTER].result;
	struct rs_record_result *touched =
		rs_arena_array(review->arena, struct rs_record_result, after ? after->n_records : 0);

	review->result.records = touched;
	for (size_t i = 0; after && i < after->n_records; i++) {
		const struct rs_record_result *now = &after->records[i];
		const struct rs_record_result *was = find_other(review, BEFORE, now->record);

		if (!was && is_unread(&review->layouts[BEFORE], now->record->source->realpath))
			continue;
		if (!was) {
			touched[review->result.n_records++] = *now;
			rs_finding_add(&review->list, "struct-added", RS_FINDING_NOTE, now->record, RS_NONE,
				       NULL, "struct '%s' is new", now->record->name);
			continue;
		}
		if (same_text(was->record, now->record) && same_layout(was->record, now->record))
			continue;
		touched[review->result.n_records++] = *now;
		struct rs_review_pair pair = make_pair(review, was, now);
		rs_review_compare_layout(&pair);
		rs_review_compare_text(&pair);
		if (rs_review_has_moves(&pair))
			add_for_uses(review, &pair);
	}
}

static void report_removed(struct rs_review *review)
{
	const struct rs_result *before = review->layouts[BEFORE].result;

	for (size_t i = 0; before && i < before->n_records; i++) {
		const struct rs_record *record = before->records[i].record;

		if (!find_other(review, AFTER, record) &&
		    !is_unread(&review->layouts[AFTER], record->source->realpath))
			rs_finding_add_at(&review->list, "struct-removed", RS_FINDING_NOTE,
					  record->source->realpath, 0, record->name, NULL,
					  "struct '%s' is gone", record->name);
	}
}

/* --- uses --- */

static void report_better(struct rs_review *review, const struct rs_record_result *after)
{
	const struct rs_record *record = after->record;
	const struct rs_plan *now = after->original.plan;

	if (after->pick == RS_NONE)
		return;
	const struct rs_plan *plan = after->plans[after->pick].plan;
	if (after->binding)
		rs_finding_add(&review->list, "better-plan", RS_FINDING_NOTE, record, RS_NONE, NULL,
			       "another order would cost %.1f ns instead of %.1f (%zu blocks moved)",
			       plan->cost_ns, now->cost_ns, plan->moved_blocks);
	else
		rs_finding_add(&review->list, "better-plan", RS_FINDING_NOTE, record, RS_NONE, NULL,
			       "another order would take %llu bytes instead of %llu (%zu blocks moved)",
			       (unsigned long long)plan->size_bytes, (unsigned long long)now->size_bytes,
			       plan->moved_blocks);
}

/* Only records of the change are there: the name is enough for one that came from another file. */
static const struct rs_record_result *find_user(const struct side *side, const struct rs_record *like,
						size_t *index)
{
	const struct rs_record_result *found = find_record(side, like, index);

	for (size_t i = 0; !found && i < side->result->n_records; i++)
		if (strcmp(side->result->records[i].record->name, like->name) == 0) {
			*index = i;
			found = &side->result->records[i];
		}
	return found;
}

static void compare_uses(struct rs_review *review)
{
	const struct side *before = &review->uses[BEFORE], *after = &review->uses[AFTER];

	for (size_t i = 0; after->result && before->result && i < after->result->n_records; i++) {
		const struct rs_record_result *now = &after->result->records[i];
		size_t index;
		const struct rs_record_result *was = find_user(before, now->record, &index);

		if (!was)
			continue;
		const struct rs_review_pair pair = make_pair(review, was, now);
		rs_review_compare_uses(&pair, &before->session->records[index], &after->session->records[i],
				       review->changes);
		rs_review_compare_unread(&pair, was->record, now->record, review->layouts[AFTER].session);
		report_better(review, now);
	}
}

/* The other side is read only where there is something to compare, or may be. */
static void set_scope(struct rs_review *review, struct rs_review_scope *scope, unsigned first)
{
	const struct rs_session *session = review->uses[first].session;

	rs_review_scope_add_changes(scope, review->changes);
	rs_review_scope_add_session(scope, session);
	for (size_t i = 0; first == BEFORE && i < review->n_moved; i++)
		rs_review_scope_add_users(scope, session, &review->moved[i]);
}

static struct rs_error *read_uses(struct rs_review *review, const struct rs_session_options *options)
{
	/* What a reorder breaks held before it. Fields that come or go break what counts them. */
	const unsigned first = review->has_reorder ? BEFORE : AFTER, second = BEFORE + AFTER - first;
	struct rs_review_scope scope = { .arena = review->arena };

	if (review->n_moved == 0)
		return NULL;
	set_side(review, &review->uses[first], options, first);
	RS_TRY(read_side(&review->uses[first], RS_GOAL_REVIEW));
	set_scope(review, &scope, first);
	set_side(review, &review->uses[second], options, second);
	review->uses[second].options.only_sources = scope.files;
	review->uses[second].options.n_only_sources = scope.n_files;
	RS_TRY(read_side(&review->uses[second], RS_GOAL_REVIEW));
	compare_uses(review);
	return NULL;
}

/* --- the whole --- */

static void copy_notes(struct rs_review *review, const struct side *side)
{
	const struct rs_notes *notes = side->session ? rs_session_notes(side->session) : NULL;

	for (size_t i = 0; notes && i < notes->n_items; i++) {
		const struct rs_note *note = &notes->items[i];

		rs_notes_add(&review->notes, note->severity, note->path, note->line, note->column, "%s",
			     note->message);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct rs_finding *left = (const struct rs_finding *)a, *right = (const struct rs_finding *)b;
	int order = strcmp(left->path ? left->path : "", right->path ? right->path : "");

	if (order)
		return order;
	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	order = strcmp(left->code, right->code);
	return order ? order : strcmp(left->message, right->message);
}

static void finish(struct rs_review *review)
{
	const struct side *after = &review->layouts[AFTER], *before = &review->layouts[BEFORE];
	const struct rs_result *from = after->result ? after->result : before->result;

	if (review->list.n_items > 0)
		qsort(review->list.items, review->list.n_items, sizeof *review->list.items, by_place);
	copy_notes(review, after->session ? after : before);
	if (from) {
		review->result.parser_version = from->parser_version;
		review->result.triple = from->triple;
		review->result.line_bytes = from->line_bytes;
		review->result.files = from->files;
		review->result.n_files = from->n_files;
	} else {
		review->result.triple = "";
		review->result.line_bytes = 64;
		review->result.parser_version = rs_parser_version();
	}
	review->result.root = review->list.root;
	review->result.findings = review->list.items;
	review->result.n_findings = review->list.n_items;
	review->result.notes = &review->notes;
}

static struct rs_error *run(struct rs_review *review, const struct rs_session_options *options)
{
	const struct rs_result *after, *before;

	RS_TRY(read_layouts(review, options));
	after = review->layouts[AFTER].result;
	before = review->layouts[BEFORE].result;
	review->list.root = after ? after->root : before ? before->root : NULL;
	compare_records(review);
	report_removed(review);
	rs_review_compare_failures(&review->list, review->layouts[BEFORE].session,
				   review->layouts[AFTER].session);
	RS_TRY(read_uses(review, options));
	finish(review);
	return NULL;
}

struct rs_error *rs_review_create(const struct rs_session_options *options,
				  const struct rs_git_changes *changes, struct rs_review **ret_review)
{
	struct rs_review *review = (struct rs_review *)rs_alloc(sizeof *review);

	review->arena = rs_arena_create();
	review->changes = changes;
	review->list.arena = review->arena;
	rs_notes_init(&review->notes, review->arena);
	*ret_review = review;
	return run(review, options);
}

void rs_review_destroy(struct rs_review *review)
{
	if (!review)
		return;
	for (unsigned which = BEFORE; which <= AFTER; which++) {
		rs_session_destroy(review->layouts[which].session);
		rs_session_destroy(review->uses[which].session);
	}
	rs_arena_destroy(review->arena);
	free(review);
}

const struct rs_result *rs_review_result(const struct rs_review *review)
{
	return &review->result;
}

const struct rs_notes *rs_review_notes(const struct rs_review *review)
{
	return &review->notes;
}

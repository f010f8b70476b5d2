#include "rewrite/verify.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "parse/records.h"
#include "record/configurations.h"
#include "record/layout.h"
#include "rewrite/lift_check.h"
#include "rewrite/related.h"

/* What one verification works on. */
struct check {
	struct rs_arena *arena;
	const struct rs_source *source;
	const struct rs_verification *verifications;
	size_t n_verifications;
	bool others_planned; /* in other files */
	struct rs_lifting lifting;
};

static struct rs_error *failed(const struct rs_source *source, size_t byte, const char *what)
{
	struct rs_position at = rs_source_position(source, byte);

	return rs_error_create(RS_ERROR_VERIFY, source->path, at.line, at.column,
			       "the rewritten text was rejected by its verification: %s", what);
}

struct rs_error *rs_verify_inverse(const struct rs_source *source, const char *new_text, size_t new_size,
				   const struct rs_edit *edits, size_t n_edits)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder applied = { 0 };
	RS_CLEANUP(rs_builder_deinit) struct rs_builder restored = { 0 };

	rs_edit_apply(source, edits, n_edits, &applied);
	if (applied.length != new_size || memcmp(applied.data, new_text, new_size) != 0)
		return failed(source, 0, "the edits do not give the text");
	struct rs_source *edited = rs_source_create(arena, source->path, source->realpath, new_text, new_size);
	struct rs_edit *inverse = rs_edit_invert(arena, edited, edits, n_edits);
	rs_edit_apply(edited, inverse, n_edits, &restored);
	if (restored.length != source->size || memcmp(restored.data, source->text, source->size) != 0)
		return failed(source, 0, "the inverse edits do not restore the file");
	return NULL;
}

static bool same_diagnostic(const struct rs_diagnostic *a, const struct rs_diagnostic *b)
{
	if (a->is_error != b->is_error || strcmp(a->message, b->message) != 0)
		return false;
	return a->path == b->path || (a->path && b->path && strcmp(a->path, b->path) == 0);
}

/* Lines shift, so a diagnostic is known by file and text; each known one excuses one. */
static struct rs_error *check_diagnostics(const struct check *check, const struct rs_diagnostic *old,
					  size_t n_old, struct rs_tu *after)
{
	size_t n_new;
	const struct rs_diagnostic *now = rs_tu_diagnostics(after, &n_new);
	bool *used = rs_arena_array(check->arena, bool, n_old);

	for (size_t i = 0; i < n_new; i++) {
		size_t j = 0;

		while (j < n_old && (used[j] || !same_diagnostic(&now[i], &old[j])))
			j++;
		if (j == n_old)
			return rs_error_create(RS_ERROR_REJECTED, now[i].path, now[i].line, now[i].column,
					       "with the new order the compiler says: %s", now[i].message);
		used[j] = true;
	}
	return NULL;
}

static bool is_of(const struct rs_verification *verification, const struct rs_record *record)
{
	return verification->record->span.start == record->span.start;
}

/* A planned record has a plan for each configuration. */
static const struct rs_verification *find_planned(const struct check *check, const struct rs_record *record,
						  bool *ret_is_planned)
{
	*ret_is_planned = false;
	for (size_t i = 0; i < check->n_verifications; i++) {
		if (!is_of(&check->verifications[i], record))
			continue;
		*ret_is_planned = true;
		if (rs_configurations_show_the_same(check->verifications[i].record, record))
			return &check->verifications[i];
	}
	return NULL;
}

static bool are_others_planned(const struct check *check, const struct rs_record *record)
{
	for (size_t i = 0; i < check->n_verifications; i++)
		if (!is_of(&check->verifications[i], record))
			return true;
	return check->others_planned;
}

static struct rs_error *mismatch(const struct check *check, const struct rs_record *record, const char *what)
{
	const char *text = rs_arena_printf(check->arena, "struct '%s': %s", record->name, what);

	return failed(check->source, record->span.start, text);
}

/* Top-level members in the order that the plan gives them, as indices of the old record. */
static size_t planned_order(const struct check *check, const struct rs_record *record, const size_t *order,
			    size_t **ret_members)
{
	size_t *members = rs_arena_array(check->arena, size_t, record->n_members);
	size_t count = 0;

	for (size_t u = 0; u < record->n_units; u++) {
		const struct rs_unit *unit = &record->units[order ? order[u] : u];
		size_t member = unit->first_member;

		for (size_t i = 0; i < unit->n_members; i++, member += 1 + record->members[member].n_inside)
			members[count++] = member;
	}
	*ret_members = members;
	return count;
}

/* One old record, its counterpart in the new text, and the order of top-level members that it must have. */
struct pair {
	const struct rs_record *old, *now;
	const size_t *old_order, *now_order;
	size_t count;
};

/* Behind the number at text if it is this one; NULL when another thing stands there. */
static const char *behind_number(const char *text, unsigned number)
{
	char digits[16];
	size_t length = strspn(text, "0123456789");

	snprintf(digits, sizeof digits, "%u", number);
	return length == strlen(digits) && memcmp(text, digits, length) == 0 ? text + length : NULL;
}

/* Whether the texts are equal but for a number that is the line of the one and of the other: macros make names
 * of __LINE__. */
static bool same_but_for_line(const char *a, unsigned a_line, const char *b, unsigned b_line)
{
	while (*a && *b) {
		const char *a_end = behind_number(a, a_line), *b_end = behind_number(b, b_line);

		if ((!a_end || !b_end) && *a != *b)
			return false;
		a = a_end && b_end ? a_end : a + 1;
		b = a_end && b_end ? b_end : b + 1;
	}
	return *a == *b;
}

static bool same_member(const struct rs_member *a, const struct rs_member *b)
{
	return same_but_for_line(a->path, a->line, b->path, b->line) &&
	       same_but_for_line(a->declaration, a->line, b->declaration, b->line);
}

/* A top-level member and everything inside it: same spelling, size and alignment, at the planned offsets. */
static struct rs_error *check_member(const struct check *check, const struct pair *pair, size_t old_member,
				     size_t now_member, const uint64_t *planned)
{
	size_t n_inside = pair->old->members[old_member].n_inside;

	if (pair->now->members[now_member].n_inside != n_inside)
		return mismatch(check, pair->old, "a nested struct has other members");
	for (size_t i = 0; i <= n_inside; i++) {
		const struct rs_member *a = &pair->old->members[old_member + i];
		const struct rs_member *b = &pair->now->members[now_member + i];
		uint64_t offset = planned[old_member + i];

		if (!same_member(a, b))
			return mismatch(check, pair->old,
					rs_arena_printf(check->arena, "'%s' stands where '%s' should",
							b->declaration, a->declaration));
		if (b->offset_bits != offset || a->size_bits != b->size_bits ||
		    a->align_bytes != b->align_bytes)
			return mismatch(
				check, pair->old,
				rs_arena_printf(check->arena,
						"member '%s' has %llu bits at bit %llu, planned were %llu at "
						"bit %llu",
						a->path, (unsigned long long)b->size_bits,
						(unsigned long long)b->offset_bits,
						(unsigned long long)a->size_bits, (unsigned long long)offset));
	}
	return NULL;
}

static struct rs_error *check_exactly(const struct check *check, const struct pair *pair,
				      const uint64_t *planned, uint64_t size_bytes)
{
	for (size_t i = 0; i < pair->count; i++)
		RS_TRY(check_member(check, pair, pair->old_order[i], pair->now_order[i], planned));
	if (pair->now->size_bytes == size_bytes && pair->now->align_bytes == pair->old->align_bytes)
		return NULL;
	return mismatch(check, pair->old,
			rs_arena_printf(check->arena, "it has %llu bytes, planned were %llu",
					(unsigned long long)pair->now->size_bytes,
					(unsigned long long)size_bytes));
}

/* The same declarations, but for what stands in brackets: an array may be as long as another record is large.
 */
static bool same_but_for_lengths(const char *a, const char *b)
{
	while (*a && *a == *b) {
		bool bracket = *a == '[';

		a += bracket ? strcspn(a, "]") : 1;
		b += bracket ? strcspn(b, "]") : 1;
	}
	return *a == *b;
}

/* A record that embeds another planned one, or an array of it, cannot be held to figures that were made without
 * that one's change: its members must stand in the planned order, where the arithmetic puts them. */
static struct rs_error *check_as_follower(const struct check *check, const struct pair *pair)
{
	size_t member;

	for (size_t i = 0; i < pair->count; i++) {
		const struct rs_member *a = &pair->old->members[pair->old_order[i]];
		const struct rs_member *b = &pair->now->members[pair->now_order[i]];

		if (strcmp(a->path, b->path) != 0 || !same_but_for_lengths(a->declaration, b->declaration))
			return mismatch(check, pair->old,
					rs_arena_printf(check->arena, "'%s' stands where '%s' should",
							b->declaration, a->declaration));
	}
	if (!rs_record_is_refused(pair->old) && !rs_layout_agrees(pair->now, &member))
		return mismatch(check, pair->old, "its layout is not the one that the arithmetic gives");
	return NULL;
}

/* Members and offsets are those that the plan gives the base. */
static struct rs_error *check_base(const struct check *check, const struct rs_verification *planned,
				   const struct rs_record *now)
{
	struct pair pair = { .old = planned->base, .now = now };
	size_t *base_order, *now_order;

	pair.count = planned_order(check, planned->base, planned->plan->order, &base_order);
	if (planned_order(check, now, NULL, &now_order) != pair.count)
		return mismatch(check, planned->base, "the number of members changed");
	pair.old_order = base_order;
	pair.now_order = now_order;
	return check_exactly(check, &pair, planned->plan->offset_bits, planned->plan->size_bytes);
}

/* More than moves was planned: the new record must be the old one with just that done, and have the planned
 * layout in one of the configurations that were planned for. */
static struct rs_error *check_stepped(const struct check *check, const struct rs_record *old,
				      const struct rs_record *now)
{
	struct rs_error *error = NULL;

	for (size_t i = 0; i < check->n_verifications; i++) {
		const struct rs_verification *planned = &check->verifications[i];

		if (!is_of(planned, old))
			continue;
		const char *reason = rs_related_check(check->arena, old, now, planned->steps);
		if (reason)
			return mismatch(check, old, reason);
		rs_error_destroy(error);
		error = check_base(check, planned, now);
		if (!error)
			return NULL;
	}
	return error;
}

static struct rs_error *check_container(const struct check *check, const struct rs_record *old,
					const struct rs_record *now)
{
	const char *reason = rs_lift_check_others(check->arena, check->lifting, old, now);

	return reason ? mismatch(check, old, reason) : NULL;
}

static struct rs_error *check_record(const struct check *check, const struct rs_record *old,
				     const struct rs_record *now)
{
	bool is_planned;
	const struct rs_verification *planned = find_planned(check, old, &is_planned);

	if (planned && planned->base)
		return check_stepped(check, old, now);
	if (rs_lift_is_container(check->lifting, old))
		return check_container(check, old, now);
	uint64_t *offsets = rs_arena_array(check->arena, uint64_t, old->n_members);
	struct pair pair = { .old = old, .now = now };
	size_t *old_order, *now_order;

	if (is_planned && !planned)
		return mismatch(check, old, "this unit shows it in a configuration that was not planned for");
	for (size_t i = 0; i < old->n_members; i++)
		offsets[i] = planned ? planned->plan->offset_bits[i] : old->members[i].offset_bits;
	pair.count = planned ? planned_order(check, planned->record, planned->plan->order, &old_order)
			     : planned_order(check, old, NULL, &old_order);
	if (planned_order(check, now, NULL, &now_order) != pair.count)
		return mismatch(check, old, "the number of members changed");
	pair.old_order = old_order;
	pair.now_order = now_order;
	struct rs_error *error =
		check_exactly(check, &pair, offsets, planned ? planned->plan->size_bytes : old->size_bytes);
	if (!error || !are_others_planned(check, old))
		return error;
	rs_error_destroy(error);
	return check_as_follower(check, &pair);
}

/* Records keep their order in the file unless one lies inside a unit of another that moved. */
static const struct rs_record *find_counterpart(const struct check *check, const struct rs_record *old,
						const struct rs_record *const *now, size_t count, bool *used)
{
	bool is_planned;
	const struct rs_verification *planned = find_planned(check, old, &is_planned);
	size_t n_members = planned && planned->base ? planned->base->n_members : old->n_members;

	/* What embeds a struct with more members has more of them, too. */
	bool any_number = check->lifting.n_items > 0 && !planned;
	for (size_t i = 0; i < count; i++)
		if (!used[i] && strcmp(now[i]->name, old->name) == 0 &&
		    (any_number || now[i]->n_members == n_members)) {
			used[i] = true;
			return now[i];
		}
	return NULL;
}

static struct rs_error *check_records(const struct check *check, struct rs_tu *before, struct rs_tu *after)
{
	const struct rs_record_query query = { .file = check->source->realpath };
	const struct rs_record **old, **now;
	size_t n_old, n_now;

	RS_TRY(rs_records_find(before, check->arena, &query, &old, &n_old));
	RS_TRY(rs_records_find(after, check->arena, &query, &now, &n_now));
	if (n_old != n_now)
		return failed(check->source, 0, "the file defines another number of structs");
	bool *used = rs_arena_array(check->arena, bool, n_now);
	for (size_t i = 0; i < n_old; i++) {
		const struct rs_record *counterpart = find_counterpart(check, old[i], now, n_now, used);

		if (!counterpart)
			return mismatch(check, old[i], "it is gone, or lost members");
		RS_TRY(check_record(check, old[i], counterpart));
	}
	return NULL;
}

/* The file's new text with those of the others. */
static struct rs_buffer *all_texts(struct rs_arena *arena, struct rs_buffer own,
				   const struct rs_verify_context *context)
{
	struct rs_buffer *texts = rs_arena_array(arena, struct rs_buffer, context->n_texts + 1);

	texts[0] = own;
	for (size_t i = 0; i < context->n_texts; i++)
		texts[i + 1] = context->texts[i];
	return texts;
}

const struct rs_given_lists *rs_verify_lists(struct rs_tu *before, struct rs_arena *arena,
					     const struct rs_verify_context *context)
{
	return context->compares_lists
		       ? rs_uses_read_lists(before, arena, context->compares_all_lists, context->lifting)
		       : NULL;
}

static struct rs_error *check_lists(const struct rs_given_lists *before, struct rs_tu *after,
				    const struct rs_verify_context *context)
{
	return before ? rs_uses_compare(before, after, context->compares_all_lists, context->lifting) : NULL;
}

struct rs_error *rs_verify(struct rs_tu *tu, const struct rs_source *source, const char *new_text,
			   size_t new_size, const struct rs_verification *verifications, size_t n_verifications,
			   const struct rs_edit *edits, size_t n_edits, const struct rs_verify_context *context)
{
	static const struct rs_verify_context alone = { 0 };
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *after = NULL;
	const struct rs_buffer own = { .path = source->realpath, .text = new_text, .size = new_size };
	struct check check = { .arena = arena,
			       .source = source,
			       .verifications = verifications,
			       .n_verifications = n_verifications };

	const struct rs_diagnostic *old;
	size_t n_old;

	if (!context)
		context = &alone;
	check.others_planned = context->others_planned;
	check.lifting = context->lifting;
	RS_TRY(rs_verify_inverse(source, new_text, new_size, edits, n_edits));
	RS_TRY(rs_tu_reopen(tu, all_texts(arena, own, context), context->n_texts + 1, &after));
	old = rs_tu_diagnostics(tu, &n_old);
	RS_TRY(check_diagnostics(&check, old, n_old, after));
	RS_TRY(check_lists(rs_verify_lists(tu, arena, context), after, context));
	return check_records(&check, tu, after);
}

struct rs_error *rs_verify_unit(struct rs_tu *after, const struct rs_diagnostic *before, size_t n_before,
				const struct rs_given_lists *lists, const struct rs_verify_context *all)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct check check = { .arena = arena };

	RS_TRY(check_diagnostics(&check, before, n_before, after));
	return check_lists(lists, after, all);
}

struct rs_error *rs_verify_together(struct rs_tu *tu, const struct rs_verify_context *all)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *after = NULL;
	size_t n_before;
	const struct rs_diagnostic *before = rs_tu_diagnostics(tu, &n_before);

	RS_TRY(rs_tu_reopen(tu, all->texts, all->n_texts, &after));
	return rs_verify_unit(after, before, n_before, rs_verify_lists(tu, arena, all), all);
}

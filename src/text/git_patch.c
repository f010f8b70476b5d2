#include <git2.h>
#include <string.h>

#include "base/file.h"
#include "text/git.h"

/* A patch that is put on files, forwards or backwards. */
struct applying {
	struct rs_arena *arena;
	const char *folder, *name; /* where its paths start; what it is called */
	bool backwards;
	struct rs_git_changes *changes;
};

static void free_diff(git_diff **diff)
{
	git_diff_free(*diff);
}

static void free_patch(git_patch **patch)
{
	git_patch_free(*patch);
}

/* --- the text, so that libgit2 reads it --- */

static const char *line_end(const char *at, const char *end)
{
	const char *newline = (const char *)memchr(at, '\n', (size_t)(end - at));

	return newline ? newline + 1 : end;
}

static bool starts(const char *at, const char *end, const char *prefix)
{
	return (size_t)(end - at) >= strlen(prefix) && memcmp(at, prefix, strlen(prefix)) == 0;
}

/* "--- a/x\t2026-11-30" is a/x. */
static size_t name_length(const char *name, const char *end)
{
	size_t length = 0;

	while (name + length < end && !strchr("\t\r\n", name[length]))
		length++;
	return length;
}

static void append_name(struct rs_builder *out, const char *prefix, const char *name, size_t length)
{
	bool has_prefix = length > 2 && (name[0] == 'a' || name[0] == 'b') && name[1] == '/';

	rs_builder_appends(out, has_prefix ? "" : prefix);
	rs_builder_append(out, name, length);
}

/* libgit2 reads git's diffs alone: the others get the header that git would have written. */
static void append_header(struct rs_builder *out, const char *old_name, size_t old_length, const char *new_name,
			  size_t new_length)
{
	bool is_new = old_length == 9 && memcmp(old_name, "/dev/null", 9) == 0;
	bool is_gone = new_length == 9 && memcmp(new_name, "/dev/null", 9) == 0;

	rs_builder_appends(out, "diff --git ");
	append_name(out, "a/", is_new ? new_name : old_name, is_new ? new_length : old_length);
	rs_builder_appendc(out, ' ');
	append_name(out, "b/", is_gone ? old_name : new_name, is_gone ? old_length : new_length);
	rs_builder_appends(out, is_new    ? "\nnew file mode 100644"
				: is_gone ? "\ndeleted file mode 100644"
					  : "");
	rs_builder_appends(out, "\n--- ");
	append_name(out, is_new ? "" : "a/", old_name, old_length);
	rs_builder_appends(out, "\n+++ ");
	append_name(out, is_gone ? "" : "b/", new_name, new_length);
	rs_builder_appendc(out, '\n');
}

/* "diff --git x.h x.h", as diff.noprefix makes it: with prefixes the halves would differ. */
static bool is_bare(const char *at, const char *end)
{
	size_t prefix = strlen("diff --git "), length = (size_t)(end - at);

	while (length > 0 && strchr("\r\n", at[length - 1]))
		length--;
	if (!starts(at, end, "diff --git ") || length < prefix + 3 || (length - prefix) % 2 == 0)
		return false;
	size_t half = (length - prefix) / 2;
	return at[prefix + half] == ' ' && memcmp(at + prefix, at + prefix + half + 1, half) == 0;
}

/* The name gets its prefix, behind the quote where it is quoted. */
static void append_prefixed(struct rs_builder *out, const char *prefix, const char *name, const char *end)
{
	if (starts(name, end, "/dev/null"))
		prefix = "";
	if (name < end && *name == '"')
		rs_builder_appendc(out, *name++);
	rs_builder_appends(out, prefix);
	rs_builder_append(out, name, (size_t)(end - name));
}

/* "Binary files x and x differ" */
static bool append_binary(struct rs_builder *out, const char *at, const char *end)
{
	static const char start[] = "Binary files ", between[] = " and ";
	const char *middle = (const char *)memmem(at, (size_t)(end - at), between, strlen(between));

	if (!starts(at, end, start) || !middle)
		return false;
	rs_builder_appends(out, start);
	append_prefixed(out, "a/", at + strlen(start), middle);
	rs_builder_appends(out, between);
	append_prefixed(out, "b/", middle + strlen(between), end);
	return true;
}

/* A line of the header of a bare diff; false: not one with names that take prefixes. */
static bool append_bare(struct rs_builder *out, const char *at, const char *end)
{
	if (is_bare(at, end)) {
		const char *name = at + strlen("diff --git ");
		const char *second = name + ((size_t)(end - name) - 1) / 2 + 1;

		while (second[-1] != ' ')
			second--;
		rs_builder_appends(out, "diff --git ");
		append_prefixed(out, "a/", name, second);
		append_prefixed(out, "b/", second, end);
		return true;
	}
	if (!starts(at, end, "--- ") && !starts(at, end, "+++ "))
		return append_binary(out, at, end);
	rs_builder_append(out, at, 4);
	append_prefixed(out, *at == '-' ? "a/" : "b/", at + 4, end);
	return true;
}

static void normalize(struct rs_builder *out, const char *text, size_t size)
{
	const char *end = text + size, *next;
	bool in_git_header = false, bare = false;

	for (const char *at = text; at < end; at = next) {
		next = line_end(at, end);
		if (starts(at, end, "diff --git ")) {
			in_git_header = true;
			bare = is_bare(at, next);
		}
		if (in_git_header && bare && append_bare(out, at, next))
			continue;
		if (!in_git_header && starts(at, end, "--- ") && starts(next, end, "+++ ")) {
			append_header(out, at + 4, name_length(at + 4, end), next + 4,
				      name_length(next + 4, end));
			next = line_end(next, end);
			continue;
		}
		if (starts(at, end, "@@ "))
			in_git_header = false;
		rs_builder_append(out, at, (size_t)(next - at));
	}
}

/* --- one file --- */

static struct rs_git_change *find_change(struct rs_git_changes *changes, const char *path)
{
	for (size_t i = 0; i < changes->n_items; i++)
		if (strcmp(changes->items[i].path, path) == 0)
			return &changes->items[i];
	return NULL;
}

static struct rs_git_change *add_change(const struct applying *at, const char *path)
{
	struct rs_git_change *change = find_change(at->changes, path);

	if (!change) {
		change = rs_array_push(at->arena, at->changes->items, at->changes->n_items,
				       at->changes->items_capacity);
		*change = (struct rs_git_change) { .path = path };
	}
	return change;
}

/* The file as the patches before this one left it. */
static struct rs_error *open_file(const struct applying *at, const char *path,
				  struct rs_git_change **ret_change)
{
	struct rs_git_change *change = find_change(at->changes, path);
	char *text = NULL;
	size_t size = 0;

	if (!change) {
		RS_TRY(rs_file_read(at->arena, path, &text, &size));
		change = add_change(at, path);
		change->old_text = change->new_text = text;
		change->old_size = change->new_size = size;
	}
	*ret_change = change;
	return NULL;
}

static struct rs_error *open_change(const struct applying *at, const git_patch *patch,
				    struct rs_git_change **ret_change)
{
	const git_diff_delta *delta = git_patch_get_delta(patch);
	bool is_there = (at->backwards ? delta->status != GIT_DELTA_DELETED : delta->status != GIT_DELTA_ADDED);
	bool has_other = delta->status == GIT_DELTA_RENAMED || delta->status == GIT_DELTA_COPIED;
	const char *old = rs_path_absolute(at->arena, at->folder, delta->old_file.path);
	const char *new = rs_path_absolute(at->arena, at->folder, delta->new_file.path);
	const char *from = at->backwards ? new : old, *to = at->backwards ? old : new;
	struct rs_git_change *source;

	if (!has_other) {
		const char *path = delta->status == GIT_DELTA_DELETED ? old : new;

		if (is_there)
			return open_file(at, path, ret_change);
		*ret_change = add_change(at, path);
		return NULL;
	}
	RS_TRY(open_file(at, from, &source));
	const char *text = source->new_text;
	size_t size = source->new_size;
	if (delta->status == GIT_DELTA_RENAMED || at->backwards)
		source->new_text = NULL;
	*ret_change = add_change(at, to);
	if (delta->status == GIT_DELTA_RENAMED || !at->backwards) {
		(*ret_change)->new_text = text;
		(*ret_change)->new_size = size;
	}
	return NULL;
}

/* The lines of a hunk before and after. */
struct hunk {
	struct rs_builder before, after;
	size_t first_line; /* where it says that it stands, from 1 */
	bool is_last;      /* before ends without a newline, as the file does */
};

static void hunk_deinit(struct hunk *hunk)
{
	rs_builder_deinit(&hunk->before);
	rs_builder_deinit(&hunk->after);
}

static void drop_newline(struct rs_builder *lines)
{
	if (lines->length > 0 && lines->data[lines->length - 1] == '\n')
		lines->length--;
}

/* "\ No newline at end of file" is about the line before it. */
static void end_without_newline(struct hunk *hunk, bool before, bool after)
{
	if (before)
		drop_newline(&hunk->before);
	if (after)
		drop_newline(&hunk->after);
	hunk->is_last |= before;
}

static struct rs_error *read_hunk(const struct applying *at, git_patch *patch, size_t index, struct hunk *hunk)
{
	const git_diff_hunk *header;
	size_t n_lines;

	if (git_patch_get_hunk(&header, &n_lines, patch, index) < 0)
		return rs_error_create(RS_ERROR_PARSE, at->name, 0, 0, "a hunk of the patch cannot be read");
	hunk->first_line = (size_t)(at->backwards ? header->new_start : header->old_start);
	rs_builder_appends(&hunk->before, "");
	rs_builder_appends(&hunk->after, "");
	const char added = at->backwards ? GIT_DIFF_LINE_DELETION : GIT_DIFF_LINE_ADDITION;
	const char removed = at->backwards ? GIT_DIFF_LINE_ADDITION : GIT_DIFF_LINE_DELETION;
	char last = 0;
	for (size_t i = 0; i < n_lines; i++) {
		const git_diff_line *line;

		if (git_patch_get_line_in_hunk(&line, patch, index, i) < 0)
			return rs_error_create(RS_ERROR_PARSE, at->name, 0, 0,
					       "a hunk of the patch cannot be read");
		bool is_line = line->origin == GIT_DIFF_LINE_CONTEXT || line->origin == added ||
			       line->origin == removed;
		if (!is_line) {
			end_without_newline(hunk, last != added, last != removed);
			continue;
		}
		last = line->origin;
		if (last != added)
			rs_builder_append(&hunk->before, line->content, line->content_len);
		if (last != removed)
			rs_builder_append(&hunk->after, line->content, line->content_len);
	}
	return NULL;
}

static bool fits(const char *text, size_t size, size_t byte, const struct hunk *hunk)
{
	size_t length = hunk->before.length;

	return length <= size - byte && memcmp(text + byte, hunk->before.data, length) == 0 &&
	       (!hunk->is_last || byte + length == size);
}

/* The place nearest to the line that the hunk names, not before byte `from`; SIZE_MAX: none. */
static size_t find_place(const char *text, size_t size, size_t from, const struct hunk *hunk)
{
	size_t found = SIZE_MAX, best = SIZE_MAX, line = 1;

	for (size_t byte = 0; byte <= size; line++) {
		size_t distance = line > hunk->first_line ? line - hunk->first_line : hunk->first_line - line;
		const char *newline = byte < size ? (const char *)memchr(text + byte, '\n', size - byte) : NULL;

		if (byte >= from && distance < best && fits(text, size, byte, hunk)) {
			best = distance;
			found = byte;
		}
		if (!newline)
			break;
		byte = (size_t)(newline - text) + 1;
	}
	return found;
}

/* A copy that is taken back leaves the file that it was made of as it is. */
static bool is_copy_undone(const struct applying *at, const git_patch *patch)
{
	return at->backwards && git_patch_get_delta(patch)->status == GIT_DELTA_COPIED;
}

static struct rs_error *apply_hunks(const struct applying *at, git_patch *patch, struct rs_git_change *change)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder out = { 0 };
	const char *text = change->new_text ? change->new_text : "";
	size_t size = change->new_size, done = 0;

	rs_builder_appends(&out, "");
	for (size_t i = 0; i < git_patch_num_hunks(patch); i++) {
		RS_CLEANUP(hunk_deinit) struct hunk hunk = { 0 };

		RS_TRY(read_hunk(at, patch, i, &hunk));
		size_t place = find_place(text, size, done, &hunk);
		if (place == SIZE_MAX)
			return rs_error_create(RS_ERROR_CHANGED, change->path, (unsigned)hunk.first_line, 0,
					       "the patch does not fit here (%s)", at->name);
		rs_builder_append(&out, text + done, place - done);
		rs_builder_append(&out, hunk.after.data, hunk.after.length);
		done = place + hunk.before.length;
	}
	rs_builder_append(&out, text + done, size - done);
	change->new_text = rs_arena_strndup(at->arena, out.data, out.length);
	change->new_size = out.length;
	return NULL;
}

static struct rs_error *apply_delta(const struct applying *at, git_diff *diff, size_t index)
{
	RS_CLEANUP(free_patch) git_patch *patch = NULL;
	struct rs_git_change *change;

	if (git_patch_from_diff(&patch, diff, index) < 0 || !patch)
		return rs_error_create(RS_ERROR_PARSE, at->name, 0, 0, "file %zu of the patch cannot be read",
				       index + 1);
	git_delta_t status = git_patch_get_delta(patch)->status;
	if (git_patch_get_delta(patch)->flags & GIT_DIFF_FLAG_BINARY)
		return NULL; /* no source */
	RS_TRY(open_change(at, patch, &change));
	if (is_copy_undone(at, patch))
		return NULL;
	RS_TRY(apply_hunks(at, patch, change));
	if (status == (at->backwards ? GIT_DELTA_ADDED : GIT_DELTA_DELETED))
		change->new_text = NULL;
	return NULL;
}

static struct rs_error *apply_all(const struct applying *at, git_diff *diff)
{
	size_t count = git_diff_num_deltas(diff);

	*at->changes = (struct rs_git_changes) { 0 };
	for (size_t i = 0; i < count; i++)
		RS_TRY(apply_delta(at, diff, at->backwards ? count - 1 - i : i));
	return NULL;
}

/* What was read backwards ends where it began. */
static void turn_round(struct rs_git_changes *changes)
{
	for (size_t i = 0; i < changes->n_items; i++) {
		struct rs_git_change *change = &changes->items[i];
		struct rs_git_change turned = { .path = change->path,
						.old_text = change->new_text,
						.old_size = change->new_size,
						.new_text = change->old_text,
						.new_size = change->old_size };

		*change = turned;
	}
}

/* The side that is not on disk. */
static void take_texts(struct rs_arena *arena, struct rs_git_changes *changes, bool backwards)
{
	for (size_t i = 0; i < changes->n_items; i++) {
		const struct rs_git_change *change = &changes->items[i];

		if (backwards && change->old_text)
			*rs_array_push(arena, changes->old_texts, changes->n_old_texts,
				       changes->old_texts_capacity) =
				(struct rs_git_text) { change->path, change->old_text, change->old_size };
		if (!backwards && change->new_text)
			*rs_array_push(arena, changes->new_texts, changes->n_new_texts,
				       changes->new_texts_capacity) =
				(struct rs_git_text) { change->path, change->new_text, change->new_size };
	}
}

struct rs_error *rs_git_read_patch(struct rs_arena *arena, const char *folder, const char *name,
				   const char *text, size_t size, struct rs_git_changes *ret_changes)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder normal = { 0 };
	RS_CLEANUP(free_diff) git_diff *diff = NULL;
	struct applying at = { .arena = arena, .folder = folder, .name = name, .changes = ret_changes };

	rs_git_start();
	rs_builder_appends(&normal, "");
	normalize(&normal, text, size);
	if (git_diff_from_buffer(&diff, normal.data, normal.length) < 0 || git_diff_num_deltas(diff) == 0)
		return rs_error_create(RS_ERROR_PARSE, name, 0, 0,
				       "there is no unified diff in it that can be read");
	struct rs_error *error = apply_all(&at, diff);
	if (error) {
		at.backwards = true;
		struct rs_error *again = apply_all(&at, diff);
		if (again) {
			rs_error_destroy(again);
			return error;
		}
		rs_error_destroy(error);
		turn_round(ret_changes);
	}
	take_texts(arena, ret_changes, at.backwards);
	return NULL;
}

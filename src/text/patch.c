#include "text/patch.h"

#include <git2.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"
#include "text/git.h"

enum { ABBREVIATION = 7, COUNT_CONTEXT = 3, NAME_BYTES = 80 };

static struct rs_error *git_failure(const char *path)
{
	const git_error *last = git_error_last();

	return rs_error_create(RS_ERROR_INTERNAL, path, 0, 0, "libgit2 cannot make the diff: %s",
			       last ? last->message : "unknown reason");
}

struct text {
	const char *bytes;
	size_t size;
};

/* Without context git leaves a common tail out of the comparison, in blocks of this size and back to the end of
 * a line. That can change which of several equal diffs is found. */
static void trim_common_tail(struct text *a, struct text *b)
{
	enum { BLOCK = 1024 };
	size_t smaller = a->size < b->size ? a->size : b->size, trimmed = 0, kept = 0;
	const char *tail;

	while (trimmed + BLOCK <= smaller &&
	       memcmp(a->bytes + a->size - trimmed - BLOCK, b->bytes + b->size - trimmed - BLOCK, BLOCK) == 0)
		trimmed += BLOCK;
	tail = a->bytes + a->size - trimmed;
	while (kept < trimmed && tail[kept++] != '\n')
		;
	a->size -= trimmed - kept;
	b->size -= trimmed - kept;
}

/* A diff as libgit2 makes it, with the texts that it points into. */
struct diff {
	git_patch *patch;
	bool is_disguised; /* the texts are the copies below */
	struct rs_builder a, b;
	unsigned char show[256]; /* from a byte of the copies to the original one */
};

static void diff_deinit(struct diff *diff)
{
	git_patch_free(diff->patch);
	rs_builder_deinit(&diff->a);
	rs_builder_deinit(&diff->b);
}

static void find_used(struct text text, bool *used)
{
	for (size_t i = 0; i < text.size; i++)
		used[(unsigned char)text.bytes[i]] = true;
}

/* A control character that is no blank and that neither text holds; 0: there is none. */
static unsigned char find_unused(bool *used)
{
	for (unsigned char byte = 1; byte < 0x20; byte++) {
		if (!used[byte] && (byte < '\t' || byte > '\r')) {
			used[byte] = true;
			return byte;
		}
	}
	return 0;
}

static void disguise_text(struct rs_builder *copy, struct text *text, unsigned char form_feed,
			  unsigned char vertical_tab)
{
	rs_builder_append(copy, text->bytes, text->size);
	for (size_t i = 0; i < copy->length; i++) {
		if (copy->data[i] == '\f')
			copy->data[i] = (char)form_feed;
		else if (copy->data[i] == '\v')
			copy->data[i] = (char)vertical_tab;
	}
	text->bytes = copy->data;
}

/* To libgit2 form feed and vertical tab are blanks, to git they are not, and both place a hunk that fits in
 * several places by how its lines are indented. Hence libgit2 does not get to see them. */
static void disguise(struct diff *diff, struct text *a, struct text *b)
{
	bool used[256] = { false };

	find_used(*a, used);
	find_used(*b, used);
	if (!used['\f'] && !used['\v'])
		return;
	unsigned char form_feed = find_unused(used), vertical_tab = find_unused(used);
	if (!vertical_tab)
		return; /* no C source; the diff is right all the same, if maybe not git's */
	for (unsigned i = 0; i < 256; i++)
		diff->show[i] = (unsigned char)i;
	diff->show[form_feed] = '\f';
	diff->show[vertical_tab] = '\v';
	disguise_text(&diff->a, a, form_feed, vertical_tab);
	disguise_text(&diff->b, b, form_feed, vertical_tab);
	diff->is_disguised = true;
}

static struct rs_error *make_diff(const char *path, struct text a, struct text b, unsigned context_lines,
				  struct diff *diff)
{
	git_diff_options options = GIT_DIFF_OPTIONS_INIT;

	rs_git_start();
	options.flags = GIT_DIFF_INDENT_HEURISTIC | GIT_DIFF_FORCE_TEXT;
	options.context_lines = context_lines;
	options.max_size = -1;
	disguise(diff, &a, &b);
	if (context_lines == 0)
		trim_common_tail(&a, &b);
	/* libgit2 takes NULL for "no such file", which an empty one is not. */
	if (git_patch_from_buffers(&diff->patch, a.size ? a.bytes : "", a.size, "a", b.size ? b.bytes : "",
				   b.size, "b", &options) < 0)
		return git_failure(path);
	return NULL;
}

/* A byte as git writes it inside quotes; false when it stands for itself. */
static bool print_quoted_byte(struct rs_builder *out, unsigned char byte)
{
	static const char special[] = "\a\b\t\n\v\f\r\"\\", letters[] = "abtnvfr\"\\";
	const char *found = byte ? strchr(special, byte) : NULL;

	if (found)
		rs_builder_printf(out, "\\%c", letters[found - special]);
	else if (byte < 0x20 || byte >= 0x7f)
		rs_builder_printf(out, "\\%03o", byte);
	else
		rs_builder_appendc(out, (char)byte);
	return found || byte < 0x20 || byte >= 0x7f;
}

/* prefix and path, as a C string in quotes if a byte needs that (core.quotePath is on by default). */
static void print_name(struct rs_builder *out, const char *prefix, const char *path)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder quoted = { 0 };
	bool needs_quotes = false;

	for (const char *at = path; *at; at++)
		needs_quotes |= print_quoted_byte(&quoted, (unsigned char)*at);
	if (needs_quotes)
		rs_builder_printf(out, "\"%s%s\"", prefix, quoted.data);
	else
		rs_builder_printf(out, "%s%s", prefix, path);
}

/* The tab tells patch where a name with blanks ends. */
static void print_name_line(struct rs_builder *out, const char *marker, const char *prefix, const char *path)
{
	rs_builder_appends(out, marker);
	print_name(out, prefix, path);
	rs_builder_appends(out, strchr(path, ' ') ? "\t\n" : "\n");
}

static struct rs_error *print_header(struct rs_builder *out, const char *path, unsigned mode, struct text a,
				     struct text b)
{
	char id_a[ABBREVIATION + 1], id_b[ABBREVIATION + 1];
	git_oid oid_a, oid_b;

	if (git_odb_hash(&oid_a, a.bytes, a.size, GIT_OBJECT_BLOB) < 0 ||
	    git_odb_hash(&oid_b, b.bytes, b.size, GIT_OBJECT_BLOB) < 0)
		return git_failure(path);
	rs_builder_appends(out, "diff --git ");
	print_name(out, "a/", path);
	rs_builder_appendc(out, ' ');
	print_name(out, "b/", path);
	rs_builder_printf(out, "\nindex %s..%s %06o\n", git_oid_tostr(id_a, sizeof id_a, &oid_a),
			  git_oid_tostr(id_b, sizeof id_b, &oid_b), mode);
	print_name_line(out, "--- ", "a/", path);
	print_name_line(out, "+++ ", "b/", path);
	return NULL;
}

/* git cuts the line with the function's name where it stops being text. */
static size_t valid_length(const char *header, size_t length)
{
	size_t at = 0, step;

	while (at < length && (step = rs_utf8_length(header + at, length - at))) {
		if (step == 3 && memcmp(header + at, "\xef\xbf", 2) == 0 && (header[at + 2] & 0x3e) == 0x3e)
			break; /* U+FFFE and U+FFFF are none of git's characters */
		at += step;
	}
	return at;
}

/* The name's line is cut at 80 bytes. git takes blanks off the end of what is left, libgit2 before it cuts;
 * when fewer bytes are left, a blank at the end is what stood before a byte that is no text, and git keeps it.
 */
static size_t trimmed_length(const char *header, size_t length)
{
	static const char before_name[] = " @@ ";
	const char *name = (const char *)memmem(header, length, before_name, sizeof before_name - 1);

	if (!name || header + length - (name + sizeof before_name - 1) != NAME_BYTES)
		return length;
	while (strchr(" \t\r", header[length - 1]))
		length--;
	return length;
}

static void print_hunk_header(struct rs_builder *out, const git_diff_hunk *hunk)
{
	size_t length = valid_length(hunk->header, hunk->header_len);

	if (length > 0 && hunk->header[length - 1] == '\n')
		length--;
	rs_builder_append(out, hunk->header, trimmed_length(hunk->header, length));
	rs_builder_appendc(out, '\n');
}

static struct rs_error *print_hunk(struct rs_builder *out, const char *path, git_patch *patch, size_t index)
{
	const git_diff_hunk *hunk;
	size_t n_lines;

	if (git_patch_get_hunk(&hunk, &n_lines, patch, index) < 0)
		return git_failure(path);
	print_hunk_header(out, hunk);
	for (size_t i = 0; i < n_lines; i++) {
		const git_diff_line *line;

		if (git_patch_get_line_in_hunk(&line, patch, index, i) < 0)
			return git_failure(path);
		/* The other origins are "\ No newline at end of file", whole in the content. */
		if (line->origin == GIT_DIFF_LINE_CONTEXT || line->origin == GIT_DIFF_LINE_ADDITION ||
		    line->origin == GIT_DIFF_LINE_DELETION)
			rs_builder_appendc(out, line->origin);
		rs_builder_append(out, line->content, line->content_len);
	}
	return NULL;
}

static bool same_text(struct text a, struct text b)
{
	return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

static struct rs_error *print_hunks(struct rs_builder *out, const char *path, const struct diff *diff)
{
	size_t start = out->length;

	for (size_t i = 0, count = git_patch_num_hunks(diff->patch); i < count; i++)
		RS_TRY(print_hunk(out, path, diff->patch, i));
	for (size_t i = start; diff->is_disguised && i < out->length; i++)
		out->data[i] = (char)diff->show[(unsigned char)out->data[i]];
	return NULL;
}

struct rs_error *rs_patch_print(struct rs_builder *out, const char *path, unsigned mode, const char *old_text,
				size_t old_size, const char *new_text, size_t new_size, unsigned context_lines)
{
	struct text a = { old_text, old_size }, b = { new_text, new_size };
	RS_CLEANUP(diff_deinit) struct diff diff = { 0 };

	if (same_text(a, b))
		return NULL;
	RS_TRY(make_diff(path, a, b, context_lines, &diff));
	RS_TRY(print_header(out, path, mode, a, b));
	return print_hunks(out, path, &diff);
}

struct rs_error *rs_patch_count(const char *old_text, size_t old_size, const char *new_text, size_t new_size,
				size_t *ret_added, size_t *ret_removed)
{
	struct text a = { old_text, old_size }, b = { new_text, new_size };
	RS_CLEANUP(diff_deinit) struct diff diff = { 0 };

	*ret_added = *ret_removed = 0;
	if (same_text(a, b))
		return NULL;
	RS_TRY(make_diff(NULL, a, b, COUNT_CONTEXT, &diff));
	if (git_patch_line_stats(NULL, ret_added, ret_removed, diff.patch) < 0)
		return git_failure(NULL);
	return NULL;
}

struct rs_error *rs_patch_count_lines(const char *old_text, size_t old_size, const char *new_text,
				      size_t new_size, size_t *ret_lines)
{
	size_t added, removed;

	RS_TRY(rs_patch_count(old_text, old_size, new_text, new_size, &added, &removed));
	*ret_lines = added + removed;
	return NULL;
}

struct rs_error *rs_patch_hunks(struct rs_arena *arena, const char *old_text, size_t old_size,
				const char *new_text, size_t new_size, struct rs_patch_hunk **ret_hunks,
				size_t *ret_count)
{
	struct text a = { old_text, old_size }, b = { new_text, new_size };
	RS_CLEANUP(diff_deinit) struct diff diff = { 0 };
	size_t count;

	*ret_hunks = NULL;
	*ret_count = 0;
	if (same_text(a, b))
		return NULL;
	RS_TRY(make_diff(NULL, a, b, 0, &diff));
	count = git_patch_num_hunks(diff.patch);
	*ret_hunks = rs_arena_array(arena, struct rs_patch_hunk, count);
	for (size_t i = 0; i < count; i++) {
		const git_diff_hunk *hunk;

		if (git_patch_get_hunk(&hunk, NULL, diff.patch, i) < 0)
			return git_failure(NULL);
		(*ret_hunks)[i] = (struct rs_patch_hunk) { (size_t)hunk->old_start, (size_t)hunk->old_lines,
							   (size_t)hunk->new_start, (size_t)hunk->new_lines };
	}
	*ret_count = count;
	return NULL;
}

char *rs_git_top_level(struct rs_arena *arena, const char *path)
{
	char *folder = rs_path_canonical(arena, path);

	if (!rs_file_is_directory(folder))
		folder = rs_path_directory(arena, folder);
	for (;;) {
		if (rs_file_exists(rs_arena_printf(arena, "%s/.git", folder)))
			return folder;
		if (strcmp(folder, "/") == 0)
			return NULL;
		folder = rs_path_directory(arena, folder);
	}
}

bool rs_git_is_ignored(const char *top, const char *path)
{
	git_repository *repository = NULL;
	git_index *index = NULL;
	const char *below = rs_path_below(path, top);
	int ignored = 0;

	rs_git_start();
	if (below != path && git_repository_open(&repository, top) == 0 &&
	    git_ignore_path_is_ignored(&ignored, repository, below) == 0 && ignored &&
	    git_repository_index(&index, repository) == 0 && git_index_get_bypath(index, below, 0))
		ignored = 0;
	git_index_free(index);
	git_repository_free(repository);
	return ignored == 1;
}

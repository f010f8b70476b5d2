#include <string.h>

#include "base/path.h"
#include "parse/identity.h"
#include "parse/lexer.h"
#include "parse/uses_internal.h"
#include "record/hazards.h"

/* The file as it is known already. */
static const struct rs_initializer_source *find_known(const struct rs_use_walk *walk, const char *path)
{
	for (size_t i = 0; i < walk->n_records; i++) {
		const struct rs_initializer_list *list = &walk->initializers[i];

		for (size_t j = 0; j < list->n_sources; j++)
			if (strcmp(list->sources[j].source->realpath, path) == 0)
				return &list->sources[j];
	}
	return NULL;
}

/* The records' own files are known as sources of theirs; marks in them are pins of their own. */
static const struct rs_initializer_source *add_source(struct rs_use_walk *walk, size_t record, CXFile file,
						      const char *path, const char *text, size_t size)
{
	struct rs_initializer_list *kept = &walk->initializers[record];
	struct rs_initializer_source *added =
		rs_array_push(kept->arena, kept->sources, kept->n_sources, kept->sources_capacity);

	for (size_t i = 0; i < walk->n_records && !added->source; i++)
		if (strcmp(walk->records[i]->source->realpath, path) == 0)
			added->source = walk->records[i]->source;
	if (added->source)
		return added;
	added->source = rs_source_create(kept->arena, rs_tu_shown_path(walk->tu, file, kept->arena),
					 rs_arena_strdup(kept->arena, path),
					 rs_arena_strndup(kept->arena, text, size), size);
	added->is_generated = rs_hazards_is_generated(added->source);
	return added;
}

/* The file's text as all units must have read it. */
static const char *look_at_file(struct rs_use_walk *walk, size_t record, CXFile file,
				const struct rs_source **ret_source)
{
	char *path = rs_tu_file_path(walk->tu, file, walk->arena);
	size_t size = 0;
	const char *bytes = clang_getFileContents(rs_tu_clang(walk->tu), file, &size);

	if (!bytes || rs_tu_is_prelude(walk->tu, file))
		return "it stands in no file";
	if (walk->root && rs_path_below(path, walk->root) == path)
		return "the file lies outside the project root";
	if (clang_Location_isInSystemHeader(clang_getLocation(rs_tu_clang(walk->tu), file, 1, 1)))
		return "it stands in a system header";
	const struct rs_initializer_source *known = find_known(walk, path);
	if (!known)
		known = add_source(walk, record, file, path, bytes, size);
	*ret_source = known->source;
	if (known->source->size != size || memcmp(known->source->text, bytes, size) != 0)
		return "the file changed while it was read";
	return NULL;
}

bool rs_use_is_generated(const struct rs_use_walk *walk, const struct rs_source *source)
{
	const struct rs_initializer_source *known = find_known(walk, source->realpath);

	return known && known->is_generated;
}

/* One look at each file: a table has many rows. */
const char *rs_use_find_source(struct rs_use_walk *walk, size_t record, CXFile file,
			       const struct rs_source **ret_source)
{
	if (!walk->text_file || !rs_identity_is_same(walk->text_file, file)) {
		walk->text_problem = look_at_file(walk, record, file, &walk->text_source);
		walk->text_file = file;
	}
	*ret_source = walk->text_source;
	return walk->text_problem;
}

static const char *find_source(struct rs_use_walk *walk, size_t record, struct rs_use_text *text)
{
	const char *problem = rs_use_find_source(walk, record, text->file, &text->source);

	if (problem)
		return problem;
	if (text->span.end > text->source->size || text->span.end < text->span.start + 2 ||
	    text->source->text[text->span.start] != '{' || text->source->text[text->span.end - 1] != '}')
		return "its braces are not spelled as braces";
	return NULL;
}

/* What moves with a member cannot be edited by itself. */
static const char *find_record_around(const struct rs_use_walk *walk, const struct rs_use_text *text)
{
	for (size_t i = 0; i < walk->n_records; i++) {
		const struct rs_record *record = walk->records[i];

		if (text->span.start >= record->span.start && text->span.start < record->span.end &&
		    strcmp(text->source->realpath, record->source->realpath) == 0)
			return "it stands inside a struct that may be rewritten itself";
	}
	return NULL;
}

/* How deep in brackets the text is behind the token. */
static int depth_behind(const char *text, struct rs_token token, int depth)
{
	if (token.kind != RS_TOKEN_PUNCTUATION)
		return depth;
	if (strchr("({[", text[token.span.start]))
		return depth + 1;
	return strchr(")}]", text[token.span.start]) ? depth - 1 : depth;
}

/* Cuts the list, braces included, at its commas. The unit does not read what it skips. */
static const char *cut(struct rs_use_walk *walk, struct rs_use_text *list, size_t *ret_count)
{
	const char *text = list->source->text;
	struct rs_span *pieces = NULL;
	size_t n_pieces = 0, capacity = 0, n_skipped;
	const struct rs_span *skipped = rs_use_skipped(walk, list->file, &n_skipped);
	bool begins = true;
	int depth = 0;
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text, list->span.start + 1, list->span.end - 1);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;) {
		list->has_directive = list->has_directive || token.kind == RS_TOKEN_DIRECTIVE;
		if (list->has_directive && list->is_macro)
			return "a preprocessor directive stands in the call of a macro";
		if (rs_token_is_comment(token) || token.kind == RS_TOKEN_DIRECTIVE ||
		    (list->has_directive && rs_use_is_skipped(skipped, n_skipped, token.span.start)))
			continue;
		if (depth == 0 && rs_token_is(text, token, ",")) {
			begins = true;
			continue;
		}
		if (begins)
			*rs_array_push(walk->arena, pieces, n_pieces, capacity) = token.span;
		pieces[n_pieces - 1].end = token.span.end;
		begins = false;
		depth = depth_behind(text, token, depth);
	}
	list->pieces = pieces;
	*ret_count = n_pieces;
	return NULL;
}

/* Where the text of a place is that a macro's argument spells; is_macro: in a macro's body. */
static struct rs_clang_place spelled_place(CXSourceLocation location)
{
	struct rs_clang_place spelled = rs_clang_place_of(location, false);
	struct rs_clang_place expanded = rs_clang_place_of(location, true);

	spelled.is_macro = spelled.is_macro && spelled.file && expanded.file && spelled.byte == expanded.byte &&
			   rs_identity_is_same(spelled.file, expanded.file);
	return spelled;
}

/* The compiler must see each value where the text shows one; a designator that reaches into an anonymous struct
 * has no place of its own. */
static const char *check_starts(struct rs_use_walk *walk, const struct rs_use_text *text,
				const struct rs_use_children *values)
{
	for (size_t i = 0; i < values->n_items; i++) {
		if (rs_use_is_designated(walk, values->items[i]))
			continue;
		CXSourceRange range = clang_getCursorExtent(values->items[i]);
		struct rs_clang_place place = rs_clang_place_of(clang_getRangeStart(range), false);

		if (!place.file || !rs_identity_is_same(place.file, text->file) ||
		    place.byte != text->pieces[i].start)
			return "a macro makes its values";
	}
	return NULL;
}

/* `ITEMS(X)`: what X makes counts as spelled where the argument is. */
static bool is_name_passed(struct rs_use_walk *walk, CXSourceRange range, struct rs_clang_place start)
{
	size_t size;
	const char *text = clang_getFileContents(rs_tu_clang(walk->tu), start.file, &size);

	return rs_clang_place_of(clang_getRangeStart(range), true).is_macro && text && start.byte < size &&
	       text[start.byte] != '{';
}

static const char *find_span(struct rs_use_walk *walk, CXCursor list, struct rs_use_text *text)
{
	CXSourceRange range = clang_getCursorExtent(list);
	struct rs_clang_place start = spelled_place(clang_getRangeStart(range));
	struct rs_clang_place end = spelled_place(clang_getRangeEnd(range));

	if (!start.file || !end.file)
		return "it stands in no file";
	if (start.is_macro || end.is_macro || is_name_passed(walk, range, start)) {
		text->is_macro = true;
		return rs_use_find_in_macro(walk, list, text);
	}
	if (!rs_identity_is_same(start.file, end.file))
		return "its braces stand in two files";
	text->file = start.file;
	text->span = (struct rs_span) { start.byte, end.byte };
	return NULL;
}

static const char *read_text(struct rs_use_walk *walk, size_t record, CXCursor list,
			     const struct rs_use_children *values, struct rs_use_text *text)
{
	size_t n_pieces = 0;
	const char *problem = find_span(walk, list, text);

	if (!problem)
		problem = find_source(walk, record, text);
	if (!problem)
		problem = find_record_around(walk, text);
	if (!problem)
		problem = cut(walk, text, &n_pieces);
	if (problem)
		return problem;
	if (n_pieces != values->n_items)
		return "a macro makes its values";
	return text->is_macro ? NULL : check_starts(walk, text, values);
}

void rs_use_read_text(struct rs_use_walk *walk, size_t record, CXCursor list,
		      const struct rs_use_children *values, struct rs_use_text *ret_text)
{
	*ret_text = (struct rs_use_text) { .macro = RS_NONE };
	ret_text->problem = read_text(walk, record, list, values, ret_text);
}

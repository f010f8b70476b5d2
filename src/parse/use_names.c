#include <string.h>

#include "base/path.h"
#include "parse/lexer.h"
#include "parse/uses_internal.h"
#include "record/hazards.h"

/* One list on its way to designators. */
struct naming {
	struct rs_use_walk *walk;
	struct rs_initializer_list *kept;
	CXFile file;
	const struct rs_source *source;
	struct rs_span span; /* from brace to brace */
	struct rs_use_children values;
	size_t *starts; /* byte at which each value starts in the text */
	size_t n_starts;
};

/* --- the text of the list --- */

static const char *find_span(struct naming *naming, CXCursor list)
{
	CXSourceRange range = clang_getCursorExtent(list);
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(range), true);
	struct rs_clang_place end = rs_clang_place_of(clang_getRangeEnd(range), true);

	if (!start.file || start.is_macro || end.is_macro || !clang_File_isEqual(start.file, end.file))
		return "its braces come from a macro";
	naming->file = start.file;
	naming->span = (struct rs_span) { start.byte, end.byte };
	return NULL;
}

/* The file as it is known already. */
static const struct rs_initializer_source *find_known(const struct naming *naming, const char *path)
{
	const struct rs_use_walk *walk = naming->walk;

	for (size_t i = 0; i < walk->n_records; i++) {
		const struct rs_initializer_list *list = &walk->initializers[i];

		for (size_t j = 0; j < list->n_sources; j++)
			if (strcmp(list->sources[j].source->realpath, path) == 0)
				return &list->sources[j];
	}
	return NULL;
}

/* The records' own files are known as sources of theirs; marks in them are pins of their own. */
static const struct rs_initializer_source *add_source(struct naming *naming, const char *path, const char *text,
						      size_t size)
{
	struct rs_use_walk *walk = naming->walk;
	struct rs_initializer_list *kept = naming->kept;
	struct rs_initializer_source *added =
		rs_array_push(kept->arena, kept->sources, kept->n_sources, kept->sources_capacity);

	for (size_t i = 0; i < walk->n_records && !added->source; i++)
		if (strcmp(walk->records[i]->source->realpath, path) == 0)
			added->source = walk->records[i]->source;
	if (added->source)
		return added;
	added->source = rs_source_create(kept->arena, rs_tu_shown_path(walk->tu, naming->file, kept->arena),
					 rs_arena_strdup(kept->arena, path),
					 rs_arena_strndup(kept->arena, text, size), size);
	added->is_generated = rs_hazards_is_generated(added->source);
	return added;
}

/* The file's text as all units must have read it. */
static const char *look_at_file(struct naming *naming)
{
	struct rs_use_walk *walk = naming->walk;
	char *path = rs_tu_file_path(walk->tu, naming->file, walk->arena);
	size_t size = 0;
	const char *text = clang_getFileContents(rs_tu_clang(walk->tu), naming->file, &size);

	if (!text || rs_tu_is_prelude(walk->tu, naming->file))
		return "it stands in no file";
	if (walk->root && rs_path_below(path, walk->root) == path)
		return "the file lies outside the project root";
	const struct rs_initializer_source *known = find_known(naming, path);
	if (!known)
		known = add_source(naming, path, text, size);
	naming->source = known->source;
	if (known->is_generated)
		return "the file is generated, so that it is for its generator to write them";
	if (naming->source->size != size || memcmp(naming->source->text, text, size) != 0)
		return "the file changed while it was read";
	return NULL;
}

/* One look at each file: a table has many rows. */
static const char *find_text(struct naming *naming)
{
	struct rs_use_walk *walk = naming->walk;
	const struct rs_span span = naming->span;

	if (!walk->text_file || !clang_File_isEqual(walk->text_file, naming->file)) {
		walk->text_problem = look_at_file(naming);
		walk->text_source = naming->source;
		walk->text_file = naming->file;
	}
	naming->source = walk->text_source;
	if (walk->text_problem)
		return walk->text_problem;
	if (span.end > naming->source->size || span.end < span.start + 2 ||
	    naming->source->text[span.start] != '{' || naming->source->text[span.end - 1] != '}')
		return "its braces are not spelled as braces";
	return NULL;
}

/* What moves with a member cannot be edited by itself. */
static const char *find_record_around(const struct naming *naming)
{
	const struct rs_use_walk *walk = naming->walk;

	for (size_t i = 0; i < walk->n_records; i++) {
		const struct rs_record *record = walk->records[i];

		if (naming->span.start >= record->span.start && naming->span.start < record->span.end &&
		    strcmp(naming->source->realpath, record->source->realpath) == 0)
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

/* Cuts the list at its commas: a macro that makes several values, or none, shows as another number of pieces.
 */
static const char *cut_values(struct naming *naming)
{
	struct rs_arena *arena = naming->walk->arena;
	const char *text = naming->source->text;
	size_t capacity = 0;
	bool begins = true;
	int depth = 0;
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text, naming->span.start + 1, naming->span.end - 1);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;) {
		if (token.kind == RS_TOKEN_DIRECTIVE)
			return "a preprocessor directive stands in it, so that other configurations may have "
			       "other values";
		if (rs_token_is_comment(token))
			continue;
		if (depth == 0 && rs_token_is(text, token, ",")) {
			begins = true;
			continue;
		}
		if (begins)
			*rs_array_push(arena, naming->starts, naming->n_starts, capacity) = token.span.start;
		begins = false;
		depth = depth_behind(text, token, depth);
	}
	return naming->n_starts == naming->values.n_items ? NULL : "a macro makes its values";
}

/* The compiler must see each value where the text shows one. */
static const char *check_start(const struct naming *naming, size_t value)
{
	CXSourceRange range = clang_getCursorExtent(naming->values.items[value]);
	struct rs_clang_place place = rs_clang_place_of(clang_getRangeStart(range), true);

	return place.file && clang_File_isEqual(place.file, naming->file) && place.byte == naming->starts[value]
		       ? NULL
		       : "a macro makes its values";
}

/* --- names --- */

static const char *make_insertion(const struct naming *naming, const struct rs_use_field *field, size_t value,
				  struct rs_insertion *ret_insertion)
{
	struct rs_use_walk *walk = naming->walk;
	const char *problem = check_start(naming, value);

	if (!problem)
		problem = rs_use_field_misfit(walk, field, naming->values.items[value]);
	if (problem)
		return problem;
	const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(field->cursor));
	*ret_insertion = (struct rs_insertion) {
		.byte = naming->starts[value],
		.text = rs_arena_printf(naming->kept->arena, ".%s = ", name),
	};
	return NULL;
}

/* The field behind the one that the value names; RS_NONE where the next value goes on inside that one. */
static size_t field_behind(const struct naming *naming, const struct rs_use_fields *fields, CXCursor named)
{
	CXCursor value;
	size_t index = rs_use_designated_field(naming->walk, fields, named, &value);

	if (index == RS_NONE)
		return RS_NONE;
	struct rs_use_field field = fields->items[index];
	field.opens_anonymous = false;
	return rs_use_field_misfit(naming->walk, &field, value) ? RS_NONE : index + 1;
}

static const char *make_insertions(const struct naming *naming, const struct rs_use_fields *fields,
				   struct rs_insertion *insertions, size_t *ret_count)
{
	struct rs_use_walk *walk = naming->walk;
	size_t next = 0; /* the field that a value without designator fills; RS_NONE: not known */

	*ret_count = 0;
	for (size_t i = 0; i < naming->values.n_items; i++) {
		if (rs_use_is_designated(walk, naming->values.items[i])) {
			next = field_behind(naming, fields, naming->values.items[i]);
			continue;
		}
		if (next == RS_NONE)
			return "a value without a designator follows a designator that reaches into a member";
		if (next >= fields->n_items)
			return "it has more values than the struct has members";
		const char *problem = make_insertion(naming, &fields->items[next], i, &insertions[*ret_count]);
		if (problem)
			return problem;
		(*ret_count)++;
		next++;
	}
	return NULL;
}

/* Several units may show the same list. */
static const char *keep(const struct naming *naming, size_t record, const struct rs_insertion *insertions,
			size_t count)
{
	struct rs_initializer_list *kept = naming->kept;
	struct rs_use_index *index = naming->walk->index;
	struct rs_initializer *known =
		rs_use_index_find_initializer(index, record, naming->source, naming->span.start);

	if (known && rs_use_index_same_insertions(known, insertions, count))
		return NULL;
	if (known) {
		known->n_insertions = 0;
		return "it gives other members in another translation unit";
	}
	*rs_array_push(kept->arena, kept->items, kept->n_items, kept->items_capacity) =
		(struct rs_initializer) { .source = naming->source,
					  .byte = naming->span.start,
					  .insertions = insertions,
					  .n_insertions = count };
	rs_use_index_enter_initializer(index, record);
	return NULL;
}

static bool is_cxx(CXCursor list)
{
	CXCursor declaration = clang_getTypeDeclaration(clang_getCanonicalType(clang_getCursorType(list)));

	return clang_getCursorLanguage(declaration) == CXLanguage_CPlusPlus;
}

const char *rs_use_name_values(struct rs_use_walk *walk, size_t record, CXCursor list)
{
	struct naming naming = { .walk = walk,
				 .kept = &walk->initializers[record],
				 .values = rs_use_children_of(walk, list) };
	struct rs_use_fields fields = rs_use_fields_of(walk, clang_getCursorType(list));
	const char *problem = is_cxx(list) ? "the file is compiled as C++" : find_span(&naming, list);
	size_t count;

	if (!problem && clang_Location_isInSystemHeader(clang_getCursorLocation(list)))
		problem = "it stands in a system header";
	if (!problem)
		problem = find_text(&naming);
	if (!problem)
		problem = find_record_around(&naming);
	if (!problem)
		problem = cut_values(&naming);
	if (problem)
		return problem;
	struct rs_insertion *insertions =
		rs_arena_array(naming.kept->arena, struct rs_insertion, naming.values.n_items);
	problem = make_insertions(&naming, &fields, insertions, &count);
	return problem ? problem : keep(&naming, record, insertions, count);
}

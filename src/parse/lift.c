#include "parse/lift.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/path.h"
#include "parse/identity.h"
#include "parse/lexer.h"
#include "parse/lift_internal.h"
#include "parse/tu_state.h"

struct rs_lift_search *rs_lift_search_create(struct rs_arena *arena, const struct rs_record *const *records,
					     size_t n_records, struct rs_lifting lifting, const char *root)
{
	struct rs_lift_search *search = rs_arena_new(arena, struct rs_lift_search);

	*search = (struct rs_lift_search) { .arena = arena,
					    .records = records,
					    .n_records = n_records,
					    .lifting = lifting,
					    .root = root,
					    .pins = { .arena = arena } };
	return search;
}

/* --- refusals --- */

static void add_pin(struct rs_lift_search *search, const char *code, const char *path, unsigned line,
		    const char *message)
{
	rs_pin_add(&search->pins, code, RS_PIN_HARD, RS_NONE, line, true, "%s", message);
	search->pins.pins[search->pins.n_pins - 1].file = path;
}

void rs_lift_pin(struct rs_lift_walk *walk, CXCursor where, const char *code, const char *format, ...)
{
	struct rs_lift_search *search = walk->search;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	CXFile file;
	unsigned line;
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	clang_getFileLocation(clang_getCursorLocation(where), &file, &line, NULL, NULL);
	add_pin(search, code, file ? rs_tu_shown_path(walk->uses.tu, file, search->arena) : NULL, line,
		rs_arena_strdup(search->arena, message.data));
}

/* --- texts --- */

static bool is_in_root(const struct rs_lift_search *search, const char *realpath)
{
	return !search->root || rs_path_below(realpath, search->root) != realpath;
}

/* What is spelled in a comment or a string is no code. */
static size_t find_word(const struct rs_lift_search *search, const char *text, struct rs_token token)
{
	for (size_t i = 0; token.kind == RS_TOKEN_IDENTIFIER && i < search->lifting.n_items; i++)
		if (rs_token_is(text, token, rs_lifted_old_name(&search->lifting.items[i])))
			return i;
	return RS_NONE;
}

static void add_words(struct rs_lift_search *search, struct rs_lift_text *text, struct rs_span span,
		      const char *macro)
{
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, text->source->text, span.start, span.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;) {
		size_t word = find_word(search, text->source->text, token);

		if (token.kind == RS_TOKEN_DIRECTIVE && !macro) { /* a #define that is passed over */
			struct rs_span name = rs_lexer_directive_name(text->source->text, token);

			add_words(search, text, (struct rs_span) { name.end, token.span.end },
				  rs_span_is(text->source->text, name, "define") ? "" : NULL);
		} else if (word != RS_NONE) {
			*rs_array_push(search->arena, text->words, text->n_words, text->words_capacity) =
				(struct rs_lift_word) { token.span.start, word, macro };
		}
	}
}

static bool spells_any(const struct rs_lift_search *search, const struct rs_source *source)
{
	for (size_t i = 0; i < search->lifting.n_items; i++) {
		const char *name = rs_lifted_old_name(&search->lifting.items[i]);

		if (memmem(source->text, source->size, name, strlen(name)))
			return true;
	}
	return false;
}

static struct rs_error *find_text(struct rs_lift_walk *walk, CXFile file, struct rs_lift_text **ret_text)
{
	struct rs_lift_search *search = walk->search;
	const char *path = rs_tu_file_path(walk->uses.tu, file, walk->uses.arena);
	struct rs_lift_text *text;

	for (size_t i = 0; i < search->n_texts; i++)
		if (strcmp(search->texts[i].source->realpath, path) == 0) {
			*ret_text = &search->texts[i];
			return NULL;
		}
	const struct rs_source *source;
	RS_TRY(rs_tu_source(walk->uses.tu, file, search->arena, &source));
	text = rs_array_push(search->arena, search->texts, search->n_texts, search->texts_capacity);
	*text = (struct rs_lift_text) {
		.source = source,
		.is_editable = is_in_root(search, source->realpath) &&
			       !clang_Location_isInSystemHeader(
				       clang_getLocationForOffset(rs_tu_clang(walk->uses.tu), file, 0)),
	};
	*ret_text = text;
	return NULL;
}

/* --- names --- */

size_t rs_lift_of_field(struct rs_lift_walk *walk, CXCursor field)
{
	const struct rs_lift_search *search = walk->search;
	size_t record = rs_use_record_of_field(&walk->uses, field);
	const char *name;

	if (record == RS_NONE || record == 0)
		return RS_NONE;
	name = rs_tu_string(walk->uses.arena, clang_getCursorSpelling(field));
	for (size_t i = 0; i < search->lifting.n_items; i++)
		if (strcmp(search->lifting.items[i].member, name) == 0 &&
		    strcmp(search->lifting.items[i].container, search->records[record]->name) == 0)
			return i;
	return RS_NONE;
}

static bool has_lifted_name(struct rs_lift_walk *walk, CXCursor field)
{
	const char *name = rs_tu_string(walk->uses.arena, clang_getCursorSpelling(field));

	for (size_t i = 0; i < walk->search->lifting.n_items; i++)
		if (strcmp(rs_lifted_old_name(&walk->search->lifting.items[i]), name) == 0)
			return true;
	return false;
}

/* The word at the byte; "" when none begins there. */
static const char *word_at(struct rs_arena *arena, const struct rs_source *source, size_t byte)
{
	struct rs_lexer lexer;
	struct rs_token token;

	rs_lexer_init(&lexer, source->text, byte, source->size);
	token = rs_lexer_next(&lexer);
	if (token.kind != RS_TOKEN_IDENTIFIER || token.span.start != byte)
		return "";
	return rs_arena_strndup(arena, source->text + byte, token.span.end - byte);
}

static void add_place(struct rs_lift_walk *walk, struct rs_lift_text *text, struct rs_lift_place place,
		      CXCursor cursor)
{
	for (size_t i = 0; i < text->n_places; i++) {
		if (text->places[i].byte != place.byte)
			continue;
		if (text->places[i].lifted != place.lifted)
			rs_lift_pin(walk, cursor, "lift-name",
				    "this names a member that is lifted and one that is not, or two that are");
		return;
	}
	*rs_array_push(walk->search->arena, text->places, text->n_places, text->places_capacity) = place;
}

static void add_macro(struct rs_lift_search *search, const char *name, bool is_lifted)
{
	for (size_t i = 0; i < search->n_macros; i++)
		if (strcmp(search->macros[i].name, name) == 0 && search->macros[i].is_lifted == is_lifted)
			return;
	*rs_array_push(search->arena, search->macros, search->n_macros, search->macros_capacity) =
		(struct rs_lift_macro) { rs_arena_strdup(search->arena, name), is_lifted };
}

/* The text that names the field in itself; what goes with a lowered one has to stand before it. */
static void take_place(struct rs_lift_walk *walk, struct rs_lift_text *text, struct rs_lift_place place,
		       CXCursor cursor)
{
	const struct rs_lifting *lifting = &walk->search->lifting;

	place.start = place.byte;
	if (place.lifted != RS_NONE && lifting->items[place.lifted].lowers &&
	    !rs_lift_find_access(walk, text->source, cursor, &place))
		rs_lift_pin(walk, cursor, "lift-name", "the text does not say '%s.%s' here",
			    lifting->items[place.lifted].through, lifting->items[place.lifted].name);
	else
		add_place(walk, text, place, cursor);
}

/* A name as an argument of a macro stands where it is written; one in the body of a macro is shown where the
 * macro is used. */
static struct rs_error *take_text(struct rs_lift_walk *walk, CXCursor cursor, size_t lifted)
{
	struct rs_clang_place place = rs_clang_place_of(clang_getCursorLocation(cursor), false);
	CXCursor field = clang_getCursorReferenced(cursor);
	const char *name = rs_tu_string(walk->uses.arena, clang_getCursorSpelling(field)), *word;
	struct rs_lift_text *text;

	if (!place.file)
		return NULL;
	RS_TRY(find_text(walk, place.file, &text));
	word = word_at(walk->uses.arena, text->source, place.byte);
	if (strcmp(word, name) == 0)
		take_place(walk, text, (struct rs_lift_place) { .byte = place.byte, .lifted = lifted }, cursor);
	else if (*word)
		add_macro(walk->search, word, lifted != RS_NONE);
	else if (lifted != RS_NONE)
		rs_lift_pin(walk, cursor, "lift-name", "no text is found that names '%s' here", name);
	if (lifted != RS_NONE && !text->is_editable)
		rs_lift_pin(walk, cursor, "lift-outside",
			    "'%s' is named in a file that is not changed (--root, or a system header)", name);
	return NULL;
}

/* before: the name before it in the same designator or offsetof(); null. */
static struct rs_error *take_reference(struct rs_lift_walk *walk, CXCursor cursor, CXCursor before)
{
	CXCursor field = clang_getCursorReferenced(cursor);
	bool is_plain = false;
	size_t lifted;

	if (clang_Cursor_isNull(field) || !has_lifted_name(walk, field))
		return NULL;
	lifted = rs_lifting_lowers(walk->search->lifting) ? rs_lift_of_name(walk, cursor, before, &is_plain)
							  : rs_lift_of_field(walk, field);
	if (!is_plain)
		return take_text(walk, cursor, lifted);
	rs_lift_pin(walk, cursor, "lift-plain",
		    "this comes to '%s' by struct '%s' alone, and not by a container that it goes to",
		    rs_tu_string(walk->uses.arena, clang_getCursorSpelling(field)),
		    walk->search->records[0]->name);
	return NULL;
}

/* --- one unit --- */

struct visiting {
	struct rs_lift_walk *walk;
	struct rs_error *error;
	CXCursor before; /* the name before, on the same level */
	bool in_allocation;
};

static bool is_allocation(struct rs_lift_walk *walk, CXCursor cursor)
{
	return clang_getCursorKind(cursor) == CXCursor_CallExpr &&
	       rs_lift_is_allocation(rs_tu_string(walk->uses.arena, clang_getCursorSpelling(cursor)));
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct visiting *visiting = (struct visiting *)data, inner = *visiting;
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	if (clang_isPreprocessing(kind))
		return CXChildVisit_Continue;
	if (clang_getCursorKind(parent) == CXCursor_TranslationUnit &&
	    clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
		return CXChildVisit_Continue;
	if (kind == CXCursor_MemberRefExpr || kind == CXCursor_MemberRef)
		inner.error = take_reference(visiting->walk, cursor, visiting->before);
	if (kind == CXCursor_FieldDecl && rs_lifting_lowers(visiting->walk->search->lifting))
		rs_lift_add_loser(visiting->walk, cursor);
	visiting->before = kind == CXCursor_MemberRef ? cursor : clang_getNullCursor();
	inner.before = clang_getNullCursor();
	rs_lift_check_hazards(visiting->walk, cursor, visiting->in_allocation);
	inner.in_allocation |= is_allocation(visiting->walk, cursor);
	if (!inner.error)
		clang_visitChildren(cursor, visit, &inner);
	visiting->error = inner.error;
	return visiting->error ? CXChildVisit_Break : CXChildVisit_Continue;
}

static void add_body(struct rs_lift_search *search, struct rs_lift_text *text, const char *name,
		     struct rs_span body)
{
	for (size_t i = 0; i < text->n_bodies; i += 2)
		if (strcmp(text->bodies[i], name) == 0)
			return;
	*rs_array_push(search->arena, text->bodies, text->n_bodies, text->bodies_capacity) = name;
	*rs_array_push(search->arena, text->bodies, text->n_bodies, text->bodies_capacity) =
		rs_arena_strndup(search->arena, text->source->text + body.start, body.end - body.start);
	add_words(search, text, body, name);
}

static enum CXChildVisitResult visit_macro(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct visiting *visiting = (struct visiting *)data;
	struct rs_lift_walk *walk = visiting->walk;
	CXSourceRange extent = clang_getCursorExtent(cursor);
	struct rs_lift_text *text;

	(void)parent;
	if (clang_getCursorKind(cursor) != CXCursor_MacroDefinition)
		return CXChildVisit_Continue;
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(extent), true);
	struct rs_clang_place end = rs_clang_place_of(clang_getRangeEnd(extent), true);
	if (!start.file || clang_Location_isInSystemHeader(clang_getRangeStart(extent)))
		return CXChildVisit_Continue;
	visiting->error = find_text(walk, start.file, &text);
	if (visiting->error)
		return CXChildVisit_Break;
	const char *name = rs_tu_string(walk->search->arena, clang_getCursorSpelling(cursor));
	add_body(walk->search, text, name, (struct rs_span) { start.byte + strlen(name), end.byte });
	return CXChildVisit_Continue;
}

/* Text that some unit passes over and none reads is not proved by anything. */
static struct rs_error *add_skipped(struct rs_lift_walk *walk, CXFile file)
{
	struct rs_lift_text *text;
	const struct rs_span *skipped;
	size_t count;

	RS_TRY(find_text(walk, file, &text));
	if (!text->is_editable || !spells_any(walk->search, text->source))
		return NULL;
	skipped = rs_use_skipped(&walk->uses, file, &count);
	for (size_t i = 0; i < count; i++)
		add_words(walk->search, text, skipped[i], NULL);
	return NULL;
}

static struct rs_error *look_at_files(struct rs_lift_walk *walk)
{
	const struct rs_inclusions *inclusions = &walk->uses.tu->inclusions;

	for (size_t i = 0; i < inclusions->n_items; i++)
		if (inclusions->items[i].file)
			RS_TRY(add_skipped(walk, inclusions->items[i].file));
	return NULL;
}

struct rs_error *rs_lift_search_unit(struct rs_lift_search *search, struct rs_tu *tu)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct rs_lift_walk walk = {
		.search = search,
		.uses = { .tu = tu,
			  .arena = scratch,
			  .records = search->records,
			  .n_records = search->n_records },
	};
	struct visiting visiting = { .walk = &walk, .before = clang_getNullCursor() };
	CXCursor unit = clang_getTranslationUnitCursor(rs_tu_clang(tu));

	walk.uses.types = rs_arena_array(scratch, CXType, search->n_records);
	clang_visitChildren(unit, visit, &visiting);
	if (!visiting.error)
		clang_visitChildren(unit, visit_macro, &visiting);
	if (!visiting.error)
		visiting.error = look_at_files(&walk);
	rs_use_walk_forget(&walk.uses);
	return visiting.error;
}

/* --- all units --- */

/* Whether the text has the word, be it in a string: a mention too much costs nothing. */
static bool mentions(const char *body, const char *name)
{
	struct rs_lexer lexer;

	rs_lexer_init(&lexer, body, 0, strlen(body));
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (rs_token_is(body, token, name))
			return true;
	return false;
}

/* What the body of a macro that is seen at work uses is at work, too. */
static void add_used_macros(struct rs_lift_search *search, const char *body, bool is_lifted)
{
	for (size_t t = 0; t < search->n_texts; t++)
		for (size_t i = 0; i < search->texts[t].n_bodies; i += 2)
			if (mentions(body, search->texts[t].bodies[i]))
				add_macro(search, search->texts[t].bodies[i], is_lifted);
}

static void close_macros(struct rs_lift_search *search)
{
	for (size_t m = 0; m < search->n_macros; m++)
		for (size_t t = 0; t < search->n_texts; t++)
			for (size_t i = 0; i < search->texts[t].n_bodies; i += 2)
				if (strcmp(search->texts[t].bodies[i], search->macros[m].name) == 0)
					add_used_macros(search, search->texts[t].bodies[i + 1],
							search->macros[m].is_lifted);
}

static bool is_macro_for(const struct rs_lift_search *search, const char *name, bool is_lifted)
{
	for (size_t i = 0; i < search->n_macros; i++)
		if (strcmp(search->macros[i].name, name) == 0 && search->macros[i].is_lifted == is_lifted)
			return true;
	return false;
}

static const struct rs_lift_place *find_place(const struct rs_lift_text *text, size_t byte)
{
	for (size_t i = 0; i < text->n_places; i++)
		if (text->places[i].byte == byte)
			return &text->places[i];
	return NULL;
}

/* Of several members with the name the way to the record must be the same: a macro's text is one for all. */
static bool is_one_way(const struct rs_lift_search *search, size_t lifted)
{
	const struct rs_lifted *own = &search->lifting.items[lifted];

	for (size_t i = 0; i < search->lifting.n_items; i++)
		if (strcmp(rs_lifted_old_name(&search->lifting.items[i]), rs_lifted_old_name(own)) == 0 &&
		    (strcmp(search->lifting.items[i].through, own->through) != 0 ||
		     strcmp(search->lifting.items[i].member, own->member) != 0 ||
		     strcmp(search->lifting.items[i].name, own->name) != 0))
			return false;
	return true;
}

static void settle_word(struct rs_lift_search *search, struct rs_lift_text *text,
			const struct rs_lift_word *word)
{
	const struct rs_lifted *lifted = &search->lifting.items[word->lifted];
	struct rs_lift_place place = { .byte = word->byte, .lifted = word->lifted, .start = word->byte };
	unsigned line = rs_source_position(text->source, word->byte).line;
	bool is_at_work = word->macro && is_macro_for(search, word->macro, true);

	if (find_place(text, word->byte))
		return;
	if (word->macro && !is_at_work && is_macro_for(search, word->macro, false))
		return;
	if (is_at_work && text->is_editable && is_one_way(search, word->lifted) &&
	    (!lifted->lowers || rs_lift_find_way(search, text->source, &place))) {
		*rs_array_push(search->arena, text->places, text->n_places, text->places_capacity) = place;
		return;
	}
	if (!text->is_editable)
		return;
	add_pin(search, word->macro ? "lift-macro" : "lift-unread", text->source->path, line,
		rs_arena_printf(search->arena,
				word->macro
					? "this macro says '%s', and no unit that was read shows for what"
					: "this text says '%s', and #if keeps it from every unit that was read",
				rs_lifted_old_name(lifted)));
}

static int compare_edits(const void *a, const void *b)
{
	const struct rs_edit *x = (const struct rs_edit *)a, *y = (const struct rs_edit *)b;

	return (x->span.start > y->span.start) - (x->span.start < y->span.start);
}

static void add_edit(const struct rs_lift_text *text, struct rs_span span, const char *way,
		     struct rs_lift_file *file, struct rs_edit *edits)
{
	edits[file->n_edits++] =
		(struct rs_edit) { .source = text->source, .span = span, .text = way, .size = strlen(way) };
}

static struct rs_lift_file make_file(struct rs_lift_search *search, const struct rs_lift_text *text)
{
	struct rs_edit *edits = rs_arena_array(search->arena, struct rs_edit, 2 * text->n_places);
	struct rs_lift_file file = { .source = text->source, .edits = edits };

	for (size_t i = 0; i < text->n_places; i++) {
		const struct rs_lift_place *place = &text->places[i];
		const struct rs_lifted *lifted;

		if (place->lifted == RS_NONE)
			continue;
		lifted = &search->lifting.items[place->lifted];
		add_edit(text,
			 (struct rs_span) { place->start, place->byte + strlen(rs_lifted_old_name(lifted)) },
			 lifted->lowers
				 ? lifted->member
				 : rs_arena_printf(search->arena, "%s.%s", lifted->through, lifted->name),
			 &file, edits);
		if (place->opening.end > place->opening.start)
			add_edit(text, place->opening, "", &file, edits);
	}
	if (file.n_edits > 1)
		qsort(edits, file.n_edits, sizeof *edits, compare_edits);
	return file;
}

void rs_lift_search_finish(struct rs_lift_search *search, const struct rs_lift_file **ret_files,
			   size_t *ret_n_files, const struct rs_pin_list **ret_pins)
{
	struct rs_lift_file *files = rs_arena_array(search->arena, struct rs_lift_file, search->n_texts);
	size_t count = 0;

	close_macros(search);
	for (size_t t = 0; t < search->n_texts; t++)
		for (size_t i = 0; i < search->texts[t].n_words; i++)
			settle_word(search, &search->texts[t], &search->texts[t].words[i]);
	for (size_t t = 0; t < search->n_texts; t++) {
		files[count] = make_file(search, &search->texts[t]);
		count += files[count].n_edits > 0;
	}
	*ret_files = files;
	*ret_n_files = count;
	*ret_pins = &search->pins;
}

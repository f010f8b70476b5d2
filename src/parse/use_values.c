#include <string.h>

#include "parse/lexer.h"
#include "parse/uses_internal.h"

/* One node on its way to an entry of the initialiser list. */
struct keeping {
	struct rs_use_walk *walk;
	size_t record;
	struct rs_arena *arena; /* of what is kept */
	struct rs_initializer kept;
	struct rs_initializer_value *values;
	struct rs_text_change *designators;
	size_t n_values, values_capacity, n_designators, designators_capacity;
};

/* A tree with the text of its list. */
struct reading {
	const struct rs_use_tree *tree;
	const struct rs_use_text *text;
};

size_t rs_use_member_of(struct rs_use_walk *walk, size_t record, CXCursor field)
{
	const struct rs_record *found = walk->records[record];
	size_t count, member;

	if (clang_Cursor_isNull(field))
		return RS_NONE;
	if (!rs_use_is_unnamed(field)) {
		member =
			rs_record_find_member(found, rs_tu_string(walk->arena, clang_getCursorSpelling(field)));
		while (member != RS_NONE && found->members[member].parent != RS_NONE)
			member = found->members[member].parent;
		return member;
	}
	CXType type = clang_getCanonicalType(clang_getCursorType(field));
	CXCursor *fields = rs_use_direct_fields(walk, type, &count);
	for (size_t i = 0; type.kind == CXType_Record && i < count; i++) {
		member = rs_use_member_of(walk, record, fields[i]);
		if (member != RS_NONE)
			return member;
	}
	return RS_NONE;
}

/* --- designators --- */

static void replace(struct keeping *keeping, size_t start, size_t end, const char *text)
{
	*rs_array_push(keeping->arena, keeping->designators, keeping->n_designators,
		       keeping->designators_capacity) =
		(struct rs_text_change) { { start, end }, rs_arena_strdup(keeping->arena, text) };
}

static bool has_directive(const struct rs_use_text *text, size_t start, size_t end)
{
	struct rs_lexer lexer;

	if (!text->has_directive)
		return false;
	rs_lexer_init(&lexer, text->source->text, start, end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (token.kind == RS_TOKEN_DIRECTIVE)
			return true;
	return false;
}

static void designate(struct keeping *keeping, const struct reading *reading, const struct rs_use_object *node);

/* No designator names an anonymous struct: what its braces hold gets designators, and they go. */
static void unwrap(struct keeping *keeping, const struct rs_use_object *part)
{
	struct rs_use_walk *walk = keeping->walk;
	CXCursor list = rs_use_strip(walk, part->value);
	struct rs_use_tree tree = rs_use_tree_of(walk, list, part->type);
	struct rs_use_text text;

	rs_use_read_text(walk, keeping->record, list, &tree.values, &text);
	const char *problem = tree.problem ? tree.problem : text.problem;
	if (!problem && tree.values.n_items == 0)
		problem = "braces stand for an anonymous struct or union, which no designator can name";
	if (!problem && text.has_directive)
		problem = "#if stands in braces for an anonymous struct or union, which no designator can name";
	if (!problem && (text.source != keeping->kept.source || text.span.start < keeping->kept.span.start ||
			 text.span.end > keeping->kept.span.end))
		problem = "a macro makes braces for an anonymous struct or union";
	if (problem) {
		keeping->kept.no_designators = problem;
		return;
	}
	const struct reading inner = { &tree, &text };
	size_t last = text.pieces[tree.values.n_items - 1].end;
	struct rs_lexer lexer;
	replace(keeping, text.span.start,
		text.span.start + 1 + strspn(text.source->text + text.span.start + 1, " "), "");
	designate(keeping, &inner, tree.root);
	rs_lexer_init(&lexer, text.source->text, last, text.span.end - 1);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;)
		if (rs_token_is(text.source->text, token, ","))
			replace(keeping, token.span.start, token.span.end, "");
	size_t blank = text.span.end - 1;
	while (blank > last && text.source->text[blank - 1] == ' ')
		blank--;
	replace(keeping, blank, text.span.end, "");
}

static void designate_part(struct keeping *keeping, const struct reading *reading,
			   const struct rs_use_object *part)
{
	struct rs_use_walk *walk = keeping->walk;
	bool is_anonymous = rs_use_is_unnamed(part->field);

	if (is_anonymous && !part->is_leaf) {
		designate(keeping, reading, part);
	} else if (part->is_named) {
		return;
	} else if (is_anonymous) {
		if (clang_getCursorKind(rs_use_strip(walk, part->value)) == CXCursor_InitListExpr)
			unwrap(keeping, part);
		else
			keeping->kept.no_designators =
				"one value stands for all of an anonymous struct or union";
	} else {
		const char *name = rs_tu_string(walk->arena, clang_getCursorSpelling(part->field));
		size_t start = reading->text->pieces[part->first].start;

		replace(keeping, start, start, rs_arena_printf(walk->arena, ".%s = ", name));
		if (!part->is_leaf) {
			size_t end = reading->text->pieces[part->end - 1].end;

			if (has_directive(reading->text, start, end))
				keeping->kept.no_designators = "#if stands among values that lack braces";

			replace(keeping, start, start, "{ ");
			replace(keeping, end, end, " }");
		}
	}
}

static void designate(struct keeping *keeping, const struct reading *reading, const struct rs_use_object *node)
{
	for (size_t i = 0; i < node->n_parts; i++)
		designate_part(keeping, reading, node->parts[i]);
}

/* --- values --- */

/* Behind the designator that the piece begins with, if it does. */
static size_t value_start(const char *text, struct rs_span piece)
{
	struct rs_lexer lexer;
	int depth = 0;

	rs_lexer_init(&lexer, text, piece.start, piece.end);
	for (struct rs_token token; (token = rs_lexer_next(&lexer)).kind != RS_TOKEN_END;) {
		depth += rs_token_is(text, token, "[") ? 1 : rs_token_is(text, token, "]") ? -1 : 0;
		if (depth > 0 || (!rs_token_is(text, token, "=") && !rs_token_is(text, token, ":")))
			continue;
		do
			token = rs_lexer_next(&lexer);
		while (rs_token_is_comment(token));
		return token.span.start;
	}
	return piece.end;
}

static bool has_designator(struct rs_use_walk *walk, const struct rs_use_tree *tree, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		if (rs_use_is_designated(walk, tree->values.items[i]) ||
		    rs_use_is_index_designated(walk, tree->values.items[i]))
			return true;
	return false;
}

static void add_values(struct keeping *keeping, const struct reading *reading, const struct rs_use_object *node)
{
	struct rs_use_walk *walk = keeping->walk;

	for (size_t i = 0; i < node->n_parts; i++) {
		struct rs_use_object *part = node->parts[i];
		struct rs_initializer_value value = { .member = rs_use_member_of(walk, keeping->record,
										 part->field) };

		value.span = (struct rs_span) { reading->text->pieces[part->first].start,
						reading->text->pieces[part->end - 1].end };
		value.needs_braces = !rs_use_is_complete(walk, part);
		if (value.member == RS_NONE)
			keeping->kept.no_order = "a member of it is not known by name";
		*rs_array_push(keeping->arena, keeping->values, keeping->n_values, keeping->values_capacity) =
			value;
	}
}

/* The record's own braces, or its values in a list around it. */
static const char *find_span(struct keeping *keeping, const struct reading *reading,
			     const struct rs_use_object *node)
{
	struct rs_use_walk *walk = keeping->walk;
	struct rs_span first = reading->text->pieces[node->first];
	const struct rs_use_tree *tree = reading->tree;

	keeping->kept.span = reading->text->span;
	if (node == tree->root)
		return NULL;
	keeping->kept.lacks_braces = true;
	keeping->kept.span = (struct rs_span) { first.start, reading->text->pieces[node->end - 1].end };
	if (!has_designator(walk, tree, node->first, node->end))
		return NULL;
	if (node->n_parts == 0 || node->parts[0]->is_named ||
	    has_designator(walk, tree, node->first + 1, node->end))
		return "a value without a designator follows a designator that reaches into a member";
	keeping->kept.span.start = value_start(reading->text->source->text, first);
	return NULL;
}

/* --- keeping --- */

/* `.member = value` for members of the record itself, each by one value. */
static bool is_all_designated(const struct rs_use_tree *tree, const struct rs_use_object *node)
{
	if (node != tree->root || node->n_parts != tree->values.n_items)
		return false;
	for (size_t i = 0; i < node->n_parts; i++)
		if (!node->parts[i]->is_named || !node->parts[i]->is_leaf)
			return false;
	return true;
}

/* Several units may show the same list. */
static const char *keep(struct keeping *keeping)
{
	struct rs_use_index *index = keeping->walk->index;
	struct rs_initializer_list *list = &keeping->walk->initializers[keeping->record];
	const struct rs_initializer *kept = &keeping->kept;
	struct rs_initializer *known =
		rs_use_index_find_initializer(index, keeping->record, kept->source, kept->span.start);

	if (known)
		return rs_use_index_join(list->arena, known, kept);
	if (kept->no_order && kept->no_designators)
		return kept->no_designators;
	*rs_array_push(list->arena, list->items, list->n_items, list->items_capacity) = *kept;
	rs_use_index_enter_initializer(index, keeping->record);
	return NULL;
}

/* The first value begins behind the designator that stands for the record; what is around the record was looked
 * at before. */
static void begin_at(struct keeping *keeping, const struct rs_use_object *node, const struct rs_use_text *text)
{
	size_t start = keeping->kept.span.start;

	text->pieces[node->first].start = start;
	replace(keeping, start, start, "{ ");
}

const char *rs_use_keep_values(struct rs_use_walk *walk, size_t record, const struct rs_use_tree *tree,
			       const struct rs_use_object *node, const struct rs_use_text *text)
{
	struct keeping keeping = { .walk = walk, .record = record, .arena = walk->initializers[record].arena };
	struct rs_initializer *kept = &keeping.kept;
	const struct reading reading = { tree, text };

	*kept = (struct rs_initializer) { .source = text->source,
					  .record = walk->records[record],
					  .macro = text->macro };
	kept->group = text->is_macro ? text->span.start : walk->outer_start;
	const char *problem = find_span(&keeping, &reading, node);
	if (problem)
		return problem;
	kept->has_directive = text->has_directive;
	if (text->has_directive && kept->lacks_braces)
		return "#if stands among values that lack braces";
	if (text->has_directive)
		kept->no_order = "#if stands among its values";
	kept->is_designated = rs_tu_is_cxx(walk->tu) && is_all_designated(tree, node);
	if (!kept->is_designated && node == tree->root && has_designator(walk, tree, node->first, node->end))
		kept->no_order = "it has designators, too";
	if (rs_tu_is_cxx(walk->tu))
		kept->no_designators = "the file is compiled as C++";
	if (kept->lacks_braces)
		begin_at(&keeping, node, text);
	designate(&keeping, &reading, node);
	if (kept->lacks_braces)
		replace(&keeping, kept->span.end, kept->span.end, " }");
	add_values(&keeping, &reading, node);
	kept->values = keeping.values;
	kept->n_values = keeping.n_values;
	kept->designators = keeping.designators;
	kept->n_designators = keeping.n_designators;
	return keep(&keeping);
}

#include <string.h>

#include "parse/uses_internal.h"

bool rs_use_is_zero(struct rs_use_walk *walk, CXCursor value)
{
	CXCursor inner = rs_use_strip(walk, value);
	long long number;

	if (clang_getCursorKind(inner) == CXCursor_InitListExpr) {
		struct rs_use_children inside = rs_use_children_of(walk, inner);

		return inside.n_items == 0 || (inside.n_items == 1 && rs_use_is_zero(walk, inside.items[0]));
	}
	while (rs_use_is_cast(clang_getCursorKind(inner))) {
		struct rs_use_children inside = rs_use_children_of(walk, inner);

		inner = rs_use_strip(walk, inside.items[inside.n_items - 1]);
	}
	return clang_getCursorKind(inner) != CXCursor_DeclRefExpr && rs_use_evaluate(inner, &number) &&
	       number == 0;
}

static bool is_pointer(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_Pointer;
}

/* One list whose values are looked at; its text is read when it is needed. */
struct listing {
	struct rs_use_walk *walk;
	CXCursor list;
	struct rs_use_tree tree;
	struct rs_use_text text;
	bool has_text;
};

static const char *keep_values(struct listing *listing, size_t record, const struct rs_use_object *node)
{
	struct rs_use_walk *walk = listing->walk;

	const char *problem = rs_use_keep_branches(walk, record);

	if (problem)
		return problem;
	if (!listing->has_text)
		rs_use_read_text(walk, record, listing->list, &listing->tree.values, &listing->text);
	listing->has_text = true;
	if (listing->text.problem)
		return listing->text.problem;
	return rs_use_keep_values(walk, record, &listing->tree, node, &listing->text);
}

static size_t count_positional(const struct rs_use_object *node)
{
	size_t count = 0;

	for (size_t i = 0; i < node->n_parts; i++)
		count += !node->parts[i]->is_named;
	return count;
}

/* Whether any value that the node takes has no designator of its own: `.in.x = 1, 2` has one. */
static bool has_positional(const struct rs_use_object *node)
{
	if (count_positional(node) > 0)
		return true;
	for (size_t i = 0; i < node->n_parts; i++)
		if (rs_use_is_unnamed(node->parts[i]->field) && has_positional(node->parts[i]))
			return true;
	return false;
}

static bool has_pin_in(const struct rs_pin_list *pins, const char *code, const char *file)
{
	for (size_t i = 0; i < pins->n_pins; i++)
		if (strcmp(pins->pins[i].code, code) == 0 && pins->pins[i].file &&
		    strcmp(pins->pins[i].file, file) == 0)
			return true;
	return false;
}

/* Once a file: what its generator knows is the order of the members, for all of its lists. */
static void report_generated(struct listing *listing, size_t record, CXCursor where)
{
	const struct rs_source *source = listing->text.source;

	if (rs_use_is_generated(listing->walk, source) &&
	    !has_pin_in(&listing->walk->lists[record], "generated-file", source->path))
		rs_use_pin(listing->walk, record, where, "generated-file", true,
			   "initialised in its order in a file that a program wrote: what writes it has to "
			   "learn the new order, or its next run undoes the patch's lists");
}

static void report_positional(struct listing *listing, size_t record, const struct rs_use_object *node,
			      CXCursor where)
{
	struct rs_use_walk *walk = listing->walk;
	size_t positional = count_positional(node);
	const char *problem = keep_values(listing, record, node);
	struct rs_pin_list *pins = &walk->lists[record];

	if (positional == 0)
		positional = 1;
	if (rs_use_pin(walk, record, where, "positional-initializer", problem != NULL,
		       "initialised here by position: %zu value%s without a designator%s%s", positional,
		       positional == 1 ? "" : "s",
		       problem ? ", and the patch cannot rewrite it: " : ": the patch rewrites it",
		       problem ? problem : "") &&
	    !problem)
		pins->pins[pins->n_pins - 1].strength = RS_PIN_ADVICE;
	if (!problem)
		report_generated(listing, record, where);
}

/* C++ takes designators in the order of the members alone. */
static void report_designated(struct listing *listing, size_t record, const struct rs_use_object *node)
{
	struct rs_use_walk *walk = listing->walk;
	const char *problem = keep_values(listing, record, node);
	struct rs_pin_list *pins = &walk->lists[record];

	if (rs_use_pin(walk, record, listing->list, "cxx-designators", problem != NULL,
		       "initialised here in C++, which takes designators in the order of the members%s%s",
		       problem ? ", and the patch cannot rewrite it: " : ": the patch rewrites it",
		       problem ? problem : "") &&
	    !problem)
		pins->pins[pins->n_pins - 1].strength = RS_PIN_ADVICE;
	if (!problem)
		report_generated(listing, record, listing->list);
}

/* {NULL} is an error or a warning once another kind of member comes first. */
static void keep_null_first(struct listing *listing, size_t record, CXCursor value)
{
	struct rs_use_walk *walk = listing->walk;
	const struct rs_record *found = walk->records[record];

	if (found->n_units > 0 && is_pointer(rs_use_first_member(walk->types[record])) &&
	    is_pointer(clang_getCursorType(rs_use_strip(walk, value))) &&
	    rs_use_pin(walk, record, listing->list, "null-brace", false,
		       "a null pointer alone in braces: '%s' stays first", found->units[0].name))
		rs_constraint_add(&walk->lists[record], RS_KEEP_FIRST, 0, RS_NONE);
}

static bool is_all_zero(struct listing *listing, const struct rs_use_object *node)
{
	for (size_t i = node->first; i < node->end; i++)
		if (!rs_use_is_zero(listing->walk, listing->tree.values.items[i]))
			return false;
	return true;
}

/* The list is the record's own. */
static void check_own(struct listing *listing, size_t record, const struct rs_use_object *node)
{
	const struct rs_use_children *values = &listing->tree.values;

	if (!has_positional(node)) {
		if (rs_tu_is_cxx(listing->walk->tu) && node->n_parts > 1)
			report_designated(listing, record, node);
		return;
	}
	if (values->n_items == 1 && rs_use_is_zero(listing->walk, values->items[0]))
		keep_null_first(listing, record, values->items[0]);
	else
		report_positional(listing, record, node, listing->list);
}

/* Values for the record in a list for something around it. */
static void check_inner(struct listing *listing, size_t record, const struct rs_use_object *node)
{
	CXCursor first = listing->tree.values.items[node->first];

	if (has_positional(node) && !is_all_zero(listing, node))
		report_positional(listing, record, node, first);
}

static void check_node(struct listing *listing, const struct rs_use_object *node)
{
	struct rs_use_walk *walk = listing->walk;
	size_t record = rs_use_record_of(walk, node->type);

	if (node->is_leaf || !rs_use_holds_record(walk, node->type))
		return;
	if (record != RS_NONE && node->end > node->first) {
		if (node == listing->tree.root)
			check_own(listing, record, node);
		else
			check_inner(listing, record, node);
		rs_use_check_order(walk, record, listing->list, &listing->tree, node);
	}
	for (size_t i = 0; i < node->n_parts; i++)
		check_node(listing, node->parts[i]);
}

/* A list that is not understood may give a value to any record in its object. */
static void refuse_held(struct listing *listing, CXType type)
{
	struct rs_use_walk *walk = listing->walk;
	CXType canonical = clang_getCanonicalType(type);
	size_t record, count;

	if (!rs_use_holds_record(walk, canonical))
		return;
	if (canonical.kind != CXType_Record) {
		refuse_held(listing, clang_getElementType(canonical));
		return;
	}
	record = rs_use_record_of(walk, canonical);
	if (record != RS_NONE)
		rs_use_pin(walk, record, listing->list, "positional-initializer", true,
			   "initialised here, and the patch cannot rewrite it: %s", listing->tree.problem);
	CXCursor *fields = rs_use_direct_fields(walk, canonical, &count);
	for (size_t i = 0; i < count; i++)
		refuse_held(listing, clang_getCursorType(fields[i]));
}

static bool has_bare_value(struct listing *listing)
{
	const struct rs_use_children *values = &listing->tree.values;

	for (size_t i = 0; i < values->n_items; i++)
		if (!rs_use_is_designated(listing->walk, values->items[i]) &&
		    !rs_use_is_index_designated(listing->walk, values->items[i]))
			return true;
	return false;
}

/* Whether each value stands for an element by itself, whatever is before it. */
static bool is_rows(struct rs_use_walk *walk, CXCursor list, CXType type)
{
	struct rs_use_children values = rs_use_children_of(walk, list);

	if (type.kind == CXType_Record)
		return false;
	for (size_t i = 0; i < values.n_items; i++)
		if (!rs_use_is_index_designated(walk, values.items[i]) &&
		    clang_getCursorKind(rs_use_strip(walk, values.items[i])) != CXCursor_InitListExpr)
			return false;
	return true;
}

/* What #if makes of the list is for all the records in its object, whether it shows values for them or not. */
static void check_branches(struct rs_use_walk *walk, CXCursor list, CXType type)
{
	struct rs_clang_place start = rs_clang_place_of(clang_getRangeStart(clang_getCursorExtent(list)), true);
	bool *held = rs_arena_array(walk->arena, bool, walk->n_records), rows = is_rows(walk, list, type);

	/* C++ knows designators in the order of the members only. */
	if (!rs_tu_is_cxx(walk->tu) && rs_use_is_named_throughout(walk, list, rows))
		return;
	rs_use_find_held(walk, type, held);
	for (size_t i = 0; i < walk->n_records; i++) {
		const char *problem = held[i] ? rs_use_keep_branches(walk, i) : NULL;

		if (held[i] && !problem && !rows && !start.is_macro)
			problem = rs_use_keep_choice(walk, i, start.byte);
		if (problem)
			rs_use_pin(walk, i, list, "positional-initializer", true,
				   "initialised here, and the patch cannot rewrite it: %s", problem);
	}
}

void rs_use_check_list(struct rs_use_walk *walk, CXCursor list)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(list));
	struct listing listing = { .walk = walk, .list = list };

	if (!rs_use_holds_record(walk, type))
		return;
	if (walk->outer_has_directive)
		check_branches(walk, list, type);
	listing.tree = rs_use_tree_of(walk, list, type);
	if (!listing.tree.problem)
		check_node(&listing, listing.tree.root);
	else if (has_bare_value(&listing))
		refuse_held(&listing, type);
}

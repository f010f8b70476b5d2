#include "parse/uses_internal.h"

/* Values of one list on their way into its object, as C counts them (6.7.9): a designator belongs to the list's
 * own object, what follows goes on behind the place that it named, and braces may be left out. */
struct filler {
	struct rs_use_walk *walk;
	struct rs_use_tree *tree;
	CXCursor *given; /* the values, without designators once these are followed */
	size_t next;
};

/* Where filling goes on behind a designator: the object, and the place of what was named in it. */
struct level {
	struct rs_use_object *object;
	long long at;
};

enum { MOST_LEVELS = 32 };

static bool names_something(const struct filler *filler, size_t value)
{
	return value < filler->tree->values.n_items &&
	       (rs_use_is_designated(filler->walk, filler->given[value]) ||
		rs_use_is_index_designated(filler->walk, filler->given[value]));
}

static bool is_open(const struct filler *filler)
{
	return !filler->tree->problem && filler->next < filler->tree->values.n_items &&
	       !names_something(filler, filler->next);
}

static bool is_union(CXType type)
{
	return clang_getCursorKind(clang_getTypeDeclaration(type)) == CXCursor_UnionDecl;
}

static struct rs_use_object *add_part(struct filler *filler, struct rs_use_object *object, CXType type)
{
	struct rs_use_object *part = rs_arena_new(filler->walk->arena, struct rs_use_object);

	part->type = clang_getCanonicalType(type);
	part->field = clang_getNullCursor();
	part->first = part->end = filler->next;
	*rs_array_push(filler->walk->arena, object->parts, object->n_parts, object->parts_capacity) = part;
	return part;
}

static void find_fields(struct filler *filler, struct rs_use_object *object)
{
	if (object->fields)
		return;
	object->fields = rs_use_direct_fields(filler->walk, object->type, &object->n_fields);
}

/* A new node for what stands at that place of the object; NULL behind the last. */
static struct rs_use_object *part_at(struct filler *filler, struct rs_use_object *object, long long at)
{
	struct rs_use_object *part;

	if (object->type.kind == CXType_Record) {
		find_fields(filler, object);
		if (at >= (long long)object->n_fields)
			return NULL;
		part = add_part(filler, object, clang_getCursorType(object->fields[at]));
		part->field = object->fields[at];
	} else {
		long long n_elements = clang_getNumElements(object->type);

		if (n_elements >= 0 && at >= n_elements)
			return NULL;
		part = add_part(filler, object, clang_getElementType(object->type));
	}
	part->at = part->last = at;
	return part;
}

static void go_on(struct filler *filler, struct rs_use_object *object, long long at);

/* The object takes the next value, or the next ones for what is inside it. */
static void give(struct filler *filler, struct rs_use_object *part)
{
	CXCursor value = filler->given[filler->next];

	part->first = filler->next;
	enum rs_use_taking taking = rs_use_taking_of(filler->walk, part->type, value);
	if (taking == RS_TAKES_WHOLE) {
		part->is_leaf = true;
		part->value = value;
		filler->next++;
	} else if (taking == RS_TAKES_UNSURE) {
		filler->tree->problem = "C++ may make an object of a class of what is among its values";
	} else {
		go_on(filler, part, 0);
	}
	part->end = filler->next;
}

static void go_on(struct filler *filler, struct rs_use_object *object, long long at)
{
	bool of_union = object->type.kind == CXType_Record && is_union(object->type);

	for (; is_open(filler); at++) {
		size_t before = filler->next;
		struct rs_use_object *part = of_union && at > 0 ? NULL : part_at(filler, object, at);

		if (!part)
			return;
		give(filler, part);
		if (filler->next == before && object->type.kind != CXType_Record) {
			filler->tree->problem = "its elements take no values";
			return;
		}
	}
	object->end = filler->next;
}

static const char *too_deep = "a designator in it is not understood";

/* Steps down to the field, through the anonymous structs and unions around it. */
static struct rs_use_object *descend(struct filler *filler, struct rs_use_object *object, CXCursor field,
				     struct level *levels, size_t *n_levels)
{
	if (object->type.kind != CXType_Record || *n_levels >= MOST_LEVELS)
		return NULL;
	find_fields(filler, object);
	for (size_t i = 0; i < object->n_fields; i++) {
		CXCursor own = object->fields[i];
		bool is_it = clang_equalCursors(own, field);

		if (!is_it && !(rs_use_is_unnamed(own) && rs_use_has_field(filler->walk, own, field)))
			continue;
		struct rs_use_object *part = part_at(filler, object, (long long)i);
		part->is_named = true;
		levels[(*n_levels)++] = (struct level) { object, (long long)i };
		return is_it ? part : descend(filler, part, field, levels, n_levels);
	}
	return NULL;
}

static struct rs_use_object *step_into_element(struct filler *filler, struct rs_use_object *object,
					       const struct rs_use_children *steps, size_t *step,
					       struct level *levels, size_t *n_levels)
{
	long long first, last;

	if (object->type.kind != CXType_ConstantArray && object->type.kind != CXType_IncompleteArray)
		return NULL;
	if (*n_levels >= MOST_LEVELS || !rs_use_evaluate(steps->items[*step], &first))
		return NULL;
	last = first;
	CXType element = clang_getCanonicalType(clang_getElementType(object->type));
	bool another = *step + 2 < steps->n_items &&
		       clang_getCursorKind(steps->items[*step + 1]) != CXCursor_MemberRef;
	if (another && element.kind == CXType_ConstantArray)
		return NULL; /* [1][2] and [1 ... 2] look alike */
	if (another && !rs_use_evaluate(steps->items[++*step], &last))
		return NULL;
	struct rs_use_object *part = part_at(filler, object, first);
	if (!part)
		return NULL;
	part->is_named = true;
	part->last = last;
	levels[(*n_levels)++] = (struct level) { object, last };
	return part;
}

/* Follows the designator of the next value, gives it, and goes on behind it at each level. */
static void follow(struct filler *filler)
{
	struct rs_use_children steps = rs_use_children_of(filler->walk, filler->given[filler->next]);
	struct rs_use_object *part = filler->tree->root;
	struct level levels[MOST_LEVELS];
	size_t n_levels = 0;

	for (size_t i = 0; part && i + 1 < steps.n_items; i++) {
		if (clang_getCursorKind(steps.items[i]) != CXCursor_MemberRef) {
			part = step_into_element(filler, part, &steps, &i, levels, &n_levels);
			continue;
		}
		CXCursor field = clang_getCursorReferenced(steps.items[i]);
		if (!rs_use_is_unnamed(field))
			part = descend(filler, part, field, levels, &n_levels);
	}
	if (!part || n_levels == 0) {
		filler->tree->problem = too_deep;
		return;
	}
	filler->given[filler->next] = steps.items[steps.n_items - 1];
	give(filler, part);
	while (n_levels-- > 0) {
		struct rs_use_object *object = levels[n_levels].object;
		bool of_union = object->type.kind == CXType_Record && is_union(object->type);

		go_on(filler, object, of_union ? 1 : levels[n_levels].at + 1);
		object->end = filler->next;
	}
}

struct rs_use_tree rs_use_tree_of(struct rs_use_walk *walk, CXCursor list, CXType type)
{
	struct rs_use_tree tree = { .values = rs_use_children_of(walk, list) };
	struct filler filler = { .walk = walk, .tree = &tree };

	filler.given = rs_arena_array(walk->arena, CXCursor, tree.values.n_items);
	for (size_t i = 0; i < tree.values.n_items; i++)
		filler.given[i] = tree.values.items[i];
	tree.root = rs_arena_new(walk->arena, struct rs_use_object);
	tree.root->type = clang_getCanonicalType(type);
	tree.root->field = clang_getNullCursor();
	if (tree.root->type.kind != CXType_Record &&
	    clang_getArrayElementType(tree.root->type).kind == CXType_Invalid)
		tree.problem = "it is for no struct and no array";
	else if (rs_tu_is_cxx(walk->tu) && rs_use_class_of(tree.root->type) == RS_CLASS_UNSURE)
		tree.problem = "it is for a class that inherits";
	else
		go_on(&filler, tree.root, 0);
	while (!tree.problem && filler.next < tree.values.n_items) {
		if (names_something(&filler, filler.next))
			follow(&filler);
		else
			tree.problem = "it has more values than the struct has members";
	}
	tree.root->end = tree.values.n_items;
	return tree;
}

bool rs_use_is_complete(struct rs_use_walk *walk, struct rs_use_object *node)
{
	size_t wanted;

	if (node->is_leaf)
		return true;
	if (node->type.kind == CXType_Record && is_union(node->type)) {
		wanted = 1;
	} else if (node->type.kind == CXType_Record) {
		rs_use_direct_fields(walk, node->type, &wanted);
	} else {
		long long n_elements = clang_getNumElements(node->type);

		if (n_elements < 0)
			return false;
		wanted = (size_t)n_elements;
	}
	for (size_t i = 0; i < node->n_parts; i++)
		if (node->parts[i]->is_named || !rs_use_is_complete(walk, node->parts[i]))
			return false;
	return node->n_parts == wanted;
}

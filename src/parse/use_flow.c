#include "parse/uses_internal.h"

#include <uthash.h>

enum { MAX_REACHED = 256 };

struct deed {
	enum rs_use_deed kind;
	CXType type;
	const char *by;
	CXCursor where;
};

struct rs_use_node {
	unsigned hash;
	CXCursor declaration;
	struct rs_use_node **targets; /* that get what this one holds */
	size_t n_targets, targets_capacity;
	struct rs_use_origin *origins;
	size_t n_origins, origins_capacity;
	struct deed *deeds;
	size_t n_deeds, deeds_capacity;
	bool is_called_back;           /* a parameter that is given many objects, each for something else */
	size_t visit;                  /* the last search that came by */
	struct rs_use_node *next;      /* of the same hash */
	struct rs_use_node *next_made; /* of all */
	UT_hash_handle hh;
};

/* What one address comes to. */
struct reach {
	struct rs_use_node *nodes[MAX_REACHED];
	size_t n_nodes;
};

static struct rs_use_node *node_of(struct rs_use_walk *walk, CXCursor declaration)
{
	struct rs_use_node *head, *node;

	declaration = clang_getCanonicalCursor(declaration);
	unsigned hash = clang_hashCursor(declaration);
	HASH_FIND(hh, walk->nodes, &hash, sizeof hash, head);
	for (node = head; node; node = node->next)
		if (clang_equalCursors(node->declaration, declaration))
			return node;
	node = rs_arena_new(walk->arena, struct rs_use_node);
	node->hash = hash;
	node->declaration = declaration;
	node->next_made = walk->last_node;
	walk->last_node = node;
	if (head) {
		node->next = head->next;
		head->next = node;
	} else {
		HASH_ADD(hh, walk->nodes, hash, sizeof hash, node);
	}
	return node;
}

void rs_use_flow_into(struct rs_use_walk *walk, CXCursor declaration, const struct rs_use_origin *origin)
{
	if (origin->kind == RS_ORIGIN_UNKNOWN ||
	    (origin->kind == RS_ORIGIN_OBJECT && !rs_use_holds_record(walk, origin->type)))
		return;
	struct rs_use_node *node = node_of(walk, declaration);
	if (origin->kind == RS_ORIGIN_HOLDER) {
		struct rs_use_node *from = node_of(walk, origin->declaration);

		if (from != node)
			*rs_array_push(walk->arena, from->targets, from->n_targets, from->targets_capacity) =
				node;
		return;
	}
	*rs_array_push(walk->arena, node->origins, node->n_origins, node->origins_capacity) = *origin;
}

void rs_use_flow_back(struct rs_use_walk *walk, CXCursor parameter, const struct rs_use_origin *origin)
{
	CXType element = rs_use_element(clang_getCursorType(parameter));

	if (element.kind != CXType_Void && !rs_use_is_number(element) && element.kind != CXType_Record)
		return;
	node_of(walk, parameter)->is_called_back = true;
	if (origin->kind == RS_ORIGIN_OBJECT || origin->kind == RS_ORIGIN_HOLDER)
		rs_use_flow_into(walk, parameter, origin);
	if (element.kind != CXType_Void)
		rs_use_flow_deed(walk, parameter, RS_DEED_VIEW, element, NULL, parameter);
}

void rs_use_flow_deed(struct rs_use_walk *walk, CXCursor declaration, enum rs_use_deed deed, CXType type,
		      const char *by, CXCursor where)
{
	struct rs_use_node *node = node_of(walk, declaration);

	*rs_array_push(walk->arena, node->deeds, node->n_deeds, node->deeds_capacity) =
		(struct deed) { .kind = deed, .type = type, .by = by, .where = where };
}

/* A member holds what many objects point to, each something else, and so does what a function returns: only
 * what is never anything but a mapping, and what an object begins with, is told by these. */
static bool is_shared(const struct rs_use_node *node)
{
	enum CXCursorKind kind = clang_getCursorKind(node->declaration);

	return kind == CXCursor_FieldDecl || kind == CXCursor_FunctionDecl;
}

static void reach_from(struct rs_use_walk *walk, struct rs_use_node *start, bool through_shared,
		       struct reach *reach)
{
	size_t search = ++walk->n_searches;

	reach->n_nodes = 1;
	reach->nodes[0] = start;
	start->visit = search;
	for (size_t at = 0; at < reach->n_nodes; at++) {
		const struct rs_use_node *node = reach->nodes[at];

		for (size_t i = 0; i < node->n_targets && reach->n_nodes < MAX_REACHED; i++) {
			if (node->targets[i]->visit == search ||
			    (!through_shared && is_shared(node->targets[i])))
				continue;
			node->targets[i]->visit = search;
			reach->nodes[reach->n_nodes++] = node->targets[i];
		}
	}
}

/* The next deed of the kind; NULL when there is no more. */
static const struct deed *next_deed(const struct reach *reach, enum rs_use_deed kind, size_t *node,
				    size_t *index)
{
	for (; *node < reach->n_nodes; (*node)++, *index = 0)
		while (*index < reach->nodes[*node]->n_deeds) {
			const struct deed *deed = &reach->nodes[*node]->deeds[(*index)++];

			if (deed->kind == kind)
				return deed;
		}
	return NULL;
}

static const struct deed *first_deed(const struct reach *reach, enum rs_use_deed kind)
{
	size_t node = 0, index = 0;

	return next_deed(reach, kind, &node, &index);
}

static const struct deed *find_exposure(const struct reach *reach)
{
	const struct deed *escape = first_deed(reach, RS_DEED_ESCAPE);

	return escape ? escape : first_deed(reach, RS_DEED_BYTES);
}

static void pin_exposure(struct rs_use_walk *walk, CXType type, const struct deed *deed, CXCursor where)
{
	if (deed->kind == RS_DEED_ESCAPE)
		rs_use_pin_held(walk, type, where, "layout-escapes",
				"its address comes to %s, which sees its bytes: their order is a format",
				deed->by);
	else
		rs_use_pin_held(walk, type, where, "layout-escapes",
				"its bytes are looked at one by one: their order is a format");
}

static bool is_called_back(const struct reach *reach)
{
	for (size_t i = 0; i < reach->n_nodes; i++)
		if (reach->nodes[i]->is_called_back)
			return true;
	return false;
}

/* A pointer to anything that was one to the record becomes one to another type. Where it also becomes one to
 * the record again, what it is has been asked before. */
static void judge_views(struct rs_use_walk *walk, const struct rs_use_origin *origin, const struct reach *reach)
{
	size_t node = 0, index = 0, record = rs_use_record_of(walk, origin->type);
	const struct deed *deed;
	bool begin_only = is_called_back(reach);

	if (record == RS_NONE)
		return;
	while ((deed = next_deed(reach, RS_DEED_VIEW, &node, &index)))
		begin_only = begin_only || rs_use_record_of(walk, deed->type) == record;
	node = index = 0;
	while ((deed = next_deed(reach, RS_DEED_VIEW, &node, &index)))
		rs_use_check_view(walk, record, deed->type, deed->where, begin_only);
	node = index = 0;
	while ((deed = next_deed(reach, RS_DEED_INDEX, &node, &index)) && !begin_only)
		rs_use_check_numbers(walk, origin->type, deed->type, deed->where);
	node = index = 0;
	while ((deed = next_deed(reach, RS_DEED_STRING, &node, &index)))
		rs_use_check_string(walk, origin->type, deed->by, deed->where);
}

/* The struct that the object is taken for somewhere behind a member or a function's result. */
static void judge_bases(struct rs_use_walk *walk, const struct rs_use_origin *origin, struct rs_use_node *start)
{
	size_t node = 0, index = 0, record = rs_use_record_of(walk, origin->type);
	const struct deed *deed;
	struct reach reach;

	if (origin->kind != RS_ORIGIN_OBJECT || record == RS_NONE)
		return;
	reach_from(walk, start, true, &reach);
	while ((deed = next_deed(&reach, RS_DEED_VIEW, &node, &index)))
		if (deed->type.kind == CXType_Record)
			rs_use_check_view(walk, record, deed->type, deed->where, true);
}

static void judge_member(struct rs_use_walk *walk, const struct rs_use_origin *origin,
			 const struct reach *reach)
{
	if (!first_deed(reach, RS_DEED_INDEX))
		return;
	for (size_t record = 0; record < walk->n_records; record++)
		if (rs_use_unit_of_field(walk, record, origin->declaration) != RS_NONE)
			rs_use_pin(walk, record, origin->where, "member-range", true,
				   "the address of '%s' is used as that of an array, into what follows it",
				   rs_tu_string(walk->arena, clang_getCursorSpelling(origin->declaration)));
}

/* The memory becomes an object of the type: pins where it does. */
static void judge_memory(struct rs_use_walk *walk, const struct reach *reach, const struct deed *exposure)
{
	size_t node = 0, index = 0;
	const struct deed *view;

	while ((view = next_deed(reach, RS_DEED_VIEW, &node, &index)))
		if (exposure)
			pin_exposure(walk, view->type, exposure, view->where);
		else
			rs_use_pin_held(walk, view->type, view->where, "layout-escapes",
					"it lies in a mapped file or in shared memory: its layout is a format");
}

static void judge_origin(struct rs_use_walk *walk, const struct rs_use_origin *origin,
			 const struct reach *reach)
{
	const struct deed *exposure = find_exposure(reach);

	if (origin->kind == RS_ORIGIN_MEMBER) {
		judge_member(walk, origin, reach);
	} else if (origin->kind == RS_ORIGIN_OBJECT) {
		if (exposure)
			pin_exposure(walk, origin->type, exposure, origin->where);
		judge_views(walk, origin, reach);
	}
}

static void judge_mappings(struct rs_use_walk *walk, struct rs_use_node *node)
{
	struct reach reach;

	for (size_t i = 0; i < node->n_origins; i++) {
		if (node->origins[i].kind != RS_ORIGIN_MAPPING)
			continue;
		reach_from(walk, node, true, &reach);
		judge_memory(walk, &reach, NULL);
		return;
	}
}

static void judge_holder(struct rs_use_walk *walk, struct rs_use_node *node)
{
	struct reach reach;

	for (size_t i = 0; i < node->n_origins; i++)
		judge_bases(walk, &node->origins[i], node);
	if (is_shared(node))
		return;
	reach_from(walk, node, false, &reach);
	for (size_t i = 0; i < node->n_origins; i++)
		judge_origin(walk, &node->origins[i], &reach);
	const struct deed *exposure = find_exposure(&reach);
	if (exposure)
		judge_memory(walk, &reach, exposure);
}

void rs_use_flow_finish(struct rs_use_walk *walk)
{
	for (struct rs_use_node *node = walk->last_node; node; node = node->next_made) {
		judge_mappings(walk, node);
		judge_holder(walk, node);
	}
	HASH_CLEAR(hh, walk->nodes);
}

#include "parse/uses_internal.h"

#include <uthash.h>

enum { MAX_REACHED = 256 };

struct deed {
	enum rs_use_deed kind;
	CXType type;
	const char *by;
	CXCursor where;
	long long bytes; /* REACH */
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
	size_t n_given;                /* how often it gets an address, whatever of */
	bool is_called_back;           /* a parameter that is given many objects, each for something else */
	size_t visit;                  /* the last search that came by */
	struct rs_use_node *next;      /* of the same hash */
	struct rs_use_node *next_made; /* of all */
	UT_hash_handle hh;
};

struct rs_use_comparison {
	CXCursor sides[2], where;
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
	node_of(walk, declaration)->n_given++;
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

void rs_use_flow_bytes(struct rs_use_walk *walk, CXCursor declaration, enum rs_use_deed deed, long long bytes,
		       CXCursor where)
{
	CXType element = rs_use_element(clang_getCursorType(declaration));

	if (element.kind != CXType_Void && !rs_use_is_number(element))
		return;
	rs_use_flow_deed(walk, declaration, deed, element, NULL, where);
	struct rs_use_node *node = node_of(walk, declaration);
	node->deeds[node->n_deeds - 1].bytes = bytes;
}

/* A member holds what many objects point to, each something else, and so do an array of pointers and what a function
 * returns: only what is never anything but a mapping, and what an object begins with, is told by these. */
static bool is_shared(const struct rs_use_node *node)
{
	enum CXCursorKind kind = clang_getCursorKind(node->declaration);

	return kind == CXCursor_FieldDecl || kind == CXCursor_FunctionDecl ||
	       rs_use_is_pointer(rs_use_element(clang_getCursorType(node->declaration)));
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
	node = index = 0;
	while ((deed = next_deed(reach, RS_DEED_SHARE, &node, &index)))
		if (deed->bytes < clang_Type_getSizeOf(walk->types[record]))
			rs_use_pin(walk, record, deed->where, "offset-as-length", true,
				   "%lld of its %lld bytes are used here: those of the members in front",
				   deed->bytes, clang_Type_getSizeOf(walk->types[record]));
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

/* A member that is an array of numbers: what points to it starts here. */
static bool is_array_member(struct rs_use_walk *walk, const struct rs_use_node *node)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(node->declaration));

	return clang_getCursorKind(node->declaration) == CXCursor_FieldDecl &&
	       type.kind == CXType_ConstantArray && rs_use_record_of_field(walk, node->declaration) != RS_NONE;
}

static bool has_member(const struct rs_use_node *node)
{
	for (size_t i = 0; i < node->n_origins; i++)
		if (node->origins[i].kind == RS_ORIGIN_MEMBER)
			return true;
	return false;
}

/* Functions with pointers into members. */
static void note_bounds(struct rs_use_walk *walk)
{
	struct reach reach;

	for (struct rs_use_node *node = walk->last_node; node; node = node->next_made) {
		if (!is_array_member(walk, node) && !has_member(node))
			continue;
		reach_from(walk, node, false, &reach);
		for (size_t i = 0; i < reach.n_nodes; i++)
			rs_use_note_bounds(walk, clang_getCursorSemanticParent(reach.nodes[i]->declaration));
	}
}

static void judge_reach(struct rs_use_walk *walk, CXCursor field, const struct reach *reach)
{
	long long own = clang_Type_getSizeOf(clang_getCursorType(field));

	for (size_t n = 0; n < reach->n_nodes; n++) {
		const struct rs_use_node *node = reach->nodes[n];
		bool is_variable = clang_getCursorKind(node->declaration) == CXCursor_VarDecl;

		for (size_t i = 0; i < node->n_deeds; i++) {
			const struct deed *deed = &node->deeds[i];

			/* a variable that points to one thing after the other may be anywhere by then */
			if (deed->kind != RS_DEED_REACH || deed->bytes <= own ||
			    (is_variable && node->n_given > 1))
				continue;
			for (size_t record = 0; record < walk->n_records; record++)
				if (rs_use_unit_of_field(walk, record, field) != RS_NONE)
					rs_use_pin(walk, record, deed->where, "member-range", true,
						   "what points to '%s' is used for more bytes than it has: "
						   "%lld of %lld",
						   rs_tu_string(walk->arena, clang_getCursorSpelling(field)),
						   deed->bytes, own);
		}
	}
}

void rs_use_flow_compare(struct rs_use_walk *walk, CXCursor a, CXCursor b, CXCursor where)
{
	*rs_array_push(walk->arena, walk->comparisons, walk->n_comparisons, walk->comparisons_capacity) =
		(struct rs_use_comparison) { .sides = { a, b }, .where = where };
}

/* The members of a record that one side of a comparison may be in. */
struct sources {
	CXCursor fields[16];
	size_t n_fields;
};

static void add_source(struct rs_use_walk *walk, struct sources *sources, CXCursor field)
{
	if (sources->n_fields < RS_COUNT_OF(sources->fields) && rs_use_record_of_field(walk, field) != RS_NONE)
		sources->fields[sources->n_fields++] = field;
}

static bool reaches(struct rs_use_walk *walk, struct rs_use_node *from, const struct rs_use_node *to)
{
	struct reach reach;

	reach_from(walk, from, false, &reach);
	for (size_t i = 0; i < reach.n_nodes; i++)
		if (reach.nodes[i] == to)
			return true;
	return false;
}

static struct sources sources_of(struct rs_use_walk *walk, CXCursor side)
{
	struct sources sources = { .n_fields = 0 };
	struct rs_use_node *own;

	if (clang_getCursorKind(side) == CXCursor_FieldDecl) {
		add_source(walk, &sources, side);
		return sources;
	}
	own = node_of(walk, side);
	for (struct rs_use_node *node = walk->last_node; node; node = node->next_made) {
		if ((!is_array_member(walk, node) && !has_member(node)) || !reaches(walk, node, own))
			continue;
		if (is_array_member(walk, node))
			add_source(walk, &sources, node->declaration);
		for (size_t i = 0; i < node->n_origins; i++)
			if (node->origins[i].kind == RS_ORIGIN_MEMBER)
				add_source(walk, &sources, node->origins[i].declaration);
	}
	return sources;
}

/* Addresses in different members of one record: from one to the other lie those between them. */
static void judge_comparison(struct rs_use_walk *walk, const struct rs_use_comparison *comparison)
{
	const struct sources a = sources_of(walk, comparison->sides[0]);
	const struct sources b = sources_of(walk, comparison->sides[1]);

	for (size_t i = 0; i < a.n_fields; i++)
		for (size_t j = 0; j < b.n_fields; j++)
			if (clang_equalCursors(a.fields[i], b.fields[j]))
				return;
	for (size_t i = 0; i < a.n_fields; i++)
		for (size_t j = 0; j < b.n_fields; j++) {
			size_t record = rs_use_record_of_field(walk, a.fields[i]);

			if (record == rs_use_record_of_field(walk, b.fields[j]))
				rs_use_pin(walk, record, comparison->where, "member-range", true,
					   "the places of its members are compared or subtracted");
		}
}

static void judge_array(struct rs_use_walk *walk, struct rs_use_node *node)
{
	struct reach reach;

	if (!is_array_member(walk, node))
		return;
	reach_from(walk, node, false, &reach);
	judge_reach(walk, node->declaration, &reach);
}

static bool is_constant_bytes(CXType type)
{
	CXType canonical = clang_getCanonicalType(type);

	return canonical.kind == CXType_Pointer && rs_use_is_byte(rs_use_element(canonical)) &&
	       clang_isConstQualifiedType(clang_getPointeeType(canonical));
}

static bool is_same_struct(struct rs_use_walk *walk, CXType a, CXType b)
{
	size_t record = rs_use_record_of(walk, a);

	return record == RS_NONE ? clang_equalTypes(a, b) != 0 : record == rs_use_record_of(walk, b);
}

/* An object of the type, seen as bytes, is on its way there. */
static bool is_given_object(struct rs_use_walk *walk, const struct rs_use_node *node, CXType type)
{
	for (struct rs_use_node *from = walk->last_node; from; from = from->next_made)
		for (size_t i = 0; i < from->n_origins; i++)
			if (from->origins[i].kind == RS_ORIGIN_OBJECT &&
			    is_same_struct(walk, from->origins[i].type, type) && reaches(walk, from, node))
				return true;
	return false;
}

/* `const unsigned char *packet` that becomes a struct: nobody keeps objects of his own as constant bytes. */
static void judge_input(struct rs_use_walk *walk, const struct rs_use_node *node)
{
	enum CXCursorKind kind = clang_getCursorKind(node->declaration);

	if ((kind != CXCursor_ParmDecl && kind != CXCursor_FieldDecl) || node->is_called_back ||
	    !is_constant_bytes(clang_getCursorType(node->declaration)))
		return;
	for (size_t i = 0; i < node->n_deeds; i++) {
		const struct deed *deed = &node->deeds[i];

		if (deed->kind == RS_DEED_VIEW && deed->type.kind == CXType_Record &&
		    !is_given_object(walk, node, deed->type))
			rs_use_pin_held(walk, deed->type, deed->where, "layout-escapes",
					"it is laid over bytes that come from elsewhere: their order is a "
					"format");
	}
}

void rs_use_flow_finish(struct rs_use_walk *walk)
{
	rs_use_flow_stored(walk);
	note_bounds(walk);
	for (size_t i = 0; i < walk->n_bounded; i++)
		rs_use_check_bounds(walk, walk->bounded[i]);
	for (size_t i = 0; i < walk->n_comparisons; i++)
		judge_comparison(walk, &walk->comparisons[i]);
	for (struct rs_use_node *node = walk->last_node; node; node = node->next_made) {
		judge_mappings(walk, node);
		judge_holder(walk, node);
		judge_array(walk, node);
		judge_input(walk, node);
	}
	HASH_CLEAR(hh, walk->nodes);
}

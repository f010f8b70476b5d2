/*
 * Sums, differences and comparisons of the places of members.
 */
#include <string.h>

#include "parse/use_ranges.h"
#include "parse/uses_internal.h"

enum { MAX_SUM_DEPTH = 8 };

/* Where in a record an operand points: at a member, at the end, or (of sizeof) how long a member is. */
struct place {
	enum { PLACE_NONE, PLACE_MEMBER, PLACE_SIZE, PLACE_MEMBER_SIZE } kind;
	bool is_address; /* `&s->m`, not offsetof */
	CXCursor field;  /* MEMBER, MEMBER_SIZE */
	CXType type;     /* SIZE; canonical */
};

static bool is_offsetof(const struct rs_use_children *inside)
{
	size_t n = inside->n_items;

	return n > 0 && n <= 2 && clang_getCursorKind(inside->items[n - 1]) == CXCursor_MemberRef;
}

static CXType sized_type(struct rs_use_walk *walk, CXCursor expression, CXCursor *ret_field)
{
	CXCursor operand = rs_use_first_child(expression);

	*ret_field = clang_getNullCursor();
	if (clang_Cursor_isNull(operand))
		return (CXType) { .kind = CXType_Invalid };
	if (clang_getCursorKind(operand) != CXCursor_TypeRef)
		operand = rs_use_strip(walk, operand);
	if (clang_getCursorKind(operand) == CXCursor_MemberRefExpr)
		*ret_field = clang_getCursorReferenced(operand);
	return clang_getCanonicalType(clang_getCursorType(operand));
}

/* What an enumerator or a variable was made from; anything else is itself. */
static CXCursor meant_by(struct rs_use_walk *walk, CXCursor core)
{
	CXCursor value = rs_use_constant_behind(walk, core);

	return clang_Cursor_isNull(value) ? core : rs_use_strip_casts(walk, value);
}

static struct place place_of(struct rs_use_walk *walk, CXCursor operand)
{
	struct place place = { .kind = PLACE_NONE };
	CXCursor core = meant_by(walk, rs_use_strip_casts(walk, operand));
	enum CXCursorKind kind = clang_getCursorKind(core);

	if (kind == CXCursor_UnexposedExpr) {
		struct rs_use_children inside = rs_use_children_of(walk, core);

		if (is_offsetof(&inside)) {
			place.kind = PLACE_MEMBER;
			place.field = clang_getCursorReferenced(inside.items[inside.n_items - 1]);
		}
	} else if (kind == CXCursor_MemberRef) {
		place.kind = PLACE_MEMBER;
		place.field = clang_getCursorReferenced(core);
	} else if (kind == CXCursor_UnaryOperator && rs_use_is_pointer(clang_getCursorType(core))) {
		CXCursor member = rs_use_strip(walk, rs_use_first_child(core));

		if (clang_getCursorKind(member) == CXCursor_MemberRefExpr) {
			place.kind = PLACE_MEMBER;
			place.is_address = !rs_use_is_null_member(core);
			place.field = clang_getCursorReferenced(member);
		}
	} else if (kind == CXCursor_UnaryExpr) {
		place.type = sized_type(walk, core, &place.field);
		place.kind = clang_Cursor_isNull(place.field) ? PLACE_SIZE : PLACE_MEMBER_SIZE;
	}
	return place;
}

/* Whether the two say something together that a new order changes. */
static bool depends(struct rs_use_walk *walk, size_t record, const struct place *a, const struct place *b)
{
	size_t unit = rs_use_unit_of_field(walk, record, a->field);

	if (unit == RS_NONE)
		return false;
	if (b->kind == PLACE_SIZE)
		return !a->is_address && rs_use_record_of(walk, b->type) == record &&
		       unit + 1 < walk->records[record]->n_units;
	if (clang_equalCursors(a->field, b->field))
		return b->kind == PLACE_MEMBER_SIZE && !a->is_address &&
		       unit + 1 < walk->records[record]->n_units;
	return b->kind == PLACE_MEMBER && a->is_address == b->is_address &&
	       rs_use_unit_of_field(walk, record, b->field) != RS_NONE;
}

static enum CXChildVisitResult look_for_member(CXCursor cursor, CXCursor parent, CXClientData data)
{
	enum CXCursorKind kind = clang_getCursorKind(cursor);

	(void)parent;
	if (kind == CXCursor_UnaryExpr)
		return CXChildVisit_Continue;
	*(bool *)data = *(bool *)data || kind == CXCursor_MemberRef || kind == CXCursor_MemberRefExpr;
	return *(bool *)data ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* offsetof: the number follows the layout. The size of a member does not, which is another's place only as long
 * as they stand as they do. */
bool rs_use_mentions_member(struct rs_use_walk *walk, CXCursor number)
{
	bool found = false;

	number = meant_by(walk, number);
	if (look_for_member(number, number, &found) == CXChildVisit_Recurse)
		clang_visitChildren(number, look_for_member, &found);
	return found;
}

void rs_use_check_literal(struct rs_use_walk *walk, CXCursor sum, const struct rs_use_children *sides)
{
	long long at;

	if (sides->n_items != 2)
		return;
	size_t base = rs_use_is_pointer(clang_getCursorType(sides->items[0])) ? 0 : 1;
	CXType element = rs_use_element(clang_getCursorType(sides->items[base]));
	CXCursor number = rs_use_strip_casts(walk, sides->items[1 - base]);
	struct rs_use_origin origin = rs_use_origin_of(walk, sides->items[base]);
	if ((element.kind != CXType_Void && !rs_use_is_byte(element)) || origin.kind != RS_ORIGIN_OBJECT ||
	    !rs_use_evaluate(number, &at) || at <= 0 || at >= clang_Type_getSizeOf(origin.type) ||
	    rs_use_mentions_member(walk, number))
		return;
	rs_use_pin_held(walk, origin.type, sum, "member-range",
			"a number says what lies in it where: byte %lld is used", at);
}

/* `sizeof(struct s) << 16`: as in the number of an ioctl. */
static void check_shift(struct rs_use_walk *walk, CXCursor expression, const struct place *size, CXCursor by)
{
	size_t record = rs_use_record_of(walk, size->type);
	long long bits, whole, bytes = clang_Type_getSizeOf(size->type);

	if (record == RS_NONE || !rs_use_evaluate(by, &bits) || bits < 8 || bits > 48 ||
	    !rs_use_evaluate(expression, &whole) || whole != bytes << bits)
		return;
	rs_use_pin(walk, record, expression, "sizeof-in-constant", true,
		   "its size is made part of a number that others know");
}

/* No variable that begins as an offset and goes on from there. */
static bool is_lasting(struct rs_use_walk *walk, CXCursor operand)
{
	CXCursor core = rs_use_strip_casts(walk, operand);

	return clang_getCursorKind(core) != CXCursor_DeclRefExpr ||
	       clang_getCursorKind(clang_getCursorReferenced(core)) != CXCursor_VarDecl ||
	       clang_isConstQualifiedType(clang_getCursorType(clang_getCursorReferenced(core)));
}

/* `offsetof(struct s, m) == 0`: a member that is first stays so, one that is not does not become so. */
static void keep_answer(struct rs_use_walk *walk, size_t record, size_t unit, CXCursor question)
{
	enum rs_constraint_kind kind = unit == 0 ? RS_KEEP_FIRST : RS_KEEP_BEFORE;

	rs_use_pin(walk, record, question, "member-range", false, "it is asked whether a member comes first");
	rs_use_hold(walk, record, question, "member-range",
		    (struct rs_constraint) { .kind = kind, .unit = 0, .other = unit == 0 ? RS_NONE : unit });
}

/* What code takes to be behind all others stays there. */
static void keep_last(struct rs_use_walk *walk, size_t record, CXCursor where, const char *why)
{
	const struct rs_record *found = walk->records[record];
	size_t last = found->n_units - 1;

	if (rs_use_pin(walk, record, where, "offset-as-length", false, "%s: '%s' stays last", why,
		       found->units[last].name))
		rs_constraint_add(&walk->lists[record], RS_KEEP_LAST, last, RS_NONE);
}

/* Keeps the member last in every record where it is. */
static void keep_field_last(struct rs_use_walk *walk, CXCursor field, CXCursor where, const char *why)
{
	for (size_t record = 0; record < walk->n_records; record++) {
		size_t unit = rs_use_unit_of_field(walk, record, field);

		if (unit != RS_NONE && unit + 1 == walk->records[record]->n_units)
			keep_last(walk, record, where, why);
	}
}

static bool ends_in_array(const struct rs_record *record)
{
	const struct rs_unit *last = record->n_units > 0 ? &record->units[record->n_units - 1] : NULL;

	return last && last->n_members == 1 && record->members[last->first_member].is_array;
}

/* `offsetof(struct s, last) + n`, `sizeof(struct s) - sizeof s->last`, `sizeof(struct s) + n`: how long an
 * object is whose last member has another size than it is declared with. */
static void check_tail(struct rs_use_walk *walk, CXCursor expression, const char *sign, const struct place *a,
		       const struct place *b)
{
	bool is_sum = strcmp(sign, "+") == 0;

	if (clang_Cursor_isNull(walk->function) || rs_use_is_pointer(clang_getCursorType(expression)))
		return;
	if (is_sum && a->kind == PLACE_MEMBER && !a->is_address)
		keep_field_last(walk, a->field, expression, "a sum goes on from its offset");
	if (strcmp(sign, "-") == 0 && a->kind == PLACE_SIZE && b->kind == PLACE_MEMBER_SIZE)
		keep_field_last(walk, b->field, expression, "the size without it is where it begins");
	if (!is_sum || a->kind != PLACE_SIZE || b->kind != PLACE_NONE)
		return;
	size_t record = rs_use_record_of(walk, a->type);
	if (record != RS_NONE && ends_in_array(walk->records[record]))
		keep_last(walk, record, expression, "an object with more bytes behind its end");
}

/* `n < offsetof(struct s, m)`, `offsetof(struct s, m) == 8`; not `n == offsetof(struct s, m)`, which asks which
 * member n is of. What is held to where a last member begins keeps that there. */
static void check_number(struct rs_use_walk *walk, CXCursor expression, const struct rs_use_children *sides,
			 const struct place *place, CXCursor number)
{
	const char *operator= rs_use_ranges_operator(walk, sides);
	bool is_equality = strcmp(operator, "==") == 0 || strcmp(operator, "!=") == 0;
	bool is_order = strcmp(operator, "<") == 0 || strcmp(operator, "<=") == 0 ||
			strcmp(operator, ">") == 0 || strcmp(operator, ">=") == 0;
	long long value;

	if (place->kind != PLACE_MEMBER || place->is_address || clang_Cursor_isNull(walk->function) ||
	    (!is_order &&
	     !(is_equality && rs_use_evaluate(number, &value) && !rs_use_mentions_member(walk, number))))
		return;
	if (is_order)
		keep_field_last(walk, place->field, expression, "a number is held to its offset");
	for (size_t record = 0; record < walk->n_records; record++) {
		size_t unit = rs_use_unit_of_field(walk, record, place->field);

		if (unit == RS_NONE)
			continue;
		if (is_equality && value == 0)
			keep_answer(walk, record, unit, expression);
		else if (is_equality || unit + 1 < walk->records[record]->n_units)
			rs_use_pin(walk, record, expression, "member-range", true,
				   "where a member lies is compared with a number");
	}
}

/* `sizeof(struct s) != 24`: a smaller struct is another one to who asks so. */
static void check_size(struct rs_use_walk *walk, CXCursor expression, const struct rs_use_children *sides,
		       const struct place *place, CXCursor number)
{
	const char *operator= rs_use_ranges_operator(walk, sides);
	size_t record = place->kind == PLACE_SIZE ? rs_use_record_of(walk, place->type) : RS_NONE;
	long long value;

	if (record != RS_NONE && !clang_Cursor_isNull(walk->function) &&
	    (strcmp(operator, "==") == 0 || strcmp(operator, "!=") == 0) &&
	    clang_getCursorKind(rs_use_strip_casts(walk, number)) == CXCursor_IntegerLiteral &&
	    rs_use_evaluate(number, &value) && value == clang_Type_getSizeOf(place->type))
		rs_use_pin(walk, record, expression, "sizeof-in-constant", true,
			   "its size is compared with a number");
}

/* `offsets[i]`, `table[i].offset`, `table[i - 1].offset`: the variable, where that is an array with offsets. */
static CXCursor table_of(struct rs_use_walk *walk, CXCursor operand)
{
	CXCursor core = rs_use_strip_casts(walk, operand);
	bool is_element = false;

	while (clang_getCursorKind(core) == CXCursor_ArraySubscriptExpr ||
	       clang_getCursorKind(core) == CXCursor_MemberRefExpr) {
		is_element = is_element || clang_getCursorKind(core) == CXCursor_ArraySubscriptExpr;
		core = rs_use_strip_casts(walk, rs_use_first_child(core));
	}
	if (!is_element || clang_getCursorKind(core) != CXCursor_DeclRefExpr)
		return clang_getNullCursor();
	core = clang_getCursorReferenced(core);
	return clang_getCursorKind(core) == CXCursor_VarDecl ? core : clang_getNullCursor();
}

/* Elements of a table of offsets are held against each other: it is taken to be in order. */
static void check_elements(struct rs_use_walk *walk, CXCursor expression, const struct rs_use_children *sides)
{
	CXCursor table = table_of(walk, sides->items[0]);
	const char *operator= rs_use_ranges_operator(walk, sides);

	if (clang_Cursor_isNull(table) ||
	    !strchr("<=>=-", operator[0]) ||
	    operator[0] == '=' || !clang_equalCursors(table, table_of(walk, sides->items[1])))
		return;
	rs_use_check_table(walk, table, expression, "its elements are compared or subtracted");
}

void rs_use_check_table(struct rs_use_walk *walk, CXCursor variable, CXCursor where, const char *what)
{
	CXCursor value = clang_Cursor_getVarDeclInitializer(variable);
	CXType type = clang_getCanonicalType(clang_getCursorType(variable));

	if (clang_Cursor_isNull(value) || clang_getArrayElementType(type).kind == CXType_Invalid)
		return;
	for (size_t record = 0; record < walk->n_records; record++)
		if (rs_use_mentions(walk, value, record, true))
			rs_use_pin(walk, record, where, "member-range", true,
				   "a table holds the offsets of its members, and %s", what);
}

void rs_use_check_offsets(struct rs_use_walk *walk, CXCursor expression, const struct rs_use_children *sides)
{
	struct place a, b;

	if (sides->n_items != 2)
		return;
	a = place_of(walk, sides->items[0]);
	b = place_of(walk, sides->items[1]);
	const char *sign = rs_use_ranges_operator(walk, sides);
	check_tail(walk, expression, sign, &a, &b);
	check_tail(walk, expression, strcmp(sign, "+") == 0 ? sign : "", &b, &a);
	if (a.kind == PLACE_SIZE)
		check_shift(walk, expression, &a, sides->items[1]);
	check_size(walk, expression, sides, &a, sides->items[1]);
	check_size(walk, expression, sides, &b, sides->items[0]);
	if (a.kind == PLACE_NONE && b.kind == PLACE_NONE)
		check_elements(walk, expression, sides);
	if (b.kind == PLACE_NONE && is_lasting(walk, sides->items[0]))
		check_number(walk, expression, sides, &a, sides->items[1]);
	if (a.kind == PLACE_NONE && is_lasting(walk, sides->items[1]))
		check_number(walk, expression, sides, &b, sides->items[0]);
	if (a.kind == PLACE_NONE || b.kind == PLACE_NONE)
		return;
	for (size_t record = 0; record < walk->n_records; record++)
		if ((a.kind == PLACE_MEMBER && depends(walk, record, &a, &b)) ||
		    (b.kind == PLACE_MEMBER && depends(walk, record, &b, &a)))
			rs_use_pin(walk, record, expression, "member-range", true,
				   "the places of its members are compared or subtracted");
}

/* A length, or one of the numbers that it is the sum of. */
static void check_length(struct rs_use_walk *walk, CXCursor call, const char *name, CXCursor length,
			 unsigned depth)
{
	struct place place = place_of(walk, length);

	if (place.kind == PLACE_NONE && depth < MAX_SUM_DEPTH &&
	    clang_getCursorKind(rs_use_strip_casts(walk, length)) == CXCursor_BinaryOperator) {
		struct rs_use_children sides = rs_use_children_of(walk, rs_use_strip_casts(walk, length));

		for (size_t i = 0; i < 2 && sides.n_items == 2; i++)
			if (strcmp(rs_use_ranges_operator(walk, &sides), "+") == 0)
				check_length(walk, call, name, sides.items[i], depth + 1);
	}
	if (place.kind != PLACE_MEMBER || place.is_address)
		return;
	keep_field_last(walk, place.field, call, "memory is allocated up to it");
	for (size_t record = 0; record < walk->n_records; record++) {
		size_t unit = rs_use_unit_of_field(walk, record, place.field);

		if (unit != RS_NONE && unit + 1 < walk->records[record]->n_units)
			rs_use_pin(walk, record, call, "offset-as-length", true,
				   "%s takes an offset in it as a length", name);
	}
}

/* Memory for a part of the object: up to a member. */
void rs_use_check_allocation(struct rs_use_walk *walk, CXCursor call, const char *name)
{
	int count = clang_Cursor_getNumArguments(call);

	if (!strstr(name, "alloc") && !strstr(name, "Alloc") && !strstr(name, "dup"))
		return;
	for (int i = 0; i < count; i++)
		check_length(walk, call, name, clang_Cursor_getArgument(call, (unsigned)i), 0);
}

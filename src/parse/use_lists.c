#include "parse/uses_internal.h"

/* `{0}`, `{NULL}` and the like say "all zero", not "the first member is zero". */
static bool is_zero(struct rs_use_walk *walk, CXCursor child)
{
	CXCursor inner = rs_use_strip(walk, child);
	long long value;

	if (clang_getCursorKind(inner) == CXCursor_InitListExpr) {
		struct rs_use_children inside = rs_use_children_of(walk, inner);

		return inside.n_items == 0 || (inside.n_items == 1 && is_zero(walk, inside.items[0]));
	}
	while (clang_getCursorKind(inner) == CXCursor_CStyleCastExpr) {
		struct rs_use_children inside = rs_use_children_of(walk, inner);

		inner = rs_use_strip(walk, inside.items[inside.n_items - 1]);
	}
	return clang_getCursorKind(inner) != CXCursor_DeclRefExpr && rs_use_evaluate(inner, &value) &&
	       value == 0;
}

static bool is_pointer(CXType type)
{
	return clang_getCanonicalType(type).kind == CXType_Pointer;
}

static void report_positional(struct rs_use_walk *walk, size_t record, CXCursor list, size_t positional)
{
	const char *problem = walk->outer_has_directive
				      ? "a preprocessor directive stands among the values, so that other "
					"configurations may have other ones"
				      : rs_use_name_values(walk, record, list);
	struct rs_pin_list *pins = &walk->lists[record];

	if (rs_use_pin(walk, record, list, "positional-initializer", problem != NULL,
		       "initialised here by position: %zu value%s without a designator%s%s", positional,
		       positional == 1 ? "" : "s",
		       problem ? ", and the patch cannot add any: " : ": written with designators by the patch",
		       problem ? problem : "") &&
	    !problem)
		pins->pins[pins->n_pins - 1].strength = RS_PIN_ADVICE;
}

static void check_record_list(struct rs_use_walk *walk, size_t record, CXCursor list)
{
	struct rs_use_children children = rs_use_children_of(walk, list);
	const struct rs_record *found = walk->records[record];
	size_t positional = 0;

	for (size_t i = 0; i < children.n_items; i++)
		positional += !rs_use_is_designated(walk, children.items[i]);
	if (positional == 0)
		return;
	if (children.n_items == 1 && is_zero(walk, children.items[0])) {
		/* {NULL} is an error or a warning once another kind of member comes first. */
		if (found->n_units > 0 && is_pointer(rs_use_first_member(walk->types[record])) &&
		    is_pointer(clang_getCursorType(rs_use_strip(walk, children.items[0]))) &&
		    rs_use_pin(walk, record, list, "null-brace", false,
			       "a null pointer alone in braces: '%s' stays first", found->units[0].name))
			rs_constraint_add(&walk->lists[record], RS_KEEP_FIRST, 0, RS_NONE);
		return;
	}
	report_positional(walk, record, list, positional);
}

/* Values of one list on their way into the object, as the compiler counts them where inner braces are left out.
 */
struct filling {
	struct rs_use_walk *walk;
	struct rs_use_children values;
	size_t next;
	bool is_lost; /* which member comes next is not known */
};

static bool names_something(struct rs_use_walk *walk, CXCursor value)
{
	return rs_use_is_designated(walk, value) || rs_use_is_index_designated(walk, value);
}

/* A designator belongs to the list's own object, whatever was being filled inside it. */
static bool is_open(const struct filling *filling)
{
	return filling->next < filling->values.n_items && !filling->is_lost &&
	       !names_something(filling->walk, filling->values.items[filling->next]);
}

static void fill(struct filling *filling, const struct rs_use_field *field);

static void fill_elements(struct filling *filling, CXType array)
{
	const struct rs_use_field element = { .type = clang_getCanonicalType(clang_getElementType(array)) };
	long long n_elements = clang_getNumElements(array);
	size_t before = SIZE_MAX;

	for (long long i = 0; (n_elements < 0 || i < n_elements) && is_open(filling); i++) {
		if (filling->next == before)
			return;
		before = filling->next;
		fill(filling, &element);
	}
}

static void fill_members(struct filling *filling, CXType type)
{
	struct rs_use_fields fields = rs_use_fields_of(filling->walk, type);

	for (size_t i = 0; i < fields.n_items && is_open(filling); i++)
		fill(filling, &fields.items[i]);
}

static void report_elided(struct rs_use_walk *walk, size_t record, CXCursor value)
{
	rs_use_pin(walk, record, value, "positional-initializer", true,
		   "initialised here by position, without braces of its own");
}

/* One object: by one value, or by values for its members. */
static void fill(struct filling *filling, const struct rs_use_field *field)
{
	struct rs_use_walk *walk = filling->walk;
	const CXCursor *values = filling->values.items;
	size_t record = rs_use_record_of(walk, field->type), first = filling->next, i = first;

	if (!rs_use_field_misfit(walk, field, values[first])) {
		filling->next++;
		return;
	}
	if (clang_getCursorKind(values[first]) == CXCursor_InitListExpr) {
		filling->next++;
		filling->is_lost = true;
		return;
	}
	if (field->type.kind == CXType_Record)
		fill_members(filling, field->type);
	else
		fill_elements(filling, field->type);
	while (i < filling->next && is_zero(walk, values[i]))
		i++;
	if (record != RS_NONE && i < filling->next)
		report_elided(walk, record, values[first]);
}

/* A value goes somewhere into the type: any record in there may be what it is for. */
static void report_held(struct rs_use_walk *walk, CXType type, CXCursor value)
{
	CXType canonical = clang_getCanonicalType(type);
	size_t record = rs_use_record_of(walk, canonical);

	if (!rs_use_holds_record(walk, canonical))
		return;
	if (record != RS_NONE)
		report_elided(walk, record, value);
	if (canonical.kind != CXType_Record) {
		report_held(walk, clang_getElementType(canonical), value);
		return;
	}
	struct rs_use_fields fields = rs_use_fields_of(walk, canonical);
	for (size_t i = 0; i < fields.n_items; i++)
		report_held(walk, fields.items[i].type, value);
}

static bool is_list(CXCursor value)
{
	return clang_getCursorKind(value) == CXCursor_InitListExpr;
}

/* Records inside the struct whose own braces were left out. */
static void check_members(struct filling *filling, CXType type)
{
	struct rs_use_walk *walk = filling->walk;
	struct rs_use_fields fields = rs_use_fields_of(walk, type);
	size_t next = 0;

	while (filling->next < filling->values.n_items) {
		CXCursor *value = &filling->values.items[filling->next];
		bool is_named = rs_use_is_designated(walk, *value);

		if (is_named)
			next = rs_use_designated_field(walk, &fields, *value, value);
		if (next == RS_NONE && !is_named && !is_list(*value))
			report_held(walk, type, *value);
		if (next == RS_NONE) {
			filling->next++;
			continue;
		}
		if (next >= fields.n_items)
			return;
		struct rs_use_field field = fields.items[next];
		field.opens_anonymous = field.opens_anonymous && !is_named;
		fill(filling, &field);
		next = filling->is_lost ? RS_NONE : next + 1;
		filling->is_lost = false;
	}
}

/* The same for the elements of an array; an index says nothing about what is inside. */
static void check_elements(struct filling *filling, CXType array)
{
	struct rs_use_walk *walk = filling->walk;
	const struct rs_use_field element = { .type = clang_getCanonicalType(clang_getElementType(array)) };

	for (size_t before = SIZE_MAX; filling->next < filling->values.n_items && filling->next != before;) {
		CXCursor *value = &filling->values.items[filling->next];

		if (rs_use_is_index_designated(walk, *value)) {
			struct rs_use_children inside = rs_use_children_of(walk, *value);

			*value = inside.items[inside.n_items - 1];
		}
		before = filling->next;
		fill(filling, &element);
	}
}

/* `{ .s.b = 4, 5 }` in a list for something else: the value goes to what stands behind b. */
static void check_continued(struct rs_use_walk *walk, CXCursor list, size_t own)
{
	struct rs_use_children values = rs_use_children_of(walk, list);

	for (size_t i = 0; i + 1 < values.n_items; i++) {
		if (clang_getCursorType(values.items[i]).kind != CXType_Void ||
		    clang_getCursorType(values.items[i + 1]).kind == CXType_Void)
			continue;
		struct rs_use_children names = rs_use_children_of(walk, values.items[i]);
		for (size_t n = 0; n < names.n_items; n++)
			for (size_t record = 0; record < walk->n_records; record++)
				if (record != own &&
				    clang_getCursorKind(names.items[n]) == CXCursor_MemberRef &&
				    rs_use_unit_of(walk, record, names.items[n]) != RS_NONE)
					rs_use_pin(walk, record, values.items[i + 1], "positional-initializer",
						   true,
						   "initialised here by position: the value follows a "
						   "designator that "
						   "reaches inside");
	}
}

void rs_use_check_list(struct rs_use_walk *walk, CXCursor list)
{
	CXType type = clang_getCanonicalType(clang_getCursorType(list));
	size_t record = rs_use_record_of(walk, type);

	if (record != RS_NONE) {
		check_record_list(walk, record, list);
		rs_use_check_order(walk, record, list);
	}
	if (rs_use_holds_record(walk, type)) {
		struct filling filling = { .walk = walk, .values = rs_use_children_of(walk, list) };

		if (type.kind == CXType_Record)
			check_members(&filling, type);
		else
			check_elements(&filling, type);
	}
	check_continued(walk, list, record);
}

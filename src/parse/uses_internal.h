/*
 * What the files behind uses.h share.
 *
 *   uses.c         the walk, and which record a type is
 *   use_lists.c    initialiser lists
 *   use_fields.c   the members of a struct as an initialiser list fills them
 *   use_names.c    lists by position → lists with designators
 *   use_order.c    values that depend on being evaluated in the order of their members
 *   use_check.c    whether the new text reads as meant
 *   use_casts.c    casts, inline assembly
 *   use_calls.c    calls that see the record's bytes
 *   use_unions.c   unions that lay something else over the record
 *   use_offsets.c  arithmetic with offsets
 *   use_access.c   elements and bytes behind addresses
 *   use_origins.c  where an address comes from
 *   use_flow.c     the way of addresses through variables and parameters
 */
#ifndef RS_PARSE_USES_INTERNAL_H
#define RS_PARSE_USES_INTERNAL_H

#include "parse/records_internal.h"
#include "parse/use_index.h"
#include "parse/uses.h"

struct rs_use_slot;
struct rs_use_node;
struct rs_use_overlay;

struct rs_use_walk {
	struct rs_tu *tu;
	struct rs_arena *arena; /* scratch of the walk */
	const struct rs_record *const *records;
	CXType *types; /* of the records, once their definitions were met */
	size_t n_records;
	struct rs_pin_list *lists;
	struct rs_initializer_list *initializers;
	const char *root;
	struct rs_use_slot *slots;  /* declarations met → records */
	struct rs_use_index *index; /* of lists and initializers */
	CXFile shown_file;          /* the file that was asked for last, and what it is called */
	const char *shown_path;
	CXFile text_file; /* the file whose text was compared last, and what came of it */
	const struct rs_source *text_source;
	const char *text_problem;
	CXFile outer_file; /* the initialiser list around the present one, if any around it */
	struct rs_use_node *nodes, *last_node;
	size_t n_searches; /* among the nodes */
	struct rs_use_overlay *overlays;
	CXCursor copied[2]; /* the bytes of the last plain assignment */
	size_t outer_start, outer_end;
	bool outer_has_directive;
	CXFile system_file; /* the system header met last, and whether it has nothing to do with the records */
	bool is_foreign;
};

/* Children of a cursor, in order. */
struct rs_use_children {
	CXCursor *items;
	size_t n_items, items_capacity;
};
struct rs_use_children rs_use_children_of(struct rs_use_walk *walk, CXCursor cursor);

/* The record that a type is, through typedefs and qualifiers; RS_NONE. */
size_t rs_use_record_of(struct rs_use_walk *walk, CXType type);
/* Whether the type is one of the records, or an array of it, or has it as a member, at whatever depth. */
bool rs_use_holds_record(struct rs_use_walk *walk, CXType type);
/* The record that a pointer (or an array, as it decays) points to; RS_NONE. */
size_t rs_use_pointee_record(struct rs_use_walk *walk, CXType type);
/* The type of the first member, through anonymous levels; CXType_Invalid when there is none. */
CXType rs_use_first_member(CXType record);
/* The expression under parentheses and implicit conversions. */
CXCursor rs_use_strip(struct rs_use_walk *walk, CXCursor expression);
/* The value of an integer constant expression. */
bool rs_use_evaluate(CXCursor expression, long long *ret_value);
/* True when the cursor, or anything below it, names a member of the record by offsetof or takes its address. */
bool rs_use_mentions(struct rs_use_walk *walk, CXCursor cursor, size_t record, bool offsetof_only);
/* The top-level unit of the record that makes the member which `&expression` or an access names; RS_NONE. */
size_t rs_use_unit_of(struct rs_use_walk *walk, size_t record, CXCursor member_ref);

size_t rs_use_unit_of_field(struct rs_use_walk *walk, size_t record, CXCursor field);

/* Adds a pin at the cursor's place. The message ends with the macro that the code comes from, if any. False
 * when the place already has such a pin. */
bool rs_use_pin(struct rs_use_walk *walk, size_t record, CXCursor where, const char *code, bool refuses,
		const char *format, ...) RS_PRINTF(6, 7);

/* Adds one that refuses to every record that an object of the type has inside, itself included. */
void rs_use_pin_held(struct rs_use_walk *walk, CXType type, CXCursor where, const char *code,
		     const char *format, ...) RS_PRINTF(5, 6);

/* A member that takes a value of an initialiser list without designators. */
struct rs_use_field {
	CXCursor cursor;
	CXType type;          /* canonical */
	bool opens_anonymous; /* the first of an anonymous struct or union: a list in its place is that one's */
};

struct rs_use_fields {
	struct rs_arena *arena;
	struct rs_use_field *items;
	size_t n_items, items_capacity;
	bool first_only;
};
/* In the order in which values fill them: unnamed bit-fields are passed over, an anonymous struct gives its own
 * members, a union the first of its own. */
struct rs_use_fields rs_use_fields_of(struct rs_use_walk *walk, CXType type);
/* How the value fills the field: NULL when it fills all of it, else why not (braces were left out, say). */
const char *rs_use_field_misfit(struct rs_use_walk *walk, const struct rs_use_field *field, CXCursor value);
/* A child of an initialiser list that begins with `.member` (or is `member: value`) or with `[index]`. */
bool rs_use_is_designated(struct rs_use_walk *walk, CXCursor child);
bool rs_use_is_index_designated(struct rs_use_walk *walk, CXCursor child);
/* The one member that a designated child names in full, as .member = value; RS_NONE when it reaches into a
 * member, or names another than the first member of a union. ret_value: untouched then. */
size_t rs_use_designated_field(struct rs_use_walk *walk, const struct rs_use_fields *fields, CXCursor child,
			       CXCursor *ret_value);
/* The first member that a designated child names, past anonymous structs and unions; null for none. */
CXCursor rs_use_named_member(struct rs_use_walk *walk, CXCursor child);
bool rs_use_is_unnamed(CXCursor field);
/* Keeps the designators that the record's list lacks. NULL, or why they cannot be written. */
const char *rs_use_name_values(struct rs_use_walk *walk, size_t record, CXCursor list);

/* Values of the record's list that depend on each other hold the order of their members. */
void rs_use_check_order(struct rs_use_walk *walk, size_t record, CXCursor list);
void rs_use_check_list(struct rs_use_walk *walk, CXCursor list);
void rs_use_check_cast(struct rs_use_walk *walk, CXCursor cast);
void rs_use_check_assembly(struct rs_use_walk *walk, CXCursor statement);
/* A pointer to the record becomes one to the type. begin_only: it may, but for what they begin with. */
void rs_use_check_view(struct rs_use_walk *walk, size_t record, CXType type, CXCursor where, bool begin_only);
void rs_use_check_call(struct rs_use_walk *walk, CXCursor call);
void rs_use_check_arguments(struct rs_use_walk *walk, CXCursor call, CXCursor function);
void rs_use_check_allocation(struct rs_use_walk *walk, CXCursor call, const char *name);
void rs_use_check_conversion(struct rs_use_walk *walk, CXCursor conversion);
void rs_use_check_subscript(struct rs_use_walk *walk, CXCursor access);
void rs_use_check_unary(struct rs_use_walk *walk, CXCursor expression);
void rs_use_check_binary(struct rs_use_walk *walk, CXCursor expression);
void rs_use_check_offsets(struct rs_use_walk *walk, CXCursor expression, const struct rs_use_children *sides);
void rs_use_check_variable(struct rs_use_walk *walk, CXCursor variable);
void rs_use_check_vector_list(struct rs_use_walk *walk, CXCursor list);
/* Keeps a union that holds a record; then looks at accesses to its members. */
void rs_use_note_union(struct rs_use_walk *walk, CXCursor declaration);
void rs_use_check_overlay(struct rs_use_walk *walk, CXCursor access);

/* Addresses on their way through a translation unit: from an object, one of its members or a mapping of a file,
 * through variables, parameters and members that may point to anything (void *, char *, int *), to the code
 * that looks at the memory behind them. Neither the order of statements nor the caller is told apart; what
 * comes back from functions is not followed. */
enum rs_use_origin_kind {
	RS_ORIGIN_UNKNOWN,
	RS_ORIGIN_HOLDER,  /* what the declaration holds, or the memory that it is */
	RS_ORIGIN_OBJECT,  /* a struct or union of this type */
	RS_ORIGIN_MEMBER,  /* this number in a struct or union */
	RS_ORIGIN_MAPPING, /* a mapped file or shared memory */
};

struct rs_use_origin {
	enum rs_use_origin_kind kind;
	CXCursor declaration; /* HOLDER, MEMBER */
	CXType type;          /* OBJECT, MEMBER; canonical */
	CXCursor where;
};

enum rs_use_deed {
	RS_DEED_ESCAPE, /* a function that sees bytes gets it */
	RS_DEED_BYTES,  /* single bytes are read or written */
	RS_DEED_INDEX,  /* elements behind the first */
	RS_DEED_VIEW,   /* it becomes a pointer to type */
};

CXCursor rs_use_first_child(CXCursor cursor); /* null: none */
/* What a pointer points to or an array is made of, canonical; CXType_Invalid for other types. */
CXType rs_use_element(CXType type);
bool rs_use_is_pointer(CXType type);
bool rs_use_is_byte(CXType type);   /* of a canonical type: a kind of char */
bool rs_use_is_number(CXType type); /* likewise: an integer or a floating-point number */
/* Whether the expression speaks of an offset or a size: sizeof, offsetof, a variable with "off" in its name. */
bool rs_use_is_offset(CXCursor expression);
/* The expression under parentheses and conversions of all kinds. */
CXCursor rs_use_strip_casts(struct rs_use_walk *walk, CXCursor expression);
struct rs_use_origin rs_use_origin_of(struct rs_use_walk *walk, CXCursor expression);

/* The declaration gets an address. */
void rs_use_flow_into(struct rs_use_walk *walk, CXCursor declaration, const struct rs_use_origin *origin);
/* What is done to the memory behind a holder. by: the function, for messages; may be NULL. */
void rs_use_flow_deed(struct rs_use_walk *walk, CXCursor declaration, enum rs_use_deed deed, CXType type,
		      const char *by, CXCursor where);
/* After the walk: adds the pins that follow from all of it. */
void rs_use_flow_finish(struct rs_use_walk *walk);

#endif

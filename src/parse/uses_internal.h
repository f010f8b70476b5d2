/*
 * What the files behind uses.h share.
 *
 *   uses.c         the walk, and which record a type is
 *   use_lists.c    initialiser lists that give a record its values
 *   use_fill.c     which value of a list is for what, as the compiler counts
 *   use_fields.c   members and what they take
 *   use_text.c     the text of a list, value by value
 *   use_branches.c #if among the values of a list
 *   use_settle.c   whether units read all of them
 *   use_macros.c   the same for a list that a macro makes
 *   use_values.c   how a list can be rewritten
 *   use_order.c    values that depend on being evaluated in the order of their members
 *   use_hash.c     what an expression says, as a number
 *   use_compare.c  whether the new text gives the same values
 *   use_named.c    lists whose values all have designators
 *   use_casts.c    casts
 *   use_assembly.c inline assembly
 *   use_cxx.c      what C++ alone has
 *   use_templates.c templates that get a record or make one
 *   use_calls.c    calls that see the record's bytes
 *   use_callbacks.c functions among the arguments of calls
 *   use_stored.c   functions in members and variables
 *   use_buffer.c   bytes in which an object is kept for a while
 *   use_handed.c   members given to functions that are not seen
 *   use_alloc.c    memory that is not aligned to a cache line
 *   use_unions.c   unions that lay something else over the record
 *   use_offsets.c  arithmetic with offsets
 *   use_access.c   elements and bytes behind addresses
 *   use_stride.c   variables that go through an object, member by member
 *   use_bounds.c   elements behind the end of a member
 *   use_statements.c the statements of a function, one after the other
 *   use_counted.c  parameters that say how much lies behind another
 *   use_ranges.c   between which values integers lie
 *   use_origins.c  where an address comes from
 *   use_flow.c     the way of addresses through variables and parameters
 */
#ifndef RS_PARSE_USES_INTERNAL_H
#define RS_PARSE_USES_INTERNAL_H

#include "parse/records_internal.h"
#include "parse/use_index.h"
#include "parse/uses.h"

struct rs_byte_function;
struct rs_use_slot;
struct rs_use_node;
struct rs_use_overlay;
struct rs_use_branches;
struct rs_use_comparison;

struct rs_use_stored;
struct rs_use_stored_list {
	struct rs_use_stored *items;
	size_t n_items, items_capacity;
};

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
	struct rs_use_macros *macros; /* NULL: not asked for yet */
	CXType fields_type;           /* the last type whose fields were asked for */
	CXCursor *fields;
	size_t n_fields;
	CXFile outer_file; /* the initialiser list around the present one, if any around it */
	struct rs_use_node *nodes, *last_node;
	size_t n_searches;          /* among the nodes */
	struct rs_use_body *bodies; /* see use_callbacks.c */
	CXCursor function;          /* that the walk is in */
	struct rs_use_overlay *overlays;
	CXCursor copied[2]; /* the bytes of the last plain assignment */
	size_t outer_start, outer_end;
	bool outer_has_directive;
	bool outer_is_fragment;           /* no list, but all of a file that is included into one */
	struct rs_use_branches *branches; /* of the outermost list that was asked for last */
	CXFile skipped_file;              /* likewise: the file whose skipped text is known */
	struct rs_span *skipped;
	size_t n_skipped;
	struct rs_lifting lifting;      /* what rs_use_hash() takes members for */
	struct rs_use_headers *headers; /* system headers that were met; see use_headers.c */
	struct rs_use_comparison *comparisons;
	size_t n_comparisons, comparisons_capacity;
	struct rs_use_stored_list stored, calls; /* see use_stored.c */
	CXCursor *bounded;                       /* functions whose use of members is to be held to their bounds */
	size_t n_bounded, bounded_capacity;
};

/* Frees what the walk keeps outside of its arena. */
void rs_use_walk_forget(struct rs_use_walk *walk);

/* Children of a cursor, in order. */
struct rs_use_children {
	CXCursor *items;
	size_t n_items, items_capacity;
};
struct rs_use_children rs_use_children_of(struct rs_use_walk *walk, CXCursor cursor);

/* The record that a type is, through typedefs and qualifiers; RS_NONE. */
size_t rs_use_record_of(struct rs_use_walk *walk, CXType type);
/* The record that a field is a member of, anonymous levels between them passed over; RS_NONE. */
size_t rs_use_record_of_field(struct rs_use_walk *walk, CXCursor field);
/* The member with this path; one into the elements of an array stands for the array. path is cut short. */
size_t rs_use_find_member(const struct rs_record *record, char *path);
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
/* What the enumerator, or the variable, that an expression names was made from; null. */
CXCursor rs_use_constant_behind(struct rs_use_walk *walk, CXCursor expression);
/* True when the cursor, or anything below it, names a member of the record by offsetof or takes its address. */
bool rs_use_mentions(struct rs_use_walk *walk, CXCursor cursor, size_t record, bool offsetof_only);
/* The top-level unit of the record that makes the member which `&expression` or an access names; RS_NONE. */
size_t rs_use_unit_of(struct rs_use_walk *walk, size_t record, CXCursor member_ref);

size_t rs_use_unit_of_field(struct rs_use_walk *walk, size_t record, CXCursor field);

/* What an expression, a statement or a declaration says, as one number, wherever it stands: its kinds, names,
 * operators and constants. A lifted member counts as what it becomes. */
uint64_t rs_use_hash(struct rs_use_walk *walk, CXCursor cursor);
uint64_t rs_use_hash_constant(uint64_t hash, CXCursor cursor);
uint64_t rs_use_hash_mix(uint64_t hash, uint64_t value);
uint64_t rs_use_hash_text(const char *text);
uint64_t rs_use_hash_string(struct rs_use_walk *walk, uint64_t hash, CXString string);
/* The list by what it gives; in use_compare.c. */
uint64_t rs_use_hash_list(struct rs_use_walk *walk, CXCursor list, CXType type);
/* `rt->dst` in `rt->dst.rt_uncached`, and in `(&rt->dst)->rt_uncached`; null: something else is at the start.
 */
CXCursor rs_use_embedding(CXCursor access);
/* The field, in its container, that is lifted; NULL. */
const struct rs_lifted *rs_use_lifted(struct rs_use_walk *walk, CXCursor field);

/* Adds a pin at the cursor's place. The message ends with the macro that the code comes from, if any. False
 * when the place already has such a pin. */
bool rs_use_pin(struct rs_use_walk *walk, size_t record, CXCursor where, const char *code, bool refuses,
		const char *format, ...) RS_PRINTF(6, 7);

/* What the pin of that code at the cursor's place, which rs_use_pin() added now or earlier, asks for. */
void rs_use_hold(struct rs_use_walk *walk, size_t record, CXCursor where, const char *code,
		 struct rs_constraint constraint);

/* Adds one that refuses to every record that an object of the type has inside, itself included. */
void rs_use_pin_held(struct rs_use_walk *walk, CXType type, CXCursor where, const char *code,
		     const char *format, ...) RS_PRINTF(5, 6);

/* Sets found, one a record, for each that an object of the type is, or has inside. */
void rs_use_find_held(struct rs_use_walk *walk, CXType type, bool *found);

/* An object that a list gives values to: the list's own, or one inside it. */
struct rs_use_object {
	CXType type;        /* canonical */
	CXCursor field;     /* that it is of its parent; null: an element, or the list's own object */
	long long at, last; /* its place in the parent: the number of the field, or of the elements */
	size_t first, end;  /* the list's values that it takes */
	bool is_named;      /* by a designator, or reached through one */
	bool is_leaf;       /* one value, maybe a list with braces, gives it whole */
	CXCursor value;     /* of a leaf, without the designator */
	struct rs_use_object **parts;
	size_t n_parts, parts_capacity;
	CXCursor *fields; /* of its type, once they were asked for */
	size_t n_fields;
};

struct rs_use_tree {
	struct rs_use_object *root;
	struct rs_use_children values;
	const char *problem; /* NULL: every value has its place */
};
/* type: what the list is for. */
struct rs_use_tree rs_use_tree_of(struct rs_use_walk *walk, CXCursor list, CXType type);
/* Whether the node has a value for everything in it, all by position. */
bool rs_use_is_complete(struct rs_use_walk *walk, struct rs_use_object *node);

/* The fields of a struct or union that take values: all but unnamed bit-fields. */
CXCursor *rs_use_direct_fields(struct rs_use_walk *walk, CXType type, size_t *ret_count);
/* Whether the anonymous struct or union has the field, at whatever depth of such ones. */
bool rs_use_has_field(struct rs_use_walk *walk, CXCursor anonymous, CXCursor field);
/* Whether the value alone is for all of an object of that canonical type, or for the first thing in it. */
enum rs_use_taking { RS_TAKES_FIRST, RS_TAKES_WHOLE, RS_TAKES_UNSURE };
enum rs_use_taking rs_use_taking_of(struct rs_use_walk *walk, CXType type, CXCursor value);
/* Whether lists give the members of a C++ type their values, or a constructor does. */
enum rs_use_class { RS_CLASS_AGGREGATE, RS_CLASS_MADE, RS_CLASS_UNSURE };
enum rs_use_class rs_use_class_of(CXType type);
/* Whether an object of a C++ class can become one of the type by a function of its own. */
bool rs_use_converts_to(CXType from, CXType type);
/* A child of an initialiser list that begins with `.member` (or is `member: value`) or with `[index]`. */
bool rs_use_is_designated(struct rs_use_walk *walk, CXCursor child);
bool rs_use_is_index_designated(struct rs_use_walk *walk, CXCursor child);
bool rs_use_is_unnamed(CXCursor field);
/* `{0}`, `{NULL}` and the like say "all zero", not "the first member is zero". */
bool rs_use_is_zero(struct rs_use_walk *walk, CXCursor value);

/* The text of a list. */
struct rs_use_text {
	CXFile file;
	const struct rs_source *source;
	struct rs_span span;    /* from brace to brace */
	bool is_macro;          /* a macro's expansion makes the braces */
	bool has_directive;     /* #if among its values, or in them */
	size_t macro;           /* byte of the name of the macro whose body they stand in; RS_NONE */
	struct rs_span *pieces; /* one a value, comments around it excluded */
	const char *problem;    /* why it cannot be edited; NULL */
};
void rs_use_read_text(struct rs_use_walk *walk, size_t record, CXCursor list,
		      const struct rs_use_children *values, struct rs_use_text *ret_text);
/* The file as all units must have read it. NULL, or why nothing in it can be edited. */
const char *rs_use_find_source(struct rs_use_walk *walk, size_t record, CXFile file,
			       const struct rs_source **ret_source);

/* A file with lists that a comment at its top calls a program's work. */
bool rs_use_is_generated(const struct rs_use_walk *walk, const struct rs_source *source);

/* What the unit passes over in the file. */
const struct rs_span *rs_use_skipped(struct rs_use_walk *walk, CXFile file, size_t *ret_count);
bool rs_use_is_skipped(const struct rs_span *skipped, size_t n_skipped, size_t byte);
/* Notes the outermost list that the list lies in. */
void rs_use_enter_list(struct rs_use_walk *walk, CXCursor list);
/* Keeps, for the record, which branches of #if in the outermost list the unit reads. NULL, or what else stands
 * there. */
const char *rs_use_keep_branches(struct rs_use_walk *walk, size_t record);
/* The same for the branches right inside the list that the brace begins: which are read together. */
const char *rs_use_keep_choice(struct rs_use_walk *walk, size_t record, size_t brace);
/* Adds one, or joins it to what is known of the same text. */
void rs_use_branch_add(struct rs_initializer_list *list, const struct rs_initializer_branch *branch);
/* Fills in file, span and macro of a list that an expansion makes. NULL, or why it is not found. */
const char *rs_use_find_in_macro(struct rs_use_walk *walk, CXCursor list, struct rs_use_text *text);
/* The tokens, in the arena, of the macro call that makes what the cursor is. NULL, or why it is not known. */
struct rs_expanded;
const char *rs_use_expand_at(struct rs_use_walk *walk, CXCursor cursor, struct rs_arena *arena,
			     struct rs_expanded *ret_expanded);
/* Whether each value in the text of the list, which no macro makes, has a designator, at all depths, whatever
 * #if makes of it. rows: it is an array's, and its values may be lists. */
bool rs_use_is_named_throughout(struct rs_use_walk *walk, CXCursor list, bool rows);
void rs_use_macros_deinit(struct rs_use_walk *walk);
/* Whether a system header names none of the records, so that it cannot hold uses of them. */
bool rs_use_headers_is_foreign(struct rs_use_walk *walk, CXFile file);
void rs_use_headers_deinit(struct rs_use_walk *walk);

/* Keeps how the values of the record's node can be rewritten. NULL, or why they cannot be. */
const char *rs_use_keep_values(struct rs_use_walk *walk, size_t record, const struct rs_use_tree *tree,
			       const struct rs_use_object *node, const struct rs_use_text *text);
/* The record's member that the field is, or that holds it as an anonymous struct or union; RS_NONE. */
size_t rs_use_member_of(struct rs_use_walk *walk, size_t record, CXCursor field);

/* Values of the record's node that depend on each other hold the order of their members. */
void rs_use_check_order(struct rs_use_walk *walk, size_t record, CXCursor list, const struct rs_use_tree *tree,
			const struct rs_use_object *node);
void rs_use_check_list(struct rs_use_walk *walk, CXCursor list);
void rs_use_check_cast(struct rs_use_walk *walk, CXCursor cast);
void rs_use_check_assembly(struct rs_use_walk *walk, CXCursor statement);
/* A pointer to the record becomes one to the type. begin_only: it may, but for what they begin with. */
void rs_use_check_view(struct rs_use_walk *walk, size_t record, CXType type, CXCursor where, bool begin_only);
/* A string function gets a pointer to an object of the type: it sees the first member, if that is characters.
 */
void rs_use_check_string(struct rs_use_walk *walk, CXType type, const char *function, CXCursor where);
/* A pointer to an object of the type becomes one to numbers, of which it uses those behind the first, too. */
void rs_use_check_numbers(struct rs_use_walk *walk, CXType type, CXType number, CXCursor where);
void rs_use_check_call(struct rs_use_walk *walk, CXCursor call);
/* The row of a function that sees bytes, whichever of its forms is called; NULL. */
const struct rs_byte_function *rs_use_known_function(struct rs_use_walk *walk, CXCursor call);
/* Notes a function (null: none) for rs_use_check_bounds(), which reads it once more; and the present one, where
 * it names a member that is an array. */
void rs_use_note_bounds(struct rs_use_walk *walk, CXCursor function);
void rs_use_note_address(struct rs_use_walk *walk, CXCursor expression); /* likewise, `&s->member` */
void rs_use_note_array(struct rs_use_walk *walk, CXCursor member_ref);
/* How many bytes each one of what the parameter count counts behind the parameter pointer has, if the function
 * (a definition) uses as much; 0: it does not, as far as can be told. depth: of calls from one to the next. */
long long rs_use_counted(struct rs_use_walk *walk, CXCursor function, unsigned pointer, unsigned count,
			 unsigned depth);
void rs_use_check_bounds(struct rs_use_walk *walk, CXCursor function);
/* Functions that the call of called gives to it. */
void rs_use_check_callbacks(struct rs_use_walk *walk, CXCursor call, CXCursor called);
void rs_use_check_arguments(struct rs_use_walk *walk, CXCursor call, CXCursor function);
void rs_use_check_allocation(struct rs_use_walk *walk, CXCursor call, const char *name);
/* Memory that is not aligned for a type that asks for more: by a size among the arguments, or by what the
 * result becomes a pointer to. */
void rs_use_check_unaligned(struct rs_use_walk *walk, CXCursor call, const char *name);
void rs_use_check_allocated(struct rs_use_walk *walk, CXCursor conversion, CXType target);
/* Whether a number is a local variable that goes from one place to the next, and is never given the place of a
 * member. */
bool rs_use_is_stride(struct rs_use_walk *walk, CXCursor number);
/* The call copies memory, one side of it from where such a variable says in an object. */
void rs_use_check_stride(struct rs_use_walk *walk, CXCursor call, const char *name, CXCursor to, CXCursor from);
void rs_use_check_conversion(struct rs_use_walk *walk, CXCursor conversion);
void rs_use_check_subscript(struct rs_use_walk *walk, CXCursor access);
void rs_use_check_unary(struct rs_use_walk *walk, CXCursor expression);
void rs_use_check_variadic(struct rs_use_walk *walk, CXCursor call, CXCursor function);
void rs_use_check_binary(struct rs_use_walk *walk, CXCursor expression);
/* `(char *)s + 8`: a place in an object that a plain number names. */
void rs_use_check_literal(struct rs_use_walk *walk, CXCursor sum, const struct rs_use_children *sides);
/* Whether a number follows the layout: offsetof or the place of a member stand in it, or in what it was made
 * from. */
bool rs_use_mentions_member(struct rs_use_walk *walk, CXCursor number);
void rs_use_check_return(struct rs_use_walk *walk, CXCursor statement);
void rs_use_check_offsets(struct rs_use_walk *walk, CXCursor expression, const struct rs_use_children *sides);
/* A table may hold offsets: what is done with it depends on their order. */
void rs_use_check_table(struct rs_use_walk *walk, CXCursor variable, CXCursor where, const char *what);
void rs_use_check_variable(struct rs_use_walk *walk, CXCursor variable);
void rs_use_check_vector_list(struct rs_use_walk *walk, CXCursor list);
/* Keeps a union that holds a record; then looks at accesses to its members. */
void rs_use_note_union(struct rs_use_walk *walk, CXCursor declaration);
void rs_use_check_overlay(struct rs_use_walk *walk, CXCursor access);

/* Whether the unit has shown the record's definition. */
bool rs_use_is_known(const struct rs_use_walk *walk, size_t record);
bool rs_use_is_cast(enum CXCursorKind kind); /* of C, or one of C++'s */
/* For C++ units: what C++ alone has. */
void rs_use_check_cxx(struct rs_use_walk *walk, CXCursor cursor, CXCursor parent);
/* A variable, member or type whose type may be made of a template. */
void rs_use_check_instance(struct rs_use_walk *walk, CXCursor declaration);
void rs_use_check_instance_call(struct rs_use_walk *walk, CXCursor call, CXCursor function);
/* A list that has no type, as in a template. */
void rs_use_check_untyped(struct rs_use_walk *walk, CXCursor list, CXCursor parent);
void rs_use_check_generic(struct rs_use_walk *walk, CXCursor function);
CXType rs_use_without_reference(CXType type); /* canonical */

/* Addresses on their way through a translation unit: from an object, one of its members or a mapping of a file,
 * through variables, parameters and members that may point to anything (void *, char *, int *), to the code
 * that looks at the memory behind them. Neither the order of statements nor the caller is told apart. Through
 * members, and back from functions, come many objects, each as something else: what is seen of these is only
 * whether they begin with the struct that they are taken for. */
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
	RS_DEED_STRING, /* a function that takes strings gets it */
	RS_DEED_INDEX,  /* elements behind the first */
	RS_DEED_VIEW,   /* it becomes a pointer to type */
	RS_DEED_REACH,  /* so many bytes from there on are used */
	RS_DEED_SHARE,  /* a memory function is given so many of its bytes, by a plain number */
};

CXCursor rs_use_first_child(CXCursor cursor); /* null: none */
/* What a pointer points to or an array is made of, canonical; CXType_Invalid for other types. */
CXType rs_use_element(CXType type);
bool rs_use_is_pointer(CXType type);
bool rs_use_is_byte(CXType type);   /* of a canonical type: a kind of char */
bool rs_use_is_number(CXType type); /* likewise: an integer or a floating-point number */
/* Whether the expression speaks of an offset or a size: sizeof, offsetof, a variable with "off" in its name. */
bool rs_use_is_offset(CXCursor expression);
/* `&((T *)0)->m`. */
bool rs_use_is_null_member(CXCursor expression);
/* The expression under parentheses and conversions of all kinds. */
CXCursor rs_use_strip_casts(struct rs_use_walk *walk, CXCursor expression);
/* Whether the expression, conversions aside, is the name of the declaration. */
bool rs_use_names(struct rs_use_walk *walk, CXCursor expression, CXCursor declaration);
struct rs_use_origin rs_use_origin_of(struct rs_use_walk *walk, CXCursor expression);
/* The array, or what points to one, whose element the expression is; null: not declared. */
CXCursor rs_use_row_of(struct rs_use_walk *walk, CXCursor element);
/* The access goes past the member that the origin is. */
void rs_use_pin_past(struct rs_use_walk *walk, const struct rs_use_origin *origin, CXCursor where);
/* Whether the index of a row of elements is a bit's number, divided by the bits of one: which of one element it
 * is, not which element. */
bool rs_use_is_bit_index(struct rs_use_walk *walk, CXCursor index, CXType element);
/* A function that is not seen gets a pointer to anything: a struct that begins with another may be taken for
 * that, as lists and maps of anything take what is put into them. */
void rs_use_check_handed(struct rs_use_walk *walk, CXCursor call, CXType passed, const char *function);
/* Whether the bytes are a local array that only holds a whole object of the record for a while. */
bool rs_use_is_own_buffer(struct rs_use_walk *walk, CXCursor bytes, size_t record);
/* A member and those behind it, given to a function that is not seen together with how many there are. */
void rs_use_check_row(struct rs_use_walk *walk, CXCursor call, CXCursor function, const char *name);
/* Characters that a format takes of a member, by the call of a function with any number of arguments. */
void rs_use_check_format(struct rs_use_walk *walk, CXCursor call, CXCursor function);
/* The definition of the function that a value names; null for other values. */
CXCursor rs_use_named_function(struct rs_use_walk *walk, CXCursor value);
/* A member or variable is set to a value, which may be a function; what it holds is called; all that was met of both
 * comes together. */
void rs_use_store(struct rs_use_walk *walk, CXCursor holder, CXCursor value);
void rs_use_store_list(struct rs_use_walk *walk, CXCursor list);
void rs_use_call_stored(struct rs_use_walk *walk, CXCursor call);
void rs_use_flow_stored(struct rs_use_walk *walk);
/* A function of bits that is given the number of one which the member does not have. */
void rs_use_check_bits(struct rs_use_walk *walk, CXCursor call, const char *function);

/* The declaration gets an address. */
void rs_use_flow_into(struct rs_use_walk *walk, CXCursor declaration, const struct rs_use_origin *origin);
/* The same for a parameter of a function that others call back, with whatever they were given. */
void rs_use_flow_back(struct rs_use_walk *walk, CXCursor parameter, const struct rs_use_origin *origin);
/* What is done to the memory behind a holder. by: the function, for messages; may be NULL. */
void rs_use_flow_deed(struct rs_use_walk *walk, CXCursor declaration, enum rs_use_deed deed, CXType type,
		      const char *by, CXCursor where);
/* Likewise: bytes from the address on are used. */
void rs_use_flow_bytes(struct rs_use_walk *walk, CXCursor declaration, enum rs_use_deed deed, long long bytes,
		       CXCursor where);
/* Two addresses are compared, or subtracted: of a member, or in a holder. */
void rs_use_flow_compare(struct rs_use_walk *walk, CXCursor a, CXCursor b, CXCursor where);
/* After the walk: adds the pins that follow from all of it. */
void rs_use_flow_finish(struct rs_use_walk *walk);

#endif

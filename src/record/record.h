/*
 * A record: one struct definition as the compiler lays it out, joined to the source text that spells it.
 *
 * Members are what the compiler sees; units are what can be moved in the text. A record is built by parse/
 * and is const from then on. All memory belongs to the arena it was built in.
 */
#ifndef RS_RECORD_RECORD_H
#define RS_RECORD_RECORD_H

#include "text/source.h"

#define RS_NONE SIZE_MAX /* "no unit", "no member" */

/* Members stand depth first: a struct or union member is followed by its own members. */
struct rs_member {
	const char *name; /* "" for an anonymous aggregate and an unnamed bit-field */
	const char *path; /* C path from the record, anonymous levels skipped: "a.b"; "" when it has none */
	const char *type; /* as written, macros expanded: "unsigned char [16]" */
	const char
		*declaration; /* "int (*cb)(int, char)", without the semicolon; "union" for an anonymous one */
	size_t parent;        /* index of the enclosing member; RS_NONE at the top level */
	size_t n_inside;      /* how many members after this one lie inside it */
	size_t unit;          /* that spells it */
	uint64_t offset_bits; /* from the start of the record */
	uint64_t size_bits;   /* the width of a bit-field; 0 for a flexible array and for `:0` */
	uint32_t align_bytes; /* the alignment that layout gives it, attributes included; a bit-field: its
			       * declared type's */
	uint32_t requested_align_bytes; /* what an attribute or _Alignas on the member itself asks for; 0: none
					 */
	uint32_t type_size_bytes;       /* size of the declared type: the storage unit of a bit-field */
	bool is_bitfield;
	bool is_aggregate; /* struct or union whose members follow */
	bool is_union;
	bool is_anonymous; /* C11 anonymous struct or union */
	bool is_flexible;  /* `[]`, or ends in a flexible array */
	bool is_array;
	bool is_atomic; /* _Atomic */
	bool is_const;
	bool is_volatile;
	uint64_t array_count; /* elements of the outermost dimension; 0 for [] and [0] */
	size_t byte;          /* of its name in the source; of its declaration when it has none */
	unsigned line, column;
};

enum rs_unit_origin {
	RS_UNIT_PLAIN,       /* one declaration with all its declarators, or one of them; or a run of adjacent
			      * bit-fields */
	RS_UNIT_MACRO,       /* a macro call that makes members */
	RS_UNIT_INCLUDE,     /* an #include inside the body */
	RS_UNIT_CONDITIONAL, /* #if … #endif, whole */
};

/* The smallest piece of source that moves: comments that belong to it, declaration, trailing comments. */
struct rs_unit {
	enum rs_unit_origin origin;
	struct rs_span span;        /* comments included; starts and ends at a byte that is not blank */
	struct rs_span declaration; /* first token to the semicolon, its end included */
	size_t first_member;       /* index of its first top-level member; they are consecutive at that level */
	size_t n_members;          /* top-level members; 0 when everything in it is switched off by #if */
	size_t region;             /* units never leave their region: barriers separate regions */
	unsigned n_lines;          /* source lines that the span touches */
	bool ends_in_line_comment; /* the span ends in a // comment or a directive: only a line end closes it */
	bool has_hidden_bitfields; /* some stand in #if: who their neighbours are is not the same everywhere */
	unsigned part, n_parts;    /* of a divided declaration: the declarator's number and how many there are,
				    * which    are units side by side; 0: not divided */
	const char *name;          /* for messages: first member's path, or the start of the text */
};

/* The text between two units: blank lines, section comments, directives, barriers. gaps[i] stands before
 * units[i]; gaps[n_units] before the closing brace. */
struct rs_gap {
	struct rs_span span;
	bool has_blank_line;
	bool has_comment;   /* a section comment: belongs to the place, not to a unit */
	bool has_directive; /* #define, #pragma … that belongs to no unit */
	bool is_barrier;    /* units may not cross: a static assertion, a marker macro, a directive */
};

enum rs_pin_strength {
	RS_PIN_ADVICE,   /* worth knowing; holds nothing */
	RS_PIN_CONTRACT, /* holds unless the user overrules it by name */
	RS_PIN_HARD,     /* never overruled */
};

/* A reason why something may not move. */
struct rs_pin {
	const char *code; /* stable, kebab-case: "flexible-array-last" */
	enum rs_pin_strength strength;
	const char *message;
	const char *file; /* where it was seen; NULL: the record */
	unsigned line;
	size_t unit;  /* RS_NONE: the whole record */
	bool refuses; /* no plan for this record at all */
};

enum rs_constraint_kind {
	RS_KEEP_FIRST,   /* unit comes first in its region */
	RS_KEEP_LAST,    /* unit comes last in its region */
	RS_KEEP_BEFORE,  /* unit stays before other */
	RS_KEEP_NEXT,    /* other directly follows unit */
	RS_KEEP_ON_LINE, /* member and other_member lie on one cache line, wherever objects begin */
};

struct rs_constraint {
	enum rs_constraint_kind kind;
	size_t unit, other;
	size_t pin;                  /* the pin that asks for it, in the same list; RS_NONE */
	size_t member, other_member; /* RS_KEEP_ON_LINE: of unit and other */
	unsigned line_bytes;         /* RS_KEEP_ON_LINE: of a line where no profile says it */
};

/* A member that only other configurations have, by its path, and the unit whose text spells it. */
struct rs_alias {
	const char *path;
	size_t unit; /* RS_NONE: it is no unit here */
};

struct rs_record {
	const char *name; /* tag, or the typedef's name, or path of an unnamed one: "evtn::size" */
	bool is_typedef;  /* unnamed struct that goes by a typedef's name */
	const struct rs_source *source;
	struct rs_span span; /* from `struct` to the closing brace, inclusive */
	struct rs_span body; /* between the braces */
	uint64_t size_bytes;
	uint32_t align_bytes;
	const struct rs_member *members;
	size_t n_members;
	const struct rs_unit *units;
	size_t n_units;
	const struct rs_gap *gaps; /* n_units + 1 */
	const struct rs_pin *pins;
	size_t n_pins;
	const struct rs_constraint *constraints;
	size_t n_constraints;
	const struct rs_span *skipped; /* what #if switches off in the whole source, by rising place */
	size_t n_skipped;
	const struct rs_alias *aliases; /* known once configurations were compared (record/configurations.h) */
	size_t n_aliases;
};

/* The member with this path; RS_NONE when there is none. */
size_t rs_record_find_member(const struct rs_record *record, const char *path);
/* The alias with this path; NULL when there is none. */
const struct rs_alias *rs_record_find_alias(const struct rs_record *record, const char *path);
/* The next member at the same level inside the same parent, or one past the parent's last. */
size_t rs_record_next_sibling(const struct rs_record *record, size_t member);
/* True when a pin says that no plan is possible. */
bool rs_record_is_refused(const struct rs_record *record);
/* Whether two records have the same members: names, types, sizes and attributes, whatever their order.
 * ret_difference (arena's) says what differs first. */
bool rs_record_same_members(struct rs_arena *arena, const struct rs_record *a, const struct rs_record *b,
			    const char **ret_difference);

#endif

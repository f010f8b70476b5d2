/*
 * Code in a translation unit that depends on the order of a record's members.
 */
#ifndef RS_PARSE_USES_H
#define RS_PARSE_USES_H

#include "parse/tu.h"
#include "record/pins.h"

/* A designator to put in front of a value: ".name = ". */
struct rs_insertion {
	size_t byte; /* where the value starts */
	const char *text;
};

/* An initialiser list that gives a record's members by position, and what makes it name them instead. */
struct rs_initializer {
	const struct rs_source *source;
	size_t byte; /* of the opening brace */
	const struct rs_insertion *insertions;
	size_t n_insertions; /* 0: translation units read the list in different ways */
};

/* A file with such lists. */
struct rs_initializer_source {
	const struct rs_source *source;
	bool is_generated; /* by a program, as a comment in it says: nothing in it is changed */
};

struct rs_initializer_list {
	struct rs_arena *arena;
	struct rs_initializer_source *sources;
	size_t n_sources, sources_capacity;
	struct rs_initializer *items;
	size_t n_items, items_capacity;
};

/*
 * Looks at every use of the records in one translation unit, which must have been opened with bodies; system
 * headers are passed over unless they name a record. lists has one entry a record: what is found is added to
 * it, with the place of the code. A record is recognised by its file and the byte at which its definition
 * starts.
 *
 * initializers has one entry a record, too: lists by position that can be written with designators are added to
 * it, once, whichever units show them, and their pins are advice. One that lies outside the folder root (NULL:
 * there is no such limit) or that cannot be written so refuses the record, with the reason.
 *
 * Codes: positional-initializer, first-member-cast, type-pun, fixed-address, wide-access, member-range,
 * offset-as-length, layout-escapes, union-overlay, common-beginning, sizeof-in-constant,
 * inline-assembly, evaluation-order.
 */
void rs_uses_find(struct rs_tu *tu, const struct rs_record *const *records, size_t n_records, const char *root,
		  struct rs_pin_list *lists, struct rs_initializer_list *initializers);

/* An initialiser that has been written with designators, by its places in the new text. */
struct rs_designated {
	const char *path;                      /* real path of its file */
	size_t byte;                           /* of the opening brace */
	const struct rs_insertion *insertions; /* bytes of the dots */
	size_t n_insertions;
	const char *record_path; /* real path of the file that defines its struct */
	size_t record_byte;      /* where the definition starts */
};

/* Whether a unit that was parsed from the new text reads the lists as they are meant: for the same struct, with
 * no value left that has no designator, each with the member's own name. RS_ERROR_REJECTED says where not. */
struct rs_error *rs_uses_check(struct rs_tu *tu, const struct rs_designated *lists, size_t n_lists) RS_MUST_USE;

#endif

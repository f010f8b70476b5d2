/*
 * Code in a translation unit that depends on the order of a record's members.
 */
#ifndef RS_PARSE_USES_H
#define RS_PARSE_USES_H

#include "parse/tu.h"
#include "record/lifted.h"
#include "record/pins.h"

/* Text to put in the place of a span of the original, which may be empty. */
struct rs_text_change {
	struct rs_span span;
	const char *text;
};

/* What gives one member its value: a value, or several where braces are left out. */
struct rs_initializer_value {
	struct rs_span span;
	size_t member;     /* of the record, at its top level */
	bool needs_braces; /* wherever else it is put: the values do not fill the member */
};

/*
 * Values that give a record's members by position: an initialiser list in a file, in a macro's body or
 * argument, or values in a list for something around the record, where the record's own braces are left out.
 *
 * Two things can make it mean the same when the members change places: its values change places, too, or they
 * get designators. Each may be impossible.
 */
struct rs_initializer {
	const struct rs_source *source;
	const struct rs_record *record;            /* as the unit shows it: whose members are meant */
	struct rs_span span;                       /* braces included, if it has any */
	bool lacks_braces;                         /* of its own */
	bool is_designated;                        /* all values; C++ wants them in the members' order */
	bool has_directive;                        /* #if in it: a unit shows some of its values */
	const struct rs_initializer_value *values; /* by place; empty: translation units read it differently */
	size_t n_values;
	const char *no_order;                     /* why the values cannot change places; NULL: they can */
	const struct rs_text_change *designators; /* by place: what writes them */
	size_t n_designators;
	const char *no_designators; /* why none can be written; NULL */
	size_t group;               /* byte of the outermost list around it: rows of a table look alike */
	size_t macro;               /* byte of the name of the macro whose body it stands in; RS_NONE */
};

/*
 * Either a branch of #if inside a list, or one way in which #if makes a list of values whose places depend on
 * the branches that are read together.
 */
struct rs_initializer_branch {
	const struct rs_source *source;
	struct rs_span span;
	const char *advice; /* what shows the branch */
	bool is_read;       /* by a unit */
	uint64_t choice;    /* what a unit reads of the list that begins at span; 0: span is a branch */
	unsigned n_choices; /* how many there are */
};

/* A file with such lists. */
struct rs_initializer_source {
	const struct rs_source *source;
	bool is_generated; /* by a program, as a comment in it says: a pin, generated-file */
};

struct rs_initializer_list {
	struct rs_arena *arena;
	struct rs_initializer_source *sources;
	size_t n_sources, sources_capacity;
	struct rs_initializer *items;
	size_t n_items, items_capacity;
	struct rs_initializer_branch *branches;
	size_t n_branches, branches_capacity;
};

/*
 * Looks at every use of the records in one translation unit, which must have been opened with bodies; system
 * headers are passed over unless they name a record. lists has one entry a record: what is found is added to
 * it, with the place of the code. A record is recognised by its file and the byte at which its definition
 * starts.
 *
 * initializers has one entry a record, too: values by position that can be rewritten are added to it, once,
 * whichever units show them, and their pins are advice. Those that lie outside the folder root (NULL: there is
 * no such limit) or that cannot be rewritten refuse the record, with the reason.
 *
 * Codes: generated-file (of a file with lists), unaligned-allocation (which matters only to who wants to align the record), positional-initializer,
 * first-member-cast, type-pun, fixed-address, wide-access, member-range, offset-as-length, layout-escapes,
 * union-overlay, common-beginning, sizeof-in-constant, inline-assembly, evaluation-order.
 */
void rs_uses_find(struct rs_tu *tu, const struct rs_record *const *records, size_t n_records, const char *root,
		  struct rs_pin_list *lists, struct rs_initializer_list *initializers);

/* After all units: what stands in branches that no unit read refuses the record, with its place. */
void rs_uses_settle(const struct rs_initializer_list *list, struct rs_pin_list *pins);

/* What the initialiser lists of a unit give, list by list; all: of every list, else of those for structs alone.
 * A lifted member counts as what it becomes. */
struct rs_given_lists;
const struct rs_given_lists *rs_uses_read_lists(struct rs_tu *tu, struct rs_arena *arena, bool all,
						struct rs_lifting lifting);
/*
 * Whether every initialiser list still gives every member the same value in the unit after, which was parsed
 * from new texts: braces, designators and the order of the values aside. RS_ERROR_REJECTED says where another
 * value, or a value for another member, is given.
 */
struct rs_error *rs_uses_compare(const struct rs_given_lists *before, struct rs_tu *after, bool all,
				 struct rs_lifting lifting) RS_MUST_USE;

#endif

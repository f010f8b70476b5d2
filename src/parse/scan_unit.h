/*
 * What a scan of the whole tree reads: each source in each of the ways in which it is compiled.
 *
 * Sources that the database lists twice with flags that mean the same are one unit; the same source with other
 * flags is another configuration, and a unit of its own.
 */
#ifndef RS_PARSE_SCAN_UNIT_H
#define RS_PARSE_SCAN_UNIT_H

#include "parse/flags.h"
#include "parse/tu.h"

struct rs_scan_unit {
	const char *file;          /* canonical path of the main file */
	const char *configuration; /* the name that the user gave to its flags; NULL: those of the database */
	struct rs_flags flags;     /* what libclang is given: filtered, paths absolute */
	struct rs_notes notes;     /* about the flags */
	uint64_t hash;             /* of file and flags */
};

struct rs_scan_units {
	struct rs_scan_unit *items;
	size_t n_items, items_capacity;
};

bool rs_scan_unit_is_cxx(const struct rs_scan_unit *unit);
/* The C and C++ entries of the database in its order, each distinct unit once; they are added to what is there.
 */
void rs_scan_units_add(struct rs_arena *arena, const struct rs_compile_db *db, struct rs_scan_units *units);
/* One more unit, unless it is there already. */
void rs_scan_units_add_command(struct rs_arena *arena, const struct rs_compile_command *command,
			       const char *configuration, struct rs_scan_units *units);
/* The unit with the user's flags behind its own, unless it is there already. Relative names are those of the
 * current folder. */
void rs_scan_units_add_variant(struct rs_arena *arena, const struct rs_scan_unit *unit,
			       const char *configuration, const char *const *flags, size_t n_flags,
			       struct rs_scan_units *units);

/* Parses the unit as it is: no other flags and no other main file are tried, only the prelude of the parser's
 * options where the unit does not parse without. Every error in it counts. */
struct rs_error *rs_scan_unit_open(struct rs_parser *parser, const struct rs_scan_unit *unit,
				   struct rs_tu **ret_tu) RS_MUST_USE;
/* The same; a unit that was parsed, but has errors, is in *ret_tu beside the error: what it read is the whole
 * reason for it. NULL: that cannot be said. */
struct rs_error *rs_scan_unit_read(struct rs_parser *parser, const struct rs_scan_unit *unit,
				   struct rs_tu **ret_tu) RS_MUST_USE;
/* The same as rs_scan_unit_open() with some files replaced by new text, and whatever errors that makes. */
struct rs_error *rs_scan_unit_open_replaced(struct rs_parser *parser, const struct rs_scan_unit *unit,
					    bool with_prelude, const struct rs_buffer *replaced,
					    size_t n_replaced, struct rs_tu **ret_tu) RS_MUST_USE;
/* Whether tu is the unit's, without an error anywhere in it. */
bool rs_scan_unit_is(const struct rs_scan_unit *unit, const struct rs_tu *tu);

#endif

/*
 * Where the code of a translation unit reads and writes the members of records: one entry an expression.
 */
#ifndef RS_PARSE_SITES_H
#define RS_PARSE_SITES_H

#include "parse/tu.h"
#include "record/record.h"

struct rs_site {
	const char *file; /* real path */
	unsigned line;    /* of a macro's use, not of its definition */
	size_t byte;
	size_t record, member; /* of "a.b" it is b; an element of an array is the array */
	bool reads, writes;
	unsigned depth;       /* loops around it, in its function */
	const char *function; /* NULL outside of functions */
};

struct rs_site_list {
	struct rs_arena *arena;
	struct rs_site *items;
	size_t n_items, items_capacity;
};

/*
 * Adds the sites of one unit, which must have been opened with bodies; system headers are passed over, operands
 * that are not evaluated are none. The address of a member that is passed on counts as a read where what it is
 * passed to is const, else as a read and a write.
 */
void rs_sites_find(struct rs_tu *tu, const struct rs_record *const *records, size_t n_records,
		   struct rs_site_list *list);
/* Sorts by file, line and byte, and keeps once what several units show. */
void rs_sites_settle(struct rs_site_list *list);

#endif

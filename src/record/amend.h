/*
 * A record with what was found about it later, and without what the user overrules.
 */
#ifndef RS_RECORD_AMEND_H
#define RS_RECORD_AMEND_H

#include "record/pins.h"

/* --allow=CODE or CODE:NAME: a contract pin that does not hold. */
struct rs_allowance {
	const char *code;
	const char *name; /* of the record, or of a member in a pinned unit; NULL: any */
};

/* A copy of the record with the pins and constraints of found (NULL: none) behind its own. A contract pin that
 * is allowed becomes advice, and its constraints are dropped. Everything else is shared with record. */
const struct rs_record *rs_record_amend(struct rs_arena *arena, const struct rs_record *record,
					const struct rs_pin_list *found, const struct rs_allowance *allowances,
					size_t n_allowances);

#endif

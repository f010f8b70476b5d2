/*
 * Members that leave their containers for the record that these embed: `rt->rt_uncached` becomes
 * `rt->dst.rt_uncached`; or the other way, when they are lowered. Here is what translation units say about it:
 * where the members are named, what would no longer mean the same, and whether a unit of the new texts means
 * what the old one did.
 *
 *   lift.c          places of names, unit after unit, and what they become
 *   lift_way.c      the way to a member that is lowered from the record to its containers
 *   lift_hazards.c  code that sees the record or a container as a whole
 *   lift_compare.c  whether two units say the same but for the way to the members
 */
#ifndef RS_PARSE_LIFT_H
#define RS_PARSE_LIFT_H

#include "parse/uses.h"
#include "text/edit.h"

struct rs_lift_search;

/*
 * records: the record first, then the containers, each once. What is found lives in arena. Edits outside the
 * folder root are refused.
 */
struct rs_lift_search *rs_lift_search_create(struct rs_arena *arena, const struct rs_record *const *records,
					     size_t n_records, struct rs_lifting lifting, const char *root);
/* Looks at one unit, which must have been opened with bodies. */
struct rs_error *rs_lift_search_unit(struct rs_lift_search *search, struct rs_tu *tu) RS_MUST_USE;

/* A file with edits: its text as the units read it. */
struct rs_lift_file {
	const struct rs_source *source;
	const struct rs_edit *edits; /* of names alone; by place */
	size_t n_edits;
};

/*
 * After all units. The first pin, if there is one, says why the members cannot be lifted. Codes: lift-copy,
 * lift-size, lift-initializer, lift-macro, lift-unread, lift-outside, lift-name, lift-plain.
 */
void rs_lift_search_finish(struct rs_lift_search *search, const struct rs_lift_file **ret_files,
			   size_t *ret_n_files, const struct rs_pin_list **ret_pins);

/* Structs beside the containers that have the record and lose what is lowered, as a list of words (the search's
 * arena); NULL. */
const char *rs_lift_search_losers(const struct rs_lift_search *search);

/* What a unit says, apart from libclang; see rs_lift_compare(). */
struct rs_lift_meaning;
const struct rs_lift_meaning *rs_lift_read(struct rs_tu *tu, struct rs_arena *arena, struct rs_lifting lifting);
/*
 * Whether the unit after, parsed from new texts, says what the one before did: every declaration and every
 * expression, with the lifted members reached through the record. RS_ERROR_REJECTED names the first that does
 * not.
 */
struct rs_error *rs_lift_compare(const struct rs_lift_meaning *before, struct rs_tu *after,
				 struct rs_lifting lifting) RS_MUST_USE;

#endif

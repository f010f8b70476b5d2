/*
 * One record in several configurations: other macros or flags, so that #if leaves other members, or types have
 * other sizes. The text is the same, so its units are nearly the same: where the compiler's view made another
 * cut (a macro that is empty here and a member there), the units are matched by their bytes.
 *
 * The main configuration is the one that plans are made in. What holds in any of the others is made to hold
 * there: units that are one elsewhere stay together, regions that end elsewhere end, pins and constraints are
 * taken over. Then an order of the main record's units is one of each other record's, too.
 */
#ifndef RS_RECORD_CONFIGURATIONS_H
#define RS_RECORD_CONFIGURATIONS_H

#include "record/pins.h"

struct rs_configuration {
	const char *name;
	const struct rs_record *record;  /* the same bytes of the same file */
	const struct rs_pin_list *found; /* what was found about it besides (rs_hazards_find(), uses); NULL */
};

/* Whether both show the same members from the same text, at the same places, in the same units. */
bool rs_configurations_are_same(const struct rs_record *a, const struct rs_record *b);
/* The same without a look at regions and pins, which are not the compiler's, nor at what declarators are units.
 */
bool rs_configurations_show_the_same(const struct rs_record *a, const struct rs_record *b);
/* The main record's units and gaps as all the configurations permit it, and the names that only others have.
 * Pins and constraints that the main record (with what is in list) lacks are added to list, with the name of
 * the configuration in the message. */
const struct rs_record *rs_configurations_unite(const struct rs_record *main,
						const struct rs_configuration *others, size_t n_others,
						struct rs_pin_list *list);
/* A copy of one of the others that knows the names which only the rest has. */
const struct rs_record *rs_configurations_add_names(struct rs_arena *arena, const struct rs_record *record,
						    const struct rs_record *main,
						    const struct rs_configuration *others, size_t n_others);
/* What an order of the main (united) record's units is in the other record; ret_order has its n_units. */
void rs_configurations_project(const struct rs_record *main, const struct rs_record *other, const size_t *order,
			       size_t *ret_order);

#endif

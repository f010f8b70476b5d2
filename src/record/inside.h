/*
 * Which units speak of each other: a tag, an enumerator or a macro that one defines and a later one uses, a
 * count that counted_by() names. Found in the text, since libclang does not show either.
 */
#ifndef RS_RECORD_INSIDE_H
#define RS_RECORD_INSIDE_H

#include "record/pins.h"

void rs_inside_find(struct rs_pin_list *list, const struct rs_record *record);

#endif

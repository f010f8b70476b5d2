/*
 * Marks of cache-line groups, __cacheline_group_begin(NAME) and __cacheline_group_end(NAME), as members:
 * whether each begin has its end.
 */
#ifndef RS_RECORD_GROUP_MARKS_H
#define RS_RECORD_GROUP_MARKS_H

#include "record/pins.h"

/* Whether a member is one of them, by its name. */
bool rs_group_marks_has_name(const char *name);
/* Adds advice where a group does not end, ends without having begun, or reaches into one that it is not inside
 * of. */
void rs_group_marks_find(struct rs_pin_list *list, const struct rs_record *record);

#endif

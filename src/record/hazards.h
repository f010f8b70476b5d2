/*
 * What the text and the members of a record say about its order: padding on purpose, hardware registers, wire
 * formats, comments that forbid a new order or give offsets, macros that list values by position, marks of a
 * public or a generated header. docs/hazards.md describes each code.
 *
 * Nothing is read but the record's own file. What its uses show is found elsewhere.
 */
#ifndef RS_RECORD_HAZARDS_H
#define RS_RECORD_HAZARDS_H

#include "record/marks.h"
#include "record/pins.h"

/* Pins that the record's own text and members show, without looking at its uses. */
void rs_hazards_find(struct rs_pin_list *list, const struct rs_record *record);
/* The same for many records of one file, which is then read only once. */
void rs_hazards_find_marked(struct rs_pin_list *list, const struct rs_record *record,
			    const struct rs_marks *marks);
/* Whether a comment above the first code says that a program writes the file. */
bool rs_hazards_is_generated(const struct rs_source *source);
/* Whether the path is that of a library's copy which a project carries and builds with itself: below deps/,
 * vendor/, … */
bool rs_hazards_is_bundled(const char *path);

#endif

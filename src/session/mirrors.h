/*
 * Text outside C that repeats or reaches into a record: other languages, assembly, C++, and second definitions
 * in C that no translation unit sees together with the first. By text alone, and so by nature a search for what
 * looks like it: every finding can be overruled by its code.
 *
 * foreign-mirror      a definition in another language, or constants, that repeat fields or offsets
 * assembly            offsets written as numbers, for assembly or in it
 * cxx-consumer        C++ that initialises, inherits, holds or binds the record
 * second-definition   the same struct defined in another file
 */
#ifndef RS_SESSION_MIRRORS_H
#define RS_SESSION_MIRRORS_H

#include "base/notes.h"
#include "record/pins.h"

/* One walk over the files below root serves all records; lists holds one list a record. Pins refuse under a
 * contract, some are advice; their file is absolute and lives in arena. */
void rs_mirrors_find(struct rs_arena *arena, const char *root, const struct rs_record *const *records,
		     size_t n_records, struct rs_pin_list *lists, struct rs_notes *notes);

#endif

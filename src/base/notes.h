/*
 * Remarks for the user that are neither results nor errors: a dropped compiler flag, a defaulted hint.
 * The library collects them; the command line prints them on stderr (not with -q).
 */
#ifndef RS_BASE_NOTES_H
#define RS_BASE_NOTES_H

#include "base/arena.h"

enum rs_note_severity { RS_NOTE_INFO, RS_NOTE_WARNING };

struct rs_note {
	enum rs_note_severity severity;
	const char *path;      /* NULL: none */
	unsigned line, column; /* 0: unknown */
	const char *message;
};

struct rs_notes {
	struct rs_arena *arena;
	struct rs_note *items;
	size_t n_items, items_capacity;
};

void rs_notes_init(struct rs_notes *notes, struct rs_arena *arena);
/* The same message for the same place is kept once. */
void rs_notes_add(struct rs_notes *notes, enum rs_note_severity severity, const char *path, unsigned line,
		  unsigned column, const char *format, ...) RS_PRINTF(6, 7);

#endif

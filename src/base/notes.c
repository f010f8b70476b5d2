#include "base/notes.h"

#include <stdarg.h>
#include <string.h>

#include "base/builder.h"

void rs_notes_init(struct rs_notes *notes, struct rs_arena *arena)
{
	*notes = (struct rs_notes) { .arena = arena };
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_known(const struct rs_notes *notes, const struct rs_note *note)
{
	for (size_t i = 0; i < notes->n_items; i++) {
		const struct rs_note *known = &notes->items[i];

		if (known->line == note->line && known->column == note->column &&
		    same_text(known->path, note->path) && same_text(known->message, note->message))
			return true;
	}
	return false;
}

void rs_notes_add(struct rs_notes *notes, enum rs_note_severity severity, const char *path, unsigned line,
		  unsigned column, const char *format, ...)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	struct rs_note note = { .severity = severity,
				.path = path ? rs_arena_strdup(notes->arena, path) : NULL,
				.line = line,
				.column = column,
				.message = message.data };
	if (is_known(notes, &note))
		return;
	note.message = rs_arena_strdup(notes->arena, message.data);
	*rs_array_push(notes->arena, notes->items, notes->n_items, notes->items_capacity) = note;
}

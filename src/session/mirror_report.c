#include "session/mirror_report.h"

#include <string.h>

#include "base/path.h"

/* Pins without a file are the record's own text. */
static bool is_own_file(const struct rs_mirror_record *at, const char *path)
{
	return strcmp(rs_path_basename(at->record->source->realpath), rs_path_basename(path)) == 0;
}

void rs_mirror_report(const struct rs_mirror_record *at, const char *code, bool refuses, const char *path,
		      unsigned line, const char *format, ...)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	struct rs_pin_list *list = at->list;
	size_t known = 0;
	va_list arguments;

	for (size_t i = 0; i < list->n_pins; i++) {
		const struct rs_pin *pin = &list->pins[i];

		if (strcmp(pin->code, code) != 0 || pin->refuses != refuses)
			continue;
		if (pin->line == line && (pin->file ? strcmp(pin->file, path) == 0 : is_own_file(at, path)))
			return;
		known++;
	}
	if (known > RS_MIRROR_MAX_PLACES)
		return;
	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	rs_pin_add(list, code, refuses ? RS_PIN_CONTRACT : RS_PIN_ADVICE, RS_NONE, line, refuses, "%s%s",
		   message.data, known == RS_MIRROR_MAX_PLACES ? " (further places are not listed)" : "");
	list->pins[list->n_pins - 1].file = path;
}

const char *rs_mirror_record_title(struct rs_arena *arena, const struct rs_mirror_record *at)
{
	const struct rs_record *record = at->record;

	return rs_arena_printf(arena, "%s%s", record->is_typedef || at->n_names == 0 ? "" : "struct ",
			       record->name);
}

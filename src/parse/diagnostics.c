#include "parse/diagnostics.h"

#include <string.h>

#include "parse/clang.h"
#include "parse/tu_internal.h"

/* The text between the first two quotes after `after`; NULL when there is none. */
static char *quoted_after(struct rs_arena *arena, const char *text, const char *after)
{
	const char *at = strstr(text, after);
	const char *open = at ? strchr(at + strlen(after), '\'') : NULL;
	const char *close = open ? strchr(open + 1, '\'') : NULL;

	return close ? rs_arena_strndup(arena, open + 1, (size_t)(close - open - 1)) : NULL;
}

/* "unsupported argument 'thunk' to option 'mindirect-branch='": with or without the dash, by version. */
static char *find_refused_value(struct rs_arena *arena, const char *message)
{
	char *value = quoted_after(arena, message, "unsupported argument");
	char *option = quoted_after(arena, message, "to option");

	if (!value || !option)
		return NULL;
	return rs_arena_printf(arena, "%s%s%s", option[0] == '-' ? "" : "-", option, value);
}

/* The flag that a message without a place is about: the first one that it quotes. NULL: none. */
static char *find_flag(struct rs_arena *arena, const char *message)
{
	char *flag = find_refused_value(arena, message);
	const char *quote = strstr(message, "'-");

	if (flag || !quote)
		return flag;
	return quoted_after(arena, quote, "");
}

static bool says_unknown(const char *message)
{
	static const char *const phrases[] = { "unknown argument", "unsupported argument",
					       "unsupported option" };

	for (size_t i = 0; i < RS_COUNT_OF(phrases); i++)
		if (strncmp(message, phrases[i], strlen(phrases[i])) == 0)
			return true;
	return false;
}

/* The driver goes on without a flag that it does not like. */
static struct rs_error *take_flag(struct rs_tu *tu, const char *flag, const char *message)
{
	enum rs_flags_effect effect = rs_flags_find_effect(flag);
	enum rs_note_severity severity = effect == RS_FLAGS_READING ? RS_NOTE_WARNING : RS_NOTE_INFO;

	if (effect == RS_FLAGS_LAYOUT)
		return rs_error_create(RS_ERROR_PARSE, rs_tu_shown_main_file(tu), 0, 0,
				       "clang %s does not take %s, which changes how types are laid out (%s)",
				       rs_clang_version(), flag, message);
	if (says_unknown(message))
		rs_notes_add(&tu->notes, severity, NULL, 0, 0, "dropped %s, which clang %s does not know", flag,
			     rs_clang_version());
	else
		rs_notes_add(&tu->notes, severity, NULL, 0, 0, "dropped %s, which clang %s does not take: %s",
			     flag, rs_clang_version(), message);
	return NULL;
}

/* "(unnamed union at f.h:12:2)" names a place that moves when lines do: two units that say the same of the same
 * source shall say it in the same words. */
static void strip_places(char *message)
{
	for (char *at = message; (at = strchr(at, '(')) != NULL; at++) {
		size_t length = strcspn(at, ")");
		const char *place = (const char *)memmem(at, length, " at ", 4);
		bool is_type = strncmp(at, "(unnamed", 8) == 0 || strncmp(at, "(anonymous", 10) == 0;

		if (is_type && place && at[length] == ')')
			memmove(message + (place - message), at + length, strlen(at + length) + 1);
	}
}

static void add(struct rs_tu *tu, CXDiagnostic diagnostic, bool is_error, const char *message)
{
	CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
	struct rs_diagnostic *added =
		rs_array_push(tu->arena, tu->diagnostics, tu->n_diagnostics, tu->diagnostics_capacity);
	size_t index = tu->n_diagnostics - 1;
	struct rs_place *place = rs_array_push(tu->arena, tu->places, index, tu->places_capacity);
	CXFile file = NULL;
	unsigned byte = 0;

	*added = (struct rs_diagnostic) { .is_error = is_error, .message = message };
	clang_getFileLocation(location, &file, &added->line, &added->column, NULL);
	if (file)
		added->path = rs_tu_shown_path(tu, file, tu->arena);
	clang_getExpansionLocation(location, &place->file, NULL, NULL, &byte);
	place->byte = byte;
}

static bool has_file(CXDiagnostic diagnostic)
{
	CXFile file = NULL;

	clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file, NULL, NULL, NULL);
	return file != NULL;
}

static struct rs_error *take(struct rs_tu *tu, CXDiagnostic diagnostic)
{
	enum CXDiagnosticSeverity severity = clang_getDiagnosticSeverity(diagnostic);
	char *message, *flag = NULL;

	if (severity < CXDiagnostic_Warning)
		return NULL;
	message = rs_tu_string(tu->arena, clang_getDiagnosticSpelling(diagnostic));
	if (!has_file(diagnostic))
		flag = find_flag(tu->arena, message);
	if (flag && severity == CXDiagnostic_Warning && rs_flags_find_effect(flag) == RS_FLAGS_NONE)
		return NULL;
	if (flag)
		return take_flag(tu, flag, message);
	strip_places(message);
	add(tu, diagnostic, severity >= CXDiagnostic_Error, message);
	return NULL;
}

struct rs_error *rs_diagnostics_read(struct rs_tu *tu)
{
	unsigned count = clang_getNumDiagnostics(tu->unit);
	struct rs_error *error = NULL;

	for (unsigned i = 0; i < count && !error; i++) {
		CXDiagnostic diagnostic = clang_getDiagnostic(tu->unit, i);

		error = take(tu, diagnostic);
		clang_disposeDiagnostic(diagnostic);
	}
	return error;
}

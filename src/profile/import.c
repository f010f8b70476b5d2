#include "profile/import.h"

#include <ctype.h>
#include <string.h>

#include "base/inflate.h"
#include "profile/import_internal.h"

const struct rs_import_format rs_import_formats[] = {
	{ "perf-annotate", "perf annotate --data-type --stdio", rs_sniff_annotate, rs_import_annotate, true,
	  false },
	{ "perf-report", "perf report -s type,typeoff --stdio", rs_sniff_report, rs_import_report, true,
	  false },
	{ "perf-json", "the JSON of perf and pahole", rs_sniff_json, rs_import_json, false, false },
	{ "perf-c2c", "perf c2c report --stdio", rs_sniff_c2c, rs_import_c2c, true, false },
	{ "perf-script", "perf script with data_src", rs_sniff_script, rs_import_script, true, false },
	{ "access", "what restruct's runtime counted", rs_sniff_access, rs_import_access, false, true },
	{ "dhat", "the JSON of valgrind --tool=dhat", rs_sniff_dhat, rs_import_dhat, false, true },
	{ "net-cachelines", "a table of the kernel's Documentation/networking/net_cachelines",
	  rs_sniff_cachelines, rs_import_cachelines, true, false },
	{ "csv", "a table with a header", rs_sniff_csv, rs_import_csv, true, false },
	{ NULL, NULL, NULL, NULL, false, false },
};

static struct rs_error *find_format(const struct rs_import *import, const char *name,
				    const struct rs_import_format **ret_format)
{
	const char *names[RS_COUNT_OF(rs_import_formats)];
	RS_CLEANUP(rs_builder_deinit) struct rs_builder list = { 0 };
	size_t count = 0;

	for (const struct rs_import_format *format = rs_import_formats; format->name; format++) {
		if (name ? strcmp(format->name, name) == 0 : format->sniff(import->text, import->size)) {
			*ret_format = format;
			return NULL;
		}
		rs_builder_printf(&list, "%s%s", count ? ", " : "", format->name);
		names[count++] = format->name;
	}
	if (!name)
		return rs_error_create(RS_ERROR_SYNTAX, import->path, 1, 1,
				       "this is of no format that restruct knows: %s (--from=FORMAT names one)",
				       list.data);
	const char *nearest = rs_nearest_name(name, names, count);
	return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "--from: '%s' is not %s%s%s%s", name, list.data,
			       nearest ? " (did you mean '" : "", nearest ? nearest : "", nearest ? "'?)" : "");
}

/* The length of a terminal's control sequence at text: ESC [ … letter. */
static size_t sequence_length(const char *text, size_t size)
{
	size_t length = 2;

	if (size < 3 || text[0] != '\033' || text[1] != '[')
		return 0;
	while (length < size && (isdigit((unsigned char)text[length]) || text[length] == ';'))
		length++;
	return length < size ? length + 1 : length;
}

/* Text as a terminal would show it: no colours, lines that end in LF alone. */
static void clean(struct rs_import *import)
{
	char *copy = rs_arena_strndup(import->arena, import->text, import->size), *end = copy;

	for (size_t i = 0, skip; i < import->size; i += skip) {
		skip = sequence_length(import->text + i, import->size - i);
		if (skip > 0)
			continue;
		skip = 1;
		if (import->text[i] != '\r' || i + 1 == import->size || import->text[i + 1] != '\n')
			*end++ = import->text[i];
	}
	*end = '\0';
	import->text = copy;
	import->size = (size_t)(end - copy);
}

static struct rs_error *check_text(const struct rs_import *import, const struct rs_import_format *format)
{
	struct rs_word at = { .line = 1, .column = 1 };
	const char *nul = (const char *)memchr(import->text, '\0', import->size);

	for (const char *c = import->text; c < import->text + import->size; c++)
		at.line += *c == '\n' && (!nul || c < nul);
	if (nul)
		return rs_import_error(import, at, "expected text, found a NUL byte: this is a binary file");
	if (import->text[import->size - 1] != '\n' && format->read == rs_import_cachelines)
		rs_notes_add(import->notes, RS_NOTE_WARNING, import->path, at.line, 1,
			     "the last line has no end: is the table whole?"); /* the kernel's own has none */
	else if (import->text[import->size - 1] != '\n')
		return rs_import_error(import, at, "the last line has no end: the file seems to be cut short");
	return NULL;
}

struct rs_error *rs_import_read(struct rs_import *import, const char *name)
{
	static const char mark[] = "\xef\xbb\xbf";
	char *text = rs_arena_strndup(import->arena, import->text, import->size);
	const struct rs_import_format *format = NULL;

	RS_TRY(rs_inflate(import->arena, import->path, &text, &import->size));
	import->text = text;
	if (import->size >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0) {
		import->text += strlen(mark);
		import->size -= strlen(mark);
	}
	if (import->size == 0)
		return rs_error_create(RS_ERROR_SYNTAX, import->path, 1, 1, "the file is empty");
	if (import->size >= 8 && memcmp(import->text, "PERFILE2", 8) == 0)
		return rs_error_create(
			RS_ERROR_SYNTAX, import->path, 1, 1,
			"this is perf's own binary file: import what perf report, annotate, c2c or script "
			"print of it");
	if (import->text[0] != '{')
		clean(import);
	RS_TRY(find_format(import, name, &format));
	if (format->needs_record && import->n_records == 0)
		return rs_error_create(
			RS_ERROR_USAGE, import->path, 0, 0,
			"%s: it counts bytes, not fields: name the struct and a source that knows it "
			"(-C NAME with -p DIR or --uses=FILE)",
			format->what);
	if (format->is_text)
		RS_TRY(check_text(import, format));
	return format->read(import);
}

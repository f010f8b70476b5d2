/*
 * Tables of anybody's making: a header that names the columns, then a row for each field, separated by commas,
 * semicolons or tabs. Columns: struct, field, reads, writes, path, cpus; field and one of reads and writes must
 * be there, and struct unless one was asked for. Numbers are in the C locale.
 */
#include <string.h>

#include "profile/import_internal.h"

enum csv_column { CSV_STRUCT, CSV_FIELD, CSV_READS, CSV_WRITES, CSV_PATH, CSV_CPUS, CSV_COLUMNS };

static const char *const column_names[] = { "struct", "field", "reads", "writes", "path", "cpus" };

enum { MOST_CELLS = 64 };

struct csv {
	struct rs_import *import;
	char separator;
	size_t places[CSV_COLUMNS]; /* SIZE_MAX: not there */
	size_t n_cells;
};

static char find_separator(const char *text, size_t size)
{
	const char *end = (const char *)memchr(text, '\n', size);
	size_t length = end ? (size_t)(end - text) : size;
	static const char separators[] = "\t;,";

	for (const char *c = separators; *c; c++)
		if (memchr(text, *c, length))
			return *c;
	return '\0';
}

bool rs_sniff_csv(const char *text, size_t size)
{
	const char *end = (const char *)memchr(text, '\n', size);
	size_t length = end ? (size_t)(end - text) : size;

	return find_separator(text, size) && memmem(text, length, "field", 5) &&
	       (memmem(text, length, "reads", 5) || memmem(text, length, "writes", 6));
}

/* A quoted cell holds anything but a line end; a doubled quote in it is a quote. */
static struct rs_error *read_quoted(const struct csv *csv, struct rs_word *rest, struct rs_word *ret_cell)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	size_t at = 1;

	for (; at < rest->length; at++) {
		if (rest->text[at] == '"' && (at + 1 == rest->length || rest->text[at + 1] != '"'))
			break;
		at += rest->text[at] == '"';
		rs_builder_appendc(&text, rest->text[at]);
	}
	if (at >= rest->length)
		return rs_import_expected(csv->import, *rest, "a quote that ends the cell");
	*ret_cell = (struct rs_word) { rs_arena_strndup(csv->import->arena, text.data ? text.data : "",
							text.length),
				       text.length, rest->line, rest->column };
	*rest = rs_word_from(*rest, at + 1);
	return NULL;
}

static struct rs_error *split(const struct csv *csv, struct rs_word line, struct rs_word *cells,
			      size_t *ret_count)
{
	struct rs_word rest = line;
	size_t count = 0;

	for (;;) {
		if (count == MOST_CELLS)
			return rs_import_expected(csv->import, rest, "at most 64 cells");
		while (rest.length > 0 && rest.text[0] == ' ')
			rest = rs_word_from(rest, 1);
		if (rest.length > 0 && rest.text[0] == '"') {
			RS_TRY(read_quoted(csv, &rest, &cells[count++]));
			while (rest.length > 0 && rest.text[0] == ' ')
				rest = rs_word_from(rest, 1);
		} else {
			const char *end = (const char *)memchr(rest.text, csv->separator, rest.length);
			size_t length = end ? (size_t)(end - rest.text) : rest.length;

			cells[count++] = rs_word_trim(rs_word_first(rest, length));
			rest = rs_word_from(rest, length);
		}
		if (rest.length == 0)
			break;
		if (rest.text[0] != csv->separator)
			return rs_import_expected(csv->import, rest, "a separator behind the cell");
		rest = rs_word_from(rest, 1);
	}
	*ret_count = count;
	return NULL;
}

static struct rs_error *read_header(struct csv *csv, struct rs_word line)
{
	struct rs_word cells[MOST_CELLS];
	size_t column;

	for (column = 0; column < CSV_COLUMNS; column++)
		csv->places[column] = SIZE_MAX;
	RS_TRY(split(csv, line, cells, &csv->n_cells));
	for (size_t i = 0; i < csv->n_cells; i++) {
		for (column = 0; column < CSV_COLUMNS && !rs_word_is(cells[i], column_names[column]);)
			column++;
		if (column == CSV_COLUMNS || csv->places[column] != SIZE_MAX)
			return rs_import_expected(
				csv->import, cells[i],
				"each of the columns struct, field, reads, writes, path and cpus at most once");
		csv->places[column] = i;
	}
	if (csv->places[CSV_FIELD] == SIZE_MAX ||
	    (csv->places[CSV_READS] == SIZE_MAX && csv->places[CSV_WRITES] == SIZE_MAX))
		return rs_import_expected(csv->import, line, "the column field, and reads or writes");
	if (csv->places[CSV_STRUCT] == SIZE_MAX && csv->import->n_records != 1)
		return rs_import_expected(csv->import, line, "the column struct (or -C with one struct)");
	return NULL;
}

static struct rs_error *read_count(const struct csv *csv, const struct rs_word *cells, enum csv_column column,
				   double *ret_count)
{
	size_t place = csv->places[column];

	if (place == SIZE_MAX || cells[place].length == 0)
		return NULL;
	return rs_import_number(csv->import, cells[place], ret_count);
}

static const char *text_of(const struct csv *csv, const struct rs_word *cells, enum csv_column column)
{
	size_t place = csv->places[column];

	return place == SIZE_MAX || cells[place].length == 0 ? NULL
							     : rs_word_dup(csv->import->arena, cells[place]);
}

static struct rs_error *read_row(const struct csv *csv, struct rs_word line)
{
	struct rs_import *import = csv->import;
	struct rs_word cells[MOST_CELLS];
	struct rs_import_row row = { .line = line.line, .column = line.column };
	double cpus = 0;
	size_t count = 0;

	RS_TRY(split(csv, line, cells, &count));
	if (count != csv->n_cells)
		return rs_import_error(import, line, "expected %zu cells as in the header, found %zu",
				       csv->n_cells, count);
	row.type = csv->places[CSV_STRUCT] == SIZE_MAX ? import->records[0]->name
						       : text_of(csv, cells, CSV_STRUCT);
	row.field = text_of(csv, cells, CSV_FIELD);
	row.path = text_of(csv, cells, CSV_PATH);
	if (!row.type || !row.field)
		return rs_import_error(import, line,
				       "expected names of a struct and a field, found an empty cell");
	if (strncmp(row.type, "struct ", 7) == 0)
		row.type += 7;
	RS_TRY(read_count(csv, cells, CSV_READS, &row.reads));
	RS_TRY(read_count(csv, cells, CSV_WRITES, &row.writes));
	RS_TRY(read_count(csv, cells, CSV_CPUS, &cpus));
	if (cpus > 4096 || cpus != (double)(unsigned)cpus)
		return rs_import_expected(import, cells[csv->places[CSV_CPUS]], "a number of CPUs up to 4096");
	row.cpus = (unsigned)cpus;
	*rs_import_add(import, line) = row;
	return NULL;
}

struct rs_error *rs_import_csv(struct rs_import *import)
{
	struct csv csv = { .import = import, .separator = find_separator(import->text, import->size) };
	struct rs_import_lines lines;
	struct rs_word line = { .line = 1, .column = 1 };
	size_t n_rows = 0;

	import->tool = "table";
	import->trust = "stated";
	import->reads_unit = import->writes_unit = "accesses";
	rs_import_lines(&lines, import);
	if (!rs_import_next_line(&lines, &line))
		return rs_import_error(import, line, "expected a header, found the end of the file");
	RS_TRY(read_header(&csv, line));
	while (rs_import_next_line(&lines, &line)) {
		if (rs_word_trim(line).length == 0)
			continue;
		RS_TRY(read_row(&csv, line));
		n_rows++;
	}
	return n_rows ? NULL : rs_import_error(import, line, "expected rows below the header, found none");
}

/*
 * perf report -s type,typeoff --stdio:
 *
 *	# Samples: 10K of event 'cpu/mem-loads,ldlat=30/P'
 *	# Event count (approx.): 602758064
 *	#
 *	# Overhead  Data Type           Data Type Offset
 *	# ........  ..................  .......................................
 *	#
 *	    11.65%  struct paca_struct  struct paca_struct +2312 (__current)
 *
 * with offsets in decimal or hexadecimal, with or without columns Samples and Period, with one column of
 *percentages for each event of a group.
 */
#include <ctype.h>
#include <string.h>

#include "profile/import_internal.h"

enum { MOST_COLUMNS = 24, MOST_EVENTS = 16 };

enum column_kind { COLUMN_PERCENT, COLUMN_SAMPLES, COLUMN_PERIOD };

struct report {
	struct rs_import *import;
	const char *events[MOST_EVENTS];
	size_t n_events;
	enum column_kind columns[MOST_COLUMNS];
	size_t n_columns;
	bool has_columns, has_type;
	const char *unit;
};

bool rs_sniff_report(const char *text, size_t size)
{
	return memmem(text, size, "Data Type Offset", strlen("Data Type Offset")) != NULL;
}

/* # Samples: 10K of event 'a'   or   of events 'a, b' */
static struct rs_error *read_events(struct report *report, struct rs_word line)
{
	size_t quote = rs_word_find(line, "'");
	struct rs_word rest = rs_word_from(line, quote == SIZE_MAX ? line.length : quote + 1);
	size_t end = rs_word_find(rest, "'");

	report->n_events = 0;
	report->has_columns = false;
	if (end == SIZE_MAX)
		return rs_import_expected(report->import, line, "# Samples: N of event 'NAME'");
	bool several = rs_word_find(line, "of events '") != SIZE_MAX;
	rest = rs_word_first(rest, end);
	while (rest.length > 0) {
		size_t comma = several ? rs_word_find(rest, ", ") : SIZE_MAX;
		struct rs_word name = comma == SIZE_MAX ? rest : rs_word_first(rest, comma);

		if (report->n_events == MOST_EVENTS)
			return rs_import_expected(report->import, name, "at most 16 events");
		report->events[report->n_events++] = rs_word_dup(report->import->arena, rs_word_trim(name));
		rest = comma == SIZE_MAX ? rs_word_from(rest, rest.length) : rs_word_from(rest, comma + 2);
	}
	return NULL;
}

static struct rs_error *add_column(struct report *report, struct rs_word word)
{
	static const char *const names[] = { "Overhead", "Samples", "Period" };

	for (size_t i = 0; i < RS_COUNT_OF(names); i++)
		if (rs_word_is(word, names[i]) && report->n_columns < MOST_COLUMNS) {
			report->columns[report->n_columns++] = (enum column_kind)i;
			return NULL;
		}
	return rs_import_expected(report->import, word, "a column Overhead, Samples, Period or Data Type");
}

static size_t count_columns(const struct report *report, enum column_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < report->n_columns; i++)
		count += report->columns[i] == kind;
	return count;
}

/* # Overhead  Data Type  Data Type Offset: the figures first, then what they are for. */
static struct rs_error *read_columns(struct report *report, struct rs_word line)
{
	static const char type[] = "Data Type ", offset[] = "Data Type Offset";
	size_t at = rs_word_find(line, "Data Type");
	struct rs_word figures = rs_word_from(rs_word_first(line, at), 1), word;
	struct rs_word rest = rs_word_trim(rs_word_from(line, at));

	report->n_columns = 0;
	report->has_columns = true;
	report->has_type = !rs_word_begins(rest, offset);
	if (report->has_type)
		rest = rs_word_trim(rs_word_from(rest, strlen(type)));
	if (!rs_word_is(rest, offset))
		return rs_import_expected(report->import, rest,
					  "the columns Data Type and Data Type Offset, last and in this order");
	while (rs_word_next(&figures, &word))
		RS_TRY(add_column(report, word));
	/* A group has one Overhead over as many percentages as it has events. */
	while (count_columns(report, COLUMN_PERCENT) == 1 && report->n_events > 1 &&
	       report->n_columns + report->n_events <= MOST_COLUMNS && report->columns[0] == COLUMN_PERCENT) {
		memmove(report->columns + report->n_events, report->columns + 1,
			(report->n_columns - 1) * sizeof *report->columns);
		for (size_t i = 0; i < report->n_events; i++)
			report->columns[i] = COLUMN_PERCENT;
		report->n_columns += report->n_events - 1;
	}
	report->unit = count_columns(report, COLUMN_SAMPLES)  ? "samples"
		       : count_columns(report, COLUMN_PERIOD) ? "periods"
							      : "percent";
	for (size_t i = 0; i < report->n_events; i++)
		rs_import_units(report->import, report->events[i], report->unit);
	if (report->n_events == 0)
		rs_import_units(report->import, "", report->unit);
	return NULL;
}

/* The column whose figures count, best first: samples, periods, percentages. */
static enum column_kind counted(const struct report *report)
{
	return count_columns(report, COLUMN_SAMPLES)  ? COLUMN_SAMPLES
	       : count_columns(report, COLUMN_PERIOD) ? COLUMN_PERIOD
						      : COLUMN_PERCENT;
}

/* "struct x +0x10 (a.b)": from the right, as types hold blanks. */
static struct rs_error *read_place(struct report *report, struct rs_word text, struct rs_word *ret_type,
				   struct rs_word *ret_name)
{
	static const char expected[] = "TYPE +OFFSET (FIELD)";
	size_t open = text.length, plus;
	uint64_t offset;

	while (open > 0 && !(text.text[open - 1] == '(' && (open < 2 || text.text[open - 2] == ' ')))
		open--;
	if (open < 2 || text.text[text.length - 1] != ')')
		return rs_import_expected(report->import, text, expected);
	*ret_name = rs_word_first(rs_word_from(text, open), text.length - open - 1);
	struct rs_word front = rs_word_trim(rs_word_first(text, open - 1));
	for (plus = front.length; plus > 0 && front.text[plus - 1] != '+'; plus--)
		;
	if (plus == 0)
		return rs_import_expected(report->import, text, expected);
	RS_TRY(rs_import_whole(report->import, rs_word_from(front, plus), false, &offset));
	*ret_type = rs_word_trim(rs_word_first(front, plus - 1));
	return NULL;
}

/* With both columns the type stands twice, with blanks between. */
static struct rs_error *halve(const struct report *report, struct rs_word *type)
{
	for (size_t length = 1; report->has_type && 2 * length < type->length; length++) {
		struct rs_word second = rs_word_trim(rs_word_from(*type, length));
		size_t gap = type->length - length - second.length;

		if (second.length == length && gap > 0 && memcmp(second.text, type->text, length) == 0) {
			*type = second;
			return NULL;
		}
	}
	return report->has_type ? rs_import_expected(report->import, *type, "the same type in both columns")
				: NULL;
}

static struct rs_error *read_row(struct report *report, struct rs_word line)
{
	struct rs_import *import = report->import;
	double values[MOST_COLUMNS];
	struct rs_word rest = line, word, type, name;
	size_t event = 0;

	for (size_t i = 0; i < report->n_columns; i++) {
		rs_word_next(&rest, &word);
		if (report->columns[i] == COLUMN_PERCENT)
			RS_TRY(rs_import_percent(import, word, &values[i]));
		else
			RS_TRY(rs_import_number(import, word, &values[i]));
	}
	RS_TRY(read_place(report, rs_word_trim(rest), &type, &name));
	RS_TRY(halve(report, &type));
	const char *tag = rs_import_tag(import->arena, type);
	struct rs_import_row row = { .line = line.line, .column = type.column, .type = tag };
	for (size_t i = 0; i < report->n_columns; i++) {
		if (report->columns[i] != counted(report))
			continue;
		const char *of = report->n_events ? report->events[event % report->n_events] : "";
		rs_import_count(import, &row, rs_event_kind(of), values[i]);
		event++;
	}
	if (!tag || name.length == 0 || rs_word_is(name, "no field")) {
		rs_import_lose(import, tag ? RS_LOST_NO_MEMBER : RS_LOST_NO_STRUCT, type.line, type.column,
			       rs_word_dup(import->arena, type));
		return NULL;
	}
	row.field = rs_word_dup(import->arena, name);
	*rs_import_add(import, type) = row;
	return NULL;
}

struct rs_error *rs_import_report(struct rs_import *import)
{
	struct report report = { .import = import };
	struct rs_import_lines lines;
	struct rs_word line, last = { .line = 1, .column = 1 };

	import->tool = "perf report -s type,typeoff";
	import->trust = "sampled";
	rs_import_lines(&lines, import);
	while (rs_import_next_line(&lines, &line)) {
		struct rs_word text = rs_word_trim(line);

		last = line;
		if (rs_word_begins(text, "# Samples:"))
			RS_TRY(read_events(&report, text));
		else if (rs_word_begins(text, "#") && rs_word_find(text, "Data Type") != SIZE_MAX &&
			 rs_word_find(text, "(Tip") == SIZE_MAX)
			RS_TRY(read_columns(&report, line));
		else if (text.length > 0 && text.text[0] != '#' && !report.has_columns)
			return rs_import_expected(
				import, text,
				"a line '# Overhead  Data Type  Data Type Offset' before the rows");
		else if (text.length > 0 && text.text[0] != '#')
			RS_TRY(read_row(&report, line));
	}
	return report.has_columns
		       ? NULL
		       : rs_import_expected(import, last, "a line '# Overhead  Data Type  Data Type Offset'");
}

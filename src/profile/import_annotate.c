/*
 * perf annotate --data-type --stdio (since Linux 6.8):
 *
 *	Annotate type: 'struct folio' in [kernel.kallsyms] (11467 samples):
 *	 event[0] = cpu/mem-loads,ldlat=30/P
 *	============================================================================
 *	 Percent     offset       size  field
 *	  100.00          0        256  struct folio	 {
 *	   12.50          0          8      unsigned long	flags;
 *	                                  };
 *
 * Offsets and sizes are decimal or (later) hexadecimal with 0x, but 0. In a group of events there is a column
 * for each, below one title. An aggregate's numbers include its members', so only leaves count.
 */
#include <ctype.h>
#include <string.h>

#include "profile/import_internal.h"

enum { MOST_EVENTS = 16, MOST_DEPTH = 64 };

static const char heading[] = "Annotate type: '";

/* What the columns in front of the field hold, by their place. */
enum column_kind { COLUMN_VALUE, COLUMN_OFFSET, COLUMN_SIZE };

struct annotate {
	struct rs_import *import;
	struct rs_import_lines lines;
	struct rs_word type; /* the heading's */
	const char *tag;     /* NULL: no struct */
	double n_samples;
	const char *events[MOST_EVENTS];
	size_t n_events;
	enum column_kind columns[MOST_EVENTS + 2];
	size_t n_columns, n_values;
	const char *unit;              /* NULL: percent of n_samples */
	const char *names[MOST_DEPTH]; /* of the aggregates that are open; the outermost has none */
	size_t depth;
	uint64_t covered; /* members up to here have been counted: the rest of a union shares their bytes */
};

bool rs_sniff_annotate(const char *text, size_t size)
{
	return memmem(text, size, heading, strlen(heading)) != NULL;
}

/* Annotate type: 'struct folio' in [kernel.kallsyms] (11467 samples): */
static struct rs_error *read_heading(struct annotate *annotate, struct rs_word line)
{
	struct rs_import *import = annotate->import;
	struct rs_word rest = rs_word_from(line, strlen(heading));
	size_t quote = rs_word_find(rest, "'"), count;

	if (quote == SIZE_MAX)
		return rs_import_expected(import, rest, "a type's name and a quote");
	annotate->type = rs_word_first(rest, quote);
	annotate->tag = rs_import_tag(import->arena, annotate->type);
	rest = rs_word_from(rest, quote);
	while ((count = rs_word_find(rs_word_from(rest, 1), "(")) != SIZE_MAX)
		rest = rs_word_from(rest, count + 1);
	size_t blank = rs_word_find(rest, " sample");
	if (!rs_word_begins(rest, "(") || blank == SIZE_MAX)
		return rs_import_expected(import, rest, "a count of samples such as (11467 samples)");
	annotate->n_events = 0;
	return rs_import_number(import, rs_word_from(rs_word_first(rest, blank), 1), &annotate->n_samples);
}

/*  event[0] = cpu/mem-loads,ldlat=30/P */
static struct rs_error *read_event(struct annotate *annotate, struct rs_word line)
{
	size_t equals = rs_word_find(line, "= ");

	if (equals == SIZE_MAX || annotate->n_events == MOST_EVENTS)
		return rs_import_expected(annotate->import, line,
					  "one of at most 16 events, as event[0] = NAME");
	annotate->events[annotate->n_events++] =
		rs_word_dup(annotate->import->arena, rs_word_trim(rs_word_from(line, equals + 2)));
	return NULL;
}

static struct rs_error *add_column(struct annotate *annotate, struct rs_word word)
{
	static const char *const values[] = { "Percent", "Samples", "Period", "samples" }; /* the last in 6.8 */
	enum column_kind kind = rs_word_is(word, "offset") ? COLUMN_OFFSET
				: rs_word_is(word, "size") ? COLUMN_SIZE
							   : COLUMN_VALUE;
	bool known = kind != COLUMN_VALUE;

	for (size_t i = 0; i < RS_COUNT_OF(values); i++) {
		if (!rs_word_is(word, values[i]))
			continue;
		known = true;
		annotate->unit = i == 2 ? "periods" : "samples";
		if (i == 0)
			annotate->unit = NULL;
	}
	if (!known || annotate->n_columns == RS_COUNT_OF(annotate->columns))
		return rs_import_expected(annotate->import, word,
					  "a column Percent, Samples, Period, offset, size or field");
	annotate->columns[annotate->n_columns++] = kind;
	annotate->n_values += kind == COLUMN_VALUE;
	return NULL;
}

/* A group has one title over as many values as it has events. */
static void spread_values(struct annotate *annotate)
{
	size_t more = annotate->n_events - 1, at = 0;

	if (annotate->n_values != 1 || annotate->n_events < 2 ||
	    annotate->n_columns + more > RS_COUNT_OF(annotate->columns))
		return;
	while (annotate->columns[at] != COLUMN_VALUE)
		at++;
	memmove(annotate->columns + at + more, annotate->columns + at,
		(annotate->n_columns - at) * sizeof *annotate->columns);
	for (size_t i = at; i < at + more; i++)
		annotate->columns[i] = COLUMN_VALUE;
	annotate->n_columns += more;
	annotate->n_values += more;
}

/*  Percent     offset       size  field */
static struct rs_error *read_columns(struct annotate *annotate, struct rs_word line)
{
	struct rs_word rest = line, word;
	size_t n_places = 0;

	annotate->n_columns = annotate->n_values = 0;
	while (rs_word_next(&rest, &word) && !rs_word_is(word, "field"))
		RS_TRY(add_column(annotate, word));
	if (!rs_word_is(word, "field") || rs_word_trim(rest).length > 0)
		return rs_import_expected(annotate->import, line,
					  "a line of columns of which the last is field");
	for (size_t i = 0; i < annotate->n_columns; i++)
		n_places += annotate->columns[i] != COLUMN_VALUE;
	if (n_places != 2 || annotate->n_values == 0)
		return rs_import_expected(annotate->import, line,
					  "columns with values, one offset and one size");
	spread_values(annotate);
	if (annotate->n_events > 0 && annotate->n_events != annotate->n_values)
		return rs_import_error(annotate->import, line,
				       "expected a column for each of the %zu events, found %zu",
				       annotate->n_events, annotate->n_values);
	return NULL;
}

struct line_values {
	double values[MOST_EVENTS + 2];
	uint64_t offset, size;
	struct rs_word name; /* empty for an anonymous member */
	bool opens;
};

static struct rs_error *read_value(const struct annotate *annotate, struct rs_word word, double *ret_value)
{
	RS_TRY(rs_import_number(annotate->import, word, ret_value));
	if (!annotate->unit && *ret_value > 100.01)
		return rs_import_expected(annotate->import, word, "a percentage of at most 100");
	if (annotate->unit && (double)(uint64_t)*ret_value < *ret_value)
		return rs_import_expected(annotate->import, word, "a whole number");
	return NULL;
}

/* The name is what stands behind the tab, or (in case tabs were expanded) the last word. */
static struct rs_word find_name(struct rs_word declaration)
{
	size_t tab = rs_word_find(declaration, "\t");
	struct rs_word word, name = { .text = declaration.text };

	if (tab != SIZE_MAX)
		return rs_word_trim(rs_word_from(declaration, tab)); /* maybe empty: an anonymous member */
	while (rs_word_next(&declaration, &word))
		name = word;
	if (rs_word_is(name, "union") || rs_word_is(name, "struct") || rs_word_is(name, "class"))
		name.length = 0;
	return name;
}

static struct rs_error *read_line(const struct annotate *annotate, struct rs_word line,
				  struct line_values *ret_values)
{
	struct rs_word rest = line, word;
	size_t value = 0;

	for (size_t i = 0; i < annotate->n_columns; i++) {
		rs_word_next(&rest, &word);
		if (annotate->columns[i] == COLUMN_OFFSET)
			RS_TRY(rs_import_whole(annotate->import, word, false, &ret_values->offset));
		else if (annotate->columns[i] == COLUMN_SIZE)
			RS_TRY(rs_import_whole(annotate->import, word, false, &ret_values->size));
		else
			RS_TRY(read_value(annotate, word, &ret_values->values[value++]));
	}
	rest = rs_word_trim(rest);
	char last = rest.length > 0 ? rest.text[rest.length - 1] : '\0';
	if (last != '{' && last != ';')
		return rs_import_expected(annotate->import, rest, "a member that ends in ';' or '{'");
	ret_values->opens = last == '{';
	ret_values->name = find_name(rs_word_first(rest, rest.length - 1));
	return NULL;
}

static char *path_of(const struct annotate *annotate, struct rs_word name)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder path = { 0 };

	for (size_t i = 1; i < annotate->depth; i++)
		rs_builder_printf(&path, annotate->names[i][0] ? "%s." : "%s", annotate->names[i]);
	rs_builder_append(&path, name.text, name.length);
	return rs_arena_strdup(annotate->import->arena, path.data);
}

static double count_of(const struct annotate *annotate, double value)
{
	return annotate->unit ? value : value / 100 * annotate->n_samples;
}

static void add_leaf(struct annotate *annotate, struct rs_word line, const struct line_values *values)
{
	struct rs_import *import = annotate->import;

	if (!annotate->tag) {
		rs_import_lose(import, RS_LOST_NO_STRUCT, line.line, line.column,
			       rs_word_dup(import->arena, annotate->type));
		return;
	}
	if (values->name.length == 0 || (values->offset < annotate->covered && values->size > 0))
		return;
	if (values->size > UINT64_MAX - values->offset)
		return;
	annotate->covered = values->offset + values->size;
	struct rs_import_row *row = rs_import_add(import, line);
	row->type = annotate->tag;
	row->field = path_of(annotate, values->name);
	for (size_t i = 0; i < annotate->n_values; i++) {
		enum rs_event_kind kind =
			annotate->n_events ? rs_event_kind(annotate->events[i]) : RS_EVENT_ANY;

		if (values->values[i] > 0)
			rs_import_count(import, row, kind, count_of(annotate, values->values[i]));
	}
}

static struct rs_error *read_member(struct annotate *annotate, struct rs_word line)
{
	struct line_values values = { 0 };

	RS_TRY(read_line(annotate, line, &values));
	if (!values.opens) {
		add_leaf(annotate, line, &values);
		return NULL;
	}
	if (annotate->depth == MOST_DEPTH)
		return rs_import_error(annotate->import, line, "more than %d levels of members", MOST_DEPTH);
	annotate->names[annotate->depth++] = rs_word_dup(annotate->import->arena, values.name);
	return NULL;
}

/* From the columns to the closing brace of the outermost aggregate. */
static struct rs_error *read_members(struct annotate *annotate)
{
	struct rs_word line = { .line = annotate->lines.number, .column = 1 };

	annotate->depth = 0;
	annotate->covered = 0;
	do {
		if (!rs_import_next_line(&annotate->lines, &line))
			return rs_import_error(
				annotate->import, line,
				"expected the members of %.*s up to '};', found the end of the file",
				(int)annotate->type.length, annotate->type.text);
		struct rs_word text = rs_word_trim(line);
		if (!rs_word_begins(text, "}")) {
			RS_TRY(read_member(annotate, line));
			continue;
		}
		if (annotate->depth == 0 || !rs_word_is(text, "};"))
			return rs_import_expected(annotate->import, text, "a member, or '};' to close one");
		annotate->depth--;
	} while (annotate->depth > 0);
	return NULL;
}

static void note_units(const struct annotate *annotate)
{
	/* The heading counts the samples of all events together: a share of one's own is no number of samples.
	 */
	const char *unit = annotate->unit ? annotate->unit : annotate->n_events > 1 ? "shares" : "samples";

	for (size_t i = 0; i < annotate->n_events; i++)
		rs_import_units(annotate->import, annotate->events[i], unit);
	if (annotate->n_events == 0)
		rs_import_units(annotate->import, "", unit);
}

/* Behind a heading: events, a rule, the columns, the members. */
static struct rs_error *read_type(struct annotate *annotate)
{
	struct rs_word line = { .line = annotate->lines.number, .column = 1 };
	bool ruled = false;

	for (;;) {
		if (!rs_import_next_line(&annotate->lines, &line))
			return rs_import_error(annotate->import, line,
					       "expected the members of %.*s, found the end of the file",
					       (int)annotate->type.length, annotate->type.text);
		struct rs_word text = rs_word_trim(line);
		if (rs_word_begins(text, "event["))
			RS_TRY(read_event(annotate, text));
		else if (rs_word_begins(text, "===="))
			ruled = true;
		else if (ruled)
			break;
		else if (text.length > 0)
			return rs_import_expected(annotate->import, text, "event[N] = NAME, or a line of '='");
	}
	RS_TRY(read_columns(annotate, line));
	note_units(annotate);
	return read_members(annotate);
}

/* With --type-stat perf says behind the types how many instructions it could tell, up to an empty line. */
static bool is_statistics(struct annotate *annotate, struct rs_word text)
{
	struct rs_word line;

	if (!rs_word_begins(text, "Annotate data type stats"))
		return false;
	while (rs_import_next_line(&annotate->lines, &line) && rs_word_trim(line).length > 0)
		;
	return true;
}

struct rs_error *rs_import_annotate(struct rs_import *import)
{
	struct annotate annotate = { .import = import };
	struct rs_word line, last = { .line = 1, .column = 1 };
	size_t n_types = 0;

	import->tool = "perf annotate --data-type";
	import->trust = "sampled";
	rs_import_lines(&annotate.lines, import);
	while (rs_import_next_line(&annotate.lines, &line)) {
		struct rs_word text = rs_word_trim(line);

		last = line;
		if (text.length == 0 || text.text[0] == '#' || is_statistics(&annotate, text))
			continue;
		if (!rs_word_begins(text, heading))
			return rs_import_expected(import, text, "Annotate type: 'TYPE' in OBJECT (N samples):");
		RS_TRY(read_heading(&annotate, text));
		RS_TRY(read_type(&annotate));
		n_types++;
	}
	return n_types ? NULL
		       : rs_import_expected(import, last, "Annotate type: 'TYPE' in OBJECT (N samples):");
}

/*
 * perf c2c report --stdio. What counts is the "Shared Cache Line Distribution Pareto": for every cache line a
 *row of totals between two rules, then a row for each place in the line and each instruction that touched it:
 *
 *	#        ----- HITM -----  -- Store Refs --  ------ Data address -----
 *	#   Num  RmtHitm  LclHitm   L1 Hit  L1 Miss        Offset  Node ...  Symbol  Shared Object  Source:Line
 *Node # .....  .......  .......  .......  .......  ............  .... ...
 *	  -------------------------------------------------------------
 *	      0        0      149        0        0  0xffff92a3c0000000
 *	  -------------------------------------------------------------
 *	           0.00%   33.56%    0.00%    0.00%           0x8 ...
 *
 * The columns drift from version to version: they are named by the header, whose dotted line says where each
 *lies. The offset is one in the cache line, not in the struct, so a row is joined to a field by its source
 *line.
 */
#include <ctype.h>
#include <string.h>

#include "profile/import_internal.h"

enum { MOST_COLUMNS = 40 };

enum column_kind {
	COLUMN_OTHER,
	COLUMN_NUM,
	COLUMN_LOADS,  /* HITM, or peer snoops */
	COLUMN_STORES, /* L1 hit, L1 miss, neither */
	COLUMN_OFFSET,
	COLUMN_CPUS,
	COLUMN_SYMBOL,
	COLUMN_SOURCE,
};

static const struct {
	const char *name;
	enum column_kind kind;
} column_names[] = {
	{ "Num", COLUMN_NUM },       { "RmtHitm", COLUMN_LOADS },  { "LclHitm", COLUMN_LOADS },
	{ "Rmt", COLUMN_LOADS },     { "Lcl", COLUMN_LOADS },      { "RmtPeer", COLUMN_LOADS },
	{ "LclPeer", COLUMN_LOADS }, { "Peer", COLUMN_LOADS },     { "Any Lvl", COLUMN_STORES },
	{ "L1 Hit", COLUMN_STORES }, { "L1 Miss", COLUMN_STORES }, { "L1Hit", COLUMN_STORES },
	{ "L1Miss", COLUMN_STORES }, { "N/A", COLUMN_STORES },     { "Offset", COLUMN_OFFSET },
	{ "cnt", COLUMN_CPUS },      { "Symbol", COLUMN_SYMBOL },  { "Source:Line", COLUMN_SOURCE },
};

struct column {
	enum column_kind kind;
	double total; /* of the present cache line */
	double share; /* what its rows have had of it so far, in percent */
};

struct c2c {
	struct rs_import *import;
	struct rs_word names; /* the header's last line but one */
	struct column columns[MOST_COLUMNS];
	size_t n_columns, symbol; /* index of the column Symbol: those before it are one word each */
	bool has_line;
	uint64_t address; /* of the cache line */
	struct rs_word totals;
};

bool rs_sniff_c2c(const char *text, size_t size)
{
	static const char *const titles[] = { "Shared Data Cache Line Table",
					      "Shared Cache Line Distribution Pareto" };

	for (size_t i = 0; i < RS_COUNT_OF(titles); i++)
		if (memmem(text, size, titles[i], strlen(titles[i])))
			return true;
	return false;
}

static enum column_kind column_kind(struct rs_word name)
{
	for (size_t i = 0; i < RS_COUNT_OF(column_names); i++)
		if (rs_word_is(name, column_names[i].name))
			return column_names[i].kind;
	return COLUMN_OTHER;
}

static size_t find_column(const struct c2c *c2c, enum column_kind kind)
{
	for (size_t i = 0; i < c2c->n_columns; i++)
		if (c2c->columns[i].kind == kind)
			return i;
	return SIZE_MAX;
}

static struct rs_error *check_columns(struct c2c *c2c)
{
	static const enum column_kind needed[] = { COLUMN_NUM,    COLUMN_LOADS,  COLUMN_STORES,
						   COLUMN_OFFSET, COLUMN_SYMBOL, COLUMN_SOURCE };

	for (size_t i = 0; i < RS_COUNT_OF(needed); i++)
		if (find_column(c2c, needed[i]) == SIZE_MAX)
			return rs_import_expected(
				c2c->import, rs_word_trim(c2c->names),
				"the columns Num, RmtHitm or LclHitm, L1 Hit, Offset, Symbol and Source:Line");
	c2c->symbol = find_column(c2c, COLUMN_SYMBOL);
	for (size_t i = 0; i < c2c->n_columns; i++) {
		enum column_kind kind = c2c->columns[i].kind;
		bool is_right = kind == COLUMN_SYMBOL || kind == COLUMN_SOURCE;

		if (kind != COLUMN_OTHER && is_right != (i >= c2c->symbol))
			return rs_import_expected(c2c->import, rs_word_trim(c2c->names),
						  "the figures in front of Symbol and Source:Line behind it");
	}
	return NULL;
}

/* The dots say where the columns lie; what stands there in the line above is their name. */
static struct rs_error *read_dots(struct c2c *c2c, struct rs_word dots)
{
	struct rs_word rest = rs_word_from(dots, rs_word_find(dots, "#") + 1),
		       word; /* maybe indented, as in mails */

	c2c->n_columns = 0;
	while (rs_word_next(&rest, &word)) {
		size_t at = word.column - 1;
		struct rs_word name = rs_word_trim(rs_word_first(rs_word_from(c2c->names, at), word.length));

		if (c2c->n_columns == MOST_COLUMNS)
			return rs_import_error(c2c->import, word, "more than %d columns", MOST_COLUMNS);
		c2c->columns[c2c->n_columns++] = (struct column) { .kind = column_kind(name) };
	}
	return check_columns(c2c);
}

/* What was said of a line must add up: rows that are missing at the end of a file show here. */
static struct rs_error *close_line(struct c2c *c2c)
{
	for (size_t i = 0; c2c->has_line && i < c2c->n_columns; i++) {
		const struct column *column = &c2c->columns[i];
		bool counts = column->kind == COLUMN_LOADS || column->kind == COLUMN_STORES;

		if (counts && column->total > 0 && (column->share < 98 || column->share > 102))
			return rs_import_error(
				c2c->import, c2c->totals,
				"the rows of this cache line add up to %.2f %% in column %zu: rows are missing",
				column->share, i + 1);
	}
	c2c->has_line = false;
	return NULL;
}

/* Num, a total for each column that counts, and the address. */
static struct rs_error *read_totals(struct c2c *c2c, struct rs_word line)
{
	struct rs_word *words;
	size_t n_words = rs_word_split(c2c->import->arena, line, &words), at = 0;

	RS_TRY(close_line(c2c));
	for (size_t i = 0; i < c2c->symbol; i++) {
		struct column *column = &c2c->columns[i];

		column->share = column->total = 0;
		if (column->kind == COLUMN_OTHER || column->kind == COLUMN_CPUS)
			continue;
		struct rs_word word = at < n_words ? words[at++] : rs_word_from(line, line.length);
		if (column->kind == COLUMN_OFFSET)
			RS_TRY(rs_import_whole(c2c->import, word, true, &c2c->address));
		else
			RS_TRY(rs_import_number(c2c->import, word, &column->total));
	}
	if (at < n_words)
		return rs_import_expected(c2c->import, words[at], "the end of the totals");
	c2c->totals = line;
	c2c->has_line = true;
	return NULL;
}

/* From the right, as symbols hold blanks and columns of nodes may follow: the last word FILE:NUMBER. */
static bool read_source(const struct c2c *c2c, struct rs_word rest, struct rs_import_row *row, size_t *ret_at)
{
	struct rs_word *words;
	size_t count = rs_word_split(c2c->import->arena, rest, &words);

	while (count-- > 0) {
		struct rs_word word = words[count];
		size_t colon = word.length;
		uint64_t line;

		while (colon > 0 && word.text[colon - 1] != ':')
			colon--;
		if (colon < 2 || colon == word.length || !isdigit((unsigned char)word.text[colon]))
			continue;
		struct rs_error *error = rs_import_whole(c2c->import, rs_word_from(word, colon), false, &line);
		rs_error_destroy(error);
		if (error || line > UINT32_MAX)
			continue;
		row->file = rs_word_dup(c2c->import->arena, rs_word_first(word, colon - 1));
		row->source_line = (unsigned)line;
		*ret_at = (size_t)(word.text - rest.text);
		return true;
	}
	return false;
}

/* A row of code without debug information is one whose field is not known. */
static bool read_no_source(const struct c2c *c2c, struct rs_word rest, size_t *ret_at)
{
	struct rs_word *words;
	size_t count = rs_word_split(c2c->import->arena, rest, &words);

	while (count-- > 0)
		if (rs_word_is_no_source(words[count])) {
			*ret_at = (size_t)(words[count].text - rest.text);
			return true;
		}
	return false;
}

/* "[k] name  object": the object is the last word of what stands in front of the source line. */
static void read_symbol(const struct c2c *c2c, struct rs_word text, struct rs_import_row *row)
{
	text = rs_word_trim(text);
	if (text.length > 3 && text.text[0] == '[' && text.text[2] == ']')
		text = rs_word_trim(rs_word_from(text, 3));
	size_t end = text.length;
	while (end > 0 && text.text[end - 1] != ' ')
		end--;
	struct rs_word name = rs_word_trim(rs_word_first(text, end));
	row->path = name.length > 0 ? rs_word_dup(c2c->import->arena, name) : NULL;
}

static struct rs_error *read_figure(struct c2c *c2c, struct column *column, struct rs_word word,
				    struct rs_import_row *row)
{
	uint64_t whole = 0;
	double percent = 0;

	switch (column->kind) {
	case COLUMN_LOADS:
	case COLUMN_STORES:
		RS_TRY(rs_import_percent(c2c->import, word, &percent));
		column->share += percent;
		*(column->kind == COLUMN_LOADS ? &row->reads : &row->writes) += percent / 100 * column->total;
		return NULL;
	case COLUMN_OFFSET:
		RS_TRY(rs_import_whole(c2c->import, word, true, &whole));
		row->has_address = true;
		row->address = c2c->address + whole;
		return NULL;
	case COLUMN_CPUS:
		RS_TRY(rs_import_whole(c2c->import, word, false, &whole));
		row->cpus = whole <= 4096 ? (unsigned)whole : 4096;
		return NULL;
	default:
		return NULL;
	}
}

static struct rs_error *read_row(struct c2c *c2c, struct rs_word line)
{
	struct rs_import_row row = { .line = line.line, .column = line.column };
	struct rs_word rest = line, word;
	size_t at = 0;

	if (!c2c->has_line)
		return rs_import_expected(c2c->import, line,
					  "the totals of a cache line between two lines of '-'");
	for (size_t i = 0; i < c2c->symbol; i++) {
		if (c2c->columns[i].kind == COLUMN_NUM)
			continue;
		rs_word_next(&rest, &word);
		if (word.length == 0)
			return rs_import_expected(c2c->import, word,
						  "a figure for each column in front of Symbol");
		RS_TRY(read_figure(c2c, &c2c->columns[i], word, &row));
	}
	rest = rs_word_trim(rest);
	if (!read_source(c2c, rest, &row, &at) && !read_no_source(c2c, rest, &at))
		return rs_import_expected(c2c->import, rest, "SYMBOL OBJECT SOURCE:LINE");
	read_symbol(c2c, rs_word_first(rest, at), &row);
	*rs_import_add(c2c->import, line) = row;
	return NULL;
}

static bool is_rule(struct rs_word text)
{
	return rs_word_begins(text, "----------");
}

/* One line of the Pareto; *between: the next line is that of the totals. */
static struct rs_error *read_line(struct c2c *c2c, struct rs_word line, bool *between)
{
	struct rs_word text = rs_word_trim(line);

	if (text.length == 0)
		return NULL;
	if (text.text[0] == '#') {
		if (rs_word_begins(rs_word_trim(rs_word_from(text, 1)), "...."))
			return read_dots(c2c, line);
		c2c->names = line;
		return NULL;
	}
	if (c2c->n_columns == 0)
		return rs_import_expected(c2c->import, text, "the Pareto's header and a line of dots below it");
	if (is_rule(text)) {
		*between = !*between;
		return *between ? close_line(c2c) : NULL;
	}
	return *between ? read_totals(c2c, text) : read_row(c2c, text);
}

struct rs_error *rs_import_c2c(struct rs_import *import)
{
	static const char title[] = "Shared Cache Line Distribution Pareto";
	struct c2c c2c = { .import = import };
	struct rs_import_lines lines;
	struct rs_word line = { .line = 1, .column = 1 };
	bool inside = false, between = false;

	import->tool = "perf c2c";
	import->trust = "sampled";
	import->reads_unit = "samples of loads that hit a modified line";
	import->writes_unit = "samples of stores";
	rs_import_lines(&lines, import);
	while (rs_import_next_line(&lines, &line)) {
		struct rs_word text = rs_word_trim(line);

		if (rs_word_find(text, title) != SIZE_MAX)
			inside = true;
		else if (inside && !rs_word_begins(text, "====="))
			RS_TRY(read_line(&c2c, line, &between));
	}
	if (!inside || c2c.n_columns == 0)
		return rs_import_error(import, line,
				       "expected the part \"%s\" with its columns, found the end of the file",
				       title);
	if (between)
		return rs_import_error(
			import, line,
			"expected the totals of a cache line and its rows, found the end of the file");
	return close_line(&c2c);
}

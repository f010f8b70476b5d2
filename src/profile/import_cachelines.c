/*
 * The kernel's Documentation/networking/net_cachelines tables: Type, Name, fastpath_tx_access,
 * fastpath_rx_access, Comments. Two paths, tx and rx, without counts.
 *
 * Up to v6.12 they are fixed-width text, later RST simple tables with rules of '='. Cells in the middle may be
 * blank, which defeats splitting at blanks; long types overflow their column, which defeats slicing by it. So
 * the words of the access vocabulary are what a row is read by; where there is one alone, the header's columns
 * say which it is.
 */
#include <ctype.h>
#include <string.h>

#include "profile/import_internal.h"

enum table_column { TABLE_TYPE, TABLE_NAME, TABLE_TX, TABLE_RX, TABLE_COMMENT, TABLE_COLUMNS };

static const char *const column_names[] = { "Type", "Name", "fastpath_tx_access", "fastpath_rx_access" };

enum access { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_BOTH };

static const struct {
	const char *word;
	enum access access;
} vocabulary[] = {
	{ "-", ACCESS_NONE },
	{ "read_mostly", ACCESS_READ },
	{ "write_mostly", ACCESS_WRITE },
	{ "read_write", ACCESS_BOTH },
};

struct cachelines {
	struct rs_import *import;
	bool has_header, is_rst, is_closed;
	unsigned starts[TABLE_COLUMNS]; /* columns in the header, from 1; 0: not there */
	const char *marker;             /* the struct's name by a row of the table; NULL: none says */
	struct rs_word title;
	size_t n_rows, n_silent; /* with a field; not in the fast path */
};

bool rs_sniff_cachelines(const char *text, size_t size)
{
	return memmem(text, size, column_names[TABLE_TX], strlen(column_names[TABLE_TX])) &&
	       memmem(text, size, column_names[TABLE_RX], strlen(column_names[TABLE_RX]));
}

/* "netns_ipv4_sysctl.rst" → "netns_ipv4": some files are not called as their struct is. */
static const char *name_of_file(const struct rs_import *import)
{
	const char *base = strrchr(import->path, '/');
	char *stem = rs_arena_strdup(import->arena, base ? base + 1 : import->path);

	if (strchr(stem, '.'))
		*strchr(stem, '.') = '\0';
	if (strcmp(stem, "netns_ipv4_sysctl") == 0)
		return "netns_ipv4";
	return strcmp(stem, "snmp") == 0 ? "linux_mib" : stem;
}

static struct rs_error *read_header(struct cachelines *table, struct rs_word line)
{
	for (size_t i = 0; i < RS_COUNT_OF(column_names); i++) {
		size_t at = rs_word_find(line, column_names[i]);

		if (at == SIZE_MAX)
			return rs_import_expected(
				table->import, line,
				"the columns Type, Name, fastpath_tx_access and fastpath_rx_access");
		table->starts[i] = (unsigned)at + line.column;
	}
	size_t comment = rs_word_find(line, "omment");
	table->starts[TABLE_COMMENT] = comment == SIZE_MAX ? 0 : (unsigned)comment - 1 + line.column;
	if (table->starts[TABLE_TYPE] > table->starts[TABLE_NAME] ||
	    table->starts[TABLE_NAME] > table->starts[TABLE_TX] ||
	    table->starts[TABLE_NAME] > table->starts[TABLE_RX])
		return rs_import_expected(table->import, line, "Type and Name in front of the accesses");
	table->has_header = true;
	return NULL;
}

static unsigned distance(unsigned a, unsigned b)
{
	return a > b ? a - b : b - a;
}

/* The column whose start in the header is nearest. */
static enum table_column nearest_column(const struct cachelines *table, unsigned at)
{
	enum table_column nearest = TABLE_TYPE;

	for (unsigned i = 1; i < TABLE_COLUMNS; i++)
		if (table->starts[i] && distance(table->starts[i], at) < distance(table->starts[nearest], at))
			nearest = (enum table_column)i;
	return nearest;
}

static bool find_access(struct rs_word word, enum access *ret_access)
{
	for (size_t i = 0; i < RS_COUNT_OF(vocabulary); i++)
		if (rs_word_is(word, vocabulary[i].word)) {
			*ret_access = vocabulary[i].access;
			return true;
		}
	return false;
}

struct table_row {
	struct rs_word type, name;
	enum access tx, rx;
};

/* The words up to the first access are type and name; without an access, those left of the accesses' columns.
 */
static struct rs_error *cut_front(const struct cachelines *table, const struct rs_word *words, size_t count,
				  struct table_row *row)
{
	if (count == 0)
		return rs_import_error(table->import, row->name,
				       "expected a type and a name in front of the accesses");
	row->name = words[count - 1];
	row->type = words[0];
	row->type.length =
		count > 1 ? (size_t)(words[count - 2].text + words[count - 2].length - words[0].text) : 0;
	return NULL;
}

static struct rs_error *place_access(const struct cachelines *table, const struct rs_word *found,
				     size_t n_found, struct table_row *row)
{
	bool tx_first = table->starts[TABLE_TX] < table->starts[TABLE_RX];
	enum access access[2] = { ACCESS_NONE, ACCESS_NONE };

	for (size_t i = 0; i < n_found; i++)
		(void)find_access(found[i], &access[i]);
	if (n_found == 2) {
		row->tx = access[tx_first ? 0 : 1];
		row->rx = access[tx_first ? 1 : 0];
		return NULL;
	}
	unsigned to_tx = distance(found[0].column, table->starts[TABLE_TX]);
	unsigned to_rx = distance(found[0].column, table->starts[TABLE_RX]);
	if (access[0] != ACCESS_NONE && to_tx == to_rx)
		return rs_import_error(
			table->import, found[0],
			"expected an access below fastpath_tx_access or fastpath_rx_access, found it between");
	*(to_tx < to_rx ? &row->tx : &row->rx) = access[0];
	return NULL;
}

/* A word where an access should be that is none: a blank cell and a comment would look the same, so only one
 * that stands exactly in the column is taken for a word that is not known. */
static bool is_odd_access(const struct cachelines *table, struct rs_word word)
{
	return word.column == table->starts[TABLE_TX] || word.column == table->starts[TABLE_RX];
}

/* How many words stand in front of the accesses: two, whatever columns they overflow into; more where a type
 * has blanks. A row without accesses may have a comment with a '-' in it. */
static size_t count_front(const struct cachelines *table, const struct rs_word *words, size_t count)
{
	enum access ignored;
	size_t first = 0, left = 0;

	while (first < count && !find_access(words[first], &ignored))
		first++;
	while (left < count && nearest_column(table, words[left].column) <= TABLE_NAME)
		left++;
	if (first > 2 && count > 2 && words[1].column == table->starts[TABLE_NAME] &&
	    is_odd_access(table, words[2]))
		return 2;
	if (first < count && (first <= 2 || nearest_column(table, words[first].column) != TABLE_COMMENT))
		return first;
	return left;
}

static struct rs_error *cut_row(const struct cachelines *table, struct rs_word line, struct table_row *row)
{
	struct rs_word *words, found[2];
	size_t count = rs_word_split(table->import->arena, line, &words), n_found = 0;
	size_t n_front = count_front(table, words, count);
	enum access ignored;

	row->name = line;
	for (size_t i = n_front; i < count && n_found < 2; i++) {
		if (find_access(words[i], &ignored))
			found[n_found++] = words[i];
		else if (is_odd_access(table, words[i]))
			return rs_import_expected(table->import, words[i],
						  "read_mostly, read_write, write_mostly, '-' or nothing");
		else
			break;
	}
	RS_TRY(cut_front(table, words, n_front, row));
	return n_found ? place_access(table, found, n_found, row) : NULL;
}

/* A path is what its name says; an array's dimension and a width are no part of it. */
static const char *bare_name(struct rs_arena *arena, struct rs_word name)
{
	size_t length = 0;

	while (length < name.length && name.text[length] != '[' && name.text[length] != ':')
		length++;
	return rs_word_dup(arena, rs_word_first(name, length));
}

/* struct_icsk_ack_u8 quick: the member icsk_ack, and the type of what is inside it. */
static const char *flattened(struct rs_arena *arena, struct rs_word type, const char *name)
{
	static const char *const scalars[] = {
		"_u8", "_u16", "_u32", "_u64", "_s32", "_int", "_bool", "_char"
	};

	for (size_t i = 0; rs_word_begins(type, "struct_") && i < RS_COUNT_OF(scalars); i++) {
		struct rs_word inner = rs_word_from(type, strlen("struct_"));
		size_t length = strlen(scalars[i]), bits = 0;

		while (bits < inner.length && inner.text[bits] != ':')
			bits++;
		inner = rs_word_first(inner, bits);
		if (inner.length > length &&
		    memcmp(inner.text + inner.length - length, scalars[i], length) == 0)
			return rs_arena_printf(arena, "%.*s.%s", (int)(inner.length - length), inner.text,
					       name);
	}
	return name;
}

static void add_path(struct cachelines *table, const struct table_row *row, const char *path,
		     enum access access)
{
	struct rs_import *import = table->import;
	const char *name = bare_name(import->arena, row->name);

	struct rs_import_row *added = rs_import_add(import, row->name);
	added->field = flattened(import->arena, row->type, name);
	added->within = rs_word_dup(import->arena, row->type);
	added->path = access == ACCESS_NONE ? NULL : path;
	added->reads = access == ACCESS_READ || access == ACCESS_BOTH;
	added->writes = access == ACCESS_WRITE || access == ACCESS_BOTH;
}

/* "..struct  ..tcp_sock", "..enum", in RST later a row of its own. */
static bool read_marker(struct cachelines *table, struct rs_word text)
{
	struct rs_word rest = text, word;

	if (!rs_word_begins(text, "..struct") && !rs_word_begins(text, "..enum"))
		return false;
	rs_word_next(&rest, &word);
	if (rs_word_next(&rest, &word) && rs_word_begins(word, "..") && word.length > 2)
		table->marker = rs_word_dup(table->import->arena, rs_word_from(word, 2));
	return true;
}

static struct rs_error *read_row(struct cachelines *table, struct rs_word line)
{
	struct table_row row = { 0 };

	if (line.length > 0 && (line.text[0] == ' ' || line.text[0] == '\t'))
		return table->is_rst ? NULL
				     : rs_import_expected(table->import, rs_word_trim(line),
							  "a type at the start of the line");
	RS_TRY(cut_row(table, line, &row));
	table->n_rows++;
	table->n_silent += row.tx == ACCESS_NONE && row.rx == ACCESS_NONE;
	if (row.tx == ACCESS_NONE && row.rx == ACCESS_NONE)
		add_path(table, &row, NULL, ACCESS_NONE);
	if (row.tx != ACCESS_NONE)
		add_path(table, &row, "tx", row.tx);
	if (row.rx != ACCESS_NONE)
		add_path(table, &row, "rx", row.rx);
	return NULL;
}

static bool is_rule(struct rs_word text)
{
	for (size_t i = 0; i < text.length; i++)
		if (text.text[i] != '=' && text.text[i] != ' ')
			return false;
	return text.length > 0;
}

static struct rs_error *read_line(struct cachelines *table, struct rs_word line, bool *after_rule)
{
	struct rs_word text = rs_word_trim(line);
	bool rule = is_rule(text), was_rule = *after_rule;

	*after_rule = rule;
	if (text.length == 0 || table->is_closed)
		return NULL;
	if (!table->has_header && rs_word_begins(text, column_names[TABLE_TYPE]) &&
	    rs_word_find(text, column_names[TABLE_NAME]) != SIZE_MAX) {
		table->is_rst = was_rule;
		return read_header(table, line);
	}
	if (!table->has_header) {
		if (was_rule && !rule && rs_word_find(text, "usage breakdown") != SIZE_MAX)
			table->title = text;
		return NULL;
	}
	if (rule) {
		table->is_closed = table->n_rows > 0;
		return NULL;
	}
	return read_marker(table, text) ? NULL : read_row(table, line);
}

/* What the user says, then the table's row, its title, and the file's name; titles of enums name another type.
 */
static const char *find_name(const struct cachelines *table)
{
	const struct rs_import *import = table->import;
	struct rs_word rest = table->title, first, second;

	if (import->n_records == 1)
		return import->records[0]->name;
	if (table->marker)
		return table->marker;
	if (rs_word_next(&rest, &first) && rs_word_next(&rest, &second) && rs_word_is(second, "struct"))
		return rs_word_dup(import->arena, first);
	return name_of_file(import);
}

static void note_table(const struct cachelines *table, const char *name)
{
	const struct rs_import *import = table->import;
	struct rs_word rest = table->title, first;

	rs_notes_add(import->notes, RS_NOTE_INFO, import->path, 0, 0,
		     "%zu rows of %s, %zu of them not in the fast path; the table has no counts: tx and rx "
		     "count as 1 each",
		     table->n_rows, name, table->n_silent);
	if (rs_word_next(&rest, &first) && !rs_word_is(first, name))
		rs_notes_add(import->notes, RS_NOTE_WARNING, import->path, first.line, first.column,
			     "the title is of '%.*s'; taken for %s", (int)first.length, first.text, name);
}

struct rs_error *rs_import_cachelines(struct rs_import *import)
{
	struct cachelines table = { .import = import };
	struct rs_import_lines lines;
	struct rs_word line = { .line = 1, .column = 1 };
	bool after_rule = false;

	import->tool = "net_cachelines";
	import->trust = "static";
	import->reads_unit = import->writes_unit = "passes of a path";
	import->lists_all = true;
	rs_import_lines(&lines, import);
	while (rs_import_next_line(&lines, &line))
		RS_TRY(read_line(&table, line, &after_rule));
	if (!table.has_header)
		return rs_import_error(import, line,
				       "expected the columns Type, Name, fastpath_tx_access and "
				       "fastpath_rx_access, found none");
	if (table.is_rst && !table.is_closed)
		return rs_import_error(import, line,
				       "expected a rule of '=' below the table, found the end of the file");
	if (table.n_rows == 0)
		return rs_import_error(import, line, "expected rows below the header, found none");
	const char *name = find_name(&table);
	for (size_t i = 0; i < import->n_rows; i++) /* the marker may stand below rows */
		import->rows[i].type = name;
	note_table(&table, name);
	return NULL;
}

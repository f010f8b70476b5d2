#include "report/profile.h"

#include <stdlib.h>
#include <string.h>

#include "profile/trust.h"
#include "report/columns.h"
#include "report/format.h"

enum { TEXT_COLUMNS = 78, NUMBER_COLUMNS = 12, PATHS_SHOWN = 4, LEAST_NAME = 12 };

/* A field of the table: of the simple form, of paths, or of both. */
struct row {
	const char *name;
	double reads, writes;
	bool is_atomic;
	const char *paths[PATHS_SHOWN];
	size_t n_paths;
};

struct table {
	struct rs_arena *arena;
	struct row *rows;
	size_t n_rows, rows_capacity;
};

static struct row *find_row(struct table *table, const char *name)
{
	for (size_t i = 0; i < table->n_rows; i++)
		if (strcmp(table->rows[i].name, name) == 0)
			return &table->rows[i];
	struct row *row = rs_array_push(table->arena, table->rows, table->n_rows, table->rows_capacity);
	row->name = name;
	return row;
}

static void add_access(struct table *table, const struct rs_profile_path *path,
		       const struct rs_profile_access *access)
{
	struct row *row = find_row(table, access->field);
	bool listed =
		row->n_paths > 0 && row->n_paths <= PATHS_SHOWN && row->paths[row->n_paths - 1] == path->name;

	row->reads += access->kinds & RS_ACCESS_READ ? path->rate : 0;
	row->writes += access->kinds & (RS_ACCESS_WRITE | RS_ACCESS_ATOMIC) ? path->rate : 0;
	row->is_atomic |= (access->kinds & RS_ACCESS_ATOMIC) != 0;
	if (!listed && row->n_paths < PATHS_SHOWN)
		row->paths[row->n_paths] = path->name;
	row->n_paths += !listed;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = (const struct row *)a, *y = (const struct row *)b;
	double left = x->reads > x->writes ? x->reads : x->writes;
	double right = y->reads > y->writes ? y->reads : y->writes;

	if (left > right || left < right)
		return left > right ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void fill(struct table *table, const struct rs_profile_struct *type)
{
	for (size_t i = 0; i < type->n_fields; i++) {
		struct row *row = find_row(table, type->fields[i].name);

		row->reads += type->fields[i].reads;
		row->writes += type->fields[i].writes;
		row->is_atomic |= type->fields[i].is_atomic;
	}
	for (size_t p = 0; p < type->n_paths; p++)
		for (size_t i = 0; i < type->paths[p].n_accesses; i++)
			add_access(table, &type->paths[p], &type->paths[p].accesses[i]);
	if (table->n_rows > 0)
		qsort(table->rows, table->n_rows, sizeof *table->rows, compare_rows);
}

static const char *kind_of(const struct row *row)
{
	if (row->is_atomic)
		return "atomic";
	if (row->reads > 0)
		return row->writes > 0 ? "read-write" : "read";
	return row->writes > 0 ? "write" : "cold";
}

static void print_number(struct rs_builder *out, double number)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_format_rate(&text, number);
	rs_builder_pad(out, ' ', text.length < NUMBER_COLUMNS ? NUMBER_COLUMNS - text.length : 1);
	rs_builder_append(out, text.data, text.length);
}

static void print_row(struct rs_builder *out, const struct row *row, size_t name_columns)
{
	rs_builder_appends(out, "  ");
	rs_columns_pad(out, row->name, name_columns);
	print_number(out, row->reads);
	print_number(out, row->writes);
	rs_builder_printf(out, "  %-10s", kind_of(row));
	for (size_t i = 0; i < row->n_paths && i < PATHS_SHOWN; i++) {
		rs_builder_appends(out, i ? ", " : "  ");
		rs_columns_append(out, row->paths[i]);
	}
	if (row->n_paths > PATHS_SHOWN)
		rs_builder_printf(out, " +%zu", row->n_paths - PATHS_SHOWN);
	while (out->data[out->length - 1] == ' ')
		out->data[--out->length] = '\0';
	rs_builder_appendc(out, '\n');
}

static void print_share(struct rs_builder *text, const struct rs_profile_source *source)
{
	if (source->rows <= 0)
		return;
	rs_builder_appends(text, ", ");
	rs_format_rate(text, source->resolved);
	rs_builder_appends(text, " of ");
	rs_format_rate(text, source->rows);
	rs_builder_printf(text, " rows resolved (%.1f %%)", 100 * source->resolved / source->rows);
}

static void print_source(struct rs_builder *out, const struct rs_profile_source *source, size_t indent)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	rs_builder_printf(&text, "figures: %s%s%s", source->trust ? source->trust : "of unknown trust", ", by ",
			  source->tool);
	if (source->version)
		rs_builder_printf(&text, " %s", source->version);
	if (source->file)
		rs_builder_printf(&text, " (%s%s%s)", source->file, source->date ? ", " : "",
				  source->date ? source->date : "");
	if (source->weight > 0)
		rs_builder_printf(&text, ", times %g", source->weight);
	print_share(&text, source);
	rs_columns_wrap(out, text.data, indent, TEXT_COLUMNS);
}

void rs_report_units(struct rs_builder *out, const struct rs_profile_source *sources, size_t n_sources,
		     size_t indent)
{
	const char *reads = NULL, *writes = NULL;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	for (size_t i = 0; i < n_sources; i++) {
		reads = sources[i].reads_unit ? sources[i].reads_unit : reads;
		writes = sources[i].writes_unit ? sources[i].writes_unit : writes;
	}
	if (rs_profile_has_one_unit(sources, n_sources))
		return;
	rs_builder_printf(
		&text,
		"units differ: reads count %s, writes count %s; a figure of one kind does not compare "
		"with one of the other",
		reads ? reads : "something else", writes ? writes : "something else");
	rs_columns_wrap(out, text.data, indent, TEXT_COLUMNS);
}

void rs_report_sources(struct rs_builder *out, const struct rs_profile_source *sources, size_t n_sources,
		       size_t indent)
{
	for (size_t i = 0; i < n_sources; i++)
		print_source(out, &sources[i], indent);
	rs_report_units(out, sources, n_sources, indent);
}

static void print_struct(struct rs_builder *out, const struct rs_profile_struct *type)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct table table = { .arena = arena };
	const char *trust = rs_profile_trust(type->sources, type->n_sources);
	size_t name_columns = LEAST_NAME;

	fill(&table, type);
	for (size_t i = 0; i < table.n_rows; i++)
		name_columns =
			strlen(table.rows[i].name) > name_columns ? strlen(table.rows[i].name) : name_columns;
	rs_builder_printf(out, "struct %s  %zu fields, %zu paths, %s\n", type->name, table.n_rows,
			  type->n_paths, trust ? trust : "of unknown trust");
	rs_builder_appends(out, "  ");
	rs_columns_pad(out, "field", name_columns);
	rs_builder_printf(out, "%*s%*s  kind        paths\n", NUMBER_COLUMNS, "reads", NUMBER_COLUMNS,
			  "writes");
	for (size_t i = 0; i < table.n_rows; i++)
		print_row(out, &table.rows[i], name_columns);
	rs_report_sources(out, type->sources, type->n_sources, 2);
}

void rs_report_profile(struct rs_builder *out, const struct rs_profile *profile)
{
	for (size_t i = 0; i < profile->n_structs; i++) {
		rs_builder_appends(out, i ? "\n" : "");
		print_struct(out, &profile->structs[i]);
	}
	if (profile->n_structs == 0)
		rs_builder_appends(out, "no structs\n");
}

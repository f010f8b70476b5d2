#include <string.h>

#include "profile/import_internal.h"
#include "profile/names.h"

struct join {
	struct rs_import *import;
	const struct rs_import_site *sites;
	size_t n_sites;
	bool has_base;
	uint64_t base;
};

bool rs_import_needs_sites(const struct rs_import *import)
{
	for (size_t i = 0; i < import->n_rows; i++)
		if (!import->rows[i].field && !import->rows[i].has_offset && import->rows[i].file)
			return true;
	return false;
}

static void lose(struct join *join, struct rs_import_row *row, enum rs_import_loss why, const char *name)
{
	rs_import_lose(join->import, why, row->line, row->column, name);
	row->type = row->field = NULL;
}

static const struct rs_record *find_record(const struct join *join, const char *type)
{
	for (size_t i = 0; type && i < join->import->n_records; i++)
		if (strcmp(join->import->records[i]->name, type) == 0)
			return join->import->records[i];
	return NULL;
}

static const char *last_part(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot + 1 : path;
}

/* Whether one of the names on the way to the member is in the words. */
static bool leads_through(const struct rs_record *record, size_t member, const char *words)
{
	for (size_t at = record->members[member].parent; at != RS_NONE; at = record->members[at].parent)
		if (record->members[at].name[0] && strstr(words, record->members[at].name))
			return true;
	return false;
}

/* Tables name what lies inside a member by its own name alone. RS_NONE: no member is called so, or several are.
 */
static size_t find_inside(const struct rs_record *record, const struct rs_import_row *row, bool *ret_ambiguous)
{
	const char *name = last_part(row->field);
	size_t found = RS_NONE, n_found = 0, better = RS_NONE, n_better = 0;

	for (size_t m = 0; m < record->n_members; m++) {
		if (strcmp(record->members[m].name, name) != 0)
			continue;
		found = m;
		n_found++;
		if (row->within && leads_through(record, m, row->within)) {
			better = m;
			n_better++;
		}
	}
	*ret_ambiguous = n_found > 1 && n_better != 1;
	return n_better == 1 ? better : n_found == 1 ? found : RS_NONE;
}

static void join_name(struct join *join, struct rs_import_row *row)
{
	const struct rs_record *record = find_record(join, row->type);
	struct rs_name_place place = { join->import->path, row->line, row->column };
	size_t member = RS_NONE;
	bool ambiguous = false;

	if (!record)
		return;
	RS_CLEANUP(rs_error_destroyp)
	struct rs_error *error = rs_names_find(join->import->arena, record, row->field, place, &member);
	if (!error) {
		row->field = record->members[member].path;
		return;
	}
	member = row->within || !strchr(row->field, '.') ? find_inside(record, row, &ambiguous) : RS_NONE;
	if (member != RS_NONE)
		row->field = record->members[member].path;
	else
		lose(join, row, ambiguous ? RS_LOST_AMBIGUOUS : RS_LOST_NO_MEMBER,
		     ambiguous ? row->field : error->message);
}

static size_t leaf_at(const struct rs_record *record, uint64_t offset)
{
	for (size_t m = 0; m < record->n_members; m++) {
		const struct rs_member *member = &record->members[m];

		if (!(member->is_aggregate && member->n_inside > 0) && member->path[0] &&
		    member->offset_bits / 8 <= offset &&
		    offset < (member->offset_bits + member->size_bits + 7) / 8)
			return m;
	}
	return RS_NONE;
}

static void join_offset(struct join *join, struct rs_import_row *row, const struct rs_record *record,
			uint64_t offset)
{
	size_t member = leaf_at(record, offset);

	row->type = record->name;
	if (member != RS_NONE)
		row->field = record->members[member].path;
	else
		lose(join, row, RS_LOST_NO_MEMBER,
		     rs_arena_printf(join->import->arena, "byte %llu of %s", (unsigned long long)offset,
				     record->name));
}

/* The base is one object's: what lies elsewhere is of another struct. */
static void join_address(struct join *join, struct rs_import_row *row)
{
	const struct rs_record *record = join->import->records[0];

	if (row->address >= join->base && row->address - join->base < record->size_bytes)
		join_offset(join, row, record, row->address - join->base);
	else
		lose(join, row, RS_LOST_NO_STRUCT,
		     rs_arena_printf(join->import->arena, "address 0x%llx", (unsigned long long)row->address));
}

/* perf shows a file as the debug information has it, or by its last part. */
static bool is_file(const char *path, const char *shown)
{
	while (strncmp(shown, "../", 3) == 0 || strncmp(shown, "./", 2) == 0)
		shown = strchr(shown, '/') + 1;
	size_t length = strlen(path), tail = strlen(shown);

	return tail <= length && strcmp(path + length - tail, shown) == 0 &&
	       (tail == length || path[length - tail - 1] == '/' || shown[0] == '/');
}

/* The one member that the line reads (or writes); RS_NONE, with the reason. */
static size_t find_site(const struct join *join, const struct rs_import_row *row, bool writes,
			size_t *ret_record, enum rs_import_loss *ret_why)
{
	size_t found = SIZE_MAX;

	*ret_why = RS_LOST_NO_SITE;
	for (size_t i = 0; i < join->n_sites; i++) {
		const struct rs_import_site *site = &join->sites[i];

		if (site->line != row->source_line || !(writes ? site->writes : site->reads) ||
		    !is_file(site->file, row->file))
			continue;
		bool same = found == SIZE_MAX || (join->sites[found].record == site->record &&
						  join->sites[found].member == site->member);
		if (!same || site->member == RS_NONE) { /* a whole object is all of its members */
			*ret_why = RS_LOST_AMBIGUOUS;
			return RS_NONE;
		}
		found = i;
	}
	if (found == SIZE_MAX)
		return RS_NONE;
	*ret_record = join->sites[found].record;
	return join->sites[found].member;
}

static void join_half(struct join *join, struct rs_import_row *row, bool writes)
{
	enum rs_import_loss why;
	size_t record = 0, member = find_site(join, row, writes, &record, &why);

	if (member == RS_NONE) {
		lose(join, row, why,
		     rs_arena_printf(join->import->arena, "%s:%u", row->file ? row->file : "?",
				     row->source_line));
		return;
	}
	row->type = join->import->records[record]->name;
	row->field = join->import->records[record]->members[member].path;
}

/* Loads and stores of one instruction line may be of different members. */
static void join_source(struct join *join, size_t index)
{
	struct rs_import_row *row = &join->import->rows[index];

	if (row->reads > 0 && row->writes > 0) {
		struct rs_import_row *other =
			rs_import_add(join->import, (struct rs_word) { .line = row->line });

		row = &join->import->rows[index];
		*other = *row;
		other->reads = 0;
		row->writes = 0;
		join_half(join, other, true);
	}
	if (row->reads > 0 || row->writes > 0)
		join_half(join, row, !(row->reads > 0));
	else
		row->type = NULL; /* an instruction that was seen but counts nothing */
}

void rs_import_join(struct rs_import *import, const struct rs_import_site *sites, size_t n_sites, bool has_base,
		    uint64_t base)
{
	struct join join = { import, sites, n_sites, has_base, base };
	size_t n_rows = import->n_rows;

	for (size_t i = 0; i < n_rows; i++) {
		struct rs_import_row *row = &import->rows[i];
		const struct rs_record *record = find_record(&join, row->type);

		if (row->field)
			join_name(&join, row);
		else if (row->has_offset && record)
			join_offset(&join, row, record, row->offset);
		else if (row->has_address && has_base && import->n_records == 1)
			join_address(&join, row);
		else if (row->file)
			join_source(&join, i);
		else if (import->n_records > 0)
			lose(&join, row, RS_LOST_NO_SITE, "a row without a source line");
	}
}

/*
 * What the runtime of src/runtime/ writes: for each watched type the accesses that begin at each byte, the
 * copies that cover it, and the threads that made them.
 */
#include <string.h>

#include "profile/import_internal.h"

enum access_column {
	ACCESS_BYTE,
	ACCESS_READS,
	ACCESS_WRITES,
	ACCESS_ATOMICS,
	ACCESS_COPIED_FROM,
	ACCESS_COPIED_TO,
	ACCESS_READERS,
	ACCESS_WRITERS,
	ACCESS_COLUMNS
};

bool rs_sniff_access(const char *text, size_t size)
{
	return text[0] == '{' &&
	       memmem(text, size, "\"restruct_access\"", strlen("\"restruct_access\"")) != NULL;
}

static struct rs_error *read_byte(const struct rs_import *import, const struct rs_json *value,
				  uint64_t size_bytes, double (*bytes)[ACCESS_COLUMNS])
{
	double numbers[ACCESS_COLUMNS];
	size_t count = 0;

	if (value->kind != RS_JSON_ARRAY || value->n_children != ACCESS_COLUMNS)
		return rs_json_error(import->path, value, false, "expected a byte, an array of %d numbers",
				     ACCESS_COLUMNS);
	for (const struct rs_json *item = value->first; item; item = item->next) {
		if (item->kind != RS_JSON_NUMBER || !(item->number >= 0 && item->number <= RS_IMPORT_MOST))
			return rs_json_error(import->path, item, false, "expected a count from 0 to 1e18");
		numbers[count++] = item->number;
	}
	size_t byte = (size_t)numbers[ACCESS_BYTE];
	if ((double)byte < numbers[ACCESS_BYTE])
		return rs_json_error(import->path, value, false, "expected a whole number for the byte");
	if (byte >= size_bytes)
		return rs_json_error(import->path, value, false, "the byte lies behind the struct's %llu",
				     (unsigned long long)size_bytes);
	for (size_t i = ACCESS_READS; i < ACCESS_COLUMNS; i++)
		if (bytes[byte][i] > 0)
			return rs_json_error(import->path, value, false, "byte %zu stands here twice", byte);
	memcpy(bytes[byte], numbers, sizeof numbers);
	return NULL;
}

/* Accesses that begin in the member, and copies of its most copied byte. */
static void add_member(struct rs_import *import, const struct rs_json *at, const struct rs_record *record,
		       const struct rs_member *member, double (*const bytes)[ACCESS_COLUMNS], double times)
{
	uint64_t first = member->offset_bits / 8, end = (member->offset_bits + member->size_bits + 7) / 8;
	double reads = 0, writes = 0, atomics = 0, from = 0, to = 0, threads = 0;

	for (uint64_t i = first; i < end && i < record->size_bytes; i++) {
		const double *byte = bytes[i];

		reads += byte[ACCESS_READS];
		writes += byte[ACCESS_WRITES];
		atomics += byte[ACCESS_ATOMICS];
		from = byte[ACCESS_COPIED_FROM] > from ? byte[ACCESS_COPIED_FROM] : from;
		to = byte[ACCESS_COPIED_TO] > to ? byte[ACCESS_COPIED_TO] : to;
		threads = byte[ACCESS_READERS] > threads ? byte[ACCESS_READERS] : threads;
		threads = byte[ACCESS_WRITERS] > threads ? byte[ACCESS_WRITERS] : threads;
	}
	struct rs_import_row *row =
		rs_import_add(import, (struct rs_word) { .line = at->line, .column = at->column });
	row->type = record->name;
	row->field = member->path;
	row->reads = (reads + from) * times;
	row->writes = (writes + atomics + to) * times;
	row->is_atomic = atomics > 0;
	row->cpus = (unsigned)threads;
}

static double number_of(const struct rs_json *type, const char *key)
{
	const struct rs_json *value = rs_json_find(type, key);

	return value && value->kind == RS_JSON_NUMBER ? value->number : 0;
}

/* Of members that share bytes the first has the count. A sample stands for all. */
static void add_members(struct rs_import *import, const struct rs_json *at, const struct rs_record *record,
			double (*const bytes)[ACCESS_COLUMNS])
{
	double sample = number_of(at, "sample"), times = sample > 1 ? sample : 1;
	uint64_t covered = 0;

	for (size_t m = 0; m < record->n_members; m++) {
		const struct rs_member *member = &record->members[m];
		uint64_t end = (member->offset_bits + member->size_bits + 7) / 8;

		if ((member->is_aggregate && member->n_inside > 0) || member->path[0] == '\0')
			continue;
		if (member->offset_bits / 8 >= covered)
			add_member(import, at, record, member, bytes, times);
		covered = end > covered ? end : covered;
	}
}

static struct rs_error *read_type(struct rs_import *import, const struct rs_json *type,
				  const struct rs_record *record)
{
	const struct rs_json *size = NULL, *list = NULL;
	double(*bytes)[ACCESS_COLUMNS];

	RS_TRY(rs_import_get(import, type, "size", RS_JSON_NUMBER, &size));
	RS_TRY(rs_import_get(import, type, "bytes", RS_JSON_ARRAY, &list));
	if (size->number < (double)record->size_bytes || size->number > (double)record->size_bytes)
		return rs_json_error(import->path, size, false,
				     "%s has %llu bytes, those that were watched have %.15g", record->name,
				     (unsigned long long)record->size_bytes, size->number);
	bytes = rs_arena_alloc(import->arena, record->size_bytes * sizeof *bytes);
	for (const struct rs_json *item = list->first; item; item = item->next)
		RS_TRY(read_byte(import, item, record->size_bytes, bytes));
	add_members(import, type, record, bytes);
	if (number_of(type, "sample") > 1)
		import->trust = "sampled";
	rs_notes_add(import->notes, RS_NOTE_INFO, import->path, type->line, type->column,
		     "%s: %.15g objects were watched (1 of %.15g), %.15g were not for lack of room; %.3g "
		     "threads used "
		     "each, %.4g accesses in a row",
		     record->name, number_of(type, "objects"), number_of(type, "sample"),
		     number_of(type, "missed"), number_of(type, "threads_per_object"),
		     number_of(type, "burst"));
	return NULL;
}

struct rs_error *rs_import_access(struct rs_import *import)
{
	const struct rs_json *root = NULL, *version = NULL, *structs = NULL;

	import->tool = "restruct-access";
	import->trust = "measured";
	import->reads_unit = import->writes_unit = "accesses";
	RS_TRY(rs_json_parse(import->arena, import->path, import->text, import->size, &root));
	RS_TRY(rs_import_get(import, root, "restruct_access", RS_JSON_NUMBER, &version));
	if (version->number < 1 || version->number > 1)
		return rs_json_error(import->path, version, false, "expected version 1, found %g",
				     version->number);
	RS_TRY(rs_import_get(import, root, "structs", RS_JSON_OBJECT, &structs));
	for (size_t r = 0; r < import->n_records; r++) {
		const struct rs_json *type = rs_json_find(structs, import->records[r]->name);

		if (!type)
			return rs_json_error(import->path, structs, false, "%s was not watched",
					     import->records[r]->name);
		RS_TRY(read_type(import, type, import->records[r]));
	}
	return NULL;
}

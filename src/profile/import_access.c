/*
 * What the runtime of src/runtime/ writes: for each watched type the accesses that begin at each byte, the
 * copies that cover it, and the threads that made them; and paths: which bytes one call uses together, how
 * often, by how many threads.
 */
#include <stdlib.h>
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

static double number_of(const struct rs_json *type, const char *key)
{
	const struct rs_json *value = rs_json_find(type, key);

	return value && value->kind == RS_JSON_NUMBER ? value->number : 0;
}

/* On how many CPUs an object is used: no more than threads use one object, however many use others. */
static unsigned cpus_of(const struct rs_json *type, double threads)
{
	double sharing = number_of(type, "threads_per_object");
	unsigned most = sharing < 1.5 ? 1 : sharing > 4096 ? 4096 : (unsigned)(sharing + 0.5);

	if (!rs_json_find(type, "threads_per_object"))
		most = 4096;
	return threads < most ? (unsigned)threads : most;
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
	row->cpus = cpus_of(at, threads);
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

/* --- paths --- */

enum { MOST_PATHS = 96 }; /* of a struct; the rarest are counted field by field */

struct access_path {
	const struct rs_json *at;
	const char *function, *phase; /* NULL: steady state */
	double visits, repeats, turns, threads;
	unsigned char *does; /* rs_access_kind bits, one a byte */
};

static struct rs_error *get_count(const struct rs_import *import, const struct rs_json *object, const char *key,
				  double *ret_count)
{
	const struct rs_json *value = NULL;

	RS_TRY(rs_import_get(import, object, key, RS_JSON_NUMBER, &value));
	if (!(value->number >= 0 && value->number <= RS_IMPORT_MOST))
		return rs_json_error(import->path, value, false, "%s: expected a count from 0 to 1e18", key);
	*ret_count = value->number;
	return NULL;
}

/* [[first, bytes], …] */
static struct rs_error *read_runs(const struct rs_import *import, const struct rs_json *object, const char *key,
				  unsigned kind, uint64_t size_bytes, unsigned char *does)
{
	const struct rs_json *list = NULL;

	RS_TRY(rs_import_get(import, object, key, RS_JSON_ARRAY, &list));
	for (const struct rs_json *run = list->first; run; run = run->next) {
		const struct rs_json *first =
			run->kind == RS_JSON_ARRAY && run->n_children == 2 ? run->first : NULL;
		const struct rs_json *count = first ? first->next : NULL;

		if (!count || first->kind != RS_JSON_NUMBER || count->kind != RS_JSON_NUMBER ||
		    !(first->number >= 0 && count->number >= 0 &&
		      first->number + count->number <= (double)size_bytes))
			return rs_json_error(import->path, run, false,
					     "expected [first byte, bytes] within the struct's %llu",
					     (unsigned long long)size_bytes);
		for (size_t i = 0; i < (size_t)count->number; i++)
			does[(size_t)first->number + i] |= (unsigned char)kind;
	}
	return NULL;
}

static struct rs_error *read_phase(const struct rs_import *import, const struct rs_json *object,
				   const char **ret_phase)
{
	static const char *const known[] = { "init", "teardown" };
	const struct rs_json *phase = NULL;

	RS_TRY(rs_import_get(import, object, "phase", RS_JSON_STRING, &phase));
	for (size_t i = 0; i < RS_COUNT_OF(known); i++)
		if (strcmp(phase->string, known[i]) == 0) {
			*ret_phase = known[i];
			return NULL;
		}
	*ret_phase = NULL;
	return strcmp(phase->string, "steady") == 0
		       ? NULL
		       : rs_json_error(import->path, phase, false, "expected steady, init or teardown");
}

static struct rs_error *read_path(const struct rs_import *import, const struct rs_json *object,
				  uint64_t size_bytes, struct access_path *path)
{
	const struct rs_json *function = NULL;

	RS_TRY(rs_import_get(import, object, "function", RS_JSON_STRING, &function));
	RS_TRY(read_phase(import, object, &path->phase));
	RS_TRY(get_count(import, object, "visits", &path->visits));
	RS_TRY(get_count(import, object, "repeats", &path->repeats));
	RS_TRY(get_count(import, object, "turns", &path->turns));
	RS_TRY(get_count(import, object, "threads", &path->threads));
	if (path->visits < 1 || path->repeats < path->visits)
		return rs_json_error(import->path, object, false,
				     "expected one visit or more, and as many repeats");
	path->at = object;
	path->function = function->string;
	path->does = rs_arena_array(import->arena, unsigned char, size_bytes);
	RS_TRY(read_runs(import, object, "reads", RS_ACCESS_READ, size_bytes, path->does));
	RS_TRY(read_runs(import, object, "writes", RS_ACCESS_WRITE, size_bytes, path->does));
	return read_runs(import, object, "atomics", RS_ACCESS_ATOMIC, size_bytes, path->does);
}

/* The fullest first; then as they stand in the file. */
static int compare_paths(const void *a, const void *b)
{
	const struct access_path *x = (const struct access_path *)a, *y = (const struct access_path *)b;

	if (x->visits < y->visits || y->visits < x->visits)
		return x->visits < y->visits ? 1 : -1;
	return x->at->line != y->at->line ? (x->at->line < y->at->line ? -1 : 1)
					  : (x->at->column > y->at->column) - (x->at->column < y->at->column);
}

/* The first of a name is called so, the next name:2. */
static const char *name_path(const struct rs_import *import, const struct access_path *paths, size_t index)
{
	size_t number = 1;

	for (size_t i = 0; i < index; i++)
		number += strcmp(paths[i].function, paths[index].function) == 0;
	return number == 1 ? paths[index].function
			   : rs_arena_printf(import->arena, "%s:%zu", paths[index].function, number);
}

static unsigned does_of(const struct access_path *path, const struct rs_member *member, uint64_t size_bytes)
{
	uint64_t end = (member->offset_bits + member->size_bits + 7) / 8;
	unsigned does = 0;

	for (uint64_t i = member->offset_bits / 8; i < end && i < size_bytes; i++)
		does |= path->does[i];
	return does;
}

/* What a loop does to one object is a burst; so are visits in a row, where others come between: else nothing is
 * lost between them. */
static double burst_of(const struct rs_import *import, const struct access_path *path, unsigned cpus)
{
	bool counts_turns = cpus > 1 && !import->is_crowded && path->turns > 0 && path->turns < path->visits;
	double runs = counts_turns ? path->turns : path->visits;

	return path->repeats > runs ? path->repeats / runs : 0;
}

static void add_path(struct rs_import *import, const struct rs_json *type, const struct rs_record *record,
		     const struct access_path *path, const char *name)
{
	double sample = number_of(type, "sample"), times = path->repeats * (sample > 1 ? sample : 1);
	unsigned cpus = cpus_of(type, path->threads);
	uint64_t covered = 0;

	for (size_t m = 0; m < record->n_members; m++) {
		const struct rs_member *member = &record->members[m];
		uint64_t end = (member->offset_bits + member->size_bits + 7) / 8;
		bool shares = member->offset_bits / 8 < covered;

		if ((member->is_aggregate && member->n_inside > 0) || member->path[0] == '\0')
			continue;
		covered = end > covered ? end : covered;
		unsigned does = shares ? 0 : does_of(path, member, record->size_bytes);
		if (!does)
			continue;
		struct rs_import_row *row = rs_import_add(
			import, (struct rs_word) { .line = path->at->line, .column = path->at->column });
		row->type = record->name;
		row->field = member->path;
		row->path = name;
		row->reads = does & RS_ACCESS_READ ? times : 0;
		row->writes = does & (RS_ACCESS_WRITE | RS_ACCESS_ATOMIC) ? times : 0;
		row->is_atomic = does & RS_ACCESS_ATOMIC;
		row->cpus = cpus;
		row->burst = burst_of(import, path, cpus);
		row->phase = path->phase;
	}
}

static struct rs_error *read_paths(struct rs_import *import, const struct rs_json *type,
				   const struct rs_json *list, const struct rs_record *record)
{
	struct access_path *paths = rs_arena_array(import->arena, struct access_path, list->n_children);
	size_t count = 0;

	for (const struct rs_json *item = list->first; item; item = item->next)
		RS_TRY(read_path(import, item, record->size_bytes, &paths[count++]));
	if (count > 0)
		qsort(paths, count, sizeof *paths, compare_paths);
	for (size_t i = 0; i < count; i++) {
		bool alone = i < MOST_PATHS;

		if (alone || !paths[i].phase)
			add_path(import, type, record, &paths[i], alone ? name_path(import, paths, i) : NULL);
	}
	import->reads_unit = import->writes_unit = "executions";
	return NULL;
}

static void note_type(const struct rs_import *import, const struct rs_json *type,
		      const struct rs_record *record)
{
	rs_notes_add(import->notes, RS_NOTE_INFO, import->path, type->line, type->column,
		     "%s: %.15g objects were watched (1 of %.15g), %.15g at a time; %.3g threads use each",
		     record->name, number_of(type, "objects"), number_of(type, "sample"),
		     number_of(type, "most_objects"), number_of(type, "threads_per_object"));
	if (number_of(type, "missed") > 0)
		rs_notes_add(import->notes, RS_NOTE_WARNING, import->path, type->line, type->column,
			     "%s: %.15g objects were not watched for lack of room (RESTRUCT_SAMPLE=N watches 1 "
			     "of N)",
			     record->name, number_of(type, "missed"));
	if (number_of(type, "lost_visits") > 0)
		rs_notes_add(import->notes, RS_NOTE_WARNING, import->path, type->line, type->column,
			     "%s: %.15g visits are in no path for lack of room", record->name,
			     number_of(type, "lost_visits"));
}

static struct rs_error *read_type(struct rs_import *import, const struct rs_json *type, size_t index)
{
	const struct rs_record *record = import->records[index];
	const struct rs_json *size = NULL, *list = NULL, *paths = rs_json_find(type, "paths");
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
	if (number_of(type, "sample") > 1)
		import->trust = "sampled";
	import->instances[index] = number_of(type, "most_objects") *
				   (number_of(type, "sample") > 1 ? number_of(type, "sample") : 1);
	note_type(import, type, record);
	if (paths && !import->by_field) {
		RS_TRY(rs_import_get(import, type, "paths", RS_JSON_ARRAY, &paths));
		return read_paths(import, type, paths, record);
	}
	add_members(import, type, record, bytes);
	return NULL;
}

struct rs_error *rs_import_access(struct rs_import *import)
{
	const struct rs_json *root = NULL, *version = NULL, *structs = NULL;

	import->tool = "restruct-access";
	import->trust = "measured";
	import->reads_unit = import->writes_unit = "accesses";
	import->instances = rs_arena_array(import->arena, double, import->n_records);
	RS_TRY(rs_json_parse(import->arena, import->path, import->text, import->size, &root));
	RS_TRY(rs_import_get(import, root, "restruct_access", RS_JSON_NUMBER, &version));
	if (version->number < 1 || version->number > 1)
		return rs_json_error(import->path, version, false, "expected version 1, found %g",
				     version->number);
	RS_TRY(rs_import_get(import, root, "structs", RS_JSON_OBJECT, &structs));
	import->is_crowded = number_of(root, "threads") > number_of(root, "cpus");
	if (import->is_crowded && !import->by_field)
		rs_notes_add(import->notes, RS_NOTE_INFO, import->path, 0, 0,
			     "%.15g threads ran on %.15g CPUs: how often one comes to an object several times "
			     "in a row "
			     "is the scheduler's doing, and is not taken for bursts",
			     number_of(root, "threads"), number_of(root, "cpus"));
	for (size_t r = 0; r < import->n_records; r++) {
		const struct rs_json *type = rs_json_find(structs, import->records[r]->name);

		if (!type)
			return rs_json_error(import->path, structs, false, "%s was not watched",
					     import->records[r]->name);
		RS_TRY(read_type(import, type, r));
	}
	return NULL;
}

/*
 * The JSON that perf annotate and pahole exchange, version 1: types with members, and per event a histogram of
 * samples by offset. Unknown keys are passed over, as later writers add some.
 */
#include <string.h>

#include "profile/import_internal.h"

struct histogram {
	struct rs_import *import;
	const char *tag;
	const struct rs_json *members;
	uint64_t size;
};

bool rs_sniff_json(const char *text, size_t size)
{
	return text[0] == '{' && memmem(text, size, "\"dsos\"", strlen("\"dsos\"")) != NULL;
}

static struct rs_error *get(const struct rs_import *import, const struct rs_json *object, const char *key,
			    enum rs_json_kind kind, const struct rs_json **ret_value)
{
	const struct rs_json *value;

	if (object->kind != RS_JSON_OBJECT)
		return rs_json_error(import->path, object, false, "expected an object with \"%s\", found %s",
				     key, rs_json_kind_name(object->kind));
	value = rs_json_find(object, key);
	if (!value)
		return rs_json_error(import->path, object, false, "expected the key \"%s\", which is missing",
				     key);
	if (value->kind != kind)
		return rs_json_error(import->path, value, false, "expected %s for \"%s\", found %s",
				     rs_json_kind_name(kind), key, rs_json_kind_name(value->kind));
	*ret_value = value;
	return NULL;
}

static struct rs_error *get_number(const struct rs_import *import, const struct rs_json *object,
				   const char *key, bool is_whole, double *ret_number)
{
	const struct rs_json *value = NULL;

	RS_TRY(get(import, object, key, RS_JSON_NUMBER, &value));
	if (!(value->number >= 0 && value->number <= RS_IMPORT_MOST) ||
	    (is_whole && (double)(uint64_t)value->number < value->number))
		return rs_json_error(import->path, value, false, "%s: %.15g is no %s from 0 to 1e18", key,
				     value->number, is_whole ? "whole number" : "number");
	*ret_number = value->number;
	return NULL;
}

static struct rs_error *get_offset(const struct rs_import *import, const struct rs_json *object,
				   const char *key, uint64_t *ret_number)
{
	double number = 0;

	RS_TRY(get_number(import, object, key, true, &number));
	*ret_number = (uint64_t)number;
	return NULL;
}

/* The leaf at the offset; *ret_path NULL when it falls between members. */
static struct rs_error *find_leaf(const struct histogram *histogram, const struct rs_json *members,
				  const char *prefix, uint64_t offset, const char **ret_path)
{
	const struct rs_import *import = histogram->import;
	uint64_t start = 0, size = 0;

	for (const struct rs_json *member = members->first; member && !*ret_path; member = member->next) {
		const struct rs_json *name = NULL, *children = NULL;

		RS_TRY(get_offset(import, member, "offset", &start));
		RS_TRY(get_offset(import, member, "size", &size));
		if (offset < start || offset - start >= size)
			continue;
		name = rs_json_find(member, "name");
		const char *own = name && name->kind == RS_JSON_STRING ? name->string : "";
		const char *path = *own && *prefix ? rs_arena_printf(import->arena, "%s.%s", prefix, own)
				   : *own          ? own
						   : prefix;
		children = rs_json_find(member, "children");
		if (children && children->kind != RS_JSON_ARRAY)
			return rs_json_error(import->path, children, false, "expected a list of members");
		if (children && children->n_children > 0)
			RS_TRY(find_leaf(histogram, children, path, offset, ret_path));
		if (!*ret_path && *own)
			*ret_path = path;
	}
	return NULL;
}

/* Newer writers may leave the counts of either kind out where there are none. */
static struct rs_error *get_count(const struct rs_import *import, const struct rs_json *sample, const char *key,
				  double *ret_count)
{
	*ret_count = 0;
	if (sample->kind == RS_JSON_OBJECT && !rs_json_find(sample, key))
		return NULL;
	return get_number(import, sample, key, true, ret_count);
}

static struct rs_error *read_sample(const struct histogram *histogram, const struct rs_json *sample)
{
	struct rs_import *import = histogram->import;
	double loads = 0, stores = 0;
	const char *path = NULL;
	uint64_t offset = 0;

	RS_TRY(get_offset(import, sample, "offset", &offset));
	RS_TRY(get_count(import, sample, "nr_samples_load", &loads));
	RS_TRY(get_count(import, sample, "nr_samples_store", &stores));
	if (!rs_json_find(sample, "nr_samples_load") && !rs_json_find(sample, "nr_samples_store"))
		return rs_json_error(import->path, sample, false,
				     "expected \"nr_samples_load\" or \"nr_samples_store\" in a sample");
	RS_TRY(find_leaf(histogram, histogram->members, "", offset, &path));
	if (!histogram->tag || !path) {
		rs_import_lose(import, histogram->tag ? RS_LOST_NO_MEMBER : RS_LOST_NO_STRUCT, sample->line,
			       sample->column,
			       rs_arena_printf(import->arena, "%s +%llu",
					       histogram->tag ? histogram->tag : "a type",
					       (unsigned long long)offset));
		return NULL;
	}
	struct rs_import_row *row =
		rs_import_add(import, (struct rs_word) { .line = sample->line, .column = sample->column });
	row->type = histogram->tag;
	row->field = path;
	row->reads = loads;
	row->writes = stores;
	return NULL;
}

static struct rs_error *read_histogram(const struct histogram *histogram, const struct rs_json *entry)
{
	struct rs_import *import = histogram->import;
	const struct rs_json *event = NULL, *samples = NULL;

	RS_TRY(get(import, entry, "event", RS_JSON_STRING, &event));
	RS_TRY(get(import, entry, "samples", RS_JSON_ARRAY, &samples));
	if (rs_event_kind(event->string) == RS_EVENT_ANY)
		import->reads_unit = import->writes_unit = "samples";
	else
		rs_import_units(import, event->string, "samples");
	for (const struct rs_json *sample = samples->first; sample; sample = sample->next)
		RS_TRY(read_sample(histogram, sample));
	return NULL;
}

static struct rs_error *read_type(struct rs_import *import, const struct rs_json *type)
{
	const struct rs_json *name = NULL, *histograms = NULL;
	struct histogram histogram = { .import = import };

	RS_TRY(get(import, type, "type", RS_JSON_STRING, &name));
	RS_TRY(get(import, type, "members", RS_JSON_ARRAY, &histogram.members));
	RS_TRY(get(import, type, "histograms", RS_JSON_ARRAY, &histograms));
	struct rs_word word = { name->string, strlen(name->string), name->line, name->column };
	histogram.tag = rs_import_tag(import->arena, word);
	for (const struct rs_json *entry = histograms->first; entry; entry = entry->next)
		RS_TRY(read_histogram(&histogram, entry));
	return NULL;
}

static struct rs_error *read_machine(struct rs_import *import, const struct rs_json *root)
{
	const struct rs_json *machine = rs_json_find(root, "machine");
	uint64_t line = 0;

	if (!machine || machine->kind != RS_JSON_OBJECT || !rs_json_find(machine, "cacheline_size"))
		return NULL;
	RS_TRY(get_offset(import, machine, "cacheline_size", &line));
	if (line < 16 || line > 1024 || (line & (line - 1)))
		return rs_json_error(import->path, rs_json_find(machine, "cacheline_size"), false,
				     "%llu is no size of a cache line: a power of two from 16 to 1024",
				     (unsigned long long)line);
	import->line_bytes = (unsigned)line;
	return NULL;
}

struct rs_error *rs_import_json(struct rs_import *import)
{
	const struct rs_json *root = NULL, *version = NULL, *dsos = NULL, *types = NULL;

	import->tool = "perf JSON";
	import->trust = "sampled";
	RS_TRY(rs_json_parse(import->arena, import->path, import->text, import->size, &root));
	RS_TRY(get(import, root, "version", RS_JSON_NUMBER, &version));
	if (version->number != 1)
		return rs_json_error(import->path, version, false,
				     "expected version 1 of this format, found %g", version->number);
	RS_TRY(read_machine(import, root));
	RS_TRY(get(import, root, "dsos", RS_JSON_ARRAY, &dsos));
	for (const struct rs_json *dso = dsos->first; dso; dso = dso->next) {
		RS_TRY(get(import, dso, "types", RS_JSON_ARRAY, &types));
		for (const struct rs_json *type = types->first; type; type = type->next)
			RS_TRY(read_type(import, type));
	}
	return NULL;
}

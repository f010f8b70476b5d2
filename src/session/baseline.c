#include "session/baseline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"

/* --- reading --- */

struct reader {
	struct rs_arena *arena;
	const char *path;
};

static struct rs_error *require(const struct reader *reader, const struct rs_json *object, const char *key,
				enum rs_json_kind kind, const struct rs_json **ret_value)
{
	const struct rs_json *value = rs_json_find(object, key);

	if (!value)
		return rs_json_error(reader->path, object, false, "\"%s\" is missing", key);
	if (value->kind != kind)
		return rs_json_error(reader->path, value, false, "\"%s\" is %s, not %s", key,
				     rs_json_kind_name(value->kind), rs_json_kind_name(kind));
	*ret_value = value;
	return NULL;
}

static struct rs_error *read_number(const struct reader *reader, const struct rs_json *object, const char *key,
				    uint64_t *ret_number)
{
	const uint64_t largest = (uint64_t)1 << 40;
	const struct rs_json *value;

	RS_TRY(require(reader, object, key, RS_JSON_NUMBER, &value));
	if (value->number < 0 || value->number > (double)largest ||
	    value->number != (double)(uint64_t)value->number)
		return rs_json_error(reader->path, value, false, "\"%s\" is not a whole number of bytes", key);
	*ret_number = (uint64_t)value->number;
	return NULL;
}

static struct rs_error *check_keys(const struct reader *reader, const struct rs_json *object,
				   const char *const *keys, size_t n_keys)
{
	for (const struct rs_json *child = object->first; child; child = child->next) {
		size_t i = 0;

		while (i < n_keys && strcmp(keys[i], child->key) != 0)
			i++;
		if (i < n_keys)
			continue;
		const char *nearest = rs_nearest_name(child->key, keys, n_keys);
		return rs_json_error(reader->path, child, true, "there is no key \"%s\" here%s%s%s", child->key,
				     nearest ? " (did you mean \"" : "", nearest ? nearest : "",
				     nearest ? "\"?)" : "");
	}
	return NULL;
}

/* "44", or "44:3" of a bit-field. */
static struct rs_error *read_offset(const struct reader *reader, const struct rs_json *value,
				    uint64_t *ret_offset_bits)
{
	char *end;

	if (value->kind == RS_JSON_NUMBER && value->number >= 0 && value->number < 1e12 &&
	    value->number == (double)(uint64_t)value->number) {
		*ret_offset_bits = 8 * (uint64_t)value->number;
		return NULL;
	}
	if (value->kind == RS_JSON_STRING && *value->string >= '0' && *value->string <= '9') {
		*ret_offset_bits = 8 * strtoull(value->string, &end, 10);
		if (end[0] == ':' && end[1] >= '0' && end[1] <= '7' && end[2] == '\0') {
			*ret_offset_bits += (uint64_t)(end[1] - '0');
			return NULL;
		}
	}
	return rs_json_error(reader->path, value, false, "an offset is a number of bytes, or \"bytes:bit\"");
}

static struct rs_error *read_fields(const struct reader *reader, const struct rs_json *object,
				    struct rs_baseline_struct *type)
{
	struct rs_baseline_field *fields =
		rs_arena_array(reader->arena, struct rs_baseline_field, object->n_children);

	for (const struct rs_json *child = object->first; child; child = child->next) {
		struct rs_baseline_field *field = &fields[type->n_fields++];

		field->name = child->key;
		RS_TRY(read_offset(reader, child, &field->offset_bits));
	}
	type->fields = fields;
	return NULL;
}

static struct rs_error *read_struct(const struct reader *reader, const struct rs_json *object,
				    struct rs_baseline_struct *type)
{
	static const char *const keys[] = { "file", "name", "size", "align", "fields" };
	const struct rs_json *value;

	if (object->kind != RS_JSON_OBJECT)
		return rs_json_error(reader->path, object, false, "a struct is an object");
	RS_TRY(check_keys(reader, object, keys, RS_COUNT_OF(keys)));
	type->line = object->line;
	RS_TRY(require(reader, object, "file", RS_JSON_STRING, &value));
	type->file = value->string;
	RS_TRY(require(reader, object, "name", RS_JSON_STRING, &value));
	type->name = value->string;
	RS_TRY(read_number(reader, object, "size", &type->size_bytes));
	RS_TRY(read_number(reader, object, "align", &type->align_bytes));
	RS_TRY(require(reader, object, "fields", RS_JSON_OBJECT, &value));
	return read_fields(reader, value, type);
}

static struct rs_error *read_root(const struct reader *reader, const struct rs_json *root,
				  struct rs_baseline *baseline)
{
	static const char *const keys[] = { "restruct_baseline", "target", "line_bytes", "structs" };
	const struct rs_json *value;
	struct rs_baseline_struct *structs;
	uint64_t number;

	if (root->kind != RS_JSON_OBJECT || !rs_json_find(root, "restruct_baseline"))
		return rs_json_error(reader->path, root, false, "this is no baseline of restruct");
	RS_TRY(check_keys(reader, root, keys, RS_COUNT_OF(keys)));
	RS_TRY(read_number(reader, root, "restruct_baseline", &number));
	if (number != 1)
		return rs_json_error(reader->path, rs_json_find(root, "restruct_baseline"), false,
				     "version %" PRIu64 " of the format is not known, 1 is", number);
	RS_TRY(require(reader, root, "target", RS_JSON_STRING, &value));
	baseline->triple = value->string;
	RS_TRY(read_number(reader, root, "line_bytes", &number));
	if (number < 16 || number > 1024 || (number & (number - 1)))
		return rs_json_error(reader->path, rs_json_find(root, "line_bytes"), false,
				     "\"line_bytes\" is a power of two from 16 to 1024");
	baseline->line_bytes = (unsigned)number;
	RS_TRY(require(reader, root, "structs", RS_JSON_ARRAY, &value));
	structs = rs_arena_array(reader->arena, struct rs_baseline_struct, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next)
		RS_TRY(read_struct(reader, child, &structs[baseline->n_structs++]));
	baseline->structs = structs;
	return NULL;
}

static const char *folder_of(struct rs_arena *arena, const char *path)
{
	return rs_path_directory(arena, rs_path_canonical(arena, path));
}

struct rs_error *rs_baseline_read(struct rs_arena *arena, const char *path, struct rs_baseline *ret_baseline)
{
	const struct reader reader = { .arena = arena, .path = path };
	const struct rs_json *root;
	char *text;
	size_t size;

	*ret_baseline = (struct rs_baseline) { .path = path, .folder = folder_of(arena, path) };
	RS_TRY(rs_file_read(arena, path, &text, &size));
	RS_TRY(rs_json_parse(arena, path, text, size, &root));
	return read_root(&reader, root, ret_baseline);
}

/* --- comparing --- */

/* As the baseline in the folder names the record's file. */
static const char *shown_file(const char *folder, const struct rs_record *record)
{
	return rs_path_below(record->source->realpath, folder);
}

static const struct rs_baseline_struct *find_struct(const struct rs_baseline *baseline, const char *file,
						    const char *name)
{
	for (size_t i = 0; i < baseline->n_structs; i++)
		if (strcmp(baseline->structs[i].file, file) == 0 &&
		    strcmp(baseline->structs[i].name, name) == 0)
			return &baseline->structs[i];
	return NULL;
}

static const struct rs_baseline_field *find_field(const struct rs_baseline_struct *type, const char *name)
{
	for (size_t i = 0; i < type->n_fields; i++)
		if (strcmp(type->fields[i].name, name) == 0)
			return &type->fields[i];
	return NULL;
}

struct comparison {
	const struct rs_baseline *baseline;
	const struct rs_baseline_struct *type;
	const struct rs_record *record;
	struct rs_finding_list *list;
};

static void compare_member(const struct comparison *at, size_t member, const struct rs_baseline_field *field)
{
	const struct rs_member *now = &at->record->members[member];
	uint64_t line_bits = 8 * (uint64_t)at->baseline->line_bytes;
	uint64_t before = field->offset_bits, after = now->offset_bits;

	if (before == after)
		return;
	if (before / line_bits != after / line_bits)
		rs_finding_add(at->list, "baseline-line", RS_FINDING_ERROR, at->record, member, NULL,
			       "'%s' moved from byte %" PRIu64 " to %" PRIu64 ": from cache line %" PRIu64
			       " to %" PRIu64,
			       now->path, before / 8, after / 8, before / line_bits, after / line_bits);
	else
		rs_finding_add(at->list, "baseline-offset", RS_FINDING_WARNING, at->record, member, NULL,
			       "'%s' moved from byte %" PRIu64 " to %" PRIu64 ", on the same cache line",
			       now->path, before / 8, after / 8);
}

static void compare_members(const struct comparison *at)
{
	for (size_t m = 0; m < at->record->n_members; m++) {
		const struct rs_member *member = &at->record->members[m];
		const struct rs_baseline_field *field = find_field(at->type, member->path);

		if (!*member->path)
			continue;
		if (field)
			compare_member(at, m, field);
		else
			rs_finding_add(at->list, "baseline-added", RS_FINDING_WARNING, at->record, m, NULL,
				       "'%s' is not in the baseline", member->path);
	}
	for (size_t i = 0; i < at->type->n_fields; i++)
		if (rs_record_find_member(at->record, at->type->fields[i].name) == RS_NONE)
			rs_finding_add(at->list, "baseline-removed", RS_FINDING_WARNING, at->record, RS_NONE,
				       at->type->fields[i].name, "'%s' of the baseline is gone",
				       at->type->fields[i].name);
}

static void compare_record(const struct comparison *at)
{
	const struct rs_record *record = at->record;

	if (record->size_bytes != at->type->size_bytes)
		rs_finding_add(
			at->list, "baseline-size",
			record->size_bytes > at->type->size_bytes ? RS_FINDING_ERROR : RS_FINDING_WARNING,
			record, RS_NONE, NULL, "struct '%s' has %" PRIu64 " bytes, %" PRIu64 " in the baseline",
			record->name, record->size_bytes, at->type->size_bytes);
	if (record->align_bytes != at->type->align_bytes)
		rs_finding_add(at->list, "baseline-align", RS_FINDING_WARNING, record, RS_NONE, NULL,
			       "struct '%s' is aligned to %u bytes, to %" PRIu64 " in the baseline",
			       record->name, record->align_bytes, at->type->align_bytes);
	compare_members(at);
}

static bool has_record(const struct rs_baseline *baseline, const struct rs_result *result,
		       const struct rs_baseline_struct *type)
{
	for (size_t i = 0; i < result->n_records; i++) {
		const struct rs_record *record = result->records[i].record;

		if (strcmp(record->name, type->name) == 0 &&
		    strcmp(shown_file(baseline->folder, record), type->file) == 0)
			return true;
	}
	return false;
}

/* Another target lays out other offsets: nothing can be compared. */
static bool check_target(const struct rs_baseline *baseline, const struct rs_result *result,
			 struct rs_finding_list *list)
{
	if (strcmp(baseline->triple, result->triple) == 0)
		return true;
	rs_finding_add_at(list, "baseline-target", RS_FINDING_ERROR, baseline->path, 1, NULL, NULL,
			  "the baseline is for %s, what is read here is for %s", baseline->triple,
			  result->triple);
	return false;
}

/* Of what was not asked for nothing is known. */
static bool was_asked_for(struct rs_arena *arena, const struct rs_baseline *baseline,
			  const struct rs_result *result, const struct rs_baseline_struct *type)
{

	for (size_t i = 0; i < result->n_asked; i++) {
		const struct rs_asked *asked = &result->asked[i];

		if ((!asked->name || strcmp(asked->name, type->name) == 0) && asked->file &&
		    strcmp(rs_path_below(rs_path_canonical(arena, asked->file), baseline->folder),
			   type->file) == 0)
			return true;
	}
	return false;
}

void rs_baseline_compare(const struct rs_baseline *baseline, const struct rs_result *result,
			 struct rs_finding_list *list)
{
	if (result->n_records > 0 && !check_target(baseline, result, list))
		return;
	for (size_t i = 0; i < result->n_records; i++) {
		const struct rs_record *record = result->records[i].record;
		const char *file = shown_file(baseline->folder, record);
		const struct comparison at = { .baseline = baseline,
					       .type = find_struct(baseline, file, record->name),
					       .record = record,
					       .list = list };

		if (at.type)
			compare_record(&at);
		else
			rs_finding_add(list, "baseline-new", RS_FINDING_NOTE, record, RS_NONE, NULL,
				       "struct '%s' is not in the baseline (--update adds it)", record->name);
	}
	for (size_t i = 0; i < baseline->n_structs; i++) {
		const struct rs_baseline_struct *type = &baseline->structs[i];

		if (!has_record(baseline, result, type) && was_asked_for(list->arena, baseline, result, type))
			rs_finding_add_at(list, "baseline-missing", RS_FINDING_ERROR, baseline->path,
					  type->line, type->name, type->file,
					  "struct '%s' is no longer defined in %s", type->name, type->file);
	}
}

/* --- writing --- */

static void print_offset(struct rs_json_writer *writer, const char *name, uint64_t offset_bits)
{
	char text[40];

	if (offset_bits % 8 == 0) {
		rs_json_write_uint(writer, name, offset_bits / 8);
		return;
	}
	snprintf(text, sizeof text, "%" PRIu64 ":%u", offset_bits / 8, (unsigned)(offset_bits % 8));
	rs_json_write_string(writer, name, text);
}

/* One line a struct: a change of one is one line of a diff. */
static void begin_struct(struct rs_json_writer *writer, const char *file, const char *name, uint64_t size,
			 uint64_t align)
{
	rs_json_begin_object_compact(writer, NULL);
	rs_json_write_string(writer, "file", file);
	rs_json_write_string(writer, "name", name);
	rs_json_write_uint(writer, "size", size);
	rs_json_write_uint(writer, "align", align);
	rs_json_begin_object_compact(writer, "fields");
}

static void print_kept(struct rs_json_writer *writer, const struct rs_baseline_struct *type)
{
	begin_struct(writer, type->file, type->name, type->size_bytes, type->align_bytes);
	for (size_t i = 0; i < type->n_fields; i++)
		print_offset(writer, type->fields[i].name, type->fields[i].offset_bits);
	rs_json_end_object(writer);
	rs_json_end_object(writer);
}

static void print_record(struct rs_json_writer *writer, const char *file, const struct rs_record *record)
{
	begin_struct(writer, file, record->name, record->size_bytes, record->align_bytes);
	for (size_t m = 0; m < record->n_members; m++)
		if (*record->members[m].path)
			print_offset(writer, record->members[m].path, record->members[m].offset_bits);
	rs_json_end_object(writer);
	rs_json_end_object(writer);
}

/* A line of the file to be, by what it is sorted. */
struct row {
	const char *file, *name;
	const struct rs_baseline_struct *kept; /* or */
	const struct rs_record *record;
};

static int by_file_and_name(const void *a, const void *b)
{
	const struct row *left = (const struct row *)a, *right = (const struct row *)b;
	int order = strcmp(left->file, right->file);

	return order ? order : strcmp(left->name, right->name);
}

static size_t collect_rows(struct rs_arena *arena, const struct rs_baseline *old, const char *path,
			   const struct rs_result *result, struct row *rows)
{
	const char *folder = folder_of(arena, path);
	size_t count = 0;

	for (size_t i = 0; i < result->n_records; i++) {
		const struct rs_record *record = result->records[i].record;

		rows[count++] = (struct row) { .file = shown_file(folder, record),
					       .name = record->name,
					       .record = record };
	}
	for (size_t i = 0; old && i < old->n_structs; i++) {
		const struct rs_baseline_struct *type = &old->structs[i];

		if (!has_record(old, result, type) && !was_asked_for(arena, old, result, type))
			rows[count++] = (struct row) { .file = type->file, .name = type->name, .kept = type };
	}
	qsort(rows, count, sizeof *rows, by_file_and_name);
	return count;
}

void rs_baseline_print(struct rs_builder *out, struct rs_arena *arena, const struct rs_baseline *old,
		       const char *path, const struct rs_result *result)
{
	struct row *rows =
		rs_arena_array(arena, struct row, result->n_records + (old ? old->n_structs : 0) + 1);
	size_t count = collect_rows(arena, old, path, result, rows);
	struct rs_json_writer writer;

	rs_json_writer_init(&writer, out);
	rs_json_begin_object(&writer, NULL);
	rs_json_write_uint(&writer, "restruct_baseline", 1);
	rs_json_write_string(&writer, "target", result->n_records == 0 && old ? old->triple : result->triple);
	rs_json_write_uint(&writer, "line_bytes", result->line_bytes);
	rs_json_begin_array(&writer, "structs");
	for (size_t i = 0; i < count; i++) {
		if (rows[i].kept)
			print_kept(&writer, rows[i].kept);
		else
			print_record(&writer, rows[i].file, rows[i].record);
	}
	rs_json_end_array(&writer);
	rs_json_end_object(&writer);
}

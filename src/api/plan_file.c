#include "api/plan_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "text/patch.h"

struct reader {
	struct rs_arena *arena;
	const char *path;
	const char *root_directory; /* NULL: not set */
	const struct rs_json *root;
};

static struct rs_error *get(const struct reader *reader, const struct rs_json *object, const char *key,
			    enum rs_json_kind kind, const struct rs_json **ret_value)
{
	const struct rs_json *value = object->kind == RS_JSON_OBJECT ? rs_json_find(object, key) : NULL;

	if (!value)
		return rs_json_error(reader->path, object, false,
				     "this is not a restruct result: '%s' is missing", key);
	if (value->kind != kind)
		return rs_json_error(reader->path, value, false, "'%s' is not %s", key,
				     rs_json_kind_name(kind));
	*ret_value = value;
	return NULL;
}

static struct rs_error *find_hash(const struct reader *reader, const char *shown, uint64_t *ret_hash)
{
	static const char prefix[] = "fnv1a64:";
	const struct rs_json *files, *path, *hash;

	RS_TRY(get(reader, reader->root, "files", RS_JSON_ARRAY, &files));
	for (const struct rs_json *file = files->first; file; file = file->next) {
		RS_TRY(get(reader, file, "path", RS_JSON_STRING, &path));
		if (strcmp(path->string, shown) != 0)
			continue;
		RS_TRY(get(reader, file, "hash", RS_JSON_STRING, &hash));
		if (strncmp(hash->string, prefix, strlen(prefix)) != 0)
			return rs_json_error(reader->path, hash, false,
					     "this hash is not of the form fnv1a64:…");
		*ret_hash = strtoull(hash->string + strlen(prefix), NULL, 16);
		return NULL;
	}
	return rs_json_error(reader->path, files, false, "'%s' is not among the files", shown);
}

static bool has_hash(const char *path, uint64_t hash)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	size_t size;
	char *text;
	struct rs_error *error = rs_file_read(arena, path, &text, &size);
	bool same = !error && rs_hash_bytes(text, size) == hash;

	rs_error_destroy(error);
	return same;
}

/* Paths in a result are relative to the root of the project, which the result does not name: the one that is
 * set, a git top level or the folder where restruct ran. Of files that are called so, the one with the right
 * bytes is meant. */
static const char *resolve(const struct reader *reader, const char *shown, uint64_t hash)
{
	struct rs_arena *arena = reader->arena;
	const char *beside = rs_path_directory(arena, reader->path);
	const char *roots[] = { reader->root_directory, ".", rs_git_top_level(arena, "."), beside,
				rs_git_top_level(arena, beside) };
	const char *first = NULL;

	for (size_t i = 0; i < RS_COUNT_OF(roots); i++) {
		if (!roots[i])
			continue;
		const char *path =
			strcmp(roots[i], ".") == 0 ? shown : rs_path_absolute(arena, roots[i], shown);
		if (has_hash(path, hash))
			return path;
		if (!first && rs_file_exists(path))
			first = path;
	}
	return first ? first : shown;
}

static struct rs_error *find_plan(const struct reader *reader, const struct rs_json *record, unsigned plan,
				  const struct rs_json **ret_plan)
{
	const struct rs_json *plans, *id, *pick = rs_json_find(record, "pick");
	double wanted = plan > 0 ? (double)plan : pick && pick->kind == RS_JSON_NUMBER ? pick->number : 0;

	*ret_plan = NULL;
	RS_TRY(get(reader, record, "plans", RS_JSON_ARRAY, &plans));
	for (const struct rs_json *item = plans->first; item; item = item->next) {
		RS_TRY(get(reader, item, "id", RS_JSON_NUMBER, &id));
		if (id->number == wanted)
			*ret_plan = item;
	}
	return NULL;
}

static struct rs_error *get_count(const struct reader *reader, const struct rs_json *object, const char *key,
				  uint64_t *ret_count)
{
	const struct rs_json *value = NULL;

	RS_TRY(get(reader, object, key, RS_JSON_NUMBER, &value));
	if (value->number < 0 || value->number > (double)(UINT64_C(1) << 53) ||
	    (double)(uint64_t)value->number != value->number)
		return rs_json_error(reader->path, value, false, "'%s' is no count", key);
	*ret_count = (uint64_t)value->number;
	return NULL;
}

static struct rs_error *read_names(const struct reader *reader, const struct rs_json *operation,
				   const char ***ret_names, size_t *ret_count)
{
	const struct rs_json *units = NULL;
	size_t count = 0;

	RS_TRY(get(reader, operation, "units", RS_JSON_ARRAY, &units));
	const char **names = rs_arena_array(reader->arena, const char *, units->n_children);
	for (const struct rs_json *unit = units->first; unit; unit = unit->next) {
		if (unit->kind != RS_JSON_STRING)
			return rs_json_error(reader->path, unit, false, "this is no name of a declaration");
		names[count++] = unit->string;
	}
	*ret_names = names;
	*ret_count = count;
	return NULL;
}

/* RS_OPERATION_MOVE for what is none of the others. */
static enum rs_operation_kind find_kind(const char *name)
{
	if (strcmp(name, "hoist") == 0)
		return RS_OPERATION_HOIST;
	if (strcmp(name, "lift") == 0)
		return RS_OPERATION_LIFT;
	if (strcmp(name, "lower") == 0)
		return RS_OPERATION_LOWER;
	if (strcmp(name, "align") == 0)
		return RS_OPERATION_ALIGN;
	return strcmp(name, "pad") == 0 ? RS_OPERATION_PAD : RS_OPERATION_MOVE;
}

static struct rs_error *read_alteration(const struct reader *reader, const struct rs_json *operation,
					enum rs_operation_kind kind, struct rs_alteration *ret_alteration)
{
	const struct rs_json *text = NULL, *name = NULL;
	bool lifts = kind == RS_OPERATION_LIFT || kind == RS_OPERATION_LOWER;
	struct rs_alteration alteration = { .kind = kind, .adds_member = kind == RS_OPERATION_LIFT };
	const char **fields = NULL;
	uint64_t bytes = 0;

	RS_TRY(read_names(reader, operation, &fields, &alteration.n_fields));
	if (alteration.n_fields == 0 || (kind != RS_OPERATION_HOIST && !lifts && alteration.n_fields != 1))
		return rs_json_error(reader->path, operation, false,
				     "this operation is of another number of units");
	alteration.fields = fields;
	if (kind != RS_OPERATION_HOIST && !lifts) {
		RS_TRY(get(reader, operation, "text", RS_JSON_STRING, &text));
		RS_TRY(get_count(reader, operation, "bytes", &bytes));
		alteration.spelling = text->string;
		alteration.bytes = (unsigned)bytes;
		alteration.adds_member = kind == RS_OPERATION_PAD || strchr(text->string, ';') != NULL;
	}
	if (kind == RS_OPERATION_PAD || lifts) {
		RS_TRY(get(reader, operation, "name", RS_JSON_STRING, &name));
		alteration.name = name->string;
	}
	*ret_alteration = alteration;
	return NULL;
}

static struct rs_error *read_headline(const struct reader *reader, const struct rs_json *operation,
				      struct rs_target_headline *ret_headline)
{
	const struct rs_json *text = NULL;
	const char **names = NULL;
	size_t count = 0, length;

	RS_TRY(read_names(reader, operation, &names, &count));
	RS_TRY(get(reader, operation, "text", RS_JSON_STRING, &text));
	length = strlen(text->string);
	if (count != 1 || length < 4 || strncmp(text->string, "/*", 2) != 0 ||
	    strstr(text->string + 2, "*/") != text->string + length - 2)
		return rs_json_error(reader->path, operation, false,
				     "this is no comment above one declaration");
	*ret_headline = (struct rs_target_headline) { names[0], text->string };
	return NULL;
}

static struct rs_error *read_move(const struct reader *reader, const struct rs_json *operation,
				  struct rs_target_move *ret_move)
{
	const struct rs_json *kind, *after;
	const char **names;
	size_t count;

	RS_TRY(get(reader, operation, "kind", RS_JSON_STRING, &kind));
	if (strcmp(kind->string, "move") != 0)
		return rs_json_error(reader->path, kind, false,
				     "this version of restruct knows no such operation");
	RS_TRY(read_names(reader, operation, &names, &count));
	after = rs_json_find(operation, "after");
	if (!after || after->kind != RS_JSON_NULL)
		RS_TRY(get(reader, operation, "after", RS_JSON_STRING, &after));
	*ret_move =
		(struct rs_target_move) { names, count, after->kind == RS_JSON_NULL ? NULL : after->string };
	return NULL;
}

static struct rs_error *read_moves(const struct reader *reader, const struct rs_json *plan,
				   struct rs_target_plan *target)
{
	const struct rs_json *operations;

	RS_TRY(get(reader, plan, "operations", RS_JSON_ARRAY, &operations));
	struct rs_target_move *moves =
		rs_arena_array(reader->arena, struct rs_target_move, operations->n_children);
	struct rs_alteration *alterations =
		rs_arena_array(reader->arena, struct rs_alteration, operations->n_children);
	struct rs_target_headline *headlines =
		rs_arena_array(reader->arena, struct rs_target_headline, operations->n_children);
	target->steps.items = alterations;
	target->headlines = headlines;
	for (const struct rs_json *operation = operations->first; operation; operation = operation->next) {
		const struct rs_json *kind;

		RS_TRY(get(reader, operation, "kind", RS_JSON_STRING, &kind));
		if (strcmp(kind->string, "split") == 0)
			target->splits = true;
		else if (strcmp(kind->string, "comment") == 0)
			RS_TRY(read_headline(reader, operation, &headlines[target->n_headlines++]));
		else if (find_kind(kind->string) != RS_OPERATION_MOVE)
			RS_TRY(read_alteration(reader, operation, find_kind(kind->string),
					       &alterations[target->steps.n_items++]));
		else
			RS_TRY(read_move(reader, operation, &moves[target->n_moves++]));
	}
	target->moves = moves;
	return NULL;
}

static struct rs_error *read_fields(const struct reader *reader, const struct rs_json *plan,
				    struct rs_target_plan *target)
{
	const struct rs_json *fields, *name;

	RS_TRY(get(reader, plan, "fields", RS_JSON_ARRAY, &fields));
	struct rs_target_field *places =
		rs_arena_array(reader->arena, struct rs_target_field, fields->n_children);
	for (const struct rs_json *field = fields->first; field; field = field->next) {
		struct rs_target_field *place = &places[target->n_fields++];

		RS_TRY(get(reader, field, "name", RS_JSON_STRING, &name));
		RS_TRY(get_count(reader, field, "offset_bits", &place->offset_bits));
		place->name = name->string;
	}
	target->fields = places;
	return NULL;
}

static bool is_listed(const struct rs_target_file *files, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(files[i].path, path) == 0)
			return true;
	return false;
}

/* The files of the plan's edits but for the record's own. */
static struct rs_error *read_others(const struct reader *reader, const struct rs_json *plan, const char *own,
				    struct rs_target *target)
{
	const struct rs_json *edits = rs_json_find(plan, "edits"), *file;
	uint64_t hash = 0;

	if (!edits)
		return NULL;
	struct rs_target_file *others = rs_arena_array(reader->arena, struct rs_target_file, edits->n_children);
	for (const struct rs_json *edit = edits->first; edit; edit = edit->next) {
		RS_TRY(get(reader, edit, "file", RS_JSON_STRING, &file));
		if (strcmp(file->string, own) == 0)
			continue;
		RS_TRY(find_hash(reader, file->string, &hash));
		const char *path = resolve(reader, file->string, hash);
		if (!is_listed(others, target->n_others, path))
			others[target->n_others++] = (struct rs_target_file) { path, hash };
	}
	target->others = others;
	return NULL;
}

static struct rs_error *read_target(const struct reader *reader, const struct rs_json *record,
				    const struct rs_json *plan, struct rs_target *ret_target)
{
	const struct rs_json *name, *file;
	uint64_t hash = 0;

	RS_TRY(get(reader, record, "name", RS_JSON_STRING, &name));
	RS_TRY(get(reader, record, "file", RS_JSON_STRING, &file));
	RS_TRY(find_hash(reader, file->string, &hash));
	*ret_target = (struct rs_target) { .file = resolve(reader, file->string, hash),
					   .name = name->string,
					   .has_expected_hash = true,
					   .expected_hash = hash };
	struct rs_target_plan *moves = rs_arena_new(reader->arena, struct rs_target_plan);

	RS_TRY(read_others(reader, plan, file->string, ret_target));
	RS_TRY(read_moves(reader, plan, moves));
	RS_TRY(get_count(reader, plan, "size_bytes", &moves->size_bytes));
	ret_target->plan = moves;
	return read_fields(reader, plan, moves);
}

struct rs_error *rs_plan_file_read(struct rs_arena *arena, const char *path, const char *root, unsigned plan,
				   struct rs_target **ret_targets, size_t *ret_count)
{
	struct reader reader = { .arena = arena, .path = path, .root_directory = root };
	const struct rs_json *version, *structs, *chosen;
	char *text;
	size_t size, count = 0;

	RS_TRY(rs_file_read(arena, path, &text, &size));
	RS_TRY(rs_json_parse(arena, path, text, size, &reader.root));
	RS_TRY(get(&reader, reader.root, "restruct", RS_JSON_NUMBER, &version));
	if (version->number != 1)
		return rs_json_error(path, version, false,
				     "this version of restruct reads results of version 1");
	RS_TRY(get(&reader, reader.root, "structs", RS_JSON_ARRAY, &structs));
	struct rs_target *targets = rs_arena_array(arena, struct rs_target, structs->n_children);
	for (const struct rs_json *record = structs->first; record; record = record->next) {
		RS_TRY(find_plan(&reader, record, plan, &chosen));
		if (chosen)
			RS_TRY(read_target(&reader, record, chosen, &targets[count++]));
	}
	if (count == 0)
		return rs_error_create(RS_ERROR_NOT_FOUND, path, 0, 0, "no struct in it has %s",
				       plan > 0 ? "that plan" : "a plan to emit");
	*ret_targets = targets;
	*ret_count = count;
	return NULL;
}

#include <string.h>

#include "profile/import_internal.h"
#include "profile/trust.h"

/* Tables live in the arena that is in scope. */
#define uthash_malloc(size)       rs_arena_alloc(arena, size)
#define uthash_free(memory, size) ((void)(memory))
#include <uthash.h>

/* What all rows of one field, on one path, come to. */
struct entry {
	const char *key; /* type, path and field, with a byte between that none of them has */
	const char *field;
	double reads, writes;
	bool is_atomic;
	unsigned cpus, line, column;
	struct entry *next; /* of the group, in the order of the rows */
	UT_hash_handle hh;
};

/* The entries of one path, or (with no path) those of a type that have none. */
struct group {
	const char *key; /* type and path */
	const char *path, *phase;
	double burst; /* 0: not said */
	struct entry *first, **last;
	size_t n_entries;
	struct group *next; /* of the type */
	UT_hash_handle hh;
};

struct type {
	const char *name;
	struct group *first, **last;
	size_t n_groups;
	struct type *next;
	UT_hash_handle hh;
};

struct build {
	struct rs_import *import;
	struct rs_arena *arena;
	struct entry *entries;
	struct group *groups;
	struct type *types, *first, **last;
	size_t n_entries, n_types, n_resolved, n_seen;
	const char *const *names;
	size_t n_names;
};

static bool is_wanted(const struct build *build, const char *type)
{
	for (size_t i = 0; i < build->n_names; i++)
		if (strcmp(build->names[i], type) == 0)
			return true;
	return build->n_names == 0;
}

static struct type *get_type(struct build *build, const char *name)
{
	struct rs_arena *arena = build->arena;
	struct type *type = NULL;

	HASH_FIND_STR(build->types, name, type);
	if (type)
		return type;
	type = rs_arena_new(arena, struct type);
	*type = (struct type) { .name = name, .last = &type->first };
	HASH_ADD_KEYPTR(hh, build->types, type->name, strlen(type->name), type);
	*build->last = type;
	build->last = &type->next;
	build->n_types++;
	return type;
}

static struct group *get_group(struct build *build, const struct rs_import_row *row)
{
	struct rs_arena *arena = build->arena;
	const char *key = rs_arena_printf(arena, "%s\x1f%s", row->type, row->path ? row->path : "");
	struct group *group = NULL;

	HASH_FIND_STR(build->groups, key, group);
	if (group)
		return group;
	struct type *type = get_type(build, row->type);
	group = rs_arena_new(arena, struct group);
	*group = (struct group) {
		.key = key, .path = row->path, .phase = row->phase, .burst = row->burst, .last = &group->first
	};
	HASH_ADD_KEYPTR(hh, build->groups, group->key, strlen(group->key), group);
	*type->last = group;
	type->last = &group->next;
	type->n_groups++;
	return group;
}

static struct entry *get_entry(struct build *build, const struct rs_import_row *row)
{
	struct rs_arena *arena = build->arena;
	struct group *group = get_group(build, row);
	const char *key = rs_arena_printf(arena, "%s\x1f%s", group->key, row->field);
	struct entry *entry = NULL;

	HASH_FIND_STR(build->entries, key, entry);
	if (entry)
		return entry;
	entry = rs_arena_new(arena, struct entry);
	*entry = (struct entry) { .key = key, .field = row->field, .line = row->line, .column = row->column };
	HASH_ADD_KEYPTR(hh, build->entries, entry->key, strlen(entry->key), entry);
	*group->last = entry;
	group->last = &entry->next;
	group->n_entries++;
	build->n_entries++;
	return entry;
}

static void add_row(struct build *build, const struct rs_import_row *row)
{
	struct entry *entry = get_entry(build, row);

	entry->reads += row->reads;
	entry->writes += row->writes;
	entry->is_atomic |= row->is_atomic;
	entry->cpus = row->cpus > entry->cpus ? row->cpus : entry->cpus;
}

static void add_rows(struct build *build)
{
	struct rs_import *import = build->import;
	unsigned last_line = 0, last_column = 0;

	for (size_t i = 0; i < import->n_rows; i++) {
		const struct rs_import_row *row = &import->rows[i];

		if (!row->type || !row->field)
			continue; /* was counted as lost */
		if (!is_wanted(build, row->type)) {
			rs_import_lose(import, RS_LOST_OTHER, row->line, row->column, row->type);
			continue;
		}
		build->n_resolved += row->line != last_line || row->column != last_column;
		last_line = row->line;
		last_column = row->column;
		add_row(build, row);
	}
	build->n_seen = build->n_resolved;
	for (size_t i = 0; i < RS_LOST_COUNT; i++)
		build->n_seen += i == RS_LOST_OTHER || i == RS_LOST_NO_STRUCT ? 0 : import->lost[i].n_rows;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* One path out of the entries of a function; writes: those that write, reads: those that read. The rate is that
 * of its most used field: an execution uses a field once. */
static struct rs_profile_path make_path(const struct build *build, const struct group *group, const char *name,
					bool reads, bool writes)
{
	struct rs_profile_access *accesses =
		rs_arena_array(build->arena, struct rs_profile_access, 2 * group->n_entries);
	struct rs_profile_path path = { .name = name,
					.burst = group->burst > 0 ? group->burst : 1,
					.util = -1,
					.phase = group->phase,
					.accesses = accesses };

	for (const struct entry *entry = group->first; entry; entry = entry->next) {
		path.n_cpus = entry->cpus > path.n_cpus ? entry->cpus : path.n_cpus;
		for (unsigned kind = RS_ACCESS_READ; kind <= RS_ACCESS_WRITE; kind <<= 1) {
			double amount = kind == RS_ACCESS_READ ? reads * entry->reads : writes * entry->writes;

			if (amount <= 0)
				continue;
			unsigned does = kind == RS_ACCESS_WRITE && entry->is_atomic ? RS_ACCESS_ATOMIC : kind;
			path.rate = larger(path.rate, amount);
			accesses[path.n_accesses++] =
				(struct rs_profile_access) { entry->field, does, entry->line, entry->column };
		}
	}
	return path;
}

static void add_path(struct rs_profile_struct *type, struct rs_profile_path *paths, struct rs_profile_path path)
{
	if (path.n_accesses > 0)
		paths[type->n_paths++] = path;
}

/* Loads and stores that are counted in different units do not have one rate: they are paths of their own. */
static void make_paths(const struct build *build, const struct type *from, struct rs_profile_struct *type)
{
	struct rs_profile_path *paths =
		rs_arena_array(build->arena, struct rs_profile_path, 2 * from->n_groups);
	bool one_unit = rs_profile_has_one_unit(type->sources, type->n_sources);

	for (const struct group *group = from->first; group; group = group->next) {
		if (!group->path)
			continue;
		if (one_unit) {
			add_path(type, paths, make_path(build, group, group->path, true, true));
			continue;
		}
		const char *loads = rs_arena_printf(build->arena, "%s (loads)", group->path);
		const char *stores = rs_arena_printf(build->arena, "%s (stores)", group->path);
		add_path(type, paths, make_path(build, group, loads, true, false));
		add_path(type, paths, make_path(build, group, stores, false, true));
	}
	type->paths = paths;
}

static void make_fields(const struct build *build, const struct type *from, struct rs_profile_struct *type)
{
	const struct group *group = from->first;

	while (group && group->path)
		group = group->next;
	if (!group)
		return;
	struct rs_profile_field *fields =
		rs_arena_array(build->arena, struct rs_profile_field, group->n_entries);
	for (const struct entry *entry = group->first; entry; entry = entry->next)
		fields[type->n_fields++] = (struct rs_profile_field) { .name = entry->field,
								       .reads = entry->reads,
								       .writes = entry->writes,
								       .is_atomic = entry->is_atomic,
								       .cpus = entry->cpus };
	type->fields = fields;
}

static bool has_amount(const struct type *type, bool writes)
{
	for (const struct group *group = type->first; group; group = group->next)
		for (const struct entry *entry = group->first; entry; entry = entry->next)
			if ((writes ? entry->writes : entry->reads) > 0)
				return true;
	return false;
}

static void make_struct(const struct build *build, const struct type *from, struct rs_profile_struct *type)
{
	const struct rs_import *import = build->import;
	struct rs_profile_source *source = rs_arena_new(build->arena, struct rs_profile_source);

	*source = (struct rs_profile_source) {
		.tool = import->tool,
		.version = import->version,
		.file = import->path,
		.trust = import->trust,
		.reads_unit = has_amount(from, false) ? import->reads_unit : NULL,
		.writes_unit = has_amount(from, true) ? import->writes_unit : NULL,
		.rows = (double)build->n_seen,
		.resolved = (double)build->n_resolved,
	};
	*type = (struct rs_profile_struct) { .name = from->name,
					     .path = import->path,
					     .sources = source,
					     .n_sources = 1,
					     .is_complete = import->is_complete };
	for (size_t i = 0; import->instances && i < import->n_records; i++)
		if (strcmp(import->records[i]->name, from->name) == 0)
			type->instances = import->instances[i];
	make_paths(build, from, type);
	make_fields(build, from, type);
}

static void make_structs(const struct build *build, struct rs_profile *profile)
{
	struct rs_profile_struct *structs =
		rs_arena_array(build->arena, struct rs_profile_struct, build->n_types);

	for (const struct type *type = build->first; type; type = type->next)
		make_struct(build, type, &structs[profile->n_structs++]);
	profile->structs = structs;
}

static void note_losses(const struct build *build)
{
	static const char *const texts[RS_LOST_COUNT] = {
		"of no struct that is known",
		"whose name or place fits no member",
		"on source lines where no access to the struct is found",
		"that could be of several members",
		"of structs that were not asked for",
	};
	const struct rs_import *import = build->import;

	for (size_t i = 0; i < RS_LOST_COUNT; i++) {
		const struct rs_import_losses *lost = &import->lost[i];
		bool expected = i == RS_LOST_NO_STRUCT || i == RS_LOST_OTHER;

		if (lost->n_rows > 0)
			rs_notes_add(import->notes, expected ? RS_NOTE_INFO : RS_NOTE_WARNING, import->path,
				     lost->line, lost->column, "%zu row%s %s: left out (the first: %s)",
				     lost->n_rows, lost->n_rows == 1 ? "" : "s", texts[i], lost->first);
	}
}

static void note_units(const struct build *build, const struct rs_profile *profile)
{
	const struct rs_import *import = build->import;

	if (import->n_kindless > 0)
		rs_notes_add(import->notes, RS_NOTE_WARNING, import->path, 0, 0,
			     "whether accesses read or write is not said: all count as %s (--as=reads|writes)",
			     import->as ? import->as : "reads");
	for (size_t i = 0; i < profile->n_structs; i++) {
		const struct rs_profile_source *source = profile->structs[i].sources;

		if (!rs_profile_has_one_unit(source, 1))
			rs_notes_add(
				import->notes, RS_NOTE_WARNING, import->path, 0, 0,
				"%s: reads count %s and writes count %s: the two are not compared or added up",
				profile->structs[i].name, source->reads_unit, source->writes_unit);
	}
}

static bool has_row(const struct build *build, const struct rs_record *record, const char *path)
{
	size_t length = strlen(path);

	for (const struct type *type = build->first; type; type = type->next)
		for (const struct group *group = type->first; group; group = group->next)
			for (const struct entry *entry = group->first; entry; entry = entry->next)
				if (strcmp(type->name, record->name) == 0 &&
				    strncmp(entry->field, path, length) == 0 &&
				    strchr(".[", entry->field[length])) /* or its end */
					return true;
	return false;
}

/* Tables of people claim to name every member. */
static void note_members_without_row(const struct build *build, const struct rs_record *record)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder list = { 0 };
	size_t count = 0;

	for (size_t m = 0; m < record->n_members; m++) {
		const struct rs_member *member = &record->members[m];

		if (member->path[0] != '\0' && member->parent == RS_NONE &&
		    !has_row(build, record, member->path))
			rs_builder_printf(&list, "%s%s", count++ ? ", " : "", member->path);
	}
	if (count > 0)
		rs_notes_add(build->import->notes, RS_NOTE_INFO, build->import->path, 0, 0,
			     "%zu member%s of %s without a row: %s", count, count == 1 ? "" : "s", record->name,
			     list.data);
}

static struct rs_error *nothing_found(const struct build *build)
{
	const struct rs_import *import = build->import;
	const char *name = build->n_names      ? build->names[0]
			   : import->n_records ? import->records[0]->name
					       : NULL;
	const struct rs_import_losses *other = &import->lost[RS_LOST_OTHER];

	if (other->n_rows > 0)
		return rs_error_create(RS_ERROR_NOT_FOUND, import->path, other->line, other->column,
				       "nothing in it speaks of struct '%s' (the first row: '%s')", name,
				       other->first);
	return rs_error_create(RS_ERROR_NOT_FOUND, import->path, 0, 0,
			       "nothing in it speaks of a field of %s%s%s", name ? "struct '" : "a struct",
			       name ? name : "", name ? "'" : "");
}

struct rs_error *rs_import_build(struct rs_import *import, const char *const *names, size_t n_names,
				 struct rs_profile *ret_profile)
{
	struct build build = { .import = import, .arena = import->arena, .names = names, .n_names = n_names };
	struct rs_profile profile = { 0 };

	build.last = &build.first;
	add_rows(&build);
	note_losses(&build);
	if (build.n_entries == 0)
		return nothing_found(&build);
	rs_machine_init(&profile.machine);
	if (import->line_bytes) {
		profile.machine.line_bytes = import->line_bytes;
		profile.machine_given = 1u << RS_MACHINE_LINE_BYTES;
	}
	make_structs(&build, &profile);
	note_units(&build, &profile);
	for (size_t i = 0; import->lists_all && i < import->n_records; i++)
		note_members_without_row(&build, import->records[i]);
	rs_notes_add(import->notes, RS_NOTE_INFO, import->path, 0, 0,
		     "%s: %zu of %zu rows gave %zu figures of %zu structs (%s)", import->tool, build.n_resolved,
		     build.n_seen, build.n_entries, profile.n_structs, import->trust);
	*ret_profile = profile;
	return NULL;
}

struct rs_error *rs_import_get(const struct rs_import *import, const struct rs_json *object, const char *key,
			       enum rs_json_kind kind, const struct rs_json **ret_value)
{
	const struct rs_json *value = object->kind == RS_JSON_OBJECT ? rs_json_find(object, key) : NULL;

	if (!value)
		return rs_json_error(import->path, object, false, "expected an object with the key \"%s\"",
				     key);
	if (value->kind != kind)
		return rs_json_error(import->path, value, false, "expected %s for \"%s\", found %s",
				     rs_json_kind_name(kind), key, rs_json_kind_name(value->kind));
	*ret_value = value;
	return NULL;
}

#include "profile/paths.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BURST 1e9

static const double shares_tolerance = 0.015; /* people write thirds as 0.33 */

/* A path while it is read: what can be checked only when all its keys are known. */
struct draft {
	struct rs_profile_path path;
	const struct rs_json *cpus, *shares;
	size_t n_shares;
	size_t accesses_capacity;
};

static struct rs_error *read_phase(const struct rs_reader *reader, const struct rs_key *key,
				   const struct rs_json *value, void *target)
{
	struct draft *draft = (struct draft *)target;

	RS_TRY(rs_reader_string(reader, key, value, &draft->path.phase));
	if (strcmp(draft->path.phase, "steady") == 0)
		draft->path.phase = NULL;
	return NULL;
}

static const struct rs_key cpu_number = { .least = 0, .most = RS_PROFILE_MOST_CPUS - 1 };
static const struct rs_key cpu_share = { .least = 0, .most = 1 };

static struct rs_error *read_cpu_list(const struct rs_reader *reader, const struct rs_json *value,
				      struct draft *draft)
{
	unsigned *cpus = rs_arena_array(reader->arena, unsigned, value->n_children);
	bool *is_listed = rs_arena_array(reader->arena, bool, RS_PROFILE_MOST_CPUS);
	unsigned count = 0;

	if (!value->n_children)
		return rs_json_error(reader->path, value, false, "the list names no CPU");
	for (const struct rs_json *child = value->first; child; child = child->next) {
		unsigned cpu = 0;

		RS_TRY(rs_reader_unsigned(reader, &cpu_number, child, &cpu));
		if (is_listed[cpu])
			return rs_json_error(reader->path, child, false, "CPU %u stands twice in the list",
					     cpu);
		is_listed[cpu] = true;
		cpus[count++] = cpu;
	}
	draft->path.cpus = cpus;
	draft->path.n_cpus = count;
	return NULL;
}

static struct rs_error *read_cpus(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	struct draft *draft = (struct draft *)target;

	draft->cpus = value;
	if (value->kind == RS_JSON_ARRAY)
		return read_cpu_list(reader, value, draft);
	if (value->kind != RS_JSON_NUMBER)
		return rs_json_error(reader->path, value, false,
				     "expected a number of CPUs or a list of them, found %s",
				     rs_json_kind_name(value->kind));
	return rs_reader_unsigned(reader, key, value, &draft->path.n_cpus);
}

/* Shares are brought to a sum of exactly 1 within rounding. */
static struct rs_error *read_shares(const struct rs_reader *reader, const struct rs_key *key,
				    const struct rs_json *value, void *target)
{
	struct draft *draft = (struct draft *)target;
	double *shares, sum = 0;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_ARRAY));
	shares = rs_arena_array(reader->arena, double, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next) {
		RS_TRY(rs_reader_double(reader, &cpu_share, child, &shares[count]));
		sum += shares[count++];
	}
	if (!(fabs(sum - 1) <= shares_tolerance))
		return rs_json_error(reader->path, value, false, "the shares sum to %g, not to 1", sum);
	for (size_t i = 0; i < count; i++)
		shares[i] /= sum;
	draft->path.shares = shares;
	draft->shares = value;
	draft->n_shares = count;
	return NULL;
}

/* The three lists are read after all keys, so that accesses do not depend on the order of the keys. */
static struct rs_error *leave_for_later(const struct rs_reader *reader, const struct rs_key *key,
					const struct rs_json *value, void *target)
{
	(void)key;
	(void)target;
	return rs_reader_kind(reader, value, RS_JSON_ARRAY);
}

#define IN_PATH(field) offsetof(struct draft, path.field)
static const struct rs_key path_keys[] = {
	{ "name", rs_reader_string, IN_PATH(name), true },
	{ "rate", rs_reader_double, IN_PATH(rate), true, 0, RS_PROFILE_MOST_RATE },
	{ "cpus", read_cpus, 0, false, 1, RS_PROFILE_MOST_CPUS },
	{ "shares", read_shares },
	{ "burst", rs_reader_double, IN_PATH(burst), false, 1, MOST_BURST },
	{ "util", rs_reader_double, IN_PATH(util), false, 0, 1 },
	{ "phase", read_phase },
	{ "contended", rs_reader_names, IN_PATH(contended) },
	{ "atomics", leave_for_later },
	{ "reads", leave_for_later },
	{ "writes", leave_for_later },
};
#undef IN_PATH

static const struct {
	const char *key;
	unsigned kinds;
} access_lists[] = {
	{ "atomics", RS_ACCESS_ATOMIC },
	{ "reads", RS_ACCESS_READ },
	{ "writes", RS_ACCESS_WRITE },
};

static struct rs_error *read_accesses(const struct rs_reader *reader, const struct rs_json *value,
				      unsigned kinds, struct rs_profile_access **accesses, struct draft *draft)
{
	static const struct rs_key any_number = { 0 };
	struct rs_profile_names names;

	RS_TRY(rs_reader_names(reader, &any_number, value, &names));
	for (const struct rs_json *child = value->first; child; child = child->next) {
		struct rs_profile_access *access = rs_array_push(
			reader->arena, *accesses, draft->path.n_accesses, draft->accesses_capacity);

		*access = (struct rs_profile_access) {
			.field = child->string, .kinds = kinds, .line = child->line, .column = child->column
		};
	}
	draft->path.accesses = *accesses;
	return NULL;
}

static struct rs_error *check_shares(const struct rs_reader *reader, struct draft *draft)
{
	if (!draft->shares)
		return NULL;
	if (draft->n_shares > RS_PROFILE_MOST_CPUS)
		return rs_json_error(reader->path, draft->shares, false,
				     "%zu shares are too many; at most %d CPUs", draft->n_shares,
				     RS_PROFILE_MOST_CPUS);
	if (!draft->cpus)
		draft->path.n_cpus = (unsigned)draft->n_shares;
	if (draft->path.n_cpus != draft->n_shares)
		return rs_json_error(reader->path, draft->shares, false, "%zu shares for %u CPUs",
				     draft->n_shares, draft->path.n_cpus);
	return NULL;
}

static struct rs_error *read_path(const struct rs_reader *reader, const struct rs_json *value,
				  struct rs_profile_path *ret_path)
{
	struct rs_profile_access *accesses = NULL;
	struct draft draft = { .path = { .burst = 1,
					 .util = -1,
					 .file = reader->path,
					 .line = value->line,
					 .column = value->column } };

	RS_TRY(rs_reader_object(reader, value, "a path", path_keys, RS_COUNT_OF(path_keys), &draft));
	RS_TRY(check_shares(reader, &draft));
	for (size_t i = 0; i < RS_COUNT_OF(access_lists); i++) {
		const struct rs_json *list = rs_json_find(value, access_lists[i].key);

		if (list)
			RS_TRY(read_accesses(reader, list, access_lists[i].kinds, &accesses, &draft));
	}
	*ret_path = draft.path;
	return NULL;
}

static struct rs_error *check_path_names(const struct rs_reader *reader, const struct rs_json *value,
					 const struct rs_profile_path *paths, size_t count)
{
	const char **names = rs_arena_array(reader->arena, const char *, count);
	const struct rs_json *child = value->first;
	size_t repeated;

	for (size_t i = 0; i < count; i++)
		names[i] = paths[i].name;
	repeated = rs_reader_find_repeated(reader->arena, names, count);
	if (repeated == SIZE_MAX)
		return NULL;
	for (size_t i = 0; i < repeated; i++)
		child = child->next;
	return rs_json_error(reader->path, rs_json_find(child, "name"), false,
			     "another path is named \"%s\" too", names[repeated]);
}

struct rs_error *rs_paths_read(const struct rs_reader *reader, const struct rs_key *key,
			       const struct rs_json *value, void *target)
{
	struct rs_profile_struct *type = (struct rs_profile_struct *)target;
	struct rs_profile_path *paths;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_ARRAY));
	paths = rs_arena_array(reader->arena, struct rs_profile_path, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next)
		RS_TRY(read_path(reader, child, &paths[count++]));
	type->paths = paths;
	type->n_paths = count;
	return check_path_names(reader, value, paths, count);
}

static struct rs_error *read_field_kind(const struct rs_reader *reader, const struct rs_key *key,
					const struct rs_json *value, void *target)
{
	static const char *const words[] = { "plain", "atomic" };
	size_t index = 0;

	(void)key;
	RS_TRY(rs_reader_word(reader, value, words, RS_COUNT_OF(words), &index));
	*(bool *)target = index == 1;
	return NULL;
}

#define IN_FIELD(field) offsetof(struct rs_profile_field, field)
static const struct rs_key field_keys[] = {
	{ "reads", rs_reader_double, IN_FIELD(reads), false, 0, RS_PROFILE_MOST_RATE },
	{ "writes", rs_reader_double, IN_FIELD(writes), false, 0, RS_PROFILE_MOST_RATE },
	{ "kind", read_field_kind, IN_FIELD(is_atomic) },
	{ "cpus", rs_reader_unsigned, IN_FIELD(cpus), false, 1, RS_PROFILE_MOST_CPUS },
};
#undef IN_FIELD

struct rs_error *rs_paths_read_fields(const struct rs_reader *reader, const struct rs_key *key,
				      const struct rs_json *value, void *target)
{
	struct rs_profile_struct *type = (struct rs_profile_struct *)target;
	struct rs_profile_field *fields;
	size_t count = 0;

	(void)key;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_OBJECT));
	fields = rs_arena_array(reader->arena, struct rs_profile_field, value->n_children);
	for (const struct rs_json *child = value->first; child; child = child->next) {
		struct rs_profile_field *field = &fields[count++];

		*field = (struct rs_profile_field) { .name = child->key,
						     .file = reader->path,
						     .line = child->key_line,
						     .column = child->key_column };
		RS_TRY(rs_reader_object(reader, child, "a field", field_keys, RS_COUNT_OF(field_keys), field));
	}
	type->fields = fields;
	type->n_fields = count;
	return NULL;
}

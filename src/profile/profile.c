#include "profile/profile.h"

#include <stddef.h>
#include <string.h>

#include "base/file.h"
#include "profile/merge.h"
#include "profile/paths.h"
#include "profile/reader.h"
#include "profile/scale.h"
#include "profile/structs.h"
#include "profile/types.h"

#define MOST_NS          1e9
#define MOST_CACHE_LINES 1e15
#define UPGRADE_SHARE    0.6 /* of a coherence miss: no data moves, the round trip remains */

void rs_machine_init(struct rs_machine *machine)
{
	*machine = (struct rs_machine) {
		.line_bytes = 64,
		.cpus = 8,
		.t_hit_ns = 1,
		.t_coherence_ns = 60,
		.t_upgrade_ns = UPGRADE_SHARE * 60,
		.t_l3_ns = 15,
		.t_memory_ns = 110,
		.util = 0.1,
	};
}

static struct rs_error *read_pair(const struct rs_reader *reader, const struct rs_key *key,
				  const struct rs_json *value, void *target)
{
	unsigned number = 0;

	RS_TRY(rs_reader_unsigned(reader, key, value, &number));
	*(bool *)target = number == 1;
	return NULL;
}

/* In the order of enum rs_machine_key. */
#define IN_MACHINE(field) offsetof(struct rs_machine, field)
static const struct rs_key machine_keys[] = {
	{ "line_bytes", rs_reader_power_of_two, IN_MACHINE(line_bytes), false, 16, 1024 },
	{ "cpus", rs_reader_unsigned, IN_MACHINE(cpus), false, 1, RS_PROFILE_MOST_CPUS },
	{ "t_hit_ns", rs_reader_double, IN_MACHINE(t_hit_ns), false, 0, MOST_NS },
	{ "t_coherence_ns", rs_reader_double, IN_MACHINE(t_coherence_ns), false, 0, MOST_NS },
	{ "t_upgrade_ns", rs_reader_double, IN_MACHINE(t_upgrade_ns), false, 0, MOST_NS },
	{ "t_l3_ns", rs_reader_double, IN_MACHINE(t_l3_ns), false, 0, MOST_NS },
	{ "t_memory_ns", rs_reader_double, IN_MACHINE(t_memory_ns), false, 0, MOST_NS },
	{ "cache_lines", rs_reader_double, IN_MACHINE(cache_lines), false, 0, MOST_CACHE_LINES },
	{ "util", rs_reader_double, IN_MACHINE(util), false, 0, 1 },
	{ "pair", read_pair, IN_MACHINE(pair), false, 0, 1 },
};
#undef IN_MACHINE

static struct rs_error *read_machine(const struct rs_reader *reader, const struct rs_key *key,
				     const struct rs_json *value, void *target)
{
	struct rs_profile *profile = (struct rs_profile *)target;

	(void)key;
	RS_TRY(rs_reader_object(reader, value, "the machine", machine_keys, RS_COUNT_OF(machine_keys),
				&profile->machine));
	for (size_t i = 0; i < RS_COUNT_OF(machine_keys); i++)
		if (rs_json_find(value, machine_keys[i].name))
			profile->machine_given |= 1u << i;
	return NULL;
}

static struct rs_error *read_version(const struct rs_reader *reader, const struct rs_key *key,
				     const struct rs_json *value, void *target)
{
	(void)key;
	(void)target;
	RS_TRY(rs_reader_kind(reader, value, RS_JSON_NUMBER));
	if (value->number < 1 || value->number > 1)
		return rs_json_error(reader->path, value, false,
				     "version %g of the profile file is not known, only 1", value->number);
	return NULL;
}

static const struct rs_key profile_keys[] = {
	{ "restruct_profile", read_version, 0, true },
	{ "machine", read_machine },
	{ "types", rs_types_read },
	{ "structs", rs_structs_read },
};

/* What follows from what was given. */
static void complete_machine(struct rs_profile *profile)
{
	if (!(profile->machine_given & 1u << RS_MACHINE_T_UPGRADE))
		profile->machine.t_upgrade_ns = UPGRADE_SHARE * profile->machine.t_coherence_ns;
}

struct rs_error *rs_profile_parse(struct rs_arena *arena, const char *path, const char *text, size_t size,
				  struct rs_profile *ret_profile)
{
	struct rs_reader reader = { arena, path };
	struct rs_profile profile = { 0 };
	const struct rs_json *root;

	RS_TRY(rs_json_parse(arena, path, text, size, &root));
	rs_machine_init(&profile.machine);
	RS_TRY(rs_reader_object(&reader, root, "a profile", profile_keys, RS_COUNT_OF(profile_keys), &profile));
	complete_machine(&profile);
	*ret_profile = profile;
	return NULL;
}

struct rs_error *rs_profile_read(struct rs_arena *arena, const char *const *paths, size_t n_paths,
				 struct rs_profile *ret_profile)
{
	struct rs_profile sum = { 0 };

	rs_machine_init(&sum.machine);
	for (size_t i = 0; i < n_paths; i++) {
		struct rs_profile next;
		size_t size;
		char *text;

		RS_TRY(rs_file_read(arena, paths[i], &text, &size));
		RS_TRY(rs_profile_parse(arena, paths[i], text, size, &next));
		RS_TRY(rs_profile_check_units(&sum, &next));
		rs_profile_merge(arena, &sum, &next);
	}
	complete_machine(&sum);
	*ret_profile = sum;
	return NULL;
}

static const char *bare_name(const char *name)
{
	return strncmp(name, "struct ", 7) == 0 ? name + 7 : name;
}

const struct rs_profile_struct *rs_profile_find(const struct rs_profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->n_structs; i++)
		if (strcmp(bare_name(profile->structs[i].name), bare_name(name)) == 0)
			return &profile->structs[i];
	return NULL;
}

/*
 * The start, where the environment says what is watched, and the file at the end.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/access_internal.h"

static pid_t started; /* the process that was told what to watch */

/* False: there is no memory for it. */
static bool add_type(const char *name, size_t length, size_t size)
{
	struct type *type = &access_types[access_n_types];

	type->size = size;
	type->slot = (size + 63) / 64 * 64; /* objects start a cache line: two never share one */
	type->bytes = access_map(size * sizeof *type->bytes);
	type->objects = access_map(MOST_OBJECTS * sizeof *type->objects);
	type->region = access_map(MOST_OBJECTS * type->slot);
	for (size_t i = 0; i < length && i < MOST_NAME - 1; i++)
		type->name[i] = name[i];
	if (size <= MOST_VISITED_SIZE) {
		size_t n_words = (size + 63) / 64;

		type->sets = access_map(2 * MOST_SETS * sizeof *type->sets);
		type->masks = access_map(2 * MOST_SETS * N_MASKS * n_words * sizeof *type->masks);
		type->n_words = type->sets && type->masks ? n_words : 0;
	}
	if (!type->bytes || !type->objects || !type->region)
		return false;
	type->end = type->region + MOST_OBJECTS * type->slot;
	access_n_types++;
	return true;
}

static void complain(const char *text)
{
	fprintf(stderr, "restruct-access: %s\n", text);
}

/* Before any other constructor, as their code is watched, too. */
__attribute__((constructor(101))) void access_start(void)
{
	const char *at = getenv("RESTRUCT_WATCH"), *every = getenv("RESTRUCT_SAMPLE");
	char *end;

	if (started)
		return;
	started = getpid();
	if (every && strtoul(every, &end, 10) > 0 && *end == '\0')
		access_sample = strtoul(every, NULL, 10);
	if (!at)
		complain("RESTRUCT_WATCH names no type (NAME=SIZE): nothing is watched");
	while (at && *at) {
		size_t length = strcspn(at, "=");
		unsigned long size = at[length] == '=' ? strtoul(at + length + 1, &end, 10) : 0;

		if (size == 0 || size > MOST_SIZE || (*end != ',' && *end != '\0') ||
		    access_n_types == MOST_TYPES || !add_type(at, length, size)) {
			complain("RESTRUCT_WATCH is not of the form NAME=SIZE,…, or asks for too much");
			return;
		}
		at = *end == ',' ? end + 1 : end;
	}
}

static void write_bytes(FILE *file, const struct type *type)
{
	const char *separator = "";

	for (size_t i = 0; i < type->size; i++) {
		const struct byte_counts *byte = &type->bytes[i];
		uint64_t readers = access_get(&byte->readers), writers = access_get(&byte->writers);
		uint64_t reads = access_get(&byte->reads), writes = access_get(&byte->writes);
		uint64_t atomics = access_get(&byte->atomics);
		uint64_t from = access_get(&byte->copied_from), to = access_get(&byte->copied_to);

		if (reads + writes + atomics + from + to == 0)
			continue;
		fprintf(file, "%s\n        [%zu, %llu, %llu, %llu, %llu, %llu, %llu, %llu]", separator, i,
			(unsigned long long)reads, (unsigned long long)writes, (unsigned long long)atomics,
			(unsigned long long)from, (unsigned long long)to,
			(unsigned long long)access_count_bits(readers),
			(unsigned long long)access_count_bits(writers));
		separator = ",";
	}
}

static bool has_byte(const uint64_t *mask, size_t byte)
{
	return mask[byte / 64] >> byte % 64 & 1;
}

/* [first, bytes] for each run of bytes. */
static void write_mask(FILE *file, const char *key, const uint64_t *mask, size_t size)
{
	const char *separator = "";

	fprintf(file, ", \"%s\": [", key);
	for (size_t first = 0, end; first < size; first = end + 1) {
		for (end = first; end < size && has_byte(mask, end);)
			end++;
		if (end == first)
			continue;
		fprintf(file, "%s[%zu, %zu]", separator, first, end - first);
		separator = ", ";
	}
	fprintf(file, "]");
}

static void write_sets(FILE *file, const struct type *type)
{
	static const char *const phases[N_PHASES] = { "steady", "init", "teardown" };
	static const char *const keys[N_MASKS] = { "reads", "writes", "atomics" };
	const char *separator = "";
	char name[256];

	for (size_t i = 0; type->n_words > 0 && i < 2 * MOST_SETS; i++) {
		const struct touch_set *set = &type->sets[i];

		if (!set->hash || access_get(&set->n_visits) == 0)
			continue;
		access_name(set->function, name, sizeof name);
		fprintf(file,
			"%s\n        { \"function\": \"%s\", \"phase\": \"%s\", \"visits\": %llu, \"repeats\": "
			"%llu, \"turns\": "
			"%llu, "
			"\"threads\": %llu",
			separator, name, phases[set->phase], (unsigned long long)access_get(&set->n_visits),
			(unsigned long long)access_get(&set->n_repeats),
			(unsigned long long)access_get(&set->n_turns),
			(unsigned long long)access_count_bits(access_get(&set->threads)));
		for (size_t mask = 0; mask < N_MASKS; mask++)
			write_mask(file, keys[mask], access_masks(type, i) + mask * type->n_words, type->size);
		fprintf(file, " }");
		separator = ",";
	}
}

static void write_type(FILE *file, const struct type *type)
{
	uint64_t visits = access_get(&type->n_gone_visits), shared = access_get(&type->n_gone_shared);

	for (uint32_t i = 0; i < type->n_used; i++) {
		const struct object *object = &type->objects[i];

		visits += access_get(&object->n_visits);
		shared += access_get(&object->n_visits) * access_count_bits(access_get(&object->threads));
	}
	fprintf(file,
		"    \"%s\": {\n      \"size\": %zu, \"objects\": %llu, \"most_objects\": %u, \"missed\": "
		"%llu, "
		"\"sample\": %llu,\n      \"threads_per_object\": %.3f, \"lost_visits\": %llu,\n      "
		"\"bytes\": [",
		type->name, type->size, (unsigned long long)access_get(&type->n_watched), type->most_alive,
		(unsigned long long)access_get(&type->n_missed), (unsigned long long)access_sample,
		visits ? (double)shared / (double)visits : 0.0, (unsigned long long)access_get(&type->n_lost));
	write_bytes(file, type);
	fprintf(file, "]");
	if (type->n_words > 0) {
		fprintf(file, ",\n      \"paths\": [");
		write_sets(file, type);
		fprintf(file, "]");
	}
	fprintf(file, "\n    }");
}

/* A process that was forked has counts of its own: they must not replace its parent's. */
static FILE *open_file(void)
{
	const char *path = getenv("RESTRUCT_ACCESS_FILE");
	char own[4096];

	path = path && *path ? path : "restruct-access.json";
	if (getpid() != started)
		snprintf(own, sizeof own, "%s.%ld", path, (long)getpid());
	return fopen(getpid() != started ? own : path, "we");
}

void restruct_access_write(void)
{
	struct thread *thread = access_thread();
	FILE *file = access_n_types > 0 ? open_file() : NULL;
	bool failed;

	if (access_n_types == 0)
		return;
	if (!file) {
		complain("cannot write the file of RESTRUCT_ACCESS_FILE");
		return;
	}
	if (thread)
		access_close_all(thread);
	fprintf(file, "{\n  \"restruct_access\": 1,\n  \"threads\": %u, \"cpus\": %ld,\n  \"structs\": {\n",
		access_n_threads, sysconf(_SC_NPROCESSORS_ONLN));
	for (size_t i = 0; i < access_n_types; i++) {
		write_type(file, &access_types[i]);
		fprintf(file, "%s\n", i + 1 < access_n_types ? "," : "");
	}
	fprintf(file, "  }\n}\n");
	failed = ferror(file) != 0;
	if (fclose(file) != 0 || failed)
		complain("cannot write the file of RESTRUCT_ACCESS_FILE");
}

__attribute__((destructor(101))) static void end(void)
{
	restruct_access_write();
}

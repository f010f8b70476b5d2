#include "plan/content.h"

#include <string.h>

struct entry {
	struct rs_content content;
	double cost_ns;
};

struct rs_contents {
	struct rs_arena *arena;
	const struct rs_problem *problem;
	const struct rs_content *numbers; /* of each signature */
	struct entry *entries;            /* open addressing; an empty content is a free place */
	size_t n_entries, n_buckets;      /* power of two */
	uint32_t *gathered;
	size_t gathered_capacity;
	uint16_t *counts;
	bool *writes;
};

enum { FIRST_BUCKETS = 1024 };

static uint64_t draw(uint64_t *state)
{
	uint64_t value = *state += UINT64_C(0x9e3779b97f4a7c15);

	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

static struct rs_content *draw_numbers(struct rs_arena *arena, size_t count)
{
	struct rs_content *numbers = rs_arena_array(arena, struct rs_content, count);
	uint64_t state = 0;

	for (size_t i = 0; i < count; i++) {
		numbers[i].key[0] = draw(&state) | 1;
		numbers[i].key[1] = draw(&state);
	}
	return numbers;
}

struct rs_contents *rs_contents_create(struct rs_arena *arena, const struct rs_problem *problem)
{
	struct rs_contents *contents = rs_arena_new(arena, struct rs_contents);
	size_t n_paths = problem->binding ? problem->binding->n_paths : 0;

	contents->arena = arena;
	contents->problem = problem;
	contents->numbers = draw_numbers(arena, problem->n_signatures);
	contents->n_buckets = FIRST_BUCKETS;
	contents->entries = rs_arena_array(arena, struct entry, FIRST_BUCKETS);
	contents->counts = rs_arena_array(arena, uint16_t, n_paths);
	contents->writes = rs_arena_array(arena, bool, n_paths);
	return contents;
}

struct rs_part rs_contents_make_part(const struct rs_contents *contents, const uint32_t *signatures,
				     size_t count)
{
	uint32_t *copy = count ? rs_arena_array(contents->arena, uint32_t, count) : NULL;
	struct rs_part part = { .signatures = copy, .n_signatures = count };

	for (size_t i = 0; i < count; i++) {
		copy[i] = signatures[i];
		part.content = rs_content_join(part.content, contents->numbers[signatures[i]]);
	}
	return part;
}

double rs_contents_compute(struct rs_contents *contents, const struct rs_cost *cost, const uint32_t *signatures,
			   size_t count)
{
	size_t n_paths = contents->problem->binding->n_paths;

	memset(contents->counts, 0, n_paths * sizeof *contents->counts);
	memset(contents->writes, 0, n_paths * sizeof *contents->writes);
	for (size_t i = 0; i < count; i++) {
		const struct rs_signature *signature = &contents->problem->signatures[signatures[i]];

		for (size_t k = 0; k < signature->n_uses; k++) {
			size_t path = signature->uses[k].path;

			if (contents->counts[path] < UINT16_MAX)
				contents->counts[path]++;
			contents->writes[path] |= signature->uses[k].writes;
		}
	}
	return rs_cost_line(cost, contents->counts, contents->writes);
}

static struct entry *find_entry(const struct rs_contents *contents, struct rs_content content)
{
	size_t bucket = (content.key[0] ^ content.key[0] >> 32) & (contents->n_buckets - 1);

	for (;; bucket = (bucket + 1) & (contents->n_buckets - 1)) {
		struct entry *entry = &contents->entries[bucket];

		if (rs_content_is_empty(entry->content) ||
		    (entry->content.key[0] == content.key[0] && entry->content.key[1] == content.key[1]))
			return entry;
	}
}

static void grow(struct rs_contents *contents)
{
	struct entry *old = contents->entries;
	size_t n_old = contents->n_buckets;

	contents->n_buckets *= 4;
	contents->entries = rs_arena_array(contents->arena, struct entry, contents->n_buckets);
	for (size_t i = 0; i < n_old; i++)
		if (!rs_content_is_empty(old[i].content))
			*find_entry(contents, old[i].content) = old[i];
}

bool rs_contents_find_cost(const struct rs_contents *contents, struct rs_content content, double *ret_cost_ns)
{
	const struct entry *entry;

	if (rs_content_is_empty(content)) {
		*ret_cost_ns = 0;
		return true;
	}
	entry = find_entry(contents, content);
	if (rs_content_is_empty(entry->content))
		return false;
	*ret_cost_ns = entry->cost_ns;
	return true;
}

/* All signatures of the parts, in contents->gathered; gives their number. */
static size_t gather(struct rs_contents *contents, const struct rs_part *const *parts, size_t n_parts)
{
	size_t count = 0;

	for (size_t i = 0; i < n_parts; i++)
		count += parts[i]->n_signatures;
	if (contents->gathered_capacity < count) {
		contents->gathered_capacity = 2 * count;
		contents->gathered = rs_arena_array(contents->arena, uint32_t, contents->gathered_capacity);
	}
	count = 0;
	for (size_t i = 0; i < n_parts; i++)
		for (size_t k = 0; k < parts[i]->n_signatures; k++)
			contents->gathered[count++] = parts[i]->signatures[k];
	return count;
}

double rs_contents_add_cost(struct rs_contents *contents, const struct rs_part *const *parts, size_t n_parts)
{
	size_t count = gather(contents, parts, n_parts);
	struct rs_content content = { { 0, 0 } };
	struct entry *entry;

	if (count == 0)
		return 0;
	for (size_t i = 0; i < n_parts; i++)
		content = rs_content_join(content, parts[i]->content);
	if (contents->n_entries * 2 >= contents->n_buckets)
		grow(contents);
	entry = find_entry(contents, content);
	contents->n_entries += rs_content_is_empty(entry->content);
	entry->content = content;
	return entry->cost_ns =
		       rs_contents_compute(contents, contents->problem->cost, contents->gathered, count);
}

#include "plan/content.h"

#include <stdlib.h>
#include <string.h>

struct content {
	const uint32_t *signatures; /* rising */
	size_t count;
	double cost;
};

struct join {
	uint64_t pair; /* of contents, larger number first; 0: free */
	uint32_t joined;
};

struct rs_contents {
	struct rs_arena *arena;
	const struct rs_problem *problem;
	struct content *items;
	size_t n_items, items_capacity;
	uint32_t *by_hash; /* open addressing; 0: free */
	size_t n_buckets;  /* power of two */
	struct join *joins;
	size_t n_joins, n_join_buckets;
	uint32_t *merged;
	size_t merged_capacity;
	uint16_t *counts;
	bool *writes;
};

enum { FIRST_BUCKETS = 1024 };

static uint64_t mix(uint64_t value)
{
	value ^= value >> 30;
	value *= UINT64_C(0xbf58476d1ce4e5b9);
	value ^= value >> 27;
	value *= UINT64_C(0x94d049bb133111eb);
	return value ^ value >> 31;
}

struct rs_contents *rs_contents_create(struct rs_arena *arena, const struct rs_problem *problem)
{
	struct rs_contents *contents = rs_arena_new(arena, struct rs_contents);
	size_t n_paths = problem->binding ? problem->binding->n_paths : 0;

	contents->arena = arena;
	contents->problem = problem;
	contents->n_buckets = contents->n_join_buckets = FIRST_BUCKETS;
	contents->by_hash = rs_arena_array(arena, uint32_t, FIRST_BUCKETS);
	contents->joins = rs_arena_array(arena, struct join, FIRST_BUCKETS);
	contents->counts = rs_arena_array(arena, uint16_t, n_paths);
	contents->writes = rs_arena_array(arena, bool, n_paths);
	(void)rs_array_push(arena, contents->items, contents->n_items, contents->items_capacity);
	return contents;
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

static uint64_t hash_signatures(const uint32_t *signatures, size_t count)
{
	uint64_t hash = count;

	for (size_t i = 0; i < count; i++)
		hash = mix(hash + UINT64_C(0x9e3779b97f4a7c15) + signatures[i]);
	return hash;
}

static uint32_t *find_bucket(const struct rs_contents *contents, const uint32_t *signatures, size_t count)
{
	size_t bucket = hash_signatures(signatures, count) & (contents->n_buckets - 1);

	for (;; bucket = (bucket + 1) & (contents->n_buckets - 1)) {
		const struct content *content = &contents->items[contents->by_hash[bucket]];

		if (!contents->by_hash[bucket])
			return &contents->by_hash[bucket];
		if (content->count == count &&
		    memcmp(content->signatures, signatures, count * sizeof *signatures) == 0)
			return &contents->by_hash[bucket];
	}
}

static void grow_buckets(struct rs_contents *contents)
{
	contents->n_buckets *= 4;
	contents->by_hash = rs_arena_array(contents->arena, uint32_t, contents->n_buckets);
	for (size_t i = 1; i < contents->n_items; i++)
		*find_bucket(contents, contents->items[i].signatures, contents->items[i].count) = (uint32_t)i;
}

static uint32_t find_sorted(struct rs_contents *contents, const uint32_t *signatures, size_t count)
{
	uint32_t *bucket, *copy;

	if (count == 0)
		return RS_CONTENT_EMPTY;
	bucket = find_bucket(contents, signatures, count);
	if (*bucket)
		return *bucket;
	copy = rs_arena_array(contents->arena, uint32_t, count);
	memcpy(copy, signatures, count * sizeof *copy);
	*bucket = (uint32_t)contents->n_items;
	*rs_array_push(contents->arena, contents->items, contents->n_items, contents->items_capacity) =
		(struct content) { copy, count,
				   rs_contents_compute(contents, contents->problem->cost, copy, count) };
	if (contents->n_items * 2 > contents->n_buckets)
		grow_buckets(contents);
	return (uint32_t)(contents->n_items - 1);
}

static int compare_signatures(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

uint32_t rs_contents_find(struct rs_contents *contents, uint32_t *signatures, size_t count)
{
	if (count > 1)
		qsort(signatures, count, sizeof *signatures, compare_signatures);
	return find_sorted(contents, signatures, count);
}

static uint32_t merge(struct rs_contents *contents, const struct content *a, const struct content *b)
{
	size_t i = 0, k = 0, count = 0;

	if (contents->merged_capacity < a->count + b->count) {
		contents->merged_capacity = 2 * (a->count + b->count);
		contents->merged = rs_arena_array(contents->arena, uint32_t, contents->merged_capacity);
	}
	while (i < a->count || k < b->count)
		if (k == b->count || (i < a->count && a->signatures[i] <= b->signatures[k]))
			contents->merged[count++] = a->signatures[i++];
		else
			contents->merged[count++] = b->signatures[k++];
	return find_sorted(contents, contents->merged, count);
}

static struct join *find_join(const struct rs_contents *contents, uint64_t pair)
{
	size_t bucket = mix(pair) & (contents->n_join_buckets - 1);

	while (contents->joins[bucket].pair && contents->joins[bucket].pair != pair)
		bucket = (bucket + 1) & (contents->n_join_buckets - 1);
	return &contents->joins[bucket];
}

static void grow_joins(struct rs_contents *contents)
{
	struct join *old = contents->joins;
	size_t n_old = contents->n_join_buckets;

	contents->n_join_buckets *= 4;
	contents->joins = rs_arena_array(contents->arena, struct join, contents->n_join_buckets);
	for (size_t i = 0; i < n_old; i++)
		if (old[i].pair)
			*find_join(contents, old[i].pair) = old[i];
}

uint32_t rs_contents_join(struct rs_contents *contents, uint32_t a, uint32_t b)
{
	uint64_t pair = a > b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
	struct join *join;
	uint32_t joined;

	if (!a || !b)
		return a ? a : b;
	join = find_join(contents, pair);
	if (join->pair)
		return join->joined;
	joined = merge(contents, &contents->items[a], &contents->items[b]);
	*join = (struct join) { pair, joined };
	if (++contents->n_joins * 2 > contents->n_join_buckets)
		grow_joins(contents);
	return joined;
}

double rs_contents_cost(const struct rs_contents *contents, uint32_t content)
{
	return contents->items[content].cost;
}

#include "profile/merge.h"

#include <string.h>

/* The concatenation of two arrays. */
static void *join(struct rs_arena *arena, const void *a, size_t n_a, const void *b, size_t n_b,
		  size_t item_size)
{
	char *items = (char *)rs_arena_alloc(arena, (n_a + n_b) * item_size);

	if (n_a)
		memcpy(items, a, n_a * item_size);
	if (n_b)
		memcpy(items + n_a * item_size, b, n_b * item_size);
	return items;
}

static void merge_machine(struct rs_profile *sum, const struct rs_profile *next)
{
	struct rs_machine *to = &sum->machine;
	const struct rs_machine *from = &next->machine;
	unsigned given = next->machine_given;

	to->line_bytes = given & 1u << RS_MACHINE_LINE_BYTES ? from->line_bytes : to->line_bytes;
	to->cpus = given & 1u << RS_MACHINE_CPUS ? from->cpus : to->cpus;
	to->t_hit_ns = given & 1u << RS_MACHINE_T_HIT ? from->t_hit_ns : to->t_hit_ns;
	to->t_coherence_ns = given & 1u << RS_MACHINE_T_COHERENCE ? from->t_coherence_ns : to->t_coherence_ns;
	to->t_upgrade_ns = given & 1u << RS_MACHINE_T_UPGRADE ? from->t_upgrade_ns : to->t_upgrade_ns;
	to->t_l3_ns = given & 1u << RS_MACHINE_T_L3 ? from->t_l3_ns : to->t_l3_ns;
	to->t_memory_ns = given & 1u << RS_MACHINE_T_MEMORY ? from->t_memory_ns : to->t_memory_ns;
	to->cache_lines = given & 1u << RS_MACHINE_CACHE_LINES ? from->cache_lines : to->cache_lines;
	to->util = given & 1u << RS_MACHINE_UTIL ? from->util : to->util;
	to->pair = given & 1u << RS_MACHINE_PAIR ? from->pair : to->pair;
	sum->machine_given |= given;
}

static void merge_types(struct rs_arena *arena, struct rs_profile *sum, const struct rs_profile *next)
{
	struct rs_profile_type *types = (struct rs_profile_type *)join(
		arena, sum->types, sum->n_types, next->types, next->n_types, sizeof *types);
	size_t count = sum->n_types;

	for (size_t i = 0; i < next->n_types; i++) {
		size_t same = 0;

		while (same < count && strcmp(types[same].name, next->types[i].name) != 0)
			same++;
		types[same] = next->types[i];
		count += same == count;
	}
	sum->types = types;
	sum->n_types = count;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_cpus(const struct rs_profile_path *a, const struct rs_profile_path *b)
{
	size_t n = a->n_cpus;

	return a->n_cpus == b->n_cpus && !a->cpus == !b->cpus && !a->shares == !b->shares &&
	       (!a->cpus || memcmp(a->cpus, b->cpus, n * sizeof *a->cpus) == 0) &&
	       (!a->shares || memcmp(a->shares, b->shares, n * sizeof *a->shares) == 0);
}

static bool same_names(const struct rs_profile_names *a, const struct rs_profile_names *b)
{
	if (a->n_names != b->n_names)
		return false;
	for (size_t i = 0; i < a->n_names; i++)
		if (strcmp(a->names[i], b->names[i]) != 0)
			return false;
	return true;
}

static bool same_accesses(const struct rs_profile_path *a, const struct rs_profile_path *b)
{
	if (a->n_accesses != b->n_accesses)
		return false;
	for (size_t i = 0; i < a->n_accesses; i++)
		if (a->accesses[i].kinds != b->accesses[i].kinds ||
		    strcmp(a->accesses[i].field, b->accesses[i].field) != 0)
			return false;
	return true;
}

static bool same_number(double a, double b)
{
	return !(a < b) && !(b < a);
}

static bool same_but_for_rate(const struct rs_profile_path *a, const struct rs_profile_path *b)
{
	return same_cpus(a, b) && same_number(a->burst, b->burst) && same_number(a->util, b->util) &&
	       same_text(a->phase, b->phase) && same_accesses(a, b) && same_names(&a->contended, &b->contended);
}

static struct rs_profile_path *find_path(struct rs_profile_path *paths, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(paths[i].name, name) == 0)
			return &paths[i];
	return NULL;
}

/* "put", "put#2", "put#3" … */
static const char *free_name(struct rs_arena *arena, struct rs_profile_path *paths, size_t count,
			     const char *name)
{
	const char *candidate = name;

	for (unsigned number = 2; find_path(paths, count, candidate); number++)
		candidate = rs_arena_printf(arena, "%s#%u", name, number);
	return candidate;
}

static void merge_paths(struct rs_arena *arena, struct rs_profile_struct *sum,
			const struct rs_profile_struct *next)
{
	struct rs_profile_path *paths = (struct rs_profile_path *)join(
		arena, sum->paths, sum->n_paths, next->paths, next->n_paths, sizeof *paths);
	size_t count = sum->n_paths;

	for (size_t i = 0; i < next->n_paths; i++) {
		struct rs_profile_path *same = find_path(paths, count, next->paths[i].name);

		if (same && same_but_for_rate(same, &next->paths[i])) {
			same->rate += next->paths[i].rate;
			continue;
		}
		paths[count] = next->paths[i];
		paths[count].name = free_name(arena, paths, count, next->paths[i].name);
		count++;
	}
	sum->paths = paths;
	sum->n_paths = count;
}

static void add_field(struct rs_profile_field *sum, const struct rs_profile_field *next)
{
	sum->reads += next->reads;
	sum->writes += next->writes;
	sum->is_atomic |= next->is_atomic;
	if (next->cpus)
		sum->cpus = next->cpus;
}

static void merge_fields(struct rs_arena *arena, struct rs_profile_struct *sum,
			 const struct rs_profile_struct *next)
{
	struct rs_profile_field *fields = (struct rs_profile_field *)join(
		arena, sum->fields, sum->n_fields, next->fields, next->n_fields, sizeof *fields);
	size_t count = sum->n_fields;

	for (size_t i = 0; i < next->n_fields; i++) {
		size_t same = 0;

		while (same < count && strcmp(fields[same].name, next->fields[i].name) != 0)
			same++;
		if (same < count)
			add_field(&fields[same], &next->fields[i]);
		else
			fields[count++] = next->fields[i];
	}
	sum->fields = fields;
	sum->n_fields = count;
}

static void merge_pins(struct rs_arena *arena, struct rs_profile_struct *sum,
		       const struct rs_profile_struct *next)
{
	if (next->first.n_names)
		sum->first = next->first;
	sum->together = (const struct rs_profile_names *)join(
		arena, sum->together, sum->n_together, next->together, next->n_together, sizeof *sum->together);
	sum->n_together += next->n_together;
	sum->before = (const struct rs_profile_names *)join(arena, sum->before, sum->n_before, next->before,
							    next->n_before, sizeof *sum->before);
	sum->n_before += next->n_before;
}

static void merge_lists(struct rs_arena *arena, struct rs_profile_names *sum,
			const struct rs_profile_names *next)
{
	const char **names =
		(const char **)join(arena, sum->names, sum->n_names, next->names, next->n_names, sizeof *names);
	size_t count = sum->n_names;

	for (size_t i = 0; i < next->n_names; i++) {
		size_t same = 0;

		while (same < count && strcmp(names[same], next->names[i]) != 0)
			same++;
		names[same] = next->names[i];
		count += same == count;
	}
	if (next->n_names)
		*sum = *next;
	sum->names = names;
	sum->n_names = count;
}

static void merge_struct(struct rs_arena *arena, struct rs_profile_struct *sum,
			 const struct rs_profile_struct *next)
{
	if (next->has_placement) {
		sum->has_placement = true;
		sum->placement = next->placement;
	}
	if (next->instances > 0)
		sum->instances = next->instances;
	if (next->max_size)
		sum->max_size = next->max_size;
	sum->allow |= next->allow;
	sum->is_complete |= next->is_complete;
	merge_paths(arena, sum, next);
	merge_fields(arena, sum, next);
	merge_lists(arena, &sum->hoist, &next->hoist);
	merge_lists(arena, &sum->lift, &next->lift);
	merge_pins(arena, sum, next);
	sum->groups = (const struct rs_profile_group *)join(arena, sum->groups, sum->n_groups, next->groups,
							    next->n_groups, sizeof *sum->groups);
	sum->n_groups += next->n_groups;
	sum->offsets = (const struct rs_profile_offset *)join(
		arena, sum->offsets, sum->n_offsets, next->offsets, next->n_offsets, sizeof *sum->offsets);
	sum->n_offsets += next->n_offsets;
	sum->sources = (const struct rs_profile_source *)join(
		arena, sum->sources, sum->n_sources, next->sources, next->n_sources, sizeof *sum->sources);
	sum->n_sources += next->n_sources;
}

void rs_profile_merge(struct rs_arena *arena, struct rs_profile *sum, const struct rs_profile *next)
{
	struct rs_profile_struct *structs = (struct rs_profile_struct *)join(
		arena, sum->structs, sum->n_structs, next->structs, next->n_structs, sizeof *structs);
	size_t count = sum->n_structs;

	merge_machine(sum, next);
	merge_types(arena, sum, next);
	for (size_t i = 0; i < next->n_structs; i++) {
		size_t same = 0;

		while (same < count && strcmp(structs[same].name, next->structs[i].name) != 0)
			same++;
		if (same < count)
			merge_struct(arena, &structs[same], &next->structs[i]);
		else
			structs[count++] = next->structs[i];
	}
	sum->structs = structs;
	sum->n_structs = count;
}

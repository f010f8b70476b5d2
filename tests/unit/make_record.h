/*
 * Records and profiles built by hand, for tests that need no parser.
 *
 *	struct make make;
 *	make_init(&make, arena, "peer");
 *	make_unit(&make, 0);                      a unit in region 0 …
 *	make_member(&make, "daddr", 20, 4);       … with one member of 20 bytes, aligned to 4
 *	record = make_record(&make);              lays out; more may be added afterwards
 *	make_path(&make, "lookup", 100, 16);      at rate 100 on CPUs 0 to 15
 *	make_access(&make, "daddr", "r");         "r", "w" or "rw"
 *	binding = make_binding(&make);
 */
#ifndef RS_TESTS_MAKE_RECORD_H
#define RS_TESTS_MAKE_RECORD_H

#include <string.h>

#include "plan/plan.h"
#include "record/layout.h"

enum {
	MAKE_MEMBERS = 512,
	MAKE_UNITS = 384,
	MAKE_CONSTRAINTS = 64,
	MAKE_PATHS = 64,
	MAKE_ACCESSES = 512,
	MAKE_CPUS = 4200
};

struct make_path {
	struct rs_bound_path bound;
	struct rs_bound_access *accesses;
	double *shares;
	size_t capacity;
};

struct make {
	struct rs_arena *arena;
	struct rs_record record;
	struct rs_member *members;
	struct rs_unit *units;
	struct rs_constraint *constraints;
	size_t aggregate; /* that members are added to; RS_NONE */
	struct rs_binding binding;
	struct make_path paths[MAKE_PATHS];
	struct rs_constraint *bound_constraints;
};

static inline void make_init(struct make *make, struct rs_arena *arena, const char *name)
{
	memset(make, 0, sizeof *make);
	make->arena = arena;
	make->aggregate = RS_NONE;
	make->members = rs_arena_array(arena, struct rs_member, MAKE_MEMBERS);
	make->units = rs_arena_array(arena, struct rs_unit, MAKE_UNITS);
	make->constraints = rs_arena_array(arena, struct rs_constraint, MAKE_CONSTRAINTS);
	make->bound_constraints = rs_arena_array(arena, struct rs_constraint, MAKE_CONSTRAINTS);
	make->record = (struct rs_record) { .name = name, .align_bytes = 1 };
	rs_machine_init(&make->binding.machine);
	make->binding.n_phases = 1;
}

static inline size_t make_unit(struct make *make, size_t region)
{
	size_t index = make->record.n_units++;

	make->units[index] = (struct rs_unit) {
		.first_member = make->record.n_members, .region = region, .n_lines = 1, .name = "?"
	};
	return index;
}

static inline struct rs_member *make_any_member(struct make *make, const char *name, uint64_t size_bits,
						uint32_t align_bytes)
{
	size_t index = make->record.n_members++;
	struct rs_unit *unit = &make->units[make->record.n_units - 1];
	struct rs_member *member = &make->members[index];

	*member = (struct rs_member) { .name = name,
				       .path = name,
				       .type = "?",
				       .declaration = name,
				       .parent = make->aggregate,
				       .unit = make->record.n_units - 1,
				       .size_bits = size_bits,
				       .align_bytes = align_bytes,
				       .type_size_bytes = (uint32_t)(size_bits / 8) };
	if (make->aggregate == RS_NONE) {
		if (unit->n_members++ == 0)
			unit->name = name;
		if (make->record.align_bytes < align_bytes)
			make->record.align_bytes = align_bytes;
	} else {
		make->members[make->aggregate].n_inside++;
	}
	return member;
}

static inline struct rs_member *make_member(struct make *make, const char *name, uint64_t size_bytes,
					    uint32_t align_bytes)
{
	return make_any_member(make, name, size_bytes * 8, align_bytes);
}

static inline struct rs_member *make_bitfield(struct make *make, const char *name, unsigned width,
					      uint32_t type_size_bytes)
{
	struct rs_member *member = make_any_member(make, name, width, type_size_bytes);

	member->is_bitfield = true;
	member->type_size_bytes = type_size_bytes;
	return member;
}

static inline struct rs_member *make_flexible(struct make *make, const char *name, uint32_t align_bytes)
{
	struct rs_member *member = make_any_member(make, name, 0, align_bytes);

	member->is_flexible = member->is_array = true;
	return member;
}

/* An aggregate; members that follow, until make_close(), lie inside it where make_inside() puts them. */
static inline struct rs_member *make_open(struct make *make, const char *name, uint64_t size_bytes,
					  uint32_t align_bytes)
{
	struct rs_member *member = make_member(make, name, size_bytes, align_bytes);

	member->is_aggregate = true;
	make->aggregate = make->record.n_members - 1;
	return member;
}

/* offset_bits is the aggregate's own until the record is laid out. */
static inline struct rs_member *make_inside(struct make *make, const char *name, uint64_t offset_bytes,
					    uint64_t size_bytes)
{
	struct rs_member *member = make_member(make, name, size_bytes, 1);

	member->offset_bits = offset_bytes * 8;
	return member;
}

static inline void make_close(struct make *make)
{
	make->aggregate = RS_NONE;
}

static inline void make_keep(struct make *make, enum rs_constraint_kind kind, size_t unit, size_t other)
{
	make->constraints[make->record.n_constraints++] = (struct rs_constraint) { kind, unit, other };
}

static inline const struct rs_record *make_record(struct make *make)
{
	struct rs_record *record = &make->record;
	size_t *order = rs_arena_array(make->arena, size_t, record->n_units);
	uint64_t *offsets = rs_arena_array(make->arena, uint64_t, record->n_members);

	record->members = make->members;
	record->units = make->units;
	record->constraints = make->constraints;
	record->gaps = rs_arena_array(make->arena, struct rs_gap, record->n_units + 1);
	for (size_t i = 0; i < record->n_units; i++)
		order[i] = i;
	rs_layout_compute(record, order, offsets, &record->size_bytes);
	for (size_t i = 0; i < record->n_members; i++)
		make->members[i].offset_bits = offsets[i];
	return record;
}

static inline struct make_path *make_path_on(struct make *make, const char *name, double rate,
					     unsigned first_cpu, unsigned n_cpus)
{
	struct make_path *path = &make->paths[make->binding.n_paths++];

	path->accesses = rs_arena_array(make->arena, struct rs_bound_access, MAKE_ACCESSES);
	path->shares = rs_arena_array(make->arena, double, MAKE_CPUS);
	for (unsigned c = 0; c < n_cpus; c++)
		path->shares[first_cpu + c] = 1.0 / n_cpus;
	path->bound = (struct rs_bound_path) { .name = name, .rate = rate };
	if (make->binding.n_cpus < first_cpu + n_cpus)
		make->binding.n_cpus = first_cpu + n_cpus;
	return path;
}

static inline struct make_path *make_path(struct make *make, const char *name, double rate, unsigned n_cpus)
{
	return make_path_on(make, name, rate, 0, n_cpus);
}

static inline void make_access_member(struct make *make, size_t member, const char *kinds)
{
	struct make_path *path = &make->paths[make->binding.n_paths - 1];

	path->accesses[path->bound.n_accesses++] =
		(struct rs_bound_access) { member, strchr(kinds, 'r') != NULL, strchr(kinds, 'w') != NULL };
}

static inline void make_access(struct make *make, const char *name, const char *kinds)
{
	make_access_member(make, rs_record_find_member(&make->record, name), kinds);
}

static inline void make_bound_keep(struct make *make, enum rs_constraint_kind kind, size_t unit, size_t other)
{
	make->bound_constraints[make->binding.n_constraints++] = (struct rs_constraint) { kind, unit, other };
}

/* Valid as long as make is. */
static inline const struct rs_binding *make_binding(struct make *make)
{
	struct rs_bound_path *paths = rs_arena_array(make->arena, struct rs_bound_path, MAKE_PATHS);
	struct rs_member_heat *heat =
		rs_arena_array(make->arena, struct rs_member_heat, make->record.n_members);

	for (size_t p = 0; p < make->binding.n_paths; p++) {
		struct make_path *path = &make->paths[p];

		path->bound.accesses = path->accesses;
		path->bound.shares = path->shares;
		paths[p] = path->bound;
		for (size_t i = 0; i < path->bound.n_accesses; i++) {
			heat[path->accesses[i].member].reads += path->accesses[i].reads ? path->bound.rate : 0;
			heat[path->accesses[i].member].writes +=
				path->accesses[i].writes ? path->bound.rate : 0;
		}
	}
	make->binding.record = &make->record;
	make->binding.paths = paths;
	make->binding.heat = heat;
	make->binding.constraints = make->bound_constraints;
	return &make->binding;
}

#endif

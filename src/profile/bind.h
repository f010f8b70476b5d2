/*
 * A profile joined to a record: names become members, paths become sets of members.
 */
#ifndef RS_PROFILE_BIND_H
#define RS_PROFILE_BIND_H

#include "profile/profile.h"
#include "record/record.h"

struct rs_bound_access {
	size_t member;      /* index in the record; an aggregate stands for all its bytes */
	bool reads, writes; /* an atomic access writes */
};

struct rs_bound_path {
	const char *name;
	double rate; /* divided by burst; 0 for a phase that counts for nothing */
	double util;
	size_t phase;                           /* paths of different phases do not mix */
	const double *shares;                   /* n_cpus of the binding; sums to 1 */
	const struct rs_bound_access *accesses; /* one a member */
	size_t n_accesses;
};

/* Access to a field of a container, which shares lines with the record inside. */
struct rs_outside_access {
	size_t path;
	size_t member; /* index in the container */
	bool reads, writes;
};

/* A container as the paths see it. A path that names fields of containers runs on objects in those only. */
struct rs_around {
	const struct rs_record *container; /* NULL: not known, then there are no accesses */
	size_t at;                         /* index of the member that holds the record */
	const struct rs_outside_access *accesses;
	size_t n_accesses;
	const bool *runs; /* one a path of the binding */
};

/* What a member is worth, over all paths. */
struct rs_member_heat {
	double reads, writes; /* rates */
	bool is_atomic;
};

/* A group of the profile, by members. */
struct rs_bound_group {
	const char *name;
	const size_t *members;
	size_t n_members;
	unsigned max_lines;  /* 0: any number */
	const size_t *apart; /* indices of groups */
	size_t n_apart;
};

struct rs_bound_offset {
	size_t member;
	uint64_t bytes;
};

struct rs_binding {
	const struct rs_record *record;
	const struct rs_binding
		*as_it_stands; /* whose layout the residence time is solved on; NULL: this one's */
	struct rs_machine machine;
	struct rs_placement placement;
	size_t n_cpus; /* highest CPU number that a path names, plus one */
	size_t n_phases;
	const struct rs_bound_path *paths;
	size_t n_paths;
	const struct rs_member_heat
		*heat; /* one a member; an aggregate's is the sum of its own and its members' */
	unsigned allow;
	uint64_t max_size; /* 0: not said */
	double instances;
	const struct rs_bound_group *groups; /* what `check` holds */
	size_t n_groups;
	const struct rs_bound_offset *offsets;
	size_t n_offsets;
	const struct rs_profile_source *sources; /* where the figures come from, as the profile says */
	size_t n_sources;
	const struct rs_constraint *constraints; /* from the profile's pins; units */
	size_t n_constraints;
};

/* placement: with its containers looked up; NULL: as the profile has it. A field of a container is named with
 * it in front, "rtable.rt_genid"; those of a container that is not known are left out. A name that fits no
 * member is an error at its place in the profile, with the nearest name. Hints that were not given and had to
 * be assumed are noted. */
struct rs_error *rs_bind(struct rs_arena *arena, const struct rs_profile *profile,
			 const struct rs_profile_struct *type, const struct rs_record *record,
			 const struct rs_placement *placement, struct rs_notes *notes,
			 struct rs_binding *ret_binding) RS_MUST_USE;

#endif

/*
 * The profile file, version 1: which path reads and writes which field, how often, on how many CPUs.
 * docs/restruct-profile.5 describes it, docs/profile.schema.json states it for machines.
 */
#ifndef RS_PROFILE_PROFILE_H
#define RS_PROFILE_PROFILE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/notes.h"
#include "record/lifted.h"

struct rs_machine {
	unsigned line_bytes; /* power of two, 16 to 1024 */
	unsigned cpus;       /* for paths that do not say */
	double t_hit_ns, t_coherence_ns, t_upgrade_ns, t_l3_ns, t_memory_ns;
	double cache_lines; /* lines of private cache that objects of the type can have; 0: no limit */
	double util;        /* share of its time that a CPU spends inside a path: 0 to 1 */
	bool pair;          /* adjacent lines are fetched together */
};

/* The keys of `machine`, in the order of the struct. */
enum rs_machine_key {
	RS_MACHINE_LINE_BYTES,
	RS_MACHINE_CPUS,
	RS_MACHINE_T_HIT,
	RS_MACHINE_T_COHERENCE,
	RS_MACHINE_T_UPGRADE,
	RS_MACHINE_T_L3,
	RS_MACHINE_T_MEMORY,
	RS_MACHINE_CACHE_LINES,
	RS_MACHINE_UTIL,
	RS_MACHINE_PAIR,
};

enum rs_access_kind { RS_ACCESS_READ = 1, RS_ACCESS_WRITE = 2, RS_ACCESS_ATOMIC = 4 };

struct rs_profile_access {
	const char *field;     /* C path */
	unsigned kinds;        /* rs_access_kind bits */
	unsigned line, column; /* in the profile, for messages */
};

struct rs_profile_names { /* a list of field names, with the place of the list in the profile */
	const char *const *names;
	size_t n_names;
	const char *file;
	unsigned line, column;
};

struct rs_profile_path {
	const char *name;
	double rate;          /* executions on one instance per unit of time; only ratios matter */
	unsigned n_cpus;      /* 0: the machine's */
	const unsigned *cpus; /* their numbers; NULL: 0 to n_cpus - 1 */
	const double *shares; /* how the rate spreads over them, sums to 1; NULL: evenly */
	double burst;         /* executions in a row on one CPU that count as one; 1 */
	double util;          /* negative: the machine's */
	const char *phase;    /* NULL: steady state; "init" and "teardown" cost nothing by default */
	const struct rs_profile_access *accesses; /* in the order of the lists: atomics, reads, writes */
	size_t n_accesses;
	struct rs_profile_names contended; /* locks on which other CPUs spin; known, but not part of the cost */
	const char *file;                  /* the profile file that says it */
	unsigned line, column;
};

/* The simple form: one field's counts. */
struct rs_profile_field {
	const char *name;
	double reads, writes;
	bool is_atomic; /* "kind": "atomic" */
	unsigned cpus;  /* 0: the machine's */
	const char *file;
	unsigned line, column;
};

struct rs_around;

enum rs_placement_kind { RS_PLACE_LINE_ALIGNED, RS_PLACE_ALIGNED, RS_PLACE_ARRAY, RS_PLACE_EMBEDDED };

struct rs_placement_base {
	const char *container, *member; /* NULL unless embedded */
	uint64_t base_bytes; /* the container's own offset in a line; once the container was looked up: the
			      * record's */
	const struct rs_record *record; /* the container's; NULL: it was not looked up, or is not known */
	size_t at;                      /* index of the member in it */
	const struct rs_around *around; /* what paths do there (profile/bind.h); NULL: nothing besides */
};

struct rs_placement {
	enum rs_placement_kind kind;
	unsigned align_bytes;                  /* RS_PLACE_ALIGNED */
	const struct rs_placement_base *bases; /* RS_PLACE_EMBEDDED */
	size_t n_bases;
	struct rs_lifting lifting; /* fields of containers that are the record's by now */
};

enum rs_allow {
	RS_ALLOW_ALIGN = 1,
	RS_ALLOW_PAD = 2,
	RS_ALLOW_HOIST = 4,
	RS_ALLOW_LIFT = 8,
	RS_ALLOW_SPLIT = 16,
	RS_ALLOW_JOIN = 32,
	RS_ALLOW_GROW = 64,
	RS_ALLOW_COMMENT = 128,
};

/* Fields that belong together, as a gate holds them. */
struct rs_profile_group {
	const char *name;
	struct rs_profile_names fields;
	unsigned max_lines;            /* cache lines that they may touch; 0: any number */
	struct rs_profile_names apart; /* groups none of whose fields may lie on a line of theirs */
};

/* A field whose offset is held. */
struct rs_profile_offset {
	const char *field;
	uint64_t bytes;
	const char *file;
	unsigned line, column;
};

/* Where figures come from; any of them NULL. */
struct rs_profile_source {
	const char *tool, *version, *file, *date;
	const char *trust; /* a word of rs_trust_words */
	const char *reads_unit,
		*writes_unit;  /* what the figures count; reads and writes compare only when equal */
	double rows, resolved; /* of the source's rows, how many found their field; 0: not said */
	double weight;         /* that the figures were multiplied by; 0: not said */
};

struct rs_profile_struct {
	const char *name;
	const char *path; /* of the first profile file that says it, for messages; line and column are there */
	bool has_placement;
	struct rs_placement placement;
	double instances;  /* 0: not said */
	uint64_t max_size; /* bytes; 0: not said */
	const struct rs_profile_path *paths;
	size_t n_paths;
	const struct rs_profile_field *fields;
	size_t n_fields;
	unsigned allow; /* rs_allow bits */
	struct rs_profile_names hoist;
	struct rs_profile_names lift; /* each: "rtable.rt_uncached,rt6_info.rt6i_uncached:rt_uncached" */
	struct rs_profile_names first;
	const struct rs_profile_names *together;
	size_t n_together;
	const struct rs_profile_names *before; /* each: the names in the order that must stay */
	size_t n_before;
	const struct rs_profile_group *groups;
	size_t n_groups;
	const struct rs_profile_offset *offsets;
	size_t n_offsets;
	const struct rs_profile_source *sources;
	size_t n_sources;
	bool is_complete; /* every member stands here, if only with 0: one that does not is new */
	unsigned line, column;
};

/* The size and alignment of a type that the sources do not define. */
struct rs_profile_type {
	const char *name; /* "atomic_t", "struct foo" */
	uint64_t size_bytes;
	unsigned align_bytes;
};

struct rs_profile {
	struct rs_machine machine;
	unsigned machine_given; /* bit per rs_machine_key that a file states */
	const struct rs_profile_type *types;
	size_t n_types;
	const struct rs_profile_struct *structs;
	size_t n_structs;
};

/* t_hit 1, t_coherence 60, t_upgrade 0.6 × t_coherence, L3 15, memory 110, 64-byte lines, util 0.1, 8 CPUs. */
void rs_machine_init(struct rs_machine *machine);
/* Reads and merges the files in order: paths and fields of one struct add up, scalars of a later file win. */
struct rs_error *rs_profile_read(struct rs_arena *arena, const char *const *paths, size_t n_paths,
				 struct rs_profile *ret_profile) RS_MUST_USE;
/* The same from text; for the one file `path`. */
struct rs_error *rs_profile_parse(struct rs_arena *arena, const char *path, const char *text, size_t size,
				  struct rs_profile *ret_profile) RS_MUST_USE;
const struct rs_profile_struct *rs_profile_find(const struct rs_profile *profile, const char *name);
/* C declarations of the profile's types, to be read before a header that lacks them; NULL when it has none. */
char *rs_profile_prelude(struct rs_arena *arena, const struct rs_profile *profile);

#endif

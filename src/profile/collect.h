/*
 * A profile from code and how often it ran: each access site gets the count of its place, and what a function
 * does to one object becomes paths.
 *
 * An object is a base of record/code.h, until a loop puts another in its place. Within a function blocks are
 * nested: n of N executions that go into a branch are a path of their own with what stands around it, the N - n
 * others another. A loop over one object is a burst. Small functions that are handed the object belong to the
 * path of the caller, to the share of their calls that it makes.
 *
 * Counts do not tell the CPUs, the number of objects, phases or contention: those are left unsaid.
 */
#ifndef RS_PROFILE_COLLECT_H
#define RS_PROFILE_COLLECT_H

#include "profile/coverage.h"
#include "profile/profile.h"

struct rs_collect {
	struct rs_arena *arena;
	struct rs_notes *notes;
	const struct rs_record *const *records;
	size_t n_records;
	const struct rs_code *code;   /* settled */
	struct rs_coverage *coverage; /* kind NONE: each function runs once, each loop ten times */
	bool by_field;                /* counts of the fields, without paths */
	const char *origin;           /* what the profile calls the exports; NULL: there are none */
	const char *date;             /* of the newest, "2024-05-17"; NULL: not known */
	const char *version;          /* of the program: it is the tool without counts */
};

/* Notes say which share of the sites has a count. RS_ERROR_NOT_FOUND: none of them has one. */
struct rs_error *rs_collect(const struct rs_collect *collect, struct rs_profile *ret_profile) RS_MUST_USE;

#endif

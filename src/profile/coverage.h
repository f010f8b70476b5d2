/*
 * How often places of the code ran: exports of llvm-cov (regions, exact) and of gcov (lines, an upper bound).
 * Several exports, of one kind, add up.
 */
#ifndef RS_PROFILE_COVERAGE_H
#define RS_PROFILE_COVERAGE_H

#include "base/json.h"
#include "record/code.h"

enum rs_coverage_kind { RS_COVERAGE_NONE, RS_COVERAGE_LLVM, RS_COVERAGE_GCOV };

struct rs_coverage_function;
struct rs_coverage_file;

struct rs_coverage {
	struct rs_arena *arena;
	enum rs_coverage_kind kind;             /* NONE: nothing was read */
	const char *version;                    /* of the export's form, or of the compiler */
	struct rs_coverage_function *functions; /* of llvm-cov, by name */
	struct rs_coverage_file *files;         /* of gcov, by path; of llvm-cov the texts of macros */
	size_t n_functions;
};

/* text: as the tool wrote it, inflated. RS_ERROR_PARSE says what was expected and seen. */
struct rs_error *rs_coverage_read(struct rs_coverage *coverage, const char *path, const char *text,
				  size_t size) RS_MUST_USE;
/* A place that is asked for. */
struct rs_coverage_spot {
	struct rs_code_place place;
	const struct rs_code_site *site; /* that stands there; NULL: none */
	size_t ordinal;                  /* how many sites before it have the same name and place */
};

/* Executions of the place in a function. False: nothing is known about it. */
bool rs_coverage_count(struct rs_coverage *coverage, const struct rs_code_function *function,
		       const struct rs_coverage_spot *spot, double *ret_count);
/* Calls of the function; false: it is not known. */
bool rs_coverage_entries(struct rs_coverage *coverage, const struct rs_code_function *function,
			 double *ret_count);
/* Frees what is not the arena's. */
void rs_coverage_deinit(struct rs_coverage *coverage);

#endif

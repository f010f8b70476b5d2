/*
 * What the files behind coverage.h share: one file a tool.
 */
#ifndef RS_PROFILE_COVERAGE_INTERNAL_H
#define RS_PROFILE_COVERAGE_INTERNAL_H

#include <uthash.h>

#include "profile/coverage.h"

struct rs_coverage_line {
	unsigned line;
	double count;
};

/* A function of gcov. */
struct rs_coverage_entry {
	const char *name;
	unsigned line;
	double count;
	struct rs_coverage_entry *next;
};

struct rs_coverage_file {
	const char *path;               /* real path; key */
	struct rs_coverage_line *lines; /* by line once sorted */
	size_t n_lines, lines_capacity;
	bool is_sorted;
	struct rs_coverage_entry *entries;
	const char *text; /* once it was asked for; "" when there is none */
	size_t size;
	UT_hash_handle hh;
};

/* The entry of a path, made when it is new. */
struct rs_coverage_file *rs_coverage_file_of(struct rs_coverage *coverage, const char *path);
/* The bytes of the file: "" when it cannot be read. */
const char *rs_coverage_text(struct rs_coverage *coverage, const char *path, size_t *ret_size);

struct rs_error *rs_coverage_read_llvm(struct rs_coverage *coverage, const char *path,
				       const struct rs_json *root) RS_MUST_USE;
bool rs_coverage_count_llvm(struct rs_coverage *coverage, const struct rs_code_function *function,
			    const struct rs_coverage_spot *spot, double *ret_count);
bool rs_coverage_entries_llvm(struct rs_coverage *coverage, const struct rs_code_function *function,
			      double *ret_count);
void rs_coverage_deinit_llvm(struct rs_coverage *coverage);

struct rs_error *rs_coverage_read_gcov(struct rs_coverage *coverage, const char *path,
				       const struct rs_json *root) RS_MUST_USE;
bool rs_coverage_count_gcov(struct rs_coverage *coverage, const struct rs_code_function *function,
			    const struct rs_code_place *place, double *ret_count);
bool rs_coverage_entries_gcov(struct rs_coverage *coverage, const struct rs_code_function *function,
			      double *ret_count);

/* Of the use of a macro: which of its parameters, by name, gets what stands at text[at]; start: of the macro's
 * name there. definition: text that has the body of the macro at byte body. NULL: it cannot be told. */
char *rs_coverage_parameter(struct rs_arena *arena, const char *text, size_t size, size_t start, size_t at,
			    const char *definition, size_t body);

#endif

/*
 * The committed baseline, `.restruct-baseline.json`: what layouts were when somebody last agreed to them, one
 * line a struct. docs/formats.md describes the file.
 */
#ifndef RS_SESSION_BASELINE_H
#define RS_SESSION_BASELINE_H

#include "base/error.h"
#include "session/finding.h"
#include "session/result.h"

struct rs_baseline_field {
	const char *name; /* C path */
	uint64_t offset_bits;
};

struct rs_baseline_struct {
	const char *file; /* relative to the baseline's folder */
	const char *name;
	uint64_t size_bytes, align_bytes;
	const struct rs_baseline_field *fields; /* in the order of the file */
	size_t n_fields;
	unsigned line; /* in the baseline */
};

struct rs_baseline {
	const char *path;
	const char *folder; /* real path; files are relative to it */
	const char *triple;
	unsigned line_bytes;
	const struct rs_baseline_struct *structs;
	size_t n_structs;
};

/* What the file at path says. A file that is not there is an error like any other. */
struct rs_error *rs_baseline_read(struct rs_arena *arena, const char *path,
				  struct rs_baseline *ret_baseline) RS_MUST_USE;
/* Compares the records of a result with it: baseline-missing, baseline-size, baseline-align, baseline-line (a
 * field came to another cache line), baseline-offset, baseline-removed, baseline-added, baseline-new,
 * baseline-target. */
void rs_baseline_compare(const struct rs_baseline *baseline, const struct rs_result *result,
			 struct rs_finding_list *list);
/* The text of the file with the records of the result in it, those of `old` (NULL: none) that it does not have
 * kept. path: where it will stand. */
void rs_baseline_print(struct rs_builder *out, struct rs_arena *arena, const struct rs_baseline *old,
		       const char *path, const struct rs_result *result);

#endif

/*
 * Runs an instrumented program and has its counts exported by the tools that belong to its compiler.
 */
#ifndef RS_CLI_COVERAGE_RUN_H
#define RS_CLI_COVERAGE_RUN_H

#include "cli/options.h"

struct rs_coverage_run {
	const char *folder; /* temporary: rs_coverage_run_clean() removes it */
	struct rs_list exports;
};

/* Prints the flags to build with on stderr, runs options->run through the shell and exports what it counted.
 * RS_ERROR_NOT_FOUND names the tool that is missing, or says that nothing was counted. */
struct rs_error *rs_coverage_run(struct rs_arena *arena, const struct rs_options *options,
				 struct rs_coverage_run *ret_run) RS_MUST_USE;
void rs_coverage_run_clean(struct rs_arena *arena, struct rs_coverage_run *run);

#endif

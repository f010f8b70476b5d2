/*
 * What the command line names: files, records in them, plan files; and whether the output would fall on one of
 * them.
 */
#ifndef RS_CLI_INPUTS_H
#define RS_CLI_INPUTS_H

#include "cli/options.h"
#include "restruct/restruct.h"

/* FILE or FILE:NAME. *ret_name is NULL when all structs of the file are meant. A file that exists under the
 * longer name is preferred, so that a name with a colon in it can be given. */
void rs_inputs_split(struct rs_arena *arena, const char *argument, const char **ret_file,
		     const char **ret_name);
/* Options that contradict each other or the files. */
struct rs_error *rs_inputs_check(const struct rs_options *options) RS_MUST_USE;
/* Gives the handle its files, records, plan files and the buffer on stdin. What is wrong with a plan file shows
 * in restruct_error(). */
struct rs_error *rs_inputs_add(struct rs_arena *arena, struct restruct *r,
			       const struct rs_options *options) RS_MUST_USE;
/* The output must not replace what is read. */
struct rs_error *rs_inputs_check_output(struct rs_arena *arena, struct restruct *r,
					const struct rs_options *options) RS_MUST_USE;

#endif

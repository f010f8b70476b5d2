#include "cli/command.h"

int rs_cmd_optimize(struct rs_arena *arena, const struct rs_options *options)
{
	int status;
	struct restruct *r = rs_command_open(arena, options, &status);

	if (!r)
		return status;
	status = (int)restruct_optimize(r);
	/* The text on the terminal says it all. */
	rs_command_report(r, options, options->output || options->format);
	if (status <= RESTRUCT_FINDINGS)
		status = rs_command_print(arena, r, options, status);
	restruct_destroy(r);
	return status;
}

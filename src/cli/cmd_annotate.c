#include "cli/command.h"

int rs_cmd_annotate(struct rs_arena *arena, const struct rs_options *options)
{
	int status;
	struct restruct *r = rs_command_open(arena, options, &status);

	if (!r)
		return status;
	status = (int)(options->init_profile ? restruct_init_profile(r) : restruct_annotate(r));
	rs_command_report(r, options, false);
	if (status <= RESTRUCT_FINDINGS)
		status = rs_command_print(arena, r, options, status);
	restruct_destroy(r);
	return status;
}

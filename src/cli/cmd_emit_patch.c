#include <stdio.h>

#include "cli/command.h"

int rs_cmd_emit_patch(struct rs_arena *arena, const struct rs_options *options)
{
	int status;
	struct restruct *r = rs_command_open(arena, options, &status);

	if (!r)
		return status;
	status = (int)restruct_emit(r);
	rs_command_report(r, options, true);
	if (status <= RESTRUCT_FINDINGS && options->in_place) {
		int applied = (int)restruct_apply(r);

		if (applied != RESTRUCT_OK) {
			fprintf(stderr, "restruct: %s\n", restruct_error(r));
			status = applied;
		}
	}
	if (status <= RESTRUCT_FINDINGS && (!options->in_place || options->format))
		status = rs_command_print(arena, r, options, status);
	restruct_destroy(r);
	return status;
}

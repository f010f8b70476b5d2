#include "cli/command.h"

int rs_cmd_annotate(struct rs_arena *arena, const struct rs_options *options)
{
	return rs_command_ask(arena, options, options->init_profile ? restruct_init_profile : restruct_annotate,
			      false);
}

#include "cli/command.h"

int rs_cmd_optimize(struct rs_arena *arena, const struct rs_options *options)
{
	/* The text on the terminal says it all. */
	return rs_command_ask(arena, options, restruct_optimize, options->output || options->format);
}

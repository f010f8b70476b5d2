#include "cli/command.h"

int rs_cmd_guard(struct rs_arena *arena, const struct rs_options *options)
{
	return rs_command_ask(arena, options, restruct_guard, false);
}

#include "cmd.h"

#define FLAGS(a, b) ((a) | (b))
#define NO_LIMITS { 0, 0 }

int run_get(int argc, char **argv);
int run_set(int argc, char **argv);

/* kind, name, flags, function, limits, letter */
const struct command commands[] = {
	{ .kind = 'r', .name = "get", .flags = FLAGS(1, 2), .run = run_get, .limits = { 1, 2 }, .letter = 'g' }, /* reads */
	{ .kind = 'w', .name = "set",
	  .flags = FLAGS(1, 4), /* and more */
	  .run = run_set,
	  .limits = NO_LIMITS, .letter = 's' },
	{ .kind = 'x', .run = run_get, .limits = { 3, 4 } },
	{ .name = "old" },
	{ 0 },
};

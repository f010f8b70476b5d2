#include "cmd.h"

#define FLAGS(a, b) ((a) | (b))
#define NO_LIMITS { 0, 0 }

int run_get(int argc, char **argv);
int run_set(int argc, char **argv);

/* kind, name, flags, function, limits, letter */
const struct command commands[] = {
	{ 'r', "get", FLAGS(1, 2), run_get, { 1, 2 }, 'g' }, /* reads */
	{ 'w', "set",
	  FLAGS(1, 4), /* and more */
	  run_set,
	  NO_LIMITS, 's' },
	{ 'x', .run = run_get, { 3, 4 } },
	{ .name = "old" },
	{ 0 },
};

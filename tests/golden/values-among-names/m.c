#include "s.h"
/* Whatever is defined, values have names. */
struct named named = {
	.a = 1,
#ifdef FOO
#ifdef BAR
	.b = 2,
#endif
#else
	.c = 3,
#endif
};
/* With FOO, one value has none. */
struct bare bare = {
	.a = 1,
#ifdef FOO
	2,
#endif
	.c = 3,
};
struct rest rest = {
	.a = 1,
#if defined(FOO) && defined(BAR)
	.b = 2, 3,
#endif
};
struct { int n; struct inside in; } inside = {
	.n = 1,
#ifdef FOO
	.in = { 1, .c = 3 },
#endif
};
struct parted parted = {
#ifdef FOO
	.a = 1, 2
#else
	.a = 1
#endif
};
struct rows rows[] = {
	{ .a = 1 },
#ifdef FOO
	{ 1, 2, 3 },
#endif
	{ .a = 2 },
};

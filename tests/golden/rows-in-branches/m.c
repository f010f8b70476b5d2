#include "s.h"

#define ROW(x)            \
	{                 \
		x, 2, 'r' \
	}

/* Rows that one configuration reads, and the other rows. */
struct s rows[] = {
#ifdef FOO
	{ 'f', 1, 'o' }, /* with FOO */
#else
	{ 'n', 2, 'o' }, // without
#endif
#ifdef QUX
	ROW('q'), /* like the row below */
	{ .b = 3 },
#endif
	ROW('r'),
#if 0
	{ 9, 9, 9, 9 },
#endif
	{ 'l', 4, 'l' },
};

/* The branches of the list are those of the struct. */
struct s one = { 'a', 1, 'c',
#ifdef BAR
		 'b',
#endif
		 4 };

struct {
	int n;
	struct s s[2];
} outer = { 1, {
#ifdef FOO
			{ 1, 2 },
#endif
			{ 3, 4 } } };

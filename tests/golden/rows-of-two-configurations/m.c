#include "s.h"
struct s t[] = {
#ifdef FOO
	{ 9, 8, 7, 6 },
#else
	{ 1, 2, 3, 4 },
#endif
	{ 5, 6, 7, 8 },
};
union u { int i; struct s s; } v = { .s.b = 4, 5 };

#include "row.h"

const struct row rows[] = {
	{ 1, 2, 3 },
#ifdef WITH_MORE
	{ 4, 5, 6 },
#endif
};

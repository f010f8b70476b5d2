#include "s.h"
struct ev table[] = {
	{ 1, 2, 3 },
};

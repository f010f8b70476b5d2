#include "s.h"
#include "missing_generated.h"
struct s t = { 1, 2, 3, 4 };

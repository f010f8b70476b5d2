#include "s.h"
struct s all = S_INIT(2);

struct turned { int z, y, x; };
const struct turned turned[] = {
#include "rows.h"
};

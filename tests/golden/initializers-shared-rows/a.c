#include "a.h"
const struct point points[] = {
#include "rows.h"
};
const struct pair pairs[] = {
#include "pairs.h"
};

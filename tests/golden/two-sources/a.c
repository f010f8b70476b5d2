#define A
#include "h.h"

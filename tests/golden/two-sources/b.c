#include "h.h"

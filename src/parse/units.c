#include "parse/units.h"

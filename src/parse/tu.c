#include "parse/tu.h"

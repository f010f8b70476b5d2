#include "parse/compile.h"

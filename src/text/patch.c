#include "text/patch.h"

#include "rewrite/rewrite.h"

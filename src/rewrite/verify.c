#include "rewrite/verify.h"

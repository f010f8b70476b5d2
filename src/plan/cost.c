#include "plan/cost.h"

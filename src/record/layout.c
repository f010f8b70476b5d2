#include "record/layout.h"

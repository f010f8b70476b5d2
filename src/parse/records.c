#include "parse/records.h"

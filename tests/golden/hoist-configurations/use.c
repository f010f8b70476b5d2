#include "s.h"

const struct page start = { .key = 1, .pages = 2, .stamp = { 3 } };

/*
 * Every code that a pin or a hazard can have: what --allow takes. docs/hazards.md has a section for each.
 */
#ifndef RS_RECORD_CODES_H
#define RS_RECORD_CODES_H

#include "base/base.h"

bool rs_code_exists(const char *code);
/* The one that a misspelt code most likely stands for; NULL. */
const char *rs_code_nearest(const char *code);

#endif

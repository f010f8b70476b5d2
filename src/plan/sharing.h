/*
 * A layout's cost taken apart by line, and its coherence part by cause: true sharing, which no order of the
 * fields removes, and false sharing, which a better one does. Declared in plan/cost.h: rs_cost_report().
 */
#ifndef RS_PLAN_SHARING_H
#define RS_PLAN_SHARING_H

#include "plan/cost_model.h"

#endif

/*
 * From lines to an order: which touched atoms are to share a line is given, untouched ones fill the lines up.
 */
#ifndef RS_PLAN_ASSEMBLE_H
#define RS_PLAN_ASSEMBLE_H

#include "plan/place.h"

/* lines: of each atom, RS_NONE where it does not matter; below n_lines. ret_order: of atoms, permitted. Holes
 * and constraints may keep it from what was wanted: it is to be scored. */
void rs_assemble_run(struct rs_place *place, const size_t *lines, size_t n_lines, size_t *ret_order);

#endif

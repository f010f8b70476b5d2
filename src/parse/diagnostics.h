/*
 * What libclang has to say about a unit, kept beyond its own handles; and about the flags, which becomes notes.
 */
#ifndef RS_PARSE_DIAGNOSTICS_H
#define RS_PARSE_DIAGNOSTICS_H

#include "parse/tu_state.h"

/* Fills the unit's diagnostics and notes. A flag that libclang does not know is a note, unless it shapes types:
 * then nothing that the unit says about layout can be trusted, and that is the error. */
struct rs_error *rs_diagnostics_read(struct rs_tu *tu) RS_MUST_USE;

#endif

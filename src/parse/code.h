/*
 * Reads a translation unit into record/code.h: every access to a member of the records, in its function, with
 * the object that it is about.
 *
 * Whether an access reads or writes follows from the conversions that the compiler puts around what it loads,
 * so macros make no difference. Operands that are not evaluated (sizeof, typeof, _Generic, offsetof) are none.
 */
#ifndef RS_PARSE_CODE_H
#define RS_PARSE_CODE_H

#include "parse/tu.h"
#include "record/code.h"

/* Adds the functions of one unit, which must have been opened with bodies, that touch one of the records. */
void rs_code_read(struct rs_tu *tu, const struct rs_record *const *records, size_t n_records,
		  struct rs_code *code);

#endif

/*
 * Text in terminal columns. Names and messages come from other people's files: here they are measured as a
 * terminal shows them (UTF-8, wide and combining characters) and control bytes are made harmless. Independent
 * of the locale.
 */
#ifndef RS_REPORT_COLUMNS_H
#define RS_REPORT_COLUMNS_H

#include "base/builder.h"

size_t rs_columns_measure(const char *text);
/* The whole text; blanks of any kind become ' ', other control bytes and bytes that are not UTF-8 become '?'.
 */
void rs_columns_append(struct rs_builder *out, const char *text);
/* The same, filled up with blanks to at least so many columns. */
void rs_columns_pad(struct rs_builder *out, const char *text, size_t columns);
/* Exactly so many columns: filled up with blanks, or cut (ends in '.' where four columns or more are left). */
void rs_columns_fit(struct rs_builder *out, const char *text, size_t columns);
/* Breaks text at blanks so that no line is wider than `columns` where a word permits; every line is indented
 * and ends in a newline. */
void rs_columns_wrap(struct rs_builder *out, const char *text, size_t indent, size_t columns);
/* The same with another indentation of the first line. */
void rs_columns_hang(struct rs_builder *out, const char *text, size_t first_indent, size_t indent,
		     size_t columns);

#endif

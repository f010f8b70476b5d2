/*
 * One parse of one main file with one set of flags.
 */
#ifndef RS_PARSE_ATTEMPT_H
#define RS_PARSE_ATTEMPT_H

#include "parse/tu_state.h"

struct rs_attempt {
	const char *requested_path; /* the file that is asked for, as given */
	const char *main_file;      /* canonical path of what is parsed */
	const struct rs_flags *flags;
	const struct rs_notes *notes; /* about the flags and the choice; the unit takes them over */
	bool with_prelude;
	const struct rs_buffer *replaced; /* files that are read as these texts */
	size_t n_replaced;
};

/* Fails only when there is no unit at all: the flags cannot be used, libclang crashed. A unit with errors, or
 * without the requested file, is a unit. */
struct rs_error *rs_attempt_parse(struct rs_parser *parser, const struct rs_attempt *attempt,
				  struct rs_tu **ret_tu) RS_MUST_USE;
/* The unit's file with the same flags and these behind them. */
struct rs_error *rs_attempt_vary(const struct rs_tu *tu, const char *const *flags, size_t n_flags,
				 struct rs_tu **ret_tu) RS_MUST_USE;
/* Parses the unit, of which libclang holds nothing, as it was parsed before; its diagnostics are not read. */
struct rs_error *rs_attempt_repeat(struct rs_tu *tu) RS_MUST_USE;
/* Whether the requested file was read and nothing is wrong that bears on it; otherwise ret_error (NULL when the
 * file was not read) is the first thing wrong. */
bool rs_attempt_is_clean(const struct rs_tu *tu, const struct rs_diagnostic **ret_error);

#endif

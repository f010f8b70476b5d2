/*
 * The search for a translation unit in which a file can be read: which main files, with which flags, in what
 * order; and what to tell the user when none will do.
 */
#ifndef RS_PARSE_SEARCH_H
#define RS_PARSE_SEARCH_H

#include "parse/tu_state.h"

/* The compile database for file: that of -p, else the nearest upward; *ret_db is NULL when there is none, or
 * when flags were given. */
struct rs_error *rs_search_database(struct rs_parser *parser, const char *file,
				    const struct rs_compile_db **ret_db) RS_MUST_USE;
struct rs_error *rs_search_unit(struct rs_parser *parser, const char *file, struct rs_tu **ret_tu) RS_MUST_USE;
/* See rs_tu_open_use(). */
struct rs_error *rs_search_use(struct rs_parser *parser, const char *file, struct rs_tu **ret_tu) RS_MUST_USE;

#endif

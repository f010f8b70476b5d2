/*
 * Errors: why something could not be done. NULL is success. Findings about the user's code (pins, hazards,
 * holes) are results, not errors.
 */
#ifndef RS_BASE_ERROR_H
#define RS_BASE_ERROR_H

#include "base/builder.h"

enum rs_error_code {
	RS_ERROR_USAGE,     /* the command line asks for something that makes no sense: exit 2 */
	RS_ERROR_IO,        /* a file could not be read or written */
	RS_ERROR_SYNTAX,    /* a JSON file is malformed or says something that is not allowed */
	RS_ERROR_PARSE,     /* the C source does not parse well enough to know the layout */
	RS_ERROR_NOT_FOUND, /* no such record, file or member */
	RS_ERROR_AMBIGUOUS, /* several records answer to the name */
	RS_ERROR_CHANGED,   /* a file is no longer what was analysed */
	RS_ERROR_REJECTED,  /* the compiler does not accept a rewritten text: a static assertion fails */
	RS_ERROR_VERIFY,    /* a result failed its own verification; nothing was written */
	RS_ERROR_INTERNAL,  /* a library failed in a way that has no better name */
};

struct rs_error {
	enum rs_error_code code;
	char *path;            /* NULL when no file is concerned */
	unsigned line, column; /* from 1; 0 when unknown */
	char *message;         /* one line, no full stop, no newline */
};

/* The caller owns the result and ends it with rs_error_destroy(). path may be NULL. Never NULL. */
struct rs_error *rs_error_create(enum rs_error_code code, const char *path, unsigned line, unsigned column,
				 const char *format, ...) RS_PRINTF(5, 6) RS_MUST_USE;
/* Puts "context: " before the message; gives error back. NULL stays NULL. */
struct rs_error *rs_error_prefix(struct rs_error *error, const char *format, ...) RS_PRINTF(2, 3) RS_MUST_USE;
void rs_error_destroy(struct rs_error *error);
void rs_error_destroyp(struct rs_error **error); /* for RS_CLEANUP */
/* "restruct: path:line:col: error: message\n", leaving out what is unknown. */
void rs_error_print(const struct rs_error *error, struct rs_builder *out);

/* Returns from the calling function when expression is an error. */
#define RS_TRY(expression)                               \
	do {                                             \
		struct rs_error *rs_try_ = (expression); \
		if (rs_try_)                             \
			return rs_try_;                  \
	} while (0)

#endif

/*
 * Addresses on their way through a translation unit: from an object, one of its members or a mapping of a file,
 * through variables, parameters and members that may point to anything (void *, char *, int *), to the code
 * that looks at the memory behind them. Neither the order of statements nor the caller is told apart; what
 * comes back from functions is not followed.
 */
#ifndef RS_PARSE_USE_FLOW_H
#define RS_PARSE_USE_FLOW_H

#include "parse/uses_internal.h"

enum rs_use_origin_kind {
	RS_ORIGIN_UNKNOWN,
	RS_ORIGIN_HOLDER,  /* what the declaration holds, or the memory that it is */
	RS_ORIGIN_OBJECT,  /* a struct or union of this type */
	RS_ORIGIN_MEMBER,  /* this number in a struct or union */
	RS_ORIGIN_MAPPING, /* a mapped file or shared memory */
};

struct rs_use_origin {
	enum rs_use_origin_kind kind;
	CXCursor declaration; /* HOLDER, MEMBER */
	CXType type;          /* OBJECT, MEMBER; canonical */
	CXCursor where;
};

enum rs_use_deed {
	RS_DEED_ESCAPE, /* a function that sees bytes gets it */
	RS_DEED_BYTES,  /* single bytes are read or written */
	RS_DEED_INDEX,  /* elements behind the first */
	RS_DEED_VIEW,   /* it becomes a pointer to type */
};

CXCursor rs_use_first_child(CXCursor cursor); /* null: none */
/* What a pointer points to or an array is made of, canonical; CXType_Invalid for other types. */
CXType rs_use_element(CXType type);
bool rs_use_is_pointer(CXType type);
bool rs_use_is_byte(CXType type);   /* of a canonical type: a kind of char */
bool rs_use_is_number(CXType type); /* likewise: an integer or a floating-point number */
/* Whether the expression speaks of an offset or a size: sizeof, offsetof, a variable with "off" in its name. */
bool rs_use_is_offset(CXCursor expression);
/* The expression under parentheses and conversions of all kinds. */
CXCursor rs_use_strip_casts(struct rs_use_walk *walk, CXCursor expression);
struct rs_use_origin rs_use_origin_of(struct rs_use_walk *walk, CXCursor expression);

/* The declaration gets an address. */
void rs_use_flow_into(struct rs_use_walk *walk, CXCursor declaration, const struct rs_use_origin *origin);
/* What is done to the memory behind a holder. by: the function, for messages; may be NULL. */
void rs_use_flow_deed(struct rs_use_walk *walk, CXCursor declaration, enum rs_use_deed deed, CXType type,
		      const char *by, CXCursor where);
/* After the walk: adds the pins that follow from all of it. */
void rs_use_flow_finish(struct rs_use_walk *walk);

#endif

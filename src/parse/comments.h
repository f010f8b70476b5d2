/*
 * Which comment belongs to which item, told from where it stands: behind a declaration on its line, in the
 * column of such a comment on the lines below, or right above a declaration. What has a blank line below it,
 * is decorated like a heading, speaks of what follows, or is a declaration switched off, belongs to the place.
 */
#ifndef RS_PARSE_COMMENTS_H
#define RS_PARSE_COMMENTS_H

#include "parse/cut.h"

/* Sets span_first and span_last of every item. Definitions right below an item go with it as well. body_start:
 * the byte behind the opening brace; a comment on the brace's line is the brace's. */
void rs_comments_attach(struct rs_cut *cut, size_t body_start);
/* Whether the comment is a heading of what stands below it, by its text. */
bool rs_comments_is_section(const char *text, struct rs_span comment);

#endif

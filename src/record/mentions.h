/*
 * Comments that speak of members other than those they stand at: by name, or as "the following fields".
 */
#ifndef RS_RECORD_MENTIONS_H
#define RS_RECORD_MENTIONS_H

#include "record/record.h"

struct rs_mention {
	size_t member;
	size_t unit; /* that the comment belongs to or stands above; RS_NONE: it is about the whole struct */
	unsigned line;
};

/* Of the comments in the body and the one right above the record. A word that is an everyday one, too, counts
 * as a name only where it is marked as code: @name, ->name, .name, 'name'. */
void rs_mentions_find(struct rs_arena *arena, const struct rs_record *record, struct rs_mention **ret_mentions,
		      size_t *ret_count);

#endif

/*
 * Findings about a layout or a change to one: what `check` and `review` print, and what makes them exit with 1.
 */
#ifndef RS_SESSION_FINDING_H
#define RS_SESSION_FINDING_H

#include "record/record.h"

enum rs_finding_level {
	RS_FINDING_NOTE, /* worth knowing; never fails a gate */
	RS_FINDING_WARNING,
	RS_FINDING_ERROR,
};

struct rs_finding {
	const char *code; /* stable, kebab-case */
	enum rs_finding_level level;
	const char *message;
	const char *path;            /* real path, or what the user wrote; NULL: no place */
	unsigned line, column;       /* 0: not known */
	const char *record, *member; /* names; NULL: about none */
	uint64_t fingerprint; /* of code, path below the root, record, member and key: the same when lines move
			       */
};

struct rs_finding_list {
	struct rs_arena *arena;
	const char *root; /* paths are hashed from here on; NULL: as they are */
	struct rs_finding *items;
	size_t n_items, items_capacity;
};

/* A finding at a member (RS_NONE: the record itself). key tells findings of one code and member apart; NULL. */
struct rs_finding *rs_finding_add(struct rs_finding_list *list, const char *code, enum rs_finding_level level,
				  const struct rs_record *record, size_t member, const char *key,
				  const char *format, ...) RS_PRINTF(7, 8);
/* A finding at a place of a file. */
struct rs_finding *rs_finding_add_at(struct rs_finding_list *list, const char *code,
				     enum rs_finding_level level, const char *path, unsigned line,
				     const char *record, const char *key, const char *format, ...)
	RS_PRINTF(8, 9);
/* Whether any is a warning or an error. */
bool rs_finding_fails(const struct rs_finding *items, size_t count);

#endif

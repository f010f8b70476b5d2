/*
 * Answers kept between runs: a folder of files, one an answer, found by a key that says everything the answer
 * depends on but the content of files, and good as long as its dependencies hold.
 *
 * The cache is never an error: what cannot be read, is cut short, comes from elsewhere or was made for another
 * key counts as not there, and what cannot be written is not kept. Several processes may use it at once: files
 * are written aside and renamed. It lies in $XDG_CACHE_HOME/restruct or ~/.cache/restruct.
 */
#ifndef RS_PARSE_FACT_CACHE_H
#define RS_PARSE_FACT_CACHE_H

#include "parse/dependencies.h"

enum {
	RS_FACT_CACHE_MAX_MIB = 256, /* of all answers; the oldest go */
	RS_FACT_CACHE_MAX_DAYS = 60, /* since an answer was of use last */
};

struct rs_fact_cache;
/* NULL: there is no folder to keep anything in. */
struct rs_fact_cache *rs_fact_cache_open(void);
/* Removes what is old when anything was kept. NULL is allowed. */
void rs_fact_cache_close(struct rs_fact_cache *cache);

struct rs_bytes {
	const char *data;
	size_t size;
};

/* The answer for the key, if there is one and all that it was made from is as it was. It belongs to the arena.
 */
bool rs_fact_cache_find(struct rs_fact_cache *cache, struct rs_bytes key, struct rs_file_states *states,
			struct rs_arena *arena, struct rs_dependencies *ret_dependencies,
			struct rs_bytes *ret_answer);
void rs_fact_cache_keep(struct rs_fact_cache *cache, struct rs_bytes key,
			const struct rs_dependencies *dependencies, struct rs_bytes answer);
/* Removes files until what is left has at most max_bytes and none is older than max_age_seconds. */
void rs_fact_cache_trim(struct rs_fact_cache *cache, uint64_t max_bytes, uint64_t max_age_seconds);

#endif

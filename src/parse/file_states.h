/*
 * What files on disk are, each looked at once: a tree's units ask for the same headers again and again.
 */
#ifndef RS_PARSE_FILE_STATES_H
#define RS_PARSE_FILE_STATES_H

#include "base/arena.h"

struct rs_file_state {
	bool exists; /* and is no folder */
	uint64_t device, inode, size, mtime_ns, ctime_ns;
	/* Neither time is so near to when the file was looked at that it could have changed since without
	 * showing another time. */
	bool is_settled;
};

struct rs_file_states;
struct rs_file_states *rs_file_states_create(void);
void rs_file_states_destroy(struct rs_file_states *states);
void rs_file_states_destroyp(struct rs_file_states **states);

/* Now, as all memory of it would be too late. started_ns (0: now): when the reading of the file began. */
struct rs_file_state rs_file_state_read(const char *path, uint64_t started_ns);
bool rs_file_state_is_same(const struct rs_file_state *a, const struct rs_file_state *b);
uint64_t rs_file_state_now_ns(void); /* on the clock of file times */

const struct rs_file_state *rs_file_states_find(struct rs_file_states *states, const char *path);
/* rs_hash_bytes() of the file; false when it cannot be read. */
bool rs_file_states_hash(struct rs_file_states *states, const char *path, uint64_t *ret_hash);
/* Folders are listed once; those that may have changed since are listed anew from now on. */
void rs_file_states_renew(struct rs_file_states *states);
/* Something about what folder/name leads to, links resolved: 0 when nothing is there, 1 for a folder. */
uint64_t rs_file_states_probe(struct rs_file_states *states, const char *folder, const char *name);
/* Whether there is such a folder; "" as name: folder itself. */
bool rs_file_states_has_folder(struct rs_file_states *states, const char *folder, const char *name);
/* Whether something was put into the folder of folder/name so lately that looking for the name may have come
 * too late. */
bool rs_file_states_is_fresh(struct rs_file_states *states, const char *folder, const char *name,
			     uint64_t started_ns);

#endif

/*
 * What a run that replaces files is about to do, on disk before it does it.
 *
 * The file RS_JOURNAL_NAME holds fields that end in NUL: the version, for each file old hash, new hash (16 hex
 * digits), target (relative to the journal's folder), names of temporary and backup (beside the target), and
 * the word "end". One without the end was never synced whole, so nothing had been begun. Whoever writes or
 * settles it holds a lock on it (flock), which ends with the process.
 */
#ifndef RS_BASE_JOURNAL_H
#define RS_BASE_JOURNAL_H

#include "base/arena.h"
#include "base/error.h"

#define RS_JOURNAL_NAME ".restruct-journal"

struct rs_journal_entry {
	uint64_t old_hash, new_hash;
	const char *target, *temporary, *backup; /* absolute */
};

struct rs_journal {
	const char *folder, *path;
	int fd; /* locked; -1: none */
};

/* The deepest folder above all paths, which are absolute. */
char *rs_journal_folder(struct rs_arena *arena, const struct rs_journal_entry *entries, size_t count);
/* Makes, locks and syncs it. RS_ERROR_IO when it is there already. */
struct rs_error *rs_journal_begin(struct rs_arena *arena, const char *folder,
				  const struct rs_journal_entry *entries, size_t count,
				  struct rs_journal *ret_journal) RS_MUST_USE;
/* Opens one that a run left and locks it. False: there is none, it is another user's, or its run is at work. */
bool rs_journal_open(struct rs_arena *arena, const char *folder, struct rs_journal *ret_journal);
/* False when it is not complete. An entry that points out of the folder is not, either. */
bool rs_journal_read(struct rs_arena *arena, const struct rs_journal *journal,
		     struct rs_journal_entry **ret_entries, size_t *ret_count);
/* Removes the file and lets go of it. */
void rs_journal_end(struct rs_journal *journal);
/* Lets go of it; the file stays. Also for RS_CLEANUP. */
void rs_journal_close(struct rs_journal *journal);

#endif

/*
 * Analysed files replaced by new texts, all or none, whatever happens meanwhile.
 *
 *   1. a journal (journal.h) in the deepest folder that holds all of them names every file that will be made
 *   2. each new text is written to a temporary beside its target, with mode, owner, access list and attributes,
 *      and synced; each original is hashed again and gets a second name, its backup
 *   3. the temporaries are renamed over the targets; when one cannot be, those already done are put back
 *   4. backups and journal are removed
 *
 * At every moment every target is whole. A process that is killed leaves the journal, and rs_replace_settle()
 * puts the set right; SIGINT, SIGTERM, SIGHUP and SIGQUIT wait until step 2 is taken back or step 4 is done.
 */
#ifndef RS_BASE_REPLACE_H
#define RS_BASE_REPLACE_H

#include "base/file.h"

/* One file to be replaced by new bytes, if it still has the bytes that were analysed. */
struct rs_replacement {
	const char *path; /* symbolic links are followed: the file behind is replaced, the link stays */
	uint64_t expected_hash;
	const char *text;
	size_t size;
};
/* No temporary stays. Other hard links to a file keep the old bytes. A file that has other bytes by then:
 * RS_ERROR_CHANGED; one that is missing, read-only or named twice (also by another hard link), or a journal
 * that is there already: RS_ERROR_IO. */
struct rs_error *rs_replace_files(const struct rs_replacement *replacements, size_t count) RS_MUST_USE;

#endif

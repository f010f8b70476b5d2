/*
 * What a run that was killed while it replaced files (replace.h) left behind: found and put right.
 */
#ifndef RS_BASE_SETTLE_H
#define RS_BASE_SETTLE_H

#include "base/error.h"
#include "base/notes.h"

/* Looks for journals in the folders of the paths and in all above them. A set that is half replaced is put back
 * (finished when a backup is gone), its temporaries are removed, and warnings say so. An error when that cannot
 * be, as files were edited since: then nothing was changed. Journals of other users, and of runs that are still
 * at work, are left alone. */
struct rs_error *rs_settle_above(const char *const *paths, size_t n_paths, struct rs_notes *notes) RS_MUST_USE;

#endif

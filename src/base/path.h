/*
 * File names as text. Only rs_path_canonical() looks at the file system.
 */
#ifndef RS_BASE_PATH_H
#define RS_BASE_PATH_H

#include "base/arena.h"

/* Absolute, without symbolic links as far as the path exists; without "." and ".." in any case. */
char *rs_path_canonical(struct rs_arena *arena, const char *path);
/* path made absolute against base (a folder; NULL: the current one); nothing is resolved. */
char *rs_path_absolute(struct rs_arena *arena, const char *base, const char *path);
/* What dirname says: "." for a bare name, "/" for what lies at the root. */
char *rs_path_directory(struct rs_arena *arena, const char *path);
/* What follows the last slash. */
const char *rs_path_basename(const char *path);
/* path relative to the folder root where it lies below it, else (and for root NULL) path itself. */
const char *rs_path_below(const char *path, const char *root);

#endif

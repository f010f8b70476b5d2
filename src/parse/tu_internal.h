/*
 * What the files of parse/ share about a translation unit: libclang's own handles. Nobody outside parse/
 * includes this.
 */
#ifndef RS_PARSE_TU_INTERNAL_H
#define RS_PARSE_TU_INTERNAL_H

#include <clang-c/Index.h>

#include "parse/tu.h"

/* Parsed with a detailed preprocessing record: macro expansions and skipped ranges are there. */
CXTranslationUnit rs_tu_clang(const struct rs_tu *tu);

/* The file of this unit with that path (relative paths are the caller's own, not the compiler's folder); NULL
 * when the unit does not read it. */
CXFile rs_tu_file(const struct rs_tu *tu, const char *path);
/* The path that rs_tu_open() was given, and its file. */
const char *rs_tu_requested_path(const struct rs_tu *tu);
CXFile rs_tu_requested_file(const struct rs_tu *tu);
/* Whether the unit was parsed with a flag that starts so. */
bool rs_tu_has_flag(const struct rs_tu *tu, const char *start);
/* True for the unsaved text that holds options.prelude: what it declares was never written by the user. */
bool rs_tu_is_prelude(const struct rs_tu *tu, CXFile file);

/* Absolute, links resolved where the file exists: rs_source.realpath of that file. arena owns it. */
char *rs_tu_file_path(const struct rs_tu *tu, CXFile file, struct rs_arena *arena);
/* The file's bytes as this unit has read them, unsaved or not, copied to arena: the source outlives the unit.
 * Every call makes a new one, since the unit cannot know how long an arena lives: ask once per file. Its path
 * is the requested one for the requested file, else the real path. */
struct rs_error *rs_tu_source(struct rs_tu *tu, CXFile file, struct rs_arena *arena,
			      const struct rs_source **ret_source) RS_MUST_USE;

/* What a message calls the file: as the user named it, else relative to the current folder, else absolute. */
char *rs_tu_shown_path(const struct rs_tu *tu, CXFile file, struct rs_arena *arena);
const char *rs_tu_shown_main_file(const struct rs_tu *tu);

/* Copies and disposes; "" for a string that libclang does not have. */
char *rs_tu_string(struct rs_arena *arena, CXString string);

#endif

/*
 * Translation units: the files as the compiler sees them. Only parse/ includes clang-c headers; nothing of
 * libclang shows in this file.
 *
 * The parser picks, for a file that holds a record, a translation unit in which that file can be read:
 * the file itself with the user's flags or its own compile command; for a header that does not stand alone, a
 * command whose main file includes it, or one of the `contexts`.
 */
#ifndef RS_PARSE_TU_H
#define RS_PARSE_TU_H

#include "base/notes.h"
#include "parse/compile.h"
#include "text/source.h"

/* Bytes that stand for a file, saved or not. */
struct rs_buffer {
	const char *path;
	const char *text;
	size_t size;
};

struct rs_parse_options {
	const char *build_directory; /* -p; NULL: compile_commands.json is looked for upward */
	const char *const *flags;    /* after `--` */
	size_t n_flags;
	bool has_flags;                 /* `--` was given, maybe with nothing behind: no database is asked */
	const char *resource_directory; /* NULL: found */
	const char *const *contexts;    /* --uses: source files that may include the header */
	size_t n_contexts;
	const char *prelude; /* C declarations read before the file (types that it lacks); NULL: none */
	const struct rs_buffer *buffers; /* unsaved text */
	size_t n_buffers;
	bool with_bodies; /* function bodies are parsed, too */
};

/* A parser and its units belong to one thread; several parsers may work side by side. */
struct rs_parser;
/* options are copied, but for the buffers' text; that and notes must outlive the parser, and the parser its
 * units. Unreadable databases given by -p and missing compiler headers show here. */
struct rs_error *rs_parser_create(const struct rs_parse_options *options, struct rs_notes *notes,
				  struct rs_parser **ret_parser) RS_MUST_USE;
void rs_parser_destroy(struct rs_parser *parser);
void rs_parser_destroyp(struct rs_parser **parser);
const char *rs_parser_version(void); /* "clang version 14.0.6", static */

struct rs_diagnostic {
	bool is_error;
	const char *path; /* NULL: no place */
	unsigned line, column;
	const char *message;
};

struct rs_tu;
/*
 * Parses a translation unit in which `file` can be read without an error in it, in what it includes, or in what
 * the unit reads before it; errors after it do not matter. Error RS_ERROR_PARSE says what is missing when there
 * is none.
 *
 * A source file is read with the flags after `--`, else with its own commands, else with those of the nearest
 * source. A header is tried alone, with the same flags; then inside each of the contexts; then inside the
 * sources of the compile database that may include it. Alone is good enough only when no #if in it or in its
 * own headers could turn out otherwise there. What does not lay out in any of these is tried again behind the
 * prelude.
 */
struct rs_error *rs_tu_open(struct rs_parser *parser, const char *file, struct rs_tu **ret_tu) RS_MUST_USE;
/* A source that uses records, which may be C++: that has only its own flags, or those of the nearest C++
 * source. */
struct rs_error *rs_tu_open_use(struct rs_parser *parser, const char *file, struct rs_tu **ret_tu) RS_MUST_USE;
/* The same translation unit (main file, flags, buffers) parsed anew with some files replaced by new text. */
struct rs_error *rs_tu_reopen(const struct rs_tu *tu, const struct rs_buffer *replaced, size_t n_replaced,
			      struct rs_tu **ret_tu) RS_MUST_USE;
/* The same translation unit with flags behind its own, in the words of a compiler's command line. It must read
 * the requested file without an error that bears on it: RS_ERROR_PARSE with the first. */
struct rs_error *rs_tu_vary(const struct rs_tu *tu, const char *const *flags, size_t n_flags,
			    struct rs_tu **ret_tu) RS_MUST_USE;
/* Gives back what libclang holds of the unit, which is large: what was asked for by name, flags, diagnostics,
 * and whether it reads a file are known all the same, it can be reopened and varied; for all else it must be
 * woken. Nothing that was handed out outside parse/ refers to it. */
void rs_tu_sleep(struct rs_tu *tu);
/* Parses a unit that sleeps; RS_ERROR_CHANGED when it reads other text than it did. */
struct rs_error *rs_tu_wake(struct rs_tu *tu) RS_MUST_USE;
bool rs_tu_is_asleep(const struct rs_tu *tu);
void rs_tu_destroy(struct rs_tu *tu);
void rs_tu_destroyp(struct rs_tu **tu);

const char *rs_tu_main_file(const struct rs_tu *tu);
bool rs_tu_is_cxx(const struct rs_tu *tu);
/* Whether the unit reads the file at all. */
bool rs_tu_reads(const struct rs_tu *tu, const char *path);
/* Which files a unit read, for when it is closed. */
struct rs_tu_reading {
	const uint64_t *files; /* what identifies them on disk, sorted */
	size_t n_files;
};
void rs_tu_remember(const struct rs_tu *tu, struct rs_arena *arena, struct rs_tu_reading *ret_reading);
/* True also when the file is not on disk, where it cannot be told. */
bool rs_tu_reading_has(const struct rs_tu_reading *reading, const char *path);
const char *rs_tu_triple(const struct rs_tu *tu); /* "x86_64-pc-linux-gnu" */
/* Errors and warnings, in order; valid while the unit lives. */
const struct rs_diagnostic *rs_tu_diagnostics(const struct rs_tu *tu, size_t *ret_count);

#endif

/*
 * The insides of parsers and translation units, for the files that build them; records.c and others see
 * tu_internal.h.
 */
#ifndef RS_PARSE_TU_STATE_H
#define RS_PARSE_TU_STATE_H

#include "parse/flags.h"
#include "parse/inclusions.h"
#include "parse/known_texts.h"
#include "parse/tu_internal.h"

/* The prelude's name to libclang; no such file exists, nor need its folder. */
#define RS_PRELUDE_PATH "/restruct-prelude.h"

struct rs_parser {
	struct rs_arena *arena;
	struct rs_parse_options options;
	struct rs_notes *notes;
	CXIndex index;
	const char *resource_directory;
	const char *folder;           /* of this process when the parser was made */
	struct rs_known_texts *texts; /* of files that its units read */
	struct rs_compile_db **dbs;
	size_t n_dbs, dbs_capacity;
};

/* A parser for a forked worker: with the other's options, but an index of its own, and no database. */
struct rs_parser *rs_parser_create_worker(const struct rs_parser *parser, struct rs_notes *notes);

/* A declaration at the top of the unit. */
struct rs_tu_top {
	CXCursor cursor;
	size_t file; /* of rs_tu_tops.files */
	size_t start, end;
};

struct rs_tu_tops {
	struct rs_tu_top *items;
	size_t n_items, items_capacity;
	CXFile *files;
	size_t n_files, files_capacity;
};

struct rs_tu {
	struct rs_parser *parser;
	struct rs_arena *arena;
	CXTranslationUnit unit;     /* NULL: asleep */
	struct rs_arena *awake;     /* for what names libclang's own things; NULL: asleep */
	const char *requested_path; /* as given */
	const char *requested;      /* canonical */
	const char *main_file;      /* canonical */
	struct rs_words flags;      /* that were asked for */
	struct rs_words arguments;  /* all that libclang got */
	bool has_prelude;
	bool is_cxx;           /* compiled as C++ */
	bool has_buffers;      /* some of its files may be others than on disk */
	uint64_t started_ns;   /* when its last parse began */
	CXFile requested_file; /* NULL: this unit does not read it */
	struct rs_inclusions inclusions;
	struct rs_tu_tops *tops; /* by fingerprint.c, in awake; NULL: not asked for yet */
	struct rs_diagnostic *diagnostics;
	struct rs_place *places; /* where each stands in the order of reading */
	size_t n_diagnostics, diagnostics_capacity, places_capacity;
	struct rs_notes notes; /* the user's only when this unit is the one that is used */
	const char *triple;
	/* Once it was asleep: */
	bool has_slept;
	struct rs_tu_reading reading;
	const char **buffers; /* canonical paths of the unsaved texts that it read */
	size_t n_buffers;
	uint64_t content; /* hash of all that it read */
};

#endif

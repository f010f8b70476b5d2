/*
 * The command line: one table of options that parsing, --help, the manual and the completions are made from.
 */
#ifndef RS_CLI_OPTIONS_H
#define RS_CLI_OPTIONS_H

#include "base/arena.h"
#include "base/builder.h"
#include "base/error.h"

/* Which commands take an option. */
enum rs_command_bit {
	RS_CMD_ANNOTATE = 1,
	RS_CMD_OPTIMIZE = 2,
	RS_CMD_EMIT_PATCH = 4,
	RS_CMD_CHECK = 8,
	RS_CMD_GUARD = 16,
	RS_CMD_REVIEW = 32,
	RS_CMD_ALL = 63,             /* those that look at layouts */
	RS_CMD_PROFILE_IMPORT = 256, /* the lower bits are left to commands of the first kind */
	RS_CMD_PROFILE_MERGE = 512,
	RS_CMD_PROFILE_SHOW = 1024,
	RS_CMD_PROFILE_CHECK = 2048,
	RS_CMD_PROFILE_COLLECT = 4096,
	RS_CMD_PROFILE = 256 | 512 | 1024 | 2048 | 4096,
	RS_CMD_PROFILE_LAYOUT = 256 | 2048 | 4096, /* those of them that read sources */
};

struct rs_list {
	const char **items;
	size_t n_items, items_capacity;
};

struct rs_options {
	struct rs_list files;          /* positional arguments */
	struct rs_list names;          /* -C */
	struct rs_list profiles;       /* --profile */
	struct rs_list contexts;       /* --uses */
	struct rs_list allowed;        /* --allow */
	struct rs_list configurations; /* --config */
	struct rs_list order;          /* --order */
	struct rs_list explain;        /* --explain */
	struct rs_list pins;           /* --pin */
	struct rs_list flags;          /* after -- */
	bool designate;
	bool has_flags;
	const char *build_directory, *format, *output, *stdin_filename, *root, *resource_directory, *color;
	unsigned long line_bytes, jobs, pick, max_size, max_moves, max_lines, time_limit;
	bool hex, in_place, no_cache, quiet, verbose, help, split, section_comments;
	const char *from, *as, *allocation, *object_base;
	bool init_profile, is_static, by_field;
	const char *run;
	struct rs_list binaries;     /* --binary */
	struct rs_list links;        /* --link */
	const char *subject, *fixes; /* of a mail */
	bool sign_off, series;
	const char *baseline, *dialect;
	bool update, staged;
	bool may_be_without_files; /* the command knows what to look at by itself */
	const char *const *words;  /* the command line from the command's name on */
	size_t n_words;
};

/* Parses what stands behind the command's name. Error RS_ERROR_USAGE names the option. */
struct rs_error *rs_options_parse(struct rs_arena *arena, int argc, char **argv, unsigned command,
				  struct rs_options *ret_options) RS_MUST_USE;
/* The options of the commands, one a line, as --help shows them. */
void rs_options_print(struct rs_builder *out, unsigned commands);
/* The option table as JSON, for tests, the manual and completions. */
void rs_options_print_json(struct rs_builder *out);

#endif

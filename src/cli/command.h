/*
 * Commands: each has a row in the table and a function; what they share stands here.
 */
#ifndef RS_CLI_COMMAND_H
#define RS_CLI_COMMAND_H

#include "cli/options.h"
#include "restruct/restruct.h"

struct rs_command {
	const char *name;
	unsigned bit;
	const char *arguments; /* for the usage line */
	const char *summary;
	/* Gives the exit status; errors and notes are already on stderr. */
	int (*run)(struct rs_arena *arena, const struct rs_options *options);
};

int rs_cmd_annotate(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_optimize(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_check(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_review(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_guard(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_emit_patch(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_profile_import(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_profile_collect(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_profile_merge(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_profile_show(struct rs_arena *arena, const struct rs_options *options);
int rs_cmd_profile_check(struct rs_arena *arena, const struct rs_options *options);

/* Prints "restruct: …" on stderr and gives the status. */
int rs_command_fail(struct rs_error *error);
/* A handle set up from the options. NULL: an error was printed, *ret_status is the status. */
struct restruct *rs_command_open(struct rs_arena *arena, const struct rs_options *options, int *ret_status);
/* The same for a command whose files are not what it looks at. */
struct restruct *rs_command_open_bare(struct rs_arena *arena, const struct rs_options *options,
				      int *ret_status);
/* Prints notes, the reasons why something gets no plan, and the error, if any, on stderr. */
void rs_command_report(struct restruct *r, const struct rs_options *options, bool with_reasons);
/* Prints the answer to stdout or -o FILE; gives status, or 3 when it cannot be written. */
int rs_command_print(struct rs_arena *arena, struct restruct *r, const struct rs_options *options, int status);
/* Opens a handle, asks it, reports and prints: what a command does that has one question. Gives the exit
 * status. */
int rs_command_ask(struct rs_arena *arena, const struct rs_options *options,
		   enum restruct_status (*ask)(struct restruct *r), bool with_reasons);
/* What the options say about a mail; strings are arena's. */
void rs_command_mail(struct rs_arena *arena, const struct rs_options *options,
		     struct restruct_mail_options *ret_mail);
/* Writes the mails of a mailbox into a folder, one file each, as `git format-patch` names them. */
struct rs_error *rs_command_write_mails(struct rs_arena *arena, const char *folder, const char *text,
					size_t length) RS_MUST_USE;
/* Gives status, or 3 when the text cannot be written. */
int rs_command_print_stdout(const char *text, size_t length, int status);

#endif

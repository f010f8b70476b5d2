#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/nearest.h"

enum option_kind {
	OPTION_FLAG,   /* bool */
	OPTION_STRING, /* const char * */
	OPTION_NUMBER, /* unsigned long */
	OPTION_ITEM,   /* struct rs_list, one a use */
	OPTION_LIST,   /* struct rs_list, comma-separated */
};

struct option_row {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* NULL: takes none */
	enum option_kind kind;
	size_t offset; /* in struct rs_options */
	unsigned commands;
	const char *help;
};

#define AT(member) offsetof(struct rs_options, member)

static const struct option_row rows[] = {
	{ 'C', "class-name", "NAME[,NAME]", OPTION_LIST, AT(names), RS_CMD_ALL | RS_CMD_PROFILE_LAYOUT,
	  "the structs to look at, wherever the files define them" },
	{ 'p', "build-dir", "DIR", OPTION_STRING, AT(build_directory), RS_CMD_ALL | RS_CMD_PROFILE_LAYOUT,
	  "folder with compile_commands.json (default: looked for upward from the file)" },
	{ 0, "uses", "FILE", OPTION_ITEM, AT(contexts), RS_CMD_ALL | RS_CMD_PROFILE_LAYOUT,
	  "source through which a header is read that does not stand alone" },
	{ 0, "config", "NAME=FLAGS", OPTION_ITEM, AT(configurations), RS_CMD_ALL,
	  "configuration in which everything is read and judged as well, with FLAGS added" },
	{ 0, "designate", NULL, OPTION_FLAG, AT(designate), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "initialisers by position get designators, none is put in order" },
	{ 0, "allow", "CODE[:NAME]", OPTION_LIST, AT(allowed), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "overrule a pin that is no hard one, for one struct or member or for all" },
	{ 0, "profile", "FILE", OPTION_ITEM, AT(profiles), RS_CMD_ALL,
	  "profile of the accesses; several are merged" },
	{ 0, "init-profile", NULL, OPTION_FLAG, AT(init_profile), RS_CMD_ANNOTATE,
	  "print a profile to fill in: every field, with an estimate from the code" },
	{ 0, "from", "FORMAT", OPTION_STRING, AT(from), RS_CMD_PROFILE_IMPORT,
	  "perf-annotate, perf-report, perf-json, perf-c2c, perf-script, access, dhat, net-cachelines or csv" },
	{ 0, "as", "KIND", OPTION_STRING, AT(as), RS_CMD_PROFILE_IMPORT,
	  "reads or writes: what accesses are that the file does not tell apart (default: reads)" },
	{ 0, "allocation", "TEXT", OPTION_STRING, AT(allocation), RS_CMD_PROFILE_IMPORT,
	  "dhat: take blocks of allocation stacks with TEXT in a frame" },
	{ 0, "object-base", "ADDRESS", OPTION_STRING, AT(object_base), RS_CMD_PROFILE_IMPORT,
	  "perf-c2c, perf-script: where an object of the struct lies" },
	{ 0, "static", NULL, OPTION_FLAG, AT(is_static), RS_CMD_PROFILE_COLLECT,
	  "no counts: estimate from the code, ten times a loop" },
	{ 0, "run", "COMMAND", OPTION_STRING, AT(run), RS_CMD_PROFILE_COLLECT,
	  "run the program, built with the flags that are printed, and take its counts" },
	{ 0, "binary", "FILE", OPTION_ITEM, AT(binaries), RS_CMD_PROFILE_COLLECT,
	  "with --run: the instrumented program or library (clang); without it .gcda files are looked for" },
	{ 0, "by-field", NULL, OPTION_FLAG, AT(by_field), RS_CMD_PROFILE_COLLECT | RS_CMD_PROFILE_IMPORT,
	  "counts of each field, not paths" },
	{ 'c', "cacheline-size", "BYTES", OPTION_NUMBER, AT(line_bytes), RS_CMD_ALL,
	  "bytes of a cache line (default: the profile's, or 64)" },
	{ 0, "order", "A,B,C", OPTION_LIST, AT(order), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "order chosen by hand: all members, or those that come first" },
	{ 0, "pin", "A:HOW[:B]", OPTION_LIST, AT(pins), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "keep to it: A:first, A:last, A:before:B, A:after:B, A:next:B, A:near:B (on one line)" },
	{ 0, "explain", "FIELD[,FIELD]", OPTION_LIST, AT(explain), RS_CMD_OPTIMIZE,
	  "say why the field lies where it does, who pays, and what it would cost elsewhere" },
	{ 0, "pick", "N", OPTION_NUMBER, AT(pick), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "number of the plan to take (default: the one marked *)" },
	{ 0, "max-size", "BYTES", OPTION_NUMBER, AT(max_size), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "let the struct grow up to this size (default: not at all)" },
	{ 0, "max-moves", "N", OPTION_NUMBER, AT(max_moves), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "move at most N blocks (default: any number)" },
	{ 0, "max-lines-changed", "N", OPTION_NUMBER, AT(max_lines), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "change at most N lines of the struct, removed and added ones (default: any number)" },
	{ 0, "time-limit", "SECONDS", OPTION_NUMBER, AT(time_limit), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "search about so long; counted in steps, so that the result is the same everywhere (default: 2)" },
	{ 0, "split", NULL, OPTION_FLAG, AT(split), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "let declarations of several members become several (int a, b;)" },
	{ 0, "section-comments", NULL, OPTION_FLAG, AT(section_comments), RS_CMD_OPTIMIZE | RS_CMD_EMIT_PATCH,
	  "write a comment over fields that move: which paths write them" },
	{ 'i', "in-place", NULL, OPTION_FLAG, AT(in_place), RS_CMD_EMIT_PATCH,
	  "change the files instead of printing a patch: all of them or none" },
	{ 0, "baseline", "FILE", OPTION_STRING, AT(baseline), RS_CMD_CHECK,
	  "agreed layouts to compare with (default: .restruct-baseline.json, looked for upward)" },
	{ 0, "update", NULL, OPTION_FLAG, AT(update), RS_CMD_CHECK,
	  "write the layouts as they stand to the baseline" },
	{ 0, "staged", NULL, OPTION_FLAG, AT(staged), RS_CMD_REVIEW, "review what is staged in git" },
	{ 0, "dialect", "NAME", OPTION_STRING, AT(dialect), RS_CMD_GUARD,
	  "c11, kernel or table (default: c11)" },
	{ 's', "signoff", NULL, OPTION_FLAG, AT(sign_off), RS_CMD_EMIT_PATCH,
	  "with --format=mbox: add a Signed-off-by: line with git's identity" },
	{ 0, "series", NULL, OPTION_FLAG, AT(series), RS_CMD_EMIT_PATCH,
	  "with --format=mbox: one patch a struct, behind a cover letter" },
	{ 0, "subject", "TEXT", OPTION_STRING, AT(subject), RS_CMD_EMIT_PATCH,
	  "with --format=mbox: the subject (default: made from the plan)" },
	{ 0, "fixes", "COMMIT", OPTION_STRING, AT(fixes), RS_CMD_EMIT_PATCH,
	  "with --format=mbox: add a Fixes: line" },
	{ 0, "link", "URL", OPTION_ITEM, AT(links), RS_CMD_EMIT_PATCH,
	  "with --format=mbox: add a Link: line; may be given several times" },
	{ 0, "root", "DIR", OPTION_STRING, AT(root), RS_CMD_ALL,
	  "edits stay below DIR, and paths are shown from it (default: the git top level)" },
	{ 0, "format", "FORMAT", OPTION_STRING, AT(format), RS_CMD_ALL | RS_CMD_PROFILE,
	  "text or json; for emit-patch mbox, for check and review markdown, sarif, github, rdjson" },
	{ 0, "hex", NULL, OPTION_FLAG, AT(hex), RS_CMD_ALL, "offsets and sizes in hexadecimal" },
	{ 0, "color", "WHEN", OPTION_STRING, AT(color), RS_CMD_ALL | RS_CMD_PROFILE,
	  "auto, always or never (default: auto; NO_COLOR is respected)" },
	{ 'o', "output", "FILE", OPTION_STRING, AT(output), RS_CMD_ALL | RS_CMD_PROFILE,
	  "write to FILE instead of stdout" },
	{ 0, "stdin-filename", "FILE", OPTION_STRING, AT(stdin_filename), RS_CMD_ALL,
	  "stdin holds the text of FILE (an editor's buffer)" },
	{ 0, "resource-dir", "DIR", OPTION_STRING, AT(resource_directory), RS_CMD_ALL | RS_CMD_PROFILE_LAYOUT,
	  "folder with the compiler's own headers (default: found)" },
	{ 'j', "jobs", "N", OPTION_NUMBER, AT(jobs), RS_CMD_ALL | RS_CMD_PROFILE_COLLECT,
	  "processes that read the sources of the tree (default: one a processor)" },
	{ 0, "no-cache", NULL, OPTION_FLAG, AT(no_cache), RS_CMD_ALL,
	  "neither use nor keep what sources showed in earlier runs" },
	{ 'q', "quiet", NULL, OPTION_FLAG, AT(quiet), RS_CMD_ALL | RS_CMD_PROFILE, "no notes on stderr" },
	{ 'v', "verbose", NULL, OPTION_FLAG, AT(verbose), RS_CMD_ALL | RS_CMD_PROFILE, "say more" },
	{ 'h', "help", NULL, OPTION_FLAG, AT(help), RS_CMD_ALL | RS_CMD_PROFILE, "show this help" },
};

enum { N_ROWS = RS_COUNT_OF(rows), LONG_ONLY = 256 };

static struct rs_error *usage(const char *format, const char *a, const char *b)
{
	char message[512];

	snprintf(message, sizeof message, format, a, b);
	return rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "%s", message);
}

static void add(struct rs_arena *arena, struct rs_list *list, const char *item)
{
	*rs_array_push(arena, list->items, list->n_items, list->items_capacity) = item;
}

static struct rs_error *add_parts(struct rs_arena *arena, struct rs_list *list, const struct option_row *row,
				  const char *text)
{
	for (const char *start = text;; start++) {
		size_t length = strcspn(start, ",");

		if (length == 0)
			return usage("--%s: there is an empty name in '%s'", row->name, text);
		add(arena, list, rs_arena_strndup(arena, start, length));
		start += length;
		if (*start == '\0')
			return NULL;
	}
}

static struct rs_error *parse_number(const struct option_row *row, const char *text, unsigned long *ret_number)
{
	char *end;

	errno = 0;
	unsigned long number = strtoul(text, &end, 0);
	if (*text < '0' || *text > '9' || *end != '\0' || number == 0)
		return usage("--%s: '%s' is not a positive number", row->name, text);
	if (errno != 0 || number > UINT_MAX)
		return usage("--%s: %s is too large", row->name, text);
	*ret_number = number;
	return NULL;
}

static struct rs_error *take(struct rs_arena *arena, struct rs_options *options, const struct option_row *row,
			     const char *argument)
{
	void *place = (char *)options + row->offset;

	if (row->argument && *argument == '\0')
		return usage("--%s: the argument is empty%s", row->name, "");
	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)place = true;
		return NULL;
	case OPTION_STRING:
		*(const char **)place = argument;
		return NULL;
	case OPTION_NUMBER:
		return parse_number(row, argument, (unsigned long *)place);
	case OPTION_ITEM:
		add(arena, (struct rs_list *)place, argument);
		return NULL;
	case OPTION_LIST:
		return add_parts(arena, (struct rs_list *)place, row, argument);
	}
	return NULL;
}

static const struct option_row *find_row(int found)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (found == LONG_ONLY + (int)i || (rows[i].letter && found == rows[i].letter))
			return &rows[i];
	return NULL;
}

static void fill_tables(unsigned command, struct option *longs, char *letters)
{
	*letters++ = '+'; /* the compiler's flags behind -- are not ours */
	*letters++ = ':';
	for (size_t i = 0; i < N_ROWS; i++) {
		if (!(rows[i].commands & command))
			continue;
		*longs++ = (struct option) { rows[i].name, rows[i].argument ? required_argument : no_argument,
					     NULL, LONG_ONLY + (int)i };
		if (rows[i].letter)
			*letters++ = rows[i].letter;
		if (rows[i].letter && rows[i].argument)
			*letters++ = ':';
	}
	*longs = (struct option) { 0 };
	*letters = '\0';
}

/* What getopt_long() could not take: a letter, an argument too many, or a word that is no option of the
 * command. */
static struct rs_error *report_unknown(struct rs_arena *arena, const char *word, const struct option *longs)
{
	const char *names[N_ROWS];
	char letter[] = { '-', (char)optopt, '\0' };
	size_t count = 0;

	if (optopt >= LONG_ONLY)
		return usage("--%s takes no argument%s", rows[optopt - LONG_ONLY].name, "");
	if (optopt != 0)
		return usage("there is no option '%s' here%s", letter, " (--help lists them)");
	for (; longs[count].name; count++)
		names[count] = longs[count].name;
	const char *name = rs_arena_strndup(arena, word + 2, strcspn(word + 2, "="));
	const char *nearest = rs_nearest_name(name, names, count);
	if (nearest)
		return usage("there is no option '%s' here (did you mean '--%s'?)", word, nearest);
	return usage("there is no option '%s' here%s", word, " (--help lists them)");
}

static struct rs_error *parse_one(struct rs_arena *arena, int argc, char **argv, const char *letters,
				  const struct option *longs, struct rs_options *options, bool *ret_more)
{
	int found = getopt_long(argc, argv, letters, longs, NULL);

	*ret_more = found != -1;
	if (found == -1)
		return NULL;
	const struct option_row *row = find_row(found == ':' ? optopt : found);
	if (!row)
		return report_unknown(arena, argv[optind - 1], longs);
	if (found == ':')
		return usage("--%s needs an argument%s", row->name, "");
	return take(arena, options, row, optarg);
}

/* "cacheline_size" is what pahole's users type: underscores in long names are read as dashes. */
static char **with_dashes(struct rs_arena *arena, int argc, char **argv)
{
	char **copies = rs_arena_array(arena, char *, argc + 1);
	bool flags = false;

	for (int i = 0; i < argc; i++) {
		copies[i] = rs_arena_strdup(arena, argv[i]);
		flags = flags || strcmp(copies[i], "--") == 0;
		if (flags || strncmp(copies[i], "--", 2) != 0)
			continue;
		for (char *at = copies[i]; *at && *at != '='; at++)
			if (*at == '_')
				*at = '-';
	}
	return copies;
}

struct rs_error *rs_options_parse(struct rs_arena *arena, int argc, char **argv, unsigned command,
				  struct rs_options *ret_options)
{
	struct rs_options options = { .words = (const char *const *)argv, .n_words = (size_t)argc };
	struct option longs[N_ROWS + 1];
	char letters[3 * N_ROWS + 3];
	char **arguments = with_dashes(arena, argc, argv);

	fill_tables(command, longs, letters);
	opterr = 0;
	optind = 1;
	while (optind < argc) {
		bool more;

		if (strcmp(arguments[optind], "--") == 0) {
			options.has_flags = true;
			for (int i = optind + 1; i < argc; i++)
				add(arena, &options.flags, arguments[i]);
			break;
		}
		RS_TRY(parse_one(arena, argc, arguments, letters, longs, &options, &more));
		if (!more && optind < argc && strcmp(arguments[optind], "--") != 0)
			add(arena, &options.files, arguments[optind++]);
	}
	*ret_options = options;
	return NULL;
}

void rs_options_print(struct rs_builder *out, unsigned commands)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		char name[64];

		if (!(rows[i].commands & commands))
			continue;
		snprintf(name, sizeof name, "--%s%s%s", rows[i].name, rows[i].argument ? "=" : "",
			 rows[i].argument ? rows[i].argument : "");
		if (rows[i].letter)
			rs_builder_printf(out, "  -%c, %-28s %s\n", rows[i].letter, name, rows[i].help);
		else
			rs_builder_printf(out, "      %-28s %s\n", name, rows[i].help);
	}
	rs_builder_appends(out, "  --                               what follows are flags for the compiler\n");
}

void rs_options_print_json(struct rs_builder *out)
{
	struct rs_json_writer writer;

	rs_json_writer_init(&writer, out);
	rs_json_begin_array(&writer, NULL);
	for (size_t i = 0; i < N_ROWS; i++) {
		char letter[2] = { rows[i].letter, '\0' };

		rs_json_begin_object_compact(&writer, NULL);
		rs_json_write_string(&writer, "name", rows[i].name);
		rs_json_write_string(&writer, "letter", rows[i].letter ? letter : NULL);
		rs_json_write_string(&writer, "argument", rows[i].argument);
		rs_json_write_string(&writer, "help", rows[i].help);
		rs_json_write_uint(&writer, "commands", rows[i].commands);
		rs_json_end_object(&writer);
	}
	rs_json_end_array(&writer);
}

/*
 * librestruct: better field orders for C structs, as a library.
 *
 * A handle is loaded with files, flags and profiles, then asked:
 *
 *     struct restruct *r = restruct_create();
 *     restruct_add_profile(r, "lookup.json");
 *     restruct_add_target(r, "include/inetpeer.h", "inet_peer");
 *     if (restruct_optimize(r) <= RESTRUCT_FINDINGS)
 *         puts(text = restruct_print(r, &(struct restruct_print_options){ .format = "json" }));
 *     restruct_destroy(r);
 *
 * Strings given to a handle are copied. Strings given back belong to the caller and are ended with free(),
 * unless "valid until" says otherwise. Nothing is printed and no file is written but by restruct_apply() and
 * restruct_recover(). A handle is used by one thread at a time; different handles are independent. When memory
 * runs out the process ends with status 3 (restruct_set_oom_handler()).
 */
#ifndef RESTRUCT_RESTRUCT_H
#define RESTRUCT_RESTRUCT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RESTRUCT_API __attribute__((visibility("default")))
#else
#define RESTRUCT_API
#endif

struct restruct;

/* What a call came to; also the exit status of the program. */
enum restruct_status {
	RESTRUCT_OK = 0,
	RESTRUCT_FINDINGS = 1, /* done; something was refused, or nothing can be gained */
	RESTRUCT_USAGE = 2,    /* what was asked makes no sense: see restruct_error() */
	RESTRUCT_FAILED = 3,   /* could not complete: see restruct_error() */
};

RESTRUCT_API const char *restruct_version(void); /* "0.1.0", static */
/* "clang version 14.0.6": the libclang that reads the sources; static. */
RESTRUCT_API const char *restruct_compiler_version(void);
/* The handler must not return. NULL: back to the default. */
RESTRUCT_API void restruct_set_oom_handler(void (*handler)(void));

RESTRUCT_API struct restruct *restruct_create(void);
RESTRUCT_API void restruct_destroy(struct restruct *r); /* NULL is allowed */

/* --- load: what to read; to be called before the first question --- */

/* A record to look at. name NULL: every struct that the file itself defines. */
RESTRUCT_API void restruct_add_target(struct restruct *r, const char *file, const char *name);
/* A record that stands in one of the sources or in what they include; the first source that sees it decides. No
 * sources: those of the compile database. */
RESTRUCT_API void restruct_add_target_anywhere(struct restruct *r, const char *const *sources, size_t n_sources,
					       const char *name);
/* The records of a JSON result that restruct wrote, each with the order of one of its plans: plan 0 is the
 * result's own pick. The files must still have the bytes that the result was made for. */
RESTRUCT_API enum restruct_status restruct_add_plan_file(struct restruct *r, const char *path, unsigned plan);
/* Profile files are merged in the order given. */
RESTRUCT_API void restruct_add_profile(struct restruct *r, const char *path);
/* Folder with compile_commands.json, or the file itself. Without it the file is looked for upward. */
RESTRUCT_API void restruct_set_build_directory(struct restruct *r, const char *path);
/* The file of agreed layouts that restruct_check() compares with. may_be_new: it is no error that it is not
 * there yet. */
RESTRUCT_API enum restruct_status restruct_set_baseline(struct restruct *r, const char *path, int may_be_new);
/* Compiler flags instead of a compile database. */
RESTRUCT_API void restruct_set_flags(struct restruct *r, const char *const *flags, size_t n_flags);
/* Reads everything with these flags behind its own, too, and judges plans there as well. flags: words as in a
 * shell. A name is used once. */
RESTRUCT_API void restruct_add_configuration(struct restruct *r, const char *name, const char *flags);
/* A source through which headers may be read that do not stand alone. */
RESTRUCT_API void restruct_add_context(struct restruct *r, const char *path);
/* size bytes that stand for the file (an editor's buffer). */
RESTRUCT_API void restruct_add_buffer(struct restruct *r, const char *path, const char *text, size_t size);
/* Folder with the compiler's own headers; found when not set. */
RESTRUCT_API void restruct_set_resource_directory(struct restruct *r, const char *path);
/* Edits stay below this folder; default: the git top level, else the current folder. */
RESTRUCT_API void restruct_set_root(struct restruct *r, const char *path);
/* Called while the sources of the compile database are read; n_done == n_all: it is over. */
typedef void (*restruct_progress_fn)(size_t n_done, size_t n_all);
/* How the sources of the compile database are read. jobs: by how many processes; 0 (the default): one a
 * processor. They are forked from the caller's, none of whose other threads may be inside libclang then, and
 * are gone when a question is answered. with_cache (default: no): what a source shows is kept in
 * $XDG_CACHE_HOME/restruct
 * (~/.cache/restruct), and used again as long as all that the source reads is as it was. progress may be NULL.
 */
RESTRUCT_API void restruct_set_scan(struct restruct *r, unsigned jobs, int with_cache,
				    restruct_progress_fn progress);
/* Bytes of a cache line, a power of two from 16 to 1024; 0: the profile's, or 64. */
RESTRUCT_API void restruct_set_line_bytes(struct restruct *r, unsigned line_bytes);
/* Members in the order that all targets shall take: a whole order, or those that come first. */
RESTRUCT_API void restruct_set_order(struct restruct *r, const char *const *names, size_t n_names);
/* A plan may grow the record up to this many bytes; 0: not at all. */
RESTRUCT_API void restruct_set_max_size(struct restruct *r, size_t bytes);
/* A plan may move at most this many blocks; 0: any number. */
RESTRUCT_API void restruct_set_max_moves(struct restruct *r, size_t blocks);
/* A plan may remove and add at most this many lines of the struct in all; 0: any number. */
RESTRUCT_API void restruct_set_max_lines_changed(struct restruct *r, size_t lines);
/* About how long to search, on a slow machine; 0: the default, 2 seconds. It is counted in steps, so that the
 * same question has the same answer everywhere. */
RESTRUCT_API void restruct_set_time_limit(struct restruct *r, double seconds);
/* Whether a plan may make several declarations of one (`int a, b;`), for every struct. Default: where the
 * profile allows "split". */
RESTRUCT_API void restruct_set_split(struct restruct *r, int on);
/* Whether a plan writes a comment over each group of fields that it moves and that a path of the profile
 * writes. Default: where the profile allows "comment". */
RESTRUCT_API void restruct_set_section_comments(struct restruct *r, int on);
/* Initialisers by position get designators, even where their values could be put into the new order. */
RESTRUCT_API void restruct_set_designate(struct restruct *r, int always);
/* Overrules a pin that is not hard: "CODE" everywhere, or "CODE:NAME" for one struct or member. */
RESTRUCT_API void restruct_allow(struct restruct *r, const char *pin);
/* Plans put a field first or last, before or behind another one, or on a line with it: "A:first", "A:last",
 * "A:before:B", "A:after:B", "A:next:B" (B directly follows A), "A:near:B". */
RESTRUCT_API void restruct_pin(struct restruct *r, const char *pin);
/* restruct_optimize() says of the field why it lies where it does, and what it would cost elsewhere. A name
 * that no target has is an error then. */
RESTRUCT_API void restruct_explain(struct restruct *r, const char *field);
/* Emitted plans are also made ready as a series, one patch a record: format "mbox" then prints it. */
RESTRUCT_API void restruct_set_series(struct restruct *r, int on);
/* Plan to emit; 0: the default pick. */
RESTRUCT_API void restruct_set_pick(struct restruct *r, unsigned plan);

/* Reads .restruct.json, the nearest upward from the first file that was loaded (else from the current folder)
 * up to the project root: defaults for what was not set before, more to allow, and path rules. To be called
 * last before the first question. No such file: OK. */
RESTRUCT_API enum restruct_status restruct_read_config(struct restruct *r);

/* --- ask --- */

/* Puts right what a run left that was killed in restruct_apply(): a set of files of which some are changed is
 * put back, temporaries are removed, and remarks say so. Looked for in the folders of what was loaded, in the
 * current one, and above them. To be called before the first question; FAILED when files were edited since. */
RESTRUCT_API enum restruct_status restruct_recover(struct restruct *r);

/* The layouts as they stand. */
RESTRUCT_API enum restruct_status restruct_annotate(struct restruct *r);
/* Plans, each carried out in memory and verified by parsing again. */
RESTRUCT_API enum restruct_status restruct_optimize(struct restruct *r);
/* The layouts as they stand, held to the baseline and to the groups of the profile: FINDINGS when one differs
 * in a way that is more than a note. Without a target all structs of the baseline are looked at. */
RESTRUCT_API enum restruct_status restruct_check(struct restruct *r);
/* Judges a change: the patch in text (size bytes; name is for messages), whose paths start from folder (NULL:
 * the git top level above the working directory, or where that does not have them, the working directory).
 * FINDINGS when something is more than a note. */
RESTRUCT_API enum restruct_status restruct_review_patch(struct restruct *r, const char *folder,
							const char *name, const char *text, size_t size);
/* The same for commits of the repository that holds path: "A..B", "A...B", or one commit. */
RESTRUCT_API enum restruct_status restruct_review_range(struct restruct *r, const char *path,
							const char *range);
/* The same for what is staged there. */
RESTRUCT_API enum restruct_status restruct_review_staged(struct restruct *r, const char *path);
/* The layouts as they stand, to be printed as code that holds them. */
RESTRUCT_API enum restruct_status restruct_guard(struct restruct *r);
/* The picked plans of all targets, carried out together in memory and verified. */
RESTRUCT_API enum restruct_status restruct_emit(struct restruct *r);
/* Writes the files of the last restruct_emit(): all or none, each only if it is still what was analysed. */
RESTRUCT_API enum restruct_status restruct_apply(struct restruct *r);

/* --- profiles: what these give is a profile, printed by restruct_print() as the file that it is --- */

struct restruct_import_options {
	const char *format; /* "perf-annotate", "dhat", … (`restruct profile import --help`); NULL: found by
			       looking */
	const char *as; /* "reads" or "writes": what accesses are where the source does not say; NULL: reads */
	const char *
		allocation; /* DHAT: text in a frame of the allocation stacks that make the struct; NULL: any */
	int has_object_base; /* object_base is the address of the object of a single target */
	unsigned long long object_base;
	int by_field; /* counts of fields, where the source knows paths, too */
};
/* Reads what other tools wrote, and adds it up. Targets of the handle say which structs are meant and how they
 * are laid out; without any all structs are taken, by the names that the files give them. options NULL: all
 * defaults. */
RESTRUCT_API enum restruct_status restruct_import_profile(struct restruct *r, const char *const *paths,
							  size_t n_paths,
							  const struct restruct_import_options *options);
struct restruct_collect_options {
	int by_field;       /* counts of fields instead of paths */
	const char *origin; /* what the profile calls the exports; NULL: their names */
};
/* A profile of the targets from their code and from how often it ran, as exports of `llvm-cov export` or of
 * `gcov --json-format` say; without exports an estimate from the code: ten times a loop. options NULL: all
 * defaults. */
RESTRUCT_API enum restruct_status restruct_collect_profile(struct restruct *r, const char *const *exports,
							   size_t n_exports,
							   const struct restruct_collect_options *options);
/* Adds profile files up, each multiplied by its weight (weights NULL: 1 each). Figures in different units are
 * an error, unless both files have a weight that is not 1. */
RESTRUCT_API enum restruct_status restruct_merge_profiles(struct restruct *r, const char *const *paths,
							  const double *weights, size_t n_paths);
/* The same without weights; restruct_print() gives a table as text, the merged profile as JSON. */
RESTRUCT_API enum restruct_status restruct_show_profiles(struct restruct *r, const char *const *paths,
							 size_t n_paths);
/* Compares the handle's profiles with the structs of its targets as they are today: FINDINGS when a member that
 * a profile names is gone, or one that a complete profile does not name is new. restruct_print() lists them. */
RESTRUCT_API enum restruct_status restruct_check_profile(struct restruct *r);
/* A profile of the targets with every field and an estimate from the code: ten times a loop level. */
RESTRUCT_API enum restruct_status restruct_init_profile(struct restruct *r);

/* The last error: "path:line:col: message", valid until the next call on the handle; NULL: none. */
RESTRUCT_API const char *restruct_error(const struct restruct *r);
/* Remarks: "path:line:col: note: …"; index from 0; NULL behind the last; valid while the handle lives. */
RESTRUCT_API const char *restruct_note(struct restruct *r, size_t index);
/* Path of a file that a record of the last answer stands in, as restruct_note(). */
RESTRUCT_API const char *restruct_file(struct restruct *r, size_t index);
/* Why a target gets no plan: one line a reason, as restruct_note(). */
RESTRUCT_API const char *restruct_refusal(struct restruct *r, size_t index);

/* --- print --- */

/* What a mail around a patch says besides; all of it may be 0 or NULL. */
struct restruct_mail_options {
	const char *subject;      /* instead of the one made from the plan */
	const char *fixes;        /* a commit that the repository knows, or the text for a Fixes: line */
	const char *const *links; /* for Link: lines */
	size_t n_links;
	const char *const *words; /* of the command, quoted for a shell, without the program's name */
	size_t n_words;
	int sign_off;   /* a Signed-off-by: line with the author whom git names */
	long long date; /* seconds since 1970; 0: SOURCE_DATE_EPOCH, else now */
};

struct restruct_print_options {
	/* "text" (NULL: the same), "json"; "mbox" for a patch; "markdown", "sarif", "github" and "rdjson" for a
	 * check, and "baseline": the text of the baseline as it would be with these layouts */
	const char *format;
	const char *dialect; /* of a guard: "c11" (NULL: the same), "kernel", "table" */
	int hex;             /* offsets and sizes in hexadecimal, in text */
	int color;           /* ANSI colours, in text */
	int verbose;
	const struct restruct_mail_options *mail; /* for "mbox"; NULL: nothing but what git knows */
};
/* Whether restruct_print() knows the format. */
RESTRUCT_API int restruct_has_format(const char *name);
/* The answer to the last question: the layout, the plans, or the unified diff. options NULL: plain text.
 * *ret_length (may be NULL) is its length. NULL: nothing was asked yet, or no such format (restruct_error()).
 */
RESTRUCT_API char *restruct_print(struct restruct *r, const struct restruct_print_options *options,
				  size_t *ret_length);

#ifdef __cplusplus
}
#endif
#endif

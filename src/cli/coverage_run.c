#include "cli/coverage_run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

enum { MOST_DEPTH = 32 }; /* of folders that are searched for counts */

static const char clang_flags[] = "-fprofile-instr-generate -fcoverage-mapping -fprofile-update=atomic";
static const char gcc_flags[] = "--coverage -fprofile-update=atomic -O0";

/* 'a b' for the shell, whatever is in it. */
static void quote(struct rs_builder *out, const char *word)
{
	rs_builder_appendc(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			rs_builder_appends(out, "'\\''");
		else
			rs_builder_appendc(out, *word);
	rs_builder_appendc(out, '\'');
}

static int run_shell(const char *command)
{
	int status = system(command);

	if (status == -1)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static bool is_installed(struct rs_arena *arena, const char *tool)
{
	return run_shell(rs_arena_printf(arena, "command -v %s >/dev/null 2>&1", tool)) == 0;
}

/* A tool of LLVM may only be there with its version behind the name. */
static struct rs_error *find_tool(struct rs_arena *arena, const char *name, const char **ret_tool)
{
	enum { NEWEST = 30, OLDEST = 9 };

	*ret_tool = name;
	if (is_installed(arena, name))
		return NULL;
	for (int version = NEWEST; version >= OLDEST; version--) {
		*ret_tool = rs_arena_printf(arena, "%s-%d", name, version);
		if (is_installed(arena, *ret_tool))
			return NULL;
	}
	return rs_error_create(RS_ERROR_NOT_FOUND, NULL, 0, 0,
			       "%s is not installed (it belongs to %s): without it counts cannot be read", name,
			       strncmp(name, "llvm", 4) == 0 ? "LLVM; Debian: llvm" : "gcc");
}

/* --- files --- */

struct search {
	struct rs_arena *arena;
	const char *ending;
	struct rs_list *found;
};

static bool ends_with(const char *name, const char *ending)
{
	size_t length = strlen(name), end = strlen(ending);

	return length > end && strcmp(name + length - end, ending) == 0;
}

static void search_folder(const struct search *search, const char *folder, unsigned depth)
{
	DIR *directory = opendir(folder);
	const struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		const char *path = rs_arena_printf(search->arena, "%s/%s", folder, entry->d_name);
		struct stat status;

		if (entry->d_name[0] == '.' || lstat(path, &status) != 0)
			continue;
		if (S_ISDIR(status.st_mode) && depth < MOST_DEPTH)
			search_folder(search, path, depth + 1);
		else if (S_ISREG(status.st_mode) && ends_with(path, search->ending))
			*rs_array_push(search->arena, search->found->items, search->found->n_items,
				       search->found->items_capacity) = path;
	}
	if (directory)
		closedir(directory);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static struct rs_list find_files(struct rs_arena *arena, const char *folder, const char *ending)
{
	struct rs_list found = { 0 };
	const struct search search = { arena, ending, &found };

	search_folder(&search, folder, 0);
	if (found.n_items > 0)
		qsort(found.items, found.n_items, sizeof *found.items, compare_names);
	return found;
}

static struct rs_error *make_folder(struct rs_arena *arena, const char **ret_folder)
{
	const char *parent = getenv("TMPDIR");
	char *folder = rs_arena_printf(arena, "%s/restruct-XXXXXX", parent && *parent ? parent : "/tmp");

	if (!mkdtemp(folder))
		return rs_error_create(RS_ERROR_IO, folder, 0, 0, "cannot make a temporary folder: %s",
				       strerror(errno));
	*ret_folder = folder;
	return NULL;
}

void rs_coverage_run_clean(struct rs_arena *arena, struct rs_coverage_run *run)
{
	struct rs_list files;

	if (!run->folder)
		return;
	files = find_files(arena, run->folder, "");
	for (size_t i = 0; i < files.n_items; i++)
		(void)unlink(files.items[i]);
	(void)rmdir(run->folder);
}

/* --- the program, and then the tools --- */

static struct rs_error *check_success(int status, const char *what)
{
	if (status == 0)
		return NULL;
	return rs_error_create(RS_ERROR_IO, NULL, 0, 0, "%s ended with status %d", what, status);
}

static struct rs_error *export_llvm(struct rs_arena *arena, const struct rs_options *options,
				    struct rs_coverage_run *run)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder merge = { 0 }, export = { 0 };
	const char *merger, *exporter, *output = rs_arena_printf(arena, "%s/export.json", run->folder);
	const char *data = rs_arena_printf(arena, "%s/all.profdata", run->folder);
	struct rs_list raw = find_files(arena, run->folder, ".profraw");

	if (raw.n_items == 0)
		return rs_error_create(RS_ERROR_NOT_FOUND, NULL, 0, 0,
				       "the run wrote no counts: build the program and link it with %s",
				       clang_flags);
	RS_TRY(find_tool(arena, "llvm-profdata", &merger));
	RS_TRY(find_tool(arena, "llvm-cov", &exporter));
	rs_builder_printf(&merge, "%s merge -sparse -o ", merger);
	quote(&merge, data);
	for (size_t i = 0; i < raw.n_items; i++) {
		rs_builder_appendc(&merge, ' ');
		quote(&merge, raw.items[i]);
	}
	RS_TRY(check_success(run_shell(merge.data), "llvm-profdata merge"));
	rs_builder_printf(&export, "%s export ", exporter);
	for (size_t i = 0; i < options->binaries.n_items; i++) {
		rs_builder_appends(&export, i > 0 ? " -object " : "");
		quote(&export, options->binaries.items[i]);
	}
	rs_builder_appends(&export, " -instr-profile=");
	quote(&export, data);
	rs_builder_appends(&export, " > ");
	quote(&export, output);
	RS_TRY(check_success(run_shell(export.data), "llvm-cov export"));
	*rs_array_push(arena, run->exports.items, run->exports.n_items, run->exports.items_capacity) = output;
	return NULL;
}

static struct rs_error *export_gcov(struct rs_arena *arena, const struct rs_options *options,
				    struct rs_coverage_run *run)
{
	const char *folder = options->build_directory ? options->build_directory : ".", *tool;
	struct rs_list counts = find_files(arena, rs_path_canonical(arena, folder), ".gcda");

	if (counts.n_items == 0)
		return rs_error_create(
			RS_ERROR_NOT_FOUND, folder, 0, 0,
			"the run left no .gcda file there: build the program with %s (gcc), or with "
			"%s (clang) and name it with --binary",
			gcc_flags, clang_flags);
	RS_TRY(find_tool(arena, "gcov", &tool));
	for (size_t i = 0; i < counts.n_items; i++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder command = { 0 };
		const char *output = rs_arena_printf(arena, "%s/%zu.json", run->folder, i);

		rs_builder_printf(&command, "cd ");
		quote(&command, rs_path_directory(arena, counts.items[i]));
		rs_builder_printf(&command, " && %s --json-format --stdout ", tool);
		quote(&command, counts.items[i]);
		rs_builder_appends(&command, " > ");
		quote(&command, output);
		RS_TRY(check_success(run_shell(command.data), "gcov"));
		*rs_array_push(arena, run->exports.items, run->exports.n_items, run->exports.items_capacity) =
			output;
	}
	return NULL;
}

static struct rs_error *run_program(struct rs_arena *arena, const struct rs_options *options,
				    const struct rs_coverage_run *run)
{
	const char *pattern = rs_arena_printf(arena, "%s/%%p-%%m.profraw", run->folder);
	const char *before = getenv("LLVM_PROFILE_FILE");
	const char *kept = before ? rs_arena_strdup(arena, before) : NULL;

	if (!options->quiet)
		fprintf(stderr,
			"restruct: the program must be built and linked with\nrestruct:   clang: %s\nrestruct: "
			"  gcc:   "
			"%s\n",
			clang_flags, gcc_flags);
	setenv("LLVM_PROFILE_FILE", pattern, 1);
	/* Our own stdout is for the profile. */
	int status = run_shell(rs_arena_printf(arena, "exec >&2\n%s", options->run));
	if (kept)
		setenv("LLVM_PROFILE_FILE", kept, 1);
	else
		unsetenv("LLVM_PROFILE_FILE");
	return check_success(status, "the command of --run");
}

struct rs_error *rs_coverage_run(struct rs_arena *arena, const struct rs_options *options,
				 struct rs_coverage_run *ret_run)
{
	RS_TRY(make_folder(arena, &ret_run->folder));
	RS_TRY(run_program(arena, options, ret_run));
	return options->binaries.n_items > 0 ? export_llvm(arena, options, ret_run)
					     : export_gcov(arena, options, ret_run);
}

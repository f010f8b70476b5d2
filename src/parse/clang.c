#include "parse/clang.h"

#include <clang-c/Index.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static const char version_prefix[] = "clang version ";
static char version_text[sizeof version_prefix + 32] = "clang version ";
static pthread_once_t version_once = PTHREAD_ONCE_INIT;

/* "Debian clang version 14.0.6" and "clang version 19.1.7 (1~deb12u1)" alike. */
static void read_version(void)
{
	CXString full = clang_getClangVersion();
	const char *at = strstr(clang_getCString(full), version_prefix);
	const size_t prefix_length = sizeof version_prefix - 1;

	if (at) {
		size_t length = prefix_length + strspn(at + prefix_length, "0123456789.");

		if (length < sizeof version_text)
			memcpy(version_text, at, length);
	}
	clang_disposeString(full);
}

const char *rs_clang_name(void)
{
	pthread_once(&version_once, read_version);
	return version_text;
}

const char *rs_clang_version(void)
{
	return rs_clang_name() + sizeof version_prefix - 1;
}

unsigned rs_clang_major(void)
{
	return (unsigned)strtoul(rs_clang_version(), NULL, 10);
}

static bool has_headers(struct rs_arena *arena, const char *directory)
{
	return rs_file_exists(rs_arena_printf(arena, "%s/include/stddef.h", directory));
}

/* parent/clang/14.0.6 up to version 15, parent/clang/16 from then on. */
static char *find_below(struct rs_arena *arena, const char *parent)
{
	char *full = rs_arena_printf(arena, "%s/clang/%s", parent, rs_clang_version());
	char *major = rs_arena_printf(arena, "%s/clang/%u", parent, rs_clang_major());

	if (has_headers(arena, full))
		return full;
	return has_headers(arena, major) ? major : NULL;
}

/* Through the symbol: the address in a program that is not position-independent may be its own stub. */
static char *find_beside_library(struct rs_arena *arena)
{
	Dl_info info;
	const void *symbol = dlsym(RTLD_DEFAULT, "clang_createIndex");

	if (!symbol || dladdr(symbol, &info) == 0 || !info.dli_fname)
		return NULL;
	return find_below(arena, rs_path_directory(arena, rs_path_canonical(arena, info.dli_fname)));
}

static char *find_in_usual_places(struct rs_arena *arena)
{
	const char *parents[] = {
		rs_arena_printf(arena, "/usr/lib/llvm-%u/lib", rs_clang_major()),
		rs_arena_printf(arena, "/usr/lib/llvm/%u/lib", rs_clang_major()),
		"/usr/lib",
		"/usr/lib64",
		"/usr/local/lib",
	};

	for (size_t i = 0; i < RS_COUNT_OF(parents); i++) {
		char *found = find_below(arena, parents[i]);

		if (found)
			return found;
	}
	return NULL;
}

static char *ask_program(struct rs_arena *arena, const char *command)
{
	char line[4096] = "";
	FILE *output = popen(command, "r");

	if (!output)
		return NULL;
	bool got = fgets(line, sizeof line, output) != NULL;
	pclose(output);
	line[strcspn(line, "\n")] = '\0';
	return got && line[0] == '/' && has_headers(arena, line) ? rs_arena_strdup(arena, line) : NULL;
}

/* Another version's headers do not fit: they use builtins that this libclang may lack. */
static bool is_of_this_version(const char *directory)
{
	return (unsigned)strtoul(rs_path_basename(directory), NULL, 10) == rs_clang_major();
}

static char *ask_clang(struct rs_arena *arena)
{
	const char *commands[] = {
		rs_arena_printf(arena, "clang-%u -print-resource-dir 2>/dev/null", rs_clang_major()),
		"clang -print-resource-dir 2>/dev/null",
	};

	for (size_t i = 0; i < RS_COUNT_OF(commands); i++) {
		char *found = ask_program(arena, commands[i]);

		if (found && is_of_this_version(found))
			return found;
	}
	return NULL;
}

static struct rs_error *take_named(struct rs_arena *arena, const char *directory, const char *origin,
				   const char **ret_directory)
{
	if (!has_headers(arena, directory))
		return rs_error_create(RS_ERROR_NOT_FOUND, directory, 0, 0,
				       "%s names no resource directory of clang: it has no include/stddef.h",
				       origin);
	*ret_directory = rs_path_canonical(arena, directory);
	return NULL;
}

struct rs_error *rs_clang_resource_directory(struct rs_arena *arena, const char *requested,
					     const char **ret_directory)
{
	const char *environment = getenv("RESTRUCT_RESOURCE_DIR");
	char *found;

	if (requested)
		return take_named(arena, requested, "the option", ret_directory);
	if (environment && *environment)
		return take_named(arena, environment, "RESTRUCT_RESOURCE_DIR", ret_directory);
	found = find_beside_library(arena);
	if (!found)
		found = find_in_usual_places(arena);
	if (!found)
		found = ask_clang(arena);
	if (!found)
		return rs_error_create(RS_ERROR_NOT_FOUND, NULL, 0, 0,
				       "the headers of clang %s itself (stddef.h) are not installed (Debian: "
				       "libclang-common-%u-dev); RESTRUCT_RESOURCE_DIR may name their folder",
				       rs_clang_version(), rs_clang_major());
	*ret_directory = found;
	return NULL;
}

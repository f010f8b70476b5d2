#include "text/git.h"

#include <git2.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { CITED_DIGITS = 12 };

static void start(void)
{
	git_libgit2_init();
}

void rs_git_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, start);
}

static void free_repository(git_repository **repository)
{
	git_repository_free(*repository);
}

static void free_config(git_config **config)
{
	git_config_free(*config);
}

static void free_object(git_object **object)
{
	git_object_free(*object);
}

static void free_buffer(git_buf *buffer)
{
	git_buf_dispose(buffer);
}

/* NULL when path lies in no repository. */
static git_repository *open_repository(struct rs_arena *arena, const char *path)
{
	char *folder = rs_path_canonical(arena, path);
	git_repository *repository = NULL;

	rs_git_start();
	if (!rs_file_is_directory(folder))
		folder = rs_path_directory(arena, folder);
	if (git_repository_open_ext(&repository, folder, 0, NULL) < 0)
		return NULL;
	return repository;
}

static const char *read_setting(struct rs_arena *arena, git_config *config, const char *key)
{
	RS_CLEANUP(free_buffer) git_buf value = { 0 };

	if (!config || git_config_get_string_buf(&value, config, key) < 0 || value.size == 0)
		return NULL;
	return rs_arena_strdup(arena, value.ptr);
}

static const char *read_variable(struct rs_arena *arena, const char *name)
{
	const char *value = getenv(name);

	return value && *value ? rs_arena_strdup(arena, value) : NULL;
}

void rs_git_find_identity(struct rs_arena *arena, const char *path, struct rs_git_identity *ret_identity)
{
	RS_CLEANUP(free_repository) git_repository *repository = open_repository(arena, path);
	RS_CLEANUP(free_config) git_config *config = NULL;
	const char *name = read_variable(arena, "GIT_AUTHOR_NAME");
	const char *email = read_variable(arena, "GIT_AUTHOR_EMAIL");
	int status = repository ? git_repository_config_snapshot(&config, repository)
				: git_config_open_default(&config);

	if (status < 0)
		config = NULL;
	/* Values can be read as strings of a snapshot only; as buffers of either. */
	name = name ? name : read_setting(arena, config, "author.name");
	name = name ? name : read_setting(arena, config, "user.name");
	email = email ? email : read_setting(arena, config, "author.email");
	email = email ? email : read_setting(arena, config, "user.email");
	*ret_identity = (struct rs_git_identity) { .name = name, .email = email };
}

struct rs_error *rs_git_cite(struct rs_arena *arena, const char *path, const char *revision,
			     const char **ret_citation)
{
	RS_CLEANUP(free_repository) git_repository *repository = open_repository(arena, path);
	RS_CLEANUP(free_object) git_object *object = NULL, *commit = NULL;
	char digits[CITED_DIGITS + 1];

	if (!repository)
		return rs_error_create(RS_ERROR_USAGE, path, 0, 0,
				       "not in a git repository, so '%s' is no commit", revision);
	if (git_revparse_single(&object, repository, revision) < 0 ||
	    git_object_peel(&commit, object, GIT_OBJECT_COMMIT) < 0)
		return rs_error_create(RS_ERROR_USAGE, path, 0, 0, "the repository has no commit '%s'",
				       revision);
	const char *subject = git_commit_summary((git_commit *)commit);
	*ret_citation = rs_arena_printf(arena, "%s (\"%s\")",
					git_oid_tostr(digits, sizeof digits, git_object_id(commit)),
					subject ? subject : "");
	return NULL;
}

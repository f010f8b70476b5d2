#include <git2.h>
#include <string.h>

#include "base/file.h"
#include "text/git.h"

enum { LARGEST_TEXT = 16 << 20 };

/* A repository being read. */
struct range {
	struct rs_arena *arena;
	git_repository *repository;
	const char *top; /* of the working tree */
	struct rs_git_changes *changes;
};

static void range_deinit(struct range *range)
{
	git_repository_free(range->repository);
}

static void free_object(git_object **object)
{
	git_object_free(*object);
}

static void free_diff(git_diff **diff)
{
	git_diff_free(*diff);
}

static void free_index(git_index **index)
{
	git_index_free(*index);
}

static struct rs_error *failure(const char *path, const char *what)
{
	const git_error *last = git_error_last();

	return rs_error_create(RS_ERROR_USAGE, path, 0, 0, "%s: %s", what,
			       last ? last->message : "unknown reason");
}

static struct rs_error *open_range(struct rs_arena *arena, const char *path, struct rs_git_changes *changes,
				   struct range *ret_range)
{
	const char *folder = rs_path_canonical(arena, path);
	size_t length;

	rs_git_start();
	*changes = (struct rs_git_changes) { 0 };
	*ret_range = (struct range) { .arena = arena, .changes = changes };
	if (!rs_file_is_directory(folder))
		folder = rs_path_directory(arena, folder);
	if (git_repository_open_ext(&ret_range->repository, folder, 0, NULL) < 0 ||
	    !git_repository_workdir(ret_range->repository))
		return failure(path, "in no git repository with a working tree");
	ret_range->top = rs_arena_strdup(arena, git_repository_workdir(ret_range->repository));
	length = strlen(ret_range->top);
	if (length > 1 && ret_range->top[length - 1] == '/')
		ret_range->top = rs_arena_strndup(arena, ret_range->top, length - 1);
	return NULL;
}

/* Gives NULL where there is no such file, and for what is no text. */
static const char *read_blob(const struct range *range, const git_diff_file *file, size_t *ret_size)
{
	git_blob *blob = NULL;
	const char *text = NULL;

	*ret_size = 0;
	if (git_oid_is_zero(&file->id) ||
	    (file->mode != GIT_FILEMODE_BLOB && file->mode != GIT_FILEMODE_BLOB_EXECUTABLE) ||
	    git_blob_lookup(&blob, range->repository, &file->id) < 0)
		return NULL;
	if (git_blob_rawsize(blob) <= LARGEST_TEXT && !git_blob_is_binary(blob)) {
		*ret_size = (size_t)git_blob_rawsize(blob);
		text = rs_arena_strndup(range->arena, (const char *)git_blob_rawcontent(blob), *ret_size);
	}
	git_blob_free(blob);
	return text;
}

static void take_changes(const struct range *range, git_diff *diff)
{
	struct rs_git_changes *changes = range->changes;

	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *delta = git_diff_get_delta(diff, i);
		struct rs_git_change change = { .path = rs_path_absolute(range->arena, range->top,
									 delta->new_file.path) };

		change.old_text = read_blob(range, &delta->old_file, &change.old_size);
		change.new_text = read_blob(range, &delta->new_file, &change.new_size);
		if (change.old_text || change.new_text)
			*rs_array_push(range->arena, changes->items, changes->n_items,
				       changes->items_capacity) = change;
	}
}

/* What the working tree has otherwise than the revision. Files that only the working tree has cannot be hidden.
 */
static void take_texts(const struct range *range, git_diff *diff, struct rs_git_text **texts, size_t *n_texts,
		       size_t *capacity)
{
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++) {
		const git_diff_delta *delta = git_diff_get_delta(diff, i);
		struct rs_git_text text = { 0 };

		text.text = read_blob(range, &delta->old_file, &text.size);
		if (!text.text)
			continue;
		text.path = rs_path_absolute(range->arena, range->top, delta->old_file.path);
		*rs_array_push(range->arena, *texts, *n_texts, *capacity) = text;
	}
}

static struct rs_error *take_tree_texts(const struct range *range, git_tree *tree, struct rs_git_text **texts,
					size_t *n_texts, size_t *capacity)
{
	RS_CLEANUP(free_diff) git_diff *diff = NULL;

	if (git_diff_tree_to_workdir(&diff, range->repository, tree, NULL) < 0)
		return failure(range->top, "cannot compare with the working tree");
	take_texts(range, diff, texts, n_texts, capacity);
	return NULL;
}

static struct rs_error *read_trees(const struct range *range, git_tree *before, git_tree *after)
{
	RS_CLEANUP(free_diff) git_diff *diff = NULL;
	struct rs_git_changes *changes = range->changes;

	if (git_diff_tree_to_tree(&diff, range->repository, before, after, NULL) < 0)
		return failure(range->top, "cannot compare the revisions");
	take_changes(range, diff);
	RS_TRY(take_tree_texts(range, before, &changes->old_texts, &changes->n_old_texts,
			       &changes->old_texts_capacity));
	return take_tree_texts(range, after, &changes->new_texts, &changes->n_new_texts,
			       &changes->new_texts_capacity);
}

/* The commit of a revision, or the tree that comes before the first commit: NULL. */
static struct rs_error *find_commit(const struct range *range, const char *revision, git_object **ret_commit)
{
	RS_CLEANUP(free_object) git_object *object = NULL;

	if (git_revparse_single(&object, range->repository, revision) < 0 ||
	    git_object_peel(ret_commit, object, GIT_OBJECT_COMMIT) < 0)
		return rs_error_create(RS_ERROR_USAGE, range->top, 0, 0, "the repository has no commit '%s'",
				       revision);
	return NULL;
}

static struct rs_error *find_merge_base(const struct range *range, git_object **commit, const git_object *other)
{
	git_oid base;

	if (git_merge_base(&base, range->repository, git_object_id(*commit), git_object_id(other)) < 0)
		return failure(range->top, "the revisions have no commit in common");
	git_object_free(*commit);
	*commit = NULL;
	if (git_object_lookup(commit, range->repository, &base, GIT_OBJECT_COMMIT) < 0)
		return failure(range->top, "cannot read the commit that the revisions have in common");
	return NULL;
}

static struct rs_error *find_parent(const struct range *range, const char *revision, git_object **ret_parent)
{
	struct rs_error *error =
		find_commit(range, rs_arena_printf(range->arena, "%s^1", revision), ret_parent);

	if (!error || !git_repository_is_shallow(range->repository))
		return error;
	rs_error_destroy(error);
	return rs_error_create(RS_ERROR_USAGE, range->top, 0, 0,
			       "the repository is shallow: what came before '%s' is not in it", revision);
}

static struct rs_error *find_ends(const struct range *range, const char *text, git_object **before,
				  git_object **after)
{
	const char *dots = strstr(text, "..");
	bool since_base = dots && dots[2] == '.';

	if (!dots) {
		RS_TRY(find_commit(range, text, after));
		if (git_commit_parentcount((git_commit *)*after) == 0)
			return NULL;
		return find_parent(range, text, before);
	}
	const char *first = rs_arena_strndup(range->arena, text, (size_t)(dots - text));
	const char *second = dots + (since_base ? 3 : 2);
	RS_TRY(find_commit(range, *first ? first : "HEAD", before));
	RS_TRY(find_commit(range, *second ? second : "HEAD", after));
	return since_base ? find_merge_base(range, before, *after) : NULL;
}

struct rs_error *rs_git_read_range(struct rs_arena *arena, const char *path, const char *text,
				   struct rs_git_changes *ret_changes)
{
	RS_CLEANUP(range_deinit) struct range range = { 0 };
	RS_CLEANUP(free_object) git_object *before = NULL, *after = NULL;
	RS_CLEANUP(free_object) git_object *old_tree = NULL, *new_tree = NULL;

	RS_TRY(open_range(arena, path, ret_changes, &range));
	RS_TRY(find_ends(&range, text, &before, &after));
	if ((before && git_object_peel(&old_tree, before, GIT_OBJECT_TREE) < 0) ||
	    git_object_peel(&new_tree, after, GIT_OBJECT_TREE) < 0)
		return failure(path, "cannot read the tree of a commit");
	return read_trees(&range, (git_tree *)old_tree, (git_tree *)new_tree);
}

struct rs_error *rs_git_read_staged(struct rs_arena *arena, const char *path,
				    struct rs_git_changes *ret_changes)
{
	RS_CLEANUP(range_deinit) struct range range = { 0 };
	RS_CLEANUP(free_object) git_object *head = NULL;
	RS_CLEANUP(free_index) git_index *index = NULL;
	RS_CLEANUP(free_diff) git_diff *staged = NULL, *rest = NULL;

	RS_TRY(open_range(arena, path, ret_changes, &range));
	if (git_revparse_single(&head, range.repository, "HEAD^{tree}") < 0)
		head = NULL; /* nothing was committed yet */
	if (git_repository_index(&index, range.repository) < 0 ||
	    git_diff_tree_to_index(&staged, range.repository, (git_tree *)head, index, NULL) < 0 ||
	    git_diff_index_to_workdir(&rest, range.repository, index, NULL) < 0)
		return failure(path, "cannot read what is staged");
	take_changes(&range, staged);
	take_texts(&range, rest, &ret_changes->new_texts, &ret_changes->n_new_texts,
		   &ret_changes->new_texts_capacity);
	return take_tree_texts(&range, (git_tree *)head, &ret_changes->old_texts, &ret_changes->n_old_texts,
			       &ret_changes->old_texts_capacity);
}

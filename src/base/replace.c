#include "base/replace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/journal.h"
#include "base/stage.h"

/* A set of files on its way. */
struct set {
	struct rs_arena *arena;
	const struct rs_replacement *replacements;
	struct rs_staged *staged;
	struct rs_journal_entry *entries;
	size_t count;
	struct rs_journal journal;
	struct rs_interrupt interrupt;
};

static bool is_same_file(const struct rs_staged *a, const struct rs_staged *b)
{
	return a->status.st_dev == b->status.st_dev && a->status.st_ino == b->status.st_ino;
}

static struct rs_error *check_distinct(const struct rs_staged *staged, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < i; j++)
			if (is_same_file(&staged[i], &staged[j]))
				return rs_error_create(RS_ERROR_IO, staged[i].path, 0, 0,
						       "cannot write: the same file as %s", staged[j].path);
	return NULL;
}

static struct rs_error *find_targets(struct set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rs_replacement *replacement = &set->replacements[i];
		struct rs_staged *staged = &set->staged[i];

		RS_TRY(rs_stage_find_target(set->arena, replacement->path, staged));
		if (!staged->exists)
			return rs_stage_error(replacement->path, "write", ENOENT);
		set->entries[i] = (struct rs_journal_entry) {
			.old_hash = replacement->expected_hash,
			.new_hash = rs_hash_bytes(replacement->text, replacement->size),
			.target = staged->target,
			.temporary = rs_stage_name(set->arena, staged->target),
			.backup = rs_stage_name(set->arena, staged->target),
		};
	}
	return check_distinct(set->staged, set->count);
}

static struct rs_error *check_interrupt(const struct set *set)
{
	if (!rs_interrupt_is_waiting(&set->interrupt))
		return NULL;
	return rs_error_create(RS_ERROR_IO, NULL, 0, 0, "interrupted; nothing was written");
}

/* A second name for the original, so that it can be put back; a copy where the file system has no links. */
static struct rs_error *back_up(struct set *set, size_t index, const char *text, size_t size)
{
	struct rs_staged *staged = &set->staged[index];
	const char *name = set->entries[index].backup;

	if (rs_stage_fails(RS_FILE_LINK, staged->path) || link(staged->target, name) < 0)
		RS_TRY(rs_stage_bytes(staged, name, text, size));
	staged->backup = rs_arena_strdup(set->arena, name);
	return NULL;
}

static struct rs_error *check_unchanged(struct set *set, size_t index)
{
	const struct rs_replacement *replacement = &set->replacements[index];
	char *text;
	size_t size;

	RS_TRY(rs_file_read(set->arena, set->staged[index].target, &text, &size));
	if (rs_hash_bytes(text, size) != replacement->expected_hash)
		return rs_error_create(RS_ERROR_CHANGED, replacement->path, 0, 0,
				       "the file has changed since it was analysed; nothing was written");
	return set->count > 1 ? back_up(set, index, text, size) : NULL;
}

static struct rs_error *prepare(struct set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		struct rs_staged *staged = &set->staged[i];

		RS_TRY(rs_stage_bytes(staged, set->entries[i].temporary, set->replacements[i].text,
				      set->replacements[i].size));
		staged->temporary = rs_arena_strdup(set->arena, set->entries[i].temporary);
		RS_TRY(check_interrupt(set));
	}
	for (size_t i = 0; i < set->count; i++)
		RS_TRY(check_unchanged(set, i));
	for (size_t i = 0; i < set->count; i++)
		rs_stage_sync_directory(rs_path_directory(set->arena, set->staged[i].target));
	return check_interrupt(set);
}

/* Puts the originals back. Where even that fails the backup and the journal stay for the next run. */
static struct rs_error *roll_back(struct set *set, struct rs_error *error)
{
	for (size_t i = set->count; i-- > 0;) {
		struct rs_staged *staged = &set->staged[i];

		if (!staged->is_renamed)
			continue;
		if (rs_stage_fails(RS_FILE_RESTORE, staged->path) ||
		    rename(staged->backup, staged->target) < 0) {
			error = rs_error_prefix(error, "%s could not be put back (%s), its old text is in %s",
						staged->path, strerror(errno), staged->backup);
			rs_journal_close(&set->journal);
		}
		staged->backup = NULL;
	}
	return error;
}

static struct rs_error *rename_all(struct set *set)
{
	struct rs_error *error = NULL;

	for (size_t i = 0; i < set->count && !error; i++)
		error = rs_stage_rename(&set->staged[i]);
	return error && set->count > 1 ? roll_back(set, error) : error;
}

static void clean_up(struct set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->staged[i].is_renamed)
			rs_stage_sync_directory(rs_path_directory(set->arena, set->staged[i].target));
	for (size_t i = 0; i < set->count; i++) {
		rs_stage_remove(&set->staged[i].temporary);
		rs_stage_remove(&set->staged[i].backup);
	}
	rs_journal_end(&set->journal);
}

static struct rs_error *replace(struct set *set)
{
	RS_TRY(find_targets(set));
	RS_TRY(rs_journal_begin(set->arena, rs_journal_folder(set->arena, set->entries, set->count),
				set->entries, set->count, &set->journal));
	struct rs_error *error = prepare(set);
	if (!error)
		error = rename_all(set);
	clean_up(set);
	return error;
}

struct rs_error *rs_replace_files(const struct rs_replacement *replacements, size_t count)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_interrupt_release) struct rs_interrupt interrupt = { 0 };
	struct set set = {
		.arena = arena, .replacements = replacements, .count = count, .journal = { .fd = -1 }
	};

	if (count == 0)
		return NULL;
	set.staged = rs_arena_array(arena, struct rs_staged, count);
	set.entries = rs_arena_array(arena, struct rs_journal_entry, count);
	rs_interrupt_hold(&interrupt);
	set.interrupt = interrupt;
	return replace(&set);
}

#include "base/settle.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/journal.h"
#include "base/stage.h"

enum state {
	STATE_OLD,    /* not replaced; perhaps changed by somebody since */
	STATE_NEW,    /* replaced */
	STATE_EDITED, /* replaced and then changed by somebody, or gone */
};

struct set {
	struct rs_arena *arena;
	struct rs_notes *notes;
	struct rs_journal *journal;
	struct rs_journal_entry *entries;
	enum state *states;
	size_t count, n_old, n_new, n_edited;
};

static bool has_hash(struct rs_arena *arena, const char *path, uint64_t hash)
{
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = NULL;
	char *text;
	size_t size;

	if (!rs_file_exists(path))
		return false;
	error = rs_file_read(arena, path, &text, &size);
	return !error && rs_hash_bytes(text, size) == hash;
}

/* The temporary becomes the target, so that where it is left the target was not replaced. Without it only a
 * backup can tell a file that was replaced and edited from one that was not reached. */
static enum state state_of(struct rs_arena *arena, const struct rs_journal_entry *entry)
{
	if (has_hash(arena, entry->target, entry->old_hash))
		return STATE_OLD;
	if (has_hash(arena, entry->target, entry->new_hash))
		return STATE_NEW;
	return !rs_file_exists(entry->temporary) && rs_file_exists(entry->backup) ? STATE_EDITED : STATE_OLD;
}

static void find_states(struct set *set)
{
	set->states = rs_arena_array(set->arena, enum state, set->count);
	for (size_t i = 0; i < set->count; i++) {
		set->states[i] = state_of(set->arena, &set->entries[i]);
		set->n_old += set->states[i] == STATE_OLD;
		set->n_new += set->states[i] == STATE_NEW;
		set->n_edited += set->states[i] == STATE_EDITED;
	}
}

/* Whether every file of that state has, under the other name, the text that it is to get. */
static bool has_texts(const struct set *set, enum state state)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rs_journal_entry *entry = &set->entries[i];

		if (set->states[i] != state)
			continue;
		if (state == STATE_NEW ? !has_hash(set->arena, entry->backup, entry->old_hash)
				       : !has_hash(set->arena, entry->temporary, entry->new_hash) ||
						 !has_hash(set->arena, entry->target, entry->old_hash))
			return false;
	}
	return true;
}

static struct rs_error *move_all(const struct set *set, enum state state)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rs_journal_entry *entry = &set->entries[i];
		const char *from = state == STATE_NEW ? entry->backup : entry->temporary;

		if (set->states[i] != state)
			continue;
		if (rs_stage_fails(RS_FILE_RESTORE, entry->target) || rename(from, entry->target) < 0)
			return rs_error_create(
				RS_ERROR_IO, entry->target, 0, 0,
				"a run was killed while it changed files, and this one cannot be "
				"put right: %s (its text is in %s)",
				strerror(errno), from);
		rs_notes_add(
			set->notes, RS_NOTE_WARNING, entry->target, 0, 0,
			state == STATE_NEW
				? "a run was killed while it changed this file and others: put back as it was"
				: "a run was killed while it changed this file and others: finished");
	}
	return NULL;
}

static struct rs_error *refuse(const struct set *set)
{
	size_t i = 0;

	while (set->states[i] == STATE_OLD)
		i++;
	return rs_error_create(RS_ERROR_CHANGED, set->entries[i].target, 0, 0,
			       "a run was killed after it changed this file and before it changed others, and "
			       "files were edited "
			       "since: put them right by hand (old texts: %s) and remove %s",
			       set->entries[i].backup, set->journal->path);
}

static void clean_up(const struct set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		char *temporary = rs_arena_strdup(set->arena, set->entries[i].temporary);
		char *backup = rs_arena_strdup(set->arena, set->entries[i].backup);

		rs_stage_sync_directory(rs_path_directory(set->arena, set->entries[i].target));
		rs_stage_remove(&temporary);
		rs_stage_remove(&backup);
	}
	rs_journal_end(set->journal);
}

static struct rs_error *settle_set(struct set *set)
{
	find_states(set);
	if (set->n_old > 0 && set->n_new + set->n_edited > 0) {
		if (set->n_edited == 0 && has_texts(set, STATE_NEW))
			RS_TRY(move_all(set, STATE_NEW));
		else if (set->n_edited == 0 && has_texts(set, STATE_OLD))
			RS_TRY(move_all(set, STATE_OLD));
		else
			return refuse(set);
	} else {
		rs_notes_add(set->notes, RS_NOTE_WARNING, set->journal->path, 0, 0,
			     "a run was killed while it changed files: %s; its temporaries are removed",
			     set->n_old > 0 ? "none was changed" : "all were changed");
	}
	clean_up(set);
	return NULL;
}

static struct rs_error *settle_folder(struct rs_arena *arena, const char *folder, struct rs_notes *notes)
{
	RS_CLEANUP(rs_interrupt_release) struct rs_interrupt interrupt;
	RS_CLEANUP(rs_journal_close) struct rs_journal journal = { .fd = -1 };
	struct set set = { .arena = arena, .notes = notes, .journal = &journal };

	rs_interrupt_hold(&interrupt);
	if (!rs_journal_open(arena, folder, &journal))
		return NULL;
	if (rs_journal_read(arena, &journal, &set.entries, &set.count) && set.count > 0)
		return settle_set(&set);
	rs_journal_end(&journal);
	return NULL;
}

struct rs_error *rs_settle_above(const char *const *paths, size_t n_paths, struct rs_notes *notes)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	for (size_t i = 0; i < n_paths; i++) {
		const char *folder = rs_path_canonical(arena, paths[i]);

		while (strcmp(folder, "/") != 0) {
			folder = rs_path_directory(arena, folder);
			RS_TRY(settle_folder(arena, folder, notes));
		}
	}
	return NULL;
}

#include "base/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/stage.h"

static const char version[] = "restruct-journal 1", end_word[] = "end";

char *rs_journal_folder(struct rs_arena *arena, const struct rs_journal_entry *entries, size_t count)
{
	char *folder = rs_path_directory(arena, entries[0].target);

	for (size_t i = 1; i < count;)
		if (strcmp(folder, "/") == 0 || rs_path_below(entries[i].target, folder) != entries[i].target)
			i++;
		else
			folder = rs_path_directory(arena, folder);
	return folder;
}

static void append_field(struct rs_builder *out, const char *text)
{
	rs_builder_append(out, text, strlen(text) + 1);
}

static void print_journal(struct rs_builder *out, const char *folder, const struct rs_journal_entry *entries,
			  size_t count)
{
	append_field(out, version);
	for (size_t i = 0; i < count; i++) {
		rs_builder_printf(out, "%016" PRIx64, entries[i].old_hash);
		rs_builder_appendc(out, '\0');
		rs_builder_printf(out, "%016" PRIx64, entries[i].new_hash);
		rs_builder_appendc(out, '\0');
		append_field(out, rs_path_below(entries[i].target, folder));
		append_field(out, rs_path_basename(entries[i].temporary));
		append_field(out, rs_path_basename(entries[i].backup));
	}
	append_field(out, end_word);
}

/* Another process may have settled it between our opening and our lock. */
static bool lock_file(const struct rs_journal *journal)
{
	struct stat ours, there;

	return flock(journal->fd, LOCK_EX | LOCK_NB) == 0 && fstat(journal->fd, &ours) == 0 &&
	       lstat(journal->path, &there) == 0 && ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

static struct rs_error *write_journal(const struct rs_journal *journal, const struct rs_builder *text)
{
	const char *path = journal->path;

	if (!lock_file(journal))
		return rs_error_create(RS_ERROR_IO, path, 0, 0, "another run is at work here");
	if (rs_stage_fails(RS_FILE_JOURNAL, path) ||
	    !rs_stage_write_all(journal->fd, path, text->data, text->length) ||
	    !rs_stage_sync(journal->fd, path))
		return rs_stage_error(path, "write", errno);
	rs_stage_sync_directory(journal->folder);
	return NULL;
}

struct rs_error *rs_journal_begin(struct rs_arena *arena, const char *folder,
				  const struct rs_journal_entry *entries, size_t count,
				  struct rs_journal *ret_journal)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_journal journal = {
		.folder = folder,
		.path = rs_arena_printf(arena, "%s/" RS_JOURNAL_NAME, strcmp(folder, "/") == 0 ? "" : folder),
	};

	print_journal(&text, folder, entries, count);
	journal.fd = rs_stage_fails(RS_FILE_JOURNAL, journal.path)
			     ? -1
			     : open(journal.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (journal.fd < 0 && errno == EEXIST)
		return rs_error_create(RS_ERROR_IO, journal.path, 0, 0,
				       "another run changes files here, or was killed while it did");
	if (journal.fd < 0)
		return rs_stage_error(journal.path, "write", errno);
	struct rs_error *error = write_journal(&journal, &text);
	if (error)
		rs_journal_end(&journal);
	else
		*ret_journal = journal;
	return error;
}

static bool is_ours(int fd)
{
	struct stat status;

	return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
	       (status.st_mode & 0077) == 0;
}

bool rs_journal_open(struct rs_arena *arena, const char *folder, struct rs_journal *ret_journal)
{
	struct rs_journal journal = {
		.folder = folder,
		.path = rs_arena_printf(arena, "%s/" RS_JOURNAL_NAME, strcmp(folder, "/") == 0 ? "" : folder),
	};

	journal.fd = open(journal.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (journal.fd < 0)
		return false;
	if (is_ours(journal.fd) && lock_file(&journal)) {
		*ret_journal = journal;
		return true;
	}
	rs_journal_close(&journal);
	return false;
}

struct fields {
	const char *at, *end;
};

static const char *next_field(struct fields *fields)
{
	const char *field = fields->at;
	const char *nul = (const char *)memchr(field, '\0', (size_t)(fields->end - field));

	if (!nul)
		return "";
	fields->at = nul + 1;
	return field;
}

/* A name that this program gives, in one folder. */
static bool is_staged_name(const char *name)
{
	return strncmp(name, RS_STAGE_PREFIX, strlen(RS_STAGE_PREFIX)) == 0 && !strchr(name, '/') &&
	       strcmp(name, RS_JOURNAL_NAME) != 0;
}

static bool read_entry(struct rs_arena *arena, const char *folder, const char *old_hash, struct fields *fields,
		       struct rs_journal_entry *entry)
{
	const char *new_hash = next_field(fields), *target = next_field(fields);
	const char *temporary = next_field(fields), *backup = next_field(fields);

	entry->old_hash = strtoull(old_hash, NULL, 16);
	entry->new_hash = strtoull(new_hash, NULL, 16);
	entry->target = rs_path_absolute(arena, folder, target);
	const char *beside = rs_path_directory(arena, entry->target);
	entry->temporary = rs_arena_printf(arena, "%s/%s", beside, temporary);
	entry->backup = rs_arena_printf(arena, "%s/%s", beside, backup);
	return is_staged_name(temporary) && is_staged_name(backup) && target[0] != '/' &&
	       strcmp(rs_path_canonical(arena, beside), beside) == 0;
}

bool rs_journal_read(struct rs_arena *arena, const struct rs_journal *journal,
		     struct rs_journal_entry **ret_entries, size_t *ret_count)
{
	struct rs_journal_entry *entries = NULL;
	size_t count = 0, capacity = 0, size;
	char *text;
	struct rs_error *error = rs_file_read(arena, journal->path, &text, &size);
	struct fields fields = { text, error ? text : text + size };

	if (error || strcmp(next_field(&fields), version) != 0) {
		rs_error_destroy(error);
		return false;
	}
	for (;;) {
		const char *field = next_field(&fields);

		if (strcmp(field, end_word) == 0)
			break;
		if (*field == '\0' || !read_entry(arena, journal->folder, field, &fields,
						  rs_array_push(arena, entries, count, capacity)))
			return false;
	}
	*ret_entries = entries;
	*ret_count = count;
	return true;
}

void rs_journal_close(struct rs_journal *journal)
{
	if (journal->fd >= 0)
		close(journal->fd);
	journal->fd = -1;
}

void rs_journal_end(struct rs_journal *journal)
{
	if (journal->fd >= 0) {
		(void)rs_stage_fails(RS_FILE_REMOVE, journal->path);
		unlink(journal->path);
	}
	rs_journal_close(journal);
}

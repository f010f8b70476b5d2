#include "session/session_internal.h"

#include <string.h>
#include <sys/stat.h>

#include "session/changes.h"

/* What is emitted into one file. */
struct file_work {
	struct rs_file_result *file;
	size_t *records; /* indices of those with a pick */
	size_t n_records;
	struct rs_session_pick *picks; /* one for each of them */
};

static bool overlaps(const struct rs_session *session, const struct file_work *work,
		     const struct rs_record *record)
{
	for (size_t i = 0; i < work->n_records; i++) {
		struct rs_span other = session->results[work->records[i]].record->span;

		if (record->span.start < other.end && other.start < record->span.end)
			return true;
	}
	return false;
}

/* A struct defined inside another moves with it: the outer one goes first, the inner one waits for another run.
 */
static void defer_nested(struct rs_session *session, struct rs_record_result *result)
{
	const struct rs_record *record = result->record;
	struct rs_position at = rs_source_position(record->source, record->span.start);

	rs_notes_add(&session->notes, RS_NOTE_WARNING, record->source->path, at.line, at.column,
		     "struct '%s' lies inside a struct that is rewritten in the same run: run again for it",
		     record->name);
	result->pick = RS_NONE;
}

static bool is_in_file(const struct rs_record_result *result, const struct rs_file_result *file)
{
	return strcmp(result->record->source->realpath, file->source->realpath) == 0;
}

/* The records of the file that have a pick, without those that lie inside another. */
static void collect_records(struct rs_session *session, struct file_work *work)
{
	work->n_records = 0;
	for (size_t r = 0; r < session->n_records; r++) {
		struct rs_record_result *result = &session->results[r];

		if (!is_in_file(result, work->file) || result->pick == RS_NONE)
			continue;
		if (overlaps(session, work, result->record))
			defer_nested(session, result);
		else
			work->records[work->n_records++] = r;
	}
}

static struct rs_session_pick pick_of(struct rs_session *session, size_t record)
{
	struct rs_record_result *result = &session->results[record];
	struct rs_plan_result *plan = &result->plans[result->pick];

	rs_session_rewrite(session, record, plan);
	return (struct rs_session_pick) { .record = record, .plan = plan };
}

/* All picks of the file at once, verified together. */
static struct rs_error *verify_file(struct rs_session *session, struct file_work *work)
{
	struct rs_session_changes changes;

	collect_records(session, work);
	if (work->n_records == 0)
		return NULL;
	for (size_t i = 0; i < work->n_records; i++)
		work->picks[i] = pick_of(session, work->records[i]);
	rs_changes_collect(session, work->picks, work->n_records, &changes);
	return rs_changes_verify(session, work->file->source, &changes, work->picks, work->n_records);
}

/* When the compiler rejects the whole, the records whose own pick it rejects take another or none. */
static struct rs_error *settle_each(struct rs_session *session, struct file_work *work)
{
	for (size_t i = 0; i < work->n_records; i++)
		RS_TRY(rs_session_settle_pick(session, work->records[i]));
	return verify_file(session, work);
}

static bool embeds(const struct rs_record *record, const struct rs_record *inner)
{
	for (size_t i = 0; i < record->n_members; i++) {
		const struct rs_member *member = &record->members[i];
		const char *type = strncmp(member->type, "struct ", 7) == 0 ? member->type + 7 : member->type;
		size_t length = strlen(inner->name);

		if (strncmp(type, inner->name, length) == 0 &&
		    strcspn(type + length, "*(") == strlen(type + length) &&
		    (type[length] == '\0' || type[length] == ' ' || type[length] == '['))
			return true;
	}
	return false;
}

/* Plans are made record by record: what one gains is not in the figures of another that embeds it. */
static void note_embedding(struct rs_session *session)
{
	for (size_t i = 0; i < session->n_records; i++)
		for (size_t j = 0; j < session->n_records; j++) {
			const struct rs_record *outer = session->results[i].record;
			const struct rs_record *inner = session->results[j].record;

			if (i == j || session->results[i].pick == RS_NONE ||
			    session->results[j].pick == RS_NONE || !embeds(outer, inner))
				continue;
			struct rs_position at = rs_source_position(outer->source, outer->span.start);
			rs_notes_add(
				&session->notes, RS_NOTE_INFO, outer->source->path, at.line, at.column,
				"struct '%s' embeds '%s': its figures are those without that one's change; run "
				"again for more",
				outer->name, inner->name);
		}
}

/* A patch does not show what its plan's report says. */
static void note_remarks(struct rs_session *session)
{
	for (size_t i = 0; i < session->n_records; i++) {
		const struct rs_record_result *result = &session->results[i];
		const struct rs_plan_result *plan =
			result->pick == RS_NONE ? NULL : &result->plans[result->pick];

		for (size_t k = 0; plan && k < plan->n_remarks; k++)
			rs_notes_add(&session->notes, RS_NOTE_WARNING, result->record->source->path,
				     plan->remarks[k].line, 0, "struct '%s': %s (%s)", result->record->name,
				     plan->remarks[k].message, plan->remarks[k].code);
	}
}

static struct rs_error *settle_file(struct rs_session *session, struct rs_file_result *file)
{
	struct file_work work = { .file = file };

	work.records = rs_arena_array(session->arena, size_t, session->n_records);
	work.picks = rs_arena_array(session->arena, struct rs_session_pick, session->n_records);
	struct rs_error *error = verify_file(session, &work);
	if (error && error->code == RS_ERROR_REJECTED) {
		rs_error_destroy(error);
		error = settle_each(session, &work);
	}
	if (error)
		return error;
	for (size_t i = 0; i < work.n_records; i++) {
		struct rs_record_result *result = &session->results[work.records[i]];

		result->plans[result->pick].verified = true;
		RS_TRY(rs_session_count_lines(&result->plans[result->pick]));
	}
	return NULL;
}

static unsigned git_mode(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && (status.st_mode & S_IXUSR) ? 0100755 : 0100644;
}

static void take_texts(struct rs_session *session, const struct rs_session_changes *changes)
{
	for (size_t i = 0; i < session->result.n_files; i++) {
		struct rs_file_result *file = &session->files[i];
		const struct rs_file_change *change = rs_changes_find(changes, file->source->realpath);

		if (!change)
			continue;
		file->new_text = change->new_text;
		file->new_size = change->new_size;
	}
}

/* The records of each file were verified beside the others as they stand; now all of them as they will be. */
static struct rs_error *emit_together(struct rs_session *session)
{
	struct rs_session_pick *picks =
		rs_arena_array(session->arena, struct rs_session_pick, session->n_records);
	const char *first = NULL;
	size_t n_picks = 0;
	bool is_one_file = true;
	struct rs_session_changes changes;

	for (size_t r = 0; r < session->n_records; r++) {
		const struct rs_record_result *result = &session->results[r];
		const char *path = result->record->source->realpath;

		if (result->pick == RS_NONE)
			continue;
		picks[n_picks++] = pick_of(session, r);
		first = first ? first : path;
		is_one_file = is_one_file && strcmp(first, path) == 0;
	}
	rs_changes_collect(session, picks, n_picks, &changes);
	take_texts(session, &changes);
	if (is_one_file)
		return NULL;
	return rs_error_prefix(rs_changes_verify_together(session, &changes),
			       "each file may be changed, but not all at once (emit them one by one)");
}

struct rs_error *rs_session_emit(struct rs_session *session)
{
	struct rs_file_result *files = session->files;

	for (size_t i = 0; i < session->result.n_files; i++) {
		files[i].mode = git_mode(files[i].source->realpath);
		RS_TRY(settle_file(session, &files[i]));
	}
	note_embedding(session);
	note_remarks(session);
	RS_TRY(emit_together(session));
	return session->options.is_series ? rs_session_make_series(session) : NULL;
}

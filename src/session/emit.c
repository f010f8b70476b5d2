#include "session/session_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is emitted into one file. */
struct file_work {
	struct rs_file_result *file;
	size_t *records; /* indices of those with a pick */
	size_t n_records;
	struct rs_verification *verifications; /* one for each of them */
	struct rs_edit *edits;
	size_t n_edits, edits_capacity;
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

static int by_place(const void *a, const void *b)
{
	const struct rs_edit *left = (const struct rs_edit *)a, *right = (const struct rs_edit *)b;

	return (left->span.start > right->span.start) - (left->span.start < right->span.start);
}

static void collect_edits(struct rs_session *session, struct file_work *work)
{
	work->n_edits = 0;
	for (size_t i = 0; i < work->n_records; i++) {
		struct rs_record_result *result = &session->results[work->records[i]];
		struct rs_plan_result *plan = &result->plans[result->pick];

		rs_session_rewrite(session, result->record, plan);
		work->verifications[i] =
			(struct rs_verification) { .record = result->record, .plan = plan->plan };
		for (size_t e = 0; e < plan->n_edits; e++)
			*rs_array_push(session->arena, work->edits, work->n_edits, work->edits_capacity) =
				plan->edits[e];
	}
	qsort(work->edits, work->n_edits, sizeof *work->edits, by_place);
}

static bool is_new_unit(const struct rs_session *session, const struct file_work *work, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (session->records[work->records[i]].tu == session->records[work->records[index]].tu)
			return false;
	return true;
}

/* In each translation unit that shows one of the records: what one shows another may leave out by #if. */
static struct rs_error *verify_in_units(struct rs_session *session, const struct file_work *work,
					const struct rs_builder *text)
{
	for (size_t i = 0; i < work->n_records; i++)
		if (is_new_unit(session, work, i))
			RS_TRY(rs_verify(session->records[work->records[i]].tu, work->file->source, text->data,
					 text->length, work->verifications, work->n_records, work->edits,
					 work->n_edits));
	return NULL;
}

/* All picks of the file at once, verified together. */
static struct rs_error *emit_together(struct rs_session *session, struct file_work *work)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_file_result *file = work->file;

	collect_records(session, work);
	if (work->n_records == 0)
		return NULL;
	collect_edits(session, work);
	rs_edit_apply(file->source, work->edits, work->n_edits, &text);
	RS_TRY(verify_in_units(session, work, &text));
	file->new_text = rs_arena_strndup(session->arena, text.data, text.length);
	file->new_size = text.length;
	return NULL;
}

/* When the compiler rejects the whole, the records whose own pick it rejects take another or none. */
static struct rs_error *settle_each(struct rs_session *session, struct file_work *work)
{
	for (size_t i = 0; i < work->n_records; i++)
		RS_TRY(rs_session_settle_pick(session, work->records[i]));
	return emit_together(session, work);
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

static struct rs_error *emit_file(struct rs_session *session, struct rs_file_result *file)
{
	struct file_work work = { .file = file };

	work.records = rs_arena_array(session->arena, size_t, session->n_records);
	work.verifications = rs_arena_array(session->arena, struct rs_verification, session->n_records);
	struct rs_error *error = emit_together(session, &work);
	if (error && error->code == RS_ERROR_REJECTED) {
		rs_error_destroy(error);
		error = settle_each(session, &work);
	}
	if (error)
		return error;
	for (size_t i = 0; i < work.n_records; i++) {
		struct rs_record_result *result = &session->results[work.records[i]];

		result->plans[result->pick].verified = true;
		RS_TRY(rs_session_count_lines(result->record, &result->plans[result->pick]));
	}
	return NULL;
}

static unsigned git_mode(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && (status.st_mode & S_IXUSR) ? 0100755 : 0100644;
}

/* Each file was verified beside the others as they stand; now all of them as they will be. */
static struct rs_error *verify_together(struct rs_session *session)
{
	struct rs_buffer *texts = rs_arena_array(session->arena, struct rs_buffer, session->result.n_files);
	size_t n_texts = 0;

	for (size_t i = 0; i < session->result.n_files; i++) {
		const struct rs_file_result *file = &session->files[i];

		if (file->new_text)
			texts[n_texts++] =
				(struct rs_buffer) { file->source->realpath, file->new_text, file->new_size };
	}
	for (size_t i = 0; n_texts > 1 && i < session->n_tus; i++)
		RS_TRY(rs_error_prefix(rs_verify_together(session->tus[i].tu, texts, n_texts),
				       "each file may be changed, but not all at once (emit them one by one)"));
	return NULL;
}

struct rs_error *rs_session_emit(struct rs_session *session)
{
	struct rs_file_result *files = session->files;

	for (size_t i = 0; i < session->result.n_files; i++) {
		files[i].mode = git_mode(files[i].source->realpath);
		RS_TRY(emit_file(session, &files[i]));
	}
	note_embedding(session);
	return verify_together(session);
}

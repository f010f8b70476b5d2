#include "session/session_internal.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "rewrite/rewrite.h"
#include "text/patch.h"

/* Edits that carry out one plan, and the text that they give. */
static void rewrite_plan(struct rs_session *session, const struct rs_record *record,
			 struct rs_plan_result *plan)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_edit *edits;

	rs_rewrite_order(session->arena, record, plan->plan->order, &edits, &plan->n_edits);
	rs_edit_apply(record->source, edits, plan->n_edits, &text);
	plan->edits = edits;
	plan->new_text = rs_arena_strndup(session->arena, text.data, text.length);
	plan->new_size = text.length;
}

static struct rs_error *count_lines(const struct rs_record *record, struct rs_plan_result *plan)
{
	const struct rs_source *source = record->source;

	return rs_patch_count_lines(source->text, source->size, plan->new_text, plan->new_size,
				    &plan->changed_lines);
}

static struct rs_error *verify_plan(struct rs_tu *tu, const struct rs_record *record,
				    struct rs_plan_result *plan)
{
	const struct rs_verification verification = { .record = record, .plan = plan->plan };

	RS_TRY(rs_verify(tu, record->source, plan->new_text, plan->new_size, &verification, 1, plan->edits,
			 plan->n_edits));
	plan->verified = true;
	return NULL;
}

struct rs_error *rs_session_carry_out(struct rs_session *session)
{
	for (size_t r = 0; r < session->n_records; r++) {
		struct rs_record_result *result = &session->results[r];

		for (size_t i = 0; i < result->n_plans; i++) {
			rewrite_plan(session, result->record, &result->plans[i]);
			RS_TRY(count_lines(result->record, &result->plans[i]));
			RS_TRY(rs_error_prefix(
				verify_plan(session->records[r].tu, result->record, &result->plans[i]),
				"struct '%s', plan %u", result->record->name, result->plans[i].plan->id));
		}
	}
	return NULL;
}

/* What is emitted into one file. */
struct file_work {
	struct rs_file_result *file;
	struct rs_tu *tu;
	struct rs_verification *verifications;
	size_t n_verifications;
	struct rs_edit *edits;
	size_t n_edits, edits_capacity;
};

static bool overlaps(const struct file_work *work, const struct rs_record *record)
{
	for (size_t i = 0; i < work->n_verifications; i++) {
		struct rs_span other = work->verifications[i].record->span;

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

static void add_record(struct rs_session *session, struct file_work *work, struct rs_record_result *result,
		       struct rs_plan_result *plan)
{
	if (overlaps(work, result->record)) {
		defer_nested(session, result);
		return;
	}
	rewrite_plan(session, result->record, plan);
	work->verifications[work->n_verifications++] =
		(struct rs_verification) { .record = result->record, .plan = plan->plan };
	for (size_t i = 0; i < plan->n_edits; i++)
		*rs_array_push(session->arena, work->edits, work->n_edits, work->edits_capacity) =
			plan->edits[i];
}

static int by_place(const void *a, const void *b)
{
	const struct rs_edit *left = (const struct rs_edit *)a, *right = (const struct rs_edit *)b;

	return (left->span.start > right->span.start) - (left->span.start < right->span.start);
}

static struct rs_error *finish_file(struct rs_session *session, struct file_work *work)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	struct rs_file_result *file = work->file;

	if (work->n_verifications == 0)
		return NULL;
	qsort(work->edits, work->n_edits, sizeof *work->edits, by_place);
	rs_edit_apply(file->source, work->edits, work->n_edits, &text);
	RS_TRY(rs_verify(work->tu, file->source, text.data, text.length, work->verifications,
			 work->n_verifications, work->edits, work->n_edits));
	file->new_text = rs_arena_strndup(session->arena, text.data, text.length);
	file->new_size = text.length;
	return NULL;
}

static struct rs_error *emit_file(struct rs_session *session, struct rs_file_result *file)
{
	struct file_work work = { .file = file };

	work.verifications = rs_arena_array(session->arena, struct rs_verification, session->n_records);
	for (size_t r = 0; r < session->n_records; r++) {
		struct rs_record_result *result = &session->results[r];

		if (result->record->source != file->source || result->pick == RS_NONE)
			continue;
		work.tu = session->records[r].tu;
		add_record(session, &work, result, &result->plans[result->pick]);
	}
	RS_TRY(finish_file(session, &work));
	for (size_t r = 0; r < session->n_records; r++) {
		struct rs_record_result *result = &session->results[r];

		if (result->record->source != file->source || result->pick == RS_NONE)
			continue;
		struct rs_plan_result *plan = &result->plans[result->pick];
		plan->verified = true;
		RS_TRY(count_lines(result->record, plan));
	}
	return NULL;
}

static unsigned git_mode(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && (status.st_mode & S_IXUSR) ? 0100755 : 0100644;
}

struct rs_error *rs_session_emit(struct rs_session *session)
{
	struct rs_file_result *files = session->files;

	for (size_t i = 0; i < session->result.n_files; i++) {
		files[i].mode = git_mode(files[i].source->realpath);
		RS_TRY(emit_file(session, &files[i]));
	}
	return NULL;
}

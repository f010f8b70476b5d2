#include "session/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "session/session_internal.h"

struct rs_error *rs_session_create(const struct rs_session_options *options, const struct rs_target *targets,
				   size_t n_targets, struct rs_session **ret_session)
{
	struct rs_session *session = (struct rs_session *)rs_alloc(sizeof *session);

	session->options = *options;
	session->targets = targets;
	session->n_targets = n_targets;
	session->arena = rs_arena_create();
	rs_notes_init(&session->notes, session->arena);
	*ret_session = session;
	return NULL;
}

void rs_session_destroy(struct rs_session *session)
{
	if (!session)
		return;
	for (size_t i = 0; i < session->n_tus; i++)
		rs_tu_destroy(session->tus[i].tu);
	rs_parser_destroy(session->parser);
	rs_arena_destroy(session->arena);
	free(session);
}

static bool is_listed(const struct rs_file_result *files, size_t count, const struct rs_source *source)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(files[i].source->realpath, source->realpath) == 0)
			return true;
	return false;
}

static void list_files(struct rs_session *session)
{
	struct rs_file_result *files =
		rs_arena_array(session->arena, struct rs_file_result, session->n_records);
	size_t count = 0;

	for (size_t i = 0; i < session->n_records; i++) {
		const struct rs_source *source = session->records[i].record->source;

		if (!is_listed(files, count, source))
			files[count++].source = source;
	}
	session->result.files = session->files = files;
	session->result.n_files = count;
}

static struct rs_error *make_results(struct rs_session *session, enum rs_session_goal goal)
{
	struct rs_record_result *results =
		rs_arena_array(session->arena, struct rs_record_result, session->n_records);

	for (size_t i = 0; i < session->n_records; i++)
		RS_TRY(rs_session_plan(session, &session->records[i], goal, &results[i]));
	session->result.records = session->results = results;
	session->result.n_records = session->n_records;
	return NULL;
}

struct rs_error *rs_session_run(struct rs_session *session, enum rs_session_goal goal,
				const struct rs_result **ret_result)
{
	RS_TRY(rs_session_load(session));
	session->result = (struct rs_result) {
		.triple = session->n_tus > 0 ? rs_tu_triple(session->tus[0].tu) : "",
		.line_bytes = session->profile.machine.line_bytes,
		.root = session->root,
		.notes = &session->notes,
		.parser_version = rs_parser_version(),
	};
	RS_TRY(make_results(session, goal));
	list_files(session);
	if (goal == RS_GOAL_OPTIMIZE)
		RS_TRY(rs_session_carry_out(session));
	if (goal == RS_GOAL_EMIT)
		RS_TRY(rs_session_emit(session));
	*ret_result = &session->result;
	return NULL;
}

struct rs_error *rs_session_apply(struct rs_session *session)
{
	struct rs_replacement *replacements =
		rs_arena_array(session->arena, struct rs_replacement, session->result.n_files);
	size_t count = 0;

	for (size_t i = 0; i < session->result.n_files; i++) {
		const struct rs_file_result *file = &session->result.files[i];

		if (file->new_text)
			replacements[count++] = (struct rs_replacement) { .path = file->source->realpath,
									  .expected_hash = file->source->hash,
									  .text = file->new_text,
									  .size = file->new_size };
	}
	return rs_file_replace(replacements, count);
}

const struct rs_notes *rs_session_notes(const struct rs_session *session)
{
	return &session->notes;
}

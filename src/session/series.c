#include "session/session_internal.h"

#include <string.h>

#include "session/changes.h"

/* The picks in the order in which they are emitted, and the texts so far. */
struct series {
	struct rs_session *session;
	struct rs_session_pick *picks;
	size_t n_picks;
	struct rs_session_changes before;
	struct rs_series_step *steps;
};

static unsigned mode_of(const struct rs_session *session, const struct rs_source *source)
{
	for (size_t i = 0; i < session->result.n_files; i++)
		if (strcmp(session->files[i].source->realpath, source->realpath) == 0)
			return session->files[i].mode;
	return 0;
}

static void add_file(const struct series *series, const struct rs_file_change *change,
		     struct rs_file_result *files, size_t *n_files)
{
	const struct rs_file_change *before = rs_changes_find(&series->before, change->source->realpath);
	const char *old_text = before ? before->new_text : change->source->text;
	size_t old_size = before ? before->new_size : change->source->size;

	if (old_size == change->new_size && memcmp(old_text, change->new_text, old_size) == 0)
		return;
	files[(*n_files)++] = (struct rs_file_result) { .source = change->source,
							.new_text = change->new_text,
							.new_size = change->new_size,
							.mode = mode_of(series->session, change->source),
							.old_text = old_text,
							.old_size = old_size };
}

static struct rs_error *make_step(struct series *series, size_t index)
{
	struct rs_session *session = series->session;
	struct rs_series_step *step = &series->steps[index];
	struct rs_session_changes changes;

	rs_changes_collect(session, series->picks, index + 1, &changes);
	/* The last state is what was emitted, which is verified already. */
	if (index + 1 < series->n_picks)
		RS_TRY(rs_error_prefix(rs_changes_verify(session, &changes, &series->picks[index], 1),
				       "patch %zu of the series", index + 1));
	struct rs_file_result *files = rs_arena_array(session->arena, struct rs_file_result, changes.n_files);
	step->record = series->picks[index].record;
	step->files = files;
	for (size_t i = 0; i < changes.n_files; i++)
		add_file(series, &changes.files[i], files, &step->n_files);
	series->before = changes;
	return NULL;
}

struct rs_error *rs_session_make_series(struct rs_session *session)
{
	struct series series = { .session = session };

	series.picks = rs_arena_array(session->arena, struct rs_session_pick, session->n_records);
	series.steps = rs_arena_array(session->arena, struct rs_series_step, session->n_records);
	for (size_t r = 0; r < session->n_records; r++) {
		struct rs_record_result *result = &session->results[r];

		if (result->pick == RS_NONE)
			continue;
		series.picks[series.n_picks++] =
			(struct rs_session_pick) { .record = r, .plan = &result->plans[result->pick] };
	}
	for (size_t i = 0; i < series.n_picks; i++)
		RS_TRY(make_step(&series, i));
	session->result.steps = series.steps;
	session->result.n_steps = series.n_picks;
	return NULL;
}

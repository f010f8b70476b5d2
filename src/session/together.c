#include "session/together.h"

struct work {
	struct rs_session *session;
	size_t *records; /* proved together; behind them those that are tried */
	size_t n_proved, n_tried;
	bool is_single; /* there is one record: what fails is an error, not a finding */
};

static struct rs_session_pick pick_of(struct rs_session *session, size_t record)
{
	struct rs_record_result *result = &session->results[record];
	struct rs_plan_result *plan = &result->plans[result->pick];

	rs_session_rewrite(session, record, plan);
	return (struct rs_session_pick) { .record = record, .plan = plan };
}

static struct rs_session_pick *collect(struct work *work, struct rs_session_changes *ret_changes)
{
	size_t count = work->n_proved + work->n_tried;
	struct rs_session_pick *picks = rs_arena_array(work->session->arena, struct rs_session_pick, count);

	for (size_t i = 0; i < count; i++)
		picks[i] = pick_of(work->session, work->records[i]);
	rs_changes_collect(work->session, picks, count, ret_changes);
	return picks;
}

static struct rs_error *verify(struct work *work)
{
	struct rs_session_changes changes;
	const struct rs_session_pick *picks = collect(work, &changes);

	return rs_changes_verify(work->session, &changes, picks + work->n_proved, work->n_tried);
}

static bool is_about_the_plan(const struct work *work, const struct rs_error *error)
{
	return error->code == RS_ERROR_REJECTED || (error->code == RS_ERROR_VERIFY && !work->is_single);
}

/* One record: its plans in turn, beside those that are proved already. */
static struct rs_error *settle_one(struct work *work, struct rs_error *error)
{
	struct rs_record_result *result = &work->session->results[work->records[work->n_proved]];

	while (error) {
		if (!is_about_the_plan(work, error))
			return error;
		error = rs_error_prefix(error, "plan %u", result->plans[result->pick].plan->id);
		rs_session_drop_pick(work->session, work->records[work->n_proved], error);
		rs_error_destroy(error);
		if (result->pick == RS_NONE)
			return NULL;
		error = verify(work);
	}
	work->n_proved++;
	return NULL;
}

static struct rs_error *settle(struct work *work, const size_t *records, size_t count);

static struct rs_error *settle_halves(struct work *work, const size_t *records, size_t count)
{
	RS_TRY(settle(work, records, count / 2));
	return settle(work, records + count / 2, count - count / 2);
}

/* Adds those of the records to the proved ones that can be carried out beside them. */
static struct rs_error *settle(struct work *work, const size_t *records, size_t count)
{
	if (count == 0)
		return NULL;
	for (size_t i = 0; i < count; i++)
		work->records[work->n_proved + i] = records[i];
	work->n_tried = count;
	struct rs_error *error = verify(work);
	if (!error) {
		work->n_proved += count;
		return NULL;
	}
	if (count == 1)
		return settle_one(work, error);
	if (!is_about_the_plan(work, error))
		return error;
	rs_error_destroy(error);
	return settle_halves(work, records, count);
}

struct rs_error *rs_together_settle(struct rs_session *session, const size_t *records, size_t n_records,
				    struct rs_session_changes *ret_changes)
{
	struct work work = { .session = session, .is_single = n_records == 1 };

	work.records = rs_arena_array(session->arena, size_t, n_records + 1);
	RS_TRY(settle(&work, records, n_records));
	work.n_tried = 0;
	collect(&work, ret_changes);
	return NULL;
}

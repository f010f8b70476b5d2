#include "session/session_internal.h"

#include <string.h>

struct checking {
	struct rs_session *session;
	const struct rs_verify_context *all;
	struct rs_session_source **sources;
	size_t n_sources, first; /* of those that object */
	struct rs_facts objection;
};

/* Whether an open unit, which is read again with the new texts when it reads any of their files, has looked at
 * what the file asserts. */
static bool is_checked(const struct rs_session *session, const char *file, const struct rs_verify_context *all)
{
	for (size_t t = 0; t < session->n_tus; t++) {
		const struct rs_tu *tu = session->tus[t].tu;

		if (!rs_tu_reads(tu, file))
			continue;
		for (size_t i = 0; i < all->n_texts; i++)
			if (rs_tu_reads(tu, all->texts[i].path))
				return true;
	}
	return false;
}

/* Whether a new order alone can matter to a unit: where it reads initialisers that change, or where what it
 * reads beside the open units asserts something. */
static bool concerns(const struct rs_session *session, const struct rs_session_source *source,
		     const struct rs_verify_context *all, struct rs_file_states *states)
{
	bool reads = false;

	if (source->facts.failure || source->is_open)
		return false;
	for (size_t i = 0; i < all->n_texts && !reads; i++)
		reads = rs_dependencies_has(source->dependencies, all->texts[i].path, states);
	for (size_t i = 0; reads && i < source->facts.n_asserting; i++)
		if (!is_checked(session, source->facts.asserting[i], all))
			return true;
	for (size_t i = 0; reads && i < all->n_list_paths; i++)
		if (rs_dependencies_has(source->dependencies, all->list_paths[i], states))
			return true;
	return false;
}

/* What the unit gives as its files stand on disk. The unit is closed again: units are large. */
static struct rs_error *read_before(struct rs_parser *parser, const struct rs_session_source *source,
				    const struct rs_verify_context *all, struct rs_arena *arena,
				    const struct rs_given_lists **ret_lists)
{
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *before = NULL;

	if (!all->compares_lists)
		return NULL;
	RS_TRY(rs_scan_unit_open_replaced(parser, source->unit, source->facts.has_prelude, NULL, 0, &before));
	*ret_lists = rs_verify_lists(before, arena, all);
	return NULL;
}

/* In a worker. */
static void check_unit(void *context, struct rs_parser *parser, size_t index, struct rs_builder *out,
		       struct rs_tu **ret_tu)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct checking *checking = (const struct checking *)context;
	const struct rs_session_source *source = checking->sources[index];
	const struct rs_verify_context *all = checking->all;
	const struct rs_given_lists *lists = NULL;
	struct rs_facts facts = { 0 };
	struct rs_error *error = read_before(parser, source, all, arena, &lists);

	if (!error)
		error = rs_scan_unit_open_replaced(parser, source->unit, source->facts.has_prelude, all->texts,
						   all->n_texts, ret_tu);
	if (!error)
		error = rs_verify_unit(*ret_tu, source->facts.diagnostics, source->facts.n_diagnostics, lists,
				       all);
	if (error)
		rs_facts_fail_with(arena, error, &facts);
	rs_facts_put(&facts, out);
	rs_error_destroy(error);
}

static bool take_check(void *context, size_t index, const struct rs_scan_answer *answer)
{
	struct checking *checking = (struct checking *)context;
	const struct rs_question nothing = { 0 };
	struct rs_arena *arena = checking->session->arena;
	const char *problem = answer->problem;
	struct rs_facts facts = { 0 };
	struct rs_wire wire;

	if (!problem) {
		rs_wire_init(&wire, answer->bytes.data, answer->bytes.size);
		if (!rs_facts_get(&wire, arena, &nothing, &facts))
			problem = "the parser gave an answer that makes no sense";
	}
	if (problem)
		rs_facts_fail(arena, RS_ERROR_REJECTED, checking->sources[index]->unit->file, 0, 0, problem,
			      &facts);
	if (facts.failure && index < checking->first) {
		checking->first = index;
		checking->objection = facts;
	}
	return !facts.failure;
}

/* What the compiler said of the texts as they are is held against what it says of the new ones. */
static void put_sources(const struct rs_session *session, struct rs_builder *out)
{
	for (size_t i = 0; i < session->n_records; i++)
		rs_wire_put_number(out, session->records[i].record->source->hash);
	for (size_t i = 0; i < session->n_texts; i++)
		rs_wire_put_number(out, session->texts[i]->hash);
}

static struct rs_error *check_sources(struct checking *checking)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder question = { 0 };
	struct rs_session *session = checking->session;
	struct rs_scan_settings settings = rs_session_scan_settings(session);

	settings.progress = NULL;
	rs_builder_appends(&question, "texts\n");
	put_sources(session, &question);
	rs_wire_put_number(&question, checking->all->compares_lists);
	rs_wire_put_number(&question, checking->all->compares_all_lists);
	rs_scan_run(session->parser, &settings,
		    &(struct rs_scan) {
			    .units = rs_session_units_of(session, checking->sources, checking->n_sources),
			    .n_units = checking->n_sources,
			    .question = { question.data, question.length },
			    .texts = checking->all->texts,
			    .n_texts = checking->all->n_texts,
			    .context = checking,
			    .answer = check_unit,
			    .take = take_check },
		    session->arena);
	const struct rs_error *objection = checking->objection.failure;
	return objection ? rs_error_create(objection->code, objection->path, objection->line, objection->column,
					   "%s", objection->message)
			 : NULL;
}

static struct rs_error *check_open(struct rs_session *session, struct rs_tu *tu,
				   const struct rs_verify_context *all)
{
	bool reads = false;

	for (size_t i = 0; i < all->n_texts && !reads; i++)
		reads = rs_tu_reads(tu, all->texts[i].path);
	if (!reads)
		return NULL;
	RS_TRY(rs_session_wake(session, tu));
	return rs_verify_together(tu, all);
}

struct rs_error *rs_session_check_elsewhere(struct rs_session *session, const bool *done,
					    const struct rs_verify_context *all)
{
	RS_CLEANUP(rs_file_states_destroyp) struct rs_file_states *states = rs_file_states_create();
	struct checking checking = { .session = session, .all = all, .first = RS_NONE };

	for (size_t i = 0; i < session->n_tus; i++)
		if (!done[i])
			RS_TRY(check_open(session, session->tus[i].tu, all));
	checking.sources = rs_arena_array(session->arena, struct rs_session_source *, session->n_sources);
	for (size_t i = 0; i < session->n_sources; i++)
		if (concerns(session, &session->sources[i], all, states))
			checking.sources[checking.n_sources++] = &session->sources[i];
	return checking.n_sources > 0 ? check_sources(&checking) : NULL;
}

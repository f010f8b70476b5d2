#include "session/session.h"
#include "session/variant.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/replace.h"
#include "session/allow.h"
#include "session/asked.h"
#include "session/explain.h"
#include "session/session_internal.h"

struct rs_error *rs_session_create(const struct rs_session_options *options, const struct rs_target *targets,
				   size_t n_targets, struct rs_session **ret_session)
{
	RS_TRY(rs_allow_check_codes(options->allowances, options->n_allowances));
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
	for (size_t i = 0; i < session->n_variants; i++)
		rs_session_destroy(session->variants[i]);
	for (size_t i = 0; i < session->n_tus; i++)
		rs_tu_destroy(session->tus[i].tu);
	rs_parser_destroy(session->parser);
	rs_fact_cache_close(session->cache);
	rs_arena_destroy(session->arena);
	free(session);
}

const char *rs_session_nearest_member(struct rs_session *session, const char *name)
{
	const char **candidates = NULL;
	size_t count = 0, capacity = 0;

	for (size_t r = 0; r < session->n_records; r++) {
		const struct rs_record *record = session->records[r].record;

		for (size_t m = 0; m < record->n_members; m++)
			if (record->members[m].path[0])
				*rs_array_push(session->arena, candidates, count, capacity) =
					record->members[m].path;
	}
	return rs_nearest_name(name, candidates, count);
}

static bool is_listed(const struct rs_file_result *files, size_t count, const struct rs_source *source)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(files[i].source->realpath, source->realpath) == 0)
			return true;
	return false;
}

struct file_list {
	struct rs_file_result *items;
	size_t n_items, items_capacity;
};

static void list_file(struct rs_session *session, struct file_list *list, const struct rs_source *source)
{
	if (!is_listed(list->items, list->n_items, source))
		rs_array_push(session->arena, list->items, list->n_items, list->items_capacity)->source =
			source;
}

/* Files from which plans lift members, and those that name them. */
static void list_lifted(struct rs_session *session, const struct rs_record_result *result,
			struct file_list *list)
{
	for (size_t p = 0; p < result->n_plans; p++) {
		const struct rs_variant *variant = result->plans[p].variant;

		for (size_t i = 0; variant && i < variant->texts.n_texts; i++)
			list_file(session, list, variant->texts.before[i]);
	}
}

/* Those of the records first. */
static void list_files(struct rs_session *session)
{
	struct file_list list = { 0 };

	for (size_t r = 0; r < session->n_records; r++)
		list_file(session, &list, session->records[r].record->source);
	for (size_t r = 0; r < session->n_records; r++) {
		const struct rs_initializer_list *initializers = session->records[r].initializers;

		for (size_t i = 0; session->results[r].n_plans > 0 && i < initializers->n_items; i++)
			if (initializers->items[i].n_values > 0)
				list_file(session, &list, initializers->items[i].source);
		list_lifted(session, &session->results[r], &list);
	}
	session->result.files = session->files = list.items;
	session->result.n_files = list.n_items;
}

static void list_asked(struct rs_session *session)
{
	struct rs_asked *asked = rs_arena_array(session->arena, struct rs_asked, session->n_targets);

	for (size_t i = 0; i < session->n_targets; i++)
		asked[i] = (struct rs_asked) { .file = session->targets[i].file,
					       .name = session->targets[i].name };
	session->result.asked = asked;
	session->result.n_asked = session->n_targets;
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
	RS_TRY(rs_session_load(session, goal));
	session->result = (struct rs_result) {
		.triple = session->n_tus > 0 ? rs_tu_triple(session->tus[0].tu) : "",
		.line_bytes = session->profile.machine.line_bytes,
		.n_unread = session->n_unread,
		.root = session->root,
		.notes = &session->notes,
		.parser_version = rs_parser_version(),
	};
	RS_TRY(rs_asked_check_names(session));
	if (goal == RS_GOAL_OPTIMIZE)
		RS_TRY(rs_session_explain_check(session));
	RS_TRY(make_results(session, goal));
	list_files(session);
	list_asked(session);
	if (goal == RS_GOAL_OPTIMIZE)
		RS_TRY(rs_session_carry_out(session));
	for (size_t i = 0; goal == RS_GOAL_OPTIMIZE && i < session->n_records; i++)
		rs_session_explain(session, &session->results[i]);
	if (goal == RS_GOAL_EMIT)
		RS_TRY(rs_session_emit(session));
	if (goal == RS_GOAL_CHECK)
		rs_session_check(session);
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
	return rs_replace_files(replacements, count);
}

const struct rs_notes *rs_session_notes(const struct rs_session *session)
{
	return &session->notes;
}

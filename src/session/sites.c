#include <string.h>

#include "base/file.h"
#include "parse/sites.h"
#include "session/session_internal.h"

struct search {
	struct rs_session *session;
	const struct rs_record *const *records;
	size_t n_records;
	struct rs_site_list *list;
};

static bool is_open(const struct rs_session *session, const char *canonical)
{
	for (size_t i = 0; i < session->n_tus; i++)
		if (strcmp(session->tus[i].file, canonical) == 0 ||
		    strcmp(rs_tu_main_file(session->tus[i].tu), canonical) == 0)
			return true;
	return false;
}

/* A source that does not parse has accesses that nobody sees. */
static void note_unread(const struct search *search, const char *file, struct rs_error *error)
{
	rs_notes_add(&search->session->notes, RS_NOTE_WARNING, file, 0, 0,
		     "does not parse, so accesses in it are not known: %s", error->message);
	rs_error_destroy(error);
}

static void look_into(const struct search *search, const char *file)
{
	struct rs_session *session = search->session;
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *tu = NULL;

	if (is_open(session, rs_path_canonical(session->arena, file)))
		return;
	struct rs_error *error = rs_tu_open(session->parser, file, &tu);
	if (error)
		note_unread(search, file, error);
	else
		rs_sites_find(tu, search->records, search->n_records, search->list);
}

static void look_into_open(const struct search *search, struct rs_tu *tu)
{
	struct rs_error *error = rs_session_wake(search->session, tu);

	if (error)
		note_unread(search, rs_tu_main_file(tu), error);
	else
		rs_sites_find(tu, search->records, search->n_records, search->list);
}

static void look_into_database(const struct search *search)
{
	struct rs_session *session = search->session;
	const struct rs_parse_options *parse = &session->options.parse;
	const char *path = parse->build_directory;
	struct rs_compile_db database;

	if (parse->has_flags || search->n_records == 0)
		return;
	if (!path)
		path = rs_compile_db_locate(session->arena, search->records[0]->source->realpath);
	if (!path)
		return;
	struct rs_error *error = rs_compile_db_read(session->arena, path, &database);
	if (error) {
		rs_notes_add(&session->notes, RS_NOTE_WARNING, path, 0, 0, "%s", error->message);
		rs_error_destroy(error);
		return;
	}
	for (size_t i = 0; i < database.n_commands; i++)
		if (database.commands[i].is_c)
			look_into(search, database.commands[i].file);
}

void rs_session_find_sites(struct rs_session *session, const struct rs_record *const *records, size_t n_records,
			   struct rs_site_list *list)
{
	const struct search search = { session, records, n_records, list };
	const struct rs_parse_options *parse = &session->options.parse;

	for (size_t i = 0; i < session->n_tus; i++)
		look_into_open(&search, session->tus[i].tu);
	for (size_t i = 0; i < parse->n_contexts; i++)
		look_into(&search, parse->contexts[i]);
	look_into_database(&search);
	rs_sites_settle(list);
}

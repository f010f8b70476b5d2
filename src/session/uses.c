#include "session/session_internal.h"

#include <string.h>

#include "base/file.h"
#include "parse/uses.h"
#include "record/hazards.h"
#include "session/mirrors.h"

/* What is looked for, while the units pass by. */
struct search {
	struct rs_session *session;
	const struct rs_record **records;
	struct rs_pin_list *lists;
	struct rs_initializer_list *initializers;
	size_t n_records;
};

static void look_into(const struct search *search, struct rs_tu *tu)
{
	rs_uses_find(tu, search->records, search->n_records, search->session->root, search->lists,
		     search->initializers);
}

static bool is_open(const struct rs_session *session, const char *canonical)
{
	for (size_t i = 0; i < session->n_tus; i++)
		if (strcmp(session->tus[i].file, canonical) == 0 ||
		    strcmp(rs_tu_main_file(session->tus[i].tu), canonical) == 0)
			return true;
	return false;
}

static bool is_open_unit(const struct rs_session *session, const struct rs_scan_unit *unit)
{
	for (size_t i = 0; i < session->n_tus; i++)
		if (rs_scan_unit_is(unit, session->tus[i].tu))
			return true;
	return false;
}

/* A source that cannot be read may depend on the order of any record that it names, by its own name or its
 * file's. */
static void note_unread(const struct search *search, const char *file, const struct rs_error *error)
{
	struct rs_session *session = search->session;

	rs_notes_add(&session->notes, RS_NOTE_WARNING, file, 0, 0,
		     "does not parse, so uses in it are not known: %s", error->message);
	for (size_t i = 0; i < search->n_records; i++) {
		const struct rs_record *record = search->records[i];
		struct rs_pin_list *list = &search->lists[i];

		const char *const words[] = { record->name, rs_path_basename(record->source->realpath) };
		if (!rs_session_spells(file, words, RS_COUNT_OF(words), true))
			continue;
		rs_pin_add(list, "unread-source", RS_PIN_CONTRACT, RS_NONE, error->line, true,
			   "this source does not parse, so uses in it are not known: %s", error->message);
		list->pins[list->n_pins - 1].file = rs_arena_strdup(session->arena, file);
	}
}

/* A source that the user named with --uses stays open: its assertions are checked later. */
static void look_into_context(const struct search *search, const char *file)
{
	struct rs_session *session = search->session;
	const char *canonical = rs_path_canonical(session->arena, file);
	struct rs_tu *tu = NULL;

	if (is_open(session, canonical))
		return;
	struct rs_error *error = rs_tu_open(session->parser, file, &tu);
	if (error) {
		note_unread(search, file, error);
		rs_error_destroy(error);
		return;
	}
	look_into(search, tu);
	*rs_array_push(session->arena, session->tus, session->n_tus, session->tus_capacity) =
		(struct rs_session_tu) { .file = canonical, .tu = tu };
}

static bool has_assertions(const char *path)
{
	static const char *const words[] = { "tatic_assert", "BUILD_BUG_ON", "ASSERT", "offsetof" };

	return rs_session_spells(path, words, RS_COUNT_OF(words), false);
}

static void look_into_unit(const struct search *search, const struct rs_scan_unit *unit)
{
	struct rs_session *session = search->session;
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *tu = NULL;

	if (is_open_unit(session, unit))
		return;
	struct rs_error *error = rs_scan_unit_open(session->parser, unit, &tu);
	if (error) {
		note_unread(search, unit->file, error);
		rs_error_destroy(error);
		return;
	}
	look_into(search, tu);
	struct rs_session_source *source =
		rs_array_push(session->arena, session->sources, session->n_sources, session->sources_capacity);
	source->unit = unit;
	source->asserts = has_assertions(unit->file);
	rs_tu_remember(tu, session->arena, &source->reading);
}

static struct rs_error *look_into_database(const struct search *search)
{
	struct rs_session *session = search->session;
	const struct rs_parse_options *parse = &session->options.parse;
	const char *path = parse->build_directory;
	struct rs_scan_units units = { 0 };
	struct rs_compile_db database;

	if (parse->has_flags || search->n_records == 0)
		return NULL;
	if (!path)
		path = rs_compile_db_locate(session->arena, search->records[0]->source->realpath);
	if (!path)
		return NULL;
	RS_TRY(rs_compile_db_read(session->arena, path, &database));
	rs_scan_units_add(session->arena, &database, &units);
	for (size_t i = 0; i < units.n_items; i++)
		look_into_unit(search, &units.items[i]);
	return NULL;
}

static void amend_records(struct rs_session *session, const struct search *search)
{
	for (size_t i = 0; i < session->n_records; i++) {
		session->records[i].record =
			rs_record_amend(session->arena, session->records[i].record, &search->lists[i],
					session->options.allowances, session->options.n_allowances);
		session->records[i].initializers = &search->initializers[i];
	}
}

struct rs_error *rs_session_find_uses(struct rs_session *session)
{
	struct search search = { .session = session, .n_records = session->n_records };
	const struct rs_parse_options *parse = &session->options.parse;

	search.records = rs_arena_array(session->arena, const struct rs_record *, session->n_records);
	search.lists = rs_arena_array(session->arena, struct rs_pin_list, session->n_records);
	search.initializers = rs_arena_array(session->arena, struct rs_initializer_list, session->n_records);
	for (size_t i = 0; i < session->n_records; i++) {
		search.records[i] = session->records[i].record;
		search.lists[i].arena = search.initializers[i].arena = session->arena;
		rs_hazards_find(&search.lists[i], search.records[i]);
	}
	if (session->with_bodies) {
		size_t n_open = session->n_tus;

		rs_mirrors_find(session->arena, session->root, search.records, search.n_records, search.lists,
				&session->notes);
		for (size_t i = 0; i < n_open; i++)
			look_into(&search, session->tus[i].tu);
		for (size_t i = 0; i < parse->n_contexts; i++)
			look_into_context(&search, parse->contexts[i]);
		RS_TRY(look_into_database(&search));
	}
	amend_records(session, &search);
	return NULL;
}

static struct rs_error *check_source(struct rs_session *session, const struct rs_session_source *source,
				     const struct rs_verify_context *all)
{
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *tu = NULL;

	RS_TRY(rs_scan_unit_open(session->parser, source->unit, &tu));
	return rs_verify_together(tu, all);
}

/* Whether a new order alone can matter to a unit: where it asserts something, or reads initialisers. */
static bool concerns(const struct rs_session_source *source, const struct rs_verify_context *all)
{
	const char *last = "";

	if (source->asserts)
		return true;
	for (size_t i = 0; i < all->n_lists; i++) {
		const char *path = all->lists[i].path;

		if (strcmp(path, last) != 0 && rs_tu_reading_has(&source->reading, path))
			return true;
		last = path;
	}
	return false;
}

struct rs_error *rs_session_check_elsewhere(struct rs_session *session, const struct rs_tu *but,
					    const struct rs_verify_context *all)
{
	for (size_t i = 0; i < session->n_tus; i++)
		if (session->tus[i].tu != but)
			RS_TRY(rs_verify_together(session->tus[i].tu, all));
	for (size_t i = 0; i < session->n_sources; i++)
		if (concerns(&session->sources[i], all))
			RS_TRY(check_source(session, &session->sources[i], all));
	return NULL;
}

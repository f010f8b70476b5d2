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

/* Each record is looked for as the unit shows it: members and units are those of its configuration. */
static struct rs_error *look_into(const struct search *search, struct rs_tu *tu, const char *configuration,
				  bool *ret_is_new)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	struct rs_session *session = search->session;
	const struct rs_record **records = rs_arena_array(scratch, const struct rs_record *, search->n_records);
	struct rs_pin_list *lists = rs_arena_array(scratch, struct rs_pin_list, search->n_records);
	size_t *views = rs_arena_array(scratch, size_t, search->n_records);

	RS_TRY(rs_session_find_views(session, tu, configuration, views, ret_is_new));
	for (size_t i = 0; i < search->n_records; i++) {
		const struct rs_session_view *view =
			views[i] == RS_NONE ? NULL : &session->records[i].views[views[i]];

		records[i] = view ? view->record : search->records[i];
		lists[i] = view ? view->found : search->lists[i];
	}
	if (session->with_bodies)
		rs_uses_find(tu, records, search->n_records, session->root, lists, search->initializers);
	for (size_t i = 0; i < search->n_records; i++)
		*(views[i] == RS_NONE ? &search->lists[i] : &session->records[i].views[views[i]].found) =
			lists[i];
	return NULL;
}

static void keep_open(struct rs_session *session, const char *canonical, const char *configuration,
		      struct rs_tu *tu)
{
	*rs_array_push(session->arena, session->tus, session->n_tus, session->tus_capacity) =
		(struct rs_session_tu) { .file = canonical, .configuration = configuration, .tu = tu };
}

static bool is_open(const struct rs_session *session, const char *canonical)
{
	for (size_t i = 0; i < session->n_tus; i++)
		if (!session->tus[i].configuration &&
		    (strcmp(session->tus[i].file, canonical) == 0 ||
		     strcmp(rs_tu_main_file(session->tus[i].tu), canonical) == 0))
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

/* The unit in each of the named configurations. */
static struct rs_error *look_into_variants(const struct search *search, size_t index)
{
	struct rs_session *session = search->session;
	const struct rs_session_tu from = session->tus[index];

	for (size_t c = 0; c < session->options.n_configurations; c++) {
		const struct rs_session_configuration *configuration = &session->options.configurations[c];
		struct rs_tu *tu = NULL;
		bool is_new;
		struct rs_error *error = rs_session_vary(session, &from, configuration, &tu);

		if (error) {
			note_unread(search, from.file, error);
			rs_error_destroy(error);
			continue;
		}
		RS_TRY(look_into(search, tu, configuration->name, &is_new));
	}
	return NULL;
}

/* A source that the user named with --uses stays open: its assertions are checked later. */
static struct rs_error *look_into_context(const struct search *search, const char *file)
{
	struct rs_session *session = search->session;
	const char *canonical = rs_path_canonical(session->arena, file);
	struct rs_tu *tu = NULL;
	bool is_new;

	if (is_open(session, canonical))
		return NULL;
	struct rs_error *error = rs_tu_open(session->parser, file, &tu);
	if (error) {
		note_unread(search, file, error);
		rs_error_destroy(error);
		return NULL;
	}
	keep_open(session, canonical, NULL, tu);
	RS_TRY(look_into(search, tu, NULL, &is_new));
	return look_into_variants(search, session->n_tus - 1);
}

static bool has_assertions(const char *path)
{
	static const char *const words[] = { "tatic_assert", "BUILD_BUG_ON", "ASSERT", "offsetof" };

	return rs_session_spells(path, words, RS_COUNT_OF(words), false);
}

static struct rs_error *look_into_unit(const struct search *search, const struct rs_scan_unit *unit)
{
	struct rs_session *session = search->session;
	RS_CLEANUP(rs_tu_destroyp) struct rs_tu *tu = NULL;
	bool is_new = false;

	if (is_open_unit(session, unit))
		return NULL;
	struct rs_error *error = rs_scan_unit_open(session->parser, unit, &tu);
	if (error) {
		note_unread(search, unit->file, error);
		rs_error_destroy(error);
		return NULL;
	}
	error = look_into(search, tu, unit->configuration, &is_new);
	if (is_new) {
		keep_open(session, unit->file, unit->configuration ? unit->configuration : "", tu);
		tu = NULL;
	}
	if (error || is_new)
		return error;
	struct rs_session_source *source =
		rs_array_push(session->arena, session->sources, session->n_sources, session->sources_capacity);
	source->unit = unit;
	source->asserts = has_assertions(unit->file);
	rs_tu_remember(tu, session->arena, &source->reading);
	return NULL;
}

static void add_variants(struct rs_session *session, struct rs_scan_units *units)
{
	size_t n_units = units->n_items;

	for (size_t i = 0; i < n_units; i++)
		for (size_t c = 0; c < session->options.n_configurations; c++) {
			const struct rs_session_configuration *configuration =
				&session->options.configurations[c];
			const struct rs_scan_unit unit = units->items[i];

			rs_scan_units_add_variant(session->arena, &unit, configuration->name,
						  configuration->flags, configuration->n_flags, units);
		}
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
	add_variants(session, &units);
	for (size_t i = 0; i < units.n_items; i++)
		RS_TRY(look_into_unit(search, &units.items[i]));
	return NULL;
}

static void amend_records(struct rs_session *session, const struct search *search)
{
	for (size_t i = 0; i < session->n_records; i++) {
		rs_session_unite(session, &session->records[i], &search->lists[i]);
		session->records[i].record =
			rs_record_amend(session->arena, session->records[i].record, &search->lists[i],
					session->options.allowances, session->options.n_allowances);
		session->records[i].initializers = &search->initializers[i];
	}
}

static struct rs_error *look_into_open(const struct search *search)
{
	const struct rs_session *session = search->session;

	for (size_t i = 0, n_open = session->n_tus; i < n_open; i++) {
		bool is_new;

		RS_TRY(look_into(search, session->tus[i].tu, session->tus[i].configuration, &is_new));
	}
	return NULL;
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
	RS_TRY(look_into_open(&search));
	if (session->with_bodies) {
		rs_mirrors_find(session->arena, session->root, search.records, search.n_records, search.lists,
				&session->notes);
		for (size_t i = 0; i < parse->n_contexts; i++)
			RS_TRY(look_into_context(&search, parse->contexts[i]));
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

static bool is_among(struct rs_tu *const *units, size_t count, const struct rs_tu *tu)
{
	for (size_t i = 0; i < count; i++)
		if (units[i] == tu)
			return true;
	return false;
}

struct rs_error *rs_session_check_elsewhere(struct rs_session *session, struct rs_tu *const *but, size_t n_but,
					    const struct rs_verify_context *all)
{
	for (size_t i = 0; i < session->n_tus; i++)
		if (!is_among(but, n_but, session->tus[i].tu))
			RS_TRY(rs_verify_together(session->tus[i].tu, all));
	for (size_t i = 0; i < session->n_sources; i++)
		if (concerns(&session->sources[i], all))
			RS_TRY(check_source(session, &session->sources[i], all));
	return NULL;
}

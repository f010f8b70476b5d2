#include "session/session_internal.h"

#include <string.h>

#include "base/file.h"
#include "parse/uses.h"
#include "record/hazards.h"
#include "session/asked.h"
#include "session/guard.h"
#include "session/mirrors.h"

/* Each record is looked for as the unit shows it: members and units are those of its configuration. */
struct rs_error *rs_session_look_into(struct rs_session *session, const struct rs_session_findings *findings,
				      struct rs_tu *tu, const char *configuration, bool *ret_is_new)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	const struct rs_record **records =
		rs_arena_array(scratch, const struct rs_record *, findings->n_records);
	struct rs_pin_list *lists = rs_arena_array(scratch, struct rs_pin_list, findings->n_records);
	size_t *views = rs_arena_array(scratch, size_t, findings->n_records);

	RS_TRY(rs_session_wake(session, tu));
	RS_TRY(rs_session_find_views(session, tu, configuration, views, ret_is_new));
	for (size_t i = 0; i < findings->n_records; i++) {
		const struct rs_session_view *view =
			views[i] == RS_NONE ? NULL : &session->records[i].views[views[i]];

		records[i] = view ? view->record : findings->records[i];
		lists[i] = view ? view->found : findings->lists[i];
	}
	if (session->with_bodies)
		rs_uses_find(tu, records, findings->n_records, session->root, lists, findings->initializers);
	for (size_t i = 0; i < findings->n_records; i++)
		*(views[i] == RS_NONE ? &findings->lists[i] : &session->records[i].views[views[i]].found) =
			lists[i];
	return NULL;
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

/* By its own name, or its file's. */
void rs_session_note_unread(struct rs_session *session, const struct rs_session_findings *findings,
			    const char *file, const struct rs_error *error)
{
	/* It may fail in what it includes. */
	bool is_own = !error->path || strcmp(rs_path_canonical(session->arena, error->path),
					     rs_path_canonical(session->arena, file)) == 0;
	unsigned line = is_own ? error->line : 0;

	rs_notes_add(&session->notes, RS_NOTE_WARNING, file, 0, 0,
		     "does not parse, so uses in it are not known: %s", error->message);
	for (size_t i = 0; i < findings->n_records; i++) {
		const struct rs_record *record = findings->records[i];
		struct rs_pin_list *list = &findings->lists[i];

		const char *const words[] = { record->name, rs_path_basename(record->source->realpath) };
		if (!rs_session_spells(file, words, RS_COUNT_OF(words), true))
			continue;
		rs_pin_add(list, "unread-source", RS_PIN_CONTRACT, RS_NONE, line, true,
			   "this source does not parse, so uses in it are not known: %s", error->message);
		list->pins[list->n_pins - 1].file = rs_arena_strdup(session->arena, file);
	}
}

/* The unit in each of the named configurations. */
static struct rs_error *look_into_variants(struct rs_session *session,
					   const struct rs_session_findings *findings, size_t index)
{
	const struct rs_session_tu from = session->tus[index];

	for (size_t c = 0; c < session->options.n_configurations; c++) {
		const struct rs_session_configuration *configuration = &session->options.configurations[c];
		struct rs_tu *tu = NULL;
		bool is_new;
		struct rs_error *error = rs_session_vary(session, &from, configuration, &tu);

		if (error) {
			rs_session_note_unread(session, findings, from.file, error);
			rs_error_destroy(error);
			continue;
		}
		RS_TRY(rs_session_look_into(session, findings, tu, configuration->name, &is_new));
	}
	return NULL;
}

/* A source that the user named with --uses is kept: its assertions are checked later. */
static struct rs_error *look_into_context(struct rs_session *session,
					  const struct rs_session_findings *findings, const char *file)
{
	const char *canonical = rs_path_canonical(session->arena, file);
	struct rs_tu *tu = NULL;
	bool is_new;

	if (is_open(session, canonical))
		return NULL;
	struct rs_error *error = rs_tu_open_use(session->parser, file, &tu);
	if (error) {
		rs_session_note_unread(session, findings, file, error);
		rs_error_destroy(error);
		return NULL;
	}
	rs_session_remember(session, canonical, NULL, tu);
	RS_TRY(rs_session_look_into(session, findings, tu, NULL, &is_new));
	return look_into_variants(session, findings, session->n_tus - 1);
}

/* A macro that a unit shows at work is rewritten where it is defined. */
static void demote_known_macros(const struct rs_session_findings *findings, size_t record,
				struct rs_pin_list *pins)
{
	const struct rs_initializer_list *list = &findings->initializers[record];

	for (size_t i = 0; i < list->n_items; i++) {
		const struct rs_initializer *known = &list->items[i];

		if (known->macro == RS_NONE || known->source != findings->records[record]->source)
			continue;
		unsigned line = rs_source_position(known->source, known->macro).line;
		for (size_t p = 0; p < pins->n_pins; p++) {
			struct rs_pin *pin = &pins->pins[p];

			if (pin->line != line || pin->file || strcmp(pin->code, "initializer-macro") != 0)
				continue;
			pin->refuses = false;
			pin->strength = RS_PIN_ADVICE;
		}
	}
}

/* Pins that turn out to be none. */
static void drop(struct rs_pin_list *list, bool (*is_wanted)(const void *context, const struct rs_pin *pin),
		 const void *context)
{
	size_t *moved = rs_arena_array(list->arena, size_t, list->n_pins), count = 0;

	for (size_t i = 0; i < list->n_pins; i++) {
		moved[i] = count;
		if (is_wanted(context, &list->pins[i]))
			list->pins[count++] = list->pins[i];
	}
	for (size_t i = 0; i < list->n_constraints; i++)
		if (list->constraints[i].pin != RS_NONE)
			list->constraints[i].pin = moved[list->constraints[i].pin];
	list->n_pins = count;
}

static bool is_no_allocation(const void *context, const struct rs_pin *pin)
{
	(void)context;
	return strcmp(pin->code, "unaligned-allocation") != 0;
}

/* Who does not want to align the record need not know where its memory comes from. */
static void drop_allocations(const struct rs_session *session, const struct rs_record *record,
			     struct rs_pin_list *list)
{
	const struct rs_profile_struct *type =
		session->has_profile ? rs_profile_find(&session->profile, record->name) : NULL;

	if (!type || !(type->allow & RS_ALLOW_ALIGN))
		drop(list, is_no_allocation, NULL);
}

struct cxx_reading {
	struct rs_session *session;
	struct rs_file_states *states;
};

/* Whether the compiler's own view of the file is known, so that nobody need guess from its text. */
static bool is_unread_cxx(const void *context, const struct rs_pin *pin)
{
	const struct cxx_reading *reading = (const struct cxx_reading *)context;
	struct rs_session *session = reading->session;

	if (strcmp(pin->code, "cxx-consumer") != 0 || !pin->file)
		return true;
	const char *path = rs_path_canonical(session->arena, pin->file);
	for (size_t i = 0; i < session->n_tus; i++)
		if (rs_tu_is_cxx(session->tus[i].tu) && rs_tu_reads(session->tus[i].tu, path))
			return false;
	for (size_t i = 0; i < session->n_sources; i++) {
		const struct rs_session_source *source = &session->sources[i];

		if (rs_scan_unit_is_cxx(source->unit) && !source->facts.failure && !source->is_open &&
		    source->dependencies && rs_dependencies_has(source->dependencies, path, reading->states))
			return false;
	}
	return true;
}

static void drop_read_cxx(struct rs_session *session, const struct rs_session_findings *findings)
{
	RS_CLEANUP(rs_file_states_destroyp) struct rs_file_states *states = rs_file_states_create();
	const struct cxx_reading reading = { session, states };

	for (size_t i = 0; i < findings->n_records; i++)
		drop(&findings->lists[i], is_unread_cxx, &reading);
}

static struct rs_error *amend_records(struct rs_session *session, const struct rs_session_findings *findings)
{
	for (size_t i = 0; i < session->n_records; i++) {
		struct rs_session_record *from = &session->records[i];
		const struct rs_allowance *allowances;
		size_t n_allowances;

		rs_uses_settle(&findings->initializers[i], &findings->lists[i]);
		drop_allocations(session, from->record, &findings->lists[i]);
		for (size_t v = 0; v < from->n_views; v++)
			drop_allocations(session, from->record, &from->views[v].found);
		demote_known_macros(findings, i, &findings->lists[i]);
		for (size_t v = 0; v < from->n_views; v++)
			demote_known_macros(findings, i, &from->views[v].found);
		RS_TRY(rs_guard_find(session, from->record, &findings->initializers[i], &findings->lists[i]));
		RS_TRY(rs_guard_allowances(session, from->record, &allowances, &n_allowances));
		rs_session_unite(session, from, &findings->lists[i]);
		RS_TRY(rs_asked_add(session, from->record, &findings->lists[i]));
		from->record = rs_record_amend(session->arena, from->record, &findings->lists[i], allowances,
					       n_allowances);
		from->initializers = &findings->initializers[i];
		RS_TRY(rs_asked_check(session, from->record));
	}
	return NULL;
}

static struct rs_error *look_into_open(struct rs_session *session, const struct rs_session_findings *findings)
{

	for (size_t i = 0, n_open = session->n_tus; i < n_open; i++) {
		bool is_new;

		RS_TRY(rs_session_look_into(session, findings, session->tus[i].tu,
					    session->tus[i].configuration, &is_new));
	}
	return NULL;
}

struct rs_error *rs_session_find_uses(struct rs_session *session)
{
	struct rs_session_findings findings = { .n_records = session->n_records };
	const struct rs_parse_options *parse = &session->options.parse;

	findings.records = rs_arena_array(session->arena, const struct rs_record *, session->n_records);
	findings.lists = rs_arena_array(session->arena, struct rs_pin_list, session->n_records);
	findings.initializers = rs_arena_array(session->arena, struct rs_initializer_list, session->n_records);
	for (size_t i = 0; i < session->n_records; i++) {
		findings.records[i] = session->records[i].record;
		findings.lists[i].arena = findings.initializers[i].arena = session->arena;
		rs_hazards_find(&findings.lists[i], findings.records[i]);
	}
	RS_TRY(look_into_open(session, &findings));
	if (session->with_bodies) {
		rs_mirrors_find(session->arena, session->root, findings.records, findings.n_records,
				findings.lists, &session->notes);
		for (size_t i = 0; i < parse->n_contexts; i++)
			RS_TRY(look_into_context(session, &findings, parse->contexts[i]));
		RS_TRY(rs_session_scan(session, &findings));
		drop_read_cxx(session, &findings);
	}
	RS_TRY(amend_records(session, &findings));
	return NULL;
}

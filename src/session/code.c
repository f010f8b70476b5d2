#include <string.h>

#include "parse/code.h"
#include "session/session_internal.h"

struct reading {
	struct rs_session *session;
	const struct rs_record *const *records;
	size_t n_records;
	const struct rs_scan_unit **units;
	size_t n_units;
	struct rs_code *code;
};

static bool is_open(const struct rs_session *session, const struct rs_scan_unit *unit)
{
	for (size_t i = 0; i < session->n_tus; i++)
		if (rs_scan_unit_is(unit, session->tus[i].tu))
			return true;
	return false;
}

static struct rs_error *find_units(struct reading *reading)
{
	struct rs_session *session = reading->session;
	const struct rs_parse_options *parse = &session->options.parse;
	struct rs_scan_units units = { 0 };
	const char *path = parse->build_directory;
	struct rs_compile_db database;

	if (parse->has_flags || reading->n_records == 0)
		return NULL;
	if (!path)
		path = rs_compile_db_locate(session->arena, reading->records[0]->source->realpath);
	if (!path)
		return NULL;
	RS_TRY(rs_compile_db_read(session->arena, path, &database));
	rs_scan_units_add(session->arena, &database, &units);
	reading->units = rs_arena_array(session->arena, const struct rs_scan_unit *, units.n_items);
	for (size_t i = 0; i < units.n_items; i++)
		if (!is_open(session, &units.items[i]))
			reading->units[reading->n_units++] = &units.items[i];
	return NULL;
}

static void put_question(const struct reading *reading, struct rs_builder *out)
{
	const struct rs_question question = { .records = reading->records, .n_records = reading->n_records };

	rs_builder_appends(out, "code\n");
	rs_question_put(&question, out);
}

/* In a worker. */
static void answer(void *context, struct rs_parser *parser, size_t index, struct rs_builder *out,
		   struct rs_tu **ret_tu)
{
	const struct reading *reading = (const struct reading *)context;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_code code = { .arena = arena };
	struct rs_error *error = rs_scan_unit_open(parser, reading->units[index], ret_tu);

	rs_wire_put_text(out, error ? error->message : NULL);
	if (!error)
		rs_code_read(*ret_tu, reading->records, reading->n_records, &code);
	if (!error)
		rs_code_put(&code, out);
	rs_error_destroy(error);
}

static void note_unread(struct rs_session *session, const struct rs_scan_unit *unit, const char *problem)
{
	rs_notes_add(&session->notes, RS_NOTE_WARNING, unit->file, 0, 0,
		     "does not parse, so accesses in it are not known: %s", problem);
}

static bool take(void *context, size_t index, const struct rs_scan_answer *answered)
{
	struct reading *reading = (struct reading *)context;
	struct rs_session *session = reading->session;
	const char *problem = answered->problem;
	struct rs_wire wire;

	if (!problem) {
		rs_wire_init(&wire, answered->bytes.data, answered->bytes.size);
		problem = rs_wire_get_text(&wire, session->arena);
		if (!problem && (!rs_code_get(&wire, reading->records, reading->n_records, reading->code) ||
				 !rs_wire_is_done(&wire)))
			problem = "the parser gave an answer that makes no sense";
	}
	if (problem)
		note_unread(session, reading->units[index], problem);
	return true;
}

static struct rs_error *read_contexts(struct reading *reading)
{
	struct rs_session *session = reading->session;
	const struct rs_parse_options *parse = &session->options.parse;

	for (size_t i = 0; i < parse->n_contexts; i++) {
		RS_CLEANUP(rs_tu_destroyp) struct rs_tu *tu = NULL;

		RS_TRY(rs_tu_open_use(session->parser, parse->contexts[i], &tu));
		rs_code_read(tu, reading->records, reading->n_records, reading->code);
	}
	return NULL;
}

struct rs_error *rs_session_read_code(struct rs_session *session, const struct rs_record *const *records,
				      size_t n_records, struct rs_code *code)
{
	struct reading reading = {
		.session = session, .records = records, .n_records = n_records, .code = code
	};
	RS_CLEANUP(rs_builder_deinit) struct rs_builder question = { 0 };
	const struct rs_scan_settings settings = rs_session_scan_settings(session);

	RS_TRY(find_units(&reading));
	for (size_t i = 0; i < session->n_tus; i++) {
		RS_TRY(rs_session_wake(session, session->tus[i].tu));
		rs_code_read(session->tus[i].tu, records, n_records, code);
	}
	RS_TRY(read_contexts(&reading));
	put_question(&reading, &question);
	rs_scan_run(session->parser, &settings,
		    &(struct rs_scan) { .units = reading.units,
					.n_units = reading.n_units,
					.question = { question.data, question.length },
					.context = &reading,
					.answer = answer,
					.take = take },
		    session->arena);
	rs_code_settle(code);
	return NULL;
}

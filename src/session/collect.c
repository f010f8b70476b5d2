#include "session/collect.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/inflate.h"
#include "parse/code.h"
#include "profile/collect.h"
#include "session/session_internal.h"

/* --- the code, unit by unit --- */

struct reading {
	struct rs_session *session;
	const struct rs_record *const *records;
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

	if (parse->has_flags || session->n_records == 0)
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
	const struct rs_question question = { .records = reading->records,
					      .n_records = reading->session->n_records };

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
		rs_code_read(*ret_tu, reading->records, reading->session->n_records, &code);
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
		if (!problem && (!rs_code_get(&wire, reading->records, session->n_records, reading->code) ||
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

		RS_TRY(rs_tu_open(session->parser, parse->contexts[i], &tu));
		rs_code_read(tu, reading->records, session->n_records, reading->code);
	}
	return NULL;
}

static struct rs_error *read_code(struct reading *reading)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder question = { 0 };
	struct rs_session *session = reading->session;
	const struct rs_scan_settings settings = rs_session_scan_settings(session);

	RS_TRY(find_units(reading));
	for (size_t i = 0; i < session->n_tus; i++) {
		RS_TRY(rs_session_wake(session, session->tus[i].tu));
		rs_code_read(session->tus[i].tu, reading->records, session->n_records, reading->code);
	}
	RS_TRY(read_contexts(reading));
	put_question(reading, &question);
	rs_scan_run(session->parser, &settings,
		    &(struct rs_scan) { .units = reading->units,
					.n_units = reading->n_units,
					.question = { question.data, question.length },
					.context = reading,
					.answer = answer,
					.take = take },
		    session->arena);
	rs_code_settle(reading->code);
	return NULL;
}

/* --- counts --- */

static time_t time_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? status.st_mtime : 0;
}

static const char *show_date(struct rs_arena *arena, time_t time)
{
	struct tm when;
	char text[16];

	if (time == 0 || !gmtime_r(&time, &when) || strftime(text, sizeof text, "%Y-%m-%d", &when) == 0)
		return NULL;
	return rs_arena_strdup(arena, text);
}

static struct rs_error *read_coverage(struct rs_session *session, const struct rs_session_collect *asked,
				      struct rs_coverage *coverage, const char **ret_date)
{
	time_t newest = 0;

	for (size_t i = 0; i < asked->n_paths; i++) {
		time_t time = time_of(asked->paths[i]);
		char *text;
		size_t size;

		RS_TRY(rs_file_read(session->arena, asked->paths[i], &text, &size));
		RS_TRY(rs_inflate(session->arena, asked->paths[i], &text, &size));
		RS_TRY(rs_coverage_read(coverage, asked->paths[i], text, size));
		newest = time > newest ? time : newest;
	}
	*ret_date = show_date(session->arena, newest);
	return NULL;
}

static const char *name_origin(struct rs_arena *arena, const struct rs_session_collect *asked)
{
	if (asked->origin || asked->n_paths == 0)
		return asked->origin;
	return asked->n_paths == 1
		       ? asked->paths[0]
		       : rs_arena_printf(arena, "%s and %zu more", asked->paths[0], asked->n_paths - 1);
}

struct rs_error *rs_session_collect(struct rs_session *session, const struct rs_session_collect *asked,
				    struct rs_profile *ret_profile)
{
	RS_CLEANUP(rs_coverage_deinit) struct rs_coverage coverage = { .arena = session->arena };
	struct rs_code code = { .arena = session->arena };
	const char *date = NULL;
	const struct rs_record **records;

	RS_TRY(read_coverage(session, asked, &coverage, &date));
	RS_TRY(rs_session_load(session, RS_GOAL_SITES));
	records = rs_arena_array(session->arena, const struct rs_record *, session->n_records);
	for (size_t i = 0; i < session->n_records; i++)
		records[i] = session->records[i].record;
	struct reading reading = { .session = session, .records = records, .code = &code };
	RS_TRY(read_code(&reading));
	const struct rs_collect collect = { .arena = session->arena,
					    .notes = &session->notes,
					    .records = records,
					    .n_records = session->n_records,
					    .code = &code,
					    .coverage = &coverage,
					    .by_field = asked->by_field,
					    .origin = name_origin(session->arena, asked),
					    .date = date,
					    .version = asked->version };
	return rs_collect(&collect, ret_profile);
}

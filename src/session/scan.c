#include "session/session_internal.h"

#include <string.h>

#include "base/file.h"
#include "parse/reach.h"

/* --- the units of the database --- */

static bool is_open(const struct rs_session *session, const struct rs_scan_unit *unit)
{
	for (size_t i = 0; i < session->n_tus; i++)
		if (rs_scan_unit_is(unit, session->tus[i].tu))
			return true;
	return false;
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

static struct rs_error *find_units(struct rs_session *session, const struct rs_session_findings *findings,
				   struct rs_scan_units *units)
{
	const struct rs_parse_options *parse = &session->options.parse;
	const char *path = parse->build_directory;
	struct rs_compile_db database;

	if (parse->has_flags || findings->n_records == 0)
		return NULL;
	if (!path)
		path = rs_compile_db_locate(session->arena, findings->records[0]->source->realpath);
	if (!path)
		return NULL;
	RS_TRY(rs_compile_db_read(session->arena, path, &database));
	rs_scan_units_add(session->arena, &database, units);
	add_variants(session, units);
	return NULL;
}

static bool is_wanted(const struct rs_session_options *options, const char *file)
{
	for (size_t i = 0; i < options->n_only_sources; i++)
		if (strcmp(options->only_sources[i], file) == 0)
			return true;
	return !options->only_sources;
}

struct rs_scan_settings rs_session_scan_settings(struct rs_session *session)
{
	struct rs_scan_settings settings = session->options.scan;

	if (session->options.with_cache && !session->cache)
		session->cache = rs_fact_cache_open();
	settings.cache = session->cache;
	return settings;
}

const struct rs_scan_unit **rs_session_units_of(struct rs_session *session,
						struct rs_session_source *const *sources, size_t count)
{
	const struct rs_scan_unit **units = rs_arena_array(session->arena, const struct rs_scan_unit *, count);

	for (size_t i = 0; i < count; i++)
		units[i] = sources[i]->unit;
	return units;
}

/* --- what they show of the records --- */

/* One round of questions: about the records in the layouts that are known by now. */
struct asking {
	struct rs_session *session;
	const struct rs_session_findings *findings;
	struct rs_session_source **sources;
	size_t n_sources;
};

/* What is asked of a unit that shows the records so. */
static struct rs_question question_of(const struct asking *asking, const size_t *views, struct rs_arena *arena)
{
	const struct rs_session *session = asking->session;
	const struct rs_record **records = rs_arena_array(arena, const struct rs_record *, session->n_records);

	for (size_t i = 0; i < session->n_records; i++)
		records[i] = views[i] == RS_NONE ? asking->findings->records[i]
						 : session->records[i].views[views[i]].record;
	return (struct rs_question) { .records = records,
				      .n_records = session->n_records,
				      .root = session->root };
}

/* The records and all their views. */
static void put_question(const struct asking *asking, struct rs_builder *out)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const struct rs_session *session = asking->session;
	size_t *views = rs_arena_array(arena, size_t, session->n_records);
	size_t n_views = 0;

	for (size_t i = 0; i < session->n_records; i++)
		n_views = session->records[i].n_views > n_views ? session->records[i].n_views : n_views;
	rs_builder_appends(out, "uses\n");
	for (size_t v = 0; v <= n_views; v++) {
		for (size_t i = 0; i < session->n_records; i++) {
			bool has_view = v > 0 && v <= session->records[i].n_views;

			views[i] = has_view ? v - 1 : RS_NONE;
			rs_wire_put_number(out, has_view ? session->records[i].views[v - 1].fingerprint
							 : session->records[i].fingerprint);
		}
		const struct rs_question question = question_of(asking, views, arena);
		rs_question_put(&question, out);
	}
}

/* As what the unit shows each record. A layout that is new is for the caller to look at: what this process
 * finds about it is forgotten. */
static struct rs_error *see(const struct asking *asking, struct rs_tu *tu, const char *configuration,
			    size_t *views, bool *ret_is_new)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_session *session = asking->session;
	size_t *counts = rs_arena_array(arena, size_t, session->n_records);

	for (size_t i = 0; i < session->n_records; i++)
		counts[i] = session->records[i].n_views;
	struct rs_error *error = rs_session_find_views(session, tu, configuration, views, ret_is_new);
	for (size_t i = 0; i < session->n_records; i++)
		session->records[i].n_views = counts[i];
	return error;
}

/* In a worker. */
static struct rs_error *look_at_unit(const struct asking *asking, struct rs_parser *parser,
				     const struct rs_scan_unit *unit, struct rs_builder *out,
				     struct rs_tu **ret_tu)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	size_t n_records = asking->session->n_records;
	size_t *views = rs_arena_array(arena, size_t, n_records);
	struct rs_facts facts;
	bool is_new;

	RS_TRY(rs_scan_unit_read(parser, unit, ret_tu));
	RS_TRY(see(asking, *ret_tu, unit->configuration, views, &is_new));
	rs_wire_put_number(out, is_new);
	if (is_new)
		return NULL;
	for (size_t i = 0; i < n_records; i++)
		rs_wire_put_number(out, views[i] + 1);
	const struct rs_question question = question_of(asking, views, arena);
	rs_facts_find(*ret_tu, &question, arena, &facts);
	rs_facts_put(&facts, out);
	return NULL;
}

static void put_failure(const struct rs_session *session, const struct rs_error *error, struct rs_builder *out)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct rs_facts facts;

	rs_wire_put_number(out, false);
	for (size_t i = 0; i < session->n_records; i++)
		rs_wire_put_number(out, 0);
	rs_facts_fail_with(arena, error, &facts);
	rs_facts_put(&facts, out);
}

static void find_facts(void *context, struct rs_parser *parser, size_t index, struct rs_builder *out,
		       struct rs_tu **ret_tu)
{
	const struct asking *asking = (const struct asking *)context;
	struct rs_error *error = look_at_unit(asking, parser, asking->sources[index]->unit, out, ret_tu);

	if (!error)
		return;
	out->length = 0;
	put_failure(asking->session, error, out);
	rs_error_destroy(error);
}

static bool read_facts(const struct asking *asking, struct rs_session_source *source, struct rs_bytes bytes)
{
	const struct rs_session *session = asking->session;
	struct rs_arena *arena = session->arena;
	struct rs_wire wire;

	rs_wire_init(&wire, bytes.data, bytes.size);
	source->is_new = rs_wire_get_bool(&wire);
	if (source->is_new)
		return rs_wire_is_done(&wire);
	source->views = rs_arena_array(arena, size_t, session->n_records);
	for (size_t i = 0; i < session->n_records; i++)
		source->views[i] = (size_t)rs_wire_get_limited(&wire, session->records[i].n_views) - 1;
	if (wire.is_broken)
		return false;
	const struct rs_question question = question_of(asking, source->views, arena);
	return rs_facts_get(&wire, arena, &question, &source->facts);
}

static bool take_facts(void *context, size_t index, const struct rs_scan_answer *answer)
{
	struct asking *asking = (struct asking *)context;
	struct rs_session_source *source = asking->sources[index];
	const char *problem = answer->problem;

	source->dependencies = answer->dependencies;
	if (!problem && !read_facts(asking, source, answer->bytes))
		problem = "the parser gave an answer that makes no sense";
	if (!problem)
		return true;
	source->is_new = false;
	rs_facts_fail(asking->session->arena, RS_ERROR_INTERNAL, source->unit->file, 0, 0, problem,
		      &source->facts);
	return true;
}

static void ask(struct asking *asking)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder question = { 0 };
	struct rs_session *session = asking->session;
	const struct rs_scan_settings settings = rs_session_scan_settings(session);

	put_question(asking, &question);
	rs_scan_run(
		session->parser, &settings,
		&(struct rs_scan) { .units = rs_session_units_of(session, asking->sources, asking->n_sources),
				    .n_units = asking->n_sources,
				    .question = { question.data, question.length },
				    .context = asking,
				    .answer = find_facts,
				    .take = take_facts },
		session->arena);
}

/* --- what they show, put together --- */

static const struct rs_buffer *find_buffer(const struct rs_session *session, const char *realpath)
{
	const struct rs_parse_options *parse = &session->options.parse;

	for (size_t i = 0; i < parse->n_buffers; i++)
		if (strcmp(rs_path_canonical(session->arena, parse->buffers[i].path), realpath) == 0)
			return &parse->buffers[i];
	return NULL;
}

/* The text of a file that another process has read. */
static const struct rs_source *read_source(struct rs_session *session, const struct rs_source *found)
{
	const struct rs_buffer *buffer = find_buffer(session, found->realpath);
	struct rs_error *error = NULL;
	size_t size = 0;
	char *text = NULL;

	if (buffer)
		return rs_source_create(session->arena, found->path, found->realpath, buffer->text,
					buffer->size);
	error = rs_file_read(session->arena, found->realpath, &text, &size);
	if (!error)
		return rs_source_create(session->arena, found->path, found->realpath, text, size);
	rs_error_destroy(error);
	return NULL;
}

static const struct rs_source *find_text(const struct rs_session *session, const char *realpath)
{
	for (size_t i = 0; i < session->n_texts; i++)
		if (strcmp(session->texts[i]->realpath, realpath) == 0)
			return session->texts[i];
	return NULL;
}

static void know_text(struct rs_session *session, const struct rs_source *source)
{
	if (!find_text(session, source->realpath))
		*rs_array_push(session->arena, session->texts, session->n_texts, session->texts_capacity) =
			source;
}

/* The sources that open units have shown. */
static void know_texts(struct rs_session *session, const struct rs_session_findings *findings)
{
	for (size_t i = 0; i < findings->n_records; i++) {
		know_text(session, findings->records[i]->source);
		for (size_t s = 0; s < findings->initializers[i].n_sources; s++)
			know_text(session, findings->initializers[i].sources[s].source);
	}
}

/* The one source that stands for the file; NULL when its bytes are others than those that were found. */
static const struct rs_source *adopt(struct rs_session *session, const struct rs_source *found)
{
	const struct rs_source *source = find_text(session, found->realpath);

	if (!source) {
		source = read_source(session, found);
		if (source)
			know_text(session, source);
	}
	return source && source->hash == found->hash && source->size == found->size ? source : NULL;
}

static bool adopt_sources(struct rs_session *session, struct rs_initializer_list *list)
{
	for (size_t i = 0; i < list->n_items; i++) {
		const struct rs_source *source = adopt(session, list->items[i].source);

		if (!source)
			return false;
		list->items[i].source = source;
	}
	for (size_t i = 0; i < list->n_branches; i++) {
		const struct rs_source *source = adopt(session, list->branches[i].source);

		if (!source)
			return false;
		list->branches[i].source = source;
	}
	for (size_t i = 0; i < list->n_sources; i++) {
		list->sources[i].source = adopt(session, list->sources[i].source);
		if (!list->sources[i].source)
			return false;
	}
	return true;
}

static void merge_facts(struct rs_session *session, const struct rs_session_findings *findings,
			struct rs_use_index *index, struct rs_session_source *source)
{
	struct rs_facts *facts = &source->facts;

	for (size_t i = 0; i < facts->n_records; i++)
		if (!adopt_sources(session, &facts->initializers[i])) {
			rs_facts_fail(session->arena, RS_ERROR_CHANGED, source->unit->file, 0, 0,
				      "a file that it reads changed meanwhile", facts);
			return;
		}
	for (size_t i = 0; i < facts->n_notes; i++)
		rs_notes_add(&session->notes, facts->notes[i].severity, facts->notes[i].path,
			     facts->notes[i].line, facts->notes[i].column, "%s", facts->notes[i].message);
	for (size_t i = 0; i < facts->n_records; i++) {
		size_t view = source->views[i];

		rs_use_index_merge(index, i, view + 1,
				   view == RS_NONE ? &findings->lists[i]
						   : &session->records[i].views[view].found,
				   &facts->pins[i], &facts->initializers[i]);
	}
}

static struct rs_use_index *make_index(const struct rs_session *session,
				       const struct rs_session_findings *findings)
{
	struct rs_use_index *index =
		rs_use_index_create(findings->lists, findings->initializers, findings->n_records);

	for (size_t i = 0; i < session->n_records; i++)
		for (size_t v = 0; v < session->records[i].n_views; v++)
			rs_use_index_enter_view(index, i, v + 1, &session->records[i].views[v].found);
	return index;
}

/* In the order of the database, whoever was ready first. Those that wait for another round are left in asking.
 */
static void merge(struct asking *asking)
{
	struct rs_session *session = asking->session;
	struct rs_use_index *index = make_index(session, asking->findings);
	size_t n_waiting = 0;

	for (size_t i = 0; i < asking->n_sources; i++) {
		struct rs_session_source *source = asking->sources[i];

		if (source->is_new)
			asking->sources[n_waiting++] = source;
		else
			merge_facts(session, asking->findings, index, source);
	}
	asking->n_sources = n_waiting;
	rs_use_index_destroy(index);
}

/* The first unit that shows a layout which nobody has seen stays open; the others may show the same one. */
static struct rs_error *open_first(struct asking *asking)
{
	struct rs_session *session = asking->session;
	struct rs_session_source *source = asking->sources[0];
	const struct rs_scan_unit *unit = source->unit;
	struct rs_tu *tu;
	bool is_new;
	struct rs_error *error = rs_scan_unit_open(session->parser, unit, &tu);

	for (size_t i = 1; i < asking->n_sources; i++)
		asking->sources[i - 1] = asking->sources[i];
	asking->n_sources--;
	if (error) {
		rs_facts_fail_with(session->arena, error, &source->facts);
		rs_error_destroy(error);
		return NULL;
	}
	source->is_open = true;
	rs_session_remember(session, unit->file, unit->configuration ? unit->configuration : "", tu);
	error = rs_session_look_into(session, asking->findings, tu, unit->configuration, &is_new);
	know_texts(session, asking->findings);
	return error;
}

/* Some sources are made to be included by another, and show there what they do. */
static bool is_read_elsewhere(const struct rs_session *session, const struct rs_session_source *source,
			      struct rs_file_states *states)
{
	const char *file = source->unit->file;

	for (size_t i = 0; i < session->n_tus; i++)
		if (strcmp(rs_tu_main_file(session->tus[i].tu), file) != 0 &&
		    rs_tu_reads(session->tus[i].tu, file))
			return true;
	for (size_t i = 0; i < session->n_sources; i++) {
		const struct rs_session_source *other = &session->sources[i];

		if (!other->facts.failure && strcmp(other->unit->file, file) != 0 && other->dependencies &&
		    rs_dependencies_has(other->dependencies, file, states))
			return true;
	}
	return false;
}

static void note_failures(struct rs_session *session, const struct rs_session_findings *findings)
{
	RS_CLEANUP(rs_file_states_destroyp) struct rs_file_states *states = rs_file_states_create();

	for (size_t i = 0; i < session->n_sources; i++) {
		const struct rs_session_source *source = &session->sources[i];

		if (source->facts.failure && !is_read_elsewhere(session, source, states))
			rs_session_note_unread(session, findings, source->unit->file, source->facts.failure);
	}
}

/* --- which are asked --- */

/* Names whose mention makes a source that cannot be judged one to look at. */
static const char **find_words(struct rs_session *session, const struct rs_session_findings *findings,
			       size_t *ret_count)
{
	size_t n_records = findings->n_records;
	const char **words = rs_arena_array(session->arena, const char *, 2 * n_records);

	for (size_t i = 0; i < n_records; i++) {
		words[i] = rs_path_basename(findings->records[i]->source->realpath);
		words[n_records + i] = findings->records[i]->name;
	}
	*ret_count = 2 * n_records;
	return words;
}

/* The files that a plan may change: those of the records and those with initialisers of theirs, which other
 * units may read without the records. */
static const char **find_files(struct rs_session *session, const struct rs_session_findings *findings,
			       size_t *ret_count)
{
	const char **files;
	size_t count = findings->n_records;

	for (size_t i = 0; i < findings->n_records; i++)
		count += findings->initializers[i].n_sources;
	files = rs_arena_array(session->arena, const char *, count);
	*ret_count = count;
	for (size_t i = 0; i < findings->n_records; i++) {
		files[--count] = findings->records[i]->source->realpath;
		for (size_t k = 0; k < findings->initializers[i].n_sources; k++)
			files[--count] = findings->initializers[i].sources[k].source->realpath;
	}
	return files;
}

static bool is_listed(const struct rs_session *session, const struct rs_scan_unit *unit)
{
	for (size_t i = 0; i < session->n_sources; i++)
		if (session->sources[i].unit == unit)
			return true;
	return false;
}

/* Adds the units that may read such a file, and were not listed yet, to those to be asked. Without the record's
 * definition nothing in a unit can depend on its order. */
static void list_sources(struct rs_session *session, const struct rs_session_findings *findings,
			 const struct rs_scan_units *units, struct asking *asking)
{
	size_t n_files, n_words;
	const char **files = find_files(session, findings, &n_files);
	const char **words = find_words(session, findings, &n_words);
	RS_CLEANUP(rs_reach_destroyp)
	struct rs_reach *reach = rs_reach_create(session->parser, files, n_files, words, n_words);

	for (size_t i = 0; i < units->n_items; i++) {
		const struct rs_scan_unit *unit = &units->items[i];
		struct rs_session_source *source;

		if (!is_wanted(&session->options, unit->file) || is_listed(session, unit) ||
		    is_open(session, unit) || !rs_reach_may_read(reach, unit))
			continue;
		source = &session->sources[session->n_sources++];
		source->unit = unit;
		asking->sources[asking->n_sources++] = source;
	}
}

static struct rs_error *ask_all(struct asking *asking)
{
	while (asking->n_sources > 0) {
		ask(asking);
		merge(asking);
		if (asking->n_sources > 0)
			RS_TRY(open_first(asking));
	}
	return NULL;
}

struct rs_error *rs_session_scan(struct rs_session *session, const struct rs_session_findings *findings)
{
	struct rs_scan_units *units = rs_arena_new(session->arena, struct rs_scan_units);
	struct asking asking = { .session = session, .findings = findings };

	RS_TRY(find_units(session, findings, units));
	session->sources = rs_arena_array(session->arena, struct rs_session_source, units->n_items);
	session->n_sources = 0;
	asking.sources = rs_arena_array(session->arena, struct rs_session_source *, units->n_items);
	know_texts(session, findings);
	for (list_sources(session, findings, units, &asking); asking.n_sources > 0;
	     list_sources(session, findings, units, &asking))
		RS_TRY(ask_all(&asking));
	note_failures(session, findings);
	return NULL;
}

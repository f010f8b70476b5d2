#include "api/handle.h"

#include <stdlib.h>
#include <string.h>

#include "api/plan_file.h"
#include "base/builder.h"
#include "base/file.h"
#include "base/path.h"
#include "base/settle.h"
#include "config.h"
#include "parse/shell.h"

const char *restruct_version(void)
{
	return RESTRUCT_VERSION;
}

const char *restruct_compiler_version(void)
{
	return rs_parser_version();
}

void restruct_set_oom_handler(void (*handler)(void))
{
	rs_alloc_set_oom_handler(handler);
}

struct restruct *restruct_create(void)
{
	struct restruct *r = (struct restruct *)rs_alloc(sizeof *r);

	r->arena = rs_arena_create();
	r->options.scan.version = RESTRUCT_VERSION;
	rs_notes_init(&r->recovery, r->arena);
	return r;
}

void restruct_destroy(struct restruct *r)
{
	if (!r)
		return;
	rs_session_destroy(r->session);
	rs_review_destroy(r->review);
	rs_arena_destroy(r->arena);
	free(r->error);
	free(r);
}

static const char *keep(struct restruct *r, const char *text)
{
	return text ? rs_arena_strdup(r->arena, text) : NULL;
}

static const char *const *keep_list(struct restruct *r, const char *const *items, size_t count)
{
	const char **copies = rs_arena_array(r->arena, const char *, count + 1);

	for (size_t i = 0; i < count; i++)
		copies[i] = keep(r, items[i]);
	return copies;
}

static struct rs_target *add_target(struct restruct *r)
{
	return rs_array_push(r->arena, r->targets, r->n_targets, r->targets_capacity);
}

void restruct_add_target(struct restruct *r, const char *file, const char *name)
{
	*add_target(r) = (struct rs_target) { .file = keep(r, file), .name = keep(r, name) };
}

void restruct_add_target_anywhere(struct restruct *r, const char *const *sources, size_t n_sources,
				  const char *name)
{
	*add_target(r) = (struct rs_target) { .sources = keep_list(r, sources, n_sources),
					      .n_sources = n_sources,
					      .name = keep(r, name) };
}

void restruct_add_profile(struct restruct *r, const char *path)
{
	*rs_array_push(r->arena, r->profiles, r->options.n_profiles, r->profiles_capacity) = keep(r, path);
}

void restruct_set_build_directory(struct restruct *r, const char *path)
{
	r->options.parse.build_directory = keep(r, path);
}

void restruct_set_flags(struct restruct *r, const char *const *flags, size_t n_flags)
{
	r->options.parse.flags = keep_list(r, flags, n_flags);
	r->options.parse.n_flags = n_flags;
	r->options.parse.has_flags = true;
}

void restruct_add_configuration(struct restruct *r, const char *name, const char *flags)
{
	struct rs_words words = { 0 };

	rs_shell_split(r->arena, keep(r, flags), strlen(flags), &words);
	*rs_array_push(r->arena, r->configurations, r->options.n_configurations, r->configurations_capacity) =
		(struct rs_session_configuration) { .name = keep(r, name),
						    .flags = words.items,
						    .n_flags = words.n_items };
}

void restruct_add_context(struct restruct *r, const char *path)
{
	*rs_array_push(r->arena, r->contexts, r->options.parse.n_contexts, r->contexts_capacity) =
		keep(r, path);
}

void restruct_add_buffer(struct restruct *r, const char *path, const char *text, size_t size)
{
	*rs_array_push(r->arena, r->buffers, r->options.parse.n_buffers, r->buffers_capacity) =
		(struct rs_buffer) { .path = keep(r, path),
				     .text = rs_arena_strndup(r->arena, text, size),
				     .size = size };
}

void restruct_set_resource_directory(struct restruct *r, const char *path)
{
	r->options.parse.resource_directory = keep(r, path);
}

void restruct_set_scan(struct restruct *r, unsigned jobs, int with_cache, restruct_progress_fn progress)
{
	r->options.scan.n_jobs = jobs;
	r->options.scan.progress = progress;
	r->options.with_cache = with_cache != 0;
}

void restruct_set_root(struct restruct *r, const char *path)
{
	r->options.root = keep(r, path);
}

void restruct_set_line_bytes(struct restruct *r, unsigned line_bytes)
{
	r->options.line_bytes = line_bytes;
}

void restruct_set_order(struct restruct *r, const char *const *names, size_t n_names)
{
	r->order = keep_list(r, names, n_names);
	r->n_order = n_names;
}

void restruct_set_max_size(struct restruct *r, size_t bytes)
{
	r->options.plan.max_size_bytes = bytes;
}

void restruct_set_split(struct restruct *r, int on)
{
	r->options.splits = on != 0;
}

void restruct_set_section_comments(struct restruct *r, int on)
{
	r->options.headlines = on != 0;
}

void restruct_set_max_moves(struct restruct *r, size_t blocks)
{
	r->options.plan.max_moves = blocks;
}

void restruct_set_max_lines_changed(struct restruct *r, size_t lines)
{
	r->options.plan.max_lines = lines;
}

void restruct_set_time_limit(struct restruct *r, double seconds)
{
	r->options.plan.time_limit_s = seconds > 0 ? seconds : 0;
}

void restruct_set_designate(struct restruct *r, int always)
{
	r->options.designate = always != 0;
}

void restruct_allow(struct restruct *r, const char *pin)
{
	const char *colon = strchr(pin, ':');
	size_t length = colon ? (size_t)(colon - pin) : strlen(pin);

	*rs_array_push(r->arena, r->allowances, r->options.n_allowances, r->allowances_capacity) =
		(struct rs_allowance) { .code = rs_arena_strndup(r->arena, pin, length),
					.name = keep(r, colon ? colon + 1 : NULL) };
}

void restruct_pin(struct restruct *r, const char *pin)
{
	*rs_array_push(r->arena, r->asked, r->options.n_asked, r->asked_capacity) = keep(r, pin);
}

void restruct_explain(struct restruct *r, const char *field)
{
	*rs_array_push(r->arena, r->explain, r->options.n_explain, r->explain_capacity) = keep(r, field);
}

void restruct_set_series(struct restruct *r, int on)
{
	r->options.is_series = on != 0;
}

void restruct_set_pick(struct restruct *r, unsigned plan)
{
	r->options.pick = plan;
}

void rs_handle_set_error(struct restruct *r, const char *text)
{
	free(r->error);
	r->error = NULL;
	if (text) {
		size_t size = strlen(text) + 1;

		r->error = (char *)memcpy(rs_alloc(size), text, size);
	}
}

enum restruct_status rs_handle_fail(struct restruct *r, struct rs_error *error)
{
	static const char prefix[] = "restruct: ";
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	enum restruct_status status = error->code == RS_ERROR_USAGE ? RESTRUCT_USAGE : RESTRUCT_FAILED;

	rs_error_print(error, &text);
	text.data[text.length - 1] = '\0';
	rs_handle_set_error(r, text.data + strlen(prefix));
	rs_error_destroy(error);
	return status;
}

enum restruct_status restruct_add_plan_file(struct restruct *r, const char *path, unsigned plan)
{
	struct rs_target *targets;
	size_t count;
	struct rs_error *error = rs_plan_file_read(r->arena, path, r->options.root, plan, &targets, &count);

	rs_handle_set_error(r, NULL);
	if (error)
		return rs_handle_fail(r, error);
	for (size_t i = 0; i < count; i++)
		*add_target(r) = targets[i];
	return RESTRUCT_OK;
}

enum restruct_status restruct_set_baseline(struct restruct *r, const char *path, int may_be_new)
{
	struct rs_error *error = NULL;

	rs_handle_set_error(r, NULL);
	r->baseline_path = keep(r, path);
	r->has_baseline = !may_be_new || rs_file_exists(path);
	if (r->has_baseline)
		error = rs_baseline_read(r->arena, r->baseline_path, &r->baseline);
	return error ? rs_handle_fail(r, error) : RESTRUCT_OK;
}

/* All that the baseline knows, where nothing else was asked for. */
static void add_baseline_targets(struct restruct *r)
{
	const char *folder;

	if (!r->has_baseline || r->n_targets > 0)
		return;
	folder = rs_path_directory(r->arena, rs_path_canonical(r->arena, r->baseline_path));
	for (size_t i = 0; i < r->baseline.n_structs; i++) {
		const struct rs_baseline_struct *type = &r->baseline.structs[i];

		*add_target(r) = (struct rs_target) { .file = rs_path_absolute(r->arena, folder, type->file),
						      .name = type->name,
						      .may_be_missing = true };
	}
}

void rs_handle_set_options(struct restruct *r)
{
	r->options.baseline = r->has_baseline ? &r->baseline : NULL;
	r->options.profiles = r->profiles;
	r->options.parse.contexts = r->contexts;
	r->options.parse.buffers = r->buffers;
	r->options.allowances = r->allowances;
	r->options.explain = r->explain;
	r->options.asked = r->asked;
	r->options.configurations = r->configurations;
	if (r->order)
		for (size_t i = 0; i < r->n_targets; i++) {
			r->targets[i].order = r->order;
			r->targets[i].n_order = r->n_order;
		}
}

struct rs_error *rs_handle_open(struct restruct *r)
{
	if (r->session)
		return NULL;
	rs_handle_set_options(r);
	return rs_session_create(&r->options, r->targets, r->n_targets, &r->session);
}

static void add_line(struct restruct *r, struct rs_handle_lines *lines, const char *path, unsigned line,
		     unsigned column, const char *severity, const char *message)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	if (path)
		rs_builder_printf(&text, "%s:", path);
	if (path && line)
		rs_builder_printf(&text, "%u:", line);
	if (path && line && column)
		rs_builder_printf(&text, "%u:", column);
	rs_builder_printf(&text, "%s%s: %s", path ? " " : "", severity, message);
	*rs_array_push(r->arena, lines->items, lines->n_items, lines->items_capacity) =
		rs_arena_strdup(r->arena, text.data);
}

static void add_notes(struct restruct *r, const struct rs_notes *notes)
{
	for (size_t i = 0; i < notes->n_items; i++) {
		const struct rs_note *note = &notes->items[i];

		add_line(r, &r->notes, note->path, note->line, note->column,
			 note->severity == RS_NOTE_WARNING ? "warning" : "note", note->message);
	}
}

static void collect_notes(struct restruct *r)
{
	r->notes.n_items = 0;
	add_notes(r, &r->recovery);
	if (r->session)
		add_notes(r, rs_session_notes(r->session));
	if (r->review)
		add_notes(r, rs_review_notes(r->review));
}

/* Pins of one record, to be told with the files that they are in. */
struct told {
	const struct rs_record *record;
	const char *folder; /* the current one */
};

/* Where the caller names files from the current folder, others are named so, too. */
static const char *place_of(void *data, const struct rs_pin *pin)
{
	const struct told *told = data;
	const char *own = told->record->source->path;

	if (!pin->file || *own == '/')
		return pin->file ? pin->file : own;
	return rs_path_below(pin->file, told->folder);
}

static void add_pins(struct restruct *r, const struct rs_record *record, const struct rs_pin *pins,
		     size_t count)
{
	struct told told = { record, rs_path_canonical(r->arena, ".") };

	for (size_t i = 0; i < count; i++) {
		RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
		const struct rs_pin *pin = &pins[i];

		if (!pin->refuses || rs_pins_first_alike(pins, i) != i)
			continue;
		rs_builder_printf(&text, "struct '%s': %s [%s]", record->name, pin->message, pin->code);
		rs_pins_print_others(&text, pins, count, i, place_of, &told);
		add_line(r, &r->refusals, place_of(&told, pin), pin->line, 0, "refused", text.data);
	}
}

static void add_no_gain(struct restruct *r, const struct rs_record_result *result)
{
	const struct rs_record *record = result->record;
	struct rs_position at = rs_source_position(record->source, record->span.start);
	const char *reason = result->is_by_hand ? "the order asked for is the one it has"
			     : result->proven   ? "no permitted order is better than the present one"
						: "no better order was found";

	add_line(r, &r->refusals, record->source->path, at.line, 0, "no gain",
		 rs_arena_printf(r->arena, "struct '%s': %s%s%s", record->name, reason,
				 result->held_gain ? "; " : "", result->held_gain ? result->held_gain : ""));
}

/* FINDINGS when a record was refused or cannot gain, or a file could not be read. */
static enum restruct_status judge(struct restruct *r)
{
	bool fails = rs_finding_fails(r->result->findings, r->result->n_findings);
	enum restruct_status status = fails || r->result->n_unread > 0 ? RESTRUCT_FINDINGS : RESTRUCT_OK;

	for (size_t i = 0; i < r->result->n_records; i++) {
		const struct rs_record_result *record = &r->result->records[i];

		if (record->verdict == RS_VERDICT_REFUSED || record->verdict == RS_VERDICT_NO_GAIN)
			status = RESTRUCT_FINDINGS;
		if (record->verdict == RS_VERDICT_NO_GAIN)
			add_no_gain(r, record);
		if (record->verdict == RS_VERDICT_REFUSED) {
			add_pins(r, record->record, record->record->pins, record->record->n_pins);
			add_pins(r, record->record, record->hazards, record->n_hazards);
		}
	}
	return status;
}

enum restruct_status rs_handle_answer(struct restruct *r, struct rs_error *error, enum rs_report_kind kind)
{
	collect_notes(r);
	if (error)
		return rs_handle_fail(r, error);
	r->kind = kind;
	r->profile = NULL;
	return judge(r);
}

void rs_handle_begin(struct restruct *r)
{
	rs_handle_set_error(r, NULL);
	r->refusals.n_items = 0;
	r->result = NULL;
	r->profile = NULL;
}

enum restruct_status rs_handle_end(struct restruct *r, struct rs_error *error)
{
	collect_notes(r);
	return error ? rs_handle_fail(r, error) : RESTRUCT_OK;
}

static enum restruct_status ask(struct restruct *r, enum rs_session_goal goal, enum rs_report_kind kind)
{
	struct rs_error *error;

	rs_handle_begin(r);
	error = rs_handle_open(r);
	if (!error)
		error = rs_session_run(r->session, goal, &r->result);
	return rs_handle_answer(r, error, kind);
}

struct paths {
	const char **items;
	size_t n_items, items_capacity;
};

static void add_path(struct restruct *r, struct paths *paths, const char *path)
{
	*rs_array_push(r->arena, paths->items, paths->n_items, paths->items_capacity) = path;
}

enum restruct_status restruct_recover(struct restruct *r)
{
	struct paths paths = { 0 };

	rs_handle_set_error(r, NULL);
	add_path(r, &paths, "./x");
	for (size_t i = 0; i < r->n_targets; i++) {
		if (r->targets[i].file)
			add_path(r, &paths, r->targets[i].file);
		for (size_t s = 0; s < r->targets[i].n_sources; s++)
			add_path(r, &paths, r->targets[i].sources[s]);
	}
	for (size_t i = 0; i < r->options.parse.n_contexts; i++)
		add_path(r, &paths, r->contexts[i]);
	struct rs_error *error = rs_settle_above(paths.items, paths.n_items, &r->recovery);
	collect_notes(r);
	return error ? rs_handle_fail(r, error) : RESTRUCT_OK;
}

enum restruct_status restruct_annotate(struct restruct *r)
{
	return ask(r, RS_GOAL_ANNOTATE, RS_REPORT_ANNOTATE);
}

enum restruct_status restruct_optimize(struct restruct *r)
{
	return ask(r, RS_GOAL_OPTIMIZE, RS_REPORT_OPTIMIZE);
}

enum restruct_status restruct_emit(struct restruct *r)
{
	return ask(r, RS_GOAL_EMIT, RS_REPORT_PATCH);
}

enum restruct_status restruct_check(struct restruct *r)
{
	add_baseline_targets(r);
	return ask(r, RS_GOAL_CHECK, RS_REPORT_CHECK);
}

enum restruct_status restruct_guard(struct restruct *r)
{
	return ask(r, RS_GOAL_ANNOTATE, RS_REPORT_GUARD);
}

enum restruct_status restruct_apply(struct restruct *r)
{
	struct rs_error *error;

	rs_handle_set_error(r, NULL);
	if (!r->result || r->kind != RS_REPORT_PATCH)
		error = rs_error_create(RS_ERROR_USAGE, NULL, 0, 0, "nothing was emitted yet");
	else
		error = rs_session_apply(r->session);
	return error ? rs_handle_fail(r, error) : RESTRUCT_OK;
}

const char *restruct_error(const struct restruct *r)
{
	return r->error;
}

const char *restruct_note(struct restruct *r, size_t index)
{
	return index < r->notes.n_items ? r->notes.items[index] : NULL;
}

const char *restruct_refusal(struct restruct *r, size_t index)
{
	return index < r->refusals.n_items ? r->refusals.items[index] : NULL;
}

const char *restruct_file(struct restruct *r, size_t index)
{
	return r->result && index < r->result->n_files ? r->result->files[index].source->path : NULL;
}

#include "parse/scan.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "parse/clang.h"
#include "parse/pool.h"
#include "parse/tu_state.h"

enum {
	TIMEOUT_MS = 10 * 60 * 1000, /* the largest known sources take a minute on a slow machine */
	MAX_UNITS = 200,             /* of a worker */
	MAX_GROWTH = 64 << 20,       /* bytes: libclang gives back most of a unit's memory, but not all */
};

struct run {
	const struct rs_scan *scan;
	const struct rs_scan_settings *settings;
	struct rs_parser *parser;
	struct rs_arena *arena;
	struct rs_file_states *states;
	struct rs_bytes *keys;
	size_t *tasks; /* units that the pool is for */
	size_t n_tasks, n_done, limit;
	/* In a worker: */
	struct rs_notes notes;
	struct rs_parser *own_parser;
	struct rs_file_states *own_states;
};

/* --- keys --- */

static void put_hash(struct rs_builder *out, struct rs_bytes bytes)
{
	rs_wire_put_number(out, bytes.size);
	rs_wire_put_number(out, rs_hash_bytes(bytes.data, bytes.size));
}

static void put_buffers(struct rs_builder *out, const struct rs_buffer *buffers, size_t count)
{
	rs_wire_put_number(out, count);
	for (size_t i = 0; i < count; i++) {
		rs_wire_put_text(out, buffers[i].path);
		put_hash(out, (struct rs_bytes) { buffers[i].text, buffers[i].size });
	}
}

/* A version is told by its number only when it is released. */
static void put_program(struct rs_builder *out)
{
	static const char here;
	Dl_info info;
	const char *path = dladdr(&here, &info) && info.dli_fname && strchr(info.dli_fname, '/')
				   ? info.dli_fname
				   : "/proc/self/exe";
	const struct rs_file_state state = rs_file_state_read(path, 0);

	rs_wire_put_number(out, state.size);
	rs_wire_put_number(out, state.mtime_ns);
}

/* What is the same for all units. */
static void put_common(const struct run *run, struct rs_builder *out)
{
	static const char *const variables[] = { "CPATH", "C_INCLUDE_PATH", "SDKROOT" };
	const struct rs_parser *parser = run->parser;

	rs_wire_put_text(out, run->settings->version);
	put_program(out);
	rs_wire_put_text(out, rs_clang_name());
	rs_wire_put_text(out, parser->resource_directory);
	rs_wire_put_text(out, parser->folder);
	rs_wire_put_text(out, parser->options.prelude);
	rs_wire_put_number(out, parser->options.with_bodies);
	put_buffers(out, parser->options.buffers, parser->options.n_buffers);
	put_buffers(out, run->scan->texts, run->scan->n_texts);
	for (size_t i = 0; i < RS_COUNT_OF(variables); i++)
		rs_wire_put_text(out, getenv(variables[i]));
	put_hash(out, run->scan->question);
}

static struct rs_bytes make_key(struct run *run, const struct rs_scan_unit *unit,
				const struct rs_builder *common)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder key = { 0 };

	rs_builder_append(&key, common->data, common->length);
	rs_wire_put_text(&key, unit->file);
	rs_wire_put_text(&key, unit->configuration);
	rs_wire_put_text(&key, unit->flags.language);
	rs_wire_put_number(&key, unit->flags.words.n_items);
	for (size_t i = 0; i < unit->flags.words.n_items; i++)
		rs_wire_put_text(&key, unit->flags.words.items[i]);
	rs_wire_put_number(&key, unit->notes.n_items);
	for (size_t i = 0; i < unit->notes.n_items; i++)
		rs_wire_put_text(&key, unit->notes.items[i].message);
	return (struct rs_bytes) { rs_arena_strndup(run->arena, key.data, key.length), key.length };
}

static void make_keys(struct run *run)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder common = { 0 };

	run->keys = rs_arena_array(run->arena, struct rs_bytes, run->scan->n_units);
	put_common(run, &common);
	for (size_t i = 0; i < run->scan->n_units; i++)
		run->keys[i] = make_key(run, run->scan->units[i], &common);
}

/* --- in a worker --- */

/* The caller's index is not ours to use, nor are its databases. */
static void start(void *context)
{
	struct run *run = (struct run *)context;

	rs_notes_init(&run->notes, rs_arena_create());
	run->own_parser = rs_parser_create_worker(run->parser, &run->notes);
	run->own_states = rs_file_states_create();
}

static struct rs_buffer *all_buffers(const struct run *run, struct rs_arena *arena, size_t *ret_count)
{
	const struct rs_parse_options *options = &run->parser->options;
	struct rs_buffer *buffers =
		rs_arena_array(arena, struct rs_buffer, options->n_buffers + run->scan->n_texts);
	size_t count = 0;

	for (size_t i = 0; i < options->n_buffers; i++)
		buffers[count++] = options->buffers[i];
	for (size_t i = 0; i < run->scan->n_texts; i++)
		buffers[count++] = run->scan->texts[i];
	*ret_count = count;
	return buffers;
}

static void answer(void *context, size_t task, struct rs_builder *out)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder bytes = { 0 };
	struct run *run = (struct run *)context;
	struct rs_dependencies dependencies = { 0 };
	struct rs_tu *tu = NULL;
	uint64_t started_ns = rs_file_state_now_ns();

	run->scan->answer(run->scan->context, run->own_parser, run->tasks[task], &bytes, &tu);
	if (tu) {
		size_t n_buffers;
		struct rs_buffer *buffers = all_buffers(run, arena, &n_buffers);

		rs_dependencies_collect(tu, buffers, n_buffers, started_ns, run->own_states, arena,
					&dependencies);
	}
	rs_tu_destroy(tu);
	rs_dependencies_put(&dependencies, out);
	rs_wire_put_bytes(out, bytes.data ? bytes.data : "", bytes.length);
}

/* --- in the caller --- */

static void hand_over(struct run *run, size_t unit, const struct rs_scan_answer *answered)
{
	if (!run->scan->take(run->scan->context, unit, answered) && unit + 1 < run->limit)
		run->limit = unit + 1;
	run->n_done++;
	if (run->settings->progress)
		run->settings->progress(run->n_done, run->scan->n_units);
}

static bool take(void *context, size_t task, const struct rs_pool_answer *answered)
{
	struct run *run = (struct run *)context;
	struct rs_dependencies *dependencies = rs_arena_new(run->arena, struct rs_dependencies);
	struct rs_scan_answer handed = { .dependencies = dependencies, .problem = answered->problem };
	struct rs_wire wire;
	size_t unit = run->tasks[task];

	if (!answered->problem) {
		rs_wire_init(&wire, answered->data, answered->size);
		rs_dependencies_get(&wire, run->arena, dependencies);
		handed.bytes.data = rs_wire_get_bytes(&wire, &handed.bytes.size);
		if (!rs_wire_is_done(&wire))
			handed.problem = "the parser gave an answer that makes no sense";
		else if (run->settings->cache)
			rs_fact_cache_keep(run->settings->cache, run->keys[unit], dependencies, handed.bytes);
	}
	hand_over(run, unit, &handed);
	return run->limit == run->scan->n_units;
}

static void ask_cache(struct run *run)
{
	for (size_t i = 0; i < run->limit; i++) {
		struct rs_dependencies *dependencies = rs_arena_new(run->arena, struct rs_dependencies);
		struct rs_scan_answer found = { .dependencies = dependencies };

		if (run->settings->cache && rs_fact_cache_find(run->settings->cache, run->keys[i], run->states,
							       run->arena, dependencies, &found.bytes))
			hand_over(run, i, &found);
		else
			run->tasks[run->n_tasks++] = i;
	}
}

static void ask_workers(struct run *run)
{
	struct rs_pool pool = { .n_jobs = run->settings->n_jobs,
				.timeout_ms = TIMEOUT_MS,
				.max_tasks = MAX_UNITS,
				.max_growth_bytes = MAX_GROWTH,
				.context = run,
				.start = start,
				.run = answer,
				.take = take };

	while (run->n_tasks > 0 && run->tasks[run->n_tasks - 1] >= run->limit)
		run->n_tasks--;
	pool.n_tasks = run->n_tasks;
	rs_pool_run(&pool);
}

void rs_scan_run(struct rs_parser *parser, const struct rs_scan_settings *settings, const struct rs_scan *scan,
		 struct rs_arena *arena)
{
	struct run run = {
		.scan = scan, .settings = settings, .parser = parser, .arena = arena, .limit = scan->n_units
	};

	run.tasks = rs_arena_array(arena, size_t, scan->n_units);
	run.states = rs_file_states_create();
	if (settings->cache)
		make_keys(&run);
	ask_cache(&run);
	ask_workers(&run);
	if (settings->progress && run.n_done < scan->n_units)
		settings->progress(scan->n_units, scan->n_units);
	rs_file_states_destroy(run.states);
}

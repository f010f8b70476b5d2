/*
 * Round trip of one header, or of a source and every header it reads but for system headers: each record that
 * takes a plan gets a random permitted order (SEED 0: the optimizer's); those of a file are carried out
 * together, verified by parsing again, and written to a folder for the caller to apply: N.path (the file),
 * N.new (its new text), N.patch (for header.h) and N.layout (static assertions that hold the planned offsets),
 * N from 0.
 *
 * usage: round_trip FILE SEED OUT-DIR [FLAG...]
 * Prints one line: "records R permuted P units U refused F deferred D rejected J" or an error. Exit status 0,
 * or 1 when something did not verify, 3 when the file does not parse, 4 when the compiler rejects new orders (a
 * static assertion of the header); the files behind a rejected one are still done.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "plan/plan.h"
#include "rewrite/rewrite.h"
#include "rewrite/verify.h"
#include "text/patch.h"

#include "tool.h"

static uint64_t state;

static size_t draw(size_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(state >> 33) % below;
}

static size_t find(const size_t *order, size_t unit)
{
	size_t at = 0;

	while (order[at] != unit)
		at++;
	return at;
}

/* Takes the unit out and puts it back so that it stands at place `to` of the rest. */
static void move(size_t *order, size_t from, size_t to)
{
	size_t unit = order[from];

	if (from < to)
		memmove(order + from, order + from + 1, (to - from) * sizeof *order);
	else
		memmove(order + to + 1, order + to, (from - to) * sizeof *order);
	order[to] = unit;
}

static void shuffle_regions(const struct rs_record *record, size_t *order)
{
	for (size_t i = 0; i < record->n_units; i++)
		order[i] = i;
	for (size_t start = 0, end; start < record->n_units; start = end) {
		end = start + 1;
		while (end < record->n_units && record->units[end].region == record->units[start].region)
			end++;
		for (size_t i = end - 1; i > start; i--) {
			size_t j = start + draw(i - start + 1), kept = order[i];

			order[i] = order[j];
			order[j] = kept;
		}
	}
}

static void mend(const struct rs_record *record, size_t *order, const struct rs_constraint *constraint)
{
	size_t at = find(order, constraint->unit), first = at, last = at;
	size_t region = record->units[constraint->unit].region;

	while (first > 0 && record->units[order[first - 1]].region == region)
		first--;
	while (last + 1 < record->n_units && record->units[order[last + 1]].region == region)
		last++;
	if (constraint->kind == RS_KEEP_FIRST)
		move(order, at, first);
	else if (constraint->kind == RS_KEEP_LAST)
		move(order, at, last);
	else if (find(order, constraint->other) < at)
		move(order, at, find(order, constraint->other));
	at = find(order, constraint->unit);
	if (constraint->kind == RS_KEEP_NEXT && find(order, constraint->other) != at + 1)
		move(order, find(order, constraint->other), at + 1);
}

/* A random order that the constraints permit; false when none was found. */
static bool make_order(struct rs_arena *arena, const struct rs_record *record, size_t *order)
{
	const char *reason;

	for (int attempt = 0; attempt < 50; attempt++) {
		shuffle_regions(record, order);
		for (size_t round = 0; round < 3; round++)
			for (size_t i = 0; i < record->n_constraints; i++)
				mend(record, order, &record->constraints[i]);
		if (rs_plan_is_permitted(arena, record, NULL, order, &reason))
			return true;
	}
	return false;
}

struct options {
	uint64_t seed;
	const char *folder;
};

struct work {
	struct rs_arena *arena;
	const struct options *options;
	struct rs_verification *verifications; /* of one file */
	size_t n_verifications;
	struct rs_edit *edits;
	size_t n_edits, edits_capacity;
	struct rs_builder layout;
	size_t n_files, n_permuted, n_units, n_refused, n_deferred, n_rejected, n_failed;
};

static bool overlaps(const struct work *work, const struct rs_record *record)
{
	for (size_t i = 0; i < work->n_verifications; i++) {
		struct rs_span other = work->verifications[i].record->span;

		if (record->span.start < other.end && other.start < record->span.end)
			return true;
	}
	return false;
}

static const struct rs_plan *make_plan(const struct work *work, const struct rs_record *record)
{
	size_t *order = rs_arena_array(work->arena, size_t, record->n_units);
	struct rs_plan *plan = rs_arena_new(work->arena, struct rs_plan);
	const struct rs_plan_options options = { 0 };
	struct rs_plan_set set;

	if (work->options->seed == 0) {
		rs_plan_optimize(work->arena, record, NULL, &options, &set);
		return set.pick == RS_NONE ? NULL : &set.plans[set.pick];
	}
	if (!make_order(work->arena, record, order))
		return NULL;
	rs_plan_from_order(work->arena, record, NULL, order, plan);
	return plan;
}

static const char *without_keyword(const char *type)
{
	return strncmp(type, "struct ", 7) == 0 ? type + 7 : type;
}

/* Whether a member is one of the records that change, too: the planned offsets then do not hold. */
static bool holds_changed(const struct work *work, const struct rs_record *record)
{
	for (size_t i = 0; i < record->n_members; i++)
		for (size_t j = 0; j < work->n_verifications; j++) {
			const char *type = without_keyword(record->members[i].type);
			const char *name = work->verifications[j].record->name;

			if (strncmp(type, name, strlen(name)) == 0 && strpbrk(type + strlen(name), "*") == NULL)
				return true;
		}
	return false;
}

/* What another compiler must find. */
static void add_layout(struct rs_builder *out, const struct rs_record *record, const struct rs_plan *plan)
{
	const char *keyword = record->is_typedef ? "" : "struct ";

	if (strpbrk(record->name, ":. "))
		return;
	rs_builder_printf(out, "_Static_assert(sizeof(%s%s) == %" PRIu64 ", \"size of %s\");\n", keyword,
			  record->name, plan->size_bytes, record->name);
	for (size_t i = 0; i < record->n_members; i++) {
		const struct rs_member *member = &record->members[i];

		if (*member->path && !member->is_bitfield)
			rs_builder_printf(out,
					  "_Static_assert(__builtin_offsetof(%s%s, %s) == %" PRIu64
					  ", \"%s.%s\");\n",
					  keyword, record->name, member->path, plan->offset_bits[i] / 8,
					  record->name, member->path);
	}
}

static void add_record(struct work *work, const struct rs_record *record)
{
	struct rs_edit *edits;
	size_t count;
	const struct rs_plan *plan;

	if (rs_record_is_refused(record)) {
		work->n_refused++;
		return;
	}
	if (record->n_units < 2 || overlaps(work, record) || !(plan = make_plan(work, record))) {
		work->n_deferred++;
		return;
	}
	rs_rewrite_order(work->arena, record, plan->order, &edits, &count);
	if (!holds_changed(work, record))
		add_layout(&work->layout, record, plan);
	work->verifications[work->n_verifications++] =
		(struct rs_verification) { .record = record, .plan = plan };
	work->n_permuted++;
	work->n_units += record->n_units;
	for (size_t i = 0; i < count; i++)
		*rs_array_push(work->arena, work->edits, work->n_edits, work->edits_capacity) = edits[i];
}

static int by_place(const void *a, const void *b)
{
	const struct rs_edit *left = (const struct rs_edit *)a, *right = (const struct rs_edit *)b;

	return (left->span.start > right->span.start) - (left->span.start < right->span.start);
}

static struct rs_error *write_result(const struct work *work, const char *what, const char *text, size_t size)
{
	const char *path =
		rs_arena_printf(work->arena, "%s/%zu.%s", work->options->folder, work->n_files, what);

	return rs_file_write(path, text ? text : "", size);
}

static struct rs_error *write_results(const struct work *work, const struct rs_source *source,
				      const struct rs_builder *text)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder patch = { 0 };

	RS_TRY(rs_patch_print(&patch, "header.h", 0100644, source->text, source->size, text->data, text->length,
			      3));
	RS_TRY(write_result(work, "path", source->realpath, strlen(source->realpath)));
	RS_TRY(write_result(work, "new", text->data, text->length));
	RS_TRY(write_result(work, "layout", work->layout.data, work->layout.length));
	return write_result(work, "patch", patch.data, patch.length);
}

static void complain(struct work *work, struct rs_error *error)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };

	if (!error)
		return;
	if (error->code == RS_ERROR_REJECTED)
		work->n_rejected++;
	else
		work->n_failed++;
	rs_error_print(error, &message);
	fputs(message.data, stderr);
	rs_error_destroy(error);
}

/* Carries out what was collected for one file. */
static struct rs_error *finish_file(struct work *work, struct rs_tu *tu, const struct rs_source *source)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };

	if (work->n_verifications == 0)
		return NULL;
	if (work->n_edits > 0)
		qsort(work->edits, work->n_edits, sizeof *work->edits, by_place);
	rs_edit_apply(source, work->edits, work->n_edits, &text);
	RS_TRY(write_results(work, source, &text));
	complain(work, rs_verify(tu, source, text.data, text.length, work->verifications, work->n_verifications,
				 work->edits, work->n_edits, NULL));
	work->n_files++;
	return NULL;
}

static struct rs_error *do_file(struct work *work, struct rs_tu *tu, const struct rs_record *const *records,
				size_t count, const struct rs_source *source)
{
	work->n_verifications = work->n_edits = 0;
	work->layout.length = 0;
	for (size_t i = 0; i < count; i++)
		if (records[i]->source == source)
			add_record(work, records[i]);
	return finish_file(work, tu, source);
}

static bool is_first_of_file(const struct rs_record *const *records, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (records[j]->source == records[i]->source)
			return false;
	return true;
}

static struct rs_error *run(struct work *work, struct tool *tool, int argc, char **argv)
{
	const struct rs_record_query query = tool_query(argv[1]);

	RS_TRY(tool_open(tool, argv[1], (const char *const *)(argv + 4), (size_t)argc - 4, &query));
	work->verifications = rs_arena_array(work->arena, struct rs_verification, tool->n_records);
	for (size_t i = 0; i < tool->n_records; i++)
		if (is_first_of_file(tool->records, i))
			RS_TRY(do_file(work, tool->tu, tool->records, tool->n_records,
				       tool->records[i]->source));
	printf("records %zu permuted %zu units %zu refused %zu deferred %zu rejected %zu\n", tool->n_records,
	       work->n_permuted, work->n_units, work->n_refused, work->n_deferred, work->n_rejected);
	return NULL;
}

int main(int argc, char **argv)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();

	if (argc < 4) {
		fputs("usage: round_trip FILE SEED OUT-DIR [FLAG...]\n", stderr);
		return 2;
	}
	struct options options = { .seed = strtoull(argv[2], NULL, 10), .folder = argv[3] };
	struct work work = { .arena = arena, .options = &options };
	state = options.seed;
	struct tool tool = { .arena = arena };
	struct rs_error *error = run(&work, &tool, argc, argv);
	tool_close(&tool);
	rs_builder_deinit(&work.layout);
	if (!error)
		return work.n_failed > 0 ? 1 : work.n_rejected > 0 ? 4 : 0;
	return tool_report(error);
}

/*
 * Round trip of one header: every record that takes a plan gets a random permitted order; all are carried out
 * together, verified by parsing again, and the new text and the patch are written to a folder for the caller to
 * apply.
 *
 * usage: round_trip HEADER SEED OUT-DIR [FLAG...]
 * Prints one line: "records R permuted P units U refused F deferred D" or an error. Exit status 0, or 1 when
 * something did not verify, 3 when the header does not parse, 4 when the compiler rejects the new orders (a static
 * assertion of the header).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "parse/records.h"
#include "plan/plan.h"
#include "rewrite/rewrite.h"
#include "rewrite/verify.h"
#include "text/patch.h"

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

struct work {
	struct rs_arena *arena;
	struct rs_verification *verifications;
	size_t n_verifications;
	struct rs_edit *edits;
	size_t n_edits, edits_capacity;
	size_t n_units, n_refused, n_deferred;
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

static void add_record(struct work *work, const struct rs_record *record)
{
	size_t *order = rs_arena_array(work->arena, size_t, record->n_units);
	struct rs_plan *plan = rs_arena_new(work->arena, struct rs_plan);
	struct rs_edit *edits;
	size_t count;

	if (rs_record_is_refused(record)) {
		work->n_refused++;
		return;
	}
	if (record->n_units < 2 || overlaps(work, record) || !make_order(work->arena, record, order)) {
		work->n_deferred++;
		return;
	}
	rs_plan_from_order(work->arena, record, NULL, order, plan);
	rs_rewrite_order(work->arena, record, order, &edits, &count);
	work->verifications[work->n_verifications++] =
		(struct rs_verification) { .record = record, .plan = plan };
	work->n_units += record->n_units;
	for (size_t i = 0; i < count; i++)
		*rs_array_push(work->arena, work->edits, work->n_edits, work->edits_capacity) = edits[i];
}

static int by_place(const void *a, const void *b)
{
	const struct rs_edit *left = (const struct rs_edit *)a, *right = (const struct rs_edit *)b;

	return (left->span.start > right->span.start) - (left->span.start < right->span.start);
}

static struct rs_error *write_results(struct work *work, const struct rs_source *source, const char *folder,
				      const struct rs_builder *text)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder patch = { 0 };

	RS_TRY(rs_patch_print(&patch, "header.h", 0100644, source->text, source->size, text->data, text->length,
			      3));
	RS_TRY(rs_file_write(rs_arena_printf(work->arena, "%s/new.h", folder), text->data, text->length));
	return rs_file_write(rs_arena_printf(work->arena, "%s/patch", folder), patch.data ? patch.data : "",
			     patch.length);
}

static struct rs_error *run(struct rs_arena *arena, int argc, char **argv, struct rs_tu **ret_tu)
{
	const struct rs_parse_options options = { .flags = (const char *const *)(argv + 4),
						  .n_flags = (size_t)argc - 4,
						  .has_flags = true };
	RS_CLEANUP(rs_parser_destroyp) struct rs_parser *parser = NULL;
	RS_CLEANUP(rs_builder_deinit) struct rs_builder text = { 0 };
	const struct rs_record_query query = { .file = argv[1] };
	const struct rs_record **records;
	struct rs_notes notes;
	struct work work = { .arena = arena };
	size_t count;

	rs_notes_init(&notes, arena);
	RS_TRY(rs_parser_create(&options, &notes, &parser));
	RS_TRY(rs_tu_open(parser, argv[1], ret_tu));
	RS_TRY(rs_records_find(*ret_tu, arena, &query, &records, &count));
	work.verifications = rs_arena_array(arena, struct rs_verification, count);
	for (size_t i = 0; i < count; i++)
		add_record(&work, records[i]);
	struct rs_error *error = NULL;
	if (work.n_verifications > 0) {
		const struct rs_source *source = records[0]->source;

		qsort(work.edits, work.n_edits, sizeof *work.edits, by_place);
		rs_edit_apply(source, work.edits, work.n_edits, &text);
		error = write_results(&work, source, argv[3], &text);
		if (!error)
			error = rs_verify(*ret_tu, source, text.data, text.length, work.verifications,
					  work.n_verifications, work.edits, work.n_edits);
	}
	rs_tu_destroy(*ret_tu);
	*ret_tu = NULL;
	printf("records %zu permuted %zu units %zu refused %zu deferred %zu\n", count, work.n_verifications,
	       work.n_units, work.n_refused, work.n_deferred);
	return error;
}

int main(int argc, char **argv)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	struct rs_tu *tu = NULL;

	if (argc < 4) {
		fputs("usage: round_trip HEADER SEED OUT-DIR [FLAG...]\n", stderr);
		return 2;
	}
	state = strtoull(argv[2], NULL, 10);
	struct rs_error *error = run(arena, argc, argv, &tu);
	rs_tu_destroy(tu);
	if (!error)
		return 0;
	int status = error->code == RS_ERROR_VERIFY ? 1 : error->code == RS_ERROR_REJECTED ? 4 : 3;
	rs_error_print(error, &message);
	fputs(message.data, stderr);
	rs_error_destroy(error);
	return status;
}

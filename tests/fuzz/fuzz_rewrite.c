/*
 * Any bytes as a struct whose units are put in some order (the first bytes choose it): the edits must not
 * overlap, must keep every byte that is not blank, and their inverse must restore the text.
 */
#include <stdlib.h>
#include <string.h>

#include "parse/units.h"
#include "rewrite/rewrite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N_CHOICES = 8 };

static void check(bool holds)
{
	if (!holds)
		abort();
}

/* A permutation that keeps units between barriers. */
static size_t *choose_order(struct rs_arena *arena, const struct rs_record *record, const uint8_t *choices)
{
	size_t *order = rs_arena_array(arena, size_t, record->n_units);
	size_t start = 0;

	for (size_t i = 0; i < record->n_units; i++) {
		size_t with;

		if (record->gaps[i].is_barrier)
			start = i;
		with = i - choices[i % N_CHOICES] % (i - start + 1);
		order[i] = order[with];
		order[with] = i;
	}
	return order;
}

static void count_bytes(const char *text, size_t size, size_t counts[256])
{
	for (size_t i = 0; i < size; i++)
		if (text[i] != ' ' && (text[i] < '\t' || text[i] > '\r'))
			counts[(unsigned char)text[i]]++;
}

static void check_edits(struct rs_arena *arena, const struct rs_source *source, const struct rs_edit *edits,
			size_t count)
{
	size_t old_counts[256] = { 0 }, new_counts[256] = { 0 };
	struct rs_builder edited, restored;
	const struct rs_source *result;

	for (size_t i = 0; i < count; i++) {
		check(edits[i].span.start <= edits[i].span.end);
		check(i == 0 || edits[i].span.start > edits[i - 1].span.end);
	}
	rs_builder_init(&edited);
	rs_builder_init(&restored);
	rs_edit_apply(source, edits, count, &edited);
	count_bytes(source->text, source->size, old_counts);
	count_bytes(edited.data, edited.length, new_counts);
	check(memcmp(old_counts, new_counts, sizeof old_counts) == 0);
	result = rs_source_create(arena, "output", "/output", edited.data, edited.length);
	rs_edit_apply(result, rs_edit_invert(arena, result, edits, count), count, &restored);
	check(restored.length == source->size && memcmp(restored.data, source->text, source->size) == 0);
	rs_builder_deinit(&restored);
	rs_builder_deinit(&edited);
}

static void rewrite(struct rs_arena *arena, const char *text, size_t size, const uint8_t *choices)
{
	struct rs_record record = { .source = rs_source_create(arena, "input", "/input", text, size),
				    .span = { 0, size } };
	struct rs_unit_scan scan;
	struct rs_edit *edits;
	size_t count;

	while (record.span.end > 0 && text[record.span.end - 1] != '}')
		record.span.end--;
	rs_units_scan(arena, record.source, record.span, &scan);
	record.body = scan.body;
	record.units = scan.units;
	record.n_units = scan.n_units;
	record.gaps = scan.gaps;
	rs_rewrite_order(arena, &record, choose_order(arena, &record, choices), &edits, &count);
	if (count > 0)
		check_edits(arena, record.source, edits, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rs_arena *arena;

	if (size < N_CHOICES)
		return 0;
	arena = rs_arena_create();
	rewrite(arena, rs_arena_strndup(arena, (const char *)data + N_CHOICES, size - N_CHOICES),
		size - N_CHOICES, data);
	rs_arena_destroy(arena);
	return 0;
}

#include "text/edit.h"

#include <stdlib.h>
#include <string.h>

struct numbered {
	struct rs_edit edit;
	size_t number;
};

static int by_place(const void *a, const void *b)
{
	const struct numbered *left = (const struct numbered *)a, *right = (const struct numbered *)b;
	int order = strcmp(left->edit.source->realpath, right->edit.source->realpath);

	if (order != 0)
		return order;
	if (left->edit.span.start != right->edit.span.start)
		return left->edit.span.start < right->edit.span.start ? -1 : 1;
	return (left->number > right->number) - (left->number < right->number);
}

void rs_edit_sort(struct rs_arena *arena, struct rs_edit *edits, size_t count)
{
	struct numbered *numbered = rs_arena_array(arena, struct numbered, count);

	for (size_t i = 0; i < count; i++)
		numbered[i] = (struct numbered) { edits[i], i };
	if (count > 0)
		qsort(numbered, count, sizeof *numbered, by_place);
	for (size_t i = 0; i < count; i++)
		edits[i] = numbered[i].edit;
}

void rs_edit_apply(const struct rs_source *source, const struct rs_edit *edits, size_t count,
		   struct rs_builder *out)
{
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		rs_builder_append(out, source->text + at, edits[i].span.start - at);
		rs_builder_append(out, edits[i].text, edits[i].size);
		at = edits[i].span.end;
	}
	rs_builder_append(out, source->text + at, source->size - at);
}

struct rs_edit *rs_edit_invert(struct rs_arena *arena, const struct rs_source *edited,
			       const struct rs_edit *edits, size_t count)
{
	struct rs_edit *inverse = rs_arena_array(arena, struct rs_edit, count);
	size_t shift_up = 0, shift_down = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rs_edit *edit = &edits[i];
		size_t start = edit->span.start + shift_up - shift_down;

		inverse[i] = (struct rs_edit) { .source = edited,
						.span = { start, start + edit->size },
						.text = edit->source->text + edit->span.start,
						.size = edit->span.end - edit->span.start };
		shift_up += edit->size;
		shift_down += edit->span.end - edit->span.start;
	}
	return inverse;
}

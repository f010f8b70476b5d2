#include "plan/lines.h"

#include <stdlib.h>
#include <string.h>

struct extent {
	uint64_t first, last; /* lines */
};

static size_t count_accesses(const struct rs_binding *binding)
{
	size_t count = 0;

	for (size_t p = 0; p < binding->n_paths; p++)
		count += binding->paths[p].n_accesses;
	return count;
}

void rs_lines_init(struct rs_lines *lines, const struct rs_binding *binding, uint64_t line_bytes,
		   const uint64_t *offset_bits, uint64_t size_bytes)
{
	size_t n_paths = binding->n_paths;

	memset(lines, 0, sizeof *lines);
	lines->binding = binding;
	lines->offset_bits = offset_bits;
	lines->size_bytes = size_bytes;
	lines->line_bytes = line_bytes;
	lines->max_borders = 2 * count_accesses(binding) + 4;
	lines->borders = (uint64_t *)rs_alloc(lines->max_borders * sizeof *lines->borders);
	lines->counts = (uint16_t *)rs_alloc((3 * n_paths + 1) * sizeof *lines->counts);
	lines->other_touches = lines->counts + n_paths;
	lines->other_writes = lines->other_touches + n_paths;
	lines->writes = (bool *)rs_alloc((n_paths + 1) * sizeof *lines->writes);
}

void rs_lines_deinit(struct rs_lines *lines)
{
	free(lines->borders);
	free(lines->counts);
	free(lines->writes);
	memset(lines, 0, sizeof *lines);
}

/* Where a member of the element that begins at start_bits lies; start_bits counts from line 0. */
static struct extent find_extent(const struct rs_lines *lines, size_t member, uint64_t start_bits)
{
	uint64_t size_bits = lines->binding->record->members[member].size_bits;
	uint64_t first_bit = start_bits + lines->offset_bits[member];
	uint64_t line_bits = lines->line_bytes * 8;

	return (struct extent) { first_bit / line_bits,
				 (first_bit + (size_bits ? size_bits - 1 : 0)) / line_bits };
}

bool rs_lines_holds(const struct rs_lines *lines, size_t member, uint64_t line)
{
	struct extent extent = find_extent(lines, member, lines->base_bytes * 8);

	return extent.first <= line && line <= extent.last;
}

static int compare_lines(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void sort_unique(uint64_t *values, size_t *count)
{
	size_t kept = 0;

	qsort(values, *count, sizeof *values, compare_lines);
	for (size_t i = 0; i < *count; i++)
		if (!kept || values[kept - 1] != values[i])
			values[kept++] = values[i];
	*count = kept;
}

void rs_lines_start(struct rs_lines *lines, uint64_t base_bytes)
{
	const struct rs_binding *binding = lines->binding;
	uint64_t end = (base_bytes + lines->size_bytes + lines->line_bytes - 1) / lines->line_bytes;
	size_t count = 0;

	lines->base_bytes = base_bytes;
	lines->next = 0;
	lines->borders[count++] = 0;
	lines->borders[count++] = end;
	if (end > 1) { /* only the first and the last line can hold other elements of an array */
		lines->borders[count++] = 1;
		lines->borders[count++] = end - 1;
	}
	for (size_t p = 0; p < binding->n_paths; p++)
		for (size_t i = 0; i < binding->paths[p].n_accesses; i++) {
			struct extent extent =
				find_extent(lines, binding->paths[p].accesses[i].member, base_bytes * 8);

			lines->borders[count++] = extent.first;
			lines->borders[count++] = extent.last + 1;
		}
	sort_unique(lines->borders, &count);
	lines->n_borders = count;
}

/* Counts one path's accesses to a line in the element that begins at start_bits. */
static uint16_t count_touches(const struct rs_lines *lines, const struct rs_bound_path *path,
			      uint64_t start_bits, uint64_t line, bool *ret_writes)
{
	uint16_t count = 0;
	bool writes = false;

	for (size_t i = 0; i < path->n_accesses; i++) {
		struct extent extent = find_extent(lines, path->accesses[i].member, start_bits);

		if (line < extent.first || extent.last < line)
			continue;
		if (count < UINT16_MAX)
			count++;
		writes |= path->accesses[i].writes;
	}
	*ret_writes = writes;
	return count;
}

/*
 * Another element of the array, shift_bytes before or behind ours. To stay with unsigned numbers, one before
 * ours is looked at from further back: element and line are both moved by a whole number of lines.
 */
static void add_element(struct rs_lines *lines, uint64_t shift_bytes, bool before, uint64_t line)
{
	uint64_t view = before ? (shift_bytes + lines->line_bytes - 1) / lines->line_bytes : 0;
	uint64_t start = view * lines->line_bytes + lines->base_bytes;
	bool writes;

	start = before ? start - shift_bytes : start + shift_bytes;
	for (size_t p = 0; p < lines->binding->n_paths; p++) {
		if (!count_touches(lines, &lines->binding->paths[p], start * 8, line + view, &writes))
			continue;
		lines->other_touches[p]++;
		lines->other_writes[p] += writes;
	}
}

static size_t add_others(struct rs_lines *lines, uint64_t line)
{
	uint64_t start = line * lines->line_bytes, end = start + lines->line_bytes;
	uint64_t size = lines->size_bytes, base = lines->base_bytes;
	size_t n_paths = lines->binding->n_paths, count = 0;

	memset(lines->other_touches, 0, 2 * n_paths * sizeof *lines->other_touches);
	for (uint64_t shift = size; base + shift < end; shift += size, count++)
		add_element(lines, shift, false, line);
	for (uint64_t shift = size; base + size > start + shift; shift += size, count++)
		add_element(lines, shift, true, line);
	return count;
}

bool rs_lines_next(struct rs_lines *lines, struct rs_line_touch *ret_touch)
{
	const struct rs_binding *binding = lines->binding;
	uint64_t line;
	size_t n_others = 0;

	if (lines->next + 1 >= lines->n_borders)
		return false;
	line = lines->borders[lines->next++];
	for (size_t p = 0; p < binding->n_paths; p++)
		lines->counts[p] = count_touches(lines, &binding->paths[p], lines->base_bytes * 8, line,
						 &lines->writes[p]);
	if (binding->placement.kind == RS_PLACE_ARRAY && lines->size_bytes)
		n_others = add_others(lines, line);
	*ret_touch = (struct rs_line_touch) {
		.first = line,
		.n_lines = lines->borders[lines->next] - line,
		.counts = lines->counts,
		.writes = lines->writes,
		.other_touches = n_others ? lines->other_touches : NULL,
		.other_writes = n_others ? lines->other_writes : NULL,
		.n_others = n_others,
	};
	return true;
}

#include "plan/lines.h"

#include <stdlib.h>
#include <string.h>

#include "record/embedding.h"

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

/* For the container with most of them. */
static size_t count_outside(const struct rs_binding *binding, size_t *ret_members)
{
	const struct rs_placement *placement = &binding->placement;
	size_t most = 0;

	*ret_members = 0;
	for (size_t b = 0; placement->kind == RS_PLACE_EMBEDDED && b < placement->n_bases; b++) {
		const struct rs_around *around = placement->bases[b].around;

		if (!around || !around->container)
			continue;
		if (most < around->n_accesses)
			most = around->n_accesses;
		if (*ret_members < around->container->n_members)
			*ret_members = around->container->n_members;
	}
	return most;
}

void rs_lines_init(struct rs_lines *lines, const struct rs_binding *binding, uint64_t line_bytes,
		   const uint64_t *offset_bits, uint64_t size_bytes)
{
	size_t n_paths = binding->n_paths, n_members;

	memset(lines, 0, sizeof *lines);
	lines->binding = binding;
	lines->offset_bits = offset_bits;
	lines->size_bytes = size_bytes;
	lines->line_bytes = line_bytes;
	lines->max_borders = 2 * (count_accesses(binding) + count_outside(binding, &n_members)) + 4;
	lines->around_bits = (uint64_t *)rs_alloc((n_members + 1) * sizeof *lines->around_bits);
	lines->borders = (uint64_t *)rs_alloc(lines->max_borders * sizeof *lines->borders);
	lines->counts = (uint16_t *)rs_alloc((3 * n_paths + 1) * sizeof *lines->counts);
	lines->other_touches = lines->counts + n_paths;
	lines->other_writes = lines->other_touches + n_paths;
	lines->writes = (bool *)rs_alloc((n_paths + 1) * sizeof *lines->writes);
}

void rs_lines_deinit(struct rs_lines *lines)
{
	free(lines->borders);
	free(lines->around_bits);
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

/* Line numbers inside this file count from the container's first line, lead lines before line 0. */
static uint64_t own_start_bits(const struct rs_lines *lines)
{
	return (lines->lead * lines->line_bytes + lines->base_bytes) * 8;
}

/* Where a member of the container lies. */
static struct extent find_outside(const struct rs_lines *lines, size_t member)
{
	const struct rs_around *around = lines->around;
	uint64_t size_bits = around->container->members[member].size_bits;
	uint64_t first_bit =
		own_start_bits(lines) + lines->around_bits[member] - lines->around_bits[around->at];
	uint64_t line_bits = lines->line_bytes * 8;

	return (struct extent) { first_bit / line_bits,
				 (first_bit + (size_bits ? size_bits - 1 : 0)) / line_bits };
}

bool rs_lines_holds_outside(const struct rs_lines *lines, size_t member, uint64_t line)
{
	struct extent extent = find_outside(lines, member);

	return extent.first <= line + lines->lead && line + lines->lead <= extent.last;
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

static void lay_out_around(struct rs_lines *lines, const struct rs_around *around)
{
	uint64_t size_bytes, before;

	lines->around = around;
	lines->lead = 0;
	if (!around || !around->container)
		return;
	rs_embedding_compute(around->container, around->at, lines->size_bytes, lines->around_bits, &size_bytes);
	before = lines->around_bits[around->at] / 8;
	if (before > lines->base_bytes)
		lines->lead = (before - lines->base_bytes + lines->line_bytes - 1) / lines->line_bytes;
}

static size_t add_outside_borders(struct rs_lines *lines, size_t count)
{
	for (size_t i = 0; lines->around && i < lines->around->n_accesses; i++) {
		struct extent extent = find_outside(lines, lines->around->accesses[i].member);

		lines->borders[count++] = extent.first;
		lines->borders[count++] = extent.last + 1;
	}
	return count;
}

/* The line behind the record's last byte. */
static uint64_t end_line(const struct rs_lines *lines)
{
	return lines->lead +
	       (lines->base_bytes + lines->size_bytes + lines->line_bytes - 1) / lines->line_bytes;
}

void rs_lines_start(struct rs_lines *lines, uint64_t base_bytes, const struct rs_around *around)
{
	const struct rs_binding *binding = lines->binding;
	uint64_t start, end;
	size_t count = 0;

	lines->base_bytes = base_bytes;
	lines->next = 0;
	lay_out_around(lines, around);
	start = own_start_bits(lines);
	end = end_line(lines);
	lines->borders[count++] = lines->lead;
	lines->borders[count++] = end;
	if (end > lines->lead + 1) { /* only the first and the last line can hold other elements of an array */
		lines->borders[count++] = lines->lead + 1;
		lines->borders[count++] = end - 1;
	}
	count = add_outside_borders(lines, count);
	for (size_t p = 0; p < binding->n_paths; p++)
		for (size_t i = 0; i < binding->paths[p].n_accesses; i++) {
			struct extent extent = find_extent(lines, binding->paths[p].accesses[i].member, start);

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

static void add_outside(struct rs_lines *lines, uint64_t line)
{
	for (size_t i = 0; i < lines->around->n_accesses; i++) {
		const struct rs_outside_access *access = &lines->around->accesses[i];
		struct extent extent = find_outside(lines, access->member);

		if (line < extent.first || extent.last < line)
			continue;
		if (lines->counts[access->path] < UINT16_MAX)
			lines->counts[access->path]++;
		lines->writes[access->path] |= access->writes;
	}
}

static void count_own(struct rs_lines *lines, uint64_t line)
{
	const struct rs_binding *binding = lines->binding;
	uint64_t start = own_start_bits(lines);

	for (size_t p = 0; p < binding->n_paths; p++) {
		lines->writes[p] = false;
		lines->counts[p] = 0;
		if (!lines->around || lines->around->runs[p])
			lines->counts[p] =
				count_touches(lines, &binding->paths[p], start, line, &lines->writes[p]);
	}
	if (lines->around)
		add_outside(lines, line);
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
	size_t n_others = 0;
	uint64_t line;
	bool is_outside;

	if (lines->next + 1 >= lines->n_borders)
		return false;
	line = lines->borders[lines->next++];
	count_own(lines, line);
	if (binding->placement.kind == RS_PLACE_ARRAY && lines->size_bytes)
		n_others = add_others(lines, line);
	is_outside = lines->around && (line < lines->lead || line >= end_line(lines));
	*ret_touch = (struct rs_line_touch) {
		.first = is_outside ? 0 : line - lines->lead,
		.is_outside = is_outside,
		.n_lines = lines->borders[lines->next] - line,
		.counts = lines->counts,
		.writes = lines->writes,
		.other_touches = n_others ? lines->other_touches : NULL,
		.other_writes = n_others ? lines->other_writes : NULL,
		.n_others = n_others,
	};
	return true;
}

#include "report/format.h"

#include <inttypes.h>
#include <math.h>

#include "report/columns.h"

void rs_format_bytes(struct rs_builder *out, bool hex, int columns, uint64_t number)
{
	if (hex)
		rs_builder_printf(out, "%#*" PRIx64, columns, number);
	else
		rs_builder_printf(out, "%*" PRIu64, columns, number);
}

void rs_format_place(struct rs_builder *out, bool hex, uint64_t offset_bits)
{
	rs_format_bytes(out, hex, 0, offset_bits / 8);
	if (offset_bits % 8)
		rs_builder_printf(out, ":%u", (unsigned)(offset_bits % 8));
}

void rs_format_rate(struct rs_builder *out, double rate)
{
	if (rate == floor(rate) && rate < 1e15)
		rs_builder_printf(out, "%.0f", rate);
	else
		rs_builder_printf(out, "%.6g", rate);
}

void rs_format_ns(struct rs_builder *out, double ns)
{
	if (ns == 0 || fabs(ns) >= 0.05)
		rs_builder_printf(out, "%.1f", ns);
	else
		rs_builder_printf(out, "%.2g", ns);
}

/* The first field with a name in an anonymous aggregate; RS_NONE when there is none. */
static size_t first_named(const struct rs_record *record, size_t member)
{
	for (size_t i = member + 1; i <= member + record->members[member].n_inside; i++)
		if (record->members[i].path[0])
			return i;
	return RS_NONE;
}

void rs_format_member(struct rs_builder *out, const struct rs_record *record, size_t member)
{
	const struct rs_member *m = &record->members[member];
	size_t named = m->path[0] ? RS_NONE : first_named(record, member);

	if (named == RS_NONE) {
		rs_columns_append(out, rs_view_member_name(m));
		return;
	}
	rs_builder_appends(out, m->is_union ? "union with " : "struct with ");
	rs_columns_append(out, record->members[named].path);
}

void rs_format_members(struct rs_builder *out, const struct rs_record *record, const size_t *members,
		       size_t count, size_t limit)
{
	size_t shown = limit && count > limit ? limit : count;

	for (size_t i = 0; i < shown; i++) {
		rs_builder_appends(out, i ? ", " : "");
		rs_format_member(out, record, members[i]);
	}
	if (shown < count)
		rs_builder_printf(out, " ... (%zu more)", count - shown);
}

static bool is_among(size_t member, const size_t *members, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (members[i] == member)
			return true;
	return false;
}

void rs_format_eviction(struct rs_builder *out, const struct rs_record *record,
			const struct rs_line_report *line, size_t limit)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	size_t *readers = rs_arena_array(arena, size_t, line->n_victims), n_readers = 0;

	for (size_t i = 0; i < line->n_victims; i++)
		if (!is_among(line->victims[i], line->writers, line->n_writers))
			readers[n_readers++] = line->victims[i];
	rs_builder_appends(out, "writes to ");
	rs_format_members(out, record, line->writers, line->n_writers, limit);
	rs_builder_appends(out, line->n_victims > 0 ? " evict " : "");
	rs_format_members(out, record, readers, n_readers, limit);
	if (n_readers == line->n_victims)
		return;
	rs_builder_appends(out, n_readers > 0 ? " and " : "");
	if (line->n_writers == 1)
		rs_format_member(out, record, line->writers[0]);
	rs_builder_appends(out, line->n_writers == 1 ? " itself" : "each other");
}

void rs_format_count(struct rs_builder *out, uint64_t count, const char *noun)
{
	rs_builder_printf(out, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

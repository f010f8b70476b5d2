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

/* Who writes on a line, or only loses it: members of the record, then fields of its container. */
struct line_users {
	const size_t *members;
	size_t n_members;
	const char **outside;
	size_t n_outside;
};

static void print_users(struct rs_builder *out, const struct rs_record *record, const struct line_users *users,
			size_t limit)
{
	size_t all = users->n_members + users->n_outside;
	size_t shown = limit && all > limit ? limit : all;

	for (size_t i = 0; i < shown; i++) {
		rs_builder_appends(out, i ? ", " : "");
		if (i < users->n_members)
			rs_format_member(out, record, users->members[i]);
		else
			rs_columns_append(out, users->outside[i - users->n_members]);
	}
	if (shown < all)
		rs_builder_printf(out, " ... (%zu more)", all - shown);
}

static struct line_users find_writers(struct rs_arena *arena, const struct rs_line_report *line)
{
	struct line_users users = { line->writers, line->n_writers,
				    rs_arena_array(arena, const char *, line->n_outsiders), 0 };

	for (size_t i = 0; i < line->n_outsiders; i++)
		if (line->outsiders[i].is_writer)
			users.outside[users.n_outside++] = line->outsiders[i].name;
	return users;
}

/* Victims that are no writers. */
static struct line_users find_readers(struct rs_arena *arena, const struct rs_line_report *line)
{
	size_t *readers = rs_arena_array(arena, size_t, line->n_victims);
	struct line_users users = { readers, 0, rs_arena_array(arena, const char *, line->n_outsiders), 0 };

	for (size_t i = 0; i < line->n_victims; i++)
		if (!is_among(line->victims[i], line->writers, line->n_writers))
			readers[users.n_members++] = line->victims[i];
	for (size_t i = 0; i < line->n_outsiders; i++)
		if (line->outsiders[i].is_victim && !line->outsiders[i].is_writer)
			users.outside[users.n_outside++] = line->outsiders[i].name;
	return users;
}

static size_t count_victims(const struct rs_line_report *line)
{
	size_t count = line->n_victims;

	for (size_t i = 0; i < line->n_outsiders; i++)
		count += line->outsiders[i].is_victim;
	return count;
}

void rs_format_eviction(struct rs_builder *out, const struct rs_record *record,
			const struct rs_line_report *line, size_t limit)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct line_users writers = find_writers(arena, line), readers = find_readers(arena, line);
	size_t n_writers = writers.n_members + writers.n_outside;
	size_t n_readers = readers.n_members + readers.n_outside, n_victims = count_victims(line);

	rs_builder_appends(out, "writes to ");
	print_users(out, record, &writers, limit);
	rs_builder_appends(out, n_victims > 0 ? " evict " : "");
	print_users(out, record, &readers, limit);
	if (n_readers == n_victims)
		return;
	rs_builder_appends(out, n_readers > 0 ? " and " : "");
	if (n_writers == 1)
		print_users(out, record, &writers, 0);
	rs_builder_appends(out, n_writers == 1 ? " itself" : "each other");
}

void rs_format_count(struct rs_builder *out, uint64_t count, const char *noun)
{
	rs_builder_printf(out, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

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

void rs_format_members(struct rs_builder *out, const struct rs_record *record, const size_t *members,
		       size_t count, size_t limit)
{
	size_t shown = limit && count > limit ? limit : count;

	for (size_t i = 0; i < shown; i++) {
		rs_builder_appends(out, i ? ", " : "");
		rs_columns_append(out, rs_view_member_name(&record->members[members[i]]));
	}
	if (shown < count)
		rs_builder_printf(out, " ... (%zu more)", count - shown);
}

void rs_format_count(struct rs_builder *out, uint64_t count, const char *noun)
{
	rs_builder_printf(out, "%" PRIu64 " %s%s", count, noun, count == 1 ? "" : "s");
}

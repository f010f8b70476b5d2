/*
 * Numbers and lists of names as the text writers show them.
 */
#ifndef RS_REPORT_FORMAT_H
#define RS_REPORT_FORMAT_H

#include "report/view.h"

/* Offsets and sizes: decimal, or with hex as pahole does it ("0x28", "0"). In at least `columns` columns. */
void rs_format_bytes(struct rs_builder *out, bool hex, int columns, uint64_t number);
/* A bit's place: "40", a bit-field that does not start a byte "40:3". */
void rs_format_place(struct rs_builder *out, bool hex, uint64_t offset_bits);
/* A rate in the shortest form that a reader takes in: "100", "0.25", "1.5e+20". */
void rs_format_rate(struct rs_builder *out, double rate);
/* Nanoseconds with one decimal, more where one would show nothing: "5140.2", "0.0031". */
void rs_format_ns(struct rs_builder *out, double ns);
/* "a, b, c"; with a limit other than 0 the rest is counted: "a, b ... (3 more)". */
void rs_format_members(struct rs_builder *out, const struct rs_record *record, const size_t *members,
		       size_t count, size_t limit);
/* "writes to a, b evict c, d and each other": what the CPUs that write on a line take from those that use it.
 * What is only read comes first, as that is what another order can save. */
void rs_format_eviction(struct rs_builder *out, const struct rs_record *record,
			const struct rs_line_report *line, size_t limit);
/* How a reader finds a member: its path, or of an anonymous aggregate "union with a", a being its first field.
 */
void rs_format_member(struct rs_builder *out, const struct rs_record *record, size_t member);
/* "1 line", "2 lines". */
void rs_format_count(struct rs_builder *out, uint64_t count, const char *noun);

#endif

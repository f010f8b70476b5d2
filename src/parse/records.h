/*
 * From a translation unit to records.
 */
#ifndef RS_PARSE_RECORDS_H
#define RS_PARSE_RECORDS_H

#include "parse/tu.h"
#include "record/record.h"

/* Which records: every complete struct defined in `file` (NULL: in any file that is not a system header), with
 * that name (NULL: any). A name is a tag, the typedef of an unnamed struct, or the path "outer::member" of an
 * unnamed struct member. */
struct rs_record_query {
	const char *file;
	const char *name;
};

/* Records stand in the order of their definitions. Everything lives in arena; sources are read through the
 * translation unit, so unsaved buffers are seen. A record that can be laid out but not rewritten (braces from a
 * macro, packed …) is there with a pin that refuses it. None found is not an error: *ret_count is 0. */
struct rs_error *rs_records_find(struct rs_tu *tu, struct rs_arena *arena, const struct rs_record_query *query,
				 const struct rs_record ***ret_records, size_t *ret_count) RS_MUST_USE;
/* A number that stands for how the unit shows the record: which members from which bytes of the file, with
 * their offsets, sizes and alignments, at whatever depth. Never 0 but when the unit does not show it. Much
 * faster than rs_records_find(). */
uint64_t rs_records_fingerprint(struct rs_tu *tu, const struct rs_record *record);
/* Names of all records the query's file defines, for suggestions. */
struct rs_error *rs_records_names(struct rs_tu *tu, struct rs_arena *arena, const char *file,
				  const char *const **ret_names, size_t *ret_count) RS_MUST_USE;

#endif

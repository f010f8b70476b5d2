/*
 * Why fields lie where they do, as JSON.
 */
#ifndef RS_REPORT_EXPLAIN_JSON_H
#define RS_REPORT_EXPLAIN_JSON_H

#include "base/json.h"
#include "session/result.h"

/* The record's "explanations"; nothing where none was asked for. */
void rs_explain_json_write(struct rs_json_writer *writer, const struct rs_result *result,
			   const struct rs_record_result *record);

#endif

/*
 * Pins, hazards and remarks as JSON: one shape wherever they stand.
 */
#ifndef RS_REPORT_JSON_PINS_H
#define RS_REPORT_JSON_PINS_H

#include "base/json.h"
#include "session/result.h"

/* An array under the key; pins without a file of their own stand in the record's. */
void rs_json_pins_write(struct rs_json_writer *writer, const struct rs_result *result,
			const struct rs_record *record, const char *key, const struct rs_pin *pins,
			size_t count);

#endif

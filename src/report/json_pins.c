#include "report/json_pins.h"

#include "record/pins.h"
#include "report/view.h"

static void write_pin(struct rs_json_writer *writer, const struct rs_result *result,
		      const struct rs_record *record, const struct rs_pin *pin)
{
	rs_json_begin_object(writer, NULL);
	rs_json_write_string(writer, "code", pin->code);
	rs_json_write_string(writer, "strength", rs_pin_strength_name(pin->strength));
	rs_json_write_string(writer, "message", pin->message);
	rs_json_write_string(writer, "file",
			     pin->file ? rs_view_path(result, pin->file)
				       : rs_view_source_path(result, record->source));
	if (pin->line)
		rs_json_write_uint(writer, "line", pin->line);
	else
		rs_json_write_null(writer, "line");
	rs_json_end_object(writer);
}

void rs_json_pins_write(struct rs_json_writer *writer, const struct rs_result *result,
			const struct rs_record *record, const char *key, const struct rs_pin *pins,
			size_t count)
{
	rs_json_begin_array(writer, key);
	for (size_t i = 0; i < count; i++)
		write_pin(writer, result, record, &pins[i]);
	rs_json_end_array(writer);
}

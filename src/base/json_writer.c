#include "base/json_writer.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

void rs_json_writer_init(struct rs_json_writer *writer, struct rs_builder *out)
{
	*writer = (struct rs_json_writer) { .out = out, .first = true };
}

static void write_text(struct rs_builder *out, const char *text, size_t length)
{
	static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";

	rs_builder_appendc(out, '"');
	for (size_t i = 0, step; i < length; i += step) {
		size_t valid = rs_utf8_length(text + i, length - i);
		const char *found = text[i] ? strchr(special, text[i]) : NULL;

		step = valid ? valid : 1;
		if (!valid)
			rs_builder_appends(out, "\xef\xbf\xbd");
		else if (found)
			rs_builder_printf(out, "\\%c", letters[found - special]);
		else if ((unsigned char)text[i] < 0x20)
			rs_builder_printf(out, "\\u%04x", (unsigned)text[i]);
		else
			rs_builder_append(out, text + i, valid);
	}
	rs_builder_appendc(out, '"');
}

static void new_line(struct rs_json_writer *writer)
{
	rs_builder_appendc(writer->out, '\n');
	rs_builder_pad(writer->out, ' ', (size_t)writer->depth * 2);
}

/* What comes before any value: comma, line and indentation, key. */
static void begin_value(struct rs_json_writer *writer, const char *key)
{
	bool compact = writer->compact[writer->depth];

	if (!writer->first)
		rs_builder_appends(writer->out, compact ? ", " : ",");
	if (writer->depth > 0 && !compact)
		new_line(writer);
	if (key) {
		write_text(writer->out, key, strlen(key));
		rs_builder_appends(writer->out, ": ");
	}
	writer->first = false;
}

static void end_value(struct rs_json_writer *writer)
{
	if (writer->depth == 0)
		rs_builder_appendc(writer->out, '\n');
}

static void begin_level(struct rs_json_writer *writer, const char *key, char open, bool compact)
{
	begin_value(writer, key);
	rs_builder_appendc(writer->out, open);
	compact = compact || writer->compact[writer->depth];
	writer->depth++;
	assert(writer->depth < RS_COUNT_OF(writer->compact));
	writer->compact[writer->depth] = compact;
	writer->first = true;
}

static void end_level(struct rs_json_writer *writer, char close)
{
	assert(writer->depth > 0);
	bool on_own_line = !writer->first && !writer->compact[writer->depth];
	writer->depth--;
	if (on_own_line)
		new_line(writer);
	rs_builder_appendc(writer->out, close);
	writer->first = false;
	end_value(writer);
}

void rs_json_begin_object(struct rs_json_writer *writer, const char *key)
{
	begin_level(writer, key, '{', false);
}

void rs_json_begin_object_compact(struct rs_json_writer *writer, const char *key)
{
	begin_level(writer, key, '{', true);
}

void rs_json_end_object(struct rs_json_writer *writer)
{
	end_level(writer, '}');
}

void rs_json_begin_array(struct rs_json_writer *writer, const char *key)
{
	begin_level(writer, key, '[', false);
}

void rs_json_begin_array_compact(struct rs_json_writer *writer, const char *key)
{
	begin_level(writer, key, '[', true);
}

void rs_json_end_array(struct rs_json_writer *writer)
{
	end_level(writer, ']');
}

static void write_word(struct rs_json_writer *writer, const char *key, const char *word)
{
	begin_value(writer, key);
	rs_builder_appends(writer->out, word);
	end_value(writer);
}

void rs_json_write_bytes(struct rs_json_writer *writer, const char *key, const char *text, size_t length)
{
	begin_value(writer, key);
	write_text(writer->out, text, length);
	end_value(writer);
}

void rs_json_write_string(struct rs_json_writer *writer, const char *key, const char *text)
{
	if (text)
		rs_json_write_bytes(writer, key, text, strlen(text));
	else
		rs_json_write_null(writer, key);
}

void rs_json_write_uint(struct rs_json_writer *writer, const char *key, uint64_t number)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%ju", (uintmax_t)number);
	write_word(writer, key, digits);
}

void rs_json_write_double(struct rs_json_writer *writer, const char *key, double number)
{
	char digits[40] = "null";

	if (isfinite(number)) {
		/* The decimal point must not follow the user's locale. */
		locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
		int precision = fpclassify(number) == FP_SUBNORMAL ? 1 : 15;

		do
			snprintf(digits, sizeof digits, "%.*g", precision, number);
		while (++precision <= 17 && strtod(digits, NULL) != number);
		uselocale(before);
		freelocale(plain);
	}
	write_word(writer, key, digits);
}

void rs_json_write_bool(struct rs_json_writer *writer, const char *key, bool value)
{
	write_word(writer, key, value ? "true" : "false");
}

void rs_json_write_null(struct rs_json_writer *writer, const char *key)
{
	write_word(writer, key, "null");
}

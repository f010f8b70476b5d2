#include "report/columns.h"

#include <string.h>

#include "base/utf8.h"

struct range {
	uint32_t first, last;
};

/* Combining marks, joiners, variation selectors: they take no column of their own. */
static const struct range zero_width[] = {
	{ 0x0300, 0x036F }, { 0x0483, 0x0489 }, { 0x0591, 0x05BD }, { 0x0610, 0x061A }, { 0x064B, 0x065F },
	{ 0x1AB0, 0x1AFF }, { 0x1DC0, 0x1DFF }, { 0x200B, 0x200F }, { 0x202A, 0x202E }, { 0x2060, 0x206F },
	{ 0x20D0, 0x20FF }, { 0xFE00, 0xFE0F }, { 0xFE20, 0xFE2F }, { 0xFEFF, 0xFEFF }, { 0xE0100, 0xE01EF },
};

/* East Asian wide and full-width characters, and pictures: two columns. */
static const struct range double_width[] = {
	{ 0x1100, 0x115F },   { 0x2E80, 0x303E },   { 0x3041, 0xA4CF },   { 0xA960, 0xA97F },
	{ 0xAC00, 0xD7A3 },   { 0xF900, 0xFAFF },   { 0xFE30, 0xFE6F },   { 0xFF00, 0xFF60 },
	{ 0xFFE0, 0xFFE6 },   { 0x1F300, 0x1F64F }, { 0x1F680, 0x1F6FF }, { 0x1F900, 0x1F9FF },
	{ 0x20000, 0x3FFFD },
};

struct glyph {
	const char *bytes;
	size_t length, columns;
};

static bool is_in(uint32_t point, const struct range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	return false;
}

static size_t width_of(uint32_t point)
{
	if (point < 0x300)
		return 1;
	if (is_in(point, zero_width, RS_COUNT_OF(zero_width)))
		return 0;
	return is_in(point, double_width, RS_COUNT_OF(double_width)) ? 2 : 1;
}

/* The character that a well-formed sequence of this length spells. */
static uint32_t decode(const char *text, size_t length)
{
	uint32_t point = (unsigned char)text[0] & (length == 1 ? 0x7Fu : 0x7Fu >> length);

	for (size_t i = 1; i < length; i++)
		point = point << 6 | ((unsigned char)text[i] & 0x3Fu);
	return point;
}

/* C1 controls are commands to some terminals; so are the marks that turn the writing direction. */
static bool is_harmful(uint32_t point)
{
	return point < 0xA0 || (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

static struct glyph control(unsigned char byte)
{
	bool blank = byte == '\t' || byte == '\n' || byte == '\r' || byte == '\v' || byte == '\f';

	return (struct glyph) { .bytes = blank ? " " : "?", .length = 1, .columns = 1 };
}

/* What to show for the character at *at; moves *at past it. */
static struct glyph next_glyph(const char **at)
{
	const char *start = *at;
	unsigned char byte = (unsigned char)*start;

	*at = start + 1;
	if (byte < 0x20 || byte == 0x7F)
		return control(byte);
	if (byte < 0x80)
		return (struct glyph) { .bytes = start, .length = 1, .columns = 1 };
	/* The text ends in a NUL, which continues no sequence: reading stops there. */
	size_t length = rs_utf8_length(start, 4);
	uint32_t point = length ? decode(start, length) : 0;
	*at = start + (length ? length : 1);
	if (is_harmful(point))
		return (struct glyph) { .bytes = "?", .length = 1, .columns = 1 };
	return (struct glyph) { .bytes = start, .length = length, .columns = width_of(point) };
}

size_t rs_columns_measure(const char *text)
{
	size_t columns = 0;

	while (*text)
		columns += next_glyph(&text).columns;
	return columns;
}

void rs_columns_append(struct rs_builder *out, const char *text)
{
	while (*text) {
		struct glyph glyph = next_glyph(&text);

		rs_builder_append(out, glyph.bytes, glyph.length);
	}
}

void rs_columns_pad(struct rs_builder *out, const char *text, size_t columns)
{
	size_t used = rs_columns_measure(text);

	rs_columns_append(out, text);
	if (used < columns)
		rs_builder_pad(out, ' ', columns - used);
}

void rs_columns_fit(struct rs_builder *out, const char *text, size_t columns)
{
	bool cut = rs_columns_measure(text) > columns;
	size_t room = cut && columns >= 4 ? columns - 1 : columns, used = 0;

	while (*text) {
		struct glyph glyph = next_glyph(&text);

		if (used + glyph.columns > room)
			break;
		rs_builder_append(out, glyph.bytes, glyph.length);
		used += glyph.columns;
	}
	if (room < columns)
		rs_builder_appendc(out, '.'), used++;
	rs_builder_pad(out, ' ', columns - used);
}

/* One word in front of `end`, harmless; gives its width. */
static size_t append_word(struct rs_builder *out, const char *word, const char *end)
{
	size_t columns = 0;

	while (word < end) {
		struct glyph glyph = next_glyph(&word);

		rs_builder_append(out, glyph.bytes, glyph.length);
		columns += glyph.columns;
	}
	return columns;
}

void rs_columns_wrap(struct rs_builder *out, const char *text, size_t indent, size_t columns)
{
	rs_columns_hang(out, text, indent, indent, columns);
}

void rs_columns_hang(struct rs_builder *out, const char *text, size_t first_indent, size_t indent,
		     size_t columns)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder word = { 0 };
	size_t room = columns - first_indent, used = 0;

	rs_builder_pad(out, ' ', first_indent);
	while (*text) {
		size_t length = strcspn(text, " "), width;

		word.length = 0;
		width = append_word(&word, text, text + length);
		if (used > 0 && used + 1 + width > room) {
			rs_builder_appendc(out, '\n');
			rs_builder_pad(out, ' ', indent);
			room = columns - indent;
			used = 0;
		}
		rs_builder_appends(out, used ? " " : "");
		rs_builder_append(out, word.data, word.length);
		used += width + (used ? 1 : 0);
		text += length + strspn(text + length, " ");
	}
	rs_builder_appendc(out, '\n');
}

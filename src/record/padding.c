/*
 * Padding on purpose: members whose name says that they only take up room.
 */
#include <ctype.h>
#include <string.h>

#include "record/hazards_internal.h"

/* Below this many bytes padding fills up a word; from it on it can keep neighbours off a cache line. */
enum { SEPARATING_BYTES = 16 };

struct stem {
	const char *text;
	bool may_have_letter; /* reserved_a; but pad_x is a distance */
};

static const struct stem stems[] = {
	{ "padding", false }, { "pad", false },   { "reserved", true }, { "reserve", true },
	{ "rsvd", true },     { "resv", true },   { "resvd", true },    { "unused", true },
	{ "filler", true },   { "spare", false }, { "dummy", true },
};

/* is_array: anything may follow behind an underscore (pad_to_line); else numbers alone, and a letter where the
 * stem allows it. */
static bool is_tail(const char *text, bool is_array, bool may_have_letter)
{
	const char *start = text;

	if (*text == '\0' || (is_array && *text == '_'))
		return true;
	text += *text == '_';
	if (may_have_letter && text > start && isalpha((unsigned char)*text))
		text++;
	while (isdigit((unsigned char)*text) || (*text == '_' && text > start))
		text++;
	return *text == '\0';
}

static const char *lower(char *buffer, size_t size, const char *name)
{
	size_t length = 0;

	for (; *name && length + 1 < size; name++)
		buffer[length++] = (char)tolower((unsigned char)*name);
	buffer[length] = '\0';
	return buffer;
}

static bool has_stem(const char *name, bool is_array)
{
	for (size_t i = 0; i < RS_COUNT_OF(stems); i++) {
		size_t length = strlen(stems[i].text);

		if (strncmp(name, stems[i].text, length) == 0 &&
		    is_tail(name + length, is_array, stems[i].may_have_letter))
			return true;
	}
	return false;
}

/* slot_map_padding, cacheline_pad2 */
static bool ends_in_stem(const char *name)
{
	const char *bar = strrchr(name, '_');

	return bar && has_stem(bar + 1, false);
}

bool rs_padding_is_name(const struct rs_member *member)
{
	char buffer[64];
	const char *name = lower(buffer, sizeof buffer, member->name);

	while (*name == '_')
		name++;
	if (strncmp(name, "pad_to_", 7) == 0)
		return true;
	return has_stem(name, member->is_array) || (member->is_array && ends_in_stem(name));
}

static bool is_plain_integer(const struct rs_member *member)
{
	return !member->is_bitfield && !member->is_aggregate && !member->is_flexible && member->size_bits > 0 &&
	       !strpbrk(member->type, "*(") && !strstr(member->type, "float") &&
	       !strstr(member->type, "double");
}

static uint64_t align_up(uint64_t bits, uint64_t align_bytes)
{
	uint64_t align_bits = (align_bytes ? align_bytes : 1) * 8;

	return (bits + align_bits - 1) / align_bits * align_bits;
}

/* The end of the top-level member before this one. */
static uint64_t end_before(const struct rs_record *record, size_t member)
{
	uint64_t end = 0;

	for (size_t i = 0; i < member; i = rs_record_next_sibling(record, i)) {
		uint64_t last = record->members[i].offset_bits + record->members[i].size_bits;

		end = last > end ? last : end;
	}
	return end;
}

/* Whether what follows would lie where it lies now if the member were not there. */
static bool only_rounds_up(const struct rs_record *record, size_t member)
{
	size_t next = rs_record_next_sibling(record, member);
	uint64_t end = end_before(record, member);

	if (next >= record->n_members)
		return align_up(end, record->align_bytes) == record->size_bytes * 8;
	return !record->members[next].is_bitfield &&
	       align_up(end, record->members[next].align_bytes) == record->members[next].offset_bits;
}

/* Whether it ends where the next member begins. */
static bool fills_hole(const struct rs_record *record, size_t member)
{
	const struct rs_member *at = &record->members[member];
	size_t next = rs_record_next_sibling(record, member);
	uint64_t end = next < record->n_members ? record->members[next].offset_bits : record->size_bytes * 8;

	return at->parent == RS_NONE && at->offset_bits + at->size_bits == end &&
	       only_rounds_up(record, member);
}

static bool is_padding(const struct rs_record *record, size_t member)
{
	const struct rs_member *at = &record->members[member];

	if (!is_plain_integer(at) || !rs_padding_is_name(at))
		return false;
	return at->is_array || fills_hole(record, member);
}

/* `char pad[LINE - sizeof(long)]`: the size says that the author counted. */
static bool is_size_computed(const struct rs_hazard_scan *scan, const struct rs_unit *unit,
			     const struct rs_member *member)
{
	struct rs_word_scan words;

	if (member->byte < unit->declaration.start || member->byte >= unit->declaration.end)
		return false;
	rs_word_scan_init(&words, scan->record->source->text,
			  (struct rs_span) { member->byte, unit->declaration.end });
	if (!rs_word_scan_next(&words) || !rs_word_scan_next(&words) || !rs_word_scan_is(&words, "["))
		return false;
	while (rs_word_scan_next(&words) && !rs_word_scan_is(&words, "]"))
		if (words.is_identifier)
			return true;
	return false;
}

static bool separates(const struct rs_hazard_scan *scan, const struct rs_unit *unit,
		      const struct rs_member *member)
{
	return member->size_bits >= SEPARATING_BYTES * 8 || is_size_computed(scan, unit, member);
}

static void keep_padding(struct rs_hazard_scan *scan, size_t unit, bool separates_neighbours)
{
	bool is_first = rs_hazards_is_first(scan, unit);

	if (separates_neighbours && is_first)
		rs_constraint_add(scan->list, RS_KEEP_FIRST, unit, RS_NONE);
	if (separates_neighbours && unit == 1 && !is_first)
		rs_constraint_add(scan->list, RS_KEEP_FIRST, 0, RS_NONE);
	if (!is_first)
		rs_hazards_keep_next(scan, unit - 1);
	if (rs_hazards_is_last(scan, unit))
		rs_constraint_add(scan->list, RS_KEEP_LAST, unit, RS_NONE);
	else
		rs_hazards_keep_next(scan, unit);
}

static void check_top(struct rs_hazard_scan *scan, size_t member)
{
	const struct rs_record *record = scan->record;
	const struct rs_member *at = &record->members[member];
	bool is_end = rs_record_next_sibling(record, member) >= record->n_members;

	if (at->unit == RS_NONE || !is_padding(record, member) || (is_end && only_rounds_up(record, member)))
		return;
	rs_pin_add(scan->list, "explicit-padding", RS_PIN_CONTRACT, at->unit, at->line, false,
		   "'%s' is padding on purpose: it stays between its neighbours", at->path);
	keep_padding(scan, at->unit, separates(scan, &record->units[at->unit], at));
}

/* A member that is spelled in the unit itself and brings its own padding. */
static void check_inside(struct rs_hazard_scan *scan, size_t top, size_t member)
{
	const struct rs_record *record = scan->record;
	const struct rs_member *at = &record->members[member], *outer = &record->members[top];

	if (outer->unit == RS_NONE || !is_padding(record, member))
		return;
	const struct rs_unit *unit = &record->units[outer->unit];
	if (at->byte < unit->declaration.start || at->byte >= unit->declaration.end || at->line == 0 ||
	    strncmp(record->source->text + at->byte, at->name, strlen(at->name)) != 0 ||
	    !separates(scan, unit, at))
		return;
	rs_pin_add(scan->list, "explicit-padding", RS_PIN_CONTRACT, outer->unit, at->line, false,
		   "'%s' inside '%s' is padding on purpose: '%s' stays between its neighbours",
		   *at->path ? at->path : at->name, unit->name, unit->name);
	keep_padding(scan, outer->unit, true);
}

void rs_padding_find(struct rs_hazard_scan *scan)
{
	const struct rs_record *record = scan->record;

	for (size_t top = 0; top < record->n_members; top = rs_record_next_sibling(record, top)) {
		check_top(scan, top);
		for (size_t i = top + 1; i < rs_record_next_sibling(record, top); i++)
			check_inside(scan, top, i);
	}
}

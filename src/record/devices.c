/*
 * Structs whose order somebody outside the program has fixed: device registers and packets on a wire.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "record/hazards_internal.h"

enum { MIN_REGISTERS = 3, MIN_ADDRESS_DIGITS = 5, MIN_ADDRESS = 0x100 };

struct counts {
	size_t n_members, n_volatile, n_fixed_width, n_reserved;
};

/* uint32_t, u32, __u32 and the like, volatile or not, arrays as well. */
static bool is_fixed_width(const char *type)
{
	static const char *const names[] = { "uint8_t",  "uint16_t",  "uint32_t",  "uint64_t",
					     "u8",       "u16",       "u32",       "u64",
					     "__u8",     "__u16",     "__u32",     "__u64",
					     "vuint8_t", "vuint16_t", "vuint32_t", "__uint32_t" };
	struct rs_word_scan words;

	rs_word_scan_init(&words, type, (struct rs_span) { 0, strlen(type) });
	while (rs_word_scan_next(&words))
		if (rs_word_scan_is_any(&words, names, RS_COUNT_OF(names)))
			return true;
	return false;
}

static struct counts count_members(const struct rs_record *record)
{
	struct counts counts = { 0, 0, 0, 0 };

	for (size_t i = 0; i < record->n_members; i = rs_record_next_sibling(record, i)) {
		const struct rs_member *member = &record->members[i];

		if (rs_padding_is_name(member)) {
			counts.n_reserved++;
			continue;
		}
		counts.n_members++;
		counts.n_volatile += member->is_volatile;
		counts.n_fixed_width += is_fixed_width(member->type);
	}
	return counts;
}

static bool has_register_idiom(const struct rs_record *record)
{
	static const char *const names[] = { "__IO", "__I", "__O", "__IM", "__OM", "__IOM" };
	struct rs_word_scan words;

	rs_word_scan_init(&words, record->source->text, record->body);
	while (rs_word_scan_next(&words))
		if (rs_word_scan_is_any(&words, names, RS_COUNT_OF(names)))
			return true;
	return false;
}

static size_t hex_digits(const char *text)
{
	size_t count = 0;

	if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
		return 0;
	while (isxdigit((unsigned char)text[2 + count]))
		count++;
	return count;
}

static bool span_has_address(const struct rs_hazard_scan *scan, struct rs_span span)
{
	for (size_t at = span.start; at < span.end; at++)
		if (hex_digits(scan->record->source->text + at) >= MIN_ADDRESS_DIGITS)
			return true;
	return false;
}

static bool has_address_comment(const struct rs_hazard_scan *scan)
{
	for (size_t i = 0; i < scan->n_comments; i++)
		if (span_has_address(scan, scan->comments[i]))
			return true;
	return false;
}

/* Behind a `(`: the record's name and `*)`, then a constant. ret_volatile: the pointer is to volatile. */
static bool is_address_cast(const struct rs_hazard_scan *scan, struct rs_word_scan words, bool *ret_volatile)
{
	const char *text = scan->record->source->text;
	bool is_named = false;

	*ret_volatile = false;
	while (rs_word_scan_next(&words) && (words.is_identifier || rs_word_scan_is(&words, "*"))) {
		*ret_volatile = *ret_volatile || rs_word_scan_is(&words, "volatile");
		is_named = is_named || rs_hazards_skip_name(scan, &words);
	}
	if (!is_named || !rs_word_scan_is(&words, ")"))
		return false;
	size_t at = words.word.end;
	while (at < words.end && (isspace((unsigned char)text[at]) || text[at] == '('))
		at++;
	unsigned long long address = 0;
	for (size_t i = 0, digits = hex_digits(text + at); i < digits && i < 16; i++) {
		char c = (char)tolower((unsigned char)text[at + 2 + i]);

		address = address * 16 + (unsigned long long)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return address >= MIN_ADDRESS;
}

static const struct rs_mark_macro *find_address_macro(const struct rs_hazard_scan *scan, bool *ret_volatile)
{
	for (size_t i = 0; i < scan->marks->n_macros; i++) {
		const struct rs_mark_macro *macro = &scan->marks->macros[i];
		struct rs_word_scan words;

		if (!macro->has_call || !rs_hazards_mentions(scan, macro->body))
			continue;
		rs_word_scan_init(&words, scan->record->source->text, macro->body);
		while (rs_word_scan_next(&words))
			if (rs_word_scan_is(&words, "(") && is_address_cast(scan, words, ret_volatile))
				return macro;
	}
	return NULL;
}

static const char *register_clue(const struct rs_hazard_scan *scan, const struct counts *counts)
{
	bool is_volatile = false;
	const struct rs_mark_macro *macro = find_address_macro(scan, &is_volatile);
	bool is_mostly_volatile = counts->n_volatile >= 2 && counts->n_volatile * 2 > counts->n_members;

	if (macro && (is_volatile || counts->n_volatile > 0 || counts->n_reserved > 0))
		return rs_arena_printf(scan->arena, "macro '%s' puts it at a fixed address",
				       rs_hazards_text(scan, macro->name));
	if (!is_mostly_volatile)
		return NULL;
	if (has_register_idiom(scan->record))
		return "its members are declared __IO, __I or __O";
	if (counts->n_reserved > 0)
		return "most members are volatile, with reserved gaps between them";
	if (has_address_comment(scan))
		return "most members are volatile, and a comment gives an address";
	if (counts->n_volatile == counts->n_members && counts->n_fixed_width == counts->n_members &&
	    counts->n_members >= MIN_REGISTERS)
		return "all members are volatile integers of fixed width";
	return NULL;
}

static void find_registers(struct rs_hazard_scan *scan)
{
	struct counts counts = count_members(scan->record);
	const char *clue = register_clue(scan, &counts);

	if (clue)
		rs_pin_add(scan->list, "hardware-registers", RS_PIN_CONTRACT, RS_NONE,
			   rs_hazards_line(scan, scan->record->span.start), true,
			   "'%s' looks like the registers of a device, whose order the hardware fixes: %s",
			   scan->record->name, clue);
}

/* Whether the text begins with a width in bits; gives what follows it. */
static const char *skip_width(const char *text)
{
	static const char *const widths[] = { "16", "24", "32", "64" };

	for (size_t i = 0; i < RS_COUNT_OF(widths); i++)
		if (strncmp(text, widths[i], 2) == 0 && !isdigit((unsigned char)text[2]))
			return text + 2;
	return NULL;
}

static const char *skip_order(const char *text)
{
	return strncasecmp(text, "be", 2) == 0 || strncasecmp(text, "le", 2) == 0 ? text + 2 : NULL;
}

static bool is_name_end(const char *text)
{
	return *text == '\0' || strcmp(text, "_t") == 0 || (*text == '_' && text[1] == '\0');
}

/* __be32, ule16, rte_be32_t, le64_t; and u16be, uint32_le_t. name is the part behind an underscore, or all. */
static bool is_byte_ordered_part(const char *name)
{
	const char *order, *width;

	if ((*name == 'u' || *name == 's') && skip_order(name + 1) && skip_width(name + 3))
		name++;
	order = skip_order(name);
	width = order ? skip_width(order) : NULL;
	if (width && is_name_end(width))
		return true;
	for (const char *const *prefix = (const char *const[]) { "uint", "int", "u", "s", NULL }; *prefix;
	     prefix++) {
		size_t length = strlen(*prefix);

		width = strncmp(name, *prefix, length) == 0 ? skip_width(name + length) : NULL;
		order = width ? skip_order(width + (*width == '_')) : NULL;
		if (order && is_name_end(order))
			return true;
	}
	return false;
}

static bool is_byte_ordered_name(const char *name)
{
	if (strcmp(name, "__sum16") == 0 || strcmp(name, "__wsum") == 0)
		return true;
	for (const char *part = name; *part; part++)
		if ((part == name || part[-1] == '_') && is_byte_ordered_part(part))
			return true;
	return false;
}

static bool is_byte_ordered(struct rs_arena *arena, const char *type)
{
	struct rs_word_scan words;

	rs_word_scan_init(&words, type, (struct rs_span) { 0, strlen(type) });
	while (rs_word_scan_next(&words))
		if (words.is_identifier &&
		    is_byte_ordered_name(rs_arena_strndup(arena, type + words.word.start,
							  words.word.end - words.word.start)))
			return !strchr(type, '*');
	return false;
}

/* Alignment 1 in an array or a scalar: bytes, which have no order. */
static bool is_bytes(const struct rs_member *member)
{
	return member->is_bitfield ? member->type_size_bytes == 1
				   : member->align_bytes == 1 && (member->is_array || member->size_bits == 8);
}

static bool has_padding(const struct rs_record *record)
{
	uint64_t end = 0;

	for (size_t i = 0; i < record->n_members; i = rs_record_next_sibling(record, i)) {
		if (record->members[i].offset_bits > end)
			return true;
		end = record->members[i].offset_bits + record->members[i].size_bits;
	}
	return end < record->size_bytes * 8;
}

static void find_wire_types(struct rs_hazard_scan *scan)
{
	const struct rs_record *record = scan->record;
	size_t n_ordered = 0, first = 0;

	for (size_t i = 0; i < record->n_members; i++) {
		const struct rs_member *member = &record->members[i];

		if (member->is_aggregate || is_bytes(member) || member->size_bits == 0)
			continue;
		if (!is_byte_ordered(scan->arena, member->type))
			return;
		first = n_ordered++ == 0 ? i : first;
	}
	if (n_ordered < 2 || has_padding(record))
		return;
	rs_pin_add(
		scan->list, "wire-types", RS_PIN_CONTRACT, RS_NONE, rs_hazards_line(scan, record->span.start),
		true,
		"'%s' is laid out for a wire or a disk: every number in it has a fixed byte order ('%s' is %s)",
		record->name, record->members[first].path, record->members[first].type);
}

void rs_devices_find(struct rs_hazard_scan *scan)
{
	find_registers(scan);
	find_wire_types(scan);
}

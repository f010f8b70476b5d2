#include "record/pins.h"

#include <stdarg.h>
#include <string.h>

#include "record/group_marks.h"
#include "record/inside.h"
#include "record/layout.h"
#include "record/word_scan.h"

static const char *const region_markers[] = {
	"CACHELINE_MARKER",
	"CACHELINE_PADDING",
	"CLIB_CACHE_LINE_ALIGN_MARK",
	"RTE_CACHE_GUARD",
	"RTE_MARKER",
	"ZONE_PADDING",
	"__cacheline_group_begin",
	"__cacheline_group_begin_aligned",
	"__cacheline_group_end",
	"__cacheline_group_end_aligned",
	"randomized_struct_fields_end",
	"randomized_struct_fields_start",
};

/* Beyond the alignment of any scalar: a member without bytes that asks for more is there to open a line. */
enum { LARGEST_SCALAR_ALIGN = 16 };

/* --- pins that say the same --- */

/* Without the macro that the place was come to through. */
static size_t meaning_length(const char *message)
{
	const char *macro = strstr(message, " (through the macro ");

	return macro ? (size_t)(macro - message) : strlen(message);
}

static bool says_the_same(const struct rs_pin *a, const struct rs_pin *b)
{
	size_t length = meaning_length(a->message);

	return a->refuses == b->refuses && strcmp(a->code, b->code) == 0 &&
	       length == meaning_length(b->message) && strncmp(a->message, b->message, length) == 0;
}

size_t rs_pins_first_alike(const struct rs_pin *pins, size_t index)
{
	size_t first = 0;

	while (first < index && !says_the_same(&pins[first], &pins[index]))
		first++;
	return first;
}

void rs_pins_print_others(struct rs_builder *out, const struct rs_pin *pins, size_t n_pins, size_t first,
			  rs_pin_path_fn path, void *data)
{
	const char *before = "; also at";

	for (size_t i = first + 1; i < n_pins; i++) {
		if (!says_the_same(&pins[first], &pins[i]) || pins[i].line == 0)
			continue;
		rs_builder_printf(out, "%s %s:%u", before, path(data, &pins[i]), pins[i].line);
		before = ",";
	}
}

const char *rs_pin_strength_name(enum rs_pin_strength strength)
{
	static const char *const names[] = { "advice", "contract", "hard" };

	return names[strength];
}

void rs_pin_add(struct rs_pin_list *list, const char *code, enum rs_pin_strength strength, size_t unit,
		unsigned line, bool refuses, const char *format, ...)
{
	RS_CLEANUP(rs_builder_deinit) struct rs_builder message = { 0 };
	va_list arguments;

	va_start(arguments, format);
	rs_builder_vprintf(&message, format, arguments);
	va_end(arguments);
	*rs_array_push(list->arena, list->pins, list->n_pins, list->pins_capacity) =
		(struct rs_pin) { .code = code,
				  .strength = strength,
				  .message = rs_arena_strdup(list->arena, message.data),
				  .line = line,
				  .unit = unit,
				  .refuses = refuses };
}

void rs_constraint_add(struct rs_pin_list *list, enum rs_constraint_kind kind, size_t unit, size_t other)
{
	for (size_t i = 0; i < list->n_constraints; i++) {
		const struct rs_constraint *known = &list->constraints[i];

		/* Units may have several pairs of members that are to share a line. */
		if (known->kind == kind && known->unit == unit && known->other == other &&
		    kind != RS_KEEP_ON_LINE)
			return;
	}
	*rs_array_push(list->arena, list->constraints, list->n_constraints, list->constraints_capacity) =
		(struct rs_constraint) { kind, unit, other, list->n_pins ? list->n_pins - 1 : RS_NONE };
}

static bool is_zero_length_array(const struct rs_member *member)
{
	return member->is_array && !member->is_flexible && member->array_count == 0;
}

static bool is_marker_member(const struct rs_member *member, bool is_last)
{
	if (member->size_bits > 0 || member->is_bitfield || member->is_flexible)
		return rs_group_marks_has_name(member->name);
	if (is_zero_length_array(member))
		return !is_last || rs_group_marks_has_name(member->name);
	return member->is_anonymous || member->align_bytes > LARGEST_SCALAR_ALIGN;
}

static bool has_marker_word(const struct rs_source *source, struct rs_span span)
{
	struct rs_word_scan words;

	rs_word_scan_init(&words, source->text, span);
	while (rs_word_scan_next(&words))
		if (rs_word_scan_is_any(&words, region_markers, RS_COUNT_OF(region_markers)))
			return true;
	return false;
}

static bool is_marker(const struct rs_source *source, const struct rs_member *members, size_t n_members,
		      const struct rs_unit *unit)
{
	size_t member = unit->first_member;

	for (size_t i = 0; i < unit->n_members; i++) {
		size_t next = member + 1 + members[member].n_inside;

		if (is_marker_member(&members[member], next == n_members))
			return true;
		member = next;
	}
	return has_marker_word(source, unit->declaration);
}

void rs_pins_assign_regions(const struct rs_source *source, const struct rs_member *members, size_t n_members,
			    const struct rs_gap *gaps, struct rs_unit *units, size_t n_units)
{
	size_t region = 0;
	bool behind_marker = false;

	for (size_t i = 0; i < n_units; i++) {
		bool marks = is_marker(source, members, n_members, &units[i]);

		if (i > 0 && (marks || behind_marker || gaps[i].is_barrier))
			region++;
		units[i].region = region;
		behind_marker = marks;
	}
}

static unsigned unit_line(const struct rs_record *record, size_t unit)
{
	return rs_source_position(record->source, record->units[unit].declaration.start).line;
}

static void find_markers(struct rs_pin_list *list, const struct rs_record *record)
{
	for (size_t i = 0; i < record->n_units; i++)
		if (is_marker(record->source, record->members, record->n_members, &record->units[i]))
			rs_pin_add(list, "marker", RS_PIN_HARD, i, unit_line(record, i), false,
				   "'%s' marks a place in the struct: fields stay on their side of it",
				   record->units[i].name);
}

static void find_barriers(struct rs_pin_list *list, const struct rs_record *record)
{
	for (size_t i = 1; i < record->n_units; i++)
		if (record->gaps[i].is_barrier)
			rs_pin_add(
				list, "barrier", RS_PIN_HARD, i,
				rs_source_position(record->source, record->gaps[i].span.start).line, false,
				"what stands before '%s' (a directive, an assertion or a macro) separates the "
				"struct: fields stay on their side of it",
				record->units[i].name);
}

/* Whether objects may be allocated with more elements than are declared at the member's end. */
static bool has_open_end(const struct rs_record *record, size_t member)
{
	const struct rs_member *at = &record->members[member];
	size_t end = rs_record_next_sibling(record, member);

	if (at->is_flexible || (at->is_array && at->array_count <= 1))
		return true;
	for (size_t i = member + 1; i < end; i = rs_record_next_sibling(record, i)) {
		bool is_at_end = at->is_union || rs_record_next_sibling(record, i) == end;

		if (is_at_end && has_open_end(record, i))
			return true;
	}
	return false;
}

static size_t last_member(const struct rs_record *record)
{
	size_t last = RS_NONE;

	for (size_t i = 0; i < record->n_members; i = rs_record_next_sibling(record, i))
		last = i;
	return last;
}

static void find_open_end(struct rs_pin_list *list, const struct rs_record *record)
{
	size_t last = last_member(record);

	if (last == RS_NONE || record->members[last].unit == RS_NONE || !has_open_end(record, last))
		return;
	const struct rs_member *member = &record->members[last];
	const struct rs_unit *unit = &record->units[member->unit];
	if (member->is_flexible && (member->is_array || member->is_anonymous))
		rs_pin_add(list, "flexible-array-last", RS_PIN_HARD, member->unit, member->line, false,
			   "'%s' is a flexible array: it comes last", unit->name);
	else
		rs_pin_add(list, "trailing-array", RS_PIN_CONTRACT, member->unit, member->line, false,
			   "'%s' ends the struct in an array of at most one declared element: objects may be "
			   "allocated with more behind it",
			   unit->name);
	rs_constraint_add(list, RS_KEEP_LAST, member->unit, RS_NONE);
}

/* A member that ends in `char key[1]`: of the text only the first byte is its own. Of other elements one is
 * more often all there is: the words of a set of bits that fits into one. */
static bool ends_in_first_byte(const struct rs_record *record, size_t member)
{
	const struct rs_member *at = &record->members[member];
	size_t end = rs_record_next_sibling(record, member);

	for (size_t i = member + 1; i < end; i = rs_record_next_sibling(record, i)) {
		const struct rs_member *inner = &record->members[i];

		if (!at->is_union && rs_record_next_sibling(record, i) != end)
			continue;
		if (inner->is_array && inner->array_count == 1 && inner->size_bits == 8)
			return true;
		if (!inner->is_array && ends_in_first_byte(record, i))
			return true;
	}
	return false;
}

/* A record that is one byte is a type of numbers, and no text. */
static bool goes_on(const struct rs_record *record, size_t member)
{
	const struct rs_member *at = &record->members[member];

	if (at->is_flexible)
		return true;
	return at->is_array ? at->array_count == 1 && at->size_bits == 8
			    : at->size_bits > 8 && ends_in_first_byte(record, member);
}

/* What a member that ends in a flexible array goes on in: its elements are the bytes of the member behind it.
 */
static void find_open_middle(struct rs_pin_list *list, const struct rs_record *record)
{
	for (size_t i = 0, next; i < record->n_members; i = next) {
		const struct rs_member *member = &record->members[i], *behind;

		next = rs_record_next_sibling(record, i);
		behind = &record->members[next < record->n_members ? next : i];
		if (member->unit == RS_NONE || behind->unit == RS_NONE || behind->unit == member->unit ||
		    !goes_on(record, i))
			continue;
		rs_pin_add(
			list, "trailing-array", RS_PIN_CONTRACT, member->unit, member->line, false,
			"'%s' ends in an array whose elements go on in what stands behind it: '%s' stays there",
			record->units[member->unit].name, record->units[behind->unit].name);
		rs_constraint_add(list, RS_KEEP_NEXT, member->unit, behind->unit);
	}
}

static void check_layout(struct rs_pin_list *list, const struct rs_record *record)
{
	size_t member;

	for (size_t i = 0; i < list->n_pins; i++)
		if (list->pins[i].refuses)
			return;
	if (rs_layout_agrees(record, &member))
		return;
	if (member == RS_NONE)
		rs_pin_add(list, "layout-unknown", RS_PIN_HARD, RS_NONE, 0, true,
			   "the compiler gives the struct a size of %llu bytes that the System V rules do not "
			   "explain",
			   (unsigned long long)record->size_bytes);
	else
		rs_pin_add(list, "layout-unknown", RS_PIN_HARD, record->members[member].unit,
			   record->members[member].line, true,
			   "the compiler puts '%s' at bit %llu, which the System V rules do not explain",
			   record->members[member].declaration,
			   (unsigned long long)record->members[member].offset_bits);
}

void rs_pins_find(struct rs_pin_list *list, const struct rs_record *record)
{
	check_layout(list, record);
	find_markers(list, record);
	rs_group_marks_find(list, record);
	find_barriers(list, record);
	find_open_end(list, record);
	find_open_middle(list, record);
	rs_inside_find(list, record);
}

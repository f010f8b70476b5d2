/*
 * Numbers that others know and that hold the record's size: ioctl numbers, ids, versions.
 */
#include <string.h>
#include <strings.h>

#include "record/hazards_internal.h"

static bool has_part(const struct rs_hazard_scan *scan, struct rs_span name, const char *const *parts,
		     size_t n_parts)
{
	const char *text = scan->record->source->text;

	for (size_t start = name.start, stop; start < name.end; start = stop + 1) {
		const char *bar = (const char *)memchr(text + start, '_', name.end - start);

		stop = bar ? (size_t)(bar - text) : name.end;
		for (size_t i = 0; i < n_parts; i++)
			if (strlen(parts[i]) == stop - start &&
			    strncasecmp(text + start, parts[i], stop - start) == 0)
				return true;
	}
	return false;
}

/* _IOR, DRM_IOWR, IOC_: what makes an ioctl number. */
static bool is_ioctl_macro(const struct rs_hazard_scan *scan, struct rs_span name)
{
	static const char *const parts[] = { "IO", "IOC", "IOR", "IOW", "IOWR", "IORW" };

	return has_part(scan, name, parts, RS_COUNT_OF(parts));
}

/* FOO_IOCTL_SIZE: a plain size, which nobody knows as a number. */
static bool is_size_name(const struct rs_hazard_scan *scan, struct rs_span name)
{
	static const char *const parts[] = { "SIZE", "SIZEOF", "LEN", "LENGTH", "SZ", "BYTES" };

	return has_part(scan, name, parts, RS_COUNT_OF(parts));
}

static bool is_known_outside(const struct rs_hazard_scan *scan, struct rs_span name)
{
	static const char *const parts[] = { "CMD",    "COMMAND", "ID",       "IOC",     "IOCTL",     "MAGIC",
					     "OPCODE", "PROTO",   "PROTOCOL", "VERSION", "SIGNATURE", "VER" };

	return !is_size_name(scan, name) && has_part(scan, name, parts, RS_COUNT_OF(parts));
}

/* Behind `(`: an argument that is nothing but the record's type. */
static bool has_type_argument(const struct rs_hazard_scan *scan, struct rs_word_scan words)
{
	size_t depth = 1;

	while (depth > 0) {
		bool at_argument = rs_word_scan_is(&words, "(") || rs_word_scan_is(&words, ",");

		if (!rs_word_scan_next(&words))
			return false;
		depth += rs_word_scan_is(&words, "(");
		depth -= rs_word_scan_is(&words, ")");
		if (!at_argument || !rs_hazards_skip_name(scan, &words))
			continue;
		struct rs_word_scan ahead = words;
		if (rs_word_scan_next(&ahead) && (rs_word_scan_is(&ahead, ")") || rs_word_scan_is(&ahead, ",")))
			return true;
	}
	return false;
}

/* A call in the code that gets the record's type, of a macro that the test accepts. */
static bool has_call(const struct rs_hazard_scan *scan, struct rs_span code,
		     bool (*accepts)(const struct rs_hazard_scan *, struct rs_span), struct rs_span *ret_callee)
{
	struct rs_word_scan words;

	rs_word_scan_init(&words, scan->record->source->text, code);
	*ret_callee = (struct rs_span) { 0, 0 };
	while (rs_word_scan_next(&words)) {
		if (rs_word_scan_is(&words, "(") && ret_callee->end && accepts(scan, *ret_callee) &&
		    has_type_argument(scan, words))
			return true;
		*ret_callee = words.is_identifier ? words.word : (struct rs_span) { 0, 0 };
	}
	return false;
}

static bool is_sizeof(const struct rs_hazard_scan *scan, struct rs_span name)
{
	return name.end - name.start == 6 && memcmp(scan->record->source->text + name.start, "sizeof", 6) == 0;
}

static bool is_any_but_member_macro(const struct rs_hazard_scan *scan, struct rs_span name)
{
	static const char *const parts[] = { "offsetof", "of", "entry",  "alloc", "malloc", "sizeof",
					     "ALLOC",    "OF", "typeof", "new",   "calloc", "NEW" };

	return !has_part(scan, name, parts, RS_COUNT_OF(parts));
}

/* Whether bits are put together: `<<`, or a single `|`. */
static bool joins_bits(const struct rs_hazard_scan *scan, struct rs_span code)
{
	const char *text = scan->record->source->text;

	for (size_t at = code.start; at + 1 < code.end; at++) {
		if (text[at] == '<' && text[at + 1] == '<')
			return true;
		if (text[at] == '|' && text[at + 1] != '|' && text[at - 1] != '|')
			return true;
	}
	return false;
}

static const char *describe_macro(const struct rs_hazard_scan *scan, const struct rs_mark_macro *macro)
{
	struct rs_span callee;

	if (!rs_hazards_mentions(scan, macro->body))
		return NULL;
	if (has_call(scan, macro->body, is_ioctl_macro, &callee))
		return rs_arena_printf(scan->arena, "through '%s'", rs_hazards_text(scan, callee));
	if (has_call(scan, macro->body, is_sizeof, &callee) &&
	    (joins_bits(scan, macro->body) || is_known_outside(scan, macro->name)))
		return "by sizeof";
	if (!macro->is_function && is_known_outside(scan, macro->name) &&
	    has_call(scan, macro->body, is_any_but_member_macro, &callee))
		return rs_arena_printf(scan->arena, "through '%s'", rs_hazards_text(scan, callee));
	return NULL;
}

static void add_pin(struct rs_hazard_scan *scan, struct rs_span name, const char *how)
{
	rs_pin_add(
		scan->list, "sizeof-in-constant", RS_PIN_CONTRACT, RS_NONE, rs_hazards_line(scan, name.start),
		true,
		"the number '%s' holds the size of '%s' (%s): who knows the number must know the same layout",
		rs_hazards_text(scan, name), scan->record->name, how);
}

void rs_size_constants_find(struct rs_hazard_scan *scan)
{
	struct rs_span callee;

	for (size_t i = 0; scan->n_names > 0 && i < scan->marks->n_macros; i++) {
		const struct rs_mark_macro *macro = &scan->marks->macros[i];
		const char *how = macro->has_call ? describe_macro(scan, macro) : NULL;

		if (how)
			add_pin(scan, macro->name, how);
	}
	for (size_t i = 0; scan->n_names > 0 && i < scan->marks->n_constants; i++) {
		const struct rs_mark *mark = &scan->marks->constants[i];

		if (has_call(scan, mark->span, is_sizeof, &callee) &&
		    (joins_bits(scan, mark->span) || is_known_outside(scan, mark->word)))
			add_pin(scan, mark->word, "by sizeof");
	}
}

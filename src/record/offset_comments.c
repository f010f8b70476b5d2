/*
 * Offsets that are written down beside the record: in comments and in macros for assembly.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "record/hazards_internal.h"

/* A small decimal number may count members as well as bytes. */
enum { TELLING_DECIMAL = 4 };

enum form {
	FORM_NONE,
	FORM_MARKED, /* 0x08, +08h, offset 8 */
	FORM_BARE,   /* 8, 08 */
};

struct reading {
	enum form form;
	uint64_t decimal, hex; /* RS_NONE: cannot be read so */
};

struct note {
	struct reading reading;
	size_t member;
	size_t byte;
};

struct notes {
	struct note *items;
	size_t n_items, capacity;
};

struct tally {
	size_t n_right, n_wrong, n_telling;
};

/* --- reading a number --- */

static const char *skip_lead(const char *text, const char *end, bool *ret_marked)
{
	static const char *const words[] = { "offset", "offs", "ofs", "off", "at", "byte" };

	for (;;) {
		while (text < end && strchr(" \t\r\n*/!<(@+:=[", *text)) {
			*ret_marked = *ret_marked || *text == '+' || *text == '@';
			text++;
		}
		size_t i = 0;
		while (i < RS_COUNT_OF(words) && strncasecmp(text, words[i], strlen(words[i])) != 0)
			i++;
		if (i == RS_COUNT_OF(words) || isalpha((unsigned char)text[strlen(words[i])]))
			return text;
		*ret_marked = true;
		text += strlen(words[i]);
	}
}

static uint64_t read_digits(const char *text, size_t length, int base)
{
	char digits[20], *stop;

	if (length == 0 || length >= sizeof digits)
		return RS_NONE;
	memcpy(digits, text, length);
	digits[length] = '\0';
	unsigned long long value = strtoull(digits, &stop, base);
	return *stop ? RS_NONE : (uint64_t)value;
}

/* What may stand behind a number without any mark: nothing, or a sign that the text begins. */
static bool is_alone(const char *text, const char *end)
{
	while (text < end && (*text == ' ' || *text == '\t'))
		text++;
	return text >= end || strchr(":,|)\r\n", *text) || (*text == '*' && text[1] == '/') ||
	       (*text == '-' && text[1] == ' ');
}

static struct reading read_number(const char *text, const char *end, bool is_marked)
{
	struct reading reading = { FORM_NONE, RS_NONE, RS_NONE };
	bool has_prefix = text + 2 < end && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	size_t length = 0;

	text += has_prefix ? 2 : 0;
	while (text + length < end && isxdigit((unsigned char)text[length]))
		length++;
	const char *behind = text + length;
	bool has_suffix = !has_prefix && behind < end && (*behind == 'h' || *behind == 'H');
	behind += has_suffix;
	if (length == 0 || (!has_prefix && !isdigit((unsigned char)*text)) ||
	    (behind < end && (isalnum((unsigned char)*behind) || *behind == '_')))
		return reading;
	reading.hex = read_digits(text, length, 16);
	if (!has_prefix && !has_suffix)
		reading.decimal = read_digits(text, length, 10);
	if (has_prefix || has_suffix || is_marked)
		reading.form = FORM_MARKED;
	else if (is_alone(behind, end))
		reading.form = FORM_BARE;
	return reading;
}

static struct reading read_comment(const char *text, struct rs_span comment)
{
	bool is_marked = false;
	const char *end = text + comment.end, *at = skip_lead(text + comment.start, end, &is_marked);

	return at < end ? read_number(at, end, is_marked) : (struct reading) { FORM_NONE, RS_NONE, RS_NONE };
}

/* --- comments on members --- */

/* The member of the unit that stands on the comment's line; else the next one below it. */
static size_t member_beside(const struct rs_hazard_scan *scan, const struct rs_inner_comment *comment)
{
	const struct rs_record *record = scan->record;
	unsigned line = rs_hazards_line(scan, comment->span.start);

	for (size_t i = record->units[comment->unit].first_member; i < record->n_members; i++)
		if (record->members[i].line == line && record->members[i].unit == comment->unit)
			return i;
	for (size_t i = record->units[comment->unit].first_member; i < record->n_members; i++)
		if (record->members[i].line > line && record->members[i].unit == comment->unit)
			return i;
	return RS_NONE;
}

static void add_note(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment, void *data)
{
	struct notes *notes = (struct notes *)data;
	struct note note = { .byte = comment->span.start };

	if (comment->is_gap || scan->record->units[comment->unit].n_members == 0)
		return;
	note.reading = read_comment(scan->record->source->text, comment->span);
	note.member = member_beside(scan, comment);
	if (note.reading.form != FORM_NONE && note.member != RS_NONE)
		*rs_array_push(scan->arena, notes->items, notes->n_items, notes->capacity) = note;
}

static uint64_t offset_of(const struct rs_hazard_scan *scan, size_t member)
{
	return scan->record->members[member].offset_bits / 8;
}

static uint64_t value_of(const struct note *note, bool as_hex)
{
	if (note->reading.decimal == RS_NONE)
		return note->reading.hex;
	return as_hex ? note->reading.hex : note->reading.decimal;
}

static struct tally count_notes(const struct rs_hazard_scan *scan, const struct notes *notes, enum form form,
				bool as_hex)
{
	struct tally tally = { 0, 0, 0 };
	size_t last = RS_NONE; /* a member may have two comments */

	for (size_t i = 0; i < notes->n_items; i++) {
		const struct note *note = &notes->items[i];
		uint64_t value = value_of(note, as_hex);

		if (note->reading.form != form)
			continue;
		if (value != offset_of(scan, note->member)) {
			tally.n_wrong++;
			continue;
		}
		tally.n_right += note->member != last;
		tally.n_telling += form == FORM_MARKED ? value > 0 : value >= TELLING_DECIMAL;
		last = note->member;
	}
	return tally;
}

static void tell_wrong(struct rs_hazard_scan *scan, size_t unit, size_t byte, const char *what, uint64_t said,
		       uint64_t now)
{
	rs_pin_add(scan->list, "offset-comment", RS_PIN_ADVICE, unit, rs_hazards_line(scan, byte), false,
		   "a comment says %s 0x%llx, but it is 0x%llx today", what, (unsigned long long)said,
		   (unsigned long long)now);
}

static void report_notes(struct rs_hazard_scan *scan, const struct notes *notes, enum form form, bool as_hex,
			 const struct tally *tally)
{
	const struct note *example = NULL;

	for (size_t i = 0; i < notes->n_items; i++) {
		const struct note *note = &notes->items[i];
		const struct rs_member *member = &scan->record->members[note->member];
		uint64_t value = value_of(note, as_hex), offset = offset_of(scan, note->member);

		if (note->reading.form != form)
			continue;
		if (value != offset)
			tell_wrong(scan, member->unit, note->byte,
				   rs_arena_printf(scan->arena, "'%s' is at", member->path), value, offset);
		else if (!example || value > 0)
			example = example && value_of(example, as_hex) > 0 ? example : note;
	}
	if (!example)
		return;
	rs_pin_add(scan->list, "offset-comment", RS_PIN_CONTRACT, RS_NONE, rs_hazards_line(scan, example->byte),
		   true,
		   "comments give the offsets of %zu members ('%s' at 0x%llx): a new order makes them wrong",
		   tally->n_right, scan->record->members[example->member].path,
		   (unsigned long long)value_of(example, as_hex));
}

static bool find_member_notes(struct rs_hazard_scan *scan)
{
	static const struct {
		enum form form;
		bool as_hex;
	} ways[] = { { FORM_MARKED, true }, { FORM_MARKED, false }, { FORM_BARE, false }, { FORM_BARE, true } };
	struct notes notes = { 0 };

	rs_hazards_each_comment(scan, add_note, &notes);
	for (size_t i = 0; i < RS_COUNT_OF(ways); i++) {
		struct tally tally = count_notes(scan, &notes, ways[i].form, ways[i].as_hex);

		if (tally.n_right < 2 || tally.n_telling == 0 || tally.n_right < tally.n_wrong)
			continue;
		report_notes(scan, &notes, ways[i].form, ways[i].as_hex, &tally);
		return true;
	}
	return false;
}

/* --- a table in the comment above --- */

static size_t member_named(const struct rs_record *record, const char *name)
{
	for (size_t i = 0; i < record->n_members; i = rs_record_next_sibling(record, i))
		if (*record->members[i].name && strcasecmp(record->members[i].name, name) == 0)
			return i;
	return RS_NONE;
}

static uint64_t read_word(const char *word, bool as_hex)
{
	size_t length = strlen(word);

	if (length > 2 && word[0] == '0' && word[1] == 'x')
		return read_digits(word + 2, length - 2, 16);
	if (length > 1 && word[length - 1] == 'h' && isdigit((unsigned char)*word))
		return read_digits(word, length - 1, 16);
	return isdigit((unsigned char)*word) ? read_digits(word, length, as_hex ? 16 : 10) : RS_NONE;
}

/* Pairs of a number and a member's name, in the order that `number_first` says. */
static struct tally count_table(const struct rs_hazard_scan *scan, const struct rs_prose *prose,
				bool number_first, bool as_hex)
{
	struct tally tally = { 0, 0, 0 };

	for (size_t i = 0; i + 1 < prose->n_words; i++) {
		size_t member = member_named(scan->record, prose->words[i + number_first]);
		uint64_t value = read_word(prose->words[i + !number_first], as_hex);

		if (member == RS_NONE || value == RS_NONE)
			continue;
		if (value == offset_of(scan, member)) {
			tally.n_right++;
			tally.n_telling += value >= TELLING_DECIMAL;
		} else {
			tally.n_wrong++;
		}
	}
	return tally;
}

static bool find_table(struct rs_hazard_scan *scan, struct rs_span comment)
{
	struct rs_prose prose;

	rs_prose_read(scan->arena, scan->record->source->text, comment, &prose);
	for (unsigned way = 0; way < 4; way++) {
		struct tally tally = count_table(scan, &prose, way & 1, (way & 2) != 0);

		if (tally.n_right < 2 || tally.n_telling == 0 || tally.n_right <= tally.n_wrong)
			continue;
		rs_pin_add(scan->list, "offset-comment", RS_PIN_CONTRACT, RS_NONE,
			   rs_hazards_line(scan, comment.start), true,
			   "a comment lists the offsets of %zu members of '%s': a new order makes it wrong",
			   tally.n_right, scan->record->name);
		return true;
	}
	return false;
}

/* "size 0x20" beside a struct whose offsets are written down. */
static void check_size(struct rs_hazard_scan *scan, struct rs_span comment)
{
	struct rs_prose prose;
	struct rs_phrase phrase;

	rs_prose_read(scan->arena, scan->record->source->text, comment, &prose);
	if (!rs_prose_find(&prose, "size|sizeof", 0, &phrase) || phrase.end >= prose.n_words)
		return;
	uint64_t value = read_word(prose.words[phrase.end], false);
	if (value != RS_NONE && value != scan->record->size_bytes)
		tell_wrong(scan, RS_NONE, comment.start, "the size is", value, scan->record->size_bytes);
}

static void find_offset_comments(struct rs_hazard_scan *scan)
{
	bool found = find_member_notes(scan);

	for (size_t i = 0; i < scan->n_comments; i++)
		found = find_table(scan, scan->comments[i]) || found;
	for (size_t i = 0; found && i < scan->n_comments; i++)
		check_size(scan, scan->comments[i]);
}

/* --- assembly --- */

/* The macro's body as a number; RS_NONE: it is something else. */
static uint64_t macro_number(const struct rs_hazard_scan *scan, struct rs_span body)
{
	const char *text = scan->record->source->text;
	size_t length = 0;

	while (body.start < body.end && strchr(" \t(", text[body.start]))
		body.start++;
	while (body.start + length < body.end && isalnum((unsigned char)text[body.start + length]))
		length++;
	for (size_t at = body.start + length; at < body.end && text[at] != '/'; at++)
		if (!strchr(" \t)\r", text[at]))
			return RS_NONE;
	if (length == 0 || !isdigit((unsigned char)text[body.start]))
		return RS_NONE;
	return read_digits(text + body.start, length, 0);
}

/* Removes a word for "offset" and the underscore beside it, at the name's start or end. */
static bool strip_offset_word(char **name)
{
	static const char *const words[] = { "OFFSET", "OFFS", "OFS", "OFF", "O" };
	size_t length = strlen(*name);

	for (size_t i = 0; i < RS_COUNT_OF(words); i++) {
		size_t word = strlen(words[i]);

		if (length < word + 2)
			continue;
		if (strncasecmp(*name, words[i], word) == 0 && (*name)[word] == '_') {
			*name += word + 1;
			return true;
		}
		if (strcasecmp(*name + length - word, words[i]) == 0 && (*name)[length - word - 1] == '_') {
			(*name)[length - word - 1] = '\0';
			return true;
		}
	}
	return false;
}

static size_t member_by_macro_name(const struct rs_record *record, const char *name)
{
	for (size_t i = 0; i < record->n_members; i++) {
		const char *path = record->members[i].path, *at = name;

		while (*path && *at &&
		       (tolower((unsigned char)*path) == tolower((unsigned char)*at) ||
			(*path == '.' && *at == '_'))) {
			path++;
			at++;
		}
		if (!*path && !*at && at > name)
			return i;
	}
	return RS_NONE;
}

/* The member that a name like CTX_SP or CTX_SP_OFFSET stands for. */
static size_t macro_member(const struct rs_hazard_scan *scan, char *name, bool *ret_says_offset)
{
	size_t start = 0;

	while (*name == '_')
		name++;
	*ret_says_offset = strip_offset_word(&name);
	size_t length = rs_hazards_name_inside(scan, name, &start);
	if (length == 0 || start > 0 || name[length] != '_')
		return RS_NONE;
	name += length;
	while (*name == '_')
		name++;
	*ret_says_offset = strip_offset_word(&name) || *ret_says_offset;
	return member_by_macro_name(scan->record, name);
}

static void find_assembly_offsets(struct rs_hazard_scan *scan)
{
	struct tally tally = { 0, 0, 0 };
	const struct rs_mark_macro *example = NULL;
	size_t example_member = RS_NONE, n_says_offset = 0;

	for (size_t i = 0; i < scan->marks->n_macros; i++) {
		const struct rs_mark_macro *macro = &scan->marks->macros[i];
		uint64_t value = macro->is_function ? RS_NONE : macro_number(scan, macro->body);
		bool says_offset;

		if (value == RS_NONE)
			continue;
		size_t member = macro_member(
			scan, rs_arena_strdup(scan->arena, rs_hazards_text(scan, macro->name)), &says_offset);
		if (member == RS_NONE)
			continue;
		if (value != offset_of(scan, member)) {
			tally.n_wrong++;
			continue;
		}
		tally.n_right++;
		tally.n_telling += value >= TELLING_DECIMAL;
		n_says_offset += says_offset;
		if (!example || (value > 0 && offset_of(scan, example_member) == 0)) {
			example = macro;
			example_member = member;
		}
	}
	if (tally.n_right < 2 || tally.n_telling == 0 || (tally.n_wrong > 0 && n_says_offset == 0))
		return;
	rs_pin_add(scan->list, "assembly", RS_PIN_CONTRACT, RS_NONE,
		   rs_hazards_line(scan, example->name.start), true,
		   "macros give the offsets of %zu members as numbers ('%s' for '%s')", tally.n_right,
		   rs_hazards_text(scan, example->name), scan->record->members[example_member].path);
}

void rs_offset_comments_find(struct rs_hazard_scan *scan)
{
	find_offset_comments(scan);
	if (scan->n_names > 0)
		find_assembly_offsets(scan);
}

/*
 * Comments that speak of the order: "must be first", "do not reorder", "restruct: keep", "hashed as bytes".
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "record/hazards_internal.h"

#define OBLIGED \
	"must|should|shall|has|have|needs|need to? always? be|stay|remain|come|go|stand|appear|kept|placed "

static const char *const first_patterns[] = {
	OBLIGED "kept|placed? the? very? first",
	OBLIGED "kept|placed? at|on|in the? very? beginning|start|top|front|head",
	OBLIGED "at offset|position 0|zero|0x0|0x00",
	"keep|leave|put this|it|that|these|them? always? first",
	"keep|leave|put this|it|that|these|them? at the? very? beginning|start|top|front|head",
	"always comes|stays|remains|be first",
	"do|don't|never not? put|add|insert|place|move anything|fields|members|field|member before|above",
};

static const char *const last_patterns[] = {
	OBLIGED "kept|placed? the? very? last",
	OBLIGED "kept|placed? at|on|in the? very? end|bottom|tail",
	"keep|leave|put this|it|that|these|them? always? last",
	"keep|leave|put this|it|that|these|them? at the? very? end|bottom",
	"do|don't|never not? put|add|insert|place|move anything|fields|members|field|member after|below|behind",
};

/* Wherever they stand, they speak of the order of more than one member. */
static const char *const order_patterns[] = {
	"do|don't|never not? reorder|rearrange|reorganize|reorganise|reshuffle|shuffle|resort",
	"not|never be reordered|rearranged|reorganized|reshuffled|shuffled|moved",
	("do|don't|never not? change|modify|alter|touch ... "
	 "order|layout|ordering|offset|offsets|position|positions"),
	"not change|modify|alter the? order|layout|ordering",
	("order|layout is|are|does|of? very? "
	 "important|significant|relevant|critical|crucial|essential|fixed"),
	"order|layout|ordering|offset|offsets matters|matter",
	"order|layout|ordering of ... matters|important|significant|fixed|critical",
	("order|layout|ordering|offset|offsets ... must|should|shall never|not? "
	 "match|stay|remain|correspond|agree|"
	 "change|follow"),
	("order|layout|ordering ... must|should|shall be the? "
	 "same|identical|kept|preserved|maintained|fixed|exactly"),
	("must|should|shall be|stay|remain|appear kept|declared? in this|that|the|exactly? "
	 "exact|same|given|specific? "
	 "this? order"),
	"keep|kept|declared these|them|this? in this|that|the|exactly? exact|same|given|specific? this? order",
	"same|identical memory? layout as|like",
	"same|identical order as|in struct",
	"fields|members|elements ... must|should match|mirror|mimic|correspond|agree",
};

/* Beside or above members, not above a struct, where they may speak of its objects. */
static const char *const group_patterns[] = {
	("must|should|shall|keep|kept these|them|this|those|both|be|stay|remain? "
	 "together|adjacent|contiguous|consecutive"),
	"do|don't|never not? separate|split these|those|this|them|the|fields|members",
	"do|don't|never not? move",
};

/* On the struct as a whole. */
static const char *const struct_patterns[] = {
	("must|should|shall|has|needs to? exactly? match|mirror|mimic|correspond|agree to|with? the? ... "
	 "struct|structure|layout|definition|declaration|assembly|asm|assembler|hardware|firmware|order|"
	 "format"),
	"must|should|shall follow the? ... layout|order|format",
	"keep|kept|be|stay|remain this|it|these|them|both|struct|structure|definition? in sync|step|lockstep",
	("do|don't|never not? change|modify|alter|touch|move this|the|these|any? "
	 "struct|structure|fields|members|"
	 "definition"),
	"add|append|put ... new|additional fields|members|elements ... at|to the very? end|bottom",
	"new|additional fields|members|elements ... at|to the very? end|bottom",
	"same|identical order|structure as|like",
	"mirrors|mimics|duplicates the? layout|struct|structure|definition",
	"layout is|are|be shared|fixed|frozen|part|known|defined|dictated|mandated|prescribed",
	"ondisk layout|structure|record|header",
	"on disk layout|structure",
	"used|stored|sent as ... wire|ondisk format",
	"fixed layout",
	"keep this|the|field|fields|member|members? order",
};

/* Likewise, where the comment begins with them. */
static const char *const struct_openings[] = {
	"the? ondisk format|representation",
	"the? on disk format|representation",
	"the? wire format",
	"the? format on disk|wire",
};

#define NUMBERS "two|three|four|five|six|seven|eight|nine|ten|2|3|4|5|6|7|8|9|10"
#define COUNTED \
	"fields|members|variables|elements|items|entries|flags|counters|pointers|lists|locks|values|words"

static const char *const plural_words =
	"these|those|they|ones|following|below|fields|members|both|elements|entries|two|"
	"three|four|next|all|group|block|above";

static void add_refusal(struct rs_hazard_scan *scan, const char *code, struct rs_span comment,
			const char *quote)
{
	rs_pin_add(scan->list, code, RS_PIN_CONTRACT, RS_NONE, rs_hazards_line(scan, comment.start), true,
		   "a comment on '%s' says \"%s\"", scan->record->name, quote);
}

static void add_pin(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment, size_t unit,
		    const char *quote, const char *consequence)
{
	rs_pin_add(scan->list, "order-comment", RS_PIN_CONTRACT, unit,
		   rs_hazards_line(scan, comment->span.start), false, "a comment on '%s' says \"%s\": %s",
		   scan->record->units[unit].name, quote, consequence);
}

/* "must be first initialised", "first 3 bytes": the word is about something else. */
static bool ends_claim(const struct rs_prose *prose, size_t word)
{
	if (word >= prose->n_words || prose->starts_sentence[word])
		return true;
	const char *next = prose->words[word];
	size_t length = strlen(next);

	return !(next[0] >= '0' && next[0] <= '9') && !(length > 3 && strcmp(next + length - 2, "ed") == 0) &&
	       !rs_prose_word_is(
		       prose, word,
		       "bit|bits|byte|bytes|char|character|entry|item|call|called|thing|enum|value|word|words|"
		       "two|three|of|one|letter|component|path|line");
}

static bool find_claim(const struct rs_prose *prose, const char *const *patterns, size_t count,
		       struct rs_phrase *ret_phrase)
{
	for (size_t i = 0; i < count; i++)
		for (size_t at = 0; rs_prose_find(prose, patterns[i], at, ret_phrase);
		     at = ret_phrase->start + 1)
			if (ends_claim(prose, ret_phrase->end))
				return true;
	return false;
}

static bool sentence_has(const struct rs_prose *prose, struct rs_phrase phrase, const char *words)
{
	size_t start = phrase.start, end = phrase.end;

	while (start > 0 && !prose->starts_sentence[start])
		start--;
	while (end < prose->n_words && !prose->starts_sentence[end])
		end++;
	for (size_t i = start; i < end; i++)
		if (rs_prose_word_is(prose, i, words))
			return true;
	return false;
}

/* --- what a comment inside the body speaks of --- */

static bool starts_group(const struct rs_record *record, size_t unit)
{
	return record->gaps[unit].has_blank_line || record->gaps[unit].has_comment ||
	       record->gaps[unit].is_barrier || record->units[unit - 1].region != record->units[unit].region;
}

static size_t group_end(const struct rs_record *record, size_t unit)
{
	size_t end = unit + 1;

	while (end < record->n_units && !starts_group(record, end))
		end++;
	return end;
}

static bool is_behind_declaration(const struct rs_record *record, const struct rs_inner_comment *comment)
{
	return !comment->is_gap && comment->span.start > record->units[comment->unit].declaration.start;
}

/* Keeps together the units that the comment stands above, or speaks of from behind the first of them; behind a
 * declaration that it alone speaks of, that unit and its neighbours. */
static void keep_group(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment,
		       const struct rs_prose *prose, struct rs_phrase phrase)
{
	const struct rs_record *record = scan->record;
	bool is_plural = sentence_has(prose, phrase, plural_words);
	size_t end = sentence_has(prose, phrase, "below|following|remaining") && comment->is_gap
			     ? record->n_units
			     : group_end(record, comment->unit);

	if ((is_behind_declaration(record, comment) && !is_plural) || end == comment->unit + 1) {
		rs_hazards_keep_place(scan, comment->unit);
		return;
	}
	for (size_t i = comment->unit; i + 1 < end; i++)
		rs_hazards_keep_next(scan, i);
}

static bool check_first(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment,
			const struct rs_prose *prose)
{
	struct rs_phrase phrase;
	const char *quote;

	if (!rs_hazards_is_first(scan, comment->unit) ||
	    !find_claim(prose, first_patterns, RS_COUNT_OF(first_patterns), &phrase))
		return false;
	quote = rs_prose_quote(scan->arena, prose, phrase);
	add_pin(scan, comment, comment->unit, quote, "it stays first");
	rs_constraint_add(scan->list, RS_KEEP_FIRST, comment->unit, RS_NONE);
	if (sentence_has(prose, phrase, plural_words) && !is_behind_declaration(scan->record, comment))
		keep_group(scan, comment, prose, phrase);
	return true;
}

/* The unit that "last" speaks of: the comment's own, or the end of the group it heads. */
static size_t last_meant(const struct rs_record *record, const struct rs_inner_comment *comment, bool is_plural)
{
	return is_plural && !is_behind_declaration(record, comment) ? group_end(record, comment->unit) - 1
								    : comment->unit;
}

static bool check_last(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment,
		       const struct rs_prose *prose)
{
	struct rs_phrase phrase;

	if (!find_claim(prose, last_patterns, RS_COUNT_OF(last_patterns), &phrase))
		return false;
	bool is_plural = sentence_has(prose, phrase, plural_words);
	size_t last = last_meant(scan->record, comment, is_plural);
	if (!rs_hazards_is_last(scan, last) &&
	    rs_hazards_is_last(scan, group_end(scan->record, comment->unit) - 1))
		last = comment->is_gap ? group_end(scan->record, comment->unit) - 1 : last;
	if (!rs_hazards_is_last(scan, last))
		return false;
	add_pin(scan, comment, last, rs_prose_quote(scan->arena, prose, phrase), "it stays last");
	rs_constraint_add(scan->list, RS_KEEP_LAST, last, RS_NONE);
	if (is_plural && last > comment->unit)
		keep_group(scan, comment, prose, phrase);
	return true;
}

static bool is_move_of_members(const struct rs_prose *prose, struct rs_phrase phrase)
{
	return !rs_prose_word_is(prose, phrase.end - 1, "move") || phrase.end >= prose->n_words ||
	       prose->starts_sentence[phrase.end] ||
	       rs_prose_word_is(prose, phrase.end,
				"this|it|these|them|the|from|around|me|anything|fields|members");
}

static bool check_order(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment,
			const struct rs_prose *prose)
{
	struct rs_phrase phrase;

	if (!rs_prose_find_any(prose, order_patterns, RS_COUNT_OF(order_patterns), &phrase) &&
	    !(rs_prose_find_any(prose, group_patterns, RS_COUNT_OF(group_patterns), &phrase) &&
	      is_move_of_members(prose, phrase)))
		return false;
	add_pin(scan, comment, comment->unit, rs_prose_quote(scan->arena, prose, phrase),
		"it stays with its neighbours");
	keep_group(scan, comment, prose, phrase);
	return true;
}

/* "must come right after head", with the name of another member. */
static bool check_neighbour(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment,
			    const struct rs_prose *prose)
{
	static const char *const patterns[] = {
		OBLIGED "right|directly|immediately|just? after|before|behind|above|below the?",
		"must|should|shall|has|needs to? right|directly|immediately? follow|precede the?",
	};
	const struct rs_record *record = scan->record;
	struct rs_phrase phrase;

	if (!rs_prose_find_any(prose, patterns, RS_COUNT_OF(patterns), &phrase) || phrase.end >= prose->n_words)
		return false;
	for (size_t i = 0; i < record->n_members; i = rs_record_next_sibling(record, i)) {
		size_t other = record->members[i].unit;
		bool is_named = strcasecmp(record->members[i].name, prose->words[phrase.end]) == 0;

		if (!is_named || other == RS_NONE || other == comment->unit ||
		    record->units[other].region != record->units[comment->unit].region)
			continue;
		size_t low = other < comment->unit ? other : comment->unit;
		size_t high = other < comment->unit ? comment->unit : other;
		add_pin(scan, comment, comment->unit, rs_prose_quote(scan->arena, prose, phrase),
			rs_arena_printf(scan->arena, "it stays on its side of '%s'", record->members[i].name));
		rs_constraint_add(scan->list, high == low + 1 ? RS_KEEP_NEXT : RS_KEEP_BEFORE, low, high);
		return true;
	}
	return false;
}

/* "The following two fields are protected by lock": they stay together, with the comment over them. */
static const char *const counted_patterns[] = {
	"following|next " NUMBERS " ... " COUNTED,
	"following|next " NUMBERS " are|is|must|need|have|may|can|should",
	"these|the " NUMBERS " ... " COUNTED " below|following",
};

static size_t read_number(const struct rs_prose *prose, struct rs_phrase phrase)
{
	static const char *const numbers[] = { "two|2",   "three|3", "four|4", "five|5", "six|6",
					       "seven|7", "eight|8", "nine|9", "ten|10" };

	for (size_t word = phrase.start; word < phrase.end; word++)
		for (size_t i = 0; i < RS_COUNT_OF(numbers); i++)
			if (rs_prose_word_is(prose, word, numbers[i]))
				return i + 2;
	return 0;
}

/* One more than the last of the units from this one on that hold so many members, within its region. */
static size_t end_of_members(const struct rs_record *record, size_t unit, size_t n_members)
{
	size_t end = unit, count = 0;

	while (end < record->n_units && count < n_members &&
	       record->units[end].region == record->units[unit].region)
		count += record->units[end++].n_members;
	return end;
}

/* A comment that stands by itself stays with its group: then that moves as one. */
static bool check_count(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment,
			const struct rs_prose *prose)
{
	const struct rs_record *record = scan->record;
	struct rs_phrase phrase;
	size_t end;

	if (is_behind_declaration(record, comment) ||
	    !rs_prose_find_any(prose, counted_patterns, RS_COUNT_OF(counted_patterns), &phrase))
		return false;
	end = end_of_members(record, comment->unit, read_number(prose, phrase));
	if (comment->is_gap && end < group_end(record, comment->unit))
		end = group_end(record, comment->unit);
	if (end < comment->unit + 2)
		return false;
	add_pin(scan, comment, comment->unit, rs_prose_quote(scan->arena, prose, phrase),
		"they stay together below it");
	for (size_t i = comment->unit; i + 1 < end; i++)
		rs_hazards_keep_next(scan, i);
	return true;
}

/* --- keep-mark --- */

static void keep_unit(struct rs_hazard_scan *scan, size_t unit, size_t byte)
{
	rs_pin_add(scan->list, "keep-mark", RS_PIN_CONTRACT, unit, rs_hazards_line(scan, byte), false,
		   "'%s' is marked \"restruct: keep\": it keeps its place", scan->record->units[unit].name);
	rs_hazards_keep_place(scan, unit);
}

/* The whole struct, or the member whose entry has the mark. False: there is none. */
static bool check_struct_mark(struct rs_hazard_scan *scan, struct rs_span comment)
{
	size_t byte;

	rs_keep_marks_check(scan, comment);
	if (!rs_keep_marks_find(scan, comment, &byte))
		return false;
	size_t unit = rs_keep_marks_unit(scan, comment, byte);
	if (unit == RS_NONE)
		add_refusal(scan, "keep-mark", comment, "restruct: keep");
	else
		keep_unit(scan, unit, byte);
	return unit == RS_NONE;
}

static void check_inner(struct rs_hazard_scan *scan, const struct rs_inner_comment *comment, void *data)
{
	struct rs_inner_comment at = *comment;
	struct rs_prose prose;
	size_t byte;

	(void)data;
	if (scan->record->n_units == 0)
		return;
	rs_prose_read(scan->arena, scan->record->source->text, comment->span, &prose);
	rs_keep_marks_check(scan, comment->span);
	if (rs_keep_marks_find(scan, comment->span, &byte)) {
		at.unit = at.unit < scan->record->n_units ? at.unit : scan->record->n_units - 1;
		keep_unit(scan, at.unit, at.span.start);
		return;
	}
	if (at.unit >= scan->record->n_units)
		return;
	bool has_order = check_first(scan, &at, &prose) || check_last(scan, &at, &prose) ||
			 check_neighbour(scan, &at, &prose) || check_order(scan, &at, &prose) ||
			 check_count(scan, &at, &prose);
	(void)has_order;
}

/* --- comments on the whole struct --- */

/* Whether the claim is about a member of the struct, not about the struct's objects. */
static bool speaks_of_member(const struct rs_prose *prose, struct rs_phrase phrase, const char *name)
{
	return sentence_has(prose, phrase, "member|members|field|fields") ||
	       (*name && sentence_has(prose, phrase, name));
}

static const char *lower(struct rs_arena *arena, const char *name)
{
	char *copy = rs_arena_strdup(arena, name);

	for (char *c = copy; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return copy;
}

static void check_struct_ends(struct rs_hazard_scan *scan, struct rs_span comment, const struct rs_prose *prose)
{
	const struct rs_record *record = scan->record;
	struct rs_inner_comment at = { .span = comment };
	struct rs_phrase phrase;

	if (record->n_units == 0)
		return;
	if (find_claim(prose, first_patterns, RS_COUNT_OF(first_patterns), &phrase) &&
	    speaks_of_member(prose, phrase, lower(scan->arena, record->units[0].name))) {
		add_pin(scan, &at, 0, rs_prose_quote(scan->arena, prose, phrase),
			"the first member stays first");
		rs_constraint_add(scan->list, RS_KEEP_FIRST, 0, RS_NONE);
	}
	at.unit = record->n_units - 1;
	if (find_claim(prose, last_patterns, RS_COUNT_OF(last_patterns), &phrase) &&
	    speaks_of_member(prose, phrase, lower(scan->arena, record->units[at.unit].name))) {
		add_pin(scan, &at, at.unit, rs_prose_quote(scan->arena, prose, phrase),
			"the last member stays last");
		rs_constraint_add(scan->list, RS_KEEP_LAST, at.unit, RS_NONE);
	}
}

/* "struct node: the on-disk format of …": only the struct's name may stand before it. */
static bool is_opening(const struct rs_prose *prose, struct rs_phrase phrase)
{
	return phrase.start == 0 || phrase.start == 1 ||
	       (phrase.start == 2 && rs_prose_word_is(prose, 0, "struct|typedef"));
}

static bool check_struct_comment(struct rs_hazard_scan *scan, struct rs_span comment)
{
	struct rs_prose prose;
	struct rs_phrase phrase;

	rs_prose_read(scan->arena, scan->record->source->text, comment, &prose);
	if (check_struct_mark(scan, comment))
		return true;
	if (rs_prose_find_any(&prose, order_patterns, RS_COUNT_OF(order_patterns), &phrase) ||
	    (rs_prose_find_any(&prose, struct_patterns, RS_COUNT_OF(struct_patterns), &phrase) &&
	     !rs_prose_is_denied(&prose, phrase)) ||
	    (rs_prose_find_any(&prose, struct_openings, RS_COUNT_OF(struct_openings), &phrase) &&
	     is_opening(&prose, phrase))) {
		add_refusal(scan, "order-comment", comment, rs_prose_quote(scan->arena, &prose, phrase));
		return true;
	}
	check_struct_ends(scan, comment, &prose);
	return false;
}

/* --- no-padding-key --- */

static const char *const byte_patterns[] = {
	"no|without|any implicit|internal|compiler? padding|holes",
	"not have|contain any? padding|holes",
	"padding must|has|should|needs to? be",
	"hashed as|bytewise|raw|whole|entirely|directly",
	"hashed and|or compared",
	"compared|compare|compares|comparing ... memcmp|bytewise|bytes",
	"memcmp",
	"used|use|serves ... as ... hash|lookup|htab|hashtable|map|tree key",
	"bytewise ... compare|compared|comparison|equal|hash|hashed",
};

static bool has_key_name(const struct rs_record *record)
{
	size_t length = strlen(record->name);

	return (length >= 3 && strcasecmp(record->name + length - 3, "key") == 0) ||
	       strstr(record->name, "_key") || strstr(record->name, "Key");
}

static bool has_padding(const struct rs_record *record)
{
	uint64_t end = 0;

	for (size_t i = 0; i < record->n_members; i = rs_record_next_sibling(record, i)) {
		const struct rs_member *member = &record->members[i];

		if (member->offset_bits > end)
			return true;
		if (member->offset_bits + member->size_bits > end)
			end = member->offset_bits + member->size_bits;
	}
	return end < record->size_bytes * 8;
}

static void check_key(struct rs_hazard_scan *scan, struct rs_span comment)
{
	struct rs_prose prose;
	struct rs_phrase phrase;

	rs_prose_read(scan->arena, scan->record->source->text, comment, &prose);
	if (!rs_prose_find_any(&prose, byte_patterns, RS_COUNT_OF(byte_patterns), &phrase) &&
	    !(has_key_name(scan->record) &&
	      rs_prose_find(&prose, "hash|hashtable|lookup table? key", 0, &phrase)))
		return;
	rs_pin_add(
		scan->list, "no-padding-key", RS_PIN_CONTRACT, RS_NONE, rs_hazards_line(scan, comment.start),
		true,
		"a comment on '%s' says \"%s\": its bytes count as they are, and it has no padding now; a new "
		"order may add some, and changes hashes that are stored",
		scan->record->name, rs_prose_quote(scan->arena, &prose, phrase));
}

void rs_order_comments_find(struct rs_hazard_scan *scan)
{
	bool is_keyed = scan->record->n_members > 1 && !has_padding(scan->record);

	for (size_t i = 0; i < scan->n_comments; i++)
		if (check_struct_comment(scan, scan->comments[i]))
			break;
	for (size_t i = 0; is_keyed && i < scan->n_comments; i++)
		check_key(scan, scan->comments[i]);
	rs_hazards_each_comment(scan, check_inner, NULL);
}

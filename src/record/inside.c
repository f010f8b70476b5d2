#include "record/inside.h"

#include <string.h>

#include "record/word_scan.h"

static const char *const tag_keywords[] = { "struct", "union", "enum" };

static const char *const count_words[] = {
	"__counted_by", "__counted_by_be",    "__counted_by_le",  "__counted_by_or_null", "__counted_by_ptr",
	"__sized_by",   "__sized_by_or_null", "counted_by",       "__counted_by__",       "counted_by_or_null",
	"sized_by",     "__sized_by__",       "sized_by_or_null", "element_count",        "__element_count__",
};

struct definition {
	const char *name;
	size_t unit;
	bool is_tag; /* else an enumerator or a macro */
};

struct definitions {
	const struct rs_record *record;
	struct rs_pin_list *list;
	struct definition *items;
	size_t n_items, items_capacity;
};

static char *word_text(struct rs_arena *arena, const struct rs_word_scan *words, struct rs_span span)
{
	return rs_arena_strndup(arena, words->text + span.start, span.end - span.start);
}

static void add_definition(struct definitions *all, const struct rs_word_scan *words, struct rs_span span,
			   size_t unit, bool is_tag)
{
	struct rs_arena *arena = all->list->arena;

	*rs_array_push(arena, all->items, all->n_items, all->items_capacity) =
		(struct definition) { word_text(arena, words, span), unit, is_tag };
}

/* Behind the opening brace of an enum: each first word of a list entry is an enumerator. */
static void collect_enumerators(struct definitions *all, struct rs_word_scan *words, size_t unit)
{
	bool at_entry = true;

	while (rs_word_scan_next(words) && !rs_word_scan_is(words, "}")) {
		if (words->is_identifier && at_entry)
			add_definition(all, words, words->word, unit, false);
		at_entry = rs_word_scan_is(words, ",");
		if (rs_word_scan_is(words, "(") && !rs_word_scan_skip_brackets(words))
			return;
	}
}

/* Behind struct, union or enum: the tag is the last word before the brace, since attributes may come first. */
static void collect_tag(struct definitions *all, struct rs_word_scan *words, size_t unit, bool is_enum)
{
	struct rs_word_scan ahead = *words;
	struct rs_span tag = { 0, 0 };

	while (rs_word_scan_next(&ahead)) {
		if (ahead.is_identifier)
			tag = ahead.word;
		else if (!rs_word_scan_is(&ahead, "(") || !rs_word_scan_skip_brackets(&ahead))
			break;
	}
	if (!rs_word_scan_is(&ahead, "{"))
		return;
	if (tag.end > tag.start)
		add_definition(all, words, tag, unit, true);
	*words = ahead;
	if (is_enum)
		collect_enumerators(all, words, unit);
}

static void collect_definitions(struct definitions *all, size_t unit)
{
	struct rs_word_scan words;
	bool behind_hash = false;

	rs_word_scan_init(&words, all->record->source->text, all->record->units[unit].span);
	while (rs_word_scan_next(&words)) {
		if (rs_word_scan_is_any(&words, tag_keywords, RS_COUNT_OF(tag_keywords)))
			collect_tag(all, &words, unit, rs_word_scan_is(&words, "enum"));
		else if (behind_hash && rs_word_scan_is(&words, "define") && rs_word_scan_next(&words))
			add_definition(all, &words, words.word, unit, false);
		behind_hash = rs_word_scan_is(&words, "#");
	}
}

static void keep_before(struct definitions *all, const struct definition *definition, size_t user)
{
	const struct rs_record *record = all->record;
	const struct rs_source *source = record->source;
	const struct rs_unit *from = &record->units[definition->unit], *to = &record->units[user];
	size_t known = all->list->n_constraints;

	if (from->region != to->region)
		return;
	rs_constraint_add(all->list, RS_KEEP_BEFORE, definition->unit, user);
	if (all->list->n_constraints == known)
		return;
	rs_pin_add(all->list, "type-defined-inside", RS_PIN_HARD, definition->unit,
		   rs_source_position(source, from->declaration.start).line, false,
		   "'%s' defines '%s', which '%s' (line %u) uses: it stays before it", from->name,
		   definition->name, to->name, rs_source_position(source, to->declaration.start).line);
	all->list->constraints[known].pin = all->list->n_pins - 1;
}

static void use_word(struct definitions *all, const struct rs_word_scan *words, size_t unit,
		     bool behind_keyword)
{
	for (size_t i = 0; i < all->n_items; i++) {
		const struct definition *definition = &all->items[i];

		if (definition->unit < unit && definition->is_tag == behind_keyword &&
		    rs_word_scan_is(words, definition->name))
			keep_before(all, definition, unit);
	}
}

static void find_uses(struct definitions *all, size_t unit)
{
	struct rs_word_scan words;
	bool behind_keyword = false;

	rs_word_scan_init(&words, all->record->source->text, all->record->units[unit].declaration);
	while (rs_word_scan_next(&words)) {
		if (words.is_identifier)
			use_word(all, &words, unit, behind_keyword);
		behind_keyword = rs_word_scan_is_any(&words, tag_keywords, RS_COUNT_OF(tag_keywords));
	}
}

static void keep_count_first(struct rs_pin_list *list, const struct rs_record *record, size_t unit,
			     const char *count)
{
	size_t member = rs_record_find_member(record, count);

	if (member == RS_NONE || record->members[member].unit == RS_NONE ||
	    record->members[member].unit >= unit)
		return;
	rs_pin_add(list, "counted-by", RS_PIN_HARD, unit,
		   rs_source_position(record->source, record->units[unit].declaration.start).line, false,
		   "'%s' is counted by '%s', which stays before it", record->units[unit].name, count);
	rs_constraint_add(list, RS_KEEP_BEFORE, record->members[member].unit, unit);
}

static void find_counts(struct rs_pin_list *list, const struct rs_record *record, size_t unit)
{
	struct rs_word_scan words;

	rs_word_scan_init(&words, record->source->text, record->units[unit].declaration);
	while (rs_word_scan_next(&words)) {
		if (!rs_word_scan_is_any(&words, count_words, RS_COUNT_OF(count_words)))
			continue;
		if (rs_word_scan_next(&words) && rs_word_scan_is(&words, "(") && rs_word_scan_next(&words) &&
		    words.is_identifier)
			keep_count_first(list, record, unit, word_text(list->arena, &words, words.word));
	}
}

void rs_inside_find(struct rs_pin_list *list, const struct rs_record *record)
{
	struct definitions all = { .record = record, .list = list };

	for (size_t i = 0; i < record->n_units; i++) {
		find_uses(&all, i);
		collect_definitions(&all, i);
		find_counts(list, record, i);
	}
}

#include "session/mirror_index.h"

#include <string.h>

#include "base/file.h"
#include "record/word_scan.h"

enum { FIRST_SLOTS = 1024, SHORTEST_BASE = 3 };

/* What C programmers and binding generators put around a tag. */
static const char *const tag_suffixes[] = { "_struct", "_st", "_s", "_t" };

static void table_place(struct rs_mirror_table *table, struct rs_mirror_word *word)
{
	size_t at = (size_t)word->hash & (table->n_slots - 1);

	while (table->slots[at])
		at = (at + 1) & (table->n_slots - 1);
	table->slots[at] = word;
}

static void table_grow(struct rs_mirror_table *table, struct rs_arena *arena)
{
	struct rs_mirror_table old = *table;

	table->n_slots = old.n_slots ? old.n_slots * 2 : FIRST_SLOTS;
	table->slots = rs_arena_array(arena, struct rs_mirror_word *, table->n_slots);
	for (size_t i = 0; i < old.n_slots; i++)
		if (old.slots[i])
			table_place(table, old.slots[i]);
}

static struct rs_mirror_word *table_find(const struct rs_mirror_table *table, const char *text, size_t length)
{
	uint64_t hash = rs_hash_bytes(text, length);
	size_t at = (size_t)hash & (table->n_slots - 1);

	for (; table->slots[at]; at = (at + 1) & (table->n_slots - 1)) {
		struct rs_mirror_word *word = table->slots[at];

		if (word->hash == hash && word->length == length && memcmp(word->key, text, length) == 0)
			return word;
	}
	return NULL;
}

static void table_add(struct rs_mirror_table *table, struct rs_arena *arena, const char *text, size_t length,
		      struct rs_mirror_posting posting)
{
	struct rs_mirror_word *word = table_find(table, text, length);

	if (!word) {
		if ((table->n_words + 1) * 4 > table->n_slots)
			table_grow(table, arena);
		word = rs_arena_new(arena, struct rs_mirror_word);
		*word = (struct rs_mirror_word) { .key = rs_arena_strndup(arena, text, length),
						  .length = length,
						  .hash = rs_hash_bytes(text, length) };
		table_place(table, word);
		table->n_words++;
	}
	word->is_tag |= posting.member == RS_NONE;
	const struct rs_mirror_posting *last = word->n_postings ? &word->postings[word->n_postings - 1] : NULL;
	if (last && last->record == posting.record && last->member == posting.member)
		return;
	*rs_array_push(arena, word->postings, word->n_postings, word->postings_capacity) = posting;
}

size_t rs_mirror_index_make_stem(const char *text, size_t length, char ret_stem[RS_MIRROR_STEM_BYTES])
{
	size_t used = 0;

	for (size_t i = 0; i < length; i++) {
		char c = text[i];

		if (c == '_' || c == '.')
			continue;
		if (used == RS_MIRROR_STEM_BYTES)
			return 0;
		ret_stem[used++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	return used;
}

static void add_stem(struct rs_mirror_index *index, const char *text, size_t length,
		     struct rs_mirror_posting posting)
{
	char stem[RS_MIRROR_STEM_BYTES];
	size_t used = rs_mirror_index_make_stem(text, length, stem);

	if (used)
		table_add(&index->stems, index->arena, stem, used, posting);
}

/* The length of a tag without what says no more than that it is a struct. */
static size_t base_length(const char *tag)
{
	size_t length = strlen(tag);

	for (size_t i = 0; i < RS_COUNT_OF(tag_suffixes); i++) {
		size_t suffix = strlen(tag_suffixes[i]);

		if (length >= suffix + SHORTEST_BASE && strcmp(tag + length - suffix, tag_suffixes[i]) == 0)
			return length - suffix;
	}
	return length;
}

static void add_name(struct rs_mirror_index *index, size_t record, const char *name)
{
	struct rs_mirror_posting posting = { record, RS_NONE, false };
	size_t base = base_length(name);
	const char *stem = rs_arena_strndup(index->arena, name, base);

	table_add(&index->names, index->arena, name, strlen(name), posting);
	add_stem(index, name, strlen(name), posting);
	add_stem(index, stem, base, posting);
	add_stem(index, rs_arena_printf(index->arena, "%s_t", stem), base + 2, posting);
	add_stem(index, rs_arena_printf(index->arena, "%s_s", stem), base + 2, posting);
	add_stem(index, rs_arena_printf(index->arena, "struct_%s", name), strlen(name) + 7, posting);
}

static bool is_in_unnamed_only(const struct rs_record *record, const struct rs_member *member)
{
	for (size_t at = member->parent; at != RS_NONE; at = record->members[at].parent)
		if (!record->members[at].is_anonymous)
			return false;
	return true;
}

/* Bytes of "tv_" where every field begins so; 0: they have nothing in common. */
static size_t common_prefix(const struct rs_mirror_record *at)
{
	const struct rs_member *members = at->record->members;
	const char *first = at->n_fields > 1 ? members[at->fields[0]].name : "";
	size_t length = strcspn(first, "_");

	if (length == 0 || first[length] != '_')
		return 0;
	for (size_t i = 0; i < at->n_fields; i++) {
		const char *name = members[at->fields[i]].name;

		if (strncmp(name, first, length + 1) != 0 || !name[length + 1])
			return 0;
	}
	return length + 1;
}

static void add_offset(struct rs_mirror_index *index, uint64_t offset_bytes)
{
	if (offset_bytes < RS_MIRROR_OFFSETS)
		index->offsets[offset_bytes / 8] |= (uint8_t)(1u << offset_bytes % 8);
}

bool rs_mirror_index_has_offset(const struct rs_mirror_index *index, uint64_t offset_bytes)
{
	return offset_bytes >= RS_MIRROR_OFFSETS || (index->offsets[offset_bytes / 8] & 1u << offset_bytes % 8);
}

static void add_members(struct rs_mirror_index *index, size_t number)
{
	struct rs_mirror_record *at = &index->records[number];
	const struct rs_record *record = at->record;
	size_t *fields = rs_arena_array(index->arena, size_t, record->n_members);

	for (size_t i = 0; i < record->n_members; i++)
		if (record->members[i].name[0] && is_in_unnamed_only(record, &record->members[i]))
			fields[at->n_fields++] = i;
	at->fields = fields;
	size_t prefix = common_prefix(at), next_field = 0;
	for (size_t i = 0; i < record->n_members; i++) {
		const struct rs_member *member = &record->members[i];
		bool is_field = next_field < at->n_fields && fields[next_field] == i;
		struct rs_mirror_posting posting = { number, i, is_field };

		next_field += is_field;
		if (!member->name[0])
			continue;
		add_stem(index, member->path, strlen(member->path), posting);
		if (prefix && is_field)
			add_stem(index, member->name + prefix, strlen(member->name + prefix), posting);
		add_offset(index, member->offset_bits / 8);
	}
}

struct name_list {
	const char **names;
	size_t n_names, names_capacity;
};

static void push_name(struct rs_arena *arena, struct name_list *list, const char *text, struct rs_span span)
{
	const char *name = rs_arena_strndup(arena, text + span.start, span.end - span.start);

	for (size_t i = 0; i < list->n_names; i++)
		if (strcmp(list->names[i], name) == 0)
			return;
	*rs_array_push(arena, list->names, list->n_names, list->names_capacity) = name;
}

static bool is_behind_typedef(const struct rs_record *record)
{
	const char *text = record->source->text;
	size_t at = record->span.start;

	while (at > 0 && strchr(" \t\r\n", text[at - 1]))
		at--;
	return at >= 7 && memcmp(text + at - 7, "typedef", 7) == 0;
}

/* `} name, *pointer;`: the name is one of the struct, the pointer is not. */
static void find_names_behind(struct rs_arena *arena, const struct rs_record *record, struct name_list *list)
{
	struct rs_word_scan words;
	struct rs_span rest = { record->span.end, record->source->size };
	bool is_pointer = false;

	rs_word_scan_init(&words, record->source->text, rest);
	while (rs_word_scan_next(&words) && !rs_word_scan_is(&words, ";")) {
		if (rs_word_scan_is(&words, "(") && !rs_word_scan_skip_brackets(&words))
			return;
		if (rs_word_scan_is(&words, "*") || rs_word_scan_is(&words, "["))
			is_pointer = true;
		else if (rs_word_scan_is(&words, ","))
			is_pointer = false;
		else if (words.is_identifier && !is_pointer && !rs_word_scan_is(&words, "__attribute__"))
			push_name(arena, list, record->source->text, words.word);
	}
}

/* `typedef struct tag name;` elsewhere in the record's file. */
static void find_typedefs(struct rs_arena *arena, const struct rs_record *record, struct name_list *list)
{
	const struct rs_source *source = record->source;
	const char *end = source->text + source->size;

	for (const char *at = source->text; (at = memmem(at, (size_t)(end - at), "typedef", 7)); at += 7) {
		struct rs_word_scan words;
		struct rs_span rest = { (size_t)(at - source->text) + 7, source->size };

		rs_word_scan_init(&words, source->text, rest);
		if (!rs_word_scan_next(&words) || !rs_word_scan_is(&words, "struct") ||
		    !rs_word_scan_next(&words) || !rs_word_scan_is(&words, record->name) ||
		    !rs_word_scan_next(&words) || !words.is_identifier)
			continue;
		struct rs_span name = words.word;
		if (rs_word_scan_next(&words) && (rs_word_scan_is(&words, ";") || rs_word_scan_is(&words, ",")))
			push_name(arena, list, source->text, name);
	}
}

static void find_names(struct rs_arena *arena, struct rs_mirror_record *at)
{
	const struct rs_record *record = at->record;
	struct name_list list = { 0 };

	if (strchr(record->name, ':'))
		return;
	push_name(arena, &list, record->name, (struct rs_span) { 0, strlen(record->name) });
	if (is_behind_typedef(record))
		find_names_behind(arena, record, &list);
	if (!record->is_typedef)
		find_typedefs(arena, record, &list);
	at->names = list.names;
	at->n_names = list.n_names;
}

void rs_mirror_index_init(struct rs_mirror_index *index, struct rs_arena *arena,
			  const struct rs_record *const *records, size_t n_records, struct rs_pin_list *lists)
{
	*index = (struct rs_mirror_index) { .arena = arena, .n_records = n_records };
	index->records = rs_arena_array(arena, struct rs_mirror_record, n_records);
	table_grow(&index->names, arena);
	table_grow(&index->stems, arena);
	for (size_t i = 0; i < n_records; i++) {
		struct rs_mirror_record *at = &index->records[i];

		at->record = records[i];
		at->list = &lists[i];
		find_names(arena, at);
		for (size_t k = 0; k < at->n_names; k++)
			add_name(index, i, at->names[k]);
		add_members(index, i);
	}
}

const struct rs_mirror_word *rs_mirror_index_name(const struct rs_mirror_index *index, const char *text,
						  size_t length)
{
	return table_find(&index->names, text, length);
}

const struct rs_mirror_word *rs_mirror_index_stem(const struct rs_mirror_index *index, const char *text,
						  size_t length)
{
	char stem[RS_MIRROR_STEM_BYTES];
	size_t used = rs_mirror_index_make_stem(text, length, stem);

	return used ? table_find(&index->stems, stem, used) : NULL;
}

/* The first posting of the record or of a later one. */
static size_t lower_bound(const struct rs_mirror_word *word, size_t record)
{
	size_t low = 0, high = word->n_postings;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (word->postings[middle].record < record)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool rs_mirror_index_is_tag(const struct rs_mirror_word *word, size_t record)
{
	size_t at = word ? lower_bound(word, record) : 0;

	for (; word && at < word->n_postings && word->postings[at].record == record; at++)
		if (word->postings[at].member == RS_NONE)
			return true;
	return false;
}

size_t rs_mirror_index_field(const struct rs_mirror_word *word, size_t record)
{
	size_t at = word ? lower_bound(word, record) : 0;

	for (; word && at < word->n_postings && word->postings[at].record == record; at++)
		if (word->postings[at].is_field)
			return word->postings[at].member;
	return RS_NONE;
}

/*
 * System headers: many and large, and few name any of the records. Each is read once a unit, and once for all
 * the records.
 */
#include <string.h>
#include <uthash.h>

#include "base/file.h"
#include "parse/identity.h"
#include "parse/tu_state.h"
#include "parse/uses_internal.h"

/* The name of a record, or its outermost part: what a header must spell to use it. */
struct name {
	const char *text; /* length bytes */
	size_t length;
	UT_hash_handle hh;
};

struct header {
	CXFile file;
	bool is_foreign;
};

struct rs_use_headers {
	struct name *names;
	uint64_t question; /* all of them, as a number; not 0 */
	struct header *items;
	size_t n_items, items_capacity;
	size_t last; /* the one that was asked for last */
};

static void add_name(struct rs_use_walk *walk, const char *text)
{
	const char *outer_end = strstr(text, "::");
	size_t length = outer_end ? (size_t)(outer_end - text) : strlen(text);
	struct name *name;

	HASH_FIND(hh, walk->headers->names, text, length, name);
	if (name)
		return;
	name = rs_arena_new(walk->arena, struct name);
	*name = (struct name) { .text = text, .length = length };
	HASH_ADD_KEYPTR(hh, walk->headers->names, text, length, name);
}

static uint64_t question_of(const struct rs_use_walk *walk)
{
	uint64_t hash = 1;

	for (size_t i = 0; i < walk->n_records; i++) {
		const char *name = walk->records[i]->name;
		const uint64_t both[] = { hash, rs_hash_bytes(name, strlen(name)) };

		hash = rs_hash_bytes(both, sizeof both);
	}
	return hash ? hash : 1;
}

static void create(struct rs_use_walk *walk)
{
	walk->headers = rs_arena_new(walk->arena, struct rs_use_headers);
	*walk->headers = (struct rs_use_headers) { 0 };
	for (size_t i = 0; i < walk->n_records; i++)
		add_name(walk, walk->records[i]->name);
	walk->headers->question = question_of(walk);
}

static bool is_in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
	       (c & 0x80);
}

/* Whatever makes the word: a comment, too, may be what somebody relies on. */
static bool spells_any(const struct rs_use_headers *headers, const char *text, size_t size)
{
	for (size_t at = 0, start; at < size; at++) {
		const struct name *name;

		for (start = at; at < size && is_in_word(text[at]); at++)
			;
		if (at == start)
			continue;
		HASH_FIND(hh, headers->names, text + start, at - start, name);
		if (name)
			return true;
	}
	return false;
}

/* What cannot be read may spell any. */
static bool spells(struct rs_use_walk *walk, CXFile file)
{
	struct rs_use_headers *headers = walk->headers;
	struct rs_known_text *known = rs_known_texts_look_up(walk->tu->parser->texts, walk->tu, file);
	size_t size = 0;

	if (known && known->spells.question == headers->question)
		return known->spells.is_yes;
	const char *text = clang_getFileContents(rs_tu_clang(walk->tu), file, &size);
	bool has_any = !text || spells_any(headers, text, size);
	if (known)
		known->spells = (struct rs_known_answer) { headers->question, has_any };
	return has_any;
}

bool rs_use_headers_is_foreign(struct rs_use_walk *walk, CXFile file)
{
	struct rs_use_headers *headers;

	if (!walk->headers)
		create(walk);
	headers = walk->headers;
	if (headers->last < headers->n_items && headers->items[headers->last].file == file)
		return headers->items[headers->last].is_foreign;
	for (size_t i = 0; i < headers->n_items; i++)
		if (headers->items[i].file == file || rs_identity_is_same(headers->items[i].file, file)) {
			headers->last = i;
			return headers->items[i].is_foreign;
		}
	headers->last = headers->n_items;
	*rs_array_push(walk->arena, headers->items, headers->n_items, headers->items_capacity) =
		(struct header) { file, !spells(walk, file) };
	return headers->items[headers->last].is_foreign;
}

void rs_use_headers_deinit(struct rs_use_walk *walk)
{
	if (walk->headers)
		HASH_CLEAR(hh, walk->headers->names);
}

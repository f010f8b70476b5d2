#include "parse/known_texts.h"

#include <string.h>

#include <uthash.h>

#include "base/file.h"
#include "parse/tu_state.h"

struct slot {
	const char *name;
	struct rs_file_state state;
	struct rs_known_text text;
	UT_hash_handle hh;
};

struct rs_known_texts {
	struct rs_arena *arena;
	struct slot *slots;
};

struct rs_known_texts *rs_known_texts_create(void)
{
	struct rs_arena *arena = rs_arena_create();
	struct rs_known_texts *texts = rs_arena_new(arena, struct rs_known_texts);

	*texts = (struct rs_known_texts) { .arena = arena };
	return texts;
}

void rs_known_texts_destroy(struct rs_known_texts *texts)
{
	if (!texts)
		return;
	HASH_CLEAR(hh, texts->slots);
	rs_arena_destroy(texts->arena);
}

static struct slot *find_slot(struct rs_known_texts *texts, const char *name)
{
	struct slot *slot;

	HASH_FIND_STR(texts->slots, name, slot);
	if (slot)
		return slot;
	slot = rs_arena_new(texts->arena, struct slot);
	*slot = (struct slot) { .name = rs_arena_strdup(texts->arena, name) };
	HASH_ADD_KEYPTR(hh, texts->slots, slot->name, strlen(slot->name), slot);
	return slot;
}

static void read_text(struct rs_known_texts *texts, const struct rs_tu *tu, CXFile file, const char *bytes,
		      size_t size, struct rs_known_text *text)
{
	*text = (struct rs_known_text) { .path = rs_tu_file_path(tu, file, texts->arena),
					 .hash = rs_hash_bytes(bytes, size) };
	rs_include_names_find(texts->arena, bytes, size, true, &text->names);
}

struct rs_known_text *rs_known_texts_find(struct rs_known_texts *texts, const struct rs_tu *tu, CXFile file,
					  const char *name, const struct rs_file_state *state)
{
	struct slot *slot;
	size_t size = 0;

	if (!state->exists || !state->is_settled || tu->has_buffers || name[0] != '/')
		return NULL;
	slot = find_slot(texts, name);
	if (rs_file_state_is_same(&slot->state, state))
		return &slot->text;
	const char *bytes = clang_getFileContents(tu->unit, file, &size);
	if (!bytes || size != state->size)
		return NULL;
	read_text(texts, tu, file, bytes, size, &slot->text);
	slot->state = *state;
	return &slot->text;
}

struct rs_known_text *rs_known_texts_look_up(struct rs_known_texts *texts, const struct rs_tu *tu, CXFile file)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *scratch = rs_arena_create();
	const char *name = rs_tu_string(scratch, clang_getFileName(file));
	const struct rs_file_state state = rs_file_state_read(name, tu->started_ns);

	return rs_known_texts_find(texts, tu, file, name, &state);
}

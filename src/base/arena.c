#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define ONE_BLOCK_EACH 1 /* so that the sanitizer sees each allocation's end */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ONE_BLOCK_EACH 1
#endif
#endif
#ifndef ONE_BLOCK_EACH
#define ONE_BLOCK_EACH 0
#endif

enum { BLOCK_BYTES = 64 * 1024 };

struct block {
	struct block *next;
	size_t used, size;
	max_align_t data[];
};

struct rs_arena {
	struct block *blocks;
};

static void oom_default(void)
{
	fputs("restruct: error: out of memory\n", stderr);
	exit(3);
}

static rs_oom_fn oom_handler = oom_default;
static unsigned long fail_countdown;

void rs_alloc_set_oom_handler(rs_oom_fn handler)
{
	oom_handler = handler ? handler : oom_default;
}

/* A handler that returns breaks its promise; going on with NULL would be worse. */
static _Noreturn void out_of_memory(void)
{
	oom_handler();
	abort();
}

void rs_alloc_fail_after(unsigned long countdown)
{
	fail_countdown = countdown;
}

static bool fails_now(void)
{
	return fail_countdown > 0 && --fail_countdown == 0;
}

void *rs_alloc(size_t size_bytes)
{
	void *memory = fails_now() ? NULL : calloc(1, size_bytes ? size_bytes : 1);

	if (!memory)
		out_of_memory();
	return memory;
}

void *rs_realloc(void *memory, size_t size_bytes)
{
	void *moved = fails_now() ? NULL : realloc(memory, size_bytes ? size_bytes : 1);

	if (!moved)
		out_of_memory();
	return moved;
}

struct rs_arena *rs_arena_create(void)
{
	return (struct rs_arena *)rs_alloc(sizeof(struct rs_arena));
}

void rs_arena_destroy(struct rs_arena *arena)
{
	if (!arena)
		return;
	for (struct block *block = arena->blocks, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	free(arena);
}

void rs_arena_destroyp(struct rs_arena **arena)
{
	rs_arena_destroy(*arena);
}

static void block_add(struct rs_arena *arena, size_t size)
{
	struct block *block = (struct block *)rs_alloc(sizeof(struct block) + size);

	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
}

void *rs_arena_alloc(struct rs_arena *arena, size_t size_bytes)
{
	size_t need = (size_bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	struct block *block = arena->blocks;

	if (need < size_bytes)
		out_of_memory();
	if (ONE_BLOCK_EACH || !block || block->size - block->used < need) {
		block_add(arena,
			  ONE_BLOCK_EACH ? size_bytes : (need > BLOCK_BYTES ? need : (size_t)BLOCK_BYTES));
		block = arena->blocks;
	}
	void *memory = (char *)block->data + block->used;
	block->used += ONE_BLOCK_EACH ? block->size : need;
	return memory;
}

char *rs_arena_strndup(struct rs_arena *arena, const char *text, size_t length)
{
	char *copy = (char *)rs_arena_alloc(arena, length + 1);

	if (length)
		memcpy(copy, text, length);
	return copy;
}

char *rs_arena_strdup(struct rs_arena *arena, const char *text)
{
	return rs_arena_strndup(arena, text, strlen(text));
}

char *rs_arena_printf(struct rs_arena *arena, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	int length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	char *text = (char *)rs_arena_alloc(arena, (size_t)length + 1);
	va_start(arguments, format);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	va_end(arguments);
	return text;
}

void *rs_arena_grow(struct rs_arena *arena, void *items, size_t count, size_t *capacity, size_t item_size)
{
	if (count < *capacity)
		return items;
	size_t grown = *capacity ? *capacity * 2 : 8;
	void *moved = rs_arena_alloc(arena, grown * item_size);
	if (count)
		memcpy(moved, items, count * item_size);
	*capacity = grown;
	return moved;
}

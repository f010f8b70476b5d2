/*
 * Memory. One arena per analysis: everything that belongs to it is allocated here and freed at once.
 *
 * Running out of memory is not an error that callers handle: nothing that the program does has to be undone
 * (files are only ever replaced whole), so an allocation either succeeds or calls the out-of-memory handler,
 * which does not return. Tests install a handler and make the N-th allocation fail.
 */
#ifndef RS_BASE_ARENA_H
#define RS_BASE_ARENA_H

#include "base/base.h"

struct rs_arena;

/* Called when memory runs out; must not return. The default prints one line and exits with status 3. */
typedef void (*rs_oom_fn)(void);
void rs_alloc_set_oom_handler(rs_oom_fn handler);
/* Makes the countdown-th allocation from now fail (1: the next); 0 switches this off. For tests. */
void rs_alloc_fail_after(unsigned long countdown);

/* Zeroed heap memory, for what outlives an arena. Never NULL. Freed with free(). */
void *rs_alloc(size_t size_bytes);
void *rs_realloc(void *memory, size_t size_bytes);

struct rs_arena *rs_arena_create(void);
void rs_arena_destroy(struct rs_arena *arena);   /* NULL is allowed */
void rs_arena_destroyp(struct rs_arena **arena); /* for RS_CLEANUP */

/* Zeroed, aligned for any type, valid until the arena is destroyed. Never NULL, also for size 0. */
void *rs_arena_alloc(struct rs_arena *arena, size_t size_bytes);
char *rs_arena_strdup(struct rs_arena *arena, const char *text);
/* Copies exactly length bytes and adds a NUL. */
char *rs_arena_strndup(struct rs_arena *arena, const char *text, size_t length);
char *rs_arena_printf(struct rs_arena *arena, const char *format, ...) RS_PRINTF(2, 3);

#define rs_arena_new(arena, type)          ((type *)rs_arena_alloc((arena), sizeof(type)))
#define rs_arena_array(arena, type, count) ((type *)rs_arena_alloc((arena), (size_t)(count) * sizeof(type)))

/*
 * Growing arrays: declare `T *items; size_t n_items, items_capacity;`, all zero at the start.
 * rs_array_push() makes room for one more, counts it and gives the address of the new zeroed element.
 */
void *rs_arena_grow(struct rs_arena *arena, void *items, size_t count, size_t *capacity, size_t item_size);
#define rs_array_push(arena, items, count, capacity)                                                          \
	((items) = (__typeof__(items))rs_arena_grow((arena), (items), (count), &(capacity), sizeof *(items)), \
	 &(items)[(count)++])

#endif

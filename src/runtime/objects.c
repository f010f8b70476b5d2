/*
 * malloc and its kin. Watched objects come from a region of their own for each type, so that any address tells
 * its object; everything else goes to libc's allocator.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/access_internal.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

struct type access_types[MOST_TYPES];
size_t access_n_types;
uint64_t access_sample = 1;
static atomic_flag lock = ATOMIC_FLAG_INIT;

void access_lock(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		;
}

void access_unlock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

void *access_map(size_t size)
{
	void *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

struct type *access_type_of(const volatile void *address)
{
	for (size_t i = 0; i < access_n_types; i++)
		if ((const volatile char *)address >= access_types[i].region &&
		    (const volatile char *)address < access_types[i].end)
			return &access_types[i];
	return NULL;
}

static uint32_t take_slot(struct type *type)
{
	uint32_t slot = MOST_OBJECTS;

	access_lock();
	if (type->first_free) {
		slot = type->first_free - 1;
		type->first_free = type->objects[slot].next_free;
	} else if (type->n_used < MOST_OBJECTS) {
		slot = type->n_used++;
	}
	if (slot < MOST_OBJECTS && ++type->n_alive > type->most_alive)
		type->most_alive = type->n_alive;
	access_unlock();
	return slot;
}

/* NULL: nobody watches an allocation of that size, or not this one. */
static void *watch(size_t size)
{
	for (size_t i = 0; i < access_n_types; i++) {
		struct type *type = &access_types[i];

		if (type->size != size)
			continue;
		if (atomic_fetch_add_explicit(&type->n_asked, 1, memory_order_relaxed) % access_sample != 0)
			return NULL;
		uint32_t slot = take_slot(type);
		access_add(slot < MOST_OBJECTS ? &type->n_watched : &type->n_missed, 1);
		if (slot == MOST_OBJECTS)
			return NULL;
		access_begin(type, slot);
		return type->region + slot * type->slot;
	}
	return NULL;
}

static void forget(struct type *type, void *memory)
{
	uint32_t slot = (uint32_t)((size_t)((char *)memory - type->region) / type->slot);
	struct object *object = &type->objects[slot];

	access_end(type, slot);
	uint64_t visits = atomic_exchange(&object->n_visits, 0);
	access_add(&type->n_gone, 1);
	access_add(&type->n_gone_visits, visits);
	access_add(&type->n_gone_shared, visits * access_count_bits(atomic_exchange(&object->threads, 0)));
	atomic_store(&object->last_thread, 0);
	access_lock();
	object->next_free = type->first_free;
	type->first_free = slot + 1;
	type->n_alive--;
	access_unlock();
}

void *malloc(size_t size)
{
	void *watched = watch(size);

	return watched ? watched : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	void *watched = count == 1 ? watch(size) : NULL;

	/* Clearing it is the allocator's affair: the program does not write there. */
	for (size_t i = 0; watched && i < size; i++)
		((volatile char *)watched)[i] = 0;
	return watched ? watched : __libc_calloc(count, size);
}

void free(void *memory)
{
	struct type *type = memory ? access_type_of(memory) : NULL;

	if (type)
		forget(type, memory);
	else
		__libc_free(memory);
}

void *realloc(void *memory, size_t size)
{
	struct type *type = memory ? access_type_of(memory) : NULL;
	void *moved;

	if (!type)
		return memory ? __libc_realloc(memory, size) : malloc(size);
	moved = size > 0 ? __libc_malloc(size) : NULL;
	for (size_t i = 0; moved && i < size && i < type->size; i++)
		((volatile char *)moved)[i] = ((const char *)memory)[i];
	if (moved || size == 0)
		forget(type, memory);
	return moved;
}

/* libc's own would not come by here. */
void *reallocarray(void *memory, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(memory, bytes);
}

size_t malloc_usable_size(void *memory)
{
	static size_t (*_Atomic next)(void *);
	struct type *type = memory ? access_type_of(memory) : NULL;

	if (type)
		return type->size;
	if (!next) {
		void *found = dlsym(RTLD_NEXT, "malloc_usable_size");

		next = *(size_t(**)(void *))(void *)&found; /* what POSIX says of dlsym() */
	}
	return memory && next ? next(memory) : 0;
}

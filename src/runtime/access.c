#include "runtime/access.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	MOST_TYPES = 8,
	MOST_SIZE = 1 << 16,
	MOST_OBJECTS = 1 << 18, /* of a type, at a time */
	MOST_NAME = 64,
};

typedef _Atomic uint64_t counter;

/* What happens to one byte of any object. */
struct byte_counts {
	counter reads, writes, atomics; /* accesses that begin here */
	counter copied_from, copied_to; /* by functions that work on ranges, which cover it */
	counter readers, writers;       /* threads, a bit each */
};

struct object {
	counter threads, n_accesses, n_turns; /* turns: from one thread to another */
	_Atomic uint32_t last_thread;
	uint32_t next_free; /* plus one; 0: the last */
};

struct type {
	char name[MOST_NAME];
	size_t size, slot;
	char *region, *end; /* MOST_OBJECTS slots */
	struct byte_counts *bytes;
	struct object *objects;
	uint32_t n_used, first_free; /* under lock */
	counter n_asked, n_watched, n_missed;
	counter n_gone, n_gone_threads, n_gone_accesses, n_gone_turns; /* of objects that were freed */
};

static struct type types[MOST_TYPES];
static size_t n_types;
static uint64_t sample = 1;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic uint32_t n_threads;
static _Thread_local uint32_t thread; /* from 1 */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void __libc_free(void *memory);

static void add(counter *to, uint64_t amount)
{
	atomic_fetch_add_explicit(to, amount, memory_order_relaxed);
}

static uint64_t get(const counter *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}

static struct type *type_of(const volatile void *address)
{
	for (size_t i = 0; i < n_types; i++)
		if ((const volatile char *)address >= types[i].region &&
		    (const volatile char *)address < types[i].end)
			return &types[i];
	return NULL;
}

static uint32_t this_thread(void)
{
	if (thread == 0)
		thread = atomic_fetch_add(&n_threads, 1) + 1;
	return thread;
}

/* --- accesses --- */

enum deed { DEED_READ = 1, DEED_WRITE = 2, DEED_ATOMIC = 4 };

static void note_object(struct object *object, uint32_t by, uint64_t bit)
{
	add(&object->n_accesses, 1);
	atomic_fetch_or_explicit(&object->threads, bit, memory_order_relaxed);
	if (atomic_exchange_explicit(&object->last_thread, by, memory_order_relaxed) != by)
		add(&object->n_turns, 1);
}

static void note(const volatile void *address, unsigned deed)
{
	struct type *type = type_of(address);

	if (!type)
		return;
	size_t at = (size_t)((const volatile char *)address - type->region), offset = at % type->slot;
	if (offset >= type->size)
		return;
	uint32_t by = this_thread();
	uint64_t bit = 1ull << (by - 1) % 64;
	struct byte_counts *byte = &type->bytes[offset];
	if (deed & DEED_READ)
		add(&byte->reads, 1);
	if (deed & DEED_WRITE)
		add(&byte->writes, 1);
	if (deed & DEED_ATOMIC)
		add(&byte->atomics, 1);
	if (deed & DEED_READ)
		atomic_fetch_or_explicit(&byte->readers, bit, memory_order_relaxed);
	if (deed & (DEED_WRITE | DEED_ATOMIC))
		atomic_fetch_or_explicit(&byte->writers, bit, memory_order_relaxed);
	note_object(&type->objects[at / type->slot], by, bit);
}

static void note_range(const void *address, size_t size, bool writes)
{
	struct type *type = size > 0 ? type_of(address) : NULL;

	if (!type)
		return;
	size_t at = (size_t)((const char *)address - type->region), offset = at % type->slot;
	uint32_t by = this_thread();
	uint64_t bit = 1ull << (by - 1) % 64;
	for (size_t i = offset; i < type->size && i - offset < size; i++) {
		struct byte_counts *byte = &type->bytes[i];

		add(writes ? &byte->copied_to : &byte->copied_from, 1);
		atomic_fetch_or_explicit(writes ? &byte->writers : &byte->readers, bit, memory_order_relaxed);
	}
	note_object(&type->objects[at / type->slot], by, bit);
}

/* --- what the compiler calls --- */

#define ACCESS(name, deed)           \
	void name(void *address);    \
	void name(void *address)     \
	{                            \
		note(address, deed); \
	}
#define ACCESSES(size)                                            \
	ACCESS(__tsan_read##size, DEED_READ)                      \
	ACCESS(__tsan_write##size, DEED_WRITE)                    \
	ACCESS(__tsan_unaligned_read##size, DEED_READ)            \
	ACCESS(__tsan_unaligned_write##size, DEED_WRITE)          \
	ACCESS(__tsan_volatile_read##size, DEED_READ)             \
	ACCESS(__tsan_volatile_write##size, DEED_WRITE)           \
	ACCESS(__tsan_unaligned_volatile_read##size, DEED_READ)   \
	ACCESS(__tsan_unaligned_volatile_write##size, DEED_WRITE) \
	ACCESS(__tsan_read_write##size, DEED_READ | DEED_WRITE)   \
	ACCESS(__tsan_unaligned_read_write##size, DEED_READ | DEED_WRITE)

ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

#define FETCH(bits, type, verb)                                                            \
	type __tsan_atomic##bits##_fetch_##verb(volatile type *at, type value, int order); \
	type __tsan_atomic##bits##_fetch_##verb(volatile type *at, type value, int order)  \
	{                                                                                  \
		(void)order;                                                               \
		note(at, DEED_ATOMIC);                                                     \
		return __atomic_fetch_##verb(at, value, __ATOMIC_SEQ_CST);                 \
	}
#define COMPARE(bits, type, kind, weak)                                                                  \
	int __tsan_atomic##bits##_compare_exchange_##kind(volatile type *at, type *expected, type value, \
							  int order, int otherwise);                     \
	int __tsan_atomic##bits##_compare_exchange_##kind(volatile type *at, type *expected, type value, \
							  int order, int otherwise)                      \
	{                                                                                                \
		(void)order;                                                                             \
		(void)otherwise;                                                                         \
		note(at, DEED_ATOMIC);                                                                   \
		return __atomic_compare_exchange_n(at, expected, value, weak, __ATOMIC_SEQ_CST,          \
						   __ATOMIC_SEQ_CST);                                    \
	}
#define ATOMICS(bits, type)                                                                            \
	type __tsan_atomic##bits##_load(const volatile type *at, int order);                           \
	type __tsan_atomic##bits##_load(const volatile type *at, int order)                            \
	{                                                                                              \
		(void)order;                                                                           \
		note(at, DEED_READ);                                                                   \
		return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                          \
	}                                                                                              \
	void __tsan_atomic##bits##_store(volatile type *at, type value, int order);                    \
	void __tsan_atomic##bits##_store(volatile type *at, type value, int order)                     \
	{                                                                                              \
		(void)order;                                                                           \
		note(at, DEED_WRITE);                                                                  \
		__atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                         \
	}                                                                                              \
	type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order);                 \
	type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order)                  \
	{                                                                                              \
		(void)order;                                                                           \
		note(at, DEED_ATOMIC);                                                                 \
		return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                               \
	}                                                                                              \
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value,  \
							int order, int otherwise);                     \
	type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value,  \
							int order, int otherwise)                      \
	{                                                                                              \
		__tsan_atomic##bits##_compare_exchange_strong(at, &expected, value, order, otherwise); \
		return expected;                                                                       \
	}

#define ALL_ATOMICS(bits, type)            \
	FETCH(bits, type, add)             \
	FETCH(bits, type, sub)             \
	FETCH(bits, type, and)             \
	FETCH(bits, type, or)              \
	FETCH(bits, type, xor)             \
	FETCH(bits, type, nand)            \
	COMPARE(bits, type, strong, false) \
	COMPARE(bits, type, weak, true)    \
	ATOMICS(bits, type)

ALL_ATOMICS(8, uint8_t)
ALL_ATOMICS(16, uint16_t)
ALL_ATOMICS(32, uint32_t)
ALL_ATOMICS(64, uint64_t)

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *from);
void __tsan_func_entry(void *from)
{
	(void)from;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
	(void)order;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
	(void)order;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void __tsan_read_range(void *address, unsigned long size);
void __tsan_read_range(void *address, unsigned long size)
{
	note_range(address, size, false);
}

void __tsan_write_range(void *address, unsigned long size);
void __tsan_write_range(void *address, unsigned long size)
{
	note_range(address, size, true);
}

/* Compilers up to LLVM 14 call the functions by their own names. */
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
	note_range(from, size, false);
	note_range(to, size, true);
	for (size_t i = 0; i < size; i++)
		((volatile char *)to)[i] = ((const char *)from)[i];
	return to;
}

void *memmove(void *to, const void *from, size_t size)
{
	bool forward = (uintptr_t)to <= (uintptr_t)from;

	note_range(from, size, false);
	note_range(to, size, true);
	for (size_t i = 0; i < size; i++) {
		size_t at = forward ? i : size - 1 - i;

		((volatile char *)to)[at] = ((const char *)from)[at];
	}
	return to;
}

void *memset(void *at, int value, size_t size)
{
	note_range(at, size, true);
	for (size_t i = 0; i < size; i++)
		((volatile char *)at)[i] = (char)value;
	return at;
}

void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memcpy(void *to, const void *from, size_t size)
{
	return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size)
{
	return memmove(to, from, size);
}

void *__tsan_memset(void *at, int value, size_t size);
void *__tsan_memset(void *at, int value, size_t size)
{
	return memset(at, value, size);
}

/* --- objects --- */

static void take_lock(void)
{
	while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
		;
}

static void give_lock(void)
{
	atomic_flag_clear_explicit(&lock, memory_order_release);
}

static uint32_t take_slot(struct type *type)
{
	uint32_t slot = MOST_OBJECTS;

	take_lock();
	if (type->first_free) {
		slot = type->first_free - 1;
		type->first_free = type->objects[slot].next_free;
	} else if (type->n_used < MOST_OBJECTS) {
		slot = type->n_used++;
	}
	give_lock();
	return slot;
}

/* NULL: nobody watches an allocation of that size, or not this one. */
static void *watch(size_t size)
{
	for (size_t i = 0; i < n_types; i++) {
		struct type *type = &types[i];

		if (type->size != size)
			continue;
		if (atomic_fetch_add_explicit(&type->n_asked, 1, memory_order_relaxed) % sample != 0)
			return NULL;
		uint32_t slot = take_slot(type);
		add(slot < MOST_OBJECTS ? &type->n_watched : &type->n_missed, 1);
		return slot < MOST_OBJECTS ? type->region + slot * type->slot : NULL;
	}
	return NULL;
}

static uint64_t count_bits(uint64_t bits)
{
	return (uint64_t)__builtin_popcountll(bits);
}

static void forget(struct type *type, void *memory)
{
	size_t slot = (size_t)((char *)memory - type->region) / type->slot;
	struct object *object = &type->objects[slot];

	add(&type->n_gone, 1);
	add(&type->n_gone_threads, count_bits(atomic_exchange(&object->threads, 0)));
	add(&type->n_gone_accesses, atomic_exchange(&object->n_accesses, 0));
	add(&type->n_gone_turns, atomic_exchange(&object->n_turns, 0));
	atomic_store(&object->last_thread, 0);
	take_lock();
	object->next_free = type->first_free;
	type->first_free = (uint32_t)slot + 1;
	give_lock();
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
	struct type *type = memory ? type_of(memory) : NULL;

	if (type)
		forget(type, memory);
	else
		__libc_free(memory);
}

void *realloc(void *memory, size_t size)
{
	struct type *type = memory ? type_of(memory) : NULL;
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

/* --- start and end --- */

static void *map(size_t size)
{
	void *memory =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* False: there is no memory for it. */
static bool add_type(const char *name, size_t length, size_t size)
{
	struct type *type = &types[n_types];

	type->size = size;
	type->slot = (size + 63) / 64 * 64; /* objects start a cache line: two never share one */
	type->bytes = map(size * sizeof *type->bytes);
	type->objects = map(MOST_OBJECTS * sizeof *type->objects);
	type->region = map(MOST_OBJECTS * type->slot);
	for (size_t i = 0; i < length && i < MOST_NAME - 1; i++)
		type->name[i] = name[i];
	if (!type->bytes || !type->objects || !type->region)
		return false;
	type->end = type->region + MOST_OBJECTS * type->slot;
	n_types++;
	return true;
}

static void complain(const char *text)
{
	fprintf(stderr, "restruct-access: %s\n", text);
}

__attribute__((constructor(101))) static void start(void)
{
	const char *at = getenv("RESTRUCT_WATCH"), *every = getenv("RESTRUCT_SAMPLE");
	char *end;

	if (every && strtoul(every, &end, 10) > 0 && *end == '\0')
		sample = strtoul(every, NULL, 10);
	if (!at)
		complain("RESTRUCT_WATCH names no type (NAME=SIZE): nothing is watched");
	while (at && *at) {
		size_t length = strcspn(at, "=");
		unsigned long size = at[length] == '=' ? strtoul(at + length + 1, &end, 10) : 0;

		if (size == 0 || size > MOST_SIZE || (*end != ',' && *end != '\0') || n_types == MOST_TYPES ||
		    !add_type(at, length, size)) {
			complain("RESTRUCT_WATCH is not of the form NAME=SIZE,…, or asks for too much");
			return;
		}
		at = *end == ',' ? end + 1 : end;
	}
}

static void write_bytes(FILE *file, const struct type *type)
{
	const char *separator = "";

	for (size_t i = 0; i < type->size; i++) {
		const struct byte_counts *byte = &type->bytes[i];

		if (get(&byte->readers) == 0 && get(&byte->writers) == 0)
			continue;
		fprintf(file, "%s\n        [%zu, %llu, %llu, %llu, %llu, %llu, %llu, %llu]", separator, i,
			(unsigned long long)get(&byte->reads), (unsigned long long)get(&byte->writes),
			(unsigned long long)get(&byte->atomics), (unsigned long long)get(&byte->copied_from),
			(unsigned long long)get(&byte->copied_to),
			(unsigned long long)count_bits(get(&byte->readers)),
			(unsigned long long)count_bits(get(&byte->writers)));
		separator = ",";
	}
}

static void write_type(FILE *file, const struct type *type)
{
	uint64_t n = get(&type->n_gone), threads = get(&type->n_gone_threads);
	uint64_t accesses = get(&type->n_gone_accesses), turns = get(&type->n_gone_turns);

	for (uint32_t i = 0; i < type->n_used; i++) {
		const struct object *object = &type->objects[i];

		n += get(&object->n_accesses) > 0;
		threads += count_bits(get(&object->threads));
		accesses += get(&object->n_accesses);
		turns += get(&object->n_turns);
	}
	fprintf(file,
		"    \"%s\": {\n      \"size\": %zu, \"objects\": %llu, \"most_objects\": %u, \"missed\": "
		"%llu, "
		"\"sample\": %llu,\n      \"threads_per_object\": %.3f, \"burst\": %.3f,\n      \"bytes\": [",
		type->name, type->size, (unsigned long long)get(&type->n_watched), type->n_used,
		(unsigned long long)get(&type->n_missed), (unsigned long long)sample,
		n ? (double)threads / (double)n : 0.0, turns ? (double)accesses / (double)turns : 0.0);
	write_bytes(file, type);
	fprintf(file, "]\n    }");
}

void restruct_access_write(void)
{
	const char *path = getenv("RESTRUCT_ACCESS_FILE");
	FILE *file = n_types > 0 ? fopen(path && *path ? path : "restruct-access.json", "we") : NULL;
	bool failed;

	if (n_types == 0)
		return;
	if (!file) {
		complain("cannot write the file of RESTRUCT_ACCESS_FILE");
		return;
	}
	fprintf(file, "{\n  \"restruct_access\": 1,\n  \"threads\": %u,\n  \"structs\": {\n", n_threads);
	for (size_t i = 0; i < n_types; i++) {
		write_type(file, &types[i]);
		fprintf(file, "%s\n", i + 1 < n_types ? "," : "");
	}
	fprintf(file, "  }\n}\n");
	failed = ferror(file) != 0;
	if (fclose(file) != 0 || failed)
		complain("cannot write the file of RESTRUCT_ACCESS_FILE");
}

__attribute__((destructor(101))) static void end(void)
{
	restruct_access_write();
}

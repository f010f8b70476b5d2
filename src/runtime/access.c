/*
 * What objects that are compiled with -fsanitize=thread call: at each access, and at the start and the end of
 * each function.
 */
#include "runtime/access.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/access_internal.h"

/* As access_visit() takes them. */
enum deed { DEED_READ = 1 << MASK_READ, DEED_WRITE = 1 << MASK_WRITE, DEED_ATOMIC = 1 << MASK_ATOMIC };

static void note(const volatile void *address, unsigned deed)
{
	struct type *type = access_type_of(address);
	struct thread *thread = type ? access_thread() : NULL;

	if (!type)
		return;
	size_t at = (size_t)((const volatile char *)address - type->region), offset = at % type->slot;
	if (offset >= type->size)
		return;
	struct byte_counts *byte = &type->bytes[offset];
	uint64_t bit = thread ? access_bit(thread->id) : 0;
	if (deed & DEED_READ)
		access_add(&byte->reads, 1);
	if (deed & DEED_WRITE)
		access_add(&byte->writes, 1);
	if (deed & DEED_ATOMIC)
		access_add(&byte->atomics, 1);
	if (deed & DEED_READ)
		atomic_fetch_or_explicit(&byte->readers, bit, memory_order_relaxed);
	if (deed & (DEED_WRITE | DEED_ATOMIC))
		atomic_fetch_or_explicit(&byte->writers, bit, memory_order_relaxed);
	if (thread)
		access_visit(thread, type, (uint32_t)(at / type->slot), offset, offset + 1, deed);
}

static void note_range(const void *address, size_t size, bool writes)
{
	struct type *type = size > 0 ? access_type_of(address) : NULL;
	struct thread *thread = type ? access_thread() : NULL;

	if (!type)
		return;
	size_t at = (size_t)((const char *)address - type->region), offset = at % type->slot;
	uint64_t bit = thread ? access_bit(thread->id) : 0;
	for (size_t i = offset; i < type->size && i - offset < size; i++) {
		struct byte_counts *byte = &type->bytes[i];

		access_add(writes ? &byte->copied_to : &byte->copied_from, 1);
		atomic_fetch_or_explicit(writes ? &byte->writers : &byte->readers, bit, memory_order_relaxed);
	}
	if (thread && offset < type->size)
		access_visit(thread, type, (uint32_t)(at / type->slot), offset,
			     size < type->size - offset ? offset + size : type->size,
			     writes ? DEED_WRITE : DEED_READ);
}

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
	access_start(); /* what nobody calls would be left in its archive */
}

void __tsan_func_entry(void *from);
__attribute__((noinline)) void __tsan_func_entry(void *from)
{
	(void)from; /* the caller's place: the function itself is where this returns to */
	access_enter((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0));
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
	access_leave();
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

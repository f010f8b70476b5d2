/*
 * What the files of the runtime share. All memory is bounded and comes from mmap: the runtime stands below
 * malloc.
 *
 *   access.c    what the compiler calls at each access, and at the start and end of each function
 *   objects.c   malloc and its kin: which allocations are watched
 *   visits.c    what one thread does with one object from one call: sets of bytes that are used together
 *   symbols.c   names of functions, from the program's own symbol table
 *   write.c     the start, and the file at the end
 */
#ifndef RS_RUNTIME_ACCESS_INTERNAL_H
#define RS_RUNTIME_ACCESS_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/access.h"

enum {
	MOST_TYPES = 8,
	MOST_SIZE = 1 << 16,
	MOST_VISITED_SIZE = 1 << 12, /* larger objects are counted by byte only */
	MOST_OBJECTS = 1 << 18,      /* of a type, at a time */
	MOST_NAME = 64,
	MOST_THREADS = 64, /* that are told apart, and watched at a time */
	MOST_FRAMES = 512, /* of a stack: deeper calls belong to the last */
	MOST_SETS = 2048,  /* of a type */
	MOST_CHILDREN = 8,
	OPEN_VISITS = 4, /* of a thread, at a time, to objects of one type */
};

typedef _Atomic uint64_t counter;

/* What happens to one byte of any object. */
struct byte_counts {
	counter reads, writes, atomics; /* accesses that begin here */
	counter copied_from, copied_to; /* by functions that work on ranges, which cover it */
	counter readers, writers;       /* threads, a bit each */
};

struct object {
	counter threads;  /* that visit it in the steady state, a bit each */
	counter n_visits; /* in the steady state */
	_Atomic uint32_t last_thread;
	_Atomic uint32_t generation;   /* how often the slot was given away */
	_Atomic uint32_t birth_thread; /* 0: none */
	_Atomic bool is_fresh;         /* nobody has touched it yet */
	uint32_t birth_depth;          /* of the call that sets it up; 0: not known. The birth thread's */
	uint32_t next_free;            /* plus one; 0: the last */
};

enum phase { PHASE_STEADY, PHASE_INIT, PHASE_TEARDOWN, N_PHASES };
enum mask { MASK_READ, MASK_WRITE, MASK_ATOMIC, N_MASKS };

/* Bytes that are used together. Repeats: how often each was, at the least, which shows loops. Turns: visits
 * that begin a run, which the same thread and object go on with. Its masks stand in type.masks. */
struct touch_set {
	uintptr_t function; /* an address in it; 0: not known */
	enum phase phase;
	uint64_t hash;
	counter n_visits, n_repeats, n_turns, threads;
};

struct type {
	char name[MOST_NAME];
	size_t size, slot;
	char *region, *end; /* MOST_OBJECTS slots */
	struct byte_counts *bytes;
	struct object *objects;
	uint32_t n_used, first_free, n_alive, most_alive; /* under lock */
	counter n_asked, n_watched, n_missed;
	counter n_gone, n_gone_visits, n_gone_shared; /* of objects that were freed; shared: visits × threads */
	size_t n_words;                               /* of a mask; 0: too large for sets */
	struct touch_set *sets;                       /* under lock: a hash table of 2 × MOST_SETS */
	uint64_t *masks;
	size_t n_sets;
	counter n_lost; /* visits for which there was no room */
};

struct frame {
	uintptr_t function;
	uintptr_t stack;     /* address: frames below it are gone */
	uint64_t activation; /* a number for each call of the thread */
};

/* What a thread does with an object, from the call that first touches it to its return. */
struct visit {
	uint32_t object; /* plus one; 0: none */
	uint32_t generation;
	size_t depth; /* of the call: it is frames[depth - 1]; 0: not known */
	uintptr_t function;
	uint64_t activation, parent_activation;
	struct {
		uintptr_t function;
		unsigned n_calls;
	} children[MOST_CHILDREN]; /* that the call has called since the visit began, or rose to it */
	size_t n_children;
	uint64_t child_activation; /* of the last */
	unsigned n_rises;
	bool is_init, is_turn;
	uint64_t used; /* when, in accesses of the thread */
	uint64_t *masks;
	uint32_t *counts; /* of accesses, one a byte */
};

struct thread {
	uint32_t id; /* from 1 */
	size_t depth;
	uint64_t n_activations, n_accesses;
	const struct object *born;         /* the last allocation */
	size_t born_depth;                 /* the least depth since */
	uint32_t last_objects[MOST_TYPES]; /* visited last, of each type; plus one */
	struct visit visits[MOST_TYPES][OPEN_VISITS];
	struct thread *next_free;
	struct frame frames[MOST_FRAMES];
};

extern struct type access_types[MOST_TYPES];
extern size_t access_n_types;
extern uint64_t access_sample;
extern uint32_t access_n_threads; /* under lock */

static inline void access_add(counter *to, uint64_t amount)
{
	atomic_fetch_add_explicit(to, amount, memory_order_relaxed);
}

static inline uint64_t access_get(const counter *from)
{
	return atomic_load_explicit(from, memory_order_relaxed);
}

static inline uint64_t access_bit(uint32_t thread)
{
	return 1ull << (thread - 1) % 64;
}

static inline uint64_t access_count_bits(uint64_t bits)
{
	return (uint64_t)__builtin_popcountll(bits);
}

/* The watched type that the address is in; NULL: none. */
struct type *access_type_of(const volatile void *address);
void access_lock(void);
void access_unlock(void);
/* Zeroed; NULL: there is none. */
void *access_map(size_t size);

/* The thread's own; NULL: nothing is watched, or there are too many threads. */
struct thread *access_thread(void);
void access_enter(uintptr_t function, uintptr_t stack);
void access_leave(void);

/* first to end (exclusive) of the object are used; kinds: bits 1 << mask. */
void access_visit(struct thread *thread, struct type *type, uint32_t object, size_t first, size_t end,
		  unsigned kinds);
/* The object is given away; it is handed back. */
void access_begin(struct type *type, uint32_t object);
void access_end(struct type *type, uint32_t object);
/* Closes what the thread has open. */
void access_close_all(struct thread *thread);
uint64_t *access_masks(const struct type *type, size_t set);

/* Reads the environment, once. */
void access_start(void);
/* Puts the function's name, or its offset in its file, into the text. */
void access_name(uintptr_t function, char *text, size_t size);

#endif

/*
 * A visit is what one thread does with one object from the call that first touches it to that call's return;
 * what it calls is a part of it. If the caller goes on with the object the visit rises to the caller, so that a
 * comparison in a small function and what follows it are one: but only until the caller calls the same function
 * again, as a loop that handles one object over and over makes a visit each time.
 *
 * Visits that use the same bytes, from the same function, in the same phase are one set. The first
 * visit of an object is its setting up, if it is by the thread that made it; the visit in which it is freed is
 * its end.
 */
#include <pthread.h>
#include <string.h>

#include "runtime/access_internal.h"

enum {
	MOST_RISES = 2,
	MOST_CALLS = 4, /* of one function, by a call that a visit began in: more are a loop */
};

static _Thread_local struct thread *self;
static _Thread_local bool is_outside; /* too many threads, or the thread has ended */
static struct thread *free_threads;
static pthread_key_t key;
static bool has_key;
uint32_t access_n_threads;

/* --- threads --- */

static void end_thread(void *memory)
{
	struct thread *thread = (struct thread *)memory;

	access_close_all(thread);
	self = NULL;
	is_outside = true;
	access_lock();
	thread->next_free = free_threads;
	free_threads = thread;
	access_unlock();
}

static bool give_masks(struct thread *thread)
{
	for (size_t t = 0; t < access_n_types; t++) {
		size_t n_words = access_types[t].n_words;
		uint64_t *masks = n_words ? access_map(OPEN_VISITS * N_MASKS * n_words * sizeof *masks) : NULL;
		uint32_t *counts = n_words ? access_map(OPEN_VISITS * 64 * n_words * sizeof *counts) : NULL;

		if (n_words > 0 && (!masks || !counts))
			return false;
		for (size_t i = 0; i < OPEN_VISITS && n_words > 0; i++) {
			thread->visits[t][i].masks = masks + i * N_MASKS * n_words;
			thread->visits[t][i].counts = counts + i * 64 * n_words;
		}
	}
	return true;
}

/* Numbers of threads that have ended are given again only when there are no others. */
static struct thread *take_thread(void)
{
	struct thread *thread;
	uint32_t id = 0;

	access_lock();
	thread = access_n_threads < MOST_THREADS ? NULL : free_threads;
	if (thread)
		free_threads = thread->next_free;
	else if (access_n_threads < MOST_THREADS)
		id = ++access_n_threads;
	access_unlock();
	if (thread) {
		thread->depth = 0;
		thread->born = NULL;
		return thread;
	}
	thread = id ? access_map(sizeof *thread) : NULL;
	if (!thread || !give_masks(thread))
		return NULL;
	thread->id = id;
	return thread;
}

struct thread *access_thread(void)
{
	if (self || is_outside || access_n_types == 0)
		return self;
	is_outside = true; /* what follows may allocate */
	access_lock();
	if (!has_key)
		has_key = pthread_key_create(&key, end_thread) == 0;
	access_unlock();
	self = take_thread();
	if (self && has_key)
		pthread_setspecific(key, self);
	is_outside = !self;
	return self;
}

/* Frames at or below the new one's place have been left without a word: by longjmp. */
void access_enter(uintptr_t function, uintptr_t stack)
{
	struct thread *thread = access_thread();

	if (!thread)
		return;
	while (thread->depth > 0 && thread->depth <= MOST_FRAMES &&
	       thread->frames[thread->depth - 1].stack <= stack)
		thread->depth--;
	if (thread->born_depth > thread->depth)
		thread->born_depth = thread->depth;
	if (thread->depth++ < MOST_FRAMES)
		thread->frames[thread->depth - 1] = (struct frame) { function, stack, ++thread->n_activations };
}

void access_leave(void)
{
	if (!self || self->depth == 0)
		return;
	self->depth--;
	if (self->born_depth > self->depth)
		self->born_depth = self->depth;
}

static size_t depth_of(const struct thread *thread)
{
	return thread->depth < MOST_FRAMES ? thread->depth : MOST_FRAMES;
}

static uint64_t activation_at(const struct thread *thread, size_t depth)
{
	return depth > 0 ? thread->frames[depth - 1].activation : 0;
}

/* --- sets --- */

static uint64_t hash_of(const struct type *type, const struct visit *visit, enum phase phase)
{
	uint64_t hash = 0xcbf29ce484222325u ^ visit->function ^ (uint64_t)phase << 60;

	for (size_t i = 0; i < N_MASKS * type->n_words; i++)
		hash = (hash ^ visit->masks[i]) * 0x9e3779b97f4a7c15u ^ hash >> 29;
	return hash | 1;
}

uint64_t *access_masks(const struct type *type, size_t set)
{
	return type->masks + set * N_MASKS * type->n_words;
}

/* Under lock. NULL: there is no room for another. */
static struct touch_set *find_set(struct type *type, const struct visit *visit, enum phase phase)
{
	size_t bytes = N_MASKS * type->n_words * sizeof *type->masks;
	uint64_t hash = hash_of(type, visit, phase);
	size_t at = hash % (2 * MOST_SETS);

	for (; type->sets[at].hash; at = (at + 1) % (2 * MOST_SETS))
		if (type->sets[at].hash == hash && type->sets[at].function == visit->function &&
		    type->sets[at].phase == phase && memcmp(access_masks(type, at), visit->masks, bytes) == 0)
			return &type->sets[at];
	if (type->n_sets == MOST_SETS)
		return NULL;
	type->n_sets++;
	type->sets[at].hash = hash;
	type->sets[at].function = visit->function;
	type->sets[at].phase = phase;
	for (size_t i = 0; i < N_MASKS * type->n_words; i++)
		access_masks(type, at)[i] = visit->masks[i];
	return &type->sets[at];
}

/* How often each of its bytes was touched, at the least; forgets the visit's bytes. */
static uint64_t take_repeats(const struct type *type, struct visit *visit)
{
	uint32_t least = UINT32_MAX;

	for (size_t i = 0; i < type->size; i++)
		if (visit->counts[i] > 0) {
			least = visit->counts[i] < least ? visit->counts[i] : least;
			visit->counts[i] = 0;
		}
	for (size_t i = 0; i < N_MASKS * type->n_words; i++)
		visit->masks[i] = 0;
	return least;
}

static void close_visit(struct thread *thread, struct type *type, struct visit *visit, bool is_end)
{
	struct object *object = &type->objects[visit->object - 1];
	enum phase phase = is_end ? PHASE_TEARDOWN : visit->is_init ? PHASE_INIT : PHASE_STEADY;
	bool is_steady = phase == PHASE_STEADY;

	if (is_steady && object->generation == visit->generation) {
		atomic_fetch_or_explicit(&object->threads, access_bit(thread->id), memory_order_relaxed);
		access_add(&object->n_visits, 1);
	}
	access_lock();
	struct touch_set *set = find_set(type, visit, phase);
	access_unlock();
	uint64_t repeats = take_repeats(type, visit);
	if (set) {
		access_add(&set->n_visits, 1);
		access_add(&set->n_repeats, repeats);
		access_add(&set->n_turns, is_steady && visit->is_turn);
		atomic_fetch_or_explicit(&set->threads, access_bit(thread->id), memory_order_relaxed);
	} else {
		access_add(&type->n_lost, 1);
	}
	visit->object = 0;
}

void access_close_all(struct thread *thread)
{
	for (size_t t = 0; t < access_n_types; t++)
		for (size_t i = 0; i < OPEN_VISITS; i++)
			if (thread->visits[t][i].object)
				close_visit(thread, &access_types[t], &thread->visits[t][i], false);
}

/* --- visits --- */

/* False: the function has been called before, once where the visit has risen, more often where it began. */
static bool add_child(struct visit *visit, const struct frame *frame)
{
	if (frame->activation == visit->child_activation)
		return true;
	visit->child_activation = frame->activation;
	for (size_t i = 0; i < visit->n_children; i++)
		if (visit->children[i].function == frame->function)
			return visit->n_rises == 0 && ++visit->children[i].n_calls <= MOST_CALLS;
	if (visit->n_children == MOST_CHILDREN)
		return visit->n_rises == 0;
	visit->children[visit->n_children].n_calls = 1;
	visit->children[visit->n_children++].function = frame->function;
	return true;
}

/* The call is still running, and in no loop that handles the object over and over. */
static bool is_inside(const struct thread *thread, struct visit *visit)
{
	size_t depth = depth_of(thread);

	if (depth < visit->depth || activation_at(thread, visit->depth) != visit->activation)
		return false;
	return depth == visit->depth || add_child(visit, &thread->frames[visit->depth]);
}

/* The call has returned, and its caller goes on with the object; not beyond the one that sets it up. */
static bool rise(const struct thread *thread, const struct type *type, struct visit *visit)
{
	size_t depth = depth_of(thread), parent = visit->depth - 1;

	if (visit->depth < 2 || visit->n_rises == MOST_RISES || depth < parent ||
	    (depth >= visit->depth && activation_at(thread, visit->depth) == visit->activation) ||
	    activation_at(thread, parent) != visit->parent_activation ||
	    (depth > parent && thread->frames[parent].function == visit->function) ||
	    (visit->is_init && parent < type->objects[visit->object - 1].birth_depth))
		return false;
	visit->children[0].function = visit->function;
	visit->n_children = 1;
	visit->child_activation = visit->activation;
	if (depth > parent)
		(void)add_child(visit, &thread->frames[parent]);
	visit->depth = parent;
	visit->function = thread->frames[parent - 1].function;
	visit->activation = visit->parent_activation;
	visit->parent_activation = activation_at(thread, parent - 1);
	visit->n_rises++;
	return true;
}

/* Only the first visit of an object sets it up, up to the return of the call that has been running since its
 * allocation. */
static bool is_setting_up(const struct thread *thread, struct object *object)
{
	size_t depth = depth_of(thread);
	bool is_first = atomic_exchange_explicit(&object->is_fresh, false, memory_order_relaxed);

	if (is_first)
		object->birth_depth =
			(uint32_t)(thread->born == object && thread->born_depth < depth ? thread->born_depth
											: depth);
	return is_first && object->birth_thread == thread->id;
}

/* Whether it begins a run: the thread comes from another object, or another thread has been here. */
static bool is_turn(struct thread *thread, const struct type *type, uint32_t index)
{
	uint32_t *last = &thread->last_objects[type - access_types];
	uint32_t by = thread->id, before = *last;

	*last = index + 1;
	return atomic_exchange_explicit(&type->objects[index].last_thread, by, memory_order_relaxed) != by ||
	       before != index + 1;
}

static void open_visit(struct thread *thread, struct type *type, uint32_t object, struct visit *visit)
{
	size_t depth = depth_of(thread);
	uint64_t *masks = visit->masks;
	uint32_t *counts = visit->counts;

	*visit = (struct visit) {
		.object = object + 1,
		.generation = type->objects[object].generation,
		.depth = depth,
		.function = depth > 0 ? thread->frames[depth - 1].function : 0,
		.activation = activation_at(thread, depth),
		.parent_activation = depth > 1 ? activation_at(thread, depth - 1) : 0,
		.is_init = is_setting_up(thread, &type->objects[object]),
		.is_turn = is_turn(thread, type, object),
		.masks = masks,
		.counts = counts,
	};
}

static struct visit *get_visit(struct thread *thread, struct type *type, uint32_t object)
{
	struct visit *visits = thread->visits[type - access_types], *oldest = &visits[0];

	for (size_t i = 0; i < OPEN_VISITS; i++) {
		struct visit *visit = &visits[i];

		if (visit->object == object + 1) {
			if (visit->generation == type->objects[object].generation &&
			    (is_inside(thread, visit) || rise(thread, type, visit)))
				return visit;
			oldest = visit;
			break;
		}
		if (!visit->object || (oldest->object && visit->used < oldest->used))
			oldest = visit;
	}
	if (oldest->object)
		close_visit(thread, type, oldest, false);
	open_visit(thread, type, object, oldest);
	return oldest;
}

void access_visit(struct thread *thread, struct type *type, uint32_t object, size_t first, size_t end,
		  unsigned kinds)
{
	if (type->n_words == 0)
		return;
	struct visit *visit = get_visit(thread, type, object);
	visit->used = ++thread->n_accesses;
	for (size_t i = first; i < end && i < type->size; i++)
		visit->counts[i] += visit->counts[i] < UINT32_MAX;
	for (size_t mask = 0; mask < N_MASKS; mask++)
		for (size_t i = first; kinds & 1u << mask && i < end && i < type->size; i++)
			visit->masks[mask * type->n_words + i / 64] |= 1ull << i % 64;
}

void access_begin(struct type *type, uint32_t index)
{
	struct thread *thread = access_thread();
	struct object *object = &type->objects[index];

	object->birth_thread = thread ? thread->id : 0;
	object->birth_depth = 0;
	object->is_fresh = true;
	if (thread) {
		thread->born = object;
		thread->born_depth = depth_of(thread);
	}
}

void access_end(struct type *type, uint32_t index)
{
	struct thread *thread = access_thread();
	struct object *object = &type->objects[index];

	for (size_t i = 0; thread && i < OPEN_VISITS; i++) {
		struct visit *visit = &thread->visits[type - access_types][i];

		if (visit->object == index + 1 && visit->generation == object->generation)
			close_visit(thread, type, visit, is_inside(thread, visit) || rise(thread, type, visit));
	}
	atomic_fetch_add(&object->generation, 1);
}

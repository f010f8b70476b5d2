/*
 * Measures a layout against another: a reader and a writer on CPUs of their own share objects, for a slice of
 * time with the one layout, then with the other, over and over in one process, so that what disturbs the
 * machine disturbs both. A bench.c defines its two paths over both layouts and calls bench_run().
 */
#ifndef EXAMPLE_BENCH_H
#define EXAMPLE_BENCH_H

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BENCH_OBJECTS = 64, BENCH_ROUNDS = 41, BENCH_SLICE_US = 20000, BENCH_BATCH = 256, BENCH_LINE = 64, BENCH_ALONE = 5 };

/* One execution on object i. */
typedef uint64_t (*bench_path)(void *objects, unsigned i);

struct bench_layout {
	const char *name;
	size_t size; /* of one object; each starts on a cache line */
	bench_path read, write;
	void *objects;
};

/* What one thread does in a slice. */
struct bench_thread {
	bench_path path;
	void *objects;
	int cpu;
	atomic_int *phase; /* 0: wait, 1: run, 2: stop */
	uint64_t executions, sum;
};

static inline void bench_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static volatile unsigned bench_none; /* 0, which the compiler does not know */

static void *bench_thread(void *argument)
{
	struct bench_thread *thread = (struct bench_thread *)argument;
	uint64_t executions = 0, sum = 0;
	const unsigned none = bench_none;
	unsigned i = (unsigned)thread->cpu * 7;

	bench_pin(thread->cpu);
	while (atomic_load_explicit(thread->phase, memory_order_acquire) == 0)
		;
	while (atomic_load_explicit(thread->phase, memory_order_relaxed) == 1) {
		for (unsigned k = 0; k < BENCH_BATCH; k++) {
			uint64_t value = thread->path(thread->objects, i % BENCH_OBJECTS);

			/* The next object depends on what this one gave, as in a walk: misses do not overlap.
			 */
			i = i * 5 + 1 + ((unsigned)value & none);
			sum += value;
		}
		executions += BENCH_BATCH;
	}
	thread->executions = executions;
	thread->sum = sum;
	return NULL;
}

static double bench_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Nanoseconds for one execution of each path, in one slice; write NULL: the reader is alone. */
static void bench_slice(const struct bench_layout *layout, bench_path write, double *read_ns, double *write_ns)
{
	atomic_int phase = 0;
	struct bench_thread threads[2] = { { layout->read, layout->objects, 0, &phase, 0, 0 },
					   { write, layout->objects, 1, &phase, 0, 0 } };
	pthread_t ids[2];
	int count = write ? 2 : 1;

	for (int i = 0; i < count; i++)
		pthread_create(&ids[i], NULL, bench_thread, &threads[i]);
	usleep(1000);
	double start = bench_now();
	atomic_store_explicit(&phase, 1, memory_order_release);
	usleep(BENCH_SLICE_US);
	atomic_store_explicit(&phase, 2, memory_order_release);
	double elapsed = bench_now() - start;
	for (int i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
	*read_ns = elapsed / (double)threads[0].executions;
	*write_ns = write ? elapsed / (double)threads[1].executions : 0;
}

static int bench_compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* Prints median, quartiles of the values as JSON. */
static void bench_print(const char *name, double *values, const char *end)
{
	qsort(values, BENCH_ROUNDS, sizeof *values, bench_compare);
	printf("  \"%s\": [%.3f, %.3f, %.3f]%s\n", name, values[BENCH_ROUNDS / 4], values[BENCH_ROUNDS / 2],
	       values[3 * BENCH_ROUNDS / 4], end);
}

/* A line that two CPUs write in turn: what a transfer costs on this machine, in nanoseconds. The least of many
 * short games: in the others something else ran. */
enum { BENCH_GAMES = 200, BENCH_THROWS = 200 };
static _Alignas(BENCH_LINE) atomic_uint bench_ball;

static void *bench_pong(void *argument)
{
	(void)argument;
	bench_pin(1);
	for (unsigned i = 0; i < BENCH_GAMES * BENCH_THROWS; i++) {
		while (atomic_load(&bench_ball) != 2 * i + 1)
			;
		atomic_store(&bench_ball, 2 * i + 2);
	}
	return NULL;
}

static double bench_transfer_ns(void)
{
	double least = 1e9;
	unsigned i = 0;
	pthread_t id;

	atomic_store(&bench_ball, 0);
	bench_pin(0);
	pthread_create(&id, NULL, bench_pong, NULL);
	for (unsigned game = 0; game < BENCH_GAMES; game++) {
		double start = bench_now();

		for (unsigned end = i + BENCH_THROWS; i < end; i++) {
			atomic_store(&bench_ball, 2 * i + 1);
			while (atomic_load(&bench_ball) != 2 * i + 2)
				;
		}
		double each = (bench_now() - start) / (2 * BENCH_THROWS);
		least = each < least ? each : least;
	}
	pthread_join(id, NULL);
	return least;
}

static int bench_run(struct bench_layout before, struct bench_layout after)
{
	struct bench_layout *layouts[2] = { &before, &after };
	static double read[2][BENCH_ROUNDS], write[2][BENCH_ROUNDS], ratio[2][BENCH_ROUNDS];
	double alone = 0, once, unused;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
		fprintf(stderr, "bench: it takes two CPUs\n");
		return 77;
	}
	for (int i = 0; i < 2; i++) {
		size_t size = BENCH_OBJECTS * ((layouts[i]->size + BENCH_LINE - 1) / BENCH_LINE * BENCH_LINE);

		layouts[i]->objects = aligned_alloc(BENCH_LINE, size);
		memset(layouts[i]->objects, 0, size);
	}
	/* The least of some: in the others something else ran. */
	for (int i = 0; i < BENCH_ALONE; i++) {
		bench_slice(&before, NULL, &once, &unused);
		alone = i == 0 || once < alone ? once : alone;
	}
	for (int round = 0; round < BENCH_ROUNDS; round++) {
		for (int i = 0; i < 2; i++)
			bench_slice(layouts[i], layouts[i]->write, &read[i][round], &write[i][round]);
		ratio[0][round] = read[0][round] / read[1][round];
		ratio[1][round] = write[0][round] / write[1][round];
	}
	printf("{\n  \"transfer_ns\": %.1f,\n  \"read_alone_ns\": %.3f,\n", bench_transfer_ns(), alone);
	bench_print("read_before_ns", read[0], ",");
	bench_print("read_after_ns", read[1], ",");
	bench_print("write_before_ns", write[0], ",");
	bench_print("write_after_ns", write[1], ",");
	bench_print("read_ratio", ratio[0], ",");
	bench_print("write_ratio", ratio[1], "");
	printf("}\n");
	free(before.objects);
	free(after.objects);
	return 0;
}

/* Where object i lies in an array whose elements each start on a line. */
#define BENCH_OBJECT(type, objects, i) \
	((type *)((char *)(objects) +  \
		  (size_t)(i) * ((sizeof(type) + BENCH_LINE - 1) / BENCH_LINE * BENCH_LINE)))

#endif

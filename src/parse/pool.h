/*
 * Worker processes for tasks that may crash, hang or use up memory: the caller's process is forked, so that the
 * work sees all that the caller has read, and nothing that it does is seen by the caller but its answers.
 *
 * It knows nothing of what the tasks are. Workers are forked when rs_pool_run() begins and are gone when it
 * returns; a worker that dies costs the task that it was at, and another takes its place. A program with
 * several threads may call it as long as no other thread is inside libclang at that moment.
 */
#ifndef RS_PARSE_POOL_H
#define RS_PARSE_POOL_H

#include "base/builder.h"

struct rs_pool_answer {
	const char *data; /* size bytes; valid during the call that hands it over */
	size_t size;
	const char *problem; /* NULL: the task was done; else why there is no answer, in words for the user */
};

struct rs_pool {
	size_t n_tasks;
	size_t n_jobs;                /* workers at a time; 0: as many as there are processors */
	unsigned timeout_ms;          /* for one task; 0: none */
	size_t max_tasks;             /* of one worker, which then makes room for a new one; 0: any number */
	size_t max_growth_bytes;      /* by which a worker's resident memory may have grown, likewise; 0: any */
	void *context;                /* of all the functions */
	void (*start)(void *context); /* once in each worker; NULL: nothing */
	void (*run)(void *context, size_t task, struct rs_builder *answer); /* in a worker */
	/* In the caller, as answers come in, in whatever order. False: no further task is begun; those that
	 * are being done, among them all before this one, still come in. */
	bool (*take)(void *context, size_t task, const struct rs_pool_answer *answer);
};

void rs_pool_run(const struct rs_pool *pool);
/* What n_jobs of 0 means. At least 1. */
size_t rs_pool_processors(void);

#endif

#include "input.h"
#include <pthread.h>
#include <stdlib.h>
#include <stdio.h>
static int compare(const void *a, const void *b)
{
	const struct job *x = a, *y = b;
	return (x->value > y->value) - (x->value < y->value);
}
static void *work(void *arg)
{
	struct job *job = arg;
	job->state = 1;
	return arg;
}
static int by_pointer(const void *a, const void *b)
{
	return compare(*(struct job *const *)a, *(struct job *const *)b);
}
int main(void)
{
	struct job jobs[3] = { { 1, 9, 0 }, { 2, 4, 0 }, { 3, 6, 0 } },
		   *sorted[3] = { jobs, jobs + 1, jobs + 2 };
	pthread_t thread;
	void *back;
	char text[32];
	qsort(sorted, 3, sizeof sorted[0], by_pointer);
	qsort(jobs, 3, sizeof jobs[0], compare);
	if (pthread_create(&thread, NULL, work, &jobs[1]) || pthread_join(thread, &back))
		return 2;
	snprintf(text, sizeof text, "%p", (void *)&jobs[0]);
	return !(((struct job *)back)->state && jobs[0].value == 4 && jobs[2].value == 9 &&
		 sorted[0] == jobs + 1);
}

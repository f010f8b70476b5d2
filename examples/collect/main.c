#include <stdio.h>
#include <stdlib.h>

#include "conn.h"

enum { N_CONNS = 256, N_READERS = 3, N_LOOKUPS = 20000, N_INPUTS = 6000 };

static struct conn_table table = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *read_all(void *argument)
{
	unsigned seed = *(unsigned *)argument;

	for (unsigned i = 0; i < N_LOOKUPS; i++) {
		seed = seed * 1103515245u + 12345u;
		struct conn *c = conn_lookup(&table, (seed >> 16) % (N_CONNS + 8), i);

		if (c)
			conn_put(c);
	}
	return NULL;
}

static void *write_all(void *argument)
{
	(void)argument;
	for (unsigned i = 0; i < N_INPUTS; i++) {
		pthread_mutex_lock(&table.lock);
		struct conn *c = table.buckets[i % CONN_BUCKETS];
		if (c)
			conn_input(c, i % 150);
		pthread_mutex_unlock(&table.lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t readers[N_READERS], writer;
	unsigned seeds[N_READERS];

	conn_table_fill(&table, N_CONNS);
	for (unsigned i = 0; i < N_READERS; i++) {
		seeds[i] = i + 1;
		if (pthread_create(&readers[i], NULL, read_all, &seeds[i]))
			abort();
	}
	if (pthread_create(&writer, NULL, write_all, NULL))
		abort();
	for (unsigned i = 0; i < N_READERS; i++)
		pthread_join(readers[i], NULL);
	pthread_join(writer, NULL);
	printf("%llu bytes\n", (unsigned long long)conn_table_sum(&table));
	conn_table_free(&table);
	return 0;
}

/* For the runtime: objects of two threads, shared and not; what may go wrong with allocations and stacks. */
#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct own { /* one a thread: 72 bytes */
	long key, count;
	char name[56];
};

struct shared { /* one for all: 88 bytes */
	long key, hits;
	long refs;
	char name[64];
};

struct many { /* more than there is room for: 40 bytes */
	long value, other;
	char name[24];
};

enum { N_ROUNDS = 1000, N_MANY = 300000 };

static struct shared *shared;
static jmp_buf out;
static pthread_barrier_t both;

static int is_ours(const struct own *own, long key)
{
	return own->key == key;
}

static void count(struct own *own)
{
	own->count++;
}

/* A comparison in a function of its own, and what follows it, are one visit of this function. */
static void serve(struct own *own, long key)
{
	if (is_ours(own, key))
		count(own);
}

static void set_name(struct own *own)
{
	memset(own->name, 'x', sizeof own->name);
}

/* All of it is setting up. */
static struct own *make_own(long key)
{
	struct own *own = malloc(sizeof *own);

	if (!own)
		abort();
	set_name(own);
	own->key = key;
	own->count = 0;
	return own;
}

static void drop(struct own *own)
{
	if (own->count > 0)
		free(own);
}

static void leave_by_a_jump(struct shared *by)
{
	by->hits++;
	longjmp(out, 1);
}

static void *work(void *argument)
{
	long key = (long)argument;
	struct own *own = make_own(key);

	pthread_barrier_wait(&both);
	for (int i = 0; i < N_ROUNDS; i++) {
		serve(own, i % 2 ? key : -1);
		__atomic_fetch_add(&shared->refs, 1, __ATOMIC_RELAXED);
	}
	drop(own);
	return NULL;
}

static long jump(void)
{
	for (volatile int i = 0; i < N_ROUNDS; i++)
		if (!setjmp(out))
			leave_by_a_jump(shared);
	return shared->hits;
}

static int use_allocator(void)
{
	struct many *many = malloc(sizeof *many);
	size_t usable = malloc_usable_size(many);

	many->value = 7;
	many = reallocarray(many, 2, sizeof *many);
	int kept = many && many[0].value == 7 && usable >= sizeof *many && malloc_usable_size(NULL) == 0;
	many = realloc(many, sizeof *many);
	free(many);
	return kept;
}

static long fill(void)
{
	struct many **all = calloc(N_MANY, sizeof *all);
	long sum = 0;

	for (int i = 0; i < N_MANY; i++) {
		all[i] = calloc(1, sizeof **all);
		all[i]->value = i;
	}
	for (int i = 0; i < N_MANY; i++) {
		sum += all[i]->value;
		free(all[i]);
	}
	free(all);
	return sum;
}

int main(void)
{
	pthread_t threads[2];
	int status;

	shared = calloc(1, sizeof *shared);
	pthread_barrier_init(&both, NULL, 2);
	for (long i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, work, (void *)(i + 1)))
			abort();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	if (jump() != N_ROUNDS || !use_allocator() || fill() != (long)N_MANY * (N_MANY - 1) / 2)
		return 1;
	pid_t child = fork();
	if (child == 0) {
		shared->hits = 0;
		exit(0);
	}
	return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

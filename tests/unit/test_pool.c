/* Worker processes: every task is answered once, in whatever way its worker ends. */
#include "scratch.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "base/arena.h"
#include "parse/pool.h"

enum { MAX_TASKS = 600 };

enum deed { ANSWER, ANSWER_LARGE, ANSWER_NOTHING, CRASH, LEAVE, HANG, TELL_PID };

/* What the tasks do and what came of them. */
struct story {
	enum deed deeds[MAX_TASKS];
	unsigned n_answers[MAX_TASKS];
	char *answers[MAX_TASKS];
	char problems[MAX_TASKS][80];
	size_t n_taken, stop_at;
	int n_started; /* in this process */
};

static struct story story;

static void start(void *context)
{
	((struct story *)context)->n_started++;
}

static void fill(struct rs_builder *answer, size_t size)
{
	for (size_t i = 0; i < size; i++)
		rs_builder_appendc(answer, (char)('a' + i % 26));
}

static void run(void *context, size_t task, struct rs_builder *answer)
{
	const struct story *told = (const struct story *)context;

	switch (told->deeds[task]) {
	case ANSWER:
		rs_builder_printf(answer, "%zu", task);
		break;
	case ANSWER_LARGE:
		fill(answer, 3000000);
		break;
	case ANSWER_NOTHING:
		break;
	case CRASH:
		raise(SIGKILL);
		break;
	case LEAVE:
		_exit(7);
	case HANG:
		for (;;)
			pause();
	case TELL_PID:
		rs_builder_printf(answer, "%d %d", (int)getpid(), told->n_started);
		break;
	}
}

static bool take(void *context, size_t task, const struct rs_pool_answer *answer)
{
	struct story *told = (struct story *)context;

	told->n_answers[task]++;
	told->n_taken++;
	if (answer->problem)
		snprintf(told->problems[task], sizeof told->problems[task], "%s", answer->problem);
	else
		told->answers[task] = strndup(answer->size ? answer->data : "", answer->size);
	return told->n_taken != told->stop_at;
}

static int setup(void **state)
{
	(void)state;
	story = (struct story) { 0 };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	for (size_t i = 0; i < MAX_TASKS; i++)
		free(story.answers[i]);
	/* No worker is left. */
	return waitpid(-1, NULL, WNOHANG) == -1 ? 0 : -1;
}

static void run_pool(size_t n_tasks, size_t n_jobs)
{
	rs_pool_run(&(struct rs_pool) { .n_tasks = n_tasks,
					.n_jobs = n_jobs,
					.context = &story,
					.start = start,
					.run = run,
					.take = take });
}

static void expect_answers(size_t n_tasks)
{
	for (size_t i = 0; i < n_tasks; i++) {
		char expected[32];

		snprintf(expected, sizeof expected, "%zu", i);
		assert_int_equal(story.n_answers[i], 1);
		if (story.deeds[i] == ANSWER)
			assert_string_equal(story.answers[i], expected);
	}
	assert_int_equal(story.n_taken, n_tasks);
}

static void all_tasks_are_done(void **state)
{
	static const size_t jobs[] = { 1, 2, 3, 16, 0 };

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(jobs); i++) {
		run_pool(MAX_TASKS, jobs[i]);
		expect_answers(MAX_TASKS);
		assert_int_equal(story.n_started, 0);
		teardown(NULL);
		setup(NULL);
	}
}

static void no_task_needs_no_worker(void **state)
{
	(void)state;
	run_pool(0, 4);
	assert_int_equal(story.n_taken, 0);
}

static void answers_of_any_size(void **state)
{
	(void)state;
	story.deeds[0] = story.deeds[3] = ANSWER_LARGE;
	story.deeds[1] = ANSWER_NOTHING;
	run_pool(5, 2);
	expect_answers(5);
	assert_int_equal(strlen(story.answers[0]), 3000000);
	assert_string_equal(story.answers[0], story.answers[3]);
	assert_string_equal(story.answers[1], "");
}

static void a_crash_costs_one_task(void **state)
{
	(void)state;
	for (size_t i = 0; i < 40; i++)
		story.deeds[i] = i % 4 == 1 ? CRASH : i % 4 == 3 ? LEAVE : ANSWER;
	run_pool(40, 3);
	expect_answers(40);
	for (size_t i = 0; i < 40; i++)
		assert_string_equal(story.problems[i], i % 4 == 1   ? "the parser crashed (signal 9)"
						       : i % 4 == 3 ? "the parser ended with status 7"
								    : "");
}

static void a_hanging_worker_is_killed(void **state)
{
	(void)state;
	story.deeds[0] = story.deeds[2] = HANG;
	rs_pool_run(&(struct rs_pool) {
		.n_tasks = 6, .n_jobs = 2, .timeout_ms = 1500, .context = &story, .run = run, .take = take });
	expect_answers(6);
	assert_string_equal(story.problems[0], "the parser took longer than 2 seconds");
	assert_string_equal(story.problems[2], story.problems[0]);
	assert_string_equal(story.problems[1], "");
}

static size_t count_workers(size_t n_tasks)
{
	size_t count = 0;

	for (size_t i = 0; i < n_tasks; i++) {
		bool is_new = true;

		for (size_t j = 0; j < i; j++)
			is_new = is_new && strcmp(story.answers[i], story.answers[j]) != 0;
		assert_string_equal(strchr(story.answers[i], ' '), " 1");
		count += is_new;
	}
	return count;
}

static void workers_make_room_for_new_ones(void **state)
{
	static const struct {
		size_t max_tasks, max_growth_bytes, n_workers;
	} rows[] = { { 0, 0, 1 }, { 3, 0, 4 }, { 1, 0, 10 } };

	(void)state;
	for (size_t r = 0; r < RS_COUNT_OF(rows); r++) {
		for (size_t i = 0; i < 10; i++)
			story.deeds[i] = TELL_PID;
		rs_pool_run(&(struct rs_pool) { .n_tasks = 10,
						.n_jobs = 1,
						.max_tasks = rows[r].max_tasks,
						.context = &story,
						.start = start,
						.run = run,
						.take = take });
		assert_int_equal(count_workers(10), rows[r].n_workers);
		teardown(NULL);
		setup(NULL);
	}
}

static void grow(void *context, size_t task, struct rs_builder *answer)
{
	volatile char *memory = (volatile char *)malloc(16 << 20);

	for (size_t i = 0; i < (16 << 20); i += 512)
		memory[i] = 1;
	run(context, task, answer);
}

static void a_worker_that_grows_makes_room(void **state)
{
	(void)state;
	for (size_t i = 0; i < 8; i++)
		story.deeds[i] = TELL_PID;
	rs_pool_run(&(struct rs_pool) { .n_tasks = 8,
					.n_jobs = 1,
					.max_growth_bytes = 24 << 20,
					.context = &story,
					.start = start,
					.run = grow,
					.take = take });
	assert_in_range(count_workers(8), 3, 5);
}

static void stopping_leaves_no_earlier_task_out(void **state)
{
	size_t last = 0;

	(void)state;
	story.stop_at = 5;
	run_pool(MAX_TASKS, 3);
	for (size_t i = 0; i < MAX_TASKS; i++)
		if (story.n_answers[i])
			last = i;
	assert_in_range(last, 4, 10);
	for (size_t i = 0; i <= last; i++)
		assert_int_equal(story.n_answers[i], 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_tasks_are_done),
		TEST(no_task_needs_no_worker),
		TEST(answers_of_any_size),
		TEST(a_crash_costs_one_task),
		TEST(a_hanging_worker_is_killed),
		TEST(workers_make_room_for_new_ones),
		TEST(a_worker_that_grows_makes_room),
		TEST(stopping_leaves_no_earlier_task_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "parse/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"

#define NO_TASK    SIZE_MAX
#define MAX_ANSWER ((uint64_t)1 << 32) /* more is a worker gone mad */

/* What stands before an answer. */
struct head {
	uint64_t size;
	uint64_t is_last; /* the worker ends behind it */
};

struct worker {
	pid_t pid; /* 0: there is none */
	int socket;
	size_t task;
	int64_t deadline_ms;
	struct rs_builder inbox;
};

struct run {
	const struct rs_pool *pool;
	struct worker *workers;
	size_t n_workers;
	size_t next; /* task */
	bool is_stopped;
};

size_t rs_pool_processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);

	return count > 0 ? (size_t)count : 1;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* --- the worker --- */

/* Pages that are in memory; 0 where the system does not tell. */
static size_t resident_bytes(void)
{
	char text[128], *resident = NULL;
	FILE *file = fopen("/proc/self/statm", "r");
	size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;

	text[size] = '\0';
	if (file)
		fclose(file);
	strtoul(text, &resident, 10); /* the first number is that of all pages */
	return strtoul(resident, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

static bool send_all(int to, const void *bytes, size_t size)
{
	const char *at = (const char *)bytes;

	while (size > 0) {
		ssize_t sent = send(to, at, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		at += sent;
		size -= (size_t)sent;
	}
	return true;
}

static bool receive_task(int from, uint64_t *ret_task)
{
	ssize_t size;

	do
		size = recv(from, ret_task, sizeof *ret_task, MSG_WAITALL);
	while (size < 0 && errno == EINTR);
	return size == sizeof *ret_task;
}

/* Nothing may run the caller's exit handlers or write out its buffers. */
static void end_without_memory(void)
{
	_exit(3);
}

/* A crash here is expected: it leaves no core, and libclang's word on it is not for the user. */
static void prepare_worker(void)
{
	const struct rlimit none = { 0 };

	setrlimit(RLIMIT_CORE, &none);
	rs_alloc_set_oom_handler(end_without_memory);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
#if !defined(__SANITIZE_ADDRESS__)
	int null = open("/dev/null", O_WRONLY);

	if (null >= 0 && dup2(null, STDERR_FILENO) >= 0)
		close(null);
#endif
}

static void __attribute__((noreturn)) work(const struct rs_pool *pool, int socket)
{
	size_t count = 0, before;
	uint64_t task;

	prepare_worker();
	if (pool->start)
		pool->start(pool->context);
	before = resident_bytes();
	while (receive_task(socket, &task)) {
		struct rs_builder answer;
		struct head head = { 0 };

		rs_builder_init(&answer);
		pool->run(pool->context, (size_t)task, &answer);
		count++;
		head.size = answer.length;
		head.is_last = (pool->max_tasks && count >= pool->max_tasks) ||
			       (pool->max_growth_bytes && resident_bytes() > before + pool->max_growth_bytes);
		if (!send_all(socket, &head, sizeof head) || !send_all(socket, answer.data, answer.length) ||
		    head.is_last)
			break;
		rs_builder_deinit(&answer);
	}
	_exit(0);
}

/* --- the caller --- */

/* The other workers' sockets must end with the caller, not with this worker. */
static void close_others(const struct run *run)
{
	for (size_t i = 0; i < run->n_workers; i++)
		if (run->workers[i].pid)
			close(run->workers[i].socket);
}

static bool begin_worker(struct run *run, struct worker *worker)
{
	int sockets[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0)
		return false;
	fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
	fcntl(sockets[1], F_SETFD, FD_CLOEXEC);
	pid_t pid = fork();
	if (pid == 0) {
		close(sockets[0]);
		close_others(run);
		work(run->pool, sockets[1]);
	}
	close(sockets[1]);
	if (pid < 0) {
		close(sockets[0]);
		return false;
	}
	worker->pid = pid;
	worker->socket = sockets[0];
	worker->task = NO_TASK;
	rs_builder_init(&worker->inbox);
	return true;
}

/* Gives what waitpid() says, or -1. */
static int end_worker(struct worker *worker)
{
	int status = -1;
	pid_t found;

	close(worker->socket);
	do
		found = waitpid(worker->pid, &status, 0);
	while (found < 0 && errno == EINTR);
	rs_builder_deinit(&worker->inbox);
	worker->pid = 0;
	return found < 0 ? -1 : status;
}

static void hand_over(struct run *run, size_t task, const struct rs_pool_answer *answer)
{
	if (!run->pool->take(run->pool->context, task, answer))
		run->is_stopped = true;
}

static void fail_task(struct run *run, size_t task, const char *problem)
{
	hand_over(run, task, &(struct rs_pool_answer) { .data = "", .problem = problem });
}

/* The worker has closed its side without an answer. */
static void bury(struct run *run, struct worker *worker)
{
	size_t task = worker->task;
	int status = end_worker(worker);
	char problem[64] = "the parser ended without a word";

	if (status != -1 && WIFSIGNALED(status))
		snprintf(problem, sizeof problem, "the parser crashed (signal %d)", WTERMSIG(status));
	else if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) != 0)
		snprintf(problem, sizeof problem, "the parser ended with status %d", WEXITSTATUS(status));
	if (task != NO_TASK)
		fail_task(run, task, problem);
}

static void kill_hanging(struct run *run, struct worker *worker)
{
	char problem[64];
	size_t task = worker->task;

	snprintf(problem, sizeof problem, "the parser took longer than %u seconds",
		 (run->pool->timeout_ms + 999) / 1000);
	kill(worker->pid, SIGKILL);
	end_worker(worker);
	fail_task(run, task, problem);
}

/* Gives the worker the next task, or ends it when there is none. */
static void feed(struct run *run, struct worker *worker)
{
	uint64_t task = run->next;

	if (run->is_stopped || run->next >= run->pool->n_tasks) {
		end_worker(worker);
		return;
	}
	worker->task = run->next++;
	worker->deadline_ms = now_ms() + run->pool->timeout_ms;
	if (!send_all(worker->socket, &task, sizeof task))
		bury(run, worker);
}

static void take_answer(struct run *run, struct worker *worker, const struct head *head)
{
	const struct rs_pool_answer answer = { .data = worker->inbox.data + sizeof *head,
					       .size = (size_t)head->size };
	size_t task = worker->task;

	worker->task = NO_TASK;
	hand_over(run, task, &answer);
	worker->inbox.length = 0;
	if (head->is_last)
		end_worker(worker);
	else
		feed(run, worker);
}

static void receive(struct run *run, struct worker *worker)
{
	char bytes[65536];
	struct head head;
	ssize_t size = recv(worker->socket, bytes, sizeof bytes, MSG_DONTWAIT);

	if (size < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (size <= 0) {
		bury(run, worker);
		return;
	}
	rs_builder_append(&worker->inbox, bytes, (size_t)size);
	if (worker->inbox.length < sizeof head)
		return;
	memcpy(&head, worker->inbox.data, sizeof head);
	if (head.size > MAX_ANSWER) {
		kill(worker->pid, SIGKILL);
		bury(run, worker);
	} else if (worker->inbox.length >= sizeof head + head.size) {
		take_answer(run, worker, &head);
	}
}

/* Fills the empty places as long as there are tasks for them. */
static void begin_workers(struct run *run)
{
	bool has_any = false;

	for (size_t i = 0; i < run->n_workers; i++) {
		struct worker *worker = &run->workers[i];

		if (!worker->pid && !run->is_stopped && run->next < run->pool->n_tasks &&
		    begin_worker(run, worker))
			feed(run, worker);
		has_any = has_any || worker->pid;
	}
	while (!has_any && !run->is_stopped && run->next < run->pool->n_tasks)
		fail_task(run, run->next++, "no process could be started for the parser");
}

static void wait_for_answers(struct run *run, struct pollfd *polled)
{
	int64_t soonest = INT64_MAX, now = now_ms();
	int wait_ms = -1;

	for (size_t i = 0; i < run->n_workers; i++) {
		const struct worker *worker = &run->workers[i];

		polled[i] = (struct pollfd) { .fd = worker->pid ? worker->socket : -1, .events = POLLIN };
		if (worker->pid && worker->deadline_ms < soonest)
			soonest = worker->deadline_ms;
	}
	if (run->pool->timeout_ms)
		wait_ms = soonest > now ? (int)(soonest - now) : 0;
	if (poll(polled, run->n_workers, wait_ms) < 0)
		return;
	now = now_ms();
	for (size_t i = 0; i < run->n_workers; i++)
		if (run->workers[i].pid && polled[i].revents)
			receive(run, &run->workers[i]);
		else if (run->workers[i].pid && run->pool->timeout_ms && now >= run->workers[i].deadline_ms)
			kill_hanging(run, &run->workers[i]);
}

static bool is_busy(const struct run *run)
{
	for (size_t i = 0; i < run->n_workers; i++)
		if (run->workers[i].pid)
			return true;
	return false;
}

void rs_pool_run(const struct rs_pool *pool)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	struct run run = { .pool = pool, .n_workers = pool->n_jobs ? pool->n_jobs : rs_pool_processors() };

	if (run.n_workers > pool->n_tasks)
		run.n_workers = pool->n_tasks;
	run.workers = rs_arena_array(arena, struct worker, run.n_workers);
	struct pollfd *polled = rs_arena_array(arena, struct pollfd, run.n_workers);
	for (begin_workers(&run); is_busy(&run); begin_workers(&run))
		wait_for_answers(&run, polled);
}

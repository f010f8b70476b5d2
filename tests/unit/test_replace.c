#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "base/replace.h"
#include "base/settle.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

static const char *const names[] = { "w/a", "w/in/b", "w/in/deep/c" };
enum { N_FILES = 3 };

static void make_files(struct rs_replacement *replacements)
{
	assert_int_equal(scratch_run("rm -rf w && mkdir -p w/in/deep"), 0);
	for (size_t i = 0; i < N_FILES; i++) {
		scratch_write(names[i], TEXT("old"));
		replacements[i] = (struct rs_replacement) { .path = scratch_path(names[i]),
							    .expected_hash = rs_hash_bytes("old", 3),
							    .text = "newer",
							    .size = 5 };
	}
}

static void expect_nothing_else(void)
{
	assert_int_equal(scratch_run("test $(find w ! -type d | wc -l) = %d", N_FILES), 0);
}

/* How many of the files are new; one that is neither the old nor the new text fails the test. */
static size_t count_new(void)
{
	size_t count = 0;

	for (size_t i = 0; i < N_FILES; i++) {
		char *text = scratch_read(names[i], NULL);

		count += strcmp(text, "newer") == 0;
		if (strcmp(text, "newer") != 0 && strcmp(text, "old") != 0)
			fail_msg("%s is '%s'", names[i], text);
		free(text);
	}
	return count;
}

static struct rs_error *settle(size_t *ret_notes)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const char *paths[] = { scratch_path(names[2]), scratch_path(names[0]) };
	struct rs_notes notes;

	rs_notes_init(&notes, arena);
	struct rs_error *error = rs_settle_above(paths, 2, &notes);
	if (ret_notes)
		*ret_notes = notes.n_items;
	return error;
}

/* Kills the process, or sends it another signal, at the countdown-th step; links can be forbidden besides. */
static int kill_countdown, kill_signal;
static bool forbids_links;

static int kill_hook(enum rs_file_step step, const char *path)
{
	(void)path;
	if (--kill_countdown == 0)
		raise(kill_signal);
	return forbids_links && step == RS_FILE_LINK ? EPERM : 0;
}

static int replace_all(void)
{
	struct rs_replacement replacements[N_FILES];

	for (size_t i = 0; i < N_FILES; i++)
		replacements[i] = (struct rs_replacement) { .path = scratch_path(names[i]),
							    .expected_hash = rs_hash_bytes("old", 3),
							    .text = "newer",
							    .size = 5 };
	RS_CLEANUP(rs_error_destroyp)
	struct rs_error *error = rs_replace_files(replacements, N_FILES);
	return error ? 1 : 0;
}

static int settle_all(void)
{
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = settle(NULL);

	return error ? 1 : 0;
}

/* Runs the function in a process of its own; gives what wait() says. */
static int run_and_kill(int (*run)(void), int countdown, int signal_number)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		kill_countdown = countdown;
		kill_signal = signal_number;
		rs_file_set_fault(kill_hook);
		_exit(run());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static bool was_killed(int status, int signal_number)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == signal_number;
}

/* Whatever the moment: every file is whole, and the next run leaves all of them old or all of them new. */
static void kill_at_every_step(bool without_links)
{
	struct rs_replacement replacements[N_FILES];
	size_t n_halves = 0;
	int step = 1;

	forbids_links = without_links;
	for (;; step++) {
		make_files(replacements);
		int status = run_and_kill(replace_all, step, SIGKILL);
		if (!was_killed(status, SIGKILL))
			break;
		size_t n_new = count_new();
		size_t n_notes;

		n_halves += n_new > 0 && n_new < N_FILES;
		assert_null(settle(&n_notes));
		assert_int_equal(count_new(), n_new == N_FILES ? N_FILES : 0);
		expect_nothing_else();
		if (n_new > 0)
			assert_true(n_notes > 0);
		assert_null(settle(&n_notes));
		assert_int_equal(n_notes, 0);
	}
	assert_int_equal(count_new(), N_FILES);
	expect_nothing_else();
	assert_true(step > 20);
	assert_true(n_halves >= 2);
}

static void killed_at_every_step(void **state)
{
	(void)state;
	kill_at_every_step(false);
	kill_at_every_step(true);
}

/* Settling may be killed, too. */
static void killed_while_settling(void **state)
{
	struct rs_replacement replacements[N_FILES];
	int n_kills = 0;

	(void)state;
	forbids_links = false;
	for (int step = 1; step < 60; step++)
		for (int second = 1; second < 20; second++) {
			make_files(replacements);
			if (!was_killed(run_and_kill(replace_all, step, SIGKILL), SIGKILL))
				return assert_true(n_kills > 20);
			size_t n_new = count_new();
			if (n_new == 0 && step % 5 != 0)
				break; /* nothing is to be put back: now and then is enough */
			bool killed = was_killed(run_and_kill(settle_all, second, SIGKILL), SIGKILL);
			count_new();
			assert_null(settle(NULL));
			assert_int_equal(count_new(), n_new == N_FILES ? N_FILES : 0);
			expect_nothing_else();
			n_kills += killed;
			if (!killed)
				break;
		}
	fail_msg("it never ends");
}

/* A signal that can wait is waited for: nothing stays half done, and then the process ends by it. */
static void interrupted_at_every_step(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct rs_replacement replacements[N_FILES];

	(void)state;
	forbids_links = false;
	for (int step = 1;; step++) {
		int signal_number = signals[step % (int)RS_COUNT_OF(signals)];

		make_files(replacements);
		int status = run_and_kill(replace_all, step, signal_number);
		size_t n_new = count_new();
		expect_nothing_else();
		if (WIFEXITED(status)) {
			assert_int_equal(n_new, N_FILES);
			assert_true(step > 20);
			return;
		}
		assert_true(was_killed(status, signal_number));
		assert_true(n_new == 0 || n_new == N_FILES);
	}
}

static void ignored_signals_stop_nothing(void **state)
{
	struct rs_replacement replacements[N_FILES];

	(void)state;
	make_files(replacements);
	void (*before)(int) = signal(SIGHUP, SIG_IGN);
	int status = run_and_kill(replace_all, 6, SIGHUP);
	signal(SIGHUP, before);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_int_equal(count_new(), N_FILES);
}

/* Kills at the moment when some are new and some old. */
static void leave_half(void)
{
	struct rs_replacement replacements[N_FILES];
	size_t n_new = 0;

	for (int step = 1; n_new == 0; step++) {
		make_files(replacements);
		assert_true(was_killed(run_and_kill(replace_all, step, SIGKILL), SIGKILL));
		n_new = count_new();
	}
	assert_int_equal(n_new, 1);
}

/* What somebody did meanwhile is never undone. */
static void edited_after_the_kill(void **state)
{
	(void)state;
	leave_half();
	scratch_write("w/a", TEXT("newer, and mine"));
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = settle(NULL);
	assert_non_null(error);
	assert_int_equal(error->code, RS_ERROR_CHANGED);
	assert_string_equal(error->path, scratch_path("w/a"));
	assert_non_null(strstr(error->message, ".restruct-journal"));
	scratch_expect("w/a", TEXT("newer, and mine"));
	scratch_expect("w/in/b", TEXT("old"));
	/* By hand, as the message says. */
	scratch_write("w/a", TEXT("old"));
	assert_null(settle(NULL));
	assert_int_equal(count_new(), 0);
	expect_nothing_else();
}

/* A file that was not reached yet may be edited: the others are put back all the same. */
static void edited_before_it_was_reached(void **state)
{
	(void)state;
	leave_half();
	scratch_write("w/in/deep/c", TEXT("mine"));
	assert_null(settle(NULL));
	scratch_expect("w/a", TEXT("old"));
	scratch_expect("w/in/b", TEXT("old"));
	scratch_expect("w/in/deep/c", TEXT("mine"));
	expect_nothing_else();
}

/* Without its backup a file cannot be put back: then the others are brought forward. */
static void lost_backups(void **state)
{
	(void)state;
	leave_half();
	assert_int_equal(scratch_run("find w -maxdepth 1 -name '.restruct-[0-9a-f]*-*' -delete"), 0);
	assert_null(settle(NULL));
	assert_int_equal(count_new(), N_FILES);
	expect_nothing_else();
}

/* A journal says which files are removed and renamed: not everybody's is believed. */
static void foreign_journals(void **state)
{
	struct rs_replacement replacements[N_FILES];
	size_t n_notes;

	(void)state;
	leave_half();
	assert_int_equal(chmod(scratch_path("w/.restruct-journal"), 0666), 0);
	assert_null(settle(&n_notes));
	assert_int_equal(n_notes, 0);
	assert_int_equal(count_new(), 1);
	make_files(replacements);
	scratch_write("precious", TEXT("x"));
	scratch_write("w/.restruct-journal", TEXT("restruct-journal 1\0"
						  "0\0"
						  "0\0"
						  "../precious\0"
						  ".restruct-1\0"
						  ".restruct-2\0"
						  "end"));
	assert_int_equal(chmod(scratch_path("w/.restruct-journal"), 0600), 0);
	assert_null(settle(NULL));
	scratch_expect("precious", TEXT("x"));
	expect_nothing_else();
}

/* A run that is still at work holds its journal. */
static int wait_in_the_middle(enum rs_file_step step, const char *path)
{
	size_t n_notes;

	if (step != RS_FILE_RENAME || !strstr(path, "w/in/b"))
		return 0;
	rs_file_set_fault(NULL);
	assert_null(settle(&n_notes));
	assert_int_equal(n_notes, 0);
	assert_int_equal(replace_all(), 1);
	assert_int_equal(count_new(), 1);
	return 0;
}

static void two_at_work(void **state)
{
	struct rs_replacement replacements[N_FILES];

	(void)state;
	make_files(replacements);
	rs_file_set_fault(wait_in_the_middle);
	assert_null(rs_replace_files(replacements, N_FILES));
	rs_file_set_fault(NULL);
	assert_int_equal(count_new(), N_FILES);
	expect_nothing_else();
}

/* The journal cannot be written: nothing was begun. */
static int no_journal(enum rs_file_step step, const char *path)
{
	(void)path;
	return step == RS_FILE_JOURNAL && --kill_countdown == 0 ? ENOSPC : 0;
}

static void no_room_for_the_journal(void **state)
{
	struct rs_replacement replacements[N_FILES];

	(void)state;
	for (int step = 1; step <= 2; step++) {
		make_files(replacements);
		kill_countdown = step;
		rs_file_set_fault(no_journal);
		RS_CLEANUP(rs_error_destroyp)
		struct rs_error *error = rs_replace_files(replacements, N_FILES);
		rs_file_set_fault(NULL);
		assert_non_null(error);
		assert_non_null(strstr(error->message, "No space left"));
		assert_int_equal(count_new(), 0);
		expect_nothing_else();
	}
}

/* The kernel itself fails the write of the last file half-way, as a full disk would. */
static void no_room_for_the_last(void **state)
{
	struct rs_replacement replacements[N_FILES];
	static char block[100000];
	struct rlimit before, low;

	(void)state;
	make_files(replacements);
	replacements[2].text = block;
	replacements[2].size = sizeof block;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	low = before;
	low.rlim_cur = 5000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = rs_replace_files(replacements, N_FILES);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "File too large"));
	assert_int_equal(count_new(), 0);
	expect_nothing_else();
}

/* One file under two paths, also by a second hard link, is no set. */
static void one_file_by_two_names(void **state)
{
	struct rs_replacement replacements[N_FILES];

	(void)state;
	make_files(replacements);
	assert_int_equal(scratch_run("ln -f w/a w/in/b"), 0);
	RS_CLEANUP(rs_error_destroyp) struct rs_error *error = rs_replace_files(replacements, N_FILES);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "the same file as"));
	assert_int_equal(count_new(), 0);
	expect_nothing_else();
}

static void what_belongs_to_a_file_is_kept(void **state)
{
	struct rs_replacement replacements[N_FILES];
	struct stat status;
	char value[8] = "";

	(void)state;
	make_files(replacements);
	assert_int_equal(chmod(scratch_path("w/a"), 0640), 0);
	assert_int_equal(scratch_run("ln w/a second && ln -sf ../a w/in/link"), 0);
	int code = setxattr(scratch_path("w/a"), "user.note", "mine", 4, 0) < 0 ? errno : 0;
	replacements[0].path = scratch_path("w/in/link");
	assert_null(rs_replace_files(replacements, N_FILES));
	assert_int_equal(count_new(), N_FILES);
	assert_int_equal(stat(scratch_path("w/a"), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
	assert_int_equal(status.st_nlink, 1);
	assert_int_equal(lstat(scratch_path("w/in/link"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	scratch_expect("second", TEXT("old"));
	assert_int_equal(getxattr(scratch_path("w/a"), "user.note", value, sizeof value), code ? -1 : 4);
	assert_true(code == 0 || code == ENOTSUP || code == EPERM);
}

int main(void)
{
	/* Whoever starts the tests may have turned one off, as nohup does. */
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_at_every_step),
		cmocka_unit_test(killed_while_settling),
		cmocka_unit_test(interrupted_at_every_step),
		cmocka_unit_test(ignored_signals_stop_nothing),
		cmocka_unit_test(edited_after_the_kill),
		cmocka_unit_test(edited_before_it_was_reached),
		cmocka_unit_test(lost_backups),
		cmocka_unit_test(foreign_journals),
		cmocka_unit_test(two_at_work),
		cmocka_unit_test(no_room_for_the_journal),
		cmocka_unit_test(no_room_for_the_last),
		cmocka_unit_test(one_file_by_two_names),
		cmocka_unit_test(what_belongs_to_a_file_is_kept),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}

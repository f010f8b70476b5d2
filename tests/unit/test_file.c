#include "scratch.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/replace.h"
#include "base/settle.h"

#define TEXT(literal) (literal), sizeof(literal) - 1

static void expect_io_error(struct rs_error *error, const char *path, const char *part)
{
	assert_non_null(error);
	if (error->code != RS_ERROR_IO || !strstr(error->message, part))
		fail_msg("got: %s", error->message);
	assert_string_equal(error->path, path);
	rs_error_destroy(error);
}

static void files_are_read_whole(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	char *text;
	size_t size;

	scratch_write("r", TEXT("a\0b\n"));
	assert_null(rs_file_read(arena, scratch_path("r"), &text, &size));
	assert_int_equal(size, 4);
	assert_memory_equal(text, "a\0b\n", 5);
	scratch_write("e", "", 0);
	assert_null(rs_file_read(arena, scratch_path("e"), &text, &size));
	assert_int_equal(size, 0);
	assert_string_equal(text, "");
	/* A file whose size is not told beforehand. */
	assert_null(rs_file_read(arena, "/proc/self/status", &text, &size));
	assert_int_equal(strlen(text), size);
	assert_true(size > 0);
	assert_null(rs_file_read(arena, "/dev/null", &text, &size));
	assert_int_equal(size, 0);
}

static void what_is_no_file_is_refused(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	char *text = NULL;
	size_t size = 77;

	assert_int_equal(mkdir(scratch_path("dir"), 0777), 0);
	assert_int_equal(mkfifo(scratch_path("fifo"), 0666), 0);
	expect_io_error(rs_file_read(arena, scratch_path("dir"), &text, &size), scratch_path("dir"),
			"cannot read: Is a directory");
	expect_io_error(rs_file_read(arena, scratch_path("fifo"), &text, &size), scratch_path("fifo"),
			"not a regular file");
	expect_io_error(rs_file_read(arena, scratch_path("none"), &text, &size), scratch_path("none"),
			"cannot read: No such file");
	expect_io_error(rs_file_read(arena, "", &text, &size), "", "No such file");
	expect_io_error(rs_file_write(scratch_path("dir"), "x", 1), scratch_path("dir"), "Is a directory");
	expect_io_error(rs_file_write(scratch_path("fifo"), "x", 1), scratch_path("fifo"),
			"not a regular file");
	expect_io_error(rs_file_write(scratch_path("no/dir/x"), "x", 1), scratch_path("no/dir/x"),
			"No such file");
	expect_io_error(rs_file_write("/dev/full", "x", 1), "/dev/full", "No space left");
	assert_null(rs_file_write("/dev/null", "x", 1));
	assert_null(text);
	assert_int_equal(size, 77);
}

static void huge_files_are_refused(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	char *text;
	size_t size;

	scratch_write("huge", "", 0);
	assert_int_equal(truncate(scratch_path("huge"), (off_t)3 << 30), 0);
	expect_io_error(rs_file_read(arena, scratch_path("huge"), &text, &size), scratch_path("huge"), "2 GiB");
	assert_int_equal(unlink(scratch_path("huge")), 0);
}

static void pipes_are_read_to_their_end(void **state)
{
	(void)state;
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	char *text, path[40];
	size_t size;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		struct timespec pause = { 0, 20000000 };
		static char block[50000];

		close(ends[0]);
		for (int i = 0; i < 4; i++) {
			nanosleep(&pause, NULL);
			memset(block, 'a' + i, sizeof block);
			if (write(ends[1], block, sizeof block) != sizeof block)
				_exit(1);
		}
		_exit(0);
	}
	close(ends[1]);
	snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
	assert_null(rs_file_read(arena, path, &text, &size));
	assert_int_equal(size, 200000);
	assert_true(text[0] == 'a' && text[199999] == 'd');
	close(ends[0]);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* Files in the folder, by their number: temporaries would show. */
static void expect_only(unsigned count)
{
	char expected[16];

	assert_int_equal(scratch_run("ls -A w | wc -l | tr -d ' ' > count"), 0);
	snprintf(expected, sizeof expected, "%u\n", count);
	scratch_expect("count", expected, strlen(expected));
}

static void fresh_folder(void)
{
	assert_int_equal(scratch_run("rm -rf w && mkdir w"), 0);
}

static mode_t mode_of(const char *name)
{
	struct stat status;

	assert_int_equal(stat(scratch_path(name), &status), 0);
	return status.st_mode & 07777;
}

static void writing_makes_and_replaces(void **state)
{
	mode_t mask = umask(027);

	(void)state;
	fresh_folder();
	assert_null(rs_file_write(scratch_path("w/new"), TEXT("one")));
	umask(mask);
	scratch_expect("w/new", TEXT("one"));
	assert_int_equal(mode_of("w/new"), 0640);
	assert_int_equal(chmod(scratch_path("w/new"), 0755), 0);
	assert_null(rs_file_write(scratch_path("w/new"), TEXT("")));
	scratch_expect("w/new", TEXT(""));
	assert_int_equal(mode_of("w/new"), 0755);
	expect_only(1);
}

static void links_are_followed(void **state)
{
	struct stat status;

	(void)state;
	fresh_folder();
	assert_int_equal(
		scratch_run("mkdir w/sub && ln -s sub/real w/one && ln -s one w/two && ln -s loop w/loop"), 0);
	assert_null(
		rs_file_write(scratch_path("w/two"), TEXT("made"))); /* the file behind does not exist yet */
	scratch_expect("w/sub/real", TEXT("made"));
	assert_null(rs_file_write(scratch_path("w/two"), TEXT("again")));
	scratch_expect("w/sub/real", TEXT("again"));
	assert_int_equal(lstat(scratch_path("w/two"), &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	expect_io_error(rs_file_write(scratch_path("w/loop"), "x", 1), scratch_path("w/loop"),
			"symbolic links");
	expect_only(4);
}

static void read_only_files_stay(void **state)
{
	(void)state;
	fresh_folder();
	scratch_write("w/ro", TEXT("old"));
	assert_int_equal(chmod(scratch_path("w/ro"), 0444), 0);
	/* Root may write anything, so it steps aside. */
	uid_t user = geteuid();
	assert_int_equal(chmod(scratch_path("w"), 0777) | chmod(scratch_root, 0755), 0);
	assert_int_equal(user ? 0 : seteuid(65534), 0);
	struct rs_error *error = rs_file_write(scratch_path("w/ro"), "x", 1);
	assert_int_equal(seteuid(user), 0);
	expect_io_error(error, scratch_path("w/ro"), "Permission denied");
	scratch_expect("w/ro", TEXT("old"));
	expect_only(1);
}

/* The kernel itself fails the write half-way. */
static void write_beyond_the_limit(void **state)
{
	struct rlimit before, low;
	static char block[100000];

	(void)state;
	fresh_folder();
	scratch_write("w/f", TEXT("old"));
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	low = before;
	low.rlim_cur = 5000;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	struct rs_error *error = rs_file_write(scratch_path("w/f"), block, sizeof block);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	expect_io_error(error, scratch_path("w/f"), "File too large");
	scratch_expect("w/f", TEXT("old"));
	expect_only(1);
}

static struct rs_replacement replace(const char *name, const char *before, const char *after)
{
	return (struct rs_replacement) { .path = scratch_path(name),
					 .expected_hash = rs_hash_bytes(before, strlen(before)),
					 .text = after,
					 .size = strlen(after) };
}

static void three_files(struct rs_replacement *replacements)
{
	static const char *const names[] = { "w/a", "w/b", "w/c" };

	fresh_folder();
	for (size_t i = 0; i < 3; i++) {
		scratch_write(names[i], TEXT("old"));
		replacements[i] = replace(names[i], "old", "newer");
	}
	assert_int_equal(chmod(scratch_path("w/b"), 0751), 0);
}

static void expect_three(const char *text)
{
	scratch_expect("w/a", text, strlen(text));
	scratch_expect("w/b", text, strlen(text));
	scratch_expect("w/c", text, strlen(text));
	assert_int_equal(mode_of("w/b"), 0751);
}

static void replacing_several(void **state)
{
	struct rs_replacement replacements[3];

	(void)state;
	three_files(replacements);
	assert_null(rs_replace_files(replacements, 3));
	expect_three("newer");
	expect_only(3);
	assert_null(rs_replace_files(replacements, 0));
}

static void expect_changed(struct rs_error *error, const char *path)
{
	assert_non_null(error);
	assert_int_equal(error->code, RS_ERROR_CHANGED);
	assert_string_equal(error->path, path);
	rs_error_destroy(error);
}

static void changed_files_stop_all(void **state)
{
	struct rs_replacement replacements[3];

	(void)state;
	three_files(replacements);
	scratch_write("w/c", TEXT("mine"));
	expect_changed(rs_replace_files(replacements, 3), scratch_path("w/c"));
	scratch_expect("w/a", TEXT("old"));
	scratch_expect("w/b", TEXT("old"));
	scratch_expect("w/c", TEXT("mine"));
	expect_only(3);
	assert_int_equal(unlink(scratch_path("w/c")), 0);
	expect_io_error(rs_replace_files(replacements, 3), scratch_path("w/c"), "No such file");
	scratch_expect("w/a", TEXT("old"));
	expect_only(2);
}

static void one_file_named_twice(void **state)
{
	struct rs_replacement replacements[3];

	(void)state;
	three_files(replacements);
	assert_int_equal(scratch_run("ln -s a w/link"), 0);
	replacements[2] = replace("w/link", "old", "other");
	expect_io_error(rs_replace_files(replacements, 3), scratch_path("w/link"), "the same file as");
	expect_three("old");
	expect_only(4);
}

/* A fault plan: the countdown-th step of that kind fails. */
static enum rs_file_step fault_step;
static int fault_countdown, fault_code;

static int fault(enum rs_file_step step, const char *path)
{
	(void)path;
	return step == fault_step && --fault_countdown == 0 ? fault_code : 0;
}

static struct rs_error *replace_with_fault(enum rs_file_step step, int countdown, int code, bool *ret_happened)
{
	struct rs_replacement replacements[3];

	three_files(replacements);
	fault_step = step;
	fault_countdown = countdown;
	fault_code = code;
	rs_file_set_fault(fault);
	struct rs_error *error = rs_replace_files(replacements, 3);
	rs_file_set_fault(NULL);
	*ret_happened = fault_countdown <= 0;
	return error;
}

/* Whatever step fails, for whichever file: every file is as it was, and nothing else is in the folder. */
static void any_fault_leaves_all_as_it_was(void **state)
{
	static const enum rs_file_step steps[] = { RS_FILE_READ, RS_FILE_CREATE, RS_FILE_WRITE,
						   RS_FILE_MODE, RS_FILE_SYNC,   RS_FILE_RENAME };
	static const int codes[] = { EIO, ENOSPC, EACCES, EROFS };

	(void)state;
	for (size_t i = 0; i < RS_COUNT_OF(steps); i++) {
		int n_faults = 0;

		for (bool happened = true; happened;) {
			int code = codes[n_faults % (int)RS_COUNT_OF(codes)];
			RS_CLEANUP(rs_error_destroyp)
			struct rs_error *error = replace_with_fault(steps[i], n_faults + 1, code, &happened);

			n_faults += happened;
			assert_int_equal(error != NULL, happened);
			if (error)
				assert_non_null(strstr(error->message, strerror(code)));
			expect_three(happened ? "old" : "newer");
			expect_only(3);
		}
		assert_true(n_faults >= 3);
	}
}

static void interrupted_calls_are_repeated(void **state)
{
	bool happened;

	(void)state;
	assert_null(replace_with_fault(RS_FILE_WRITE, 2, EINTR, &happened));
	assert_true(happened);
	expect_three("newer");
	assert_null(replace_with_fault(RS_FILE_READ, 2, EINTR, &happened));
	assert_null(replace_with_fault(RS_FILE_SYNC, 2, EINVAL, &happened));
	expect_three("newer");
	expect_only(3);
}

/* Without hard links the backup is a copy, and putting back works all the same. */
static int fault_links_and_third_rename(enum rs_file_step step, const char *path)
{
	static int n_renames;

	(void)path;
	if (step == RS_FILE_LINK)
		return EPERM;
	return step == RS_FILE_RENAME && ++n_renames == 3 ? EIO : 0;
}

static void backups_without_links(void **state)
{
	struct rs_replacement replacements[3];

	(void)state;
	three_files(replacements);
	rs_file_set_fault(fault_links_and_third_rename);
	struct rs_error *error = rs_replace_files(replacements, 3);
	rs_file_set_fault(NULL);
	expect_io_error(error, scratch_path("w/c"), "Input/output error");
	expect_three("old");
	expect_only(3);
}

static int fault_rename_and_restore(enum rs_file_step step, const char *path)
{
	bool is_b = strcmp(rs_path_basename(path), "b") == 0, is_c = strcmp(rs_path_basename(path), "c") == 0;

	return (step == RS_FILE_RENAME && is_c) || (step == RS_FILE_RESTORE && is_b) ? EIO : 0;
}

static void settle(void)
{
	RS_CLEANUP(rs_arena_destroyp) struct rs_arena *arena = rs_arena_create();
	const char *path = scratch_path("w/a");
	struct rs_notes notes;

	rs_notes_init(&notes, arena);
	assert_null(rs_settle_above(&path, 1, &notes));
	assert_int_equal(notes.n_items, 1);
}

/* The worst case: the old text is still there, the message says where, and the next run puts it back. */
static void failing_to_put_back_is_told(void **state)
{
	struct rs_replacement replacements[3];

	(void)state;
	three_files(replacements);
	rs_file_set_fault(fault_rename_and_restore);
	struct rs_error *error = rs_replace_files(replacements, 3);
	rs_file_set_fault(NULL);
	assert_non_null(error);
	assert_non_null(strstr(error->message, "w/b could not be put back"));
	const char *backup = strstr(error->message, "is in ") + strlen("is in ");
	assert_int_equal(scratch_run("test \"$(cat '%.*s')\" = old", (int)strcspn(backup, ":"), backup), 0);
	rs_error_destroy(error);
	scratch_expect("w/a", TEXT("old"));
	scratch_expect("w/b", TEXT("newer"));
	scratch_expect("w/c", TEXT("old"));
	expect_only(5);
	settle();
	expect_three("old");
	expect_only(3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read_whole),
		cmocka_unit_test(what_is_no_file_is_refused),
		cmocka_unit_test(huge_files_are_refused),
		cmocka_unit_test(pipes_are_read_to_their_end),
		cmocka_unit_test(writing_makes_and_replaces),
		cmocka_unit_test(links_are_followed),
		cmocka_unit_test(read_only_files_stay),
		cmocka_unit_test(write_beyond_the_limit),
		cmocka_unit_test(replacing_several),
		cmocka_unit_test(changed_files_stop_all),
		cmocka_unit_test(one_file_named_twice),
		cmocka_unit_test(any_fault_leaves_all_as_it_was),
		cmocka_unit_test(interrupted_calls_are_repeated),
		cmocka_unit_test(backups_without_links),
		cmocka_unit_test(failing_to_put_back_is_told),
	};

	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}

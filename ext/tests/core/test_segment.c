/* Making, attaching and refusing segments. Each test has its own directory. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../core/base/lrd_clock.h"
#include "../../core/base/lrd_fault.h"
#include "../../core/shm/lrd_segment.h"

enum { SIZE = 64 * 1024 };

static char directory[] = "/tmp/larder-segment-XXXXXX";
static char path[64];
static char why[LRD_SEGMENT_WHY];

static lrd_segment_options options_for(const char *file)
{
	lrd_segment_options options = {
		.path = file,
		.size = SIZE,
		.base = LRD_SEGMENT_BASE,
		.stamp = "this build",
		.shape = { 4, 1024, 7, 9 },
	};
	return options;
}

static int make_directory(void **state)
{
	(void) state;
	return mkdtemp(directory) == NULL ? -1 : 0;
}

static int remove_directory(void **state)
{
	(void) state;
	return rmdir(directory);
}

static int name_file(void **state)
{
	(void) state;
	snprintf(path, sizeof path, "%s/segment", directory);
	return 0;
}

static int remove_file(void **state)
{
	(void) state;
	unlink(path);
	return 0;
}

static void make_ready_and_close(void)
{
	lrd_segment_options options = options_for(path);
	lrd_segment segment;
	options.size = SIZE - 1;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_OK);
	assert_true(segment.made && segment.body_size == SIZE - LRD_SEGMENT_PAGE);
	strcpy(segment.body, "laid out");
	lrd_segment_ready(&segment);
	lrd_segment_close(&segment);
}

/* Opens, expects this answer, a sentence that names the file, and nothing mapped. */
static void assert_refused(const lrd_segment_options *options, lrd_status expected)
{
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(options, &segment, why), expected);
	assert_non_null(strstr(why, options->path));
	assert_non_null(strchr(why, ';'));
	assert_null(segment.header);
	assert_int_equal(segment.lock, -1);
}

static void edit_file(off_t offset, const void *bytes, size_t size)
{
	int file = open(path, O_WRONLY);
	assert_true(file >= 0);
	assert_int_equal(pwrite(file, bytes, size, offset), size);
	close(file);
}

static void an_anonymous_one_is_at_its_base(void **state)
{
	(void) state;
	lrd_segment_options options = options_for(NULL);
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_OK);
	assert_ptr_equal(segment.header, (void *) LRD_SEGMENT_BASE);
	assert_int_equal(segment.header->base, LRD_SEGMENT_BASE);
	assert_true(segment.made && !segment.named && segment.shift == 0 && segment.lock == -1);
	assert_int_equal(segment.body_size, SIZE - LRD_SEGMENT_PAGE);
	assert_ptr_equal(segment.body, (char *) segment.header + LRD_SEGMENT_PAGE);
	for (size_t at = 0; at < segment.body_size; at++) {
		assert_int_equal(segment.body[at], 0);
	}
	lrd_segment_ready(&segment);
	assert_int_equal(lrd_segment_check(segment.header, SIZE, options.stamp, why), LRD_OK);
	lrd_segment_close(&segment);
	assert_null(segment.header);
}

static void an_anonymous_one_goes_elsewhere_when_its_base_is_taken(void **state)
{
	(void) state;
	lrd_segment_options options = options_for(NULL);
	lrd_segment first, second, third;
	assert_int_equal(lrd_segment_open(&options, &first, why), LRD_OK);
	assert_int_equal(lrd_segment_open(&options, &second, why), LRD_OK);
	assert_ptr_not_equal(first.header, second.header);
	assert_int_equal(second.header->base, (uintptr_t) second.header);
	assert_true(second.shift == 0);
	options.base = 0;
	assert_int_equal(lrd_segment_open(&options, &third, why), LRD_OK);
	assert_int_equal(third.header->base, (uintptr_t) third.header);
	assert_true(third.header->instance != second.header->instance);
	lrd_segment_close(&first);
	lrd_segment_close(&second);
	lrd_segment_close(&third);
}

static void an_anonymous_one_is_inherited(void **state)
{
	(void) state;
	lrd_segment_options options = options_for(NULL);
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_OK);
	pid_t child = fork();
	if (child == 0) {
		strcpy(segment.body, "from the child");
		_exit(0);
	}
	waitpid(child, NULL, 0);
	assert_string_equal(segment.body, "from the child");
	lrd_segment_close(&segment);
}

static void a_named_one_is_made_and_attached(void **state)
{
	(void) state;
	uint64_t before = lrd_clock_real_ms();
	make_ready_and_close();
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	assert_int_equal(status.st_size, SIZE);
	assert_true(status.st_blocks * 512 >= SIZE);
	lrd_segment_options options = options_for(path);
	options.size = 10 * SIZE;
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_OK);
	assert_string_equal(why, "");
	assert_true(!segment.made && segment.named && segment.shift == 0 && segment.lock == -1);
	assert_int_equal(segment.body_size, SIZE - LRD_SEGMENT_PAGE);
	assert_string_equal(segment.body, "laid out");
	assert_int_equal(segment.header->maker, getpid());
	assert_int_equal(segment.header->owner, geteuid());
	assert_memory_equal(segment.header->shape, options.shape, sizeof options.shape);
	assert_in_range(segment.header->made_ms, before, lrd_clock_real_ms());
	lrd_segment_close(&segment);
}

static void a_size_that_cannot_be_is_refused(void **state)
{
	(void) state;
	const size_t sizes[] = { 0, 1, LRD_SEGMENT_PAGE, SIZE_MAX, (size_t) PTRDIFF_MAX };
	for (size_t at = 0; at < sizeof sizes / sizeof sizes[0]; at++) {
		lrd_segment_options options = options_for(path);
		options.size = sizes[at];
		assert_refused(&options, LRD_SYSTEM);
		assert_int_equal(errno, EINVAL);
	}
	assert_int_not_equal(access(path, F_OK), 0);
	lrd_segment_options options = options_for(path);
	options.base = LRD_SEGMENT_BASE + 1;
	assert_refused(&options, LRD_SYSTEM);
}

/* A limit of file size is not run into, for the kernel would end the process by SIGXFSZ. */
static void no_room_leaves_nothing_behind(void **state)
{
	(void) state;
	lrd_segment_options options = options_for(path);
	struct rlimit kept, limit;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
	limit = (struct rlimit) { .rlim_cur = SIZE / 2, .rlim_max = kept.rlim_max };
	setrlimit(RLIMIT_FSIZE, &limit);
	lrd_segment segment;
	lrd_status answer = lrd_segment_open(&options, &segment, why);
	int error = errno;
	setrlimit(RLIMIT_FSIZE, &kept);
	assert_int_equal(answer, LRD_SYSTEM);
	assert_int_equal(error, EFBIG);
	assert_non_null(strstr(why, path));
	make_ready_and_close();
	unlink(path);
	/* More than any file system has. */
	options.size = (size_t) 1 << 50;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_SYSTEM);
	make_ready_and_close();
}

static void attach_only_makes_nothing(void **state)
{
	(void) state;
	lrd_segment_options options = options_for(path);
	options.attach_only = true;
	options.size = 0;
	assert_refused(&options, LRD_MISS);
	assert_int_not_equal(access(path, F_OK), 0);
	close(open(path, O_WRONLY | O_CREAT, 0600));
	assert_refused(&options, LRD_MISS);
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 0);
	make_ready_and_close();
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_OK);
	lrd_segment_close(&segment);
}

static void a_taken_base_is_a_move(void **state)
{
	(void) state;
	make_ready_and_close();
	void *squatter = mmap(
		(void *) LRD_SEGMENT_BASE, LRD_SEGMENT_PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	assert_ptr_equal(squatter, (void *) LRD_SEGMENT_BASE);
	lrd_segment_options options = options_for(path);
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_MOVED);
	assert_string_equal(why, "");
	assert_ptr_not_equal(segment.header, squatter);
	assert_true((intptr_t) segment.shift == (intptr_t) segment.header - (intptr_t) LRD_SEGMENT_BASE);
	assert_string_equal(segment.body, "laid out");
	assert_int_equal(segment.header->base, LRD_SEGMENT_BASE);
	lrd_segment_close(&segment);
	unlink(path);
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_MOVED);
	assert_true(segment.made && segment.lock >= 0 && segment.shift != 0);
	assert_int_equal(segment.header->base, LRD_SEGMENT_BASE);
	lrd_segment_ready(&segment);
	lrd_segment_close(&segment);
	munmap(squatter, LRD_SEGMENT_PAGE);
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_OK);
	assert_false(segment.made);
	lrd_segment_close(&segment);
}

static void a_base_of_nothing_is_anywhere(void **state)
{
	(void) state;
	lrd_segment_options options = options_for(path);
	options.base = 0;
	lrd_segment first, second;
	assert_int_equal(lrd_segment_open(&options, &first, why), LRD_OK);
	assert_int_equal(first.header->base, (uintptr_t) first.header);
	lrd_segment_ready(&first);
	assert_int_equal(lrd_segment_open(&options, &second, why), LRD_MOVED);
	assert_true((intptr_t) second.shift == (intptr_t) second.header - (intptr_t) first.header);
	lrd_segment_close(&second);
	lrd_segment_close(&first);
}

static void those_that_are_mapped_do_not_hold_up_others(void **state)
{
	(void) state;
	lrd_segment_options options = options_for(path);
	lrd_segment segments[3];
	uint64_t before = lrd_clock_monotonic_ns();
	assert_int_equal(lrd_segment_open(&options, &segments[0], why), LRD_OK);
	lrd_segment_ready(&segments[0]);
	assert_int_equal(lrd_segment_open(&options, &segments[1], why), LRD_MOVED);
	assert_int_equal(lrd_segment_open(&options, &segments[2], why), LRD_MOVED);
	assert_in_range(lrd_clock_monotonic_ns() - before, 0, 1000 * LRD_MS_NS);
	for (size_t at = 0; at < 3; at++) {
		lrd_segment_close(&segments[at]);
	}
}

static void another_builds_is_refused(void **state)
{
	(void) state;
	make_ready_and_close();
	lrd_segment_options options = options_for(path);
	options.stamp[LRD_SEGMENT_STAMP - 1] ^= 1;
	assert_refused(&options, LRD_BAD_STAMP);
}

/* As a build of another version leaves it: it is not read, and not taken away from who uses it. */
static void another_layouts_is_refused(void **state)
{
	(void) state;
	make_ready_and_close();
	lrd_segment_options options = options_for(path);
	const uint32_t layouts[] = {LRD_SEGMENT_LAYOUT - 1, LRD_SEGMENT_LAYOUT + 1};
	for (size_t at = 0; at < sizeof layouts / sizeof layouts[0]; at++) {
		int file = open(path, O_RDWR);
		const off_t place = offsetof(lrd_segment_header, layout);
		assert_int_equal(pwrite(file, &layouts[at], sizeof layouts[at], place), sizeof layouts[at]);
		assert_refused(&options, LRD_BAD_SEGMENT);
		assert_non_null(strstr(why, "layout of another version"));
		uint32_t still;
		assert_int_equal(pread(file, &still, sizeof still, place), sizeof still);
		assert_int_equal(still, layouts[at]);
		close(file);
	}
}

static void one_open_to_others_is_refused(void **state)
{
	(void) state;
	make_ready_and_close();
	lrd_segment_options options = options_for(path);
	const mode_t modes[] = { 0644, 0610, 0602, 0601 };
	for (size_t at = 0; at < sizeof modes / sizeof modes[0]; at++) {
		assert_int_equal(chmod(path, modes[at]), 0);
		assert_refused(&options, LRD_BAD_OWNER);
	}
	unlink(path);
	int file = open(path, O_WRONLY | O_CREAT, 0600);
	fchmod(file, 0666);
	close(file);
	assert_refused(&options, LRD_BAD_OWNER);
}

static void another_users_is_refused(void **state)
{
	(void) state;
	make_ready_and_close();
	if (chown(path, geteuid() + 1, (gid_t) -1) != 0) {
		skip();
	}
	lrd_segment_options options = options_for(path);
	assert_refused(&options, LRD_BAD_OWNER);
}

enum { ROOT = 0, OWNER = 65534, OTHER = 65533, GROUP = 65532, STRANGERS = 65531 };

static lrd_segment_options options_of(lrd_segment_id owner, lrd_segment_id group)
{
	lrd_segment_options options = options_for(path);
	options.owner = owner;
	options.group = group;
	return options;
}

/* What open() says to a user: its status, or 100 if he made the segment. */
static int said_to(unsigned user, unsigned group, lrd_segment_options options)
{
	pid_t child = fork();
	if (child == 0) {
		lrd_segment segment;
		gid_t groups[] = { group };
		if (setgroups(1, groups) != 0 || setgid(user) != 0 || setuid(user) != 0) {
			_exit(99);
		}
		lrd_status status = lrd_segment_open(&options, &segment, why);
		if (status == LRD_OK && segment.made) {
			lrd_segment_ready(&segment);
			_exit(100);
		}
		_exit((int) status);
	}
	int status;
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static mode_t mode_of_file(unsigned owner, unsigned group)
{
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_uid, owner);
	assert_int_equal(status.st_gid, group);
	return status.st_mode & 0777;
}

static void the_owner_and_root_share_one_whoever_makes_it(void **state)
{
	(void) state;
	if (geteuid() != 0) {
		skip();
	}
	lrd_segment_options options = options_of((lrd_segment_id) {true, OWNER}, (lrd_segment_id) {0});
	assert_int_equal(chmod(directory, 0777), 0);
	const unsigned orders[][2] = { { ROOT, OWNER }, { OWNER, ROOT } };
	for (size_t at = 0; at < 2; at++) {
		assert_int_equal(said_to(OTHER, OTHER, options), LRD_MISS);
		assert_int_equal(said_to(orders[at][0], orders[at][0], options), 100);
		assert_int_equal(mode_of_file(OWNER, orders[at][0]), 0600);
		assert_int_equal(said_to(orders[at][1], orders[at][1], options), LRD_OK);
		assert_int_equal(said_to(OTHER, OTHER, options), LRD_BAD_OWNER);
		assert_int_equal(said_to(OTHER, OTHER, options_for(path)), LRD_BAD_OWNER);
		unlink(path);
	}
	/* A file that root made for himself is given away. */
	assert_int_equal(said_to(ROOT, ROOT, options_for(path)), 100);
	assert_int_equal(said_to(ROOT, ROOT, options), LRD_OK);
	assert_int_equal(said_to(OWNER, OWNER, options), LRD_OK);
	/* One that another user has put there is not. */
	unlink(path);
	assert_int_equal(said_to(OTHER, OTHER, options_for(path)), 100);
	assert_int_equal(said_to(ROOT, ROOT, options), LRD_BAD_OWNER);
	assert_int_equal(mode_of_file(OTHER, OTHER), 0600);
	chmod(directory, 0700);
}

static void a_group_joins(void **state)
{
	(void) state;
	if (geteuid() != 0) {
		skip();
	}
	lrd_segment_options options = options_of((lrd_segment_id) {true, OWNER}, (lrd_segment_id) {true, GROUP});
	assert_int_equal(chmod(directory, 0777), 0);
	assert_int_equal(said_to(OTHER, GROUP, options), LRD_MISS);
	assert_int_equal(said_to(OWNER, STRANGERS, options), LRD_BAD_OWNER);
	unlink(path);
	assert_int_equal(said_to(ROOT, ROOT, options), 100);
	assert_int_equal(mode_of_file(OWNER, GROUP), 0660);
	assert_int_equal(said_to(OTHER, GROUP, options), LRD_OK);
	assert_int_equal(said_to(OWNER, OWNER, options), LRD_OK);
	assert_int_equal(said_to(OTHER, STRANGERS, options), LRD_BAD_OWNER);
	options.group.id = STRANGERS;
	assert_int_equal(said_to(OWNER, STRANGERS, options), LRD_BAD_OWNER);
	unlink(path);
	/* Root's own, for a group. */
	options = options_of((lrd_segment_id) {0}, (lrd_segment_id) {true, GROUP});
	assert_int_equal(said_to(ROOT, ROOT, options), 100);
	assert_int_equal(mode_of_file(ROOT, GROUP), 0660);
	assert_int_equal(said_to(OTHER, GROUP, options), LRD_OK);
	/* What a stranger could write to is not believed, whoever it belongs to. */
	assert_int_equal(chmod(path, 0666), 0);
	assert_int_equal(said_to(OTHER, GROUP, options), LRD_BAD_OWNER);
	assert_int_equal(said_to(ROOT, ROOT, options), LRD_BAD_OWNER);
	chmod(directory, 0700);
}

static void what_is_not_a_regular_file_is_refused(void **state)
{
	(void) state;
	char other[sizeof path + 8];
	snprintf(other, sizeof other, "%s.other", path);
	close(open(other, O_WRONLY | O_CREAT, 0600));
	assert_int_equal(symlink(other, path), 0);
	lrd_segment_options options = options_for(path);
	assert_refused(&options, LRD_BAD_OWNER);
	unlink(path);
	unlink(other);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused(&options, LRD_BAD_OWNER);
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_SYSTEM);
	assert_int_equal(errno, EISDIR);
	rmdir(path);
	options.path = "/proc/there/is/no/such/place";
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_SYSTEM);
}

static void somebodys_file_named_by_mistake_is_left_alone(void **state)
{
	(void) state;
	char text[200] = "SQLite format 3";
	const size_t lengths[] = { 3, 8, 100, 200 };
	lrd_segment_options options = options_for(path);
	for (size_t at = 0; at < sizeof lengths / sizeof lengths[0]; at++) {
		close(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600));
		edit_file(0, text, lengths[at]);
		assert_refused(&options, LRD_BAD_SEGMENT);
		struct stat status;
		assert_int_equal(stat(path, &status), 0);
		assert_int_equal(status.st_size, lengths[at]);
	}
	assert_int_equal(truncate(path, SIZE), 0);
	assert_refused(&options, LRD_BAD_SEGMENT);
}

static void a_longer_one_is_refused(void **state)
{
	(void) state;
	make_ready_and_close();
	lrd_segment_options options = options_for(path);
	const off_t sizes[] = { SIZE + 1, SIZE + LRD_SEGMENT_PAGE };
	for (size_t at = 0; at < sizeof sizes / sizeof sizes[0]; at++) {
		assert_int_equal(truncate(path, sizes[at]), 0);
		assert_refused(&options, LRD_BAD_SEGMENT);
		assert_non_null(strstr(why, "remove it"));
	}
}

/* As another file, and those that have the old one mapped find it dead. */
static void a_truncated_one_is_made_anew(void **state)
{
	(void) state;
	const off_t sizes[] = { SIZE - 1, SIZE - LRD_SEGMENT_PAGE, LRD_SEGMENT_PAGE, LRD_SEGMENT_PAGE - 1,
		sizeof(lrd_segment_header), 20, 0 };
	for (size_t at = 0; at < sizeof sizes / sizeof sizes[0]; at++) {
		lrd_segment_options options = options_for(path);
		lrd_segment before, after;
		make_ready_and_close();
		assert_int_equal(lrd_segment_open(&options, &before, why), LRD_OK);
		assert_true(lrd_segment_is_alive(&before));
		assert_int_equal(truncate(path, sizes[at]), 0);
		assert_int_equal(lrd_segment_open(&options, &after, why), LRD_MOVED);
		assert_true(after.made);
		assert_false(lrd_segment_is_alive(&before));
		after.body[0] = 'y';
		assert_true(sizes[at] < 2 * (off_t) LRD_SEGMENT_PAGE || before.body[0] == 'l');
		assert_true(lrd_segment_ready(&after));
		assert_false(lrd_segment_is_alive(&before));
		lrd_segment_close(&before);
		lrd_segment_close(&after);
		unlink(path);
	}
}

/* What another build has made is its own to mend. */
static void a_truncated_one_of_another_build_is_refused(void **state)
{
	(void) state;
	make_ready_and_close();
	lrd_segment_options options = options_for(path);
	options.stamp[0] ^= 1;
	assert_int_equal(truncate(path, SIZE / 2), 0);
	assert_refused(&options, LRD_BAD_SEGMENT);
}

static void damage_to_any_byte_of_the_header_is_refused(void **state)
{
	(void) state;
	make_ready_and_close();
	lrd_segment_header kept;
	int file = open(path, O_RDONLY);
	assert_int_equal(read(file, &kept, sizeof kept), sizeof kept);
	close(file);
	lrd_segment_options options = options_for(path);
	for (size_t at = 0; at < sizeof kept; at++) {
		if (at >= offsetof(lrd_segment_header, ready) && at < offsetof(lrd_segment_header, size)) {
			continue;
		}
		uint8_t byte = (uint8_t) (((uint8_t *) &kept)[at] ^ 0x10);
		edit_file((off_t) at, &byte, 1);
		assert_refused(&options, LRD_BAD_SEGMENT);
		edit_file(0, &kept, sizeof kept);
	}
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_OK);
	lrd_segment_close(&segment);
}

static void a_long_path_leaves_room_for_the_remedy(void **state)
{
	(void) state;
	char name[4 * LRD_SEGMENT_WHY] = "/";
	for (size_t at = 1; at < sizeof name - 1; at++) {
		name[at] = at % 100 == 0 ? '/' : 'a';
	}
	lrd_segment_options options = options_for(name);
	options.attach_only = true;
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_MISS);
	assert_int_equal(strlen(why), LRD_SEGMENT_WHY - 1);
	assert_non_null(strstr(why, "start what makes it first"));
}

/* How a child that makes the segment ended; at == NULL: it dies between open and ready. */
static int kill_maker_at(const char *at)
{
	pid_t child = fork();
	if (child == 0) {
		if (at != NULL) {
			lrd_fault_arm(at, 1, SIGKILL);
		}
		lrd_segment_options options = options_for(path);
		lrd_segment segment;
		if (lrd_segment_open(&options, &segment, why) == LRD_OK) {
			memset(segment.body, 'x', segment.body_size);
			kill(getpid(), SIGKILL);
		}
		_exit(1);
	}
	int status;
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void a_dead_or_unfinished_makers_is_made_anew(void **state)
{
	(void) state;
	const char *points[] = { "segment_marked", "segment_mapped", NULL };
	for (size_t at = 0; at < sizeof points / sizeof points[0]; at++) {
		assert_int_equal(kill_maker_at(points[at]), SIGKILL);
		lrd_segment_options options = options_for(path);
		options.attach_only = true;
		assert_refused(&options, LRD_MISS);
		options.attach_only = false;
		lrd_segment segment;
		assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_OK);
		assert_true(segment.made);
		for (size_t byte = 0; byte < segment.body_size; byte++) {
			assert_int_equal(segment.body[byte], 0);
		}
		lrd_segment_close(&segment);
		make_ready_and_close();
		unlink(path);
	}
}

/* 64 children wait at a pipe for the start; each that finds a body other than the maker's exits with 3. */
static int attach_and_read(int start)
{
	char byte;
	if (read(start, &byte, 1) != 0) {
		return 2;
	}
	lrd_segment_options options = options_for(path);
	lrd_segment segment;
	if (lrd_segment_open(&options, &segment, why) != LRD_OK) {
		return 2;
	}
	if (segment.made) {
		for (size_t at = 0; at < segment.body_size; at += 1024) {
			segment.body[at] = 'b';
			usleep(100);
		}
		lrd_segment_ready(&segment);
		return 1;
	}
	for (size_t at = 0; at < segment.body_size; at += 1024) {
		if (segment.body[at] != 'b') {
			return 3;
		}
	}
	return 0;
}

static void of_many_at_once_exactly_one_makes_it(void **state)
{
	(void) state;
	int start[2], counts[4] = { 0 };
	pid_t children[64];
	assert_int_equal(pipe(start), 0);
	for (size_t at = 0; at < 64; at++) {
		children[at] = fork();
		if (children[at] == 0) {
			close(start[1]);
			_exit(attach_and_read(start[0]));
		}
	}
	close(start[1]);
	close(start[0]);
	for (size_t at = 0; at < 64; at++) {
		int status;
		waitpid(children[at], &status, 0);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 4);
		counts[WEXITSTATUS(status)]++;
	}
	assert_int_equal(counts[1], 1);
	assert_int_equal(counts[0], 63);
}

static void a_lock_that_is_never_given_back_costs_seconds_only(void **state)
{
	(void) state;
	make_ready_and_close();
	int file = open(path, O_RDWR);
	assert_int_equal(flock(file, LOCK_EX), 0);
	uint64_t before = lrd_clock_monotonic_ns();
	lrd_segment_options options = options_for(path);
	assert_refused(&options, LRD_SYSTEM);
	assert_int_equal(errno, ETIMEDOUT);
	assert_in_range(lrd_clock_monotonic_ns() - before, 4900 * LRD_MS_NS, 20000 * LRD_MS_NS);
	close(file);
}

/* The waiter gets the lock of a file that is not there any more, and makes a new one instead of using that. */
static void a_file_removed_while_it_was_waited_for_is_not_used(void **state)
{
	(void) state;
	make_ready_and_close();
	int file = open(path, O_RDWR | O_CLOEXEC);
	assert_int_equal(flock(file, LOCK_EX), 0);
	pid_t child = fork();
	if (child == 0) {
		close(file);
		lrd_segment_options options = options_for(path);
		lrd_segment segment;
		_exit(lrd_segment_open(&options, &segment, why) == LRD_OK && segment.made ? 0 : 1);
	}
	usleep(100000);
	unlink(path);
	close(file);
	int status;
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
}

static void the_file_is_not_left_open_for_another_program(void **state)
{
	(void) state;
	lrd_segment_options options = options_for(path);
	lrd_segment segment;
	assert_int_equal(lrd_segment_open(&options, &segment, why), LRD_OK);
	assert_int_equal(fcntl(segment.lock, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	int lock = segment.lock;
	lrd_segment_ready(&segment);
	assert_int_equal(segment.lock, -1);
	assert_int_equal(fcntl(lock, F_GETFD), -1);
	lrd_segment_close(&segment);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, name_file, remove_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_anonymous_one_is_at_its_base),
		TEST(an_anonymous_one_goes_elsewhere_when_its_base_is_taken),
		TEST(an_anonymous_one_is_inherited),
		TEST(a_named_one_is_made_and_attached),
		TEST(a_size_that_cannot_be_is_refused),
		TEST(no_room_leaves_nothing_behind),
		TEST(attach_only_makes_nothing),
		TEST(a_taken_base_is_a_move),
		TEST(a_base_of_nothing_is_anywhere),
		TEST(those_that_are_mapped_do_not_hold_up_others),
		TEST(another_builds_is_refused),
		TEST(another_layouts_is_refused),
		TEST(one_open_to_others_is_refused),
		TEST(another_users_is_refused),
		TEST(the_owner_and_root_share_one_whoever_makes_it),
		TEST(a_group_joins),
		TEST(what_is_not_a_regular_file_is_refused),
		TEST(somebodys_file_named_by_mistake_is_left_alone),
		TEST(a_longer_one_is_refused),
		TEST(a_truncated_one_is_made_anew),
		TEST(a_truncated_one_of_another_build_is_refused),
		TEST(damage_to_any_byte_of_the_header_is_refused),
		TEST(a_long_path_leaves_room_for_the_remedy),
		TEST(a_dead_or_unfinished_makers_is_made_anew),
		TEST(of_many_at_once_exactly_one_makes_it),
		TEST(a_lock_that_is_never_given_back_costs_seconds_only),
		TEST(a_file_removed_while_it_was_waited_for_is_not_used),
		TEST(the_file_is_not_left_open_for_another_program),
	};
	return cmocka_run_group_tests_name("segment", tests, make_directory, remove_directory);
}

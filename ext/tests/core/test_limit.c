/* The memory limit of control groups, by files as the kernel shows them, and a segment that is beyond it. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../core/base/lrd_limit.h"
#include "../../core/shm/lrd_segment.h"

static char directory[] = "/tmp/larder-limit-XXXXXX";
static const char *const files[] = {
	"groups", "memory.max", "a/memory.max", "a/b/memory.max", "memory/memory.limit_in_bytes",
	"memory/a/memory.limit_in_bytes", "segment",
};
static const char *const folders[] = {"a/b", "a", "memory/a", "memory"};
enum { FILES = sizeof files / sizeof files[0], FOLDERS = sizeof folders / sizeof folders[0] };

static const char *at(const char *name)
{
	static char path[128];
	snprintf(path, sizeof path, "%s/%s", directory, name);
	return path;
}

static int make_directory(void **state)
{
	(void) state;
	if (mkdtemp(directory) == NULL) {
		return -1;
	}
	int failed = 0;
	for (int folder = FOLDERS; folder-- > 0;) {
		failed |= mkdir(at(folders[folder]), 0700);
	}
	return failed;
}

static int remove_files(void **state)
{
	(void) state;
	for (int file = 0; file < FILES; file++) {
		unlink(at(files[file]));
	}
	unsetenv("LARDER_CGROUPS");
	return 0;
}

static int remove_directory(void **state)
{
	remove_files(state);
	for (int folder = 0; folder < FOLDERS; folder++) {
		rmdir(at(folders[folder]));
	}
	return rmdir(directory);
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(at(name), "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static uint64_t limit(void)
{
	char groups[128];
	snprintf(groups, sizeof groups, "%s", at("groups"));
	return lrd_limit_memory_in(groups, directory);
}

static void without_files_there_is_none(void **state)
{
	(void) state;
	assert_true(limit() == UINT64_MAX);
	put("groups", "");
	assert_true(limit() == UINT64_MAX);
	put("groups", "0::/a/b\n");
	assert_true(limit() == UINT64_MAX);
}

static void the_least_of_all_above_counts(void **state)
{
	(void) state;
	put("groups", "0::/a/b\n");
	put("a/b/memory.max", "max\n");
	assert_true(limit() == UINT64_MAX);
	put("a/memory.max", "3000\n");
	assert_int_equal(limit(), 3000);
	put("a/b/memory.max", "5000\n");
	assert_int_equal(limit(), 3000);
	put("a/b/memory.max", "1000\n");
	assert_int_equal(limit(), 1000);
	/* A container's own group is what it sees at the top, also where its name is that of the host. */
	put("memory.max", "500\n");
	assert_int_equal(limit(), 500);
	put("groups", "0::/system.slice/docker-1.scope\n");
	assert_int_equal(limit(), 500);
	put("groups", "0::/\n");
	assert_int_equal(limit(), 500);
}

static void version_1_has_a_folder_of_its_own(void **state)
{
	(void) state;
	put("groups", "9:name=systemd:/a\n5:cpu,memory:/a\n0::/\n");
	put("memory/memory.limit_in_bytes", "9223372036854771712\n");
	put("memory/a/memory.limit_in_bytes", "7000\n");
	assert_int_equal(limit(), 7000);
	put("groups", "5:cpu,memoryless:/a\n");
	assert_true(limit() == UINT64_MAX);
}

static void what_is_no_limit_is_none(void **state)
{
	(void) state;
	const char *const lines[] = {"0:", "::", "0::", "0::a", ":memory:", "1:memory", "\n\n", "0::/a\n"};
	const char *const values[] = {"", "-1\n", "12x\n", "99999999999999999999999\n", " 5\n", "max"};
	for (size_t line = 0; line < sizeof lines / sizeof lines[0]; line++) {
		put("groups", lines[line]);
		for (size_t value = 0; value < sizeof values / sizeof values[0]; value++) {
			put("a/memory.max", values[value]);
			put("memory/memory.limit_in_bytes", values[value]);
			assert_true(limit() == UINT64_MAX);
		}
	}
}

static void open_one(const char *path, lrd_status expected)
{
	lrd_segment_options options = {.path = path, .size = 64 * 1024, .stamp = "this build"};
	lrd_segment segment;
	char why[LRD_SEGMENT_WHY];
	assert_int_equal(lrd_segment_open(&options, &segment, why), expected);
	if (expected == LRD_OK) {
		assert_true(lrd_segment_ready(&segment));
	} else {
		assert_non_null(strstr(why, "memory limit of its container or control group, 65536"));
	}
	lrd_segment_close(&segment);
}

/* Refused before a page of it is touched; one page less than the limit is not. */
static void a_segment_beyond_it_is_refused(void **state)
{
	(void) state;
	char path[128];
	snprintf(path, sizeof path, "%s", at("segment"));
	setenv("LARDER_CGROUPS", directory, 1);
	put("groups", "0::/\n");
	put("memory.max", "65536\n");
	open_one(NULL, LRD_SYSTEM);
	open_one(path, LRD_SYSTEM);
	/* What it made was emptied: whoever has more room makes it. */
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 0);
	put("memory.max", "69632\n");
	open_one(NULL, LRD_OK);
	open_one(path, LRD_OK);
}

#define TEST(function) cmocka_unit_test_teardown(function, remove_files)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(without_files_there_is_none),
		TEST(the_least_of_all_above_counts),
		TEST(version_1_has_a_folder_of_its_own),
		TEST(what_is_no_limit_is_none),
		TEST(a_segment_beyond_it_is_refused),
	};
	return cmocka_run_group_tests_name("limit", tests, make_directory, remove_directory);
}

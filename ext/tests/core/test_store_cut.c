/*
 * The file of a named segment is cut under a process that uses it: at pages all over it, and before each kind of call.
 * What a call answers is right or a miss, what it does is refused, nothing crashes or hangs, and a new one is made.
 */
#define _GNU_SOURCE
#include "store_calls.h"
#include "../../core/shm/lrd_guard.h"
#include "../../core/shm/lrd_lock.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = LRD_SEGMENT_PAGE, SIZE = 96 * PAGE, LARGE = 9000, LOST = 2 };

static char directory[] = "/dev/shm/larder-cut-XXXXXX";
static char path[64];

static int make_directory(void **state)
{
	(void) state;
	if (mkdtemp(directory) == NULL) {
		return -1;
	}
	snprintf(path, sizeof path, "%s/segment", directory);
	return 0;
}

static int remove_directory(void **state)
{
	(void) state;
	return rmdir(directory);
}

static int remove_file(void **state)
{
	(void) state;
	unlink(path);
	return 0;
}

static lrd_store *open_named(void)
{
	lrd_store_options options = {
		.segment = {.path = path, .size = SIZE, .base = LRD_SEGMENT_BASE},
		.shards = 1,
		.slots = 8,
		.lock_ms = 200,
	};
	char why[LRD_SEGMENT_WHY];
	lrd_store *store;
	lrd_status status = lrd_store_open(&options, &store, why);
	return status == LRD_OK || status == LRD_MOVED ? store : NULL;
}

/* ---- the cuts ---- */

typedef struct cut {
	int pages;                  /* that are left */
	int first;                  /* the call that meets it first */
	bool filled;                /* or there are two keys only */
	bool pinned;
} cut;

static int run(const cut *cut)
{
	lrd_store *store = open_named();
	unsigned hits;
	if (store == NULL) {
		return 10;
	}
	for (int number = 0; number < (cut->filled ? KEYS : 2); number++) {
		fill_one(store, number);
	}
	if (cut->pinned && lrd_store_pin(store) != LRD_OK) {
		return 11;
	}
	if (truncate(path, (off_t) cut->pages * PAGE) != 0) {
		return 12;
	}
	for (int call = 0; call < CALLS; call++) {
		calls[(cut->first + call) % CALLS](store);
	}
	if (!all_are_right(store, &hits)) {
		return WRONG;
	}
	bool dead = !lrd_segment_is_alive(lrd_store_segment(store));
	if (dead && (hits > 0 || put_int(store, key("key0"), 0) != LRD_BAD_SEGMENT)) {
		return 13;
	}
	lrd_store_close(store);
	/* At the same place, and as good as new. */
	store = open_named();
	if (store == NULL || lrd_store_shift(store) != 0 || !all_are_right(store, &hits) || hits != 0
		|| put_int(store, key("key0"), 0) != LRD_OK || !all_are_right(store, &hits) || hits != 1) {
		return 14;
	}
	lrd_store_close(store);
	return dead ? LOST : 0;
}

static int end_of_cut(cut cut)
{
	pid_t child = fork();
	if (child == 0) {
		/* Of a hang the kernel makes an end. */
		setrlimit(RLIMIT_CPU, &(struct rlimit) {.rlim_cur = 20, .rlim_max = 20});
		signal(SIGPROF, SIG_DFL);
		_exit(run(&cut));
	}
	int end = end_of(child);
	unlink(path);
	return end;
}

static void cut_everywhere(bool filled, bool pinned, int step)
{
	unsigned lost = 0;
	for (int pages = 0; pages < SIZE / PAGE; pages += step) {
		for (int first = 0; first < CALLS; first++) {
			int end = end_of_cut((cut) {.pages = pages, .first = first, .filled = filled, .pinned = pinned});
			if (end != 0 && end != LOST) {
				fail_msg("cut to %d pages, first call %d: %d", pages, first, end);
			}
			lost += end == LOST;
		}
	}
	assert_true(lost > 0);
}

static void a_full_one_is_cut_anywhere(void **state)
{
	(void) state;
	cut_everywhere(true, false, 6);
}

static void an_empty_one_is_cut_anywhere(void **state)
{
	(void) state;
	cut_everywhere(false, false, 24);
}

static void a_pinned_one_is_cut_anywhere(void **state)
{
	(void) state;
	cut_everywhere(true, true, 19);
}

/* What was handed out stays memory that can be read, with zeros where the file has none. */
static void what_was_handed_out_can_still_be_read(void **state)
{
	(void) state;
	lrd_store *store = open_named();
	lrd_found found;
	assert_non_null(store);
	assert_int_equal(put_filled(store, key("key"), 'x', LARGE), LRD_OK);
	assert_int_equal(lrd_store_pin(store), LRD_OK);
	assert_int_equal(lrd_store_get(store, key("key"), &found), LRD_OK);
	assert_int_equal(truncate(path, 0), 0);
	for (uint32_t at = 0; at < found.size; at++) {
		assert_int_equal(found.bytes[at], 0);
	}
	assert_int_equal(lrd_store_get(store, key("key"), &found), LRD_MISS);
	lrd_store_unpin(store);
	lrd_store_close(store);
}

/* Of two that have it mapped one finds it cut and makes another; the second knows before it reads anything. */
static void all_that_have_it_mapped_learn_of_it(void **state)
{
	(void) state;
	lrd_store *first = open_named();
	lrd_found found;
	assert_non_null(first);
	assert_int_equal(put_int(first, key("key"), 1), LRD_OK);
	/* More than the first touches by itself. */
	assert_int_equal(truncate(path, SIZE - PAGE), 0);
	assert_int_equal(lrd_store_get(first, key("key"), &found), LRD_OK);
	lrd_store *second = open_named();
	assert_non_null(second);
	assert_int_equal(lrd_store_get(first, key("key"), &found), LRD_MISS);
	assert_int_equal(put_int(second, key("key"), 2), LRD_OK);
	assert_int_equal(lrd_store_delete(first, key("key")), LRD_BAD_SEGMENT);
	assert_int_equal(put_int(first, key("key"), 3), LRD_BAD_SEGMENT);
	assert_int(second, key("key"), 2);
	lrd_store_close(first);
	assert_int(second, key("key"), 2);
	lrd_store_close(second);
}

/* Zeros without a signal, and another segment in the place of this one. */
static void one_that_is_written_over_is_dead(void **state)
{
	(void) state;
	lrd_store *store = open_named();
	lrd_found found;
	assert_non_null(store);
	assert_int_equal(put_int(store, key("key"), 1), LRD_OK);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(truncate(path, SIZE), 0);
	assert_int_equal(lrd_store_get(store, key("key"), &found), LRD_MISS);
	assert_int_equal(put_int(store, key("key"), 1), LRD_BAD_SEGMENT);
	assert_null(open_named());
	lrd_store_close(store);
}

/* Who may not make it is told, and leaves it as it is. */
static void one_that_is_cut_is_refused_to_who_only_attaches(void **state)
{
	(void) state;
	lrd_store_close(open_named());
	assert_int_equal(truncate(path, SIZE / 2), 0);
	lrd_store_options options = {
		.segment = {.path = path, .size = SIZE, .base = LRD_SEGMENT_BASE, .attach_only = true},
		.shards = 1,
		.slots = 8,
	};
	char why[LRD_SEGMENT_WHY];
	lrd_store *store;
	assert_int_equal(lrd_store_open(&options, &store, why), LRD_BAD_SEGMENT);
	assert_non_null(strstr(why, "truncated"));
	struct stat status;
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, SIZE / 2);
}

/* ---- the handler ---- */

static volatile sig_atomic_t seen;

static void note(int number)
{
	seen += number == SIGBUS;
}

static void note_all(int number, siginfo_t *cause, void *context)
{
	(void) context;
	seen += number == SIGBUS && cause->si_code <= 0 ? 10 : 0;
}

static int bus_goes_to_the_one_before(lrd_store *unused, void *with)
{
	(void) unused;
	const struct sigaction *before = with;
	sigaction(SIGBUS, before, NULL);
	lrd_store *store = open_named();
	kill(getpid(), SIGBUS);
	int got = seen;
	lrd_store_close(store);
	struct sigaction now;
	sigaction(SIGBUS, NULL, &now);
	return now.sa_handler == before->sa_handler ? 20 + got : 99;
}

static struct sigaction below;

static void pass_on(int number, siginfo_t *cause, void *context)
{
	seen += 5;
	if ((below.sa_flags & SA_SIGINFO) != 0) {
		below.sa_sigaction(number, cause, context);
	}
}

/* A handler that was put in behind ours, and calls it, stays the outer one when a segment is opened anew. */
static int bus_goes_round_once(lrd_store *unused, void *with)
{
	(void) unused;
	(void) with;
	sigaction(SIGBUS, &(struct sigaction) {.sa_handler = note}, NULL);
	lrd_store *store = open_named();
	sigaction(SIGBUS, &(struct sigaction) {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO}, &below);
	lrd_store_close(store);
	store = open_named();
	kill(getpid(), SIGBUS);
	lrd_store_close(store);
	return 20 + seen;
}

#ifndef __SANITIZE_ADDRESS__
/* A file of the program's own that is cut, not a segment. */
static int foreign_mapping_ends_the_process(lrd_store *unused, void *with)
{
	(void) unused;
	(void) with;
	signal(SIGBUS, SIG_DFL);
	lrd_store *store = open_named();
	char other[sizeof path + 8];
	snprintf(other, sizeof other, "%s.other", path);
	int file = open(other, O_RDWR | O_CREAT, 0600);
	unlink(other);
	if (store == NULL || file < 0 || ftruncate(file, PAGE) != 0) {
		return 1;
	}
	volatile char *mapped = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, 0);
	return ftruncate(file, 0) == 0 && mapped[0] == 0 ? 2 : 3;
}
#endif

static int child_that(int (*body)(lrd_store *, void *), void *with)
{
	pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit) {0});
		_exit(body(NULL, with));
	}
	return end_of(child);
}

static void a_signal_that_is_not_ours_goes_on(void **state)
{
	(void) state;
	struct sigaction plain = {.sa_handler = note}, full = {.sa_sigaction = note_all, .sa_flags = SA_SIGINFO};
	struct sigaction ignored = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL};
	assert_int_equal(child_that(bus_goes_to_the_one_before, &plain), 21);
	assert_int_equal(child_that(bus_goes_to_the_one_before, &full), 30);
	assert_int_equal(child_that(bus_goes_to_the_one_before, &ignored), 20);
	assert_int_equal(child_that(bus_goes_to_the_one_before, &usual), -SIGBUS);
	assert_int_equal(child_that(bus_goes_round_once, NULL), 26);
#ifndef __SANITIZE_ADDRESS__
	assert_int_equal(child_that(foreign_mapping_ends_the_process, NULL), -SIGBUS);
#endif
}

static int told;

static void tell(void)
{
	told++;
}

static void who_asked_is_told(void **state)
{
	(void) state;
	lrd_store *store = open_named();
	lrd_found found;
	assert_non_null(store);
	lrd_store_tell_of_loss(tell);
	assert_int_equal(told, 0);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(lrd_store_get(store, key("key"), &found), LRD_MISS);
	assert_true(told > 0);
	lrd_store_tell_of_loss(NULL);
	lrd_store_close(store);
}

/* A child inherits mapping and handler, and its parent goes on without it. */
static int meet_in_child(lrd_store *store, void *with)
{
	(void) with;
	lrd_found found;
	return lrd_store_get(store, key("key"), &found) == LRD_MISS ? 0 : 1;
}

static void a_child_inherits_the_guard(void **state)
{
	(void) state;
	lrd_store *store = open_named();
	assert_non_null(store);
	assert_int_equal(put_int(store, key("key"), 1), LRD_OK);
	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(run_child(store, meet_in_child, NULL), 0);
	assert_int_equal(meet_in_child(store, NULL), 0);
	lrd_store_close(store);
}

/* Threads on handles of their own, one of which gets the cut under it all the time. */
static void *read_and_write(void *with)
{
	lrd_store *store = with;
	unsigned hits;
	uintptr_t wrong = 0;
	for (int round = 0; round < 2000 && lrd_segment_is_alive(lrd_store_segment(store)); round++) {
		wrong += !all_are_right(store, &hits);
		fill_one(store, round % KEYS);
	}
	lrd_store_close(store);
	return (void *) wrong;
}

static void threads_meet_the_cut_together(void **state)
{
	(void) state;
	for (int round = 0; round < 20; round++) {
		lrd_store *store = open_named();
		pthread_t threads[3];
		assert_non_null(store);
		for (int number = 0; number < KEYS; number++) {
			fill_one(store, number);
		}
		for (int at = 0; at < 3; at++) {
			assert_int_equal(pthread_create(&threads[at], NULL, read_and_write, lrd_store_join(store)), 0);
		}
		usleep(3000);
		assert_int_equal(truncate(path, (off_t) (round % 4) * SIZE / 4), 0);
		for (int at = 0; at < 3; at++) {
			void *wrong;
			pthread_join(threads[at], &wrong);
			assert_null(wrong);
		}
		lrd_store_close(store);
	}
}

/* ---- its locks ---- */

static void cut_all(int signal)
{
	(void) signal;
	if (truncate(path, 0) != 0) {
		_exit(12);
	}
}

/* A lock alone in a file, as a segment has it. */
static lrd_lock *open_lock(void)
{
	int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(file >= 0 && ftruncate(file, PAGE) == 0);
	lrd_lock *lock = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	assert_true(lock != MAP_FAILED && lrd_guard_add(lock, PAGE, lock));
	assert_int_equal(lrd_lock_init(lock), LRD_OK);
	return lock;
}

static void close_lock(lrd_lock *lock)
{
	lrd_guard_remove(lock);
	munmap(lock, PAGE);
}

/* Who dies with it leaves it to the next, which tells that the thread's list of locks is whole. */
static void assert_noticed_in_death(lrd_lock *lock)
{
	pid_t child = fork();
	if (child == 0) {
		_exit(lrd_lock_take(lock, 0) == LRD_OK ? 0 : 1);
	}
	assert_int_equal(end_of(child), 0);
	assert_int_equal(lrd_lock_take(lock, 0), LRD_OWNER_DIED);
	/* Given on as it was got, it is still to be repaired. */
	assert_true(lrd_lock_give(lock));
	assert_int_equal(lrd_lock_take(lock, 1000), LRD_OWNER_DIED);
	lrd_lock_repaired(lock);
	assert_true(lrd_lock_give(lock));
	assert_int_equal(lrd_lock_take(lock, 0), LRD_OK);
	assert_true(lrd_lock_give(lock));
}

static int lose_a_held_lock(lrd_store *store, void *with)
{
	(void) store;
	lrd_lock *other = with, *lock = open_lock();
	if (lrd_lock_take(lock, 0) != LRD_OK) {
		return 1;
	}
	cut_all(0);
	bool given = lrd_lock_give(lock);
	if (given || !lrd_lock_is_lost(lock) || lrd_lock_take(other, 0) != LRD_OK || !lrd_lock_give(other)) {
		return 2;
	}
	/* The lost one stays mapped, since the list still leads to it. */
	return lrd_lock_take(other, 0) == LRD_OK ? 0 : 3;
}

static void a_lock_is_lost_while_it_is_held(void **state)
{
	(void) state;
	lrd_lock *other = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(other != MAP_FAILED && lrd_lock_init(other) == LRD_OK);
	assert_int_equal(child_that(lose_a_held_lock, other), 0);
	/* The child ended with it. */
	assert_int_equal(lrd_lock_take(other, 0), LRD_OWNER_DIED);
	lrd_lock_repaired(other);
	assert_true(lrd_lock_give(other));
	assert_noticed_in_death(other);
	munmap(other, PAGE);
}

static int wait_for_a_lock_that_is_lost(lrd_store *store, void *with)
{
	(void) store;
	(void) with;
	lrd_lock *lock = open_lock();
	int held[2];
	char byte;
	if (pipe(held) != 0) {
		return 1;
	}
	pid_t holder = fork();
	if (holder == 0) {
		_exit(lrd_lock_take(lock, 0) == LRD_OK && write(held[1], "x", 1) == 1 && pause() ? 0 : 1);
	}
	if (read(held[0], &byte, 1) != 1) {
		return 2;
	}
	/* Between its look at the lock and its sleep. */
	signal(SIGUSR1, cut_all);
	lrd_fault_arm("waits", 1, SIGUSR1);
	lrd_status status = lrd_lock_take(lock, 60000);
	kill(holder, SIGKILL);
	waitpid(holder, NULL, 0);
	close_lock(lock);
	return status == LRD_TIMEOUT ? 0 : 3;
}

static void a_lock_is_lost_before_a_wait(void **state)
{
	(void) state;
	assert_int_equal(child_that(wait_for_a_lock_that_is_lost, NULL), 0);
}

#define TEST(function) cmocka_unit_test_teardown(function, remove_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_full_one_is_cut_anywhere),
		TEST(an_empty_one_is_cut_anywhere),
		TEST(a_pinned_one_is_cut_anywhere),
		TEST(what_was_handed_out_can_still_be_read),
		TEST(all_that_have_it_mapped_learn_of_it),
		TEST(one_that_is_written_over_is_dead),
		TEST(one_that_is_cut_is_refused_to_who_only_attaches),
		TEST(a_signal_that_is_not_ours_goes_on),
		TEST(who_asked_is_told),
		TEST(a_child_inherits_the_guard),
		TEST(threads_meet_the_cut_together),
		TEST(a_lock_is_lost_while_it_is_held),
		TEST(a_lock_is_lost_before_a_wait),
	};
	return cmocka_run_group_tests_name("store_cut", tests, make_directory, remove_directory);
}

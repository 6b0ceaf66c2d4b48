/*
 * The store on a system that is not the host: tools/cross --run. Prints what is wrong, and ends with 1. Without cmocka,
 * which no cross compiler has. An argument: a process that dies holding a lock is tried too, which qemu-user cannot do.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../core/base/lrd_clock.h"
#include "../../../core/shm/lrd_lock.h"
#include "../../../core/shm/lrd_store.h"

enum { KEYS = 20000, WAIT_MS = 50 };

#define CHECK(holds) check((holds), #holds, __LINE__)

static void check(bool holds, const char *what, int line)
{
	if (!holds) {
		printf("line %d: not so: %s\n", line, what);
		exit(1);
	}
}

static lrd_key key_of(unsigned number, char room[24])
{
	int size = snprintf(room, 24, "key%u", number);
	return (lrd_key) { .bytes = { room, (size_t) size }, .space = 0 };
}

static void set(lrd_store *store, unsigned number)
{
	char room[24];
	lrd_key key = key_of(number, room);
	lrd_draft draft;
	CHECK(lrd_store_draft(store, key, 100, &draft) == LRD_OK);
	memset(draft.bytes, (int) (number % 251), 100);
	lrd_value value = { .type = 2 };
	CHECK(lrd_store_publish(store, key, &draft, &value, NULL) == LRD_OK);
}

/* More than there is room for: what is found is right, and some is. */
static void values_come_back(lrd_store *store)
{
	unsigned found_count = 0;
	char room[24];
	lrd_found found;
	for (unsigned number = 0; number < KEYS; number++) {
		set(store, number);
	}
	CHECK(lrd_store_pin(store) == LRD_OK);
	for (unsigned number = 0; number < KEYS; number++) {
		if (lrd_store_get(store, key_of(number, room), &found) == LRD_OK) {
			found_count++;
			CHECK(found.type == 2 && found.size == 100);
			CHECK(found.bytes[0] == (char) (number % 251) && found.bytes[99] == found.bytes[0]);
		}
	}
	lrd_store_unpin(store);
	CHECK(found_count > 1000);
}

static void counters_count(lrd_store *store)
{
	enum { CHILDREN = 4, TIMES = 2000 };
	char room[24];
	lrd_key key = key_of(KEYS, room);
	lrd_value value = { .type = LRD_TYPE_INT, .word = 0 };
	int64_t sum = 0;
	CHECK(lrd_store_put(store, key, NULL, 0, &value, NULL) == LRD_OK);
	for (unsigned child = 0; child < CHILDREN; child++) {
		if (fork() == 0) {
			lrd_store_forked(store);
			for (unsigned time = 0; time < TIMES; time++) {
				while (lrd_store_increment(store, key, 1, &sum) == LRD_TIMEOUT) {
				}
			}
			_exit(0);
		}
	}
	int status;
	for (unsigned child = 0; child < CHILDREN; child++) {
		CHECK(wait(&status) > 0 && status == 0);
	}
	CHECK(lrd_store_increment(store, key, 0, &sum) == LRD_OK && sum == CHILDREN * TIMES);
}

/* A wait ends neither before its time nor never, whatever function of the system it is made of. */
static void a_lock_is_waited_for(bool dies)
{
	lrd_lock *lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int held[2];
	char byte;
	CHECK(lock != MAP_FAILED && lrd_lock_init(lock) == LRD_OK && pipe(held) == 0);
	pid_t child = fork();
	if (child == 0) {
		CHECK(lrd_lock_take(lock, 0) == LRD_OK && write(held[1], "x", 1) == 1);
		pause();
		_exit(0);
	}
	CHECK(read(held[0], &byte, 1) == 1);
	CHECK(lrd_lock_take(lock, 0) == LRD_TIMEOUT);
	uint64_t begin = lrd_clock_monotonic_ns();
	CHECK(lrd_lock_take(lock, WAIT_MS) == LRD_TIMEOUT);
	CHECK(lrd_clock_monotonic_ns() - begin >= WAIT_MS * LRD_MS_NS);
	kill(child, SIGKILL);
	CHECK(waitpid(child, NULL, 0) == child);
	if (dies) {
		CHECK(lrd_lock_take(lock, WAIT_MS) == LRD_OWNER_DIED);
		lrd_lock_repaired(lock);
		lrd_lock_give(lock);
		CHECK(lrd_lock_take(lock, 0) == LRD_OK);
	}
}

int main(int count, char **arguments)
{
	(void) arguments;
	char why[LRD_SEGMENT_WHY];
	lrd_store_options options = { .segment = { .size = 2 << 20, .base = LRD_SEGMENT_BASE } };
	lrd_store *store;
	lrd_status status = lrd_store_open(&options, &store, why);
	CHECK(status == LRD_OK || status == LRD_MOVED);
	values_come_back(store);
	counters_count(store);
	a_lock_is_waited_for(count > 1);
	lrd_store_close(store);
	return 0;
}

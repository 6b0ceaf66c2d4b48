/* One segment, several threads of one process: each joins and has a handle, a slot and a pin of its own. */
#define _GNU_SOURCE
#include "store_world.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { THREADS = 16, ROUNDS = 2000 };

static lrd_store *world;

static int open_world(void **state)
{
	(void) state;
	/* One slot more than threads. */
	lrd_store_options options = {.segment = {.size = 4 << 20}, .shards = 4, .slots = THREADS + 1, .lock_ms = 10000};
	char why[LRD_SEGMENT_WHY];
	return lrd_store_open(&options, &world, why) == LRD_OK ? 0 : -1;
}

static int close_world(void **state)
{
	(void) state;
	lrd_store_close(world);
	return 0;
}

/* Its handle, for the caller to close: it ends without a word. */
static void *put_and_pin(void *with)
{
	(void) with;
	lrd_store *mine = lrd_store_join(world);
	if (mine != NULL && (put(mine, key("theirs"), "two") != LRD_OK || lrd_store_pin(mine) != LRD_OK)) {
		return NULL;
	}
	return mine;
}

static lrd_store *run_thread(void *(*body)(void *))
{
	pthread_t thread;
	void *answer = NULL;
	assert_int_equal(pthread_create(&thread, NULL, body, NULL), 0);
	assert_int_equal(pthread_join(thread, &answer), 0);
	assert_non_null(answer);
	return answer;
}

static void a_joined_handle_has_its_own_slot_and_pin(void **state)
{
	(void) state;
	lrd_report report;
	put(world, key("ours"), "one");
	lrd_store *other = lrd_store_join(world);
	assert_text(other, key("ours"), "one");
	lrd_store_pin(other);
	assert_false(lrd_store_is_pinned(world));
	lrd_store_report(world, &report);
	assert_int_equal(report.slots_used, 2);

	lrd_found found;
	assert_int_equal(lrd_store_get(other, key("ours"), &found), LRD_OK);
	for (unsigned round = 0; round < 100000; round++) {
		lrd_status status = put_filled(world, key("ours"), (char) ('a' + round % 26), 400);
		if (status != LRD_OK) {
			assert_int_equal(status, LRD_FULL);     /* nothing that was removed can be used again */
			break;
		}
	}
	assert_memory_equal(found.bytes, "one", 3);
	lrd_store_close(other);
	assert_int_equal(put(world, key("ours"), "three"), LRD_OK);
	assert_sound(world);
}

static void a_thread_that_ends_gives_its_slot_back(void **state)
{
	(void) state;
	lrd_report before, after;
	lrd_store *handles[THREADS];
	lrd_store_report(world, &before);
	for (unsigned at = 0; at < THREADS; at++) {
		handles[at] = run_thread(put_and_pin);
	}
	assert_text(world, key("theirs"), "two");
	assert_int_equal(put(world, key("theirs"), "three"), LRD_OK);
	lrd_store_report(world, &after);
	/* Each dead thread's pin was taken away by the next one's search for a slot, or is by this look. */
	assert_true(after.reaped > before.reaped && after.no_slot == 0 && after.slots_used <= 2);
	for (unsigned at = 0; at < THREADS; at++) {
		lrd_store_close(handles[at]);
	}
	assert_text(world, key("theirs"), "three");
}

static void closing_a_dead_threads_handle_leaves_its_slots_next_owner_alone(void **state)
{
	(void) state;
	put(world, key("k"), "x");
	lrd_store *dead = run_thread(put_and_pin);
	lrd_slot *slot = dead->reader.slot;
	lrd_store *next = lrd_store_join(world);
	assert_int_equal(lrd_store_pin(next), LRD_OK);
	assert_ptr_equal(next->reader.slot, slot);
	uint32_t generation = atomic_load(&slot->generation);
	lrd_store_close(dead);
	assert_true(atomic_load(&slot->epoch) != 0);
	assert_int_equal(atomic_load(&slot->generation), generation);
	lrd_store_close(next);
	assert_true(atomic_load(&slot->epoch) == 0);
}

static void the_last_handle_unmaps(void **state)
{
	(void) state;
	void *start = world->segment.header;
	unsigned char resident;
	lrd_store *other = lrd_store_join(world);
	put(world, key("k"), "x");
	lrd_store_close(world);
	assert_text(other, key("k"), "x");
	assert_int_equal(mincore(start, 1, &resident), 0);
	lrd_store_close(other);
	assert_int_equal(mincore(start, 1, &resident), -1);
	assert_int_equal(errno, ENOMEM);
	open_world(NULL);
}

/* In the caller's buffer: key() has the same ones for all. */
static lrd_key key_in(char name[16], unsigned at)
{
	int length = snprintf(name, 16, "value %u", at);
	return (lrd_key) {.bytes = {.bytes = name, .size = (size_t) length}};
}

/* Every value says its key, and its other bytes are all the same. */
static bool is_whole(lrd_store *store, unsigned at)
{
	char name[16];
	lrd_found found;
	if (lrd_store_get(store, key_in(name, at), &found) != LRD_OK) {
		return true;
	}
	if (found.size < 1 || found.size > 3000 || found.bytes[0] != (char) ('A' + at)) {
		return false;
	}
	for (uint32_t i = 2; i < found.size; i++) {
		if (found.bytes[i] != found.bytes[1]) {
			return false;
		}
	}
	return true;
}

static bool put_value(lrd_store *store, unsigned seed)
{
	unsigned at = seed % 16;
	char name[16], bytes[3000];
	size_t size = 2 + seed % (sizeof bytes - 2);
	memset(bytes, (int) ('a' + seed % 26), sizeof bytes);
	bytes[0] = (char) ('A' + at);
	lrd_status status = put_if(store, key_in(name, at), bytes, size, LRD_ALWAYS, 0);
	return status == LRD_OK || status == LRD_FULL;
}

static void *work(void *with)
{
	unsigned *wrong = with, seed = *wrong;
	lrd_store *store = lrd_store_join(world);
	int64_t sum;
	*wrong = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		seed = seed * 1103515245u + 12345u;
		*wrong += !put_value(store, seed >> 8);
		*wrong += lrd_store_increment(store, (lrd_key) {.bytes = {.bytes = "n", .size = 1}}, 1, &sum) != LRD_OK;
		lrd_store_pin(store);
		for (unsigned read = 0; read < 4; read++) {
			*wrong += !is_whole(store, (seed >> (8 + read)) % 16);
		}
		lrd_store_unpin(store);
	}
	lrd_store_close(store);
	return NULL;
}

static void threads_see_whole_values_and_lose_no_increment(void **state)
{
	(void) state;
	pthread_t threads[THREADS];
	unsigned wrong[THREADS];
	put_int(world, key("n"), 0);
	for (unsigned at = 0; at < THREADS; at++) {
		wrong[at] = at + 1;
		assert_int_equal(pthread_create(&threads[at], NULL, work, &wrong[at]), 0);
	}
	for (unsigned at = 0; at < THREADS; at++) {
		pthread_join(threads[at], NULL);
		assert_int_equal(wrong[at], 0);
	}
	assert_int(world, key("n"), THREADS * ROUNDS);
	assert_sound(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_joined_handle_has_its_own_slot_and_pin, open_world, close_world),
		cmocka_unit_test_setup_teardown(a_thread_that_ends_gives_its_slot_back, open_world, close_world),
		cmocka_unit_test_setup_teardown(
			closing_a_dead_threads_handle_leaves_its_slots_next_owner_alone, open_world, close_world),
		cmocka_unit_test_setup_teardown(the_last_handle_unmaps, open_world, close_world),
		cmocka_unit_test_setup_teardown(threads_see_whole_values_and_lose_no_increment, open_world, close_world),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

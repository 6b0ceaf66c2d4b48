/* What fits and what does not: sizes at their limits, eviction without a wipe, and readers that hold memory back. */
#define _GNU_SOURCE
#include "store_world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 1 << 20 };

static int open_world(void **state)
{
	*state = open_store(SIZE, 1, 100);
	return 0;
}

static int close_world(void **state)
{
	lrd_store_close(*state);
	return 0;
}

static bool is_filled(const lrd_found *found, char fill, size_t size)
{
	if (found->size != size) {
		return false;
	}
	for (size_t at = 0; at < size; at++) {
		if (found->bytes[at] != fill) {
			return false;
		}
	}
	return true;
}

static void assert_filled(lrd_store *store, lrd_key k, char fill, size_t size)
{
	lrd_found found;
	assert_int_equal(lrd_store_pin(store), LRD_OK);
	assert_int_equal(lrd_store_get(store, k, &found), LRD_OK);
	assert_true(is_filled(&found, fill, size));
	lrd_store_unpin(store);
}

static void the_largest_value_fits_and_one_byte_more_never_does(void **state)
{
	lrd_store *store = *state;
	lrd_draft draft;
	size_t largest = totals(store).bytes_largest;
	for (unsigned round = 0; round < 20; round++) {
		for (unsigned at = 0; at < 400; at++) {
			put_filled(store, key("small %u", at), 's', 100 + 10 * round);
		}
		assert_int_equal(put_filled(store, key("big"), (char) ('a' + round), largest), LRD_OK);
		assert_filled(store, key("big"), (char) ('a' + round), largest);
		assert_sound(store);
	}
	uint64_t stores = totals(store).stores;
	assert_int_equal(lrd_store_draft(store, key("big"), largest + 1, &draft), LRD_TOO_LARGE);
	assert_int_equal(lrd_store_draft(store, key("big"), (size_t) UINT32_MAX + 1, &draft), LRD_TOO_LARGE);
	assert_int_equal(lrd_store_draft(store, key("big"), SIZE_MAX / 2, &draft), LRD_TOO_LARGE);
	assert_int_equal(lrd_store_draft(store, key("big"), SIZE_MAX, &draft), LRD_TOO_LARGE);
	assert_filled(store, key("big"), 'a' + 19, largest);
	assert_int_equal(totals(store).refused_large, 4);
	assert_int_equal(totals(store).stores, stores);
}

static void every_size_near_a_class_keeps_its_bytes(void **state)
{
	lrd_store *store = *state;
	for (size_t class = 64; class <= 40000; class = lrd_alloc_rounded(class + 1)) {
		for (size_t size = class - 17; size <= class + 1; size++) {
			assert_int_equal(put_filled(store, key("a"), 'a', size), LRD_OK);
			assert_int_equal(put_filled(store, key("b"), 'b', size), LRD_OK);
			assert_filled(store, key("a"), 'a', size);
			assert_filled(store, key("b"), 'b', size);
		}
	}
	assert_sound(store);
}

/* Every store succeeds, the latest are there, and at no time is the store emptier than three quarters. */
static void a_full_store_evicts_and_never_wipes(void **state)
{
	lrd_store *store = *state;
	const size_t sizes[] = { 100, 3000, 700, 20, 9000 };
	uint64_t total = totals(store).bytes_total, written = 0;
	for (unsigned at = 0; at < 8000; at++) {
		size_t size = sizes[at % 5];
		assert_int_equal(put_filled(store, key("%u", at), (char) at, size), LRD_OK);
		assert_filled(store, key("%u", at), (char) at, size);
		written += size;
		if (written > 2 * total) {
			assert_true(totals(store).bytes_used > total * 3 / 4);
		}
		if (at % 500 == 0) {
			assert_sound(store);
		}
	}
	lrd_shard_report sum = totals(store);
	assert_true(sum.evictions > 1000 && sum.refused_full == 0);
	for (unsigned at = 7990; at < 8000; at++) {
		assert_filled(store, key("%u", at), (char) at, sizes[at % 5]);
	}
}

/* SIEVE keeps what is read, though a stream of keys that are read once runs through. */
static void what_is_read_outlives_what_is_not(void **state)
{
	lrd_store *store = *state;
	for (unsigned at = 0; at < 50; at++) {
		put_filled(store, key("hot %u", at), 'h', 500);
	}
	for (unsigned at = 0; at < 20000; at++) {
		put_filled(store, key("cold %u", at), 'c', 500);
		has(store, key("hot %u", at % 50));
	}
	unsigned kept = 0;
	for (unsigned at = 0; at < 50; at++) {
		kept += has(store, key("hot %u", at));
	}
	assert_int_equal(kept, 50);
}

static void expired_ones_go_first(void **state)
{
	lrd_store *store = *state;
	unsigned kept = 0;
	for (unsigned at = 0; at < 100; at++) {
		put_filled(store, key("keep %u", at), 'k', 1000);
	}
	/* Late enough that none is over before it is stored, also on a busy machine. */
	uint64_t end = lrd_clock_real_ms() + 500;
	for (unsigned at = 0; at < 150; at++) {
		put_for(store, key("short %u", at), "x", end);
	}
	while (lrd_clock_real_ms() <= end) {
		usleep(10000);
	}
	for (unsigned at = 0; at < 150; at++) {
		put_filled(store, key("new %u", at), 'n', 100);
	}
	assert_int_equal(totals(store).evictions, 0);
	assert_int_equal(totals(store).expirations, 150);
	for (unsigned at = 0; at < 100; at++) {
		kept += has(store, key("keep %u", at));
	}
	assert_int_equal(kept, 100);
}

static void ints_fill_the_store_and_are_evicted(void **state)
{
	lrd_store *store = *state;
	uint32_t records = store->layout.pages * (LRD_ALLOC_PAGE / 64);
	for (unsigned at = 0; at < 3 * records; at++) {
		assert_int_equal(put_int(store, key("%u", at), at), LRD_OK);
	}
	assert_int(store, key("%u", 3 * records - 1), 3 * records - 1);
	assert_true(totals(store).entries > records / 2);
	assert_sound(store);
}

/* ---- readers ---- */

static void what_was_read_stays_until_the_unpin(void **state)
{
	lrd_store *store = *state;
	lrd_found found;
	for (unsigned round = 0; round < 5; round++) {
		put_filled(store, key("k"), 'k', 5000);
		lrd_store_pin(store);
		assert_int_equal(lrd_store_get(store, key("k"), &found), LRD_OK);
		if (round % 2 == 0) {
			assert_int_equal(lrd_store_delete(store, key("k")), LRD_OK);
		} else {
			put_filled(store, key("k"), 'X', 5000);
		}
		for (unsigned at = 0; at < 2000; at++) {
			put_filled(store, key("%u", at), 'X', 100 + at * 3 % 6000);
		}
		assert_true(is_filled(&found, 'k', 5000));
		lrd_store_unpin(store);
		for (unsigned at = 0; at < 2000; at++) {
			put_filled(store, key("%u", at), 'X', 100 + at * 3 % 6000);
		}
		/* Its room was used again, so the look above was worth something. */
		assert_false(is_filled(&found, 'k', 5000));
	}
	assert_sound(store);
}

typedef struct reader {
	_Atomic uint32_t *pinned;
	_Atomic uint32_t *release;
} reader;

static int read_long(lrd_store *store, void *with)
{
	reader *r = with;
	lrd_found found;
	if (lrd_store_pin(store) != LRD_OK || lrd_store_get(store, key("k"), &found) != LRD_OK) {
		return 1;
	}
	atomic_store(r->pinned, 1);
	wait_for_word(r->release, 1);
	return is_filled(&found, 'k', 5000) ? 0 : 2;
}

/*
 * Stores shrink the cache, then fail; never unsafe, never all at once; and they go on as soon as the reader has ended.
 */
static void a_reader_that_never_ends_makes_stores_fail(void **state)
{
	lrd_store *store = *state;
	reader r = { shared_word(), shared_word() };
	put_filled(store, key("k"), 'k', 5000);
	for (unsigned at = 0; at < 3000; at++) {
		put_filled(store, key("%u", at), 'f', 500);
		has(store, key("k"));
	}
	pid_t child = start_child(store, read_long, &r);
	wait_for_word(r.pinned, 1);
	assert_int_equal(lrd_store_delete(store, key("k")), LRD_OK);
	unsigned refused = 0;
	for (unsigned at = 0; at < 5000; at++) {
		lrd_status status = put_filled(store, key("next %u", at), 'n', 500);
		assert_true(status == LRD_OK || status == LRD_FULL);
		refused += status == LRD_FULL;
	}
	lrd_shard_report sum = totals(store);
	assert_true(refused > 3000 && sum.refused_full == refused);
	assert_in_range(sum.bytes_limbo, sum.bytes_total / 100, sum.bytes_total / 3);
	assert_true(sum.bytes_used > sum.bytes_total / 2);
	lrd_report report;
	lrd_store_report(store, &report);
	assert_true(report.oldest_pin_ms > 0 && report.oldest_pin_process == (uint32_t) child);
	assert_sound(store);
	atomic_store(r.release, 1);
	assert_int_equal(end_of(child), 0);
	for (unsigned at = 0; at < 3000; at++) {
		assert_int_equal(put_filled(store, key("after %u", at), 'a', 500), LRD_OK);
	}
	lrd_store_report(store, &report);
	assert_int_equal(report.oldest_pin_ms, 0);
	assert_sound(store);
}

/* A pinned process that is killed gives back what it held, though it never unpinned. */
static void a_dead_readers_pin_ends(void **state)
{
	lrd_store *store = *state;
	reader r = { shared_word(), shared_word() };
	put_filled(store, key("k"), 'k', 5000);
	pid_t child = start_child(store, read_long, &r);
	wait_for_word(r.pinned, 1);
	kill(child, SIGKILL);
	assert_int_equal(end_of(child), -SIGKILL);
	for (unsigned at = 0; at < 5000; at++) {
		assert_int_equal(put_filled(store, key("%u", at), 'n', 500), LRD_OK);
	}
	lrd_report report;
	lrd_store_report(store, &report);
	assert_true(report.reaped >= 1 && report.oldest_pin_ms == 0);
	assert_sound(store);
}

static int draft_and_wait(lrd_store *store, void *with)
{
	lrd_draft draft;
	if (lrd_store_draft(store, key("big"), 300, &draft) != LRD_OK) {
		return 1;
	}
	atomic_store((_Atomic uint32_t *) with, 1);
	pause();
	return 0;
}

/* Of drafts whose process died outside of every lock, nothing tells but the draft itself. */
static void a_dead_writers_draft_is_freed(void **state)
{
	lrd_store *store = *state;
	_Atomic uint32_t *drafted = shared_word();
	for (unsigned at = 0; at < 200; at++) {
		atomic_store(drafted, 0);
		pid_t child = start_child(store, draft_and_wait, drafted);
		wait_for_word(drafted, 1);
		kill(child, SIGKILL);
		end_of(child);
	}
	for (unsigned at = 0; at < 4000; at++) {
		assert_int_equal(put_filled(store, key("%u", at), 'n', 500), LRD_OK);
	}
	assert_int_equal(count_drafts(&store->shard[0]), 0);
	assert_sound(store);
}

/* ---- all at once ---- */

/* A text of one letter, written over in place by some while others copy it: never two letters, never another size. */
static int copy_or_write(lrd_store *store, void *with)
{
	unsigned seed = *(unsigned *) with;
	char text[1000], copy[1000];
	for (unsigned step = 0; step < 40000; step++) {
		lrd_key k = key("text %u", (unsigned) rand_r(&seed) % 2);
		if (step % 4 == seed % 2) {
			size_t size = 900 + (size_t) rand_r(&seed) % 100;
			memset(text, 'a' + (int) (size % 26), size);
			lrd_status status = put_copied(store, k, text, size);
			if (status != LRD_OK && status != LRD_TIMEOUT) {
				return 1;
			}
			continue;
		}
		lrd_found found;
		if (lrd_store_pin(store) != LRD_OK) {
			return 2;
		}
		if (lrd_store_get(store, k, &found) == LRD_OK) {
			memcpy(copy, found.bytes, found.size <= sizeof copy ? found.size : sizeof copy);
			if (lrd_found_is_same(&found)) {
				if (found.size < 900 || found.size > sizeof copy || copy[0] != 'a' + (int) (found.size % 26)
					|| memcmp(copy, copy + 1, found.size - 1) != 0) {
					return 3;
				}
			}
		}
		lrd_store_unpin(store);
	}
	return 0;
}

static void a_copied_text_is_never_torn(void **state)
{
	(void) state;
	lrd_store *store = open_store(SIZE, 1, 1000);
	pid_t children[4];
	unsigned seeds[4];
	for (unsigned at = 0; at < 4; at++) {
		seeds[at] = at + 1;
		children[at] = start_child(store, copy_or_write, &seeds[at]);
	}
	for (unsigned at = 0; at < 4; at++) {
		assert_int_equal(end_of(children[at]), 0);
	}
	assert_sound(store);
	lrd_store_close(store);
}

static int count_up(lrd_store *store, void *with)
{
	(void) with;
	int64_t sum;
	lrd_found found;
	for (unsigned step = 0; step < 20000; step++) {
		if (lrd_store_increment(store, key("sum"), 1, &sum) != LRD_OK) {
			return 1;
		}
		lrd_store_pin(store);
		if (lrd_store_get(store, key("cas"), &found) != LRD_OK) {
			return 2;
		}
		lrd_store_unpin(store);
		/* A cas of an int against increments of it: each of both that is answered for counts. */
		lrd_value next = { .type = LRD_TYPE_INT, .word = found.word + 1, .condition = LRD_IF_VERSION,
			.token = found.version };
		lrd_status status = step % 2 == 0 ? lrd_store_put(store, key("cas"), NULL, 0, &next, NULL)
										: lrd_store_increment(store, key("cas"), 1, &sum);
		if (status == LRD_OK && lrd_store_increment(store, key("done"), 1, &sum) != LRD_OK) {
			return 3;
		}
	}
	return 0;
}

static void no_increment_is_lost(void **state)
{
	(void) state;
	lrd_store *store = open_store(SIZE, 1, 10000);
	pid_t children[4];
	put_int(store, key("sum"), 0);
	put_int(store, key("cas"), 0);
	put_int(store, key("done"), 0);
	for (unsigned at = 0; at < 4; at++) {
		children[at] = start_child(store, count_up, NULL);
	}
	for (unsigned at = 0; at < 4; at++) {
		assert_int_equal(end_of(children[at]), 0);
	}
	assert_int(store, key("sum"), 4 * 20000);
	lrd_found found;
	lrd_store_pin(store);
	assert_int_equal(lrd_store_get(store, key("cas"), &found), LRD_OK);
	assert_int(store, key("done"), (int64_t) found.word);
	lrd_store_unpin(store);
	assert_sound(store);
	lrd_store_close(store);
}

typedef struct stamp {
	uint32_t key, generation;
	uint64_t sum;
} stamp;

static int use_at_random(lrd_store *store, void *with)
{
	unsigned seed = *(unsigned *) with;
	char bytes[4000];
	for (unsigned step = 0; step < 6000; step++) {
		uint32_t name = (uint32_t) rand_r(&seed) % 200;
		lrd_found found;
		if (lrd_store_pin(store) != LRD_OK) {
			return 1;
		}
		bool there = lrd_store_get(store, key("%u", name), &found) == LRD_OK;
		size_t size = sizeof(stamp) + (size_t) rand_r(&seed) % (sizeof bytes - sizeof(stamp));
		memset(bytes, (int) step, size);
		stamp head = { name, step, name * UINT64_C(31) + step + size };
		memcpy(bytes, &head, sizeof head);
		lrd_status status = step % 10 == 0
			? lrd_store_delete(store, key("%u", name))
			: put_if(store, key("%u", name), bytes, size, LRD_ALWAYS, 0);
		if (status != LRD_OK && status != LRD_MISS && status != LRD_FULL && status != LRD_TIMEOUT) {
			return 2;
		}
		if (there) {
			memcpy(&head, found.bytes, sizeof head);
			if (head.key != name || head.sum != name * UINT64_C(31) + head.generation + found.size) {
				return 3;
			}
			for (size_t at = sizeof head; at < found.size; at++) {
				if (found.bytes[at] != (char) head.generation) {
					return 4;
				}
			}
		}
		lrd_store_unpin(store);
	}
	return 0;
}

static void processes_never_see_torn_values(void **state)
{
	(void) state;
	lrd_store *store = open_store(SIZE, 2, 100);
	pid_t children[6];
	unsigned seeds[6];
	for (unsigned at = 0; at < 6; at++) {
		seeds[at] = at + 1;
		children[at] = start_child(store, use_at_random, &seeds[at]);
	}
	for (unsigned at = 0; at < 6; at++) {
		assert_int_equal(end_of(children[at]), 0);
	}
	assert_sound(store);
	lrd_store_close(store);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_world, close_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_largest_value_fits_and_one_byte_more_never_does),
		TEST(every_size_near_a_class_keeps_its_bytes),
		TEST(a_full_store_evicts_and_never_wipes),
		TEST(what_is_read_outlives_what_is_not),
		TEST(expired_ones_go_first),
		TEST(ints_fill_the_store_and_are_evicted),
		TEST(what_was_read_stays_until_the_unpin),
		TEST(a_reader_that_never_ends_makes_stores_fail),
		TEST(a_dead_readers_pin_ends),
		TEST(a_dead_writers_draft_is_freed),
		TEST(processes_never_see_torn_values),
		cmocka_unit_test(a_copied_text_is_never_torn),
		cmocka_unit_test(no_increment_is_lost),
	};
	return cmocka_run_group_tests_name("room", tests, NULL, NULL);
}

/* Leases: exactly one holder, and every way in which one ends. */
#define _GNU_SOURCE
#include "store_world.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONG_MS = 600000 };

static int open_world(void **state)
{
	*state = open_store(1 << 20, 1, 100);
	return 0;
}

static int close_world(void **state)
{
	lrd_store_close(*state);
	return 0;
}

static lrd_status lease(lrd_store *store, lrd_key k, uint64_t *token)
{
	return lrd_store_lease(store, k, LONG_MS, false, token);
}

static int answer_of_lease(lrd_store *store, void *with)
{
	uint64_t token;
	return (int) lrd_store_lease(store, key("%s", (const char *) with), LONG_MS, false, &token);
}

static void one_holds_it_until_it_is_released(void **state)
{
	lrd_store *store = *state;
	uint64_t first, second;
	assert_int_equal(lrd_store_release(store, key("k"), 1), LRD_LOST);
	assert_int_equal(lease(store, key("k"), &first), LRD_OK);
	assert_true(first != 0);
	assert_int_equal(lease(store, key("k"), &second), LRD_BUSY);
	assert_int_equal(run_child(store, answer_of_lease, "k"), LRD_BUSY);
	assert_int_equal(lease(store, key("other"), &second), LRD_OK);
	assert_true(first != second);
	assert_int_equal(lrd_store_release(store, key("k"), second), LRD_LOST);
	assert_int_equal(lrd_store_release(store, key("k"), first), LRD_OK);
	assert_int_equal(lrd_store_release(store, key("k"), first), LRD_LOST);
	assert_int_equal(run_child(store, answer_of_lease, "k"), LRD_OK);
	assert_sound(store);
}

static void it_is_no_entry(void **state)
{
	lrd_store *store = *state;
	uint64_t token, cursor = 0;
	lrd_entry entry;
	assert_int_equal(lease(store, key("k"), &token), LRD_OK);
	assert_false(has(store, key("k")));
	lrd_store_pin(store);
	assert_int_equal(lrd_store_next(store, &cursor, &entry), LRD_MISS);
	lrd_store_unpin(store);
	assert_true(totals(store).entries == 0 && totals(store).leases == 1);
	assert_int_equal(lrd_store_delete(store, key("k")), LRD_MISS);
	assert_int_equal(totals(store).leases, 0);
}

static void it_ends_at_its_time(void **state)
{
	lrd_store *store = *state;
	uint64_t first, second;
	assert_int_equal(lrd_store_lease(store, key("k"), 20, false, &first), LRD_OK);
	usleep(30000);
	assert_int_equal(put_if(store, key("k"), "late", 4, LRD_IF_LEASED, first), LRD_LOST);
	assert_int_equal(lease(store, key("k"), &second), LRD_OK);
	assert_true(second != first);
	assert_int_equal(lrd_store_release(store, key("k"), first), LRD_LOST);
	assert_int_equal(put_if(store, key("k"), "late", 4, LRD_IF_LEASED, first), LRD_LOST);
	assert_int_equal(put_if(store, key("k"), "right", 5, LRD_IF_LEASED, second), LRD_OK);
	assert_text(store, key("k"), "right");
	assert_sound(store);
}

static void a_publish_by_anyone_ends_it(void **state)
{
	lrd_store *store = *state;
	uint64_t token;
	assert_int_equal(lease(store, key("k"), &token), LRD_OK);
	assert_int_equal(put(store, key("k"), "by another"), LRD_OK);
	assert_int_equal(put_if(store, key("k"), "late", 4, LRD_IF_LEASED, token), LRD_LOST);
	assert_text(store, key("k"), "by another");
	assert_int_equal(lease(store, key("k"), &token), LRD_OK);
	assert_int_equal(put_if(store, key("k"), "mine", 4, LRD_IF_LEASED, token), LRD_OK);
	assert_int_equal(put_if(store, key("k"), "again", 5, LRD_IF_LEASED, token), LRD_LOST);
	assert_text(store, key("k"), "mine");
	assert_int_equal(totals(store).leases, 0);
}

static void a_delete_or_clear_ends_it(void **state)
{
	lrd_store *store = *state;
	uint64_t token, removed;
	put(store, key("k"), "old");
	assert_int_equal(lease(store, key("k"), &token), LRD_OK);
	assert_int_equal(lrd_store_delete(store, key("k")), LRD_OK);
	assert_int_equal(put_if(store, key("k"), "stale", 5, LRD_IF_LEASED, token), LRD_LOST);
	assert_int_equal(lease(store, key("k"), &token), LRD_OK);
	assert_int_equal(lrd_store_clear(store, NULL, &removed), LRD_OK);
	assert_int_equal(put_if(store, key("k"), "stale", 5, LRD_IF_LEASED, token), LRD_LOST);
	assert_false(has(store, key("k")));
}

static void the_end_of_the_request_ends_all(void **state)
{
	lrd_store *store = *state;
	uint64_t tokens[3];
	for (unsigned at = 0; at < 3; at++) {
		assert_int_equal(lease(store, key("%u", at), &tokens[at]), LRD_OK);
	}
	lrd_store_end_leases(store);
	for (unsigned at = 0; at < 3; at++) {
		char name[2] = { (char) ('0' + at), '\0' };
		assert_int_equal(put_if(store, key("%u", at), "x", 1, LRD_IF_LEASED, tokens[at]), LRD_LOST);
		assert_int_equal(run_child(store, answer_of_lease, name), LRD_OK);
	}
	assert_int_equal(lease(store, key("next request"), &tokens[0]), LRD_OK);
	assert_int_equal(lrd_store_release(store, key("next request"), tokens[0]), LRD_OK);
	assert_sound(store);
}

/* words: 0 is set once the lease is held, 2 and 3 are the token's halves. */
static int hold(lrd_store *store, void *with)
{
	_Atomic uint32_t *words = with;
	uint64_t token;
	if (lease(store, key("k"), &token) != LRD_OK) {
		return 1;
	}
	atomic_store(&words[2], (uint32_t) token);
	atomic_store(&words[3], (uint32_t) (token >> 32));
	atomic_store(&words[0], 1);
	pause();
	return 0;
}

/* The next process takes the dead one's slot, but not its leases. */
static void the_death_of_its_process_ends_it(void **state)
{
	lrd_store *store = *state;
	_Atomic uint32_t *words = shared_word();
	uint64_t token;
	pid_t child = start_child(store, hold, words);
	wait_for_word(words, 1);
	assert_int_equal(lease(store, key("k"), &token), LRD_BUSY);
	kill(child, SIGKILL);
	assert_int_equal(end_of(child), -SIGKILL);
	uint64_t dead = atomic_load(&words[2]) | (uint64_t) atomic_load(&words[3]) << 32;
	assert_int_equal(run_child(store, answer_of_lease, "elsewhere"), LRD_OK);
	assert_int_equal(put_if(store, key("k"), "x", 1, LRD_IF_LEASED, dead), LRD_LOST);
	assert_int_equal(lease(store, key("k"), &token), LRD_OK);
	assert_sound(store);
}

static void missing_only_means_missing(void **state)
{
	lrd_store *store = *state;
	uint64_t token;
	put(store, key("k"), "x");
	assert_int_equal(lrd_store_lease(store, key("k"), LONG_MS, true, &token), LRD_EXISTS);
	assert_int_equal(lrd_store_lease(store, key("k"), LONG_MS, false, &token), LRD_OK);
	assert_int_equal(lrd_store_lease(store, key("k"), LONG_MS, true, &token), LRD_EXISTS);
	assert_int_equal(lrd_store_delete(store, key("k")), LRD_OK);
	assert_int_equal(lrd_store_lease(store, key("k"), LONG_MS, true, &token), LRD_OK);
	assert_int_equal(lrd_store_lease(store, key("k"), LONG_MS, true, &token), LRD_BUSY);
	put_for(store, key("over"), "x", 1);
	assert_int_equal(lrd_store_lease(store, key("over"), LONG_MS, true, &token), LRD_OK);
}

/* words: 0 is the start, 1 counts who has finished, and each word from 2 on those who got one lease. */
static int race(lrd_store *store, void *with)
{
	_Atomic uint32_t *words = with;
	uint64_t token;
	wait_for_word(&words[0], 1);
	for (unsigned at = 0; at < 100; at++) {
		if (lease(store, key("race %u", at), &token) == LRD_OK) {
			atomic_fetch_add(&words[2 + at], 1);
		}
	}
	atomic_fetch_add(&words[1], 1);
	wait_for_word(&words[1], 8);
	return 0;
}

static void of_many_exactly_one_gets_it(void **state)
{
	lrd_store *store = *state;
	_Atomic uint32_t *words = shared_word();
	pid_t children[8];
	for (unsigned at = 0; at < 8; at++) {
		children[at] = start_child(store, race, words);
	}
	atomic_store(words, 1);
	for (unsigned at = 0; at < 8; at++) {
		assert_int_equal(end_of(children[at]), 0);
	}
	for (unsigned at = 0; at < 100; at++) {
		assert_int_equal(atomic_load(&words[2 + at]), 1);
	}
	assert_sound(store);
}

static void leases_without_end_do_not_fill_the_store(void **state)
{
	lrd_store *store = *state;
	uint64_t token;
	for (unsigned at = 0; at < 4 * store->layout.pages * 64; at++) {
		lrd_status status = lrd_store_lease(store, key("%u", at), 1, false, &token);
		assert_true(status == LRD_OK || status == LRD_FULL);
		if (at % 500 == 499) {
			usleep(2000);
			assert_int_equal(put(store, key("k"), "x"), LRD_OK);
		}
	}
	assert_sound(store);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_world, close_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_holds_it_until_it_is_released),
		TEST(it_is_no_entry),
		TEST(it_ends_at_its_time),
		TEST(a_publish_by_anyone_ends_it),
		TEST(a_delete_or_clear_ends_it),
		TEST(the_end_of_the_request_ends_all),
		TEST(the_death_of_its_process_ends_it),
		TEST(missing_only_means_missing),
		TEST(of_many_exactly_one_gets_it),
		TEST(leases_without_end_do_not_fill_the_store),
	};
	return cmocka_run_group_tests_name("lease", tests, NULL, NULL);
}

/* How much is done under one hold of a shard's lock, counted in records. */
#define _GNU_SOURCE
#include "store_world.h"

#include <signal.h>
#include <unistd.h>

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

static lrd_key number_key(uint64_t *number)
{
	return (lrd_key) { .bytes = { (const char *) number, sizeof *number } };
}

static void put_numbers(lrd_store *store, uint64_t from, uint64_t to)
{
	for (uint64_t at = from; at < to; at++) {
		lrd_value value = { .type = LRD_TYPE_INT, .word = at };
		assert_int_equal(lrd_store_put(store, number_key(&at), NULL, 0, &value, NULL), LRD_OK);
	}
}

/*
 * In one shard with ten million entries, all of them read, of which some have ended, whose writers have died and which
 * is full: whatever is done, no hold of the lock looks at more records than the bound.
 */
static void no_hold_of_the_lock_grows_with_the_entries(void **state)
{
	(void) state;
#ifdef __SANITIZE_ADDRESS__
	const uint64_t entries = 200000;
#else
	const uint64_t entries = 10000000;
#endif
	lrd_store *store = open_store((size_t) entries * 72 + (2 << 20), 1, 1000);
	lrd_shard *shard = &store->shard[0];
	put_numbers(store, 0, entries);
	uint32_t at = 0;
	for (uint32_t index; (index = next_record(shard, &at)) != LRD_RECORD_NONE; ) {
		atomic_store(&lrd_shard_record(shard, index)->visited, 1);
	}
	assert_in_range(totals(store).entries, entries, entries);
	assert_in_range(shard->most_looked, 0, LRD_HOLD_RECORDS);
	/* The allocator's search, the eviction of what is read, and one large piece in the middle of small ones. */
	put_numbers(store, entries, entries + entries / 20 + 60000);
	assert_true(totals(store).evictions > 0);
	assert_in_range(shard->most_looked, LRD_STEP_RECORDS / 2, LRD_HOLD_RECORDS);
	assert_int_equal(put_filled(store, key("large"), 'l', totals(store).bytes_total / 20), LRD_OK);
	assert_true(has(store, key("large")));
	/* Entries with an end, and a look for the drafts of the dead. */
	_Atomic uint32_t *drafted = shared_word();
	pid_t child = start_child(store, draft_and_wait, drafted);
	wait_for_word(drafted, 1);
	kill(child, SIGKILL);
	assert_int_equal(end_of(child), -SIGKILL);
	for (unsigned turn = 0; turn < 2000; turn++) {
		put_for(store, key("mortal %u", turn), "x", 1);
		put(store, key("next %u", turn), "x");
	}
	assert_in_range(shard->most_looked, LRD_STEP_RECORDS / 2, LRD_HOLD_RECORDS);
	/* What a reader held back is given back in steps too. */
	uint64_t removed;
	assert_int_equal(lrd_store_pin(store), LRD_OK);
	assert_int_equal(lrd_store_clear(store, NULL, &removed), LRD_OK);
	assert_true(removed > entries / 2 && totals(store).bytes_limbo > 0);
	lrd_store_unpin(store);
	for (unsigned turn = 0; totals(store).bytes_limbo > 0; turn++) {
		assert_true(turn < entries);
		assert_int_equal(lrd_store_clear(store, NULL, &removed), LRD_OK);
	}
	assert_in_range(shard->most_looked, LRD_STEP_RECORDS, LRD_HOLD_RECORDS);
	assert_int_equal(totals(store).entries, 0);
	lrd_store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_hold_of_the_lock_grows_with_the_entries),
	};
	return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}

/*
 * The store's functions and every outcome of theirs, by one process and by several. Room, eviction and limbo:
 * test_store_room.c.
 */
#define _GNU_SOURCE
#include "store_world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_world(void **state)
{
	*state = open_store(1 << 20, 1, 100);
	return 0;
}

static int close_world(void **state)
{
	lrd_clock_shift_real_ms(0);
	lrd_store_close(*state);
	return 0;
}

static void what_was_put_is_got(void **state)
{
	lrd_store *store = *state;
	assert_false(has(store, key("a")));
	assert_int_equal(put(store, key("a"), "one"), LRD_OK);
	assert_int_equal(put(store, key("b"), "two"), LRD_OK);
	assert_text(store, key("a"), "one");
	assert_text(store, key("b"), "two");
	assert_int_equal(put(store, key("a"), "three"), LRD_OK);
	assert_text(store, key("a"), "three");
	assert_text(store, key("b"), "two");
	assert_false(has(store, key("A")));
	assert_sound(store);
}

static void values_have_a_type_and_a_word_or_bytes(void **state)
{
	lrd_store *store = *state;
	lrd_draft draft;
	lrd_key k = key("all");
	uint64_t version = 0, expires = lrd_clock_real_ms() + 60000;
	assert_int_equal(lrd_store_draft(store, k, 3, &draft), LRD_OK);
	assert_int_equal((uintptr_t) draft.bytes % 16, 0);
	assert_int_equal(draft.size, 3);
	memcpy(draft.bytes, "x\0y", 3);
	lrd_value value = { .type = 200, .word = UINT64_MAX - 1, .expires_ms = expires };
	assert_int_equal(lrd_store_publish(store, k, &draft, &value, &version), LRD_OK);
	lrd_found found;
	lrd_store_pin(store);
	assert_int_equal(lrd_store_get(store, k, &found), LRD_OK);
	assert_int_equal(found.type, 200);
	assert_int_equal(found.size, 3);
	assert_memory_equal(found.bytes, "x\0y", 3);
	assert_int_equal((uintptr_t) found.bytes % 16, 0);
	assert_true(found.version != 0 && found.version == version);
	assert_int_equal(found.expires_ms, expires);
	assert_true(lrd_store_holds(store, found.bytes) && lrd_store_holds(store, found.bytes + 2));
	assert_false(lrd_store_holds(store, &found));
	assert_false(lrd_store_holds(store, store->head));
	assert_int_equal(lrd_store_shift(store), 0);
	value.type = 201;
	assert_int_equal(lrd_store_put(store, key("word"), NULL, 0, &value, &version), LRD_OK);
	assert_int_equal(lrd_store_get(store, key("word"), &found), LRD_OK);
	assert_true(found.type == 201 && found.size == 0 && found.word == UINT64_MAX - 1 && found.version == version);
	lrd_store_unpin(store);
	assert_int_equal(put(store, key("empty"), ""), LRD_OK);
	assert_text(store, key("empty"), "");
}

static void keys_are_any_bytes_up_to_the_limit(void **state)
{
	lrd_store *store = *state;
	char bytes[LRD_KEY_MAX];
	memset(bytes, 0, sizeof bytes);
	/* Keys of zero bytes, of each length; then some that differ in one byte. */
	for (size_t size = 1; size <= LRD_KEY_MAX; size = size < 40 ? size + 1 : size * 2) {
		char text[16];
		snprintf(text, sizeof text, "%zu", size);
		assert_int_equal(put(store, (lrd_key) { .bytes = { bytes, size } }, text), LRD_OK);
	}
	for (size_t size = 1; size <= LRD_KEY_MAX; size = size < 40 ? size + 1 : size * 2) {
		char text[16];
		snprintf(text, sizeof text, "%zu", size);
		assert_text(store, (lrd_key) { .bytes = { bytes, size } }, text);
		for (size_t at = 0; at < size; at++) {
			bytes[at] = 1;
			assert_false(has(store, (lrd_key) { .bytes = { bytes, size } }));
			bytes[at] = 0;
		}
	}
	assert_sound(store);
}

static void conditions_decide(void **state)
{
	lrd_store *store = *state;
	lrd_key k = key("k");
	assert_int_equal(put_if(store, k, "r", 1, LRD_IF_THERE, 0), LRD_MISS);
	assert_int_equal(put_if(store, k, "v", 1, LRD_IF_VERSION, 1), LRD_MISS);
	assert_int_equal(put_if(store, k, "l", 1, LRD_IF_LEASED, 1), LRD_LOST);
	assert_false(has(store, k));
	assert_int_equal(put_if(store, k, "a", 1, LRD_IF_MISSING, 0), LRD_OK);
	assert_int_equal(put_if(store, k, "b", 1, LRD_IF_MISSING, 0), LRD_EXISTS);
	assert_text(store, k, "a");
	assert_int_equal(put_if(store, k, "c", 1, LRD_IF_THERE, 0), LRD_OK);
	uint64_t version = version_of(store, k);
	assert_int_equal(put_if(store, k, "d", 1, LRD_IF_VERSION, version + 1), LRD_EXISTS);
	assert_int_equal(put_if(store, k, "e", 1, LRD_IF_VERSION, version), LRD_OK);
	assert_int_equal(put_if(store, k, "f", 1, LRD_IF_VERSION, version), LRD_EXISTS);
	assert_text(store, k, "e");
	assert_int_equal(lrd_store_delete(store, k), LRD_OK);
	assert_int_equal(put(store, k, "e"), LRD_OK);
	assert_true(version_of(store, k) > version);
	assert_sound(store);
	assert_int_equal(totals(store).entries, 1);
}

static void would_tells_what_publish_would(void **state)
{
	lrd_store *store = *state;
	lrd_key k = key("k");
	lrd_store_pin(store);
	assert_int_equal(lrd_store_would(store, k, LRD_ALWAYS, 0), LRD_OK);
	assert_int_equal(lrd_store_would(store, k, LRD_IF_MISSING, 0), LRD_OK);
	assert_int_equal(lrd_store_would(store, k, LRD_IF_THERE, 0), LRD_MISS);
	assert_int_equal(lrd_store_would(store, k, LRD_IF_VERSION, 7), LRD_MISS);
	assert_int_equal(put(store, k, "x"), LRD_OK);
	assert_int_equal(lrd_store_would(store, k, LRD_IF_MISSING, 0), LRD_EXISTS);
	assert_int_equal(lrd_store_would(store, k, LRD_IF_THERE, 0), LRD_OK);
	assert_int_equal(lrd_store_would(store, k, LRD_IF_VERSION, version_of(store, k)), LRD_OK);
	assert_int_equal(lrd_store_would(store, k, LRD_IF_VERSION, version_of(store, k) + 1), LRD_EXISTS);
	lrd_store_unpin(store);
}

static void deleted_is_gone(void **state)
{
	lrd_store *store = *state;
	assert_int_equal(lrd_store_delete(store, key("k")), LRD_MISS);
	put(store, key("k"), "x");
	assert_int_equal(lrd_store_delete(store, key("k")), LRD_OK);
	assert_int_equal(lrd_store_delete(store, key("k")), LRD_MISS);
	assert_false(has(store, key("k")));
	put_for(store, key("k"), "x", lrd_clock_real_ms() - 1);
	assert_int_equal(lrd_store_delete(store, key("k")), LRD_MISS);
	assert_int_equal(totals(store).entries, 0);
	assert_sound(store);
}

static void an_entry_ends_at_its_time_by_the_real_clock(void **state)
{
	lrd_store *store = *state;
	uint64_t now = lrd_clock_real_ms();
	put_for(store, key("k"), "x", now + 10000);
	put_for(store, key("past"), "x", now - 1);
	put(store, key("for ever"), "x");
	assert_true(has(store, key("k")) && !has(store, key("past")));
	lrd_clock_shift_real_ms(9000);
	assert_true(has(store, key("k")));
	lrd_clock_shift_real_ms(10020);
	assert_false(has(store, key("k")));
	assert_int_equal(put_if(store, key("k"), "y", 1, LRD_IF_THERE, 0), LRD_MISS);
	assert_int_equal(lrd_store_touch(store, key("k"), 0), LRD_MISS);
	assert_int_equal(put_if(store, key("k"), "y", 1, LRD_IF_MISSING, 0), LRD_OK);
	lrd_clock_shift_real_ms(INT64_C(1000) * 86400 * 365 * 50);
	assert_text(store, key("k"), "y");
	assert_true(has(store, key("for ever")));
	assert_sound(store);
}

/*
 * A clock that goes back makes an entry live longer; it must not make one that somebody saw end come back under a new
 * life.
 */
static void a_clock_set_back_harms_nothing(void **state)
{
	lrd_store *store = *state;
	lrd_clock_shift_real_ms(3600000);
	uint64_t expires = lrd_clock_real_ms() + 1000, token;
	put_for(store, key("k"), "x", expires);
	assert_int_equal(lrd_store_lease(store, key("l"), 30, false, &token), LRD_OK);
	lrd_clock_shift_real_ms(-3600000);
	assert_text(store, key("k"), "x");
	uint64_t version = version_of(store, key("k"));
	put(store, key("k"), "y");
	assert_true(version_of(store, key("k")) > version);
	usleep(40000);
	assert_int_equal(lrd_store_release(store, key("l"), token), LRD_LOST);
	assert_sound(store);
}

static void touch_moves_the_end(void **state)
{
	lrd_store *store = *state;
	uint64_t now = lrd_clock_real_ms();
	assert_int_equal(lrd_store_touch(store, key("k"), 0), LRD_MISS);
	put_for(store, key("k"), "x", now + 1000);
	assert_int_equal(lrd_store_touch(store, key("k"), now + 60000), LRD_OK);
	lrd_clock_shift_real_ms(30000);
	assert_text(store, key("k"), "x");
	assert_int_equal(lrd_store_touch(store, key("k"), 0), LRD_OK);
	lrd_clock_shift_real_ms(90000);
	assert_text(store, key("k"), "x");
	assert_int_equal(lrd_store_touch(store, key("k"), now), LRD_OK);
	assert_false(has(store, key("k")));
}

static void increment_adds_in_place(void **state)
{
	lrd_store *store = *state;
	int64_t sum = 99;
	assert_int_equal(lrd_store_increment(store, key("n"), 1, &sum), LRD_MISS);
	put(store, key("text"), "12");
	assert_int_equal(lrd_store_increment(store, key("text"), 1, &sum), LRD_NOT_A_NUMBER);
	put_int(store, key("n"), 40);
	uint64_t version = version_of(store, key("n"));
	assert_int_equal(lrd_store_increment(store, key("n"), 2, &sum), LRD_OK);
	assert_int_equal(sum, 42);
	assert_int(store, key("n"), 42);
	assert_true(version_of(store, key("n")) > version);
	assert_int_equal(put_if(store, key("n"), "x", 1, LRD_IF_VERSION, version), LRD_EXISTS);
	assert_int_equal(lrd_store_increment(store, key("n"), -50, &sum), LRD_OK);
	assert_int(store, key("n"), -8);
	put_int(store, key("n"), INT64_MAX - 1);
	assert_int_equal(lrd_store_increment(store, key("n"), 1, &sum), LRD_OK);
	assert_int_equal(lrd_store_increment(store, key("n"), 1, &sum), LRD_NOT_A_NUMBER);
	assert_int(store, key("n"), INT64_MAX);
	put_int(store, key("n"), INT64_MIN);
	assert_int_equal(lrd_store_increment(store, key("n"), -1, &sum), LRD_NOT_A_NUMBER);
	assert_int(store, key("n"), INT64_MIN);
	lrd_store_touch(store, key("n"), 1);
	assert_int_equal(lrd_store_increment(store, key("n"), 1, &sum), LRD_MISS);
}

static lrd_space space_named(const char *name)
{
	lrd_space space;
	lrd_space_of(&space, (lrd_slice) { name, strlen(name) });
	return space;
}

static void namespaces_are_apart(void **state)
{
	lrd_store *store = *state;
	lrd_space first = space_named("one"), second = space_named("two"), again = space_named("one");
	lrd_key a = { .bytes = { "k", 1 }, .space = &first }, b = { .bytes = { "k", 1 }, .space = &second };
	lrd_key same = { .bytes = { "k", 1 }, .space = &again }, none = { .bytes = { "k", 1 } };
	uint64_t token, removed;
	put(store, a, "in one");
	assert_false(has(store, b));
	assert_false(has(store, none));
	assert_text(store, same, "in one");
	put(store, b, "in two");
	assert_text(store, a, "in one");
	assert_int_equal(lrd_store_lease(store, b, 10000, false, &token), LRD_OK);
	assert_int_equal(lrd_store_clear(store, &second, &removed), LRD_OK);
	assert_int_equal(removed, 1);
	assert_int_equal(lrd_store_release(store, b, token), LRD_LOST);
	assert_false(has(store, b));
	assert_text(store, a, "in one");
	assert_int_equal(lrd_store_clear(store, &second, &removed), LRD_OK);
	assert_int_equal(removed, 0);
	assert_sound(store);
}

/* "a" with the key "bc" and "ab" with the key "c" have the same bytes, and nearly every name and key have. */
static void name_and_key_are_not_run_together(void **state)
{
	lrd_store *store = *state;
	store->shard[0].table.bucket_count = 1;
	lrd_space spaces[] = { space_named(""), space_named("a"), space_named("ab") };
	for (unsigned at = 0; at < 3; at++) {
		spaces[at].seed = 0;
		put(store, (lrd_key) { .bytes = { "abc" + at, 3 - at }, .space = &spaces[at] }, at == 1 ? "1" : "x");
	}
	for (unsigned at = 0; at < 3; at++) {
		assert_text(store, (lrd_key) { .bytes = { "abc" + at, 3 - at }, .space = &spaces[at] }, at == 1 ? "1" : "x");
	}
	assert_int_equal(totals(store).entries, 3);
}

/* Each with an entry, most of which are evicted; then all that is left is cleared, and nothing of any name is. */
static void namespaces_are_without_number_and_given_back(void **state)
{
	lrd_store *store = *state;
	enum { NAMES = 100000 };
	char name[24];
	uint64_t removed;
	unsigned kept = 0;
	for (unsigned at = 0; at < NAMES; at++) {
		snprintf(name, sizeof name, "namespace %u", at);
		lrd_space space = space_named(name);
		lrd_key k = { .bytes = { "key", 3 }, .space = &space };
		assert_int_equal(put_int(store, k, at), LRD_OK);
		assert_int(store, k, at);
	}
	assert_true(totals(store).evictions > 0);
	for (unsigned at = 0; at < NAMES; at++) {
		snprintf(name, sizeof name, "namespace %u", at);
		lrd_space space = space_named(name);
		lrd_key k = { .bytes = { "key", 3 }, .space = &space };
		if (has(store, k)) {
			kept++;
			assert_int(store, k, at);
		}
		if (at % 5000 == 0) {
			assert_int_equal(lrd_store_clear(store, &space, &removed), LRD_OK);
			assert_false(has(store, k));
		}
		assert_int_equal(lrd_store_delete(store, k), has(store, k) ? LRD_OK : LRD_MISS);
	}
	assert_true(kept > 1000);
	assert_int_equal(totals(store).entries, 0);
	assert_int_equal(totals(store).bytes_used, 0);
}

/* ---- in place ---- */

static uint32_t index_of(lrd_store *store, lrd_key k)
{
	lrd_shard *shard = lrd_store_shard(store, lrd_store_hash(store, k));
	return lrd_table_find(&shard->table, lrd_store_hash(store, k), lrd_key_name(k), k.bytes);
}

static void words_and_texts_are_written_over_where_they_lie(void **state)
{
	lrd_store *store = *state;
	char text[300];
	memset(text, 't', sizeof text);
	lrd_store_pin(store);
	put_copied(store, key("t"), text, 200);
	assert_int_equal(lrd_store_put(store, key("i"), NULL, 0, &(lrd_value) { .type = LRD_TYPE_INT }, NULL), LRD_OK);
	assert_int_equal(lrd_store_put(store, key("w"), NULL, 0, &(lrd_value) { .type = 5 }, NULL), LRD_OK);
	uint32_t t = index_of(store, key("t")), i = index_of(store, key("i")), w = index_of(store, key("w"));
	uint64_t before = version_of(store, key("t")), used = totals(store).bytes_used;
	for (unsigned at = 0; at < 1000; at++) {
		lrd_value number = { .type = LRD_TYPE_INT, .word = at }, word = { .type = 5, .word = at };
		uint64_t version;
		memset(text, 'a' + (int) at % 26, sizeof text);
		assert_int_equal(put_copied(store, key("t"), text, 190 + at % 10), LRD_OK);
		assert_int_equal(lrd_store_put(store, key("i"), NULL, 0, &number, &version), LRD_OK);
		assert_true(version == version_of(store, key("i")));
		assert_int_equal(lrd_store_put(store, key("w"), NULL, 0, &word, &version), LRD_OK);
		assert_true(version == version_of(store, key("w")) && version_of(store, key("t")) > before);
		before = version_of(store, key("t"));
		assert_int(store, key("i"), at);
		lrd_found found;
		assert_int_equal(lrd_store_get(store, key("t"), &found), LRD_OK);
		assert_true(found.size == 190 + at % 10 && memcmp(found.bytes, text, found.size) == 0);
		assert_true(lrd_found_is_same(&found));
		assert_int_equal(put_copied(store, key("t"), text, found.size), LRD_OK);
		assert_false(lrd_found_is_same(&found));
		assert_int_equal(lrd_store_get(store, key("w"), &found), LRD_OK);
		assert_true(found.word == at);
	}
	assert_true(t == index_of(store, key("t")) && i == index_of(store, key("i")) && w == index_of(store, key("w")));
	assert_int_equal(totals(store).bytes_limbo, 0);
	assert_int_equal(totals(store).bytes_used, used);
	assert_int_equal(totals(store).stores, 3 + 4 * 1000);
	/* Another size or kind takes another place, and what was there waits for its readers. */
	assert_int_equal(put_copied(store, key("t"), text, 40), LRD_OK);
	assert_true(t != index_of(store, key("t")) && totals(store).bytes_limbo > 0);
	assert_int_equal(put_copied(store, key("i"), text, 8), LRD_OK);
	assert_true(i != index_of(store, key("i")));
	lrd_store_unpin(store);
	assert_sound(store);
}

static void no_version_comes_twice(void **state)
{
	lrd_store *store = *state;
	enum { CHANGES = 1000 };
	static uint64_t seen[3 * CHANGES];
	unsigned count = 0;
	int64_t sum;
	for (unsigned at = 0; at < CHANGES; at++) {
		if (at % 7 == 0) {
			put_copied(store, key("k"), "text", 4);
		} else if (at % 11 == 0) {
			lrd_store_delete(store, key("k"));
			put_int(store, key("k"), 0);
		} else {
			assert_int_equal(
				lrd_store_put(store, key("k"), NULL, 0, &(lrd_value) { .type = LRD_TYPE_INT }, NULL), LRD_OK);
		}
		seen[count++] = version_of(store, key("k"));
		if (lrd_store_increment(store, key("k"), 1, &sum) == LRD_OK) {
			seen[count++] = version_of(store, key("k"));
			lrd_store_increment(store, key("k"), -1, &sum);
			seen[count++] = version_of(store, key("k"));
		}
	}
	for (unsigned a = 0; a < count; a++) {
		for (unsigned b = 0; b < a; b++) {
			assert_true(seen[a] != seen[b]);
		}
	}
}

static void set_int(lrd_store *store, lrd_key k, int64_t number)
{
	const lrd_value value = { .type = LRD_TYPE_INT, .word = (uint64_t) number };
	assert_int_equal(lrd_store_put(store, k, NULL, 0, &value, NULL), LRD_OK);
}

/* Behind some new ones in a row none is looked for: one that is there is replaced, and then found again. */
static void an_int_behind_many_new_ones_is_still_one(void **state)
{
	lrd_store *store = *state;
	enum { ROUNDS = 20, NEW = 30 };
	uint64_t seen[2 * ROUNDS];
	set_int(store, key("old"), -1);
	for (int round = 0; round < ROUNDS; round++) {
		for (int at = 0; at < NEW; at++) {
			set_int(store, key("%d-%d", round, at), at);
		}
		uint32_t before = index_of(store, key("old"));
		set_int(store, key("old"), round);
		assert_int(store, key("old"), round);
		seen[2 * round] = version_of(store, key("old"));
		uint32_t after = index_of(store, key("old"));
		assert_true(after != before);
		set_int(store, key("old"), ~round);
		assert_int(store, key("old"), ~round);
		seen[2 * round + 1] = version_of(store, key("old"));
		assert_true(index_of(store, key("old")) == after);
	}
	for (int a = 0; a < 2 * ROUNDS; a++) {
		for (int b = 0; b < a; b++) {
			assert_true(seen[a] != seen[b]);
		}
	}
	assert_int_equal(totals(store).entries, 1 + ROUNDS * NEW);
	assert_int_equal(totals(store).stores, 1 + ROUNDS * (NEW + 2));
	assert_sound(store);
}

/* The new end with the old value, or the other way round, would be a value that nobody has stored. */
static void what_is_over_is_not_revived_in_place(void **state)
{
	lrd_store *store = *state;
	lrd_value value = { .type = LRD_TYPE_TEXT, .expires_ms = 1 };
	assert_int_equal(lrd_store_put(store, key("k"), "old", 3, &value, NULL), LRD_OK);
	assert_false(has(store, key("k")));
	assert_int_equal(put_copied(store, key("k"), "abc", 3), LRD_OK);
	uint32_t index = index_of(store, key("k"));
	lrd_store_touch(store, key("k"), 1);
	lrd_store_pin(store);
	assert_int_equal(put_copied(store, key("k"), "new", 3), LRD_OK);
	assert_true(index != index_of(store, key("k")));
	lrd_store_unpin(store);
	assert_int_equal(lrd_store_put(store, key("k"), "old", 3, &value, NULL), LRD_OK);
	assert_false(has(store, key("k")));
	assert_sound(store);
}

/* A walk marks what it meets; entries are named by number. Changing, it makes each of the second half anew once. */
static unsigned walk(lrd_store *store, uint8_t *met, unsigned count, bool changing)
{
	lrd_entry entry;
	uint64_t cursor = 0;
	unsigned seen = 0;
	lrd_store_pin(store);
	while (lrd_store_next(store, &cursor, &entry) == LRD_OK) {
		unsigned number = (unsigned) strtoul(entry.key.bytes, NULL, 10);
		assert_true(number < count && entry.key.size <= 5 && entry.version != 0 && entry.bytes >= 16
			&& entry.type == TYPE_TEXT);
		seen++;
		if (met[number]++ == 0 && changing && number >= count / 2) {
			lrd_store_delete(store, key("%u", number));
			put(store, key("%u", number), "a new one");
		}
		assert_true(seen <= 2 * count);
	}
	lrd_store_unpin(store);
	return seen;
}

static void next_meets_all_that_stays(void **state)
{
	(void) state;
	lrd_store *store = open_store(2 << 20, 4, 100);
	uint8_t met[300] = { 0 };
	for (unsigned at = 0; at < 300; at++) {
		assert_int_equal(put(store, key("%u", at), "x"), LRD_OK);
	}
	put_for(store, key("gone"), "x", 1);
	assert_int_equal(walk(store, met, 300, false), 300);
	for (unsigned at = 0; at < 300; at++) {
		assert_int_equal(met[at], 1);
	}
	memset(met, 0, sizeof met);
	walk(store, met, 300, true);
	for (unsigned at = 0; at < 150; at++) {
		assert_true(met[at] >= 1);
	}
	uint64_t removed;
	assert_int_equal(lrd_store_clear(store, NULL, &removed), LRD_OK);
	assert_int_equal(walk(store, met, 300, false), 0);
	assert_sound(store);
	lrd_store_close(store);
}

static void many_keys_in_one_bucket_are_told_apart(void **state)
{
	lrd_store *store = *state;
	store->shard[0].table.bucket_count = 1;
	char text[16];
	for (unsigned at = 0; at < 500; at++) {
		snprintf(text, sizeof text, "value %u", at);
		assert_int_equal(put(store, key("%u", at), text), LRD_OK);
	}
	for (unsigned at = 0; at < 500; at += 3) {
		assert_int_equal(lrd_store_delete(store, key("%u", at)), LRD_OK);
	}
	for (unsigned at = 0; at < 500; at++) {
		snprintf(text, sizeof text, "value %u", at);
		if (at % 3 == 0) {
			assert_false(has(store, key("%u", at)));
		} else {
			assert_text(store, key("%u", at), text);
		}
	}
	assert_sound(store);
}

/* A chain is for those that have no place in their bucket, and while they have none. */
static void the_chain_of_a_bucket_moves_to_its_places(void **state)
{
	lrd_store *store = *state;
	lrd_bucket *bucket = store->shard[0].table.buckets;
	enum { KEYS = 3 * LRD_BUCKET_LINKS };
	store->shard[0].table.bucket_count = 1;
	for (unsigned at = 0; at < KEYS; at++) {
		assert_int_equal(put_int(store, key("%u", at), at), LRD_OK);
	}
	assert_int_not_equal(atomic_load(&bucket->chain), 0);
	/* One at a place and one in the chain are replaced where they are. */
	for (unsigned at = 0; at < KEYS; at += KEYS - 1) {
		put(store, key("%u", at), "another kind of value");
		assert_text(store, key("%u", at), "another kind of value");
		assert_sound(store);
	}
	for (unsigned at = 0; at < KEYS - LRD_BUCKET_LINKS; at++) {
		assert_int_equal(lrd_store_delete(store, key("%u", at)), LRD_OK);
		for (unsigned other = at + 1; other < KEYS - 1; other++) {
			assert_int(store, key("%u", other), other);
		}
	}
	assert_int_equal(atomic_load(&bucket->chain), 0);
	assert_sound(store);
}

enum { CROWD = LRD_BUCKET_LINKS + 1, CROWD_ROUNDS = 10000, CROWD_WAITS = 50 };

typedef struct crowd {
	_Atomic unsigned phase;             /* odd: all that had no place at first is there; 0: the end */
	_Atomic unsigned looks;             /* of the reader, who holds back what was removed meanwhile */
} crowd;

static int read_the_crowd(lrd_store *store, void *with)
{
	crowd *both = with;
	for (unsigned seen; (seen = atomic_load(&both->phase)) != 0; atomic_fetch_add(&both->looks, 1)) {
		lrd_store_pin(store);
		for (unsigned at = LRD_BUCKET_LINKS; at < CROWD && seen % 2 == 1; at++) {
			lrd_found found;
			lrd_status status = lrd_store_get(store, key("%u", at), &found);
			if ((status != LRD_OK || found.word != at) && atomic_load(&both->phase) == seen) {
				return 1;
			}
		}
		lrd_store_unpin(store);
	}
	return 0;
}

static void write_the_crowd(lrd_store *store, crowd *both)
{
	for (unsigned at = 0; at < CROWD; at++) {
		assert_int_equal(put_int(store, key("%u", at), at), LRD_OK);
	}
	atomic_fetch_add(&both->phase, 1);
	for (unsigned at = 0; at < CROWD; at++) {
		if (at == LRD_BUCKET_LINKS) {
			atomic_fetch_add(&both->phase, 1);
		}
		assert_int_equal(lrd_store_delete(store, key("%u", at)), LRD_OK);
	}
}

static void what_moves_to_a_place_is_never_missed(void **state)
{
	lrd_store *store = *state;
	store->shard[0].table.bucket_count = 1;
	crowd *both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(both != MAP_FAILED);
	atomic_store(&both->phase, 2);
	pid_t reader = start_child(store, read_the_crowd, both);
	int status = 0;
	pid_t ended = 0;
	for (unsigned round = 0; round < CROWD_ROUNDS && ended == 0; round++) {
		write_the_crowd(store, both);
		unsigned looks = atomic_load(&both->looks);
		while (round % CROWD_WAITS == 0 && ended == 0 && atomic_load(&both->looks) - looks < 2) {
			ended = waitpid(reader, &status, WNOHANG);
		}
	}
	atomic_store(&both->phase, 0);
	assert_int_equal(ended == 0 ? waitpid(reader, &status, 0) : ended, reader);
	assert_int_equal(status, 0);
	assert_int_equal(totals(store).evictions, 0);
	munmap(both, sizeof *both);
}

static void the_report_counts(void **state)
{
	lrd_store *store = *state;
	lrd_report report;
	lrd_store_report(store, &report);
	assert_true(report.made && !report.named && report.shift == 0 && report.segment->maker == (uint32_t) getpid());
	assert_true(report.shards == 1 && report.slots == 16 && report.oldest_pin_ms == 0);
	uint64_t empty = totals(store).bytes_used, token;
	put_filled(store, key("a"), 'a', 1000);
	put_for(store, key("b"), "x", lrd_clock_real_ms() + 60000);
	lrd_store_lease(store, key("c"), 1000, false, &token);
	lrd_shard_report sum = totals(store);
	assert_true(sum.stores == 2 && sum.leases == 1 && sum.entries == 2);
	assert_true(
		sum.bytes_used >= empty + 1000 && sum.bytes_used < sum.bytes_total && sum.bytes_total == report.bytes_total);
	lrd_store_pin(store);
	usleep(20000);
	lrd_store_report(store, &report);
	assert_in_range(report.oldest_pin_ms, 5, 5000);
	assert_int_equal(report.oldest_pin_process, getpid());
	assert_int_equal(report.slots_used, 1);
	uint64_t epoch = report.epoch;
	put(store, key("a"), "x");
	lrd_store_report(store, &report);
	assert_true(report.epoch > epoch);
	assert_true(totals(store).bytes_limbo > 0);
	lrd_store_unpin(store);
	lrd_store_report(store, &report);
	assert_int_equal(report.oldest_pin_ms, 0);
}

static void pins_do_not_nest(void **state)
{
	lrd_store *store = *state;
	assert_false(lrd_store_is_pinned(store));
	assert_int_equal(lrd_store_pin(store), LRD_OK);
	assert_int_equal(lrd_store_pin(store), LRD_OK);
	assert_true(lrd_store_is_pinned(store));
	lrd_store_unpin(store);
	assert_false(lrd_store_is_pinned(store));
	lrd_store_unpin(store);
}

static void an_abandoned_draft_leaves_nothing(void **state)
{
	lrd_store *store = *state;
	uint64_t used = totals(store).bytes_used;
	lrd_draft draft;
	put(store, key("k"), "old");
	for (unsigned round = 0; round < 1000; round++) {
		assert_int_equal(lrd_store_draft(store, key("k"), 100000, &draft), LRD_OK);
		lrd_store_abandon(store, &draft);
	}
	assert_text(store, key("k"), "old");
	lrd_store_delete(store, key("k"));
	lrd_store_draft(store, key("z"), 1, &draft);
	lrd_store_abandon(store, &draft);
	assert_int_equal(totals(store).bytes_used, used);
	assert_sound(store);
}

/* ---- several processes ---- */

static int add_each(lrd_store *store, void *with)
{
	(void) with;
	int won = 0;
	for (unsigned at = 0; at < 100; at++) {
		won += put_if(store, key("add %u", at), "x", 1, LRD_IF_MISSING, 0) == LRD_OK;
	}
	return won;
}

static int count_up(lrd_store *store, void *with)
{
	(void) with;
	int64_t sum;
	for (unsigned at = 0; at < 2000; at++) {
		while (lrd_store_increment(store, key("n"), 1, &sum) == LRD_TIMEOUT) {
		}
	}
	return 0;
}

static void processes_do_not_lose_each_others_writes(void **state)
{
	lrd_store *store = *state;
	put_int(store, key("n"), 0);
	pid_t adding[4], counting[4];
	int won = 0;
	for (unsigned at = 0; at < 4; at++) {
		adding[at] = start_child(store, add_each, NULL);
		counting[at] = start_child(store, count_up, NULL);
	}
	for (unsigned at = 0; at < 4; at++) {
		won += end_of(adding[at]);
		assert_int_equal(end_of(counting[at]), 0);
	}
	assert_int_equal(won, 100);
	assert_int(store, key("n"), 8000);
	assert_sound(store);
}

static int use_slot(lrd_store *store, void *with)
{
	(void) with;
	lrd_draft draft;
	return lrd_store_pin(store) == LRD_NO_SLOT && lrd_store_draft(store, key("k"), 1, &draft) == LRD_NO_SLOT ? 7 : 0;
}

static void without_a_slot_nothing_is_read(void **state)
{
	(void) state;
	lrd_store_options options = { .segment = { .size = 1 << 20 }, .slots = 1 };
	char why[LRD_SEGMENT_WHY];
	lrd_store *store;
	assert_int_equal(lrd_store_open(&options, &store, why), LRD_OK);
	assert_int_equal(run_child(store, use_slot, NULL), 0);
	assert_int_equal(put(store, key("k"), "x"), LRD_OK);
	assert_int_equal(run_child(store, use_slot, NULL), 7);
	lrd_report report;
	lrd_store_report(store, &report);
	assert_int_equal(report.no_slot, 2);
	assert_true(report.reaped >= 1);
	lrd_store_close(store);
}

static int write_stray(lrd_store *store, void *with)
{
	(void) with;
	lrd_found found;
	lrd_store_protect(store, true);
	if (put(store, key("k"), "written") != LRD_OK || put_if(store, key("k"), "", 0, LRD_IF_MISSING, 0) != LRD_EXISTS) {
		return 1;
	}
	lrd_store_pin(store);
	if (lrd_store_get(store, key("k"), &found) != LRD_OK || memcmp(found.bytes, "written", 7) != 0) {
		return 2;
	}
	signal(SIGSEGV, SIG_DFL);
	*(volatile char *) (uintptr_t) found.bytes = 'X';
	return 3;
}

static int read_stray(lrd_store *store, void *with)
{
	(void) with;
	lrd_found found;
	lrd_store_pin(store);
	if (lrd_store_get(store, key("k"), &found) != LRD_OK) {
		return 1;
	}
	lrd_store_unpin(store);
	lrd_store_hide(store);
	signal(SIGSEGV, SIG_DFL);
	return *(const volatile char *) found.bytes;
}

static void the_guards_catch_strays(void **state)
{
	lrd_store *store = *state;
	put(store, key("k"), "x");
	assert_int_equal(run_child(store, write_stray, NULL), -SIGSEGV);
	assert_text(store, key("k"), "written");
	assert_int_equal(run_child(store, read_stray, NULL), -SIGSEGV);
}

/* ---- named ---- */

static void a_named_store_is_attached_at_its_base_or_elsewhere(void **state)
{
	(void) state;
	char path[] = "/tmp/larder-store-XXXXXX", why[LRD_SEGMENT_WHY];
	close(mkstemp(path));
	lrd_store_options options = {
		.segment = { .path = path, .size = 1 << 20, .base = LRD_SEGMENT_BASE, .stamp = "one" }, .slots = 8
	};
	lrd_store *first, *second;
	assert_int_equal(lrd_store_open(&options, &first, why), LRD_OK);
	put(first, key("k"), "seen from both");
	assert_int_equal(lrd_store_open(&options, &second, why), LRD_MOVED);
	assert_true(lrd_store_shift(second) != 0);
	assert_text(second, key("k"), "seen from both");
	put(second, key("k"), "changed by the other");
	assert_text(first, key("k"), "changed by the other");
	lrd_found here, there;
	lrd_store_pin(first);
	lrd_store_pin(second);
	lrd_store_get(first, key("k"), &here);
	lrd_store_get(second, key("k"), &there);
	assert_true(there.bytes - here.bytes == lrd_store_shift(second));
	lrd_store_close(first);
	assert_sound(second);
	lrd_store_close(second);
	options.segment.stamp[0] = 'X';
	assert_int_equal(lrd_store_open(&options, &second, why), LRD_BAD_STAMP);
	unlink(path);
}

static void a_shape_that_cannot_be_is_refused(void **state)
{
	(void) state;
	char why[LRD_SEGMENT_WHY];
	lrd_store *store;
	const lrd_store_options wrong[] = {
		{ .segment = { .size = 0 } },
		{ .segment = { .size = 64 << 10 } },
		{ .segment = { .size = 1 << 20 }, .shards = 3 },
		{ .segment = { .size = 64 << 20 }, .shards = 2 * LRD_SHARDS_MAX },
		{ .segment = { .size = 1 << 20 }, .slots = 1 << 20 },
	};
	for (size_t at = 0; at < sizeof wrong / sizeof wrong[0]; at++) {
		why[0] = '\0';
		assert_int_equal(lrd_store_open(&wrong[at], &store, why), LRD_TOO_LARGE);
		assert_true(strlen(why) > 20);
	}
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_world, close_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_put_is_got),
		TEST(values_have_a_type_and_a_word_or_bytes),
		TEST(keys_are_any_bytes_up_to_the_limit),
		TEST(conditions_decide),
		TEST(would_tells_what_publish_would),
		TEST(deleted_is_gone),
		TEST(an_entry_ends_at_its_time_by_the_real_clock),
		TEST(a_clock_set_back_harms_nothing),
		TEST(touch_moves_the_end),
		TEST(increment_adds_in_place),
		TEST(namespaces_are_apart),
		TEST(name_and_key_are_not_run_together),
		TEST(namespaces_are_without_number_and_given_back),
		TEST(words_and_texts_are_written_over_where_they_lie),
		TEST(no_version_comes_twice),
		TEST(an_int_behind_many_new_ones_is_still_one),
		TEST(what_is_over_is_not_revived_in_place),
		TEST(next_meets_all_that_stays),
		TEST(many_keys_in_one_bucket_are_told_apart),
		TEST(the_chain_of_a_bucket_moves_to_its_places),
		TEST(what_moves_to_a_place_is_never_missed),
		TEST(the_report_counts),
		TEST(pins_do_not_nest),
		TEST(an_abandoned_draft_leaves_nothing),
		TEST(processes_do_not_lose_each_others_writes),
		TEST(without_a_slot_nothing_is_read),
		TEST(the_guards_catch_strays),
		TEST(a_named_store_is_attached_at_its_base_or_elsewhere),
		TEST(a_shape_that_cannot_be_is_refused),
	};
	return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}

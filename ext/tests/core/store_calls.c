#define _GNU_SOURCE
#include "store_calls.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 300, LARGE = 9000 };

/* ---- what is in it ---- */

/* Each thread has one at a time. */
lrd_key key_of(const char *kind, int number)
{
	static _Thread_local char bytes[32];
	return (lrd_key) {.bytes = {bytes, (size_t) snprintf(bytes, sizeof bytes, "%s%d", kind, number)}};
}

static char letter_of(int number)
{
	return (char) ('a' + number % 26);
}

/* By turns an int, a text, and one that is handed out by pointer. */
lrd_status fill_one(lrd_store *store, int number)
{
	char text[LARGE];
	if (number % 3 == 0) {
		return put_int(store, key_of("key", number), number);
	}
	memset(text, letter_of(number), sizeof text);
	if (number % 3 == 1) {
		return put_copied(store, key_of("key", number), text, TEXT);
	}
	return put_filled(store, key_of("key", number), letter_of(number), number % 50 == 2 ? LARGE : TEXT);
}

/* Whether the key has what was stored, or nothing. */
static bool is_right(lrd_store *store, int number, unsigned *hits)
{
	lrd_found found;
	char copy[LARGE];
	if (lrd_store_get(store, key_of("key", number), &found) != LRD_OK) {
		return true;
	}
	if (found.type == LRD_TYPE_INT) {
		*hits += 1;
		return found.word == (uint64_t) number || found.word == (uint64_t) number + 1;
	}
	size_t size = found.size < sizeof copy ? found.size : sizeof copy;
	memcpy(copy, found.bytes, size);
	if (!lrd_segment_is_alive(lrd_store_segment(store))
		|| (found.type == LRD_TYPE_TEXT && !lrd_found_is_same(&found))) {
		return true;
	}
	*hits += 1;
	for (size_t at = 0; at < size; at++) {
		if (copy[at] != letter_of(number)) {
			return false;
		}
	}
	return size > 0;
}

bool all_are_right(lrd_store *store, unsigned *hits)
{
	*hits = 0;
	if (lrd_store_pin(store) != LRD_OK) {
		return true;
	}
	bool right = true;
	for (int number = 0; number < KEYS; number++) {
		right = is_right(store, number, hits) && right;
	}
	lrd_store_unpin(store);
	return right;
}

/* ---- each kind of call ---- */

static void get_all(lrd_store *store)
{
	unsigned hits;
	if (!all_are_right(store, &hits)) {
		_exit(WRONG);
	}
}

static void set_all(lrd_store *store)
{
	for (int number = 0; number < KEYS; number++) {
		fill_one(store, number);
	}
}

static void set_new(lrd_store *store)
{
	for (int number = 0; number < 50; number++) {
		put_int(store, key_of("new", number), number);
		put_filled(store, key_of("large", number), 'x', LARGE);
	}
}

static void delete_all(lrd_store *store)
{
	for (int number = 0; number < KEYS; number++) {
		lrd_store_delete(store, key_of("key", number));
	}
}

static void count_all(lrd_store *store)
{
	int64_t sum;
	for (int number = 0; number < KEYS; number++) {
		lrd_status status = lrd_store_increment(store, key_of("key", number), 1, &sum);
		if (status == LRD_OK && sum != number + 1) {
			_exit(WRONG);
		}
		lrd_store_increment(store, key_of("key", number), -1, &sum);
	}
}

static void touch_all(lrd_store *store)
{
	for (int number = 0; number < KEYS; number++) {
		lrd_store_touch(store, key_of("key", number), lrd_clock_real_ms() + 100000);
	}
}

static void clear(lrd_store *store)
{
	uint64_t removed;
	lrd_store_clear(store, NULL, &removed);
}

static void lease_some(lrd_store *store)
{
	uint64_t token;
	for (int number = 0; number < 50; number++) {
		if (lrd_store_lease(store, key_of("lease", number), 1000, true, &token) == LRD_OK && number % 2 == 0) {
			lrd_store_release(store, key_of("lease", number), token);
		}
	}
	lrd_store_end_leases(store);
}

static void look_through(lrd_store *store)
{
	uint64_t cursor = 0;
	lrd_entry entry;
	lrd_report report;
	lrd_store_report(store, &report);
	totals(store);
	lrd_store_pin(store);
	for (int steps = 0; steps < 100000 && lrd_store_next(store, &cursor, &entry) == LRD_OK; steps++) {
	}
	lrd_store_unpin(store);
}

void (*const calls[CALLS])(lrd_store *store) = {
	get_all, set_all, set_new, delete_all, count_all, touch_all, clear, lease_some, look_through,
};

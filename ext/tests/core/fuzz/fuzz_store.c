/*
 * The reading functions on a store whose buckets, lists, page table and records were overwritten by the input: whatever
 * they find there, they end, read nothing outside of the segment and hand out nothing outside of the values. The
 * segment stands alone at its base, so that a read behind either end is a fault.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../../core/shm/lrd_handle.h"
#include "../../../core/shm/lrd_store.h"

enum { KEYS = 24, SPACES = 2, CHANGES = 16 };

static lrd_space spaces[SPACES];

static lrd_store *store;
static char *control, *kept;
static size_t control_size;
static volatile unsigned char sink;

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds) {
		__builtin_trap();
	}
}

static lrd_key key(unsigned number)
{
	static char text[2];
	text[0] = (char) ('a' + number);
	text[1] = 'k';
	return (lrd_key) { .bytes = { text, 1 + number % 2 }, .space = &spaces[number % SPACES] };
}

static void put(unsigned number, size_t size, uint64_t expires_ms)
{
	static const char text[600];
	lrd_draft draft;
	if (number % 4 == 3 && size <= sizeof text) {
		lrd_value value = { .type = LRD_TYPE_TEXT, .expires_ms = expires_ms };
		require(lrd_store_put(store, key(number), text, size, &value, NULL) == LRD_OK);
		return;
	}
	require(lrd_store_draft(store, key(number), size, &draft) == LRD_OK);
	if (size > 0) {
		memset(draft.bytes, (int) number, size);
	}
	lrd_value value = { .type = size == 0 ? LRD_TYPE_INT : 2, .word = number, .expires_ms = expires_ms };
	require(lrd_store_publish(store, key(number), &draft, &value, NULL) == LRD_OK);
}

/* Two thirds of the keys are there; some were, and some were replaced. */
int LLVMFuzzerInitialize(int *count, char ***arguments)
{
	(void) count;
	(void) arguments;
	char why[LRD_SEGMENT_WHY];
	lrd_store_options options = { .segment = { .size = 400 << 10, .base = LRD_SEGMENT_BASE }, .shards = 1, .slots = 4 };
	require(lrd_store_open(&options, &store, why) == LRD_OK);
	lrd_space_of(&spaces[1], (lrd_slice) { "name", 4 });
	/* So that an input finds the same buckets in every run. */
	store->shard[0].table.seed = 1;
	require(lrd_store_pin(store) == LRD_OK);
	for (unsigned number = 0; number < KEYS; number++) {
		put(number, number * number * 8, number % 7 == 6 ? UINT64_MAX : 0);
	}
	for (unsigned number = 0; number < KEYS; number += 3) {
		require(lrd_store_delete(store, key(number)) == LRD_OK);
		put(number + 1, 100, 0);
	}
	uint64_t token;
	require(lrd_store_lease(store, key(0), 1000, false, &token) == LRD_OK);
	control = (char *) store->shard[0].state + sizeof(lrd_lock);
	/* To behind the first pages with records, where all small ones lie. */
	control_size = (size_t) (store->segment.body + store->layout.values + 16 * LRD_ALLOC_PAGE - control);
	kept = malloc(control_size);
	require(kept != NULL);
	memcpy(kept, control, control_size);
	return 0;
}

static void read_through(const char *bytes, size_t size)
{
	require(size == 0 || (lrd_store_holds(store, bytes) && lrd_store_holds(store, bytes + size - 1)));
	for (size_t at = 0; at < size; at += 256) {
		sink ^= (unsigned char) bytes[at];
	}
	if (size > 0) {
		sink ^= (unsigned char) bytes[size - 1];
	}
}

static void read_all(void)
{
	lrd_found found;
	for (unsigned number = 0; number < KEYS + 2; number++) {
		if (lrd_store_get(store, key(number), &found) == LRD_OK) {
			read_through(found.bytes, found.size);
		}
	}
	lrd_store_would(store, key(1), LRD_IF_MISSING, 0);
	lrd_store_would(store, key(2), LRD_IF_VERSION, 2);
	lrd_entry entry;
	uint64_t cursor = 0;
	for (unsigned met = 0; lrd_store_next(store, &cursor, &entry) == LRD_OK; met++) {
		require(met < store->layout.pages * 256);
		read_through(entry.key.bytes, entry.key.size);
	}
	lrd_report report;
	lrd_shard_report shard;
	lrd_store_report(store, &report);
	lrd_store_report_shard(store, 0, &shard);
}

/* Each change: a place as a number of words, then 1 to 8 bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	memcpy(control, kept, control_size);
	for (unsigned change = 0; change < CHANGES && size >= 4; change++) {
		size_t place = ((size_t) bytes[0] | (size_t) bytes[1] << 8) * 4 + bytes[2] % 4;
		size_t length = bytes[2] / 4 % 8 + 1;
		bytes += 3;
		size -= 3;
		length = length < size ? length : size;
		place %= control_size - 8;
		memcpy(control + place, bytes, length);
		bytes += length;
		size -= length;
	}
	read_all();
	return 0;
}

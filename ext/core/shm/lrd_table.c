#include "lrd_table.h"

#include <string.h>

static inline uint64_t fold(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = (unsigned __int128) a * b;
	return (uint64_t) product ^ (uint64_t) (product >> 64);
}

static inline uint64_t read64(const char *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
}

static inline uint64_t read32(const char *bytes)
{
	uint32_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
}

uint64_t lrd_table_hash(uint64_t seed, uint16_t space, lrd_slice key)
{
	/* Odd constants with as many ones as zeros: digits of the square roots of 2, 3 and 5. */
	const uint64_t first = UINT64_C(0x6a09e667f3bcc909), second = UINT64_C(0xbb67ae8584caa73b), third = UINT64_C(0x3c6ef372fe94f82b);
	uint64_t hash = seed ^ (space * second);
	const char *at = key.bytes;
	size_t left = key.size;
	for (; left > 16; at += 16, left -= 16) {
		hash = fold(read64(at) ^ first, read64(at + 8) ^ hash);
	}
	uint64_t a = 0, b = 0;
	if (left >= 8) {
		a = read64(at);
		b = read64(at + left - 8);
	} else if (left >= 4) {
		a = read32(at);
		b = read32(at + left - 4);
	} else if (left > 0) {
		a = (uint64_t) (unsigned char) at[0] << 16 | (uint64_t) (unsigned char) at[left >> 1] << 8 | (unsigned char) at[left - 1];
	}
	hash = fold(a ^ first, b ^ hash);
	return fold(hash ^ second, key.size ^ third);
}

/* memcmp(3) without the call: keys are short, and this is on the path of every read. */
static inline bool are_equal(const char *a, const char *b, size_t size)
{
	if (size < 8) {
		uint64_t difference = 0;
		for (size_t i = 0; i < size; i++) {
			difference |= (uint64_t) (a[i] ^ b[i]);
		}
		return difference == 0;
	}
	for (size_t i = 0; i < size - 8; i += 8) {
		if (read64(a + i) != read64(b + i)) {
			return false;
		}
	}
	return read64(a + size - 8) == read64(b + size - 8);
}

static inline bool has_key(const lrd_table *table, const lrd_record *record, lrd_slice key)
{
	uint64_t start = (uint64_t) record->block * 16;
	return record->key_size == key.size
		&& start < table->values_size
		&& (uint64_t) lrd_key_room(record->key_size) + record->value_size <= table->values_size - start
		&& are_equal(table->values + start, key.bytes, key.size);
}

uint32_t lrd_table_find(const lrd_table *table, uint64_t hash, uint16_t space, lrd_slice key)
{
	uint32_t index = atomic_load_explicit(&table->buckets[hash & table->mask], memory_order_acquire);
	for (uint32_t step = 0; index != LRD_RECORD_NONE && index < table->count && step < table->count; step++) {
		const lrd_record *record = &table->records[index];
		/* One in limbo counts: it was unlinked while we walked, so that this read still comes before its removal. */
		if (record->hash == hash && record->type != LRD_TYPE_LEASE && record->space == space && has_key(table, record, key)) {
			return index;
		}
		index = atomic_load_explicit(&record->next, memory_order_acquire);
	}
	return LRD_RECORD_NONE;
}

uint32_t lrd_table_find_lease_locked(const lrd_table *table, uint64_t hash, uint16_t space)
{
	uint32_t index = atomic_load_explicit(&table->buckets[hash & table->mask], memory_order_relaxed);
	for (uint32_t step = 0; index != LRD_RECORD_NONE && index < table->count && step < table->count; step++) {
		const lrd_record *record = &table->records[index];
		if (record->hash == hash && record->type == LRD_TYPE_LEASE && record->space == space) {
			return index;
		}
		index = atomic_load_explicit(&record->next, memory_order_relaxed);
	}
	return LRD_RECORD_NONE;
}

void lrd_table_link_locked(lrd_table *table, uint32_t index)
{
	lrd_record *record = &table->records[index];
	_Atomic uint32_t *bucket = &table->buckets[record->hash & table->mask];
	atomic_store_explicit(&record->next, atomic_load_explicit(bucket, memory_order_relaxed), memory_order_relaxed);
	atomic_store_explicit(bucket, index, memory_order_release);
}

void lrd_table_unlink_locked(lrd_table *table, uint32_t index)
{
	lrd_record *record = &table->records[index];
	_Atomic uint32_t *link = &table->buckets[record->hash & table->mask];
	uint32_t at = atomic_load_explicit(link, memory_order_relaxed);
	for (uint32_t step = 0; at != LRD_RECORD_NONE && at < table->count && step < table->count; step++) {
		if (at == index) {
			uint32_t next = atomic_load_explicit(&record->next, memory_order_relaxed);
			atomic_store_explicit(link, next, memory_order_release);
			return;
		}
		link = &table->records[at].next;
		at = atomic_load_explicit(link, memory_order_relaxed);
	}
}

/*
 * Key to record, for one shard: hash buckets of chained records, 64 bytes each, out of line from keys and values.
 *
 * Readers follow bucket and `next` without a lock, pinned, while one writer, who holds the shard's lock, changes them:
 * a chain is whole after every single store. A record that a reader stands on keeps its next, its key and its value
 * until the reader has unpinned, also when it was unlinked meanwhile.
 *
 * A record's state is the truth from which all lists are rebuilt after a death: its block, size and key are written
 * before it leaves LRD_FREE, and it goes back there in one store.
 */
#ifndef LRD_TABLE_H
#define LRD_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "../base/lrd_slice.h"

#define LRD_RECORD_NONE 0u              /* record 0 is never used */
#define LRD_TYPE_LEASE 0u               /* a record without key and value: the right to compute one */

typedef enum lrd_state {
	LRD_FREE = 0,
	LRD_DRAFT,                          /* being written by the process in `word`; in no chain */
	/* in its chain; or was about to be put there, or just taken out, when a writer died */
	LRD_LIVE,
	LRD_LIMBO,                          /* unlinked; readers may still hold it */
} lrd_state;

typedef struct lrd_record {
	_Atomic uint32_t next;              /* in the chain */
	uint32_t older, newer;              /* in the one list that its state puts it in */
	_Atomic uint8_t state;
	_Atomic uint8_t visited;            /* SIEVE's bit; the only thing a reader ever writes, and only when it is 0 */
	uint16_t space;
	uint64_t hash;
	uint32_t block;                     /* granules from the arena's start: the key, then the value */
	uint32_t size;                      /* bytes asked for the block; 0: no block */
	_Atomic uint64_t word;              /* the value's; draft and lease: the holder, see lrd_word_of() */
	_Atomic uint64_t version;           /* lease: its token; limbo: the epoch's number at which it was retired */
	_Atomic uint64_t expires;           /* real ms, 0 never; lease: monotonic ns */
	uint32_t value_size;
	uint16_t key_size;
	uint8_t type;
	uint8_t spare;
} lrd_record;

_Static_assert(sizeof(lrd_record) == 64, "a record is one cache line");

/* A process's view of one shard's part. Made at open; the bytes lie in the segment. */
typedef struct lrd_table {
	_Atomic uint32_t *buckets;
	lrd_record *records;
	char *values;                       /* start of the arena */
	uint64_t values_size;
	uint64_t seed;
	uint32_t mask;                      /* buckets - 1 */
	uint32_t count;                     /* records, with the unused first one */
} lrd_table;

static inline const char *lrd_record_key(const lrd_table *table, const lrd_record *record)
{
	return table->values + (uint64_t) record->block * 16;
}

/* Where the value starts in the block, behind the key. */
static inline uint32_t lrd_key_room(uint32_t key_size)
{
	return (key_size + 15u) & ~15u;
}

/* ---- the path of every read, inline ---- */

/* The compiler would make one function of the many uses, and a call of it. */
#define LRD_INLINE static inline __attribute__((always_inline))

static inline uint64_t lrd_read64(const char *bytes)
{
	uint64_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
}

static inline uint32_t lrd_read32(const char *bytes)
{
	uint32_t word;
	memcpy(&word, bytes, sizeof word);
	return word;
}

LRD_INLINE uint64_t lrd_fold(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = (unsigned __int128) a * b;
	return (uint64_t) product ^ (uint64_t) (product >> 64);
}

/* Keyed, so that nobody outside can choose keys that share a bucket. Folded multiplication, after Wang Yi's wyhash. */
LRD_INLINE uint64_t lrd_table_hash(uint64_t seed, uint16_t space, lrd_slice key)
{
	/* Digits of the square roots of 2, 3 and 5. */
	const uint64_t first = UINT64_C(0x6a09e667f3bcc909), second = UINT64_C(0xbb67ae8584caa73b);
	const uint64_t third = UINT64_C(0x3c6ef372fe94f82b);
	uint64_t hash = seed ^ (space * second);
	const char *at = key.bytes;
	size_t left = key.size;
	for (; left > 16; at += 16, left -= 16) {
		hash = lrd_fold(lrd_read64(at) ^ first, lrd_read64(at + 8) ^ hash);
	}
	uint64_t a = 0, b = 0;
	if (left >= 8) {
		a = lrd_read64(at);
		b = lrd_read64(at + left - 8);
	} else if (left >= 4) {
		a = lrd_read32(at);
		b = lrd_read32(at + left - 4);
	} else if (left > 0) {
		a = (uint64_t) (unsigned char) at[0] << 16 | (uint64_t) (unsigned char) at[left >> 1] << 8
			| (unsigned char) at[left - 1];
	}
	hash = lrd_fold(a ^ first, b ^ hash);
	return lrd_fold(hash ^ second, key.size ^ third);
}

/* memcmp(3) without the call: words, of which the last may overlap the one before. */
LRD_INLINE bool lrd_key_equals(const char *a, const char *b, size_t size)
{
	if (size >= 8) {
		for (size_t i = 0; i < size - 8; i += 8) {
			if (lrd_read64(a + i) != lrd_read64(b + i)) {
				return false;
			}
		}
		return lrd_read64(a + size - 8) == lrd_read64(b + size - 8);
	}
	if (size >= 4) {
		return lrd_read32(a) == lrd_read32(b) && lrd_read32(a + size - 4) == lrd_read32(b + size - 4);
	}
	return size == 0 || (a[0] == b[0] && a[size >> 1] == b[size >> 1] && a[size - 1] == b[size - 1]);
}

LRD_INLINE bool lrd_record_has_key(const lrd_table *table, const lrd_record *record, lrd_slice key)
{
	uint64_t start = (uint64_t) record->block * 16;
	return record->key_size == key.size
		&& start + lrd_key_room(record->key_size) + record->value_size <= table->values_size
		&& lrd_key_equals(table->values + start, key.bytes, key.size);
}

/*
 * The record of this key, or LRD_RECORD_NONE. Takes no lock. Believes no index, size or place it reads: one that cannot
 * be is an absent key.
 */
LRD_INLINE uint32_t lrd_table_find(const lrd_table *table, uint64_t hash, uint16_t space, lrd_slice key)
{
	uint32_t index = atomic_load_explicit(&table->buckets[hash & table->mask], memory_order_acquire);
	for (uint32_t step = 0; index - 1 < table->count - 1 && step < table->count; step++) {
		const lrd_record *record = &table->records[index];
		/* One in limbo counts: it was unlinked while we walked, so that this read still comes before its removal. */
		if (record->hash == hash && record->type != LRD_TYPE_LEASE && record->space == space
			&& lrd_record_has_key(table, record, key)) {
			return index;
		}
		index = atomic_load_explicit(&record->next, memory_order_acquire);
	}
	return LRD_RECORD_NONE;
}

/* ---- under the shard's lock ---- */

/*
 * The lease on this key, found by hash alone: two keys of one hash would share a lease, which is never needed for
 * correctness.
 */
uint32_t lrd_table_find_lease(const lrd_table *table, uint64_t hash, uint16_t space);

/* Before all others of its bucket, so that readers find it before an older one of the same key. */
void lrd_table_link_locked(lrd_table *table, uint32_t index);
void lrd_table_unlink_locked(lrd_table *table, uint32_t index);

#endif

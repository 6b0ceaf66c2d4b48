/*
 * Key to record, for one shard: hash buckets of chained records, 64 bytes each, out of line from keys and values.
 *
 * Readers follow bucket and `next` without a lock, pinned, while one writer, who holds the shard's lock, changes them: a chain
 * is whole after every single store. A record that a reader stands on keeps its next, its key and its value until the
 * reader has unpinned, also when it was unlinked meanwhile.
 *
 * A record's state is the truth from which all lists are rebuilt after a death: its block, size and key are written before it
 * leaves LRD_FREE, and it goes back there in one store.
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
	LRD_LIVE,                           /* in its chain; or was about to be put there, or just taken out, when a writer died */
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

/* Keyed, so that nobody outside can choose keys that share a bucket. Folded multiplication, after Wang Yi's wyhash. */
uint64_t lrd_table_hash(uint64_t seed, uint16_t space, lrd_slice key);

static inline const char *lrd_record_key(const lrd_table *table, const lrd_record *record)
{
	return table->values + (uint64_t) record->block * 16;
}

/* Where the value starts in the block, behind the key. */
static inline uint32_t lrd_key_room(uint32_t key_size)
{
	return (key_size + 15u) & ~15u;
}

/*
 * The record of this key, or LRD_RECORD_NONE. Takes no lock. Believes no index, size or place it reads: one that cannot be is an
 * absent key.
 */
uint32_t lrd_table_find(const lrd_table *table, uint64_t hash, uint16_t space, lrd_slice key);

/* The lease on this key, found by hash alone: two keys of one hash would share a lease, which is never needed for correctness. */
uint32_t lrd_table_find_lease_locked(const lrd_table *table, uint64_t hash, uint16_t space);

/* Before all others of its bucket, so that readers find it before an older one of the same key. */
void lrd_table_link_locked(lrd_table *table, uint32_t index);
void lrd_table_unlink_locked(lrd_table *table, uint32_t index);

#endif

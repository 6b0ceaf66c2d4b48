/*
 * One shard: a part of the keys with a lock, a table, an arena and the queues between them. A writer takes the lock by
 * lrd_shard_lock() in lrd_recover.h, which repairs what a dead owner left before it returns. Functions named _locked
 * need the lock. Readers use lrd_table_find() on shard->table and nothing else.
 */
#ifndef LRD_SHARD_H
#define LRD_SHARD_H

#include "../base/lrd_clock.h"
#include "lrd_alloc.h"
#include "lrd_epoch.h"
#include "lrd_evict.h"
#include "lrd_lock.h"
#include "lrd_table.h"

/* Readable without the lock; written under it, but for the last two. */
typedef struct lrd_counts {
	_Atomic uint64_t stores, evictions, expirations, recoveries;
	_Atomic uint64_t refused_large, refused_full;
	_Atomic uint64_t lock_timeouts;
} lrd_counts;

typedef struct lrd_shard_state {        /* in the segment */
	_Alignas(64) lrd_lock lock;
	_Alignas(64) uint64_t last_version; /* of entries, and the tokens of leases */
	uint32_t free_record;               /* head of the list of free ones, linked by `newer` */
	uint32_t top;                       /* records from here on were never used */
	lrd_sieve live;
	lrd_queue limbo;                    /* by the epoch's number, oldest first */
	uint64_t limbo_bytes;
	uint64_t swept_reaped;              /* how many dead processes there had been at the last full sweep for drafts */
	uint32_t sweep;                     /* where the amortised look for expired ones goes on */
	uint32_t window;                    /* where the search for a window to clear goes on */
	_Atomic uint32_t leases;
	lrd_counts counts;
} lrd_shard_state;

typedef struct lrd_shard {              /* this process's view */
	lrd_shard_state *state;
	lrd_arena *arena;
	lrd_table table;
	lrd_reader *reader;
	unsigned lock_ms;
	unsigned takes;                     /* blocks that this process has asked for */
	/* after a time-out, callers only try for a while: one stopped writer costs a bounded time */
	uint64_t stuck_until_ns;
} lrd_shard;

static inline lrd_record *lrd_shard_record(const lrd_shard *shard, uint32_t index)
{
	return &shard->table.records[index];
}

/* Bytes that an entry takes of the arena. */
static inline uint64_t lrd_record_bytes(const lrd_record *record)
{
	return record->size == 0 ? 0 : lrd_alloc_rounded(record->size);
}

/* Whether its ttl has passed. Reads the clock only if it has one. */
static inline bool lrd_record_is_over(const lrd_record *record)
{
	uint64_t expires = atomic_load_explicit(&record->expires, memory_order_relaxed);
	return expires != 0 && expires <= lrd_clock_real_ms();
}

/* Whether a lease's time is up. */
static inline bool lrd_lease_is_over(const lrd_record *record)
{
	return atomic_load_explicit(&record->expires, memory_order_relaxed) <= lrd_clock_monotonic_ns();
}

/*
 * A record with a block of size bytes (0: none), in LRD_DRAFT, marked with the holder. Frees, expires and evicts as
 * needed: LRD_TOO_LARGE, LRD_FULL.
 */
lrd_status lrd_shard_take_locked(lrd_shard *shard, size_t size, lrd_holder holder, uint32_t *index);

/* A draft goes back at once: nobody has seen it. */
void lrd_shard_drop_locked(lrd_shard *shard, uint32_t index);

/* A live record, or a lease, goes to limbo. */
void lrd_shard_remove_locked(lrd_shard *shard, uint32_t index);

/* A draft becomes live and replaces `old`, unless that is LRD_RECORD_NONE. */
void lrd_shard_publish_locked(lrd_shard *shard, uint32_t index, uint32_t old);

/* Gives back what nobody can be reading any more. look: also asks all slots anew. */
void lrd_shard_collect_locked(lrd_shard *shard, bool look);

/* A holder packed into a record's word, and back. */
static inline uint64_t lrd_word_of(lrd_holder holder)
{
	return (uint64_t) holder.slot << 32 | holder.generation;
}

static inline lrd_holder lrd_holder_of(uint64_t word)
{
	return (lrd_holder) {.slot = (uint32_t) (word >> 32), .generation = (uint32_t) word};
}

#endif

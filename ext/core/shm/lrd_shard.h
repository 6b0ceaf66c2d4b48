/*
 * One shard: a part of the keys with a lock, a table, an arena and the queues between them. A writer takes the lock by
 * lrd_shard_lock() in lrd_recover.h, which repairs what a dead owner left before it returns. Functions named _locked
 * need the lock. Readers use lrd_table_find() on shard->table and nothing else.
 *
 * No hold of the lock looks at more than LRD_HOLD_RECORDS records, whatever the shard has, but the repair after a
 * death: what needs more gives the lock back and goes on.
 */
#ifndef LRD_SHARD_H
#define LRD_SHARD_H

#include "../base/lrd_clock.h"
#include "lrd_alloc.h"
#include "lrd_epoch.h"
#include "lrd_evict.h"
#include "lrd_lock.h"
#include "lrd_segment.h"
#include "lrd_table.h"

#define LRD_HOLD_RECORDS 2048u
/* Of these, at most so many in one of the ways to make room, and in one step of a walk through all. */
#define LRD_STEP_RECORDS 256u

/* Readable without the lock; those of the first line are written under it. */
typedef struct lrd_counts {
	_Atomic uint64_t stores, evictions, expirations, recoveries, refused_full;
	_Alignas(64) _Atomic uint64_t refused_large;
	_Atomic uint64_t lock_timeouts;
	_Atomic uint64_t int_stores;        /* those of ints that were there, which are not among the stores */
	_Atomic uint64_t int_ranges;        /* the last range of versions that was drawn for ints */
} lrd_counts;

typedef struct lrd_shard_state {        /* in the segment */
	_Alignas(64) lrd_lock lock;
	_Atomic uint32_t waiting;           /* who did not get the lock at once */
	_Atomic uint32_t orphans;           /* whether a draft was given up without the lock */
	_Alignas(64) uint64_t last_version; /* of entries, and the tokens of leases */
	uint64_t int_range, int_range_end;  /* the last range that a new int was given, and the last drawn for new ones */
	lrd_sieve live;
	lrd_queue limbo;                    /* by the epoch's number, oldest first */
	uint64_t limbo_bytes;
	uint64_t swept_reaped;              /* how many dead processes there had been at the last look for drafts */
	uint32_t sweep;                     /* where the amortised look for expired ones goes on */
	uint32_t lap;                       /* granules that are left of a lap that looks for drafts of the dead */
	uint32_t mortal;                    /* live records that have an end, leases too */
	uint32_t window;                    /* where the search for a window to clear goes on */
	_Atomic uint32_t leases;
	_Alignas(64) lrd_counts counts;
} lrd_shard_state;

typedef struct lrd_shard {              /* this process's view */
	lrd_shard_state *state;
	lrd_arena *arena;
	lrd_table table;
	lrd_reader *reader;
	const lrd_segment *segment;
	unsigned lock_ms;
	unsigned takes;                     /* blocks that this process has asked for */
	uint32_t looked, most_looked;       /* records in this hold of the lock; in the longest of this process */
	/* after a time-out, callers only try for a while: one stopped writer costs a bounded time */
	uint64_t stuck_until_ns;
} lrd_shard;

static inline lrd_record *lrd_shard_record(const lrd_shard *shard, uint32_t index)
{
	return lrd_table_record(&shard->table, index);
}

static inline lrd_state lrd_record_state(const lrd_record *record)
{
	return (lrd_state) atomic_load_explicit(&record->state, memory_order_relaxed);
}

static inline void lrd_record_set_state(lrd_record *record, lrd_state state)
{
	atomic_store_explicit(&record->state, (uint8_t) state, memory_order_release);
}

static inline uint64_t lrd_record_expires(const lrd_record *record)
{
	return atomic_load_explicit(&record->expires, memory_order_acquire);
}

/* Bytes that a record takes of the arena; 0: it is no block in use. */
static inline uint64_t lrd_shard_bytes(const lrd_shard *shard, uint32_t index)
{
	return lrd_alloc_room(shard->arena, lrd_record_block(index));
}

/* Pages of its arena, as this process knows them. */
static inline uint32_t lrd_shard_pages(const lrd_shard *shard)
{
	return (uint32_t) (shard->table.values_size / LRD_ALLOC_PAGE);
}

/*
 * Something in the segment cannot be, which only damage from outside leaves. Until the next hold of the lock, which
 * repairs the shard as after a death, nothing is allocated.
 */
static inline void lrd_shard_is_broken_locked(lrd_shard *shard)
{
	shard->arena->broken = 1;
}

/* Whether all that its head says lies within its block: what does not was never written to its end. */
static inline bool lrd_record_fits(const lrd_shard *shard, uint32_t index)
{
	const lrd_record *record = lrd_shard_record(shard, index);
	uint32_t size = atomic_load_explicit(&record->value_size, memory_order_relaxed);
	return record->name_size <= record->key_size
		&& lrd_record_needs(record->type, record->key_size, size) <= lrd_shard_bytes(shard, index);
}

/* Whether its ttl has passed. Reads the clock only if it has one. */
static inline bool lrd_record_is_over(const lrd_record *record)
{
	uint64_t expires = lrd_record_expires(record);
	return expires != 0 && expires <= lrd_clock_real_ms();
}

/* Whether a lease's time is up. */
static inline bool lrd_lease_is_over(const lrd_record *record)
{
	return atomic_load_explicit(&record->expires, memory_order_relaxed) <= lrd_clock_monotonic_ns();
}

/* Counts without the bus being locked for it. */
static inline void lrd_shard_count_locked(_Atomic uint64_t *count)
{
	atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1, memory_order_relaxed);
}

/* A version for a value of this type, that no key of this shard has had. */
uint64_t lrd_shard_version_locked(lrd_shard *shard, uint32_t type);
/* The next version of an int; needs not the shard's lock but the int's (lrd_count.h). */
uint64_t lrd_shard_int_version(lrd_shard *shard, uint64_t version);

/* A draft goes back at once: nobody has seen it. */
void lrd_shard_drop_locked(lrd_shard *shard, uint32_t index);

/* A live record, or a lease, goes to limbo. Its bytes; 0: it is none, and the shard is broken. */
uint64_t lrd_shard_remove_locked(lrd_shard *shard, uint32_t index);

/* Stores a live record's end. */
void lrd_shard_set_end_locked(lrd_shard *shard, lrd_record *record, uint64_t expires_ms);

/* A draft becomes live, with a version, and replaces `old`, unless that is LRD_RECORD_NONE. */
void lrd_shard_publish_locked(lrd_shard *shard, uint32_t index, uint32_t old);
/* The same of a lease, which has all it needs already. */
void lrd_shard_publish_lease_locked(lrd_shard *shard, uint32_t index);

/* Gives back some of what nobody can be reading any more. look: also asks all slots anew. */
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

/* Of drafts that no process keeps beyond a hold of the lock: no slot has that number. */
static inline lrd_holder lrd_holder_nobody(void)
{
	return (lrd_holder) {.slot = UINT32_MAX};
}

#endif

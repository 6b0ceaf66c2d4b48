#define _GNU_SOURCE
#include "lrd_recover.h"

#include <stdlib.h>
#include <time.h>

#include "../base/lrd_fault.h"

#define YIELD_NS 50000

/*
 * A writer may have died between any two stores. What holds all the same:
 * - a block is in use by one store to the allocator's table; its state changes in one store, and all else in its head
 *   was written before it became live;
 * - a bucket changes in one store, in which a record takes its link from the one that it replaces; one that moves from
 *   the chain to a place has both for a moment; and a record loses its link before it goes to limbo;
 * - a text that is written over in place is busy until it is whole.
 * So: what is live, whole and linked in its bucket is kept, once per key; what is live but not linked may be in a
 * reader's hands and goes to limbo; what is free is free; a draft lives as long as its process. Everything else is made
 * from that. A death in here just makes the next owner start again.
 */

/* During a recovery, `older` marks the records that were found in their bucket, at a place or in its chain. */
enum { UNMARKED = 0, PLACED = 1, CHAINED = 2 };

static bool same_key(lrd_record *a, lrd_record *b)
{
	if (a->hash != b->hash || a->name_size != b->name_size || a->key_size != b->key_size
		|| (a->type == LRD_TYPE_LEASE) != (b->type == LRD_TYPE_LEASE)) {
		return false;
	}
	if (a->type == LRD_TYPE_LEASE) {
		return atomic_load_explicit(lrd_record_word(a) + 1, memory_order_relaxed)
			== atomic_load_explicit(lrd_record_word(b) + 1, memory_order_relaxed);
	}
	return memcmp(a->bytes, b->bytes, a->key_size) == 0;
}

static uint32_t index_at(const lrd_shard *shard, const _Atomic uint32_t *link)
{
	return lrd_link_index(&shard->table, atomic_load_explicit(link, memory_order_relaxed));
}

/* Whether a link before this one leads to the same key. */
static bool stands_before(const lrd_shard *shard, lrd_bucket *bucket, const _Atomic uint32_t *until)
{
	const lrd_table *table = &shard->table;
	lrd_record *record = lrd_shard_record(shard, index_at(shard, until));
	for (_Atomic uint32_t *link = lrd_bucket_next(table, bucket, NULL); link != NULL && link != until;
		link = lrd_bucket_next(table, bucket, link)) {
		uint32_t other = atomic_load_explicit(link, memory_order_relaxed), index = lrd_link_index(table, other);
		if (index != LRD_RECORD_NONE && lrd_link_has_tag(table, other, lrd_link_tag(table, record->hash))
			&& same_key(lrd_shard_record(shard, index), record)) {
			return true;
		}
	}
	return false;
}

/* Only a text that is written over is ever busy, and whoever did so is dead. */
static bool is_half_written(const lrd_record *record)
{
	return record->type == LRD_TYPE_TEXT
		&& (atomic_load_explicit(&record->version, memory_order_relaxed) & LRD_VERSION_BUSY) != 0;
}

static bool is_to_be_kept(const lrd_shard *shard, lrd_bucket *bucket, const _Atomic uint32_t *link)
{
	const lrd_table *table = &shard->table;
	const uint32_t whole = atomic_load_explicit(link, memory_order_relaxed), index = lrd_link_index(table, whole);
	const lrd_record *record = lrd_shard_record(shard, index);
	return lrd_record_state(record) == LRD_LIVE && lrd_record_fits(shard, index) && !is_half_written(record)
		&& lrd_table_bucket(table, record->hash) == bucket
		&& lrd_link_has_tag(table, whole, lrd_link_tag(table, record->hash))
		&& (lrd_link_is_last(table, whole) || !lrd_bucket_is_place(bucket, link))
		&& !stands_before(shard, bucket, link);
}

static void mend_bucket(lrd_shard *shard, lrd_bucket *bucket)
{
	const lrd_table *table = &shard->table;
	_Atomic uint32_t *link = lrd_bucket_next(table, bucket, NULL);
	for (uint32_t step = 0; link != NULL && step < table->count; step++) {
		uint32_t index = index_at(shard, link);
		lrd_record *record = lrd_table_has(table, index) ? lrd_shard_record(shard, index) : NULL;
		/* What is no block, or twice in a chain, only damage from outside leaves: the rest is not believed. */
		if (record == NULL || lrd_shard_bytes(shard, index) == 0
			|| (lrd_record_state(record) == LRD_LIVE && record->older == CHAINED)) {
			atomic_store_explicit(link, 0, memory_order_release);
			link = lrd_bucket_next(table, bucket, link);
		} else if (record->older != PLACED && is_to_be_kept(shard, bucket, link)) {
			record->older = lrd_bucket_is_place(bucket, link) ? PLACED : CHAINED;
			link = lrd_bucket_next(table, bucket, link);
		} else {
			/* In a chain it leads to the next by now, in a bucket to none. */
			lrd_bucket_take_out(table, bucket, link);
		}
	}
	if (link != NULL) {
		atomic_store_explicit(link, 0, memory_order_release);
	}
}

/* The next block that may be in use. */
static bool next_record(const lrd_shard *shard, uint32_t *at, uint32_t *index)
{
	uint32_t steps = UINT32_MAX, block = lrd_alloc_next(shard->arena, at, &steps);
	*index = block != LRD_ALLOC_NONE ? lrd_record_index(block) : LRD_RECORD_NONE;
	return block != LRD_ALLOC_NONE;
}

static void unmark_all(lrd_shard *shard)
{
	uint32_t at = 0, index;
	while (next_record(shard, &at, &index)) {
		/* In limbo, `older` is part of the number that tells when it may be used again. */
		if (lrd_record_state(lrd_shard_record(shard, index)) != LRD_LIMBO) {
			lrd_shard_record(shard, index)->older = UNMARKED;
		}
	}
}

/* Settles the state of every block that is marked as used; what is free after all is given back. */
static void settle_states(lrd_shard *shard)
{
	lrd_epochs *epochs = shard->reader->epochs;
	uint32_t at = 0, index;
	while (next_record(shard, &at, &index)) {
		lrd_record *record = lrd_shard_record(shard, index);
		lrd_state state = lrd_record_state(record);
		/* A number that no epoch has had yet would keep what it says in limbo until that comes. */
		const bool is_late = state == LRD_LIMBO && lrd_record_retired(record) >= atomic_load(&epochs->now);
		if (is_late || (state == LRD_LIVE && record->older == UNMARKED)) {
			uint64_t epoch = lrd_epoch_retire(epochs);
			record->older = (uint32_t) epoch;
			record->retired_high = (uint16_t) (epoch >> 32);
			lrd_record_set_state(record, LRD_LIMBO);
		} else if (state == LRD_DRAFT
			&& !lrd_epoch_holds(
				shard->reader, lrd_holder_of(atomic_load_explicit(&record->version, memory_order_relaxed)))) {
			lrd_record_set_state(record, LRD_FREE);
			state = LRD_FREE;
		}
		if (state == LRD_FREE || state > LRD_LIMBO) {
			lrd_arena_rebuild_drop(shard->arena, lrd_record_block(index));
		}
	}
}

static uint64_t order_of(const lrd_shard *shard, uint32_t index)
{
	const lrd_record *record = lrd_shard_record(shard, index);
	return lrd_record_state(record) == LRD_LIMBO ? lrd_record_retired(record)
												: atomic_load_explicit(&record->version, memory_order_relaxed);
}

static uint32_t merge(lrd_shard *shard, uint32_t a, uint32_t b)
{
	uint32_t first = LRD_RECORD_NONE, *tail = &first;
	while (a != LRD_RECORD_NONE && b != LRD_RECORD_NONE) {
		uint32_t *least = order_of(shard, a) <= order_of(shard, b) ? &a : &b;
		*tail = *least;
		tail = &lrd_shard_record(shard, *least)->newer;
		*least = *tail;
	}
	*tail = a != LRD_RECORD_NONE ? a : b;
	return first;
}

/* A list through `newer`, sorted by version: bottom-up merge sort, run k holding 2^k records or none. */
static uint32_t sort(lrd_shard *shard, uint32_t list)
{
	uint32_t runs[32] = {LRD_RECORD_NONE};
	while (list != LRD_RECORD_NONE) {
		uint32_t run = list;
		list = lrd_shard_record(shard, run)->newer;
		lrd_shard_record(shard, run)->newer = LRD_RECORD_NONE;
		int k = 0;
		for (; k < 31 && runs[k] != LRD_RECORD_NONE; k++) {
			run = merge(shard, runs[k], run);
			runs[k] = LRD_RECORD_NONE;
		}
		runs[k] = merge(shard, runs[k], run);
	}
	uint32_t sorted = LRD_RECORD_NONE;
	for (int k = 0; k < 32; k++) {
		sorted = merge(shard, runs[k], sorted);
	}
	return sorted;
}

/* All records of one state, sorted. */
static uint32_t sorted(lrd_shard *shard, lrd_state state)
{
	uint32_t list = LRD_RECORD_NONE, at = 0, index;
	while (next_record(shard, &at, &index)) {
		lrd_record *record = lrd_shard_record(shard, index);
		if (lrd_record_state(record) == state && (state != LRD_LIVE || record->type != LRD_TYPE_LEASE)) {
			record->newer = list;
			list = index;
		}
	}
	return sort(shard, list);
}

/* In the order of their versions, which is about the one in which they were made, or by the epochs of their ends. */
static void rebuild_queues(lrd_shard *shard)
{
	lrd_shard_state *state = shard->state;
	state->live = (lrd_sieve) {0};
	for (uint32_t list = sorted(shard, LRD_LIVE); list != LRD_RECORD_NONE;) {
		uint32_t index = list;
		list = lrd_shard_record(shard, index)->newer;
		(void) lrd_sieve_append_locked(&state->live, &shard->table, index);
	}
	state->limbo = (lrd_queue) {0};
	state->limbo_bytes = 0;
	for (uint32_t list = sorted(shard, LRD_LIMBO); list != LRD_RECORD_NONE;) {
		uint32_t index = list;
		list = lrd_shard_record(shard, index)->newer;
		(void) lrd_queue_append_locked(&state->limbo, &shard->table, index);
		state->limbo_bytes += lrd_shard_bytes(shard, index);
	}
}

static void recount(lrd_shard *shard)
{
	lrd_shard_state *state = shard->state;
	uint32_t leases = 0, at = 0, index;
	state->mortal = 0;
	while (next_record(shard, &at, &index)) {
		const lrd_record *record = lrd_shard_record(shard, index);
		if (lrd_record_state(record) != LRD_LIVE) {
			continue;
		}
		leases += record->type == LRD_TYPE_LEASE;
		state->mortal += lrd_record_expires(record) != 0;
		uint64_t version = order_of(shard, index);
		if ((version & LRD_VERSION_INT) == 0 && version > state->last_version) {
			state->last_version = version;
		}
	}
	/* New ints get ranges of a new draw. */
	state->int_range = state->int_range_end;
	atomic_store_explicit(&state->leases, leases, memory_order_relaxed);
	atomic_store_explicit(&state->waiting, 0, memory_order_relaxed);
}

static void recover_locked(lrd_shard *shard)
{
	/* All else that follows is bound by it. */
	shard->arena->pages = lrd_shard_pages(shard);
	lrd_arena_rebuild_begin(shard->arena);
	unmark_all(shard);
	for (uint32_t bucket = 0; bucket < shard->table.bucket_count; bucket++) {
		mend_bucket(shard, &shard->table.buckets[bucket]);
	}
	LRD_FAULT("recovering");
	settle_states(shard);
	lrd_arena_rebuild_end(shard->arena);
	rebuild_queues(shard);
	recount(shard);
	LRD_FAULT("recovered");
}

void lrd_shard_unlock(lrd_shard *shard)
{
	shard->most_looked = shard->looked > shard->most_looked ? shard->looked : shard->most_looked;
	shard->reader->stranded |= !lrd_lock_give(&shard->state->lock);
}

/* Whether a writer has met what cannot be, or would leave the arena at once. */
static bool is_broken(const lrd_shard *shard)
{
	return shard->arena->broken != 0 || shard->arena->pages != lrd_shard_pages(shard);
}

lrd_status lrd_shard_lock(lrd_shard *shard)
{
	/* A process holds at most one shard's lock, so no order among shards is needed. */
	unsigned ms = shard->lock_ms;
	if (!lrd_segment_is_alive(shard->segment)) {
		return LRD_BAD_SEGMENT;
	}
	if (shard->stuck_until_ns != 0 && lrd_clock_coarse_ns() < shard->stuck_until_ns) {
		ms = 0;
	}
	lrd_status status = lrd_lock_take(&shard->state->lock, 0);
	if (status == LRD_TIMEOUT && ms > 0) {
		atomic_fetch_add_explicit(&shard->state->waiting, 1, memory_order_relaxed);
		status = lrd_lock_take(&shard->state->lock, ms);
		atomic_fetch_sub_explicit(&shard->state->waiting, 1, memory_order_relaxed);
	}
	if (status == LRD_TIMEOUT && !lrd_segment_is_alive(shard->segment)) {
		return LRD_BAD_SEGMENT;
	}
	if (status == LRD_TIMEOUT) {
		atomic_fetch_add_explicit(&shard->state->counts.lock_timeouts, 1, memory_order_relaxed);
		shard->stuck_until_ns = lrd_clock_coarse_ns() + shard->lock_ms * LRD_MS_NS;
		return status;
	}
	shard->stuck_until_ns = 0;
	if (!lrd_segment_is_alive(shard->segment)) {
		lrd_shard_unlock(shard);
		return LRD_BAD_SEGMENT;
	}
	if (status == LRD_OWNER_DIED || __builtin_expect(is_broken(shard), 0)) {
#ifdef LRD_FAULTS
		if (getenv("LARDER_NO_RECOVERY") == NULL)
#endif
		recover_locked(shard);
		/* Marked as repaired only now: after a death in the middle of a repair the next owner starts it again. */
		if (status == LRD_OWNER_DIED) {
			lrd_lock_repaired(&shard->state->lock);
		}
		atomic_fetch_add_explicit(&shard->state->counts.recoveries, 1, memory_order_relaxed);
	}
	shard->looked = 0;
	LRD_FAULT("locked");
	return LRD_OK;
}

lrd_status lrd_shard_relock(lrd_shard *shard)
{
	lrd_shard_unlock(shard);
	/* Who sleeps for the lock gets it only if this process does not take it again at once. */
	if (atomic_load_explicit(&shard->state->waiting, memory_order_relaxed) != 0) {
		nanosleep(&(struct timespec) {.tv_nsec = YIELD_NS}, NULL);
	}
	return lrd_shard_lock(shard);
}

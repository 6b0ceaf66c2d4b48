#include "lrd_recover.h"

#include <stdlib.h>

#include "../base/lrd_fault.h"

/*
 * A writer may have died between any two stores. What holds all the same:
 * - a record's state changes in one store, and its block, size and key were written before it left LRD_FREE;
 * - a chain changes in one store, the newer record of a key always stands before the older one, and a record leaves its
 *   chain before it goes to limbo.
 * So: what is live and in its chain is kept, once per key; what is live but in no chain may be in a reader's hands and
 * goes to limbo; what is free is free; a draft lives as long as its process. Everything else is made from that. A death
 * in here just makes the next owner start again.
 */

static lrd_state state_of(const lrd_record *record)
{
	return (lrd_state) atomic_load_explicit(&record->state, memory_order_relaxed);
}

static void set_state(lrd_record *record, lrd_state state)
{
	atomic_store_explicit(&record->state, (uint8_t) state, memory_order_release);
}

/* During a recovery, `spare` marks the records that were found in their chain. */
static bool same_key(const lrd_shard *shard, const lrd_record *a, const lrd_record *b)
{
	if (a->hash != b->hash || a->space != b->space || a->key_size != b->key_size
		|| (a->type == LRD_TYPE_LEASE) != (b->type == LRD_TYPE_LEASE)) {
		return false;
	}
	return a->type == LRD_TYPE_LEASE
		|| memcmp(lrd_record_key(&shard->table, a), lrd_record_key(&shard->table, b), a->key_size) == 0;
}

static bool stands_before(const lrd_shard *shard, uint32_t bucket, uint32_t index)
{
	uint32_t at = atomic_load_explicit(&shard->table.buckets[bucket], memory_order_relaxed);
	for (; at != index; at = atomic_load_explicit(&lrd_shard_record(shard, at)->next, memory_order_relaxed)) {
		if (same_key(shard, lrd_shard_record(shard, at), lrd_shard_record(shard, index))) {
			return true;
		}
	}
	return false;
}

static void mend_chain(lrd_shard *shard, uint32_t bucket)
{
	_Atomic uint32_t *link = &shard->table.buckets[bucket];
	for (;;) {
		uint32_t index = atomic_load_explicit(link, memory_order_relaxed);
		if (index == LRD_RECORD_NONE) {
			return;
		}
		lrd_record *record = index < shard->table.count ? lrd_shard_record(shard, index) : NULL;
		if (record == NULL || record->spare != 0) {
			atomic_store_explicit(link, LRD_RECORD_NONE, memory_order_release);
			return;
		}
		bool keep = state_of(record) == LRD_LIVE && (record->hash & shard->table.mask) == bucket
			&& !stands_before(shard, bucket, index);
		if (keep) {
			record->spare = 1;
			link = &record->next;
		} else {
			atomic_store_explicit(
				link, atomic_load_explicit(&record->next, memory_order_relaxed), memory_order_release);
		}
	}
}

/* Settles every record's state; answers one more than the last that is in use. */
static uint32_t settle_states(lrd_shard *shard)
{
	uint32_t top = 1;
	for (uint32_t index = 1; index < shard->table.count; index++) {
		lrd_record *record = lrd_shard_record(shard, index);
		if (state_of(record) == LRD_LIVE && record->spare == 0) {
			atomic_store_explicit(&record->version, lrd_epoch_retire(shard->reader->epochs), memory_order_release);
			set_state(record, LRD_LIMBO);
		} else if (state_of(record) == LRD_DRAFT
			&& !lrd_epoch_holds(
				shard->reader->epochs, lrd_holder_of(atomic_load_explicit(&record->word, memory_order_relaxed)))) {
			set_state(record, LRD_FREE);
		}
		if (state_of(record) != LRD_FREE) {
			top = index + 1;
		}
	}
	return top;
}

static void rebuild_arena(lrd_shard *shard)
{
	lrd_arena_rebuild_begin(shard->arena);
	for (uint32_t index = 1; index < shard->state->top; index++) {
		lrd_record *record = lrd_shard_record(shard, index);
		if (state_of(record) == LRD_FREE || record->size == 0
			|| lrd_arena_claim(shard->arena, record->block, record->size)) {
			continue;
		}
		/* Not a block at all: only damage from outside does that. */
		lrd_table_unlink_locked(&shard->table, index);
		set_state(record, LRD_FREE);
	}
	lrd_arena_rebuild_end(shard->arena);
}

static uint64_t order_of(const lrd_shard *shard, uint32_t index)
{
	return atomic_load_explicit(&lrd_shard_record(shard, index)->version, memory_order_relaxed);
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

/* All records of one state in the order of their versions, which is the order in which they were made or retired. */
static void rebuild_queue(lrd_shard *shard, lrd_queue *queue, lrd_state state)
{
	uint32_t list = LRD_RECORD_NONE;
	for (uint32_t index = shard->state->top; --index > 0;) {
		lrd_record *record = lrd_shard_record(shard, index);
		if (state_of(record) == state && (state != LRD_LIVE || record->type != LRD_TYPE_LEASE)) {
			record->newer = list;
			list = index;
		}
	}
	*queue = (lrd_queue) {0};
	for (list = sort(shard, list); list != LRD_RECORD_NONE;) {
		uint32_t index = list;
		list = lrd_shard_record(shard, index)->newer;
		lrd_queue_append_locked(queue, shard->table.records, index);
	}
}

static void recount(lrd_shard *shard)
{
	lrd_shard_state *state = shard->state;
	uint32_t leases = 0;
	state->limbo_bytes = 0;
	state->free_record = LRD_RECORD_NONE;
	for (uint32_t index = state->top; --index > 0;) {
		lrd_record *record = lrd_shard_record(shard, index);
		if (state_of(record) == LRD_FREE) {
			record->newer = state->free_record;
			state->free_record = index;
		} else if (state_of(record) == LRD_LIMBO) {
			state->limbo_bytes += lrd_record_bytes(record);
		} else if (state_of(record) == LRD_LIVE && record->type == LRD_TYPE_LEASE) {
			leases++;
		}
		if (state_of(record) == LRD_LIVE && order_of(shard, index) > state->last_version) {
			state->last_version = order_of(shard, index);
		}
	}
	atomic_store_explicit(&state->leases, leases, memory_order_relaxed);
}

static void recover_locked(lrd_shard *shard)
{
	lrd_shard_state *state = shard->state;
	for (uint32_t index = 0; index < shard->table.count; index++) {
		lrd_shard_record(shard, index)->spare = 0;
	}
	for (uint32_t bucket = 0; bucket <= shard->table.mask; bucket++) {
		mend_chain(shard, bucket);
	}
	LRD_FAULT("recovering");
	state->top = settle_states(shard);
	rebuild_arena(shard);
	rebuild_queue(shard, &state->live.queue, LRD_LIVE);
	state->live.hand = LRD_RECORD_NONE;
	rebuild_queue(shard, &state->limbo, LRD_LIMBO);
	recount(shard);
	LRD_FAULT("recovered");
}

lrd_status lrd_shard_lock(lrd_shard *shard)
{
	/* A process holds at most one shard's lock, so no order among shards is needed. */
	unsigned ms = shard->lock_ms;
	if (shard->stuck_until_ns != 0 && lrd_clock_coarse_ns() < shard->stuck_until_ns) {
		ms = 0;
	}
	lrd_status status = lrd_lock_take(&shard->state->lock, ms);
	if (status == LRD_TIMEOUT) {
		atomic_fetch_add_explicit(&shard->state->counts.lock_timeouts, 1, memory_order_relaxed);
		shard->stuck_until_ns = lrd_clock_coarse_ns() + shard->lock_ms * LRD_MS_NS;
		return status;
	}
	shard->stuck_until_ns = 0;
	if (status == LRD_OWNER_DIED) {
#ifdef LRD_FAULTS
		if (getenv("LARDER_NO_RECOVERY") == NULL)
#endif
		recover_locked(shard);
		/* Marked as repaired only now: after a death in the middle of a repair the next owner starts it again. */
		lrd_lock_repaired(&shard->state->lock);
		atomic_fetch_add_explicit(&shard->state->counts.recoveries, 1, memory_order_relaxed);
	}
	LRD_FAULT("locked");
	return LRD_OK;
}

void lrd_shard_unlock(lrd_shard *shard)
{
	lrd_lock_give(&shard->state->lock);
}

#include "lrd_shard.h"

#include "../base/lrd_fault.h"

/* ---- versions ---- */

#define DRAWN 64u               /* ranges at once for new ints: each draw locks the bus */

/* The one before the ranges that are the caller's from now on. */
static uint64_t draw_ranges(lrd_shard *shard, uint64_t ranges)
{
	_Atomic uint64_t *last = &shard->state->counts.int_ranges;
	return atomic_fetch_add_explicit(last, ranges * LRD_VERSION_RANGE, memory_order_relaxed);
}

uint64_t lrd_shard_int_version(lrd_shard *shard, uint64_t version)
{
	uint64_t next = version + LRD_VERSION_STEP;
	if (version % LRD_VERSION_RANGE < next % LRD_VERSION_RANGE) {
		return next;
	}
	return draw_ranges(shard, 1) + LRD_VERSION_RANGE + LRD_VERSION_INT;
}

/* The end is moved last, and the range before it is used: a death in between only leaves some out. */
static uint64_t new_int_version_locked(lrd_shard *shard)
{
	lrd_shard_state *state = shard->state;
	if (state->int_range >= state->int_range_end) {
		state->int_range = draw_ranges(shard, DRAWN);
		atomic_signal_fence(memory_order_seq_cst);
		state->int_range_end = state->int_range + DRAWN * LRD_VERSION_RANGE;
	}
	state->int_range += LRD_VERSION_RANGE;
	return state->int_range + LRD_VERSION_INT;
}

uint64_t lrd_shard_version_locked(lrd_shard *shard, uint32_t type)
{
	return type == LRD_TYPE_INT ? new_int_version_locked(shard) : (shard->state->last_version += LRD_VERSION_STEP);
}

/* ---- from state to state ---- */

/* Its bytes. The state goes first: from then on a recovery counts the block as free. */
static uint64_t free_record(lrd_shard *shard, uint32_t index)
{
	lrd_place place;
	if (!lrd_alloc_find(shard->arena, lrd_record_block(index), &place)) {
		/* Nothing is written to it: it may be the middle of a value. */
		lrd_shard_is_broken_locked(shard);
		return 0;
	}
	lrd_record_set_state(lrd_shard_record(shard, index), LRD_FREE);
	LRD_FAULT("freed");
	return lrd_alloc_give(shard->arena, place);
}

void lrd_shard_drop_locked(lrd_shard *shard, uint32_t index)
{
	free_record(shard, index);
}

/* LRD_RECORD_NONE: there is none. False: what there is cannot have come there. */
static bool oldest_in_limbo(const lrd_shard *shard, uint32_t *index)
{
	if (!lrd_queue_oldest_locked(&shard->state->limbo, &shard->table, index)) {
		return false;
	}
	return *index == LRD_RECORD_NONE || lrd_record_state(lrd_shard_record(shard, *index)) == LRD_LIMBO;
}

void lrd_shard_collect_locked(lrd_shard *shard, bool look)
{
	lrd_shard_state *state = shard->state;
	if (state->limbo.oldest == LRD_RECORD_NONE || shard->arena->broken != 0) {
		return;
	}
	uint64_t oldest = look ? lrd_epoch_oldest(shard->reader) : shard->reader->oldest;
	for (uint32_t left = LRD_STEP_RECORDS; left > 0; left--) {
		uint32_t index;
		if (!oldest_in_limbo(shard, &index)) {
			lrd_shard_is_broken_locked(shard);
			break;
		}
		if (index == LRD_RECORD_NONE) {
			break;
		}
		const uint64_t retired = lrd_record_retired(lrd_shard_record(shard, index));
		if (retired >= oldest) {
			/* No epoch has had that number yet: it would wait until that comes. */
			shard->arena->broken |= look && retired >= atomic_load(&shard->reader->epochs->now);
			break;
		}
		if (!lrd_queue_shift_locked(&state->limbo, &shard->table)) {
			lrd_shard_is_broken_locked(shard);
			break;
		}
		shard->looked++;
		LRD_FAULT("collecting");
		state->limbo_bytes -= free_record(shard, index);
	}
}

/* Its bytes. */
static uint64_t to_limbo(lrd_shard *shard, uint32_t index)
{
	lrd_record *record = lrd_shard_record(shard, index);
	const uint64_t bytes = lrd_shard_bytes(shard, index);
	if (bytes == 0) {
		lrd_shard_is_broken_locked(shard);
		return 0;
	}
	LRD_FAULT("unlinked");
	/*
	 * The epoch is taken after the unlink: a reader that pins later cannot find the record any more, and one that
	 * pinned before holds back its reuse. 48 bits of it are 9 years at a million a second.
	 */
	uint64_t epoch = lrd_epoch_retire(shard->reader->epochs);
	record->older = (uint32_t) epoch;
	record->retired_high = (uint16_t) (epoch >> 32);
	lrd_record_set_state(record, LRD_LIMBO);
	LRD_FAULT("retired");
	if (!lrd_queue_append_locked(&shard->state->limbo, &shard->table, index)) {
		lrd_shard_is_broken_locked(shard);
	}
	shard->state->limbo_bytes += bytes;
	return bytes;
}

/* One that nothing leads to any more. Its bytes. */
static uint64_t retire(lrd_shard *shard, uint32_t index)
{
	const lrd_record *record = lrd_shard_record(shard, index);
	shard->state->mortal -= lrd_record_expires(record) != 0;
	if (record->type == LRD_TYPE_LEASE) {
		atomic_fetch_sub_explicit(&shard->state->leases, 1, memory_order_relaxed);
	} else if (!lrd_sieve_remove_locked(&shard->state->live, &shard->table, index)) {
		/* It may be no record at all: nothing is written to it, and the repair judges it. */
		lrd_shard_is_broken_locked(shard);
		return 0;
	}
	return to_limbo(shard, index);
}

uint64_t lrd_shard_remove_locked(lrd_shard *shard, uint32_t index)
{
	lrd_table_unlink_locked(&shard->table, index);
	return retire(shard, index);
}

void lrd_shard_set_end_locked(lrd_shard *shard, lrd_record *record, uint64_t expires_ms)
{
	shard->state->mortal += (uint32_t) (expires_ms != 0) - (uint32_t) (lrd_record_expires(record) != 0);
	atomic_store_explicit(&record->expires, expires_ms, memory_order_release);
}

/*
 * Live before linked: recovery drops from a bucket what is not live, and a reader finds only what is linked. What it
 * replaces loses its link in the same store: a reader finds the one or the other, never neither.
 */
static void link_live(lrd_shard *shard, uint32_t index, uint32_t old)
{
	lrd_record *record = lrd_shard_record(shard, index);
	lrd_record_set_state(record, LRD_LIVE);
	LRD_FAULT("alive");
	if (old == LRD_RECORD_NONE) {
		lrd_table_link_locked(&shard->table, index);
	} else {
		lrd_table_replace_locked(&shard->table, old, index);
	}
	LRD_FAULT("linked");
	shard->state->mortal += lrd_record_expires(record) != 0;
}

void lrd_shard_publish_locked(lrd_shard *shard, uint32_t index, uint32_t old)
{
	lrd_shard_state *state = shard->state;
	lrd_record *record = lrd_shard_record(shard, index);
	atomic_store_explicit(
		&record->version, lrd_shard_version_locked(shard, record->type), memory_order_relaxed);
	atomic_store_explicit(&record->visited, old != LRD_RECORD_NONE, memory_order_relaxed);
	link_live(shard, index, old);
	if (!lrd_sieve_append_locked(&state->live, &shard->table, index)) {
		lrd_shard_is_broken_locked(shard);
	}
	if (old != LRD_RECORD_NONE) {
		retire(shard, old);
	}
	lrd_shard_count_locked(&state->counts.stores);
}

void lrd_shard_publish_lease_locked(lrd_shard *shard, uint32_t index)
{
	link_live(shard, index, LRD_RECORD_NONE);
	atomic_fetch_add_explicit(&shard->state->leases, 1, memory_order_relaxed);
}

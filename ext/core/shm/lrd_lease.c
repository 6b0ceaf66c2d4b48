#include "lrd_lease.h"

#include "../base/lrd_clock.h"
#include "../base/lrd_fault.h"

static bool holds(const lrd_shard *shard, const lrd_record *record)
{
	return !lrd_lease_is_over(record)
		&& lrd_epoch_holds(
			shard->reader->epochs, lrd_holder_of(atomic_load_explicit(&record->word, memory_order_relaxed)));
}

static lrd_status make(lrd_shard *shard, uint64_t hash, uint16_t space, lrd_holder holder, uint32_t *index)
{
	lrd_status status = lrd_shard_take_locked(shard, 0, holder, index);
	if (status == LRD_OK) {
		lrd_record *record = lrd_shard_record(shard, *index);
		record->hash = hash;
		record->space = space;
		record->type = LRD_TYPE_LEASE;
		record->key_size = 0;
		record->value_size = 0;
	}
	return status;
}

lrd_status lrd_lease_take_locked(
	lrd_shard *shard, uint64_t hash, uint16_t space, unsigned ms, lrd_holder holder, uint64_t *token)
{
	uint32_t index = lrd_table_find_lease(&shard->table, hash, space);
	bool is_new = index == LRD_RECORD_NONE;
	if (!is_new && holds(shard, lrd_shard_record(shard, index))) {
		return LRD_BUSY;
	}
	lrd_status status = is_new ? make(shard, hash, space, holder, &index) : LRD_OK;
	if (status != LRD_OK) {
		return status;
	}
	/* A lost one is taken over in place: no reader ever looks at it. */
	lrd_record *record = lrd_shard_record(shard, index);
	*token = ++shard->state->last_version;
	/* While the fields change, the lease is over: a death in here leaves no lease that nobody holds. */
	atomic_store_explicit(&record->expires, 0, memory_order_relaxed);
	atomic_store_explicit(&record->version, *token, memory_order_relaxed);
	atomic_store_explicit(&record->word, lrd_word_of(holder), memory_order_relaxed);
	LRD_FAULT("leasing");
	atomic_store_explicit(&record->expires, lrd_clock_monotonic_ns() + ms * LRD_MS_NS, memory_order_relaxed);
	if (is_new) {
		atomic_store_explicit(&record->state, LRD_LIVE, memory_order_release);
		lrd_table_link_locked(&shard->table, index);
		atomic_fetch_add_explicit(&shard->state->leases, 1, memory_order_relaxed);
	}
	LRD_FAULT("leased");
	return LRD_OK;
}

uint32_t lrd_lease_held_locked(lrd_shard *shard, uint64_t hash, uint16_t space, uint64_t token)
{
	uint32_t index = lrd_table_find_lease(&shard->table, hash, space);
	if (index == LRD_RECORD_NONE) {
		return index;
	}
	lrd_record *record = lrd_shard_record(shard, index);
	bool same = atomic_load_explicit(&record->version, memory_order_relaxed) == token;
	return same && holds(shard, record) ? index : LRD_RECORD_NONE;
}

void lrd_lease_end_locked(lrd_shard *shard, uint64_t hash, uint16_t space)
{
	uint32_t index = lrd_table_find_lease(&shard->table, hash, space);
	if (index != LRD_RECORD_NONE) {
		lrd_shard_remove_locked(shard, index);
	}
}

#include "lrd_lease.h"

#include "../base/lrd_clock.h"
#include "../base/lrd_fault.h"
#include "lrd_room.h"

/* Mostly there is none in the whole shard. */
static uint32_t find_lease(const lrd_shard *shard, uint64_t hash)
{
	return atomic_load_explicit(&shard->state->leases, memory_order_relaxed) == 0
		? LRD_RECORD_NONE
		: lrd_table_find_lease(&shard->table, hash);
}

static bool holds(const lrd_shard *shard, lrd_record *record)
{
	return !lrd_lease_is_over(record)
		&& lrd_epoch_holds(
			shard->reader, lrd_holder_of(atomic_load_explicit(lrd_record_word(record), memory_order_relaxed)));
}

/* With the name of its namespace, whose clear ends it. */
static lrd_status make(lrd_shard *shard, uint64_t hash, lrd_slice name, uint32_t *index)
{
	const uint64_t needed = lrd_record_needs(LRD_TYPE_LEASE, (uint32_t) name.size, 0);
	lrd_effort effort = {0};
	lrd_status status = lrd_room_take_locked(shard, needed, &effort, index);
	if (status == LRD_OK) {
		lrd_record *record = lrd_shard_record(shard, *index);
		record->hash = (uint32_t) hash;
		record->type = LRD_TYPE_LEASE;
		record->name_size = (uint8_t) name.size;
		record->key_size = (uint16_t) name.size;
		memcpy(record->bytes, name.bytes, name.size);
		atomic_store_explicit(&record->value_size, 0, memory_order_relaxed);
		atomic_store_explicit(lrd_record_word(record) + 1, hash, memory_order_relaxed);
	}
	/* A lease is never worth a second hold of the lock. */
	return status == LRD_BUSY ? LRD_FULL : status;
}

lrd_status lrd_lease_take_locked(
	lrd_shard *shard, uint64_t hash, lrd_slice name, unsigned ms, lrd_holder holder, uint64_t *token)
{
	uint32_t index = find_lease(shard, hash);
	bool is_new = index == LRD_RECORD_NONE;
	if (!is_new && holds(shard, lrd_shard_record(shard, index))) {
		return LRD_BUSY;
	}
	lrd_status status = is_new ? make(shard, hash, name, &index) : LRD_OK;
	if (status != LRD_OK) {
		return status;
	}
	/* A lost one is taken over in place: no reader ever looks at it. */
	lrd_record *record = lrd_shard_record(shard, index);
	*token = lrd_shard_version_locked(shard, LRD_TYPE_LEASE);
	/* While the fields change, the lease is over: a death in here leaves no lease that nobody holds. */
	if (!is_new) {
		atomic_store_explicit(&record->expires, 1, memory_order_relaxed);
	}
	atomic_store_explicit(&record->version, *token, memory_order_relaxed);
	atomic_store_explicit(lrd_record_word(record), lrd_word_of(holder), memory_order_relaxed);
	LRD_FAULT("leasing");
	atomic_store_explicit(&record->expires, lrd_clock_monotonic_ns() + ms * LRD_MS_NS, memory_order_relaxed);
	if (is_new) {
		lrd_shard_publish_lease_locked(shard, index);
	}
	LRD_FAULT("leased");
	return LRD_OK;
}

uint32_t lrd_lease_held_locked(lrd_shard *shard, uint64_t hash, uint64_t token)
{
	uint32_t index = find_lease(shard, hash);
	if (index == LRD_RECORD_NONE) {
		return index;
	}
	lrd_record *record = lrd_shard_record(shard, index);
	bool same = atomic_load_explicit(&record->version, memory_order_relaxed) == token;
	return same && holds(shard, record) ? index : LRD_RECORD_NONE;
}

void lrd_lease_end_locked(lrd_shard *shard, uint64_t hash)
{
	uint32_t index = find_lease(shard, hash);
	if (index != LRD_RECORD_NONE) {
		lrd_shard_remove_locked(shard, index);
	}
}

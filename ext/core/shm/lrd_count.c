#include "lrd_count.h"

#include "../base/lrd_fault.h"

#define LOOKS 8                 /* at a key whose record is replaced again and again */

static lrd_lock *stripe_of(lrd_store *store, uint64_t hash)
{
	return &store->head->stripe[(hash >> 40) % LRD_STRIPES].lock;
}

lrd_status lrd_count_lock(lrd_store *store, uint64_t hash)
{
	if (!lrd_segment_is_alive(&store->segment)) {
		return LRD_BAD_SEGMENT;
	}
	/* After a time-out, callers only try for a while: one stopped writer costs a bounded time. */
	bool stuck = store->stuck_until_ns != 0 && lrd_clock_coarse_ns() < store->stuck_until_ns;
	lrd_status status = lrd_lock_take(stripe_of(store, hash), stuck ? 0 : store->lock_ms);
	if (status == LRD_TIMEOUT) {
		lrd_shard *shard = lrd_store_shard(store, hash);
		atomic_fetch_add_explicit(&shard->state->counts.lock_timeouts, 1, memory_order_relaxed);
		store->stuck_until_ns = lrd_clock_coarse_ns() + store->lock_ms * LRD_MS_NS;
		return status;
	}
	store->stuck_until_ns = 0;
	if (status == LRD_OWNER_DIED) {
		lrd_lock_repaired(stripe_of(store, hash));
	}
	return LRD_OK;
}

void lrd_count_unlock(lrd_store *store, uint64_t hash)
{
	store->reader.stranded |= !lrd_lock_give(stripe_of(store, hash));
}

/* Pinned, so that the record is not used again under our hands, and with its stripe; or neither. */
static lrd_status begin(lrd_store *store, uint64_t hash, bool *pinned)
{
	*pinned = !store->reader.pinned;
	lrd_status status = *pinned ? lrd_reader_pin(&store->reader) : LRD_OK;
	if (status != LRD_OK) {
		return status;
	}
	status = lrd_count_lock(store, hash);
	if (status != LRD_OK && *pinned) {
		lrd_reader_unpin(&store->reader);
	}
	return status;
}

static void end(lrd_store *store, uint64_t hash, bool pinned)
{
	lrd_count_unlock(store, hash);
	if (pinned) {
		lrd_reader_unpin(&store->reader);
	}
}

/* The key's record, if it was still the key's when it was looked at. */
static lrd_record *find(const lrd_shard *shard, uint64_t hash, lrd_key key)
{
	for (int looks = 0; looks < LOOKS; looks++) {
		uint32_t index = lrd_store_fresh(shard, hash, key);
		if (index == LRD_RECORD_NONE) {
			return NULL;
		}
		lrd_record *record = lrd_shard_record(shard, index);
		if (atomic_load_explicit(&record->state, memory_order_acquire) == LRD_LIVE
			&& lrd_record_has_word(&shard->table, index)) {
			return record;
		}
	}
	return NULL;
}

static void change(lrd_shard *shard, lrd_record *record, uint64_t word)
{
	uint64_t version = atomic_load_explicit(&record->version, memory_order_relaxed);
	/* The word first: who reads the new version reads the new word too, so no cas can succeed on the old one. */
	atomic_store_explicit(lrd_record_word(record), word, memory_order_release);
	LRD_FAULT("counting");
	atomic_store_explicit(&record->version, lrd_shard_int_version(shard, version), memory_order_release);
	atomic_store_explicit(&record->visited, 1, memory_order_relaxed);
}

lrd_status lrd_store_increment(lrd_store *store, lrd_key key, int64_t by, int64_t *sum)
{
	uint64_t hash = lrd_store_hash(store, key);
	lrd_shard *shard = lrd_store_shard(store, hash);
	bool pinned;
	lrd_status status = begin(store, hash, &pinned);
	if (status != LRD_OK) {
		return status;
	}
	lrd_record *record = find(shard, hash, key);
	if (record == NULL) {
		status = LRD_MISS;
	} else if (record->type != LRD_TYPE_INT
		|| __builtin_add_overflow(
			(int64_t) atomic_load_explicit(lrd_record_word(record), memory_order_relaxed), by, sum)) {
		status = LRD_NOT_A_NUMBER;
	} else {
		change(shard, record, (uint64_t) *sum);
	}
	end(store, hash, pinned);
	return lrd_store_says(store, status);
}

lrd_status lrd_count_put(lrd_store *store, lrd_key key, uint64_t hash, const lrd_value *value, uint64_t *version)
{
	lrd_shard *shard = lrd_store_shard(store, hash);
	bool pinned;
	if (value->expires_ms != 0 || atomic_load_explicit(&shard->state->leases, memory_order_relaxed) != 0) {
		return LRD_MISS;
	}
	/* Mostly a new key ends here, before it takes a lock. */
	if (!lrd_table_may_have(&shard->table, hash)) {
		return LRD_MISS;
	}
	lrd_status status = begin(store, hash, &pinned);
	if (status != LRD_OK) {
		return status;
	}
	lrd_record *record = find(shard, hash, key);
	if (record == NULL || record->type != LRD_TYPE_INT || lrd_record_expires(record) != 0) {
		status = LRD_MISS;
	} else {
		change(shard, record, value->word);
		if (version != NULL) {
			*version = atomic_load_explicit(&record->version, memory_order_relaxed);
		}
		atomic_fetch_add_explicit(&shard->state->counts.int_stores, 1, memory_order_relaxed);
	}
	end(store, hash, pinned);
	return lrd_store_says(store, status);
}

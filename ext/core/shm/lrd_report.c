#include "lrd_handle.h"
#include "lrd_recover.h"

#include "../base/lrd_clock.h"

static uint64_t read_count(const _Atomic uint64_t *count)
{
	return atomic_load_explicit(count, memory_order_relaxed);
}

static void report_slots(lrd_store *store, lrd_report *report)
{
	lrd_epochs *epochs = store->reader.epochs;
	uint64_t oldest = UINT64_MAX, now = lrd_clock_coarse_ns();
	uint32_t used = atomic_load(&epochs->used);
	for (uint32_t i = 0; i < used && i < store->layout.slots; i++) {
		lrd_slot *slot = &epochs->slots[i];
		lrd_holder holder = {.slot = i, .generation = atomic_load(&slot->generation)};
		uint64_t epoch = atomic_load(&slot->epoch);
		if (!lrd_epoch_holds(&store->reader, holder)) {
			continue;
		}
		report->slots_used++;
		if (epoch != 0 && epoch < oldest) {
			uint64_t since = atomic_load(&slot->since_ns);
			oldest = epoch;
			report->oldest_pin_process = atomic_load(&slot->process);
			report->oldest_pin_ms = now > since ? (now - since) / LRD_MS_NS + 1 : 1;
		}
	}
}

void lrd_store_report(lrd_store *store, lrd_report *report)
{
	lrd_epochs *epochs = store->reader.epochs;
	*report = (lrd_report) {
		.segment = store->segment.header,
		.shift = store->segment.shift,
		.named = store->segment.named,
		.made = store->segment.made,
		.shards = store->layout.shards,
		.slots = store->layout.slots,
		.epoch = atomic_load(&epochs->now),
		.no_slot = read_count(&epochs->no_slot),
		.bytes_total = store->values_size,
	};
	report_slots(store, report);
	report->reaped = read_count(&epochs->reaped);
}

void lrd_store_report_shard(lrd_store *store, unsigned number, lrd_shard_report *report)
{
	const lrd_shard *shard = &store->shard[number];
	const lrd_shard_state *state = shard->state;
	*report = (lrd_shard_report) {
		.entries = state->live.queue.count,
		.leases = atomic_load_explicit(&state->leases, memory_order_relaxed),
		.bytes_used = shard->arena->used_bytes - state->limbo_bytes,
		.bytes_limbo = state->limbo_bytes,
		.bytes_total = shard->table.values_size,
		.bytes_largest = lrd_store_largest(shard),
		.stores = read_count(&state->counts.stores) + read_count(&state->counts.int_stores),
		.evictions = read_count(&state->counts.evictions),
		.expirations = read_count(&state->counts.expirations),
		.refused_large = read_count(&state->counts.refused_large),
		.refused_full = read_count(&state->counts.refused_full),
		.lock_timeouts = read_count(&state->counts.lock_timeouts),
		.recoveries = read_count(&state->counts.recoveries),
	};
}

/* The cursor is shard and granule: a record that stays, stays where it is, so the walk meets it exactly once. */
static bool next_in(lrd_shard *shard, uint32_t *at, lrd_entry *entry)
{
	uint32_t steps = LRD_STEP_RECORDS;
	while (steps > 0) {
		uint32_t block = lrd_alloc_next(shard->arena, at, &steps);
		if (block == LRD_ALLOC_NONE) {
			return false;
		}
		uint32_t index = lrd_record_index(block);
		lrd_record *record = lrd_shard_record(shard, index);
		shard->looked++;
		if (lrd_record_state(record) != LRD_LIVE || record->type == LRD_TYPE_LEASE || lrd_record_is_over(record)
			|| record->key_size < record->name_size) {
			continue;
		}
		const char *bytes = shard->table.values + (uint64_t) block * LRD_RECORD_GRANULE + offsetof(lrd_record, bytes);
		if ((uint64_t) block * LRD_RECORD_GRANULE + offsetof(lrd_record, bytes) + record->key_size
			> shard->table.values_size) {
			continue;
		}
		*entry = (lrd_entry) {
			.name = {bytes, record->name_size},
			.key = {bytes + record->name_size, (size_t) record->key_size - record->name_size},
			.expires_ms = lrd_record_expires(record),
			.version = atomic_load_explicit(&record->version, memory_order_relaxed),
			.bytes = lrd_shard_bytes(shard, index),
			.type = record->type,
		};
		return true;
	}
	return false;
}

lrd_status lrd_store_next(lrd_store *store, uint64_t *cursor, lrd_entry *entry)
{
	uint32_t number = (uint32_t) (*cursor >> 32), at = (uint32_t) *cursor;
	while (number < store->layout.shards) {
		lrd_shard *shard = &store->shard[number];
		bool found = false, locked = lrd_shard_lock(shard) == LRD_OK;
		if (locked) {
			found = next_in(shard, &at, entry);
			lrd_shard_unlock(shard);
		}
		/* A shard whose lock is not given in time is left out. */
		if (!locked || (!found && at >= shard->table.values_size / LRD_ALLOC_GRANULE)) {
			number++;
			at = 0;
		}
		*cursor = (uint64_t) number << 32 | at;
		if (found) {
			return lrd_segment_is_alive(&store->segment) ? LRD_OK : LRD_MISS;
		}
	}
	return LRD_MISS;
}

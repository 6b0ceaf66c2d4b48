#include "lrd_handle.h"

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
	for (uint32_t i = 0; i < used && i < epochs->count; i++) {
		lrd_slot *slot = &epochs->slots[i];
		lrd_holder holder = {.slot = i, .generation = atomic_load(&slot->generation)};
		uint64_t epoch = atomic_load(&slot->epoch);
		if (!lrd_epoch_holds(epochs, holder)) {
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
		.bytes_largest = lrd_alloc_largest(shard->arena),
		.stores = read_count(&state->counts.stores),
		.evictions = read_count(&state->counts.evictions),
		.expirations = read_count(&state->counts.expirations),
		.refused_large = read_count(&state->counts.refused_large),
		.refused_full = read_count(&state->counts.refused_full),
		.lock_timeouts = read_count(&state->counts.lock_timeouts),
		.recoveries = read_count(&state->counts.recoveries),
	};
}

/* The cursor is shard and record: a record that stays, stays where it is, so the walk meets it exactly once. */
lrd_status lrd_store_next(lrd_store *store, uint64_t *cursor, lrd_entry *entry)
{
	uint32_t number = (uint32_t) (*cursor >> 32), index = (uint32_t) *cursor;
	for (; number < store->layout.shards; number++, index = 0) {
		const lrd_table *table = &store->shard[number].table;
		uint32_t top = store->shard[number].state->top;
		for (index = index == 0 ? 1 : index; index < top && index < table->count; index++) {
			lrd_record *record = &table->records[index];
			/* Live now means that its bytes stay for as long as we are pinned, whatever is done to it. */
			if (atomic_load_explicit(&record->state, memory_order_acquire) != LRD_LIVE || record->type == LRD_TYPE_LEASE
				|| lrd_record_is_over(record)) {
				continue;
			}
			uint64_t start = (uint64_t) record->block * LRD_ALLOC_GRANULE;
			if (start >= table->values_size || record->key_size > table->values_size - start) {
				continue;
			}
			*entry = (lrd_entry) {
				.key = {table->values + start, record->key_size},
				.expires_ms = atomic_load_explicit(&record->expires, memory_order_relaxed),
				.version = atomic_load_explicit(&record->version, memory_order_relaxed),
				.bytes = lrd_record_bytes(record),
				.type = record->type,
				.space = record->space,
			};
			*cursor = (uint64_t) number << 32 | (index + 1);
			return LRD_OK;
		}
	}
	*cursor = (uint64_t) number << 32;
	return LRD_MISS;
}

#include "lrd_table.h"

uint32_t lrd_table_find_lease(const lrd_table *table, uint64_t hash, uint16_t space)
{
	uint32_t index = atomic_load_explicit(&table->buckets[hash & table->mask], memory_order_acquire);
	for (uint32_t step = 0; index != LRD_RECORD_NONE && index < table->count && step < table->count; step++) {
		const lrd_record *record = &table->records[index];
		if (record->hash == hash && record->type == LRD_TYPE_LEASE && record->space == space) {
			return index;
		}
		index = atomic_load_explicit(&record->next, memory_order_acquire);
	}
	return LRD_RECORD_NONE;
}

void lrd_table_link_locked(lrd_table *table, uint32_t index)
{
	lrd_record *record = &table->records[index];
	_Atomic uint32_t *bucket = &table->buckets[record->hash & table->mask];
	atomic_store_explicit(&record->next, atomic_load_explicit(bucket, memory_order_relaxed), memory_order_relaxed);
	/* Release: a reader that finds the record through the bucket sees all that was written to it. */
	atomic_store_explicit(bucket, index, memory_order_release);
}

void lrd_table_unlink_locked(lrd_table *table, uint32_t index)
{
	lrd_record *record = &table->records[index];
	_Atomic uint32_t *link = &table->buckets[record->hash & table->mask];
	uint32_t at = atomic_load_explicit(link, memory_order_relaxed);
	/* Both bounds are against damage: a chain that was written over may run in a circle or out of the table. */
	for (uint32_t step = 0; at != LRD_RECORD_NONE && at < table->count && step < table->count; step++) {
		if (at == index) {
			uint32_t next = atomic_load_explicit(&record->next, memory_order_relaxed);
			/* The record keeps its own `next`: a reader that stands on it still finds the rest of the chain. */
			atomic_store_explicit(link, next, memory_order_release);
			return;
		}
		link = &table->records[at].next;
		at = atomic_load_explicit(link, memory_order_relaxed);
	}
}

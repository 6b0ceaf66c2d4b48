#include "lrd_evict.h"

void lrd_queue_append_locked(lrd_queue *queue, const lrd_table *table, uint32_t index)
{
	lrd_table_record(table, index)->newer = LRD_RECORD_NONE;
	if (queue->newest != LRD_RECORD_NONE) {
		lrd_table_record(table, queue->newest)->newer = index;
	} else {
		queue->oldest = index;
	}
	queue->newest = index;
	queue->count++;
}

uint32_t lrd_queue_shift_locked(lrd_queue *queue, const lrd_table *table)
{
	uint32_t index = queue->oldest;
	queue->oldest = lrd_table_record(table, index)->newer;
	if (queue->oldest == LRD_RECORD_NONE) {
		queue->newest = LRD_RECORD_NONE;
	}
	queue->count--;
	return index;
}

void lrd_sieve_append_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t index)
{
	lrd_table_record(table, index)->older = sieve->queue.newest;
	lrd_queue_append_locked(&sieve->queue, table, index);
}

void lrd_sieve_remove_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t index)
{
	lrd_queue *queue = &sieve->queue;
	const lrd_record *record = lrd_table_record(table, index);
	if (sieve->hand == index) {
		sieve->hand = record->newer;
	}
	if (record->older != LRD_RECORD_NONE) {
		lrd_table_record(table, record->older)->newer = record->newer;
	} else {
		queue->oldest = record->newer;
	}
	if (record->newer != LRD_RECORD_NONE) {
		lrd_table_record(table, record->newer)->older = record->older;
	} else {
		queue->newest = record->older;
	}
	queue->count--;
}

uint32_t lrd_sieve_victim_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t *looked)
{
	for (uint32_t step = 1;; step++) {
		uint32_t index = sieve->hand != LRD_RECORD_NONE ? sieve->hand : sieve->queue.oldest;
		if (index == LRD_RECORD_NONE) {
			return LRD_RECORD_NONE;
		}
		lrd_record *record = lrd_table_record(table, index);
		if (step == LRD_SIEVE_STEPS || atomic_load_explicit(&record->visited, memory_order_relaxed) == 0) {
			sieve->hand = index;
			*looked += step;
			return index;
		}
		atomic_store_explicit(&record->visited, 0, memory_order_relaxed);
		sieve->hand = record->newer;
	}
}

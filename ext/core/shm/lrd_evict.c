#include "lrd_evict.h"

void lrd_queue_append_locked(lrd_queue *queue, lrd_record *records, uint32_t index)
{
	lrd_record *record = &records[index];
	record->newer = LRD_RECORD_NONE;
	record->older = queue->newest;
	if (queue->newest != LRD_RECORD_NONE) {
		records[queue->newest].newer = index;
	} else {
		queue->oldest = index;
	}
	queue->newest = index;
	queue->count++;
}

void lrd_queue_remove_locked(lrd_queue *queue, lrd_record *records, uint32_t index)
{
	lrd_record *record = &records[index];
	if (record->older != LRD_RECORD_NONE) {
		records[record->older].newer = record->newer;
	} else {
		queue->oldest = record->newer;
	}
	if (record->newer != LRD_RECORD_NONE) {
		records[record->newer].older = record->older;
	} else {
		queue->newest = record->older;
	}
	queue->count--;
}

void lrd_sieve_remove_locked(lrd_sieve *sieve, lrd_record *records, uint32_t index)
{
	if (sieve->hand == index) {
		sieve->hand = records[index].newer;
	}
	lrd_queue_remove_locked(&sieve->queue, records, index);
}

uint32_t lrd_sieve_victim_locked(lrd_sieve *sieve, lrd_record *records)
{
	/*
	 * Each round clears a bit, so the second lap must find one; readers that set bits again meanwhile may cost some
	 * more.
	 */
	for (uint64_t left = 2 * (uint64_t) sieve->queue.count + 1; left > 0; left--) {
		uint32_t index = sieve->hand != LRD_RECORD_NONE ? sieve->hand : sieve->queue.oldest;
		if (index == LRD_RECORD_NONE) {
			return LRD_RECORD_NONE;
		}
		lrd_record *record = &records[index];
		if (atomic_load_explicit(&record->visited, memory_order_relaxed) == 0) {
			sieve->hand = index;
			return index;
		}
		atomic_store_explicit(&record->visited, 0, memory_order_relaxed);
		sieve->hand = record->newer;
	}
	return sieve->queue.oldest;
}

#include "lrd_evict.h"

/* Any other odd number would do: of an empty queue the sum is 0, and one end alone cannot change without it. */
#define FACTOR UINT32_C(0x9e3779b1)

static uint32_t sum_of(const lrd_queue *queue)
{
	return (queue->oldest * FACTOR ^ queue->newest) * FACTOR;
}

/* Whether both ends are what was last written to them. Zeros pass as an empty queue: the records tell that later. */
static bool has_ends(const lrd_queue *queue, const lrd_table *table)
{
	if (__builtin_expect(queue->sum != sum_of(queue), 0)) {
		return false;
	}
	return queue->newest == LRD_RECORD_NONE ? queue->oldest == LRD_RECORD_NONE
											: lrd_table_has(table, queue->newest) && lrd_table_has(table, queue->oldest);
}

bool lrd_queue_append_locked(lrd_queue *queue, const lrd_table *table, uint32_t index)
{
	if (!has_ends(queue, table)) {
		return false;
	}
	lrd_table_record(table, index)->newer = LRD_RECORD_NONE;
	if (queue->newest != LRD_RECORD_NONE) {
		lrd_table_record(table, queue->newest)->newer = index;
	} else {
		queue->oldest = index;
	}
	queue->newest = index;
	queue->sum = sum_of(queue);
	queue->count++;
	return true;
}

bool lrd_queue_oldest_locked(const lrd_queue *queue, const lrd_table *table, uint32_t *index)
{
	*index = queue->oldest;
	return has_ends(queue, table);
}

bool lrd_queue_shift_locked(lrd_queue *queue, const lrd_table *table)
{
	const uint32_t index = queue->oldest;
	if (!lrd_table_has(table, index)) {
		return false;
	}
	const uint32_t next = lrd_table_record(table, index)->newer;
	/* One that was appended twice is both ends, and those between are lost. */
	if (index == queue->newest ? next != LRD_RECORD_NONE || queue->count != 1 : !lrd_table_has(table, next)) {
		return false;
	}
	queue->oldest = next;
	queue->newest = next != LRD_RECORD_NONE ? queue->newest : LRD_RECORD_NONE;
	queue->sum = sum_of(queue);
	queue->count--;
	return true;
}

bool lrd_sieve_append_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t index)
{
	lrd_table_record(table, index)->older = sieve->queue.newest;
	return lrd_queue_append_locked(&sieve->queue, table, index);
}

static void set_hand(lrd_sieve *sieve, uint32_t index)
{
	sieve->hand = index;
	sieve->hand_sum = index * FACTOR;
}

/* Whether those beside it in the queue lead to it. */
static bool is_queued(const lrd_queue *queue, const lrd_table *table, uint32_t index)
{
	const lrd_record *record = lrd_table_record(table, index);
	const uint32_t older = record->older, newer = record->newer;
	const bool is_led_to = older == LRD_RECORD_NONE
		? queue->oldest == index
		: lrd_table_begins_locked(table, older) && lrd_table_record(table, older)->newer == index;
	return is_led_to && (newer == LRD_RECORD_NONE
		? queue->newest == index
		: lrd_table_begins_locked(table, newer) && lrd_table_record(table, newer)->older == index);
}

bool lrd_sieve_remove_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t index)
{
	lrd_queue *queue = &sieve->queue;
	if (!has_ends(queue, table) || !is_queued(queue, table, index)) {
		return false;
	}
	const lrd_record *record = lrd_table_record(table, index);
	if (sieve->hand == index) {
		set_hand(sieve, record->newer);
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
	queue->sum = sum_of(queue);
	queue->count--;
	return true;
}

bool lrd_sieve_victim_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t *looked, uint32_t *victim)
{
	*victim = LRD_RECORD_NONE;
	if (!has_ends(&sieve->queue, table) || sieve->hand_sum != sieve->hand * FACTOR) {
		return false;
	}
	uint32_t index = sieve->hand;
	for (uint32_t step = 1;; step++) {
		index = index != LRD_RECORD_NONE ? index : sieve->queue.oldest;
		if (index == LRD_RECORD_NONE) {
			return true;
		}
		lrd_record *record = lrd_table_has(table, index) ? lrd_table_record(table, index) : NULL;
		if (record == NULL || atomic_load_explicit(&record->state, memory_order_relaxed) != LRD_LIVE) {
			return false;
		}
		if (step == LRD_SIEVE_STEPS || atomic_load_explicit(&record->visited, memory_order_relaxed) == 0) {
			set_hand(sieve, index);
			*looked += step;
			*victim = index;
			return true;
		}
		if (!lrd_table_begins_locked(table, index)) {
			return false;
		}
		atomic_store_explicit(&record->visited, 0, memory_order_relaxed);
		index = record->newer;
	}
}

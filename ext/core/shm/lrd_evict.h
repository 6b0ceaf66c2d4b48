/*
 * In which order things go: the queue of live records with SIEVE's hand, and the queue of removed ones that wait until
 * nobody reads them. The first is a list through the records' older and newer, the second through newer alone; the
 * caller holds the shard's lock for all functions.
 *
 * SIEVE (Zhang et al., NSDI 2024): new records enter at the new end and never move; a hit sets one bit; the hand walks
 * from old to new, clears bits that are set and takes the first record whose bit is not.
 */
#ifndef LRD_EVICT_H
#define LRD_EVICT_H

#include <stdint.h>

#include "lrd_table.h"

/* Where the hand of a shard in which all is read gives up and takes what it stands at: a lap would hold the lock. */
#define LRD_SIEVE_STEPS 256u

typedef struct lrd_queue {
	uint32_t oldest, newest;
	uint32_t count;
} lrd_queue;

typedef struct lrd_sieve {
	lrd_queue queue;
	uint32_t hand;                      /* the next candidate; LRD_RECORD_NONE: the oldest */
} lrd_sieve;

void lrd_queue_append_locked(lrd_queue *queue, const lrd_table *table, uint32_t index);
/* The oldest of a queue of removed ones, which leave it in the order in which they came; there is one. */
uint32_t lrd_queue_shift_locked(lrd_queue *queue, const lrd_table *table);

void lrd_sieve_append_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t index);
void lrd_sieve_remove_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t index);

/*
 * The record to be removed next, still in the queue; LRD_RECORD_NONE when there is none. *looked grows by the records
 * that were looked at, at most LRD_SIEVE_STEPS.
 */
uint32_t lrd_sieve_victim_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t *looked);

#endif

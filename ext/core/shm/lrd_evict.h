/*
 * In which order things go: the queue of live records with SIEVE's hand, and the queue of removed ones that wait until
 * nobody reads them. Both are lists through the records' older and newer; the caller holds the shard's lock for all
 * functions.
 *
 * SIEVE (Zhang et al., NSDI 2024): new records enter at the new end and never move; a hit sets one bit; the hand walks
 * from old to new, clears bits that are set and takes the first record whose bit is not.
 */
#ifndef LRD_EVICT_H
#define LRD_EVICT_H

#include <stdint.h>

#include "lrd_table.h"

typedef struct lrd_queue {
	uint32_t oldest, newest;
	uint32_t count;
} lrd_queue;

typedef struct lrd_sieve {
	lrd_queue queue;
	uint32_t hand;                      /* the next candidate; LRD_RECORD_NONE: the oldest */
} lrd_sieve;

void lrd_queue_append_locked(lrd_queue *queue, lrd_record *records, uint32_t index);
void lrd_queue_remove_locked(lrd_queue *queue, lrd_record *records, uint32_t index);

void lrd_sieve_remove_locked(lrd_sieve *sieve, lrd_record *records, uint32_t index);

/* The record to be removed next, still in the queue; LRD_RECORD_NONE when there is none. */
uint32_t lrd_sieve_victim_locked(lrd_sieve *sieve, lrd_record *records);

#endif

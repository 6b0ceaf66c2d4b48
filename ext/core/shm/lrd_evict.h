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

#include <stdbool.h>
#include <stdint.h>

#include "lrd_table.h"

/* Where the hand of a shard in which all is read gives up and takes what it stands at: a lap would hold the lock. */
#define LRD_SIEVE_STEPS 256u

typedef struct lrd_queue {
	uint32_t oldest, newest;
	uint32_t count;
	uint32_t sum;                       /* over oldest and newest */
} lrd_queue;

typedef struct lrd_sieve {
	lrd_queue queue;
	uint32_t hand;                      /* the next candidate; LRD_RECORD_NONE: the oldest */
	uint32_t hand_sum;
} lrd_sieve;

/*
 * No index that lies in the segment is followed before it was looked at, and nothing is written to a record that its
 * neighbours do not confirm. These answer false, and change nothing, where that shows damage from outside.
 */
bool lrd_queue_append_locked(lrd_queue *queue, const lrd_table *table, uint32_t index);
/* The oldest of a queue of removed ones, which leave it in the order in which they came; LRD_RECORD_NONE: none. */
bool lrd_queue_oldest_locked(const lrd_queue *queue, const lrd_table *table, uint32_t *index);
bool lrd_queue_shift_locked(lrd_queue *queue, const lrd_table *table);

bool lrd_sieve_append_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t index);
bool lrd_sieve_remove_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t index);

/*
 * The record to be removed next, still in the queue; LRD_RECORD_NONE when there is none. *looked grows by the records
 * that were looked at, at most LRD_SIEVE_STEPS.
 */
bool lrd_sieve_victim_locked(lrd_sieve *sieve, const lrd_table *table, uint32_t *looked, uint32_t *victim);

#endif

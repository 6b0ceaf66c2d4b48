/*
 * How even a ring is and how much it moves, over RING_KEYS keys. Server i is 10.0.0.<i+1>:11211 wherever it is in a
 * list.
 */
#ifndef RING_MEASURE_H
#define RING_MEASURE_H

#include "../../core/client/lrd_ring.h"

#define RING_KEYS 200000u

/* One weight for each server; 0: it is not in the list. */
typedef struct ring_list {
	const lrd_ring_kind *kind;
	const uint32_t *weights;
	uint32_t count;
} ring_list;

/* count servers of the same weight. */
ring_list ring_equals(const lrd_ring_kind *kind, uint32_t count);

/* The ring with the servers' places in order[], an array of count numbers. */
lrd_ring *ring_of(ring_list list, uint32_t *order);

/* The greatest of all servers' shares, as a multiple of what its weight is due. */
double ring_fullest(ring_list list);

/* The share of the keys that are on another server after than before, and the least that it could be. */
double ring_moved(ring_list before, ring_list after);
double ring_moved_least(ring_list before, ring_list after);

#endif

/*
 * Room in one shard: what expires, what is evicted, and where. The caller holds the shard's lock for all functions.
 */
#ifndef LRD_ROOM_H
#define LRD_ROOM_H

#include "lrd_shard.h"

/* What has been tried so far for one block, over several holds of the lock. All zero at first. */
typedef struct lrd_effort {
	bool begun, swept, emptied;         /* emptied: enough was evicted in its turn, or there was nothing to evict */
	bool clearing;                      /* a window, of which [at, to) granules are left */
	uint32_t at, to;
	unsigned windows;
	uint64_t gone;                      /* bytes */
	unsigned repairs;                   /* that it has asked for */
} lrd_effort;

/*
 * A record of `needed` bytes, in LRD_DRAFT, that nobody holds. LRD_TOO_LARGE, LRD_FULL; LRD_BUSY: not yet, and this
 * hold of the lock has done its part: give it back, take it again, and go on with the same effort. What was found in
 * the table before has to be found anew.
 */
lrd_status lrd_room_take_locked(lrd_shard *shard, uint64_t needed, lrd_effort *effort, uint32_t *index);

/* The most that a record may need. */
static inline uint64_t lrd_room_largest(const lrd_shard *shard)
{
	return lrd_alloc_largest(lrd_shard_pages(shard));
}

#endif

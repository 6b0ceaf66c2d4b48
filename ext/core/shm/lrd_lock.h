/*
 * A mutex that processes share, that can be waited for no longer than a deadline, and whose owner may die: the kernel
 * then hands it to the next taker, which learns of the death and repairs what the lock guards. A writer's lock, never a
 * reader's.
 */
#ifndef LRD_LOCK_H
#define LRD_LOCK_H

#include <pthread.h>
#include <stdbool.h>

#include "../base/lrd_status.h"

typedef struct lrd_lock {
	pthread_mutex_t mutex;
} lrd_lock;

/* Once, by the segment's maker. */
lrd_status lrd_lock_init(lrd_lock *lock);

/*
 * LRD_OK; LRD_OWNER_DIED: it is ours, but the last owner died in it: repair, then lrd_lock_repaired(); LRD_TIMEOUT.
 * ms 0 only tries.
 */
lrd_status lrd_lock_take(lrd_lock *lock, unsigned ms);

/*
 * What the dead owner left is sound again. A lock given back without this is one whose owner died to the next taker as
 * well; with another C library than glibc it would be lost for ever.
 */
void lrd_lock_repaired(lrd_lock *lock);

/* False: its memory was lost, and it stays in the thread's list of robust locks, so it must not be unmapped. */
bool lrd_lock_give(lrd_lock *lock);

/* Whether its memory was lost: no lock that was ever made is all zeros. */
bool lrd_lock_is_lost(const lrd_lock *lock);

#endif

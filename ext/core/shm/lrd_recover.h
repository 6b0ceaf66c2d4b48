/* The lock of a shard, and the repair of a shard whose writer died while it held the lock. */
#ifndef LRD_RECOVER_H
#define LRD_RECOVER_H

#include "lrd_shard.h"

/* LRD_OK or LRD_TIMEOUT. A shard that a dead writer left is repaired first. */
lrd_status lrd_shard_lock(lrd_shard *shard);
void lrd_shard_unlock(lrd_shard *shard);
/* Gives the lock to who waits for it, between two steps of long work. A failure leaves it given back. */
lrd_status lrd_shard_relock(lrd_shard *shard);

#endif

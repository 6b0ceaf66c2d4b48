/* Leases of one shard: at most one process makes the value of a key. A lease is a record without a key. */
#ifndef LRD_LEASE_H
#define LRD_LEASE_H

#include "lrd_shard.h"

lrd_status lrd_lease_take_locked(
	lrd_shard *shard, uint64_t hash, lrd_slice name, unsigned ms, lrd_holder holder, uint64_t *token);
/* The record of the lease with this token if it still holds, else LRD_RECORD_NONE. */
uint32_t lrd_lease_held_locked(lrd_shard *shard, uint64_t hash, uint64_t token);
/* Ends the key's lease, no matter which process holds it. */
void lrd_lease_end_locked(lrd_shard *shard, uint64_t hash);

#endif

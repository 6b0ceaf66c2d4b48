/*
 * Ints, which change in place: one store to the word, then one to the version. Who does so holds the key's stripe, one
 * of the locks in lrd_head, not the shard's; so does a cas of an int, besides the shard's lock, which goes first. An
 * int that is being removed meanwhile was changed just before.
 */
#ifndef LRD_COUNT_H
#define LRD_COUNT_H

#include "lrd_handle.h"

/* LRD_OK LRD_TIMEOUT. A death under it leaves nothing to repair: word and version are right after each store. */
lrd_status lrd_count_lock(lrd_store *store, uint64_t hash);
void lrd_count_unlock(lrd_store *store, uint64_t hash);

/*
 * Stores a value of LRD_TYPE_INT without an end over one of the same kind. LRD_MISS: there is none, or its key may have
 * a lease, and it is to be stored as any other. LRD_TIMEOUT LRD_NO_SLOT.
 */
lrd_status lrd_count_put(lrd_store *store, lrd_key key, uint64_t hash, const lrd_value *value, uint64_t *version);

#endif

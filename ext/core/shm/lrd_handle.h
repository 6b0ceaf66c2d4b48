/*
 * What lrd_store.h keeps to itself: a thread's handle on a store, and the head of the segment's body. For lrd_open.c,
 * lrd_store.c and lrd_report.c.
 */
#ifndef LRD_HANDLE_H
#define LRD_HANDLE_H

#include "lrd_layout.h"
#include "lrd_store.h"

#define LRD_STRIPES 256u

/*
 * At the start of the body. Ints change in place under one of these locks instead of their shard's, so that two
 * processes that count different things seldom meet.
 */
typedef struct lrd_head {
	struct {
		_Alignas(64) lrd_lock lock;
	} stripe[LRD_STRIPES];
} lrd_head;

struct lrd_store {
	lrd_segment segment;
	_Atomic unsigned *handles;          /* of this process, on this mapping */
	lrd_layout layout;
	lrd_reader reader;
	lrd_slot *parent;                   /* the slot that a pinned parent had at the fork, */
	uint64_t parent_epoch;              /* and what it was pinned at */
	lrd_head *head;
	char *values;                       /* where they are handed out */
	char *written;                      /* the same memory where it is written: another address in guard mode */
	uint64_t values_size;
	unsigned lock_ms;
	uint64_t stuck_until_ns;            /* as a shard's, for stripes */
	unsigned new_ints;                  /* set one after the other, each where there was none */
	bool protected;
	lrd_shard shard[LRD_SHARDS_MAX];
};

/*
 * The most bytes that a value may have, whatever its key: so it does not depend on the key whether one is too large.
 */
static inline uint64_t lrd_store_largest(const lrd_shard *shard)
{
	uint64_t head = lrd_value_at(0, LRD_KEY_MAX + LRD_NAMESPACE_MAX, 1);
	uint64_t most = lrd_alloc_largest(lrd_shard_pages(shard));
	return most > head ? most - head : 0;
}

/* What a writer answers: nothing that it did counts if the segment was lost meanwhile. */
static inline lrd_status lrd_store_says(const lrd_store *store, lrd_status status)
{
	return __builtin_expect(lrd_segment_is_alive(&store->segment), 1) ? status : LRD_BAD_SEGMENT;
}

/* ---- keys ---- */

LRD_INLINE uint64_t lrd_store_hash(const lrd_store *store, lrd_key key)
{
	return lrd_table_hash(store->shard[0].table.seed ^ (key.space != NULL ? key.space->seed : 0), key.bytes);
}

LRD_INLINE lrd_slice lrd_key_name(lrd_key key)
{
	return key.space != NULL ? (lrd_slice) {key.space->name, key.space->size} : (lrd_slice) {"", 0};
}

/* Buckets take the low half, so the shard takes high bits. */
LRD_INLINE lrd_shard *lrd_store_shard(lrd_store *store, uint64_t hash)
{
	return &store->shard[(uint32_t) (hash >> 48) & (store->layout.shards - 1)];
}

/* The key's record if its time is not over, else LRD_RECORD_NONE. */
LRD_INLINE uint32_t lrd_store_fresh(const lrd_shard *shard, uint64_t hash, lrd_key key)
{
	uint32_t index = lrd_table_find(&shard->table, hash, lrd_key_name(key), key.bytes);
	return index != LRD_RECORD_NONE && lrd_record_is_over(lrd_shard_record(shard, index)) ? LRD_RECORD_NONE : index;
}

#endif

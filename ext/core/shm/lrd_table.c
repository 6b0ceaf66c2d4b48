#include "lrd_table.h"

#include "../base/lrd_fault.h"

/* ---- without a lock ---- */

/* Also LRD_RECORD_NONE without a look at a record, where the first tells that it is the last. */
static uint32_t walk(const lrd_table *table, const lrd_bucket *bucket, uint32_t hash, lrd_slice name, lrd_slice key)
{
	const uint32_t tag = lrd_link_tag(table, hash);
	uint32_t link = atomic_load_explicit(&bucket->chain, memory_order_acquire);
	for (uint32_t step = 0; step < LRD_CHAIN_MAX; step++) {
		uint32_t index = lrd_link_index(table, link);
		bool may_be = lrd_link_has_tag(table, link, tag);
		if (!lrd_table_has(table, index) || (!may_be && lrd_link_is_last(table, link))) {
			break;
		}
		if (may_be && lrd_record_is(table, index, hash, name, key)) {
			return index;
		}
		link = atomic_load_explicit(&lrd_table_record(table, index)->next, memory_order_acquire);
	}
	return LRD_RECORD_NONE;
}

uint32_t lrd_table_find_in_chain(
	const lrd_table *table, const lrd_bucket *bucket, uint32_t hash, lrd_slice name, lrd_slice key)
{
	uint32_t index = walk(table, bucket, hash, name, key);
	/* It may have left the chain for a place that we had looked at: then it is there, since it was there before. */
	return index != LRD_RECORD_NONE ? index : lrd_bucket_find(table, bucket, hash, name, key);
}

/* ---- under the shard's lock ---- */

_Atomic uint32_t *lrd_bucket_next(const lrd_table *table, lrd_bucket *bucket, _Atomic uint32_t *link)
{
	if (link == NULL) {
		return &bucket->link[0];
	}
	if (lrd_bucket_is_place(bucket, link)) {
		return link != &bucket->link[LRD_BUCKET_LINKS - 1] ? link + 1 : &bucket->chain;
	}
	uint32_t index = lrd_link_index(table, atomic_load_explicit(link, memory_order_relaxed));
	return lrd_table_has(table, index) ? &lrd_table_record(table, index)->next : NULL;
}

void lrd_bucket_take_out(const lrd_table *table, lrd_bucket *bucket, _Atomic uint32_t *link)
{
	uint32_t next = 0;
	if (!lrd_bucket_is_place(bucket, link)) {
		/* The record keeps its own `next`: a reader that stands on it still finds the rest of the chain. */
		uint32_t index = lrd_link_index(table, atomic_load_explicit(link, memory_order_relaxed));
		next = lrd_table_has(table, index)
			? atomic_load_explicit(&lrd_table_record(table, index)->next, memory_order_relaxed) : 0;
	}
	atomic_store_explicit(link, next, memory_order_release);
}

uint32_t lrd_table_find_lease(const lrd_table *table, uint64_t hash)
{
	lrd_bucket *bucket = lrd_table_bucket(table, (uint32_t) hash);
	_Atomic uint32_t *link = lrd_bucket_next(table, bucket, NULL);
	for (uint32_t step = 0; link != NULL && step < LRD_CHAIN_MAX; step++) {
		uint32_t index = lrd_link_index(table, atomic_load_explicit(link, memory_order_acquire));
		lrd_record *record = lrd_table_has(table, index) ? lrd_table_record(table, index) : NULL;
		if (record != NULL && record->hash == (uint32_t) hash && record->type == LRD_TYPE_LEASE
			&& (uint64_t) (index - 1) * LRD_RECORD_GRANULE + lrd_record_needs(LRD_TYPE_LEASE, record->key_size, 0)
				<= table->values_size
			&& atomic_load_explicit(lrd_record_word(record) + 1, memory_order_relaxed) == hash) {
			return index;
		}
		link = lrd_bucket_next(table, bucket, link);
	}
	return LRD_RECORD_NONE;
}

/* is_last: of its chain; one that has a place in its bucket is. */
static uint32_t link_of(const lrd_table *table, uint32_t index, bool is_last)
{
	return lrd_link_tag(table, lrd_table_record(table, index)->hash) | (uint32_t) is_last << table->index_bits | index;
}

/* What leads to this record; NULL: nothing does. */
static _Atomic uint32_t *find_link(const lrd_table *table, lrd_bucket *bucket, uint32_t index)
{
	uint32_t place = lrd_bucket_which(bucket, UINT32_MAX, link_of(table, index, true));
	if (place != 0) {
		return &bucket->link[__builtin_ctz(place)];
	}
	_Atomic uint32_t *link = &bucket->chain;
	for (uint32_t step = 0; link != NULL && step < LRD_CHAIN_MAX; step++) {
		uint32_t other = lrd_link_index(table, atomic_load_explicit(link, memory_order_relaxed));
		if (other == index) {
			return link;
		}
		link = lrd_table_begins_locked(table, other) ? lrd_bucket_next(table, bucket, link) : NULL;
	}
	return NULL;
}

void lrd_table_link_locked(lrd_table *table, uint32_t index)
{
	lrd_record *record = lrd_table_record(table, index);
	lrd_bucket *bucket = lrd_table_bucket(table, record->hash);
	uint32_t place = lrd_bucket_which(bucket, UINT32_MAX, 0);
	_Atomic uint32_t *link = place != 0 ? &bucket->link[__builtin_ctz(place)] : &bucket->chain;
	uint32_t next = place != 0 ? 0 : atomic_load_explicit(link, memory_order_relaxed);
	atomic_store_explicit(&record->next, next, memory_order_relaxed);
	/* Release: a reader that finds the record through its link sees all that was written to it. */
	atomic_store_explicit(link, link_of(table, index, next == 0), memory_order_release);
}

/* A place is free: the first of the chain moves there. It leaves the chain last, and keeps its next. */
static void move_to(const lrd_table *table, lrd_bucket *bucket, _Atomic uint32_t *place)
{
	uint32_t index = lrd_link_index(table, atomic_load_explicit(&bucket->chain, memory_order_relaxed));
	if (lrd_table_has(table, index)) {
		atomic_store_explicit(place, link_of(table, index, true), memory_order_release);
		LRD_FAULT("moving");
		lrd_bucket_take_out(table, bucket, &bucket->chain);
	}
}

void lrd_table_unlink_locked(lrd_table *table, uint32_t index)
{
	lrd_bucket *bucket = lrd_table_bucket(table, lrd_table_record(table, index)->hash);
	_Atomic uint32_t *link = find_link(table, bucket, index);
	if (link == NULL) {
		return;
	}
	lrd_bucket_take_out(table, bucket, link);
	if (lrd_bucket_is_place(bucket, link) && atomic_load_explicit(&bucket->chain, memory_order_relaxed) != 0) {
		move_to(table, bucket, link);
	}
}

void lrd_table_replace_locked(lrd_table *table, uint32_t old, uint32_t index)
{
	lrd_record *record = lrd_table_record(table, index), *before = lrd_table_record(table, old);
	lrd_bucket *bucket = lrd_table_bucket(table, record->hash);
	_Atomic uint32_t *link = before->hash == record->hash ? find_link(table, bucket, old) : NULL;
	if (link == NULL) {
		/* Only damage from outside leaves that. */
		lrd_table_link_locked(table, index);
		return;
	}
	uint32_t next = lrd_bucket_is_place(bucket, link) ? 0 : atomic_load_explicit(&before->next, memory_order_relaxed);
	atomic_store_explicit(&record->next, next, memory_order_relaxed);
	atomic_store_explicit(link, link_of(table, index, next == 0), memory_order_release);
}

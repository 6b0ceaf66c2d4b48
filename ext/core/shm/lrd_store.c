#define _GNU_SOURCE
#include "lrd_handle.h"

#include <sys/mman.h>

#include "../base/lrd_fault.h"
#include "lrd_lease.h"
#include "lrd_recover.h"

/* ---- pins and forks ---- */

lrd_status lrd_store_pin(lrd_store *store)
{
	return lrd_reader_pin(&store->reader);
}

void lrd_store_unpin(lrd_store *store)
{
	lrd_reader_unpin(&store->reader);
}

bool lrd_store_is_pinned(const lrd_store *store)
{
	return store->reader.pinned;
}

void lrd_store_forked(lrd_store *store)
{
	if (store->reader.slot != NULL) {
		store->parent = store->reader.pinned ? store->reader.slot : NULL;
		store->parent_epoch = store->reader.epoch;
		lrd_reader_forked(&store->reader);
	}
}

void lrd_store_fork_before(lrd_store *store)
{
	lrd_reader_fork_before(&store->reader);
}

lrd_status lrd_store_fork_inherit(lrd_store *store)
{
	if (store->parent == NULL) {
		return LRD_OK;
	}
	lrd_slot *parent = store->parent;
	store->parent = NULL;
	return lrd_reader_fork_inherit(&store->reader, parent, store->parent_epoch);
}

void lrd_store_fork_after(lrd_store *store, long child)
{
	lrd_reader_fork_after(&store->reader, child);
}

/* ---- keys ---- */

LRD_INLINE uint64_t hash_of(const lrd_store *store, lrd_key key)
{
	return lrd_table_hash(store->shard[0].table.seed, key.space, key.bytes);
}

/* Buckets take the low bits, so the shard takes high ones. */
LRD_INLINE uint32_t shard_of(const lrd_store *store, uint64_t hash)
{
	return (uint32_t) (hash >> 48) & (store->layout.shards - 1);
}

LRD_INLINE lrd_record *find_fresh(const lrd_shard *shard, uint64_t hash, lrd_key key)
{
	uint32_t index = lrd_table_find(&shard->table, hash, key.space, key.bytes);
	if (index == LRD_RECORD_NONE) {
		return NULL;
	}
	lrd_record *record = lrd_shard_record(shard, index);
	return lrd_record_is_over(record) ? NULL : record;
}

/* ---- reading ---- */

lrd_status lrd_store_find(lrd_store *store, lrd_slice bytes, uint16_t space, lrd_found *found)
{
	const lrd_key key = {.bytes = bytes, .space = space};
	uint64_t hash = hash_of(store, key);
	const lrd_shard *shard = &store->shard[shard_of(store, hash)];
	lrd_record *record = find_fresh(shard, hash, key);
	if (record == NULL) {
		return LRD_MISS;
	}
	if (atomic_load_explicit(&record->visited, memory_order_relaxed) == 0) {
		atomic_store_explicit(&record->visited, 1, memory_order_relaxed);
	}
	found->type = record->type;
	found->size = record->value_size;
	/* The version first, as an increment writes it last: then an old word never comes with a new version. */
	found->version = atomic_load_explicit(&record->version, memory_order_acquire);
	found->word = atomic_load_explicit(&record->word, memory_order_acquire);
	found->expires_ms = atomic_load_explicit(&record->expires, memory_order_relaxed);
	found->bytes = lrd_record_key(&shard->table, record) + lrd_key_room(record->key_size);
	return LRD_OK;
}

ptrdiff_t lrd_store_shift(const lrd_store *store)
{
	return store->segment.shift;
}

bool lrd_store_holds(const lrd_store *store, const void *address)
{
	uintptr_t at = (uintptr_t) address, start = (uintptr_t) store->values;
	return at >= start && at - start < store->values_size;
}

/* ---- writing ---- */

/* Only in the guard mode: the values are read-only but between a draft and its end. */
static void make_writable(const lrd_store *store, bool on)
{
	if (store->protected) {
		mprotect(store->values, store->values_size, on ? PROT_READ | PROT_WRITE : PROT_READ);
	}
}

lrd_status lrd_store_draft(lrd_store *store, lrd_key key, size_t size, lrd_draft *draft)
{
	uint64_t hash = hash_of(store, key);
	uint32_t number = shard_of(store, hash), index;
	lrd_shard *shard = &store->shard[number];
	lrd_holder holder;
	lrd_status status = lrd_reader_holder(&store->reader, &holder);
	if (status == LRD_OK) {
		status = lrd_shard_lock(shard);
	}
	if (status != LRD_OK) {
		return status;
	}
	size_t room = lrd_key_room((uint32_t) key.bytes.size);
	status = lrd_shard_take_locked(shard, size > UINT32_MAX - room ? SIZE_MAX : room + size, holder, &index);
	lrd_shard_unlock(shard);
	if (status != LRD_OK) {
		return status;
	}
	/* The draft is this process's alone: its value is written without the lock, which is taken again to publish it. */
	lrd_record *record = lrd_shard_record(shard, index);
	char *block = shard->table.values + (uint64_t) record->block * LRD_ALLOC_GRANULE;
	make_writable(store, true);
	memcpy(block, key.bytes.bytes, key.bytes.size);
	record->hash = hash;
	record->space = key.space;
	record->key_size = (uint16_t) key.bytes.size;
	record->value_size = (uint32_t) size;
	*draft = (lrd_draft) {
		.bytes = size > 0 ? block + lrd_key_room(record->key_size) : NULL,
		.record = index,
		.shard = number,
		.size = (uint32_t) size,
	};
	LRD_FAULT("writing");
	return LRD_OK;
}

void lrd_store_abandon(lrd_store *store, lrd_draft *draft)
{
	lrd_shard *shard = &store->shard[draft->shard];
	make_writable(store, false);
	if (lrd_shard_lock(shard) == LRD_OK) {
		lrd_shard_drop_locked(shard, draft->record);
		lrd_shard_unlock(shard);
	} else {
		/* The lock cannot be had. A holder that does not exist makes the next sweep free the draft. */
		atomic_store(&lrd_shard_record(shard, draft->record)->word, lrd_word_of((lrd_holder) {.slot = UINT32_MAX}));
	}
}

/* Only LRD_IF_LEASED needs the shard's lock. */
static lrd_status check(
	lrd_shard *shard, uint64_t hash, uint16_t space, const lrd_record *there, const lrd_value *value)
{
	switch (value->condition) {
		case LRD_ALWAYS:
			return LRD_OK;
		case LRD_IF_MISSING:
			return there == NULL ? LRD_OK : LRD_EXISTS;
		case LRD_IF_THERE:
			return there != NULL ? LRD_OK : LRD_MISS;
		case LRD_IF_VERSION:
			if (there == NULL) {
				return LRD_MISS;
			}
			return atomic_load_explicit(&there->version, memory_order_relaxed) == value->token ? LRD_OK : LRD_EXISTS;
		case LRD_IF_LEASED:
			return lrd_lease_held_locked(shard, hash, space, value->token) != LRD_RECORD_NONE ? LRD_OK : LRD_LOST;
	}
	return LRD_LOST;
}

lrd_status lrd_store_publish(lrd_store *store, lrd_key key, lrd_draft *draft, const lrd_value *value, uint64_t *version)
{
	lrd_shard *shard = &store->shard[draft->shard];
	lrd_record *record = lrd_shard_record(shard, draft->record);
	LRD_FAULT("written");
	lrd_status status = lrd_shard_lock(shard);
	if (status != LRD_OK) {
		lrd_store_abandon(store, draft);
		return status;
	}
	uint32_t old = lrd_table_find(&shard->table, record->hash, key.space, key.bytes);
	const lrd_record *there = old != LRD_RECORD_NONE && !lrd_record_is_over(lrd_shard_record(shard, old))
		? lrd_shard_record(shard, old)
		: NULL;
	status = check(shard, record->hash, key.space, there, value);
	if (status == LRD_OK) {
		record->type = (uint8_t) value->type;
		atomic_store_explicit(&record->word, value->word, memory_order_relaxed);
		atomic_store_explicit(&record->expires, value->expires_ms, memory_order_relaxed);
		lrd_shard_publish_locked(shard, draft->record, old);
		lrd_lease_end_locked(shard, record->hash, key.space);
		if (version != NULL) {
			*version = atomic_load_explicit(&record->version, memory_order_relaxed);
		}
		if (lrd_record_is_over(record)) {
			/* It only took the place of what was there. */
			lrd_shard_remove_locked(shard, draft->record);
		}
	} else {
		lrd_shard_drop_locked(shard, draft->record);
	}
	lrd_shard_unlock(shard);
	make_writable(store, false);
	return status;
}

lrd_status lrd_store_would(lrd_store *store, lrd_key key, lrd_condition condition, uint64_t token)
{
	uint64_t hash = hash_of(store, key);
	lrd_shard *shard = &store->shard[shard_of(store, hash)];
	if (condition == LRD_IF_LEASED) {
		uint32_t index = lrd_table_find_lease(&shard->table, hash, key.space);
		const lrd_record *lease = index != LRD_RECORD_NONE ? lrd_shard_record(shard, index) : NULL;
		bool held = lease != NULL && atomic_load_explicit(&lease->version, memory_order_relaxed) == token
			&& !lrd_lease_is_over(lease);
		return held ? LRD_OK : LRD_LOST;
	}
	return check(
		shard, hash, key.space, find_fresh(shard, hash, key), &(lrd_value) {.condition = condition, .token = token});
}

lrd_status lrd_store_delete(lrd_store *store, lrd_key key)
{
	uint64_t hash = hash_of(store, key);
	lrd_shard *shard = &store->shard[shard_of(store, hash)];
	lrd_status status = lrd_reader_enter(&store->reader);
	if (status == LRD_OK) {
		status = lrd_shard_lock(shard);
	}
	if (status != LRD_OK) {
		return status;
	}
	status = LRD_MISS;
	uint32_t index = lrd_table_find(&shard->table, hash, key.space, key.bytes);
	if (index != LRD_RECORD_NONE) {
		status = lrd_record_is_over(lrd_shard_record(shard, index)) ? LRD_MISS : LRD_OK;
		lrd_shard_remove_locked(shard, index);
	}
	lrd_lease_end_locked(shard, hash, key.space);
	lrd_shard_collect_locked(shard, false);
	lrd_shard_unlock(shard);
	return status;
}

lrd_status lrd_store_touch(lrd_store *store, lrd_key key, uint64_t expires_ms)
{
	uint64_t hash = hash_of(store, key);
	lrd_shard *shard = &store->shard[shard_of(store, hash)];
	lrd_status status = lrd_shard_lock(shard);
	if (status != LRD_OK) {
		return status;
	}
	lrd_record *record = find_fresh(shard, hash, key);
	if (record != NULL) {
		atomic_store_explicit(&record->expires, expires_ms, memory_order_relaxed);
		atomic_store_explicit(&record->visited, 1, memory_order_relaxed);
	}
	lrd_shard_unlock(shard);
	return record != NULL ? LRD_OK : LRD_MISS;
}

lrd_status lrd_store_increment(lrd_store *store, lrd_key key, int64_t by, int64_t *sum)
{
	uint64_t hash = hash_of(store, key);
	lrd_shard *shard = &store->shard[shard_of(store, hash)];
	lrd_status status = lrd_shard_lock(shard);
	if (status != LRD_OK) {
		return status;
	}
	lrd_record *record = find_fresh(shard, hash, key);
	if (record == NULL) {
		status = LRD_MISS;
	} else if (record->type != LRD_TYPE_INT
		|| __builtin_add_overflow((int64_t) atomic_load_explicit(&record->word, memory_order_relaxed), by, sum)) {
		status = LRD_NOT_A_NUMBER;
	} else {
		/* The word first: who reads the new version reads the new word too, so no cas can succeed on the old one. */
		atomic_store_explicit(&record->word, (uint64_t) *sum, memory_order_release);
		atomic_store_explicit(&record->version, ++shard->state->last_version, memory_order_release);
		atomic_store_explicit(&record->visited, 1, memory_order_relaxed);
	}
	lrd_shard_unlock(shard);
	return status;
}

static lrd_status clear_shard(lrd_shard *shard, uint16_t space, uint64_t *removed)
{
	lrd_status status = lrd_shard_lock(shard);
	if (status != LRD_OK) {
		return status;
	}
	for (uint32_t index = 1; index < shard->state->top; index++) {
		lrd_record *record = lrd_shard_record(shard, index);
		if (atomic_load_explicit(&record->state, memory_order_relaxed) == LRD_LIVE && record->space == space) {
			*removed += record->type != LRD_TYPE_LEASE;
			lrd_shard_remove_locked(shard, index);
		}
	}
	lrd_shard_collect_locked(shard, true);
	lrd_shard_unlock(shard);
	return LRD_OK;
}

lrd_status lrd_store_clear(lrd_store *store, uint16_t space, uint64_t *removed)
{
	*removed = 0;
	lrd_status first = lrd_reader_enter(&store->reader);
	for (uint32_t i = 0; first != LRD_NO_SLOT && i < store->layout.shards; i++) {
		lrd_status status = clear_shard(&store->shard[i], space, removed);
		first = first == LRD_OK ? status : first;
	}
	return first;
}

/* ---- leases ---- */

lrd_status lrd_store_lease(lrd_store *store, lrd_key key, unsigned ms, bool missing_only, uint64_t *token)
{
	uint64_t hash = hash_of(store, key);
	lrd_shard *shard = &store->shard[shard_of(store, hash)];
	lrd_holder holder;
	lrd_status status = lrd_reader_holder(&store->reader, &holder);
	if (status == LRD_OK) {
		status = lrd_shard_lock(shard);
	}
	if (status != LRD_OK) {
		return status;
	}
	if (missing_only && find_fresh(shard, hash, key) != NULL) {
		status = LRD_EXISTS;
	} else {
		status = lrd_lease_take_locked(shard, hash, key.space, ms, holder, token);
	}
	lrd_shard_unlock(shard);
	return status;
}

lrd_status lrd_store_release(lrd_store *store, lrd_key key, uint64_t token)
{
	uint64_t hash = hash_of(store, key);
	lrd_shard *shard = &store->shard[shard_of(store, hash)];
	lrd_status status = lrd_shard_lock(shard);
	if (status != LRD_OK) {
		return status;
	}
	uint32_t index = lrd_lease_held_locked(shard, hash, key.space, token);
	if (index != LRD_RECORD_NONE) {
		lrd_shard_remove_locked(shard, index);
	}
	lrd_shard_unlock(shard);
	return index != LRD_RECORD_NONE ? LRD_OK : LRD_LOST;
}

void lrd_store_end_leases(lrd_store *store)
{
	lrd_reader_end_holds(&store->reader);
}

/* ---- guards ---- */

void lrd_store_protect(lrd_store *store, bool on)
{
	store->protected = on;
	mprotect(store->values, store->values_size, on ? PROT_READ : PROT_READ | PROT_WRITE);
}

void lrd_store_hide(lrd_store *store)
{
	/* Its slot's mutex stands in the thread's list of robust ones: out of it first. */
	lrd_reader_leave(&store->reader);
	mprotect(store->values, store->values_size, PROT_NONE);
}

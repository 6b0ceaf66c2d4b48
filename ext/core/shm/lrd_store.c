#define _GNU_SOURCE
#include "lrd_handle.h"

#include <sys/mman.h>

#include "lrd_guard.h"
#include "lrd_lease.h"
#include "lrd_recover.h"

#define BUSY_LOOKS 64           /* at a text that is being written, before its writer is waited for */
#define BUSY_TRIES 8

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

/* ---- reading ---- */

void lrd_space_of(lrd_space *space, lrd_slice name)
{
	space->size = (uint8_t) name.size;
	memcpy(space->name, name.bytes, name.size);
	space->seed = name.size > 0 ? lrd_table_hash(0, name) : 0;
}

/* False: there is none, or what its head says cannot be. */
LRD_INLINE bool look(const lrd_shard *shard, uint64_t hash, lrd_key key, lrd_found *found)
{
	const uint32_t index = lrd_store_fresh(shard, hash, key);
	if (index == LRD_RECORD_NONE) {
		return false;
	}
	lrd_record *record = lrd_shard_record(shard, index);
	if (atomic_load_explicit(&record->visited, memory_order_relaxed) == 0) {
		atomic_store_explicit(&record->visited, 1, memory_order_relaxed);
	}
	/* The version first: an increment writes it last, so that an old word never comes with a new version. */
	found->seen = &record->version;
	found->version = atomic_load_explicit(&record->version, memory_order_acquire);
	found->type = record->type;
	found->size = atomic_load_explicit(&record->value_size, memory_order_relaxed);
	found->expires_ms = lrd_record_expires(record);
	const uint64_t start = (uint64_t) lrd_record_block(index) * LRD_RECORD_GRANULE;
	const uint64_t at = start + lrd_value_at(found->type, record->key_size, found->size);
	const bool is_word = found->size == 0 && found->type != LRD_TYPE_TEXT;
	if (at + (is_word ? sizeof(uint64_t) : found->size) > shard->table.values_size) {
		return false;
	}
	found->bytes = shard->table.values + at;
	found->word = is_word ? atomic_load_explicit(lrd_record_word(record), memory_order_acquire) : 0;
	return true;
}

static inline bool is_busy(const lrd_found *found)
{
	return found->type == LRD_TYPE_TEXT && (found->version & LRD_VERSION_BUSY) != 0;
}

/* A text that is being written over. After a few looks its writer has lost the processor, or is dead. */
static __attribute__((noinline)) lrd_status look_again(
	lrd_store *store, lrd_shard *shard, uint64_t hash, lrd_key key, lrd_found *found)
{
	for (int tries = 0; tries < BUSY_TRIES; tries++) {
		for (int looks = 0; looks < BUSY_LOOKS; looks++) {
			if (!look(shard, hash, key, found)) {
				return LRD_MISS;
			}
			if (!is_busy(found)) {
				return LRD_OK;
			}
		}
		lrd_store_settle(store, key);
	}
	return LRD_MISS;
}

lrd_status lrd_store_find(lrd_store *store, lrd_slice bytes, const lrd_space *space, lrd_found *found)
{
	const lrd_key key = {.bytes = bytes, .space = space};
	uint64_t hash = lrd_store_hash(store, key);
	lrd_shard *shard = lrd_store_shard(store, hash);
	if (!look(shard, hash, key, found)) {
		return LRD_MISS;
	}
	if (__builtin_expect(is_busy(found), 0) && look_again(store, shard, hash, key, found) != LRD_OK) {
		return LRD_MISS;
	}
	/* Last: what was lost while we looked reads as zeros. */
	return __builtin_expect(lrd_segment_is_alive(&store->segment), 1) ? LRD_OK : LRD_MISS;
}

void lrd_store_settle(lrd_store *store, lrd_key key)
{
	/* With the lock, nobody is writing; and a writer that died in it has been repaired. */
	lrd_shard *shard = lrd_store_shard(store, lrd_store_hash(store, key));
	if (lrd_shard_lock(shard) == LRD_OK) {
		lrd_shard_unlock(shard);
	}
}

const lrd_segment *lrd_store_segment(const lrd_store *store)
{
	return &store->segment;
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

/* ---- removing ---- */

lrd_status lrd_store_delete(lrd_store *store, lrd_key key)
{
	uint64_t hash = lrd_store_hash(store, key);
	lrd_shard *shard = lrd_store_shard(store, hash);
	lrd_status status = lrd_reader_enter(&store->reader);
	if (status == LRD_OK) {
		status = lrd_shard_lock(shard);
	}
	if (status != LRD_OK) {
		return status;
	}
	status = LRD_MISS;
	uint32_t index = lrd_table_find(&shard->table, hash, lrd_key_name(key), key.bytes);
	if (index != LRD_RECORD_NONE) {
		status = lrd_record_is_over(lrd_shard_record(shard, index)) ? LRD_MISS : LRD_OK;
		lrd_shard_remove_locked(shard, index);
	}
	lrd_lease_end_locked(shard, hash);
	lrd_shard_collect_locked(shard, false);
	lrd_shard_unlock(shard);
	return lrd_store_says(store, status);
}

lrd_status lrd_store_touch(lrd_store *store, lrd_key key, uint64_t expires_ms)
{
	uint64_t hash = lrd_store_hash(store, key);
	lrd_shard *shard = lrd_store_shard(store, hash);
	lrd_status status = lrd_shard_lock(shard);
	if (status != LRD_OK) {
		return status;
	}
	uint32_t index = lrd_store_fresh(shard, hash, key);
	if (index != LRD_RECORD_NONE) {
		lrd_record *record = lrd_shard_record(shard, index);
		lrd_shard_set_end_locked(shard, record, expires_ms);
		atomic_store_explicit(&record->visited, 1, memory_order_relaxed);
	}
	lrd_shard_unlock(shard);
	return lrd_store_says(store, index != LRD_RECORD_NONE ? LRD_OK : LRD_MISS);
}

/* One step through a shard's blocks. */
static void clear_some(lrd_shard *shard, lrd_slice name, uint32_t *at, uint64_t *removed)
{
	uint32_t steps = LRD_STEP_RECORDS;
	while (*at < lrd_alloc_end(shard->arena) && steps > 0) {
		uint32_t block = lrd_alloc_next(shard->arena, at, &steps);
		if (block == LRD_ALLOC_NONE) {
			continue;
		}
		uint32_t index = lrd_record_index(block);
		const lrd_record *record = lrd_shard_record(shard, index);
		shard->looked++;
		if (lrd_record_state(record) == LRD_LIVE && lrd_record_fits(shard, index)
			&& lrd_slice_equals(lrd_record_name(record), name)) {
			*removed += record->type != LRD_TYPE_LEASE;
			lrd_shard_remove_locked(shard, index);
		}
	}
}

static lrd_status clear_shard(lrd_shard *shard, lrd_slice name, uint64_t *removed)
{
	uint32_t at = 0;
	lrd_status status = lrd_shard_lock(shard);
	while (status == LRD_OK) {
		clear_some(shard, name, &at, removed);
		lrd_shard_collect_locked(shard, true);
		if (at >= lrd_alloc_end(shard->arena)) {
			lrd_shard_unlock(shard);
			break;
		}
		status = lrd_shard_relock(shard);
	}
	return status;
}

lrd_status lrd_store_clear(lrd_store *store, const lrd_space *space, uint64_t *removed)
{
	const lrd_slice name = lrd_key_name((lrd_key) {.space = space});
	*removed = 0;
	lrd_status first = lrd_reader_enter(&store->reader);
	for (uint32_t i = 0; first != LRD_NO_SLOT && i < store->layout.shards; i++) {
		lrd_status status = clear_shard(&store->shard[i], name, removed);
		first = first == LRD_OK ? status : first;
	}
	return lrd_store_says(store, first);
}

/* ---- leases ---- */

lrd_status lrd_store_lease(lrd_store *store, lrd_key key, unsigned ms, bool missing_only, uint64_t *token)
{
	uint64_t hash = lrd_store_hash(store, key);
	lrd_shard *shard = lrd_store_shard(store, hash);
	lrd_holder holder;
	lrd_status status = lrd_reader_holder(&store->reader, &holder);
	if (status == LRD_OK) {
		status = lrd_shard_lock(shard);
	}
	if (status != LRD_OK) {
		return status;
	}
	if (missing_only && lrd_store_fresh(shard, hash, key) != LRD_RECORD_NONE) {
		status = LRD_EXISTS;
	} else {
		status = lrd_lease_take_locked(shard, hash, lrd_key_name(key), ms, holder, token);
	}
	lrd_shard_unlock(shard);
	return lrd_store_says(store, status);
}

lrd_status lrd_store_release(lrd_store *store, lrd_key key, uint64_t token)
{
	uint64_t hash = lrd_store_hash(store, key);
	lrd_shard *shard = lrd_store_shard(store, hash);
	lrd_status status = lrd_shard_lock(shard);
	if (status != LRD_OK) {
		return status;
	}
	uint32_t index = lrd_lease_held_locked(shard, hash, token);
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

/* Heads, words and texts, which every reader and writer changes, go by a second mapping of the same memory. */
static void write_at(lrd_store *store, char *written)
{
	store->written = written;
	for (uint32_t i = 0; i < store->layout.shards; i++) {
		store->shard[i].table.records = written + (store->shard[i].table.values - store->values);
	}
}

void lrd_store_protect(lrd_store *store, bool on)
{
	if (on && store->written == store->values) {
		/* An old size of 0 leaves the first mapping where it is; only a shared one can be had twice. */
		void *second = mremap(store->values, 0, store->values_size, MREMAP_MAYMOVE);
		if (second == MAP_FAILED) {
			return;
		}
		if (store->segment.named && !lrd_guard_add(second, store->values_size, store->segment.header)) {
			munmap(second, store->values_size);
			return;
		}
		write_at(store, second);
	}
	store->protected = on;
	mprotect(store->values, store->values_size, on ? PROT_READ : PROT_READ | PROT_WRITE);
	if (!on && store->written != store->values) {
		char *second = store->written;
		write_at(store, store->values);
		lrd_guard_remove(second);
		munmap(second, store->values_size);
	}
}

void lrd_store_hide(lrd_store *store)
{
	/* Its slot's mutex stands in the thread's list of robust ones: out of it first. */
	lrd_reader_leave(&store->reader);
	mprotect(store->values, store->values_size, PROT_NONE);
}

#define _GNU_SOURCE
#include <sys/mman.h>

#include "../base/lrd_fault.h"
#include "lrd_count.h"
#include "lrd_lease.h"
#include "lrd_recover.h"
#include "lrd_room.h"

#define NEW_INTS 8              /* in a row that were not there, until the next one is not looked for any more */

/* Only in the guard mode: what is handed out is read-only but between a draft and its end. */
static void make_writable(const lrd_store *store, bool on)
{
	if (store->protected) {
		mprotect(store->values, store->values_size, on ? PROT_READ | PROT_WRITE : PROT_READ);
	}
}

static uint32_t find(const lrd_shard *shard, uint64_t hash, lrd_key key)
{
	return lrd_table_find(&shard->table, hash, lrd_key_name(key), key.bytes);
}

static uint32_t key_size(lrd_key key)
{
	return (uint32_t) (lrd_key_name(key).size + key.bytes.size);
}

/* ---- conditions ---- */

/* Only LRD_IF_LEASED needs the shard's lock. `there`: the record, if its time is not over. */
static lrd_status check(lrd_shard *shard, uint64_t hash, const lrd_record *there, const lrd_value *value)
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
			return lrd_lease_held_locked(shard, hash, value->token) != LRD_RECORD_NONE ? LRD_OK : LRD_LOST;
	}
	return LRD_LOST;
}

/* What there is under the key, and whether the condition is met. */
typedef struct place {
	uint64_t hash;
	lrd_shard *shard;
	uint32_t old;               /* the record to be replaced; LRD_RECORD_NONE */
	bool fresh;                 /* its time is not over */
	bool striped;               /* holds the stripe of an int too, so that its version stays until it is replaced */
} place;

static lrd_status find_place_locked(lrd_store *store, lrd_key key, const lrd_value *value, place *at)
{
	/* A new key is mostly told by its bucket alone. */
	at->old = lrd_table_may_have(&at->shard->table, at->hash) ? find(at->shard, at->hash, key) : LRD_RECORD_NONE;
	const lrd_record *record = at->old != LRD_RECORD_NONE ? lrd_shard_record(at->shard, at->old) : NULL;
	at->fresh = record != NULL && !lrd_record_is_over(record);
	at->striped = false;
	if (at->fresh && value->condition == LRD_IF_VERSION && record->type == LRD_TYPE_INT) {
		lrd_status status = lrd_count_lock(store, at->hash);
		if (status != LRD_OK) {
			return status;
		}
		at->striped = true;
	}
	return check(at->shard, at->hash, at->fresh ? record : NULL, value);
}

static void leave_place(lrd_store *store, place *at)
{
	if (at->striped) {
		lrd_count_unlock(store, at->hash);
		at->striped = false;
	}
}

lrd_status lrd_store_would(lrd_store *store, lrd_key key, lrd_condition condition, uint64_t token)
{
	uint64_t hash = lrd_store_hash(store, key);
	lrd_shard *shard = lrd_store_shard(store, hash);
	if (condition == LRD_IF_LEASED) {
		uint32_t index = lrd_table_find_lease(&shard->table, hash);
		const lrd_record *lease = index != LRD_RECORD_NONE ? lrd_shard_record(shard, index) : NULL;
		bool held = lease != NULL && atomic_load_explicit(&lease->version, memory_order_relaxed) == token
			&& !lrd_lease_is_over(lease);
		return held ? LRD_OK : LRD_LOST;
	}
	uint32_t index = lrd_store_fresh(shard, hash, key);
	const lrd_record *there = index != LRD_RECORD_NONE ? lrd_shard_record(shard, index) : NULL;
	return check(shard, hash, there, &(lrd_value) {.condition = condition, .token = token});
}

/* ---- what is small, in one step ---- */

/* Without a call where it is short: the second word may overlap the first. */
static inline void copy_key(char *to, lrd_slice key)
{
	if (key.size >= 8 && key.size <= 16) {
		memcpy(to, key.bytes, 8);
		memcpy(to + key.size - 8, key.bytes + key.size - 8, 8);
	} else {
		memcpy(to, key.bytes, key.size);
	}
}

static void write_head(lrd_record *record, uint64_t hash, lrd_key key, uint32_t type, size_t size)
{
	const lrd_slice name = lrd_key_name(key);
	record->hash = (uint32_t) hash;
	record->type = (uint8_t) type;
	record->name_size = (uint8_t) name.size;
	record->key_size = (uint16_t) (name.size + key.bytes.size);
	atomic_store_explicit(&record->value_size, (uint32_t) size, memory_order_relaxed);
	if (name.size > 0) {
		memcpy(record->bytes, name.bytes, name.size);
	}
	copy_key(record->bytes + name.size, key.bytes);
}

static char *text_of(lrd_record *record)
{
	return record->bytes + record->key_size;
}

static void write_over_text(
	lrd_shard *shard, lrd_record *record, const char *bytes, size_t size, const lrd_value *value)
{
	uint64_t version = atomic_load_explicit(&record->version, memory_order_relaxed);
	atomic_store_explicit(&record->version, version | LRD_VERSION_BUSY, memory_order_relaxed);
	/* Whoever sees any of what follows sees that it is busy. */
	atomic_thread_fence(memory_order_release);
	LRD_FAULT("overwriting");
	memcpy(text_of(record), bytes, size);
	atomic_store_explicit(&record->value_size, (uint32_t) size, memory_order_relaxed);
	lrd_shard_set_end_locked(shard, record, value->expires_ms);
	LRD_FAULT("overwritten");
	atomic_store_explicit(
		&record->version, lrd_shard_version_locked(shard, LRD_TYPE_TEXT), memory_order_release);
}

/*
 * Whether the value could be written over the old one, where it lies. An int's version needs its stripe, and one whose
 * time is over must not be seen alive with the new end: those are replaced, and so is what would leave much room
 * unused.
 */
static bool write_over_locked(const place *at, const char *bytes, size_t size, uint64_t needed, const lrd_value *value)
{
	lrd_shard *shard = at->shard;
	bool is_over = value->expires_ms != 0 && value->expires_ms <= lrd_clock_real_ms();
	if (!at->fresh || is_over || value->type == LRD_TYPE_INT) {
		return false;
	}
	lrd_record *record = lrd_shard_record(shard, at->old);
	if (record->type != value->type) {
		return false;
	}
	if (value->type == LRD_TYPE_TEXT) {
		const uint64_t room = lrd_shard_bytes(shard, at->old);
		if (needed > room || lrd_alloc_rounded(needed) < room - room / 4) {
			return false;
		}
		write_over_text(shard, record, bytes, size, value);
	} else if (atomic_load_explicit(&record->value_size, memory_order_relaxed) == 0
		&& lrd_record_has_word(&shard->table, at->old)) {
		atomic_store_explicit(lrd_record_word(record), value->word, memory_order_release);
		lrd_shard_set_end_locked(shard, record, value->expires_ms);
		atomic_store_explicit(
			&record->version, lrd_shard_version_locked(shard, value->type), memory_order_release);
	} else {
		return false;
	}
	atomic_store_explicit(&record->visited, 1, memory_order_relaxed);
	lrd_shard_count_locked(&shard->state->counts.stores);
	return true;
}

/* What was put there only to take another's place goes at once. */
static void publish_locked(lrd_shard *shard, uint64_t hash, uint32_t index, uint32_t old, uint64_t *version)
{
	const lrd_record *record = lrd_shard_record(shard, index);
	lrd_shard_publish_locked(shard, index, old);
	lrd_lease_end_locked(shard, hash);
	if (version != NULL) {
		*version = atomic_load_explicit(&record->version, memory_order_relaxed);
	}
	if (lrd_record_is_over(record)) {
		lrd_shard_remove_locked(shard, index);
	}
}

static void put_new_locked(const place *at, uint32_t index, lrd_key key, const char *bytes, size_t size,
	const lrd_value *value, uint64_t *version)
{
	lrd_record *record = lrd_shard_record(at->shard, index);
	write_head(record, at->hash, key, value->type, size);
	atomic_store_explicit(&record->expires, value->expires_ms, memory_order_relaxed);
	if (value->type == LRD_TYPE_TEXT) {
		memcpy(text_of(record), bytes, size);
	} else {
		atomic_store_explicit(lrd_record_word(record), value->word, memory_order_relaxed);
	}
	/* To make room, the old one may have been evicted. */
	uint32_t old = at->old != LRD_RECORD_NONE ? find(at->shard, at->hash, key) : LRD_RECORD_NONE;
	publish_locked(at->shard, at->hash, index, old, version);
}

static lrd_status put_locked(lrd_store *store, place *at, lrd_key key, const char *bytes, size_t size,
	const lrd_value *value, lrd_effort *effort, uint64_t *version)
{
	lrd_shard *shard = at->shard;
	uint64_t needed = lrd_record_needs(value->type, key_size(key), (uint32_t) size);
	lrd_status status = find_place_locked(store, key, value, at);
	if (status != LRD_OK) {
		return status;
	}
	if (at->old != LRD_RECORD_NONE) {
		store->new_ints = 0;
	}
	if (write_over_locked(at, bytes, size, needed, value)) {
		lrd_lease_end_locked(shard, at->hash);
		if (version != NULL) {
			*version = atomic_load_explicit(&lrd_shard_record(shard, at->old)->version, memory_order_relaxed);
		}
		return LRD_OK;
	}
	uint32_t index;
	status = lrd_room_take_locked(shard, needed, effort, &index);
	if (status == LRD_OK) {
		put_new_locked(at, index, key, bytes, size, value, version);
	}
	return status;
}

static lrd_status refuse_large(lrd_shard *shard)
{
	atomic_fetch_add_explicit(&shard->state->counts.refused_large, 1, memory_order_relaxed);
	return LRD_TOO_LARGE;
}

lrd_status lrd_store_put(
	lrd_store *store, lrd_key key, const char *bytes, size_t size, const lrd_value *value, uint64_t *version)
{
	place at = {.hash = lrd_store_hash(store, key)};
	at.shard = lrd_store_shard(store, at.hash);
	lrd_status status;
	__builtin_prefetch(lrd_table_bucket(&at.shard->table, (uint32_t) at.hash), 1);
	/* Where new ones come in a row, the bucket is better fetched while the lock is taken. */
	if (value->type == LRD_TYPE_INT && value->condition == LRD_ALWAYS && store->new_ints < NEW_INTS) {
		status = lrd_count_put(store, key, at.hash, value, version);
		if (status != LRD_MISS) {
			store->new_ints = 0;
			return status;
		}
		store->new_ints++;
	}
	if (size > lrd_store_largest(at.shard)) {
		return refuse_large(at.shard);
	}
	status = lrd_reader_enter(&store->reader);
	if (status == LRD_OK) {
		status = lrd_shard_lock(at.shard);
	}
	lrd_effort effort = {0};
	while (status == LRD_OK) {
		status = put_locked(store, &at, key, bytes, size, value, &effort, version);
		leave_place(store, &at);
		if (status != LRD_BUSY) {
			lrd_shard_unlock(at.shard);
			return lrd_store_says(store, status);
		}
		status = lrd_shard_relock(at.shard);
	}
	return status;
}

/* ---- what is handed out by pointer, in two ---- */

static lrd_status take_draft(lrd_shard *shard, uint64_t needed, lrd_holder holder, uint32_t *index)
{
	lrd_effort effort = {0};
	lrd_status status = lrd_shard_lock(shard);
	while (status == LRD_OK) {
		status = lrd_room_take_locked(shard, needed, &effort, index);
		if (status == LRD_OK) {
			atomic_store_explicit(
				&lrd_shard_record(shard, *index)->version, lrd_word_of(holder), memory_order_relaxed);
		}
		if (status != LRD_BUSY) {
			lrd_shard_unlock(shard);
			return status;
		}
		status = lrd_shard_relock(shard);
	}
	return status;
}

lrd_status lrd_store_draft(lrd_store *store, lrd_key key, size_t size, lrd_draft *draft)
{
	uint64_t hash = lrd_store_hash(store, key);
	lrd_shard *shard = lrd_store_shard(store, hash);
	uint32_t index;
	lrd_holder holder;
	if (size > lrd_store_largest(shard)) {
		return refuse_large(shard);
	}
	lrd_status status = lrd_reader_holder(&store->reader, &holder);
	if (status == LRD_OK) {
		status = take_draft(shard, lrd_record_needs(0, key_size(key), (uint32_t) size), holder, &index);
	}
	if (status != LRD_OK) {
		return status;
	}
	/* The draft is this process's alone: its value is written without the lock, which is taken again to publish it. */
	make_writable(store, true);
	write_head(lrd_shard_record(shard, index), hash, key, 0, size);
	*draft = (lrd_draft) {
		.bytes = size > 0 ? (char *) shard->table.values + (uint64_t) lrd_record_block(index) * LRD_RECORD_GRANULE
				+ lrd_value_at(0, key_size(key), (uint32_t) size)
						  : NULL,
		.record = index,
		.shard = (uint32_t) (shard - store->shard),
		.size = (uint32_t) size,
	};
	LRD_FAULT("writing");
	return LRD_OK;
}

/* Whether what was reserved still is: a repair after damage from outside may have taken it for lost. */
static bool is_own_draft_locked(lrd_store *store, const lrd_shard *shard, const lrd_draft *draft)
{
	lrd_holder holder;
	const lrd_record *record = lrd_shard_record(shard, draft->record);
	return lrd_reader_holder(&store->reader, &holder) == LRD_OK && lrd_record_state(record) == LRD_DRAFT
		&& atomic_load_explicit(&record->version, memory_order_relaxed) == lrd_word_of(holder)
		&& lrd_record_needs(0, record->key_size, draft->size) <= lrd_shard_bytes(shard, draft->record);
}

void lrd_store_abandon(lrd_store *store, lrd_draft *draft)
{
	lrd_shard *shard = &store->shard[draft->shard];
	make_writable(store, false);
	if (lrd_shard_lock(shard) == LRD_OK) {
		if (is_own_draft_locked(store, shard, draft)) {
			lrd_shard_drop_locked(shard, draft->record);
		}
		lrd_shard_unlock(shard);
	} else {
		/* The lock cannot be had. A lap that looks for drafts of the dead will find it. */
		atomic_store(&lrd_shard_record(shard, draft->record)->version, lrd_word_of(lrd_holder_nobody()));
		atomic_store(&shard->state->orphans, 1);
	}
}

lrd_status lrd_store_publish(lrd_store *store, lrd_key key, lrd_draft *draft, const lrd_value *value, uint64_t *version)
{
	place at = {.hash = lrd_store_hash(store, key), .shard = &store->shard[draft->shard]};
	LRD_FAULT("written");
	lrd_status status = value->type != LRD_TYPE_TEXT ? lrd_shard_lock(at.shard) : LRD_BAD_OPTION;
	if (status != LRD_OK) {
		lrd_store_abandon(store, draft);
		return status;
	}
	lrd_record *record = lrd_shard_record(at.shard, draft->record);
	if (!is_own_draft_locked(store, at.shard, draft)) {
		lrd_shard_unlock(at.shard);
		make_writable(store, false);
		return lrd_store_says(store, LRD_FULL);
	}
	status = find_place_locked(store, key, value, &at);
	if (status == LRD_OK) {
		record->type = (uint8_t) value->type;
		atomic_store_explicit(&record->expires, value->expires_ms, memory_order_relaxed);
		if (draft->size == 0) {
			atomic_store_explicit(lrd_record_word(record), value->word, memory_order_relaxed);
		}
		publish_locked(at.shard, at.hash, draft->record, at.old, version);
	} else {
		lrd_shard_drop_locked(at.shard, draft->record);
	}
	leave_place(store, &at);
	lrd_shard_unlock(at.shard);
	make_writable(store, false);
	return lrd_store_says(store, status);
}

#include "lrd_shard.h"

#include "../base/lrd_fault.h"

/* Removed but perhaps still read: beyond this part of the arena, nothing more is evicted, and stores fail. */
#define LIMBO_PART 4
/* Kept free or in limbo ahead of need, so that a store seldom waits for readers. */
#define AHEAD_PART 25
#define AHEAD_STEPS 4
#define LOOK_EVERY 16
#define SWEEP_STEP 2
#define SWEEP_STEP_FULL 256
#define WINDOWS 4

static inline lrd_state state_of(const lrd_record *record)
{
	return (lrd_state) atomic_load_explicit(&record->state, memory_order_relaxed);
}

static inline void set_state(lrd_record *record, lrd_state state)
{
	atomic_store_explicit(&record->state, (uint8_t) state, memory_order_release);
}

/* The state goes first: from then on a recovery counts block and record as free. */
static void free_record(lrd_shard *shard, uint32_t index)
{
	lrd_shard_state *state = shard->state;
	lrd_record *record = lrd_shard_record(shard, index);
	set_state(record, LRD_FREE);
	LRD_FAULT("freed");
	if (record->size > 0) {
		lrd_alloc_give(shard->arena, record->block, record->size);
	}
	record->newer = state->free_record;
	state->free_record = index;
}

void lrd_shard_drop_locked(lrd_shard *shard, uint32_t index)
{
	free_record(shard, index);
}

void lrd_shard_collect_locked(lrd_shard *shard, bool look)
{
	lrd_shard_state *state = shard->state;
	uint64_t oldest = look && state->limbo.count > 0 ? lrd_epoch_oldest(shard->reader) : shard->reader->oldest;
	while (state->limbo.oldest != LRD_RECORD_NONE) {
		uint32_t index = state->limbo.oldest;
		lrd_record *record = lrd_shard_record(shard, index);
		if (atomic_load_explicit(&record->version, memory_order_relaxed) >= oldest) {
			break;
		}
		lrd_queue_remove_locked(&state->limbo, shard->table.records, index);
		state->limbo_bytes -= lrd_record_bytes(record);
		LRD_FAULT("collecting");
		free_record(shard, index);
	}
}

static void to_limbo(lrd_shard *shard, uint32_t index)
{
	lrd_record *record = lrd_shard_record(shard, index);
	LRD_FAULT("unlinked");
	/*
	 * The epoch is taken after the unlink: a reader that pins later cannot find the record any more, and one that
	 * pinned before holds back its reuse.
	 */
	atomic_store_explicit(&record->version, lrd_epoch_retire(shard->reader->epochs), memory_order_release);
	set_state(record, LRD_LIMBO);
	LRD_FAULT("retired");
	lrd_queue_append_locked(&shard->state->limbo, shard->table.records, index);
	shard->state->limbo_bytes += lrd_record_bytes(record);
}

void lrd_shard_remove_locked(lrd_shard *shard, uint32_t index)
{
	lrd_table_unlink_locked(&shard->table, index);
	if (lrd_shard_record(shard, index)->type == LRD_TYPE_LEASE) {
		atomic_fetch_sub_explicit(&shard->state->leases, 1, memory_order_relaxed);
	} else {
		lrd_sieve_remove_locked(&shard->state->live, shard->table.records, index);
	}
	to_limbo(shard, index);
}

void lrd_shard_publish_locked(lrd_shard *shard, uint32_t index, uint32_t old)
{
	lrd_shard_state *state = shard->state;
	lrd_record *record = lrd_shard_record(shard, index);
	atomic_store_explicit(&record->version, ++state->last_version, memory_order_relaxed);
	atomic_store_explicit(&record->visited, old != LRD_RECORD_NONE, memory_order_relaxed);
	/* Live before linked: recovery drops from a chain what is not live, and a reader finds only what is linked. */
	set_state(record, LRD_LIVE);
	LRD_FAULT("alive");
	lrd_table_link_locked(&shard->table, index);
	LRD_FAULT("linked");
	lrd_queue_append_locked(&state->live.queue, shard->table.records, index);
	/*
	 * The old record goes last. In between a reader finds the new one, which stands before it: never neither of them.
	 */
	if (old != LRD_RECORD_NONE) {
		lrd_shard_remove_locked(shard, old);
	}
	atomic_fetch_add_explicit(&state->counts.stores, 1, memory_order_relaxed);
}

/* ---- room ---- */

static uint32_t take_record(lrd_shard *shard)
{
	lrd_shard_state *state = shard->state;
	uint32_t index = state->free_record;
	if (index != LRD_RECORD_NONE) {
		state->free_record = lrd_shard_record(shard, index)->newer;
	} else if (state->top < shard->table.count) {
		index = state->top++;
	}
	return index;
}

static bool try_take(lrd_shard *shard, size_t size, lrd_holder holder, uint32_t *index)
{
	uint32_t block = 0;
	if (size > 0) {
		block = lrd_alloc_take(shard->arena, size);
		if (block == LRD_ALLOC_NONE) {
			return false;
		}
	}
	LRD_FAULT("allocated");
	/*
	 * The block comes first: without one nothing has to be undone. A death in here leaks neither, recovery finds both.
	 */
	*index = take_record(shard);
	if (*index == LRD_RECORD_NONE) {
		if (size > 0) {
			lrd_alloc_give(shard->arena, block, size);
		}
		return false;
	}
	lrd_record *record = lrd_shard_record(shard, *index);
	record->block = block;
	record->size = (uint32_t) size;
	atomic_store_explicit(&record->word, lrd_word_of(holder), memory_order_relaxed);
	set_state(record, LRD_DRAFT);
	LRD_FAULT("drafted");
	return true;
}

/* Looks at some records: expired ones go to limbo, drafts of the dead are freed. */
static void sweep(lrd_shard *shard, uint32_t steps)
{
	lrd_shard_state *state = shard->state;
	for (; steps > 0 && state->top > 1; steps--) {
		if (state->sweep >= state->top) {
			state->sweep = 1;
		}
		uint32_t index = state->sweep++;
		lrd_record *record = lrd_shard_record(shard, index);
		if (state_of(record) == LRD_LIVE && record->type != LRD_TYPE_LEASE) {
			if (lrd_record_is_over(record)) {
				lrd_shard_remove_locked(shard, index);
				atomic_fetch_add_explicit(&state->counts.expirations, 1, memory_order_relaxed);
			}
		} else if (state_of(record) == LRD_LIVE && lrd_lease_is_over(record)) {
			lrd_shard_remove_locked(shard, index);
		} else if (state_of(record) == LRD_DRAFT && steps > SWEEP_STEP) {
			if (!lrd_epoch_holds(
					shard->reader->epochs, lrd_holder_of(atomic_load_explicit(&record->word, memory_order_relaxed)))) {
				lrd_shard_drop_locked(shard, index);
			}
		}
	}
}

/* Processes have died since the last time: their drafts are lost room. */
static void sweep_drafts(lrd_shard *shard)
{
	uint64_t reaped = atomic_load(&shard->reader->epochs->reaped);
	if (reaped != shard->state->swept_reaped) {
		shard->state->swept_reaped = reaped;
		sweep(shard, shard->state->top + SWEEP_STEP);
	}
}

static bool evict_one(lrd_shard *shard)
{
	uint32_t index = lrd_sieve_victim_locked(&shard->state->live, shard->table.records);
	if (index == LRD_RECORD_NONE) {
		return false;
	}
	lrd_shard_remove_locked(shard, index);
	atomic_fetch_add_explicit(&shard->state->counts.evictions, 1, memory_order_relaxed);
	return true;
}

/* Enough bytes are free, but not side by side: clears a stretch of the arena, where that costs least. */
static bool clear_window(lrd_shard *shard, size_t size)
{
	lrd_shard_state *state = shard->state;
	uint32_t first, count;
	if (!lrd_alloc_window(shard->arena, size, state->window, &first, &count)) {
		return false;
	}
	state->window = first + count;
	uint32_t from = first * (LRD_ALLOC_PAGE / LRD_ALLOC_GRANULE),
			 to = (first + count) * (LRD_ALLOC_PAGE / LRD_ALLOC_GRANULE);
	for (uint32_t index = 1; index < state->top; index++) {
		lrd_record *record = lrd_shard_record(shard, index);
		if (state_of(record) == LRD_LIVE && record->size > 0 && record->block < to
			&& record->block + (lrd_record_bytes(record) + LRD_ALLOC_GRANULE - 1) / LRD_ALLOC_GRANULE > from) {
			lrd_shard_remove_locked(shard, index);
			atomic_fetch_add_explicit(&state->counts.evictions, 1, memory_order_relaxed);
		}
	}
	return true;
}

/* How much may lie in limbo before a store that finds no room stops evicting: what it needs is on its way then. */
static uint64_t limbo_limit(const lrd_shard *shard, uint64_t wanted)
{
	const uint64_t total = (uint64_t) shard->arena->pages * LRD_ALLOC_PAGE;
	uint64_t limit = total / AHEAD_PART;
	if (limit < 2 * wanted) {
		limit = 2 * wanted;
	}
	return limit < total / LIMBO_PART ? limit : total / LIMBO_PART;
}

/* Evicts until the block fits. What is evicted can be used at once if nobody is pinned, else only by a later store. */
static bool take_by_evicting(lrd_shard *shard, size_t size, lrd_holder holder, uint32_t *index)
{
	sweep_drafts(shard);
	sweep(shard, SWEEP_STEP_FULL);
	lrd_shard_collect_locked(shard, true);
	if (try_take(shard, size, holder, index)) {
		return true;
	}
	/* As many bytes as are wanted, and then as many again: by then room in one piece is better made on purpose. */
	uint64_t wanted = size > 0 ? 2 * lrd_alloc_rounded(size) : 1;
	const uint64_t limit = limbo_limit(shard, wanted);
	for (uint64_t gone = 0; gone < wanted && shard->state->limbo_bytes < limit && evict_one(shard);) {
		gone += lrd_record_bytes(lrd_shard_record(shard, shard->state->limbo.newest)) + 1;
		lrd_shard_collect_locked(shard, true);
		if (try_take(shard, size, holder, index)) {
			return true;
		}
	}
	for (int round = 0; size > 0 && round < WINDOWS && shard->state->limbo_bytes < limit && clear_window(shard, size);
		round++) {
		lrd_shard_collect_locked(shard, true);
		if (try_take(shard, size, holder, index)) {
			return true;
		}
	}
	return false;
}

/*
 * Keeps a little free, so that the next store finds memory that nobody reads any more. What readers hold back does not
 * count as free, so that a slow one makes the cache smaller before it makes stores fail, down to the budget for limbo.
 */
static void evict_ahead(lrd_shard *shard)
{
	const uint64_t total = (uint64_t) shard->arena->pages * LRD_ALLOC_PAGE, most = total - total / AHEAD_PART;
	if (shard->arena->used_bytes <= most) {
		return;
	}
	lrd_shard_collect_locked(shard, true);
	uint64_t held = shard->state->limbo_bytes;
	for (int step = 0; step < AHEAD_STEPS && shard->arena->used_bytes + held > most + shard->state->limbo_bytes;
		step++) {
		if (shard->state->limbo_bytes > total / LIMBO_PART || !evict_one(shard)) {
			return;
		}
	}
}

lrd_status lrd_shard_take_locked(lrd_shard *shard, size_t size, lrd_holder holder, uint32_t *index)
{
	if (size > lrd_alloc_largest(shard->arena)) {
		atomic_fetch_add_explicit(&shard->state->counts.refused_large, 1, memory_order_relaxed);
		return LRD_TOO_LARGE;
	}
	sweep(shard, SWEEP_STEP);
	/* Now and then, so that memory is used again while it is still in the processor's cache. */
	lrd_shard_collect_locked(shard, ++shard->takes % LOOK_EVERY == 0);
	if (!try_take(shard, size, holder, index) && !take_by_evicting(shard, size, holder, index)) {
		atomic_fetch_add_explicit(&shard->state->counts.refused_full, 1, memory_order_relaxed);
		return LRD_FULL;
	}
	evict_ahead(shard);
	return LRD_OK;
}

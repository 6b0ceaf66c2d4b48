#include "lrd_room.h"

#include "../base/lrd_fault.h"

/* Removed but perhaps still read: beyond this part of the arena, nothing more is evicted, and stores fail. */
#define LIMBO_PART 4
/* Kept free or in limbo ahead of need, so that a store seldom waits for readers. */
#define AHEAD_PART 50
#define AHEAD_STEPS 4
#define LOOK_EVERY 16
#define SWEEP_STEP 2
#define LAP_STEP 16
#define WINDOWS 4
#define REPAIRS 2

static uint64_t total_of(const lrd_shard *shard)
{
	return shard->table.values_size;
}

/* What no order of writes and deaths can have left. */
static bool has_impossible_counts(const lrd_shard *shard)
{
	const lrd_shard_state *state = shard->state;
	return shard->arena->used_bytes > total_of(shard) || state->limbo_bytes > shard->arena->used_bytes
		|| (state->limbo.oldest == LRD_RECORD_NONE) != (state->limbo_bytes == 0);
}

static bool try_take(lrd_shard *shard, uint64_t needed, uint32_t *index)
{
	uint32_t block = lrd_alloc_take(shard->arena, needed);
	if (block == LRD_ALLOC_NONE) {
		return false;
	}
	LRD_FAULT("allocated");
	*index = lrd_record_index(block);
	lrd_record *record = lrd_shard_record(shard, *index);
	/* The next one of this size comes from behind it. */
	const char *behind = (const char *) record + lrd_alloc_rounded(needed);
	__builtin_prefetch(behind, 1);
	__builtin_prefetch(behind + 64, 1);
	atomic_store_explicit(&record->version, lrd_word_of(lrd_holder_nobody()), memory_order_relaxed);
	lrd_record_set_state(record, LRD_DRAFT);
	LRD_FAULT("drafted");
	return true;
}

/* ---- what nobody needs ---- */

static void look_at(lrd_shard *shard, uint32_t index)
{
	lrd_shard_state *state = shard->state;
	lrd_record *record = lrd_shard_record(shard, index);
	if (lrd_record_state(record) == LRD_LIVE) {
		bool is_lease = record->type == LRD_TYPE_LEASE;
		if (is_lease ? lrd_lease_is_over(record) : lrd_record_is_over(record)) {
			lrd_shard_remove_locked(shard, index);
			if (!is_lease) {
				lrd_shard_count_locked(&state->counts.expirations);
			}
		}
	} else if (lrd_record_state(record) == LRD_DRAFT && state->lap > 0) {
		uint64_t holder = atomic_load_explicit(&record->version, memory_order_relaxed);
		if (!lrd_epoch_holds(shard->reader, lrd_holder_of(holder))) {
			lrd_shard_drop_locked(shard, index);
		}
	}
}

/* Whether any record may have an end or be a draft of the dead. Mostly none. */
static inline bool needs_sweep(const lrd_shard *shard, uint64_t reaped)
{
	const lrd_shard_state *state = shard->state;
	return (state->mortal | state->lap) != 0 || reaped != state->swept_reaped
		|| atomic_load_explicit(&state->orphans, memory_order_relaxed) != 0;
}

/* Looks at some records. */
static __attribute__((noinline)) void sweep(lrd_shard *shard, uint64_t reaped, uint32_t steps)
{
	lrd_shard_state *state = shard->state;
	if (reaped != state->swept_reaped || atomic_load_explicit(&state->orphans, memory_order_relaxed) != 0) {
		atomic_store_explicit(&state->orphans, 0, memory_order_relaxed);
		state->swept_reaped = reaped;
		state->lap = lrd_alloc_end(shard->arena);
	}
	if (state->lap > 0 && steps < LAP_STEP) {
		steps = LAP_STEP;
	}
	if (state->lap > lrd_alloc_end(shard->arena)) {
		state->lap = lrd_alloc_end(shard->arena);
	}
	while (steps > 0 && (state->mortal > 0 || state->lap > 0)) {
		if (state->sweep >= lrd_alloc_end(shard->arena)) {
			state->sweep = 0;
		}
		uint32_t from = state->sweep;
		uint32_t block = lrd_alloc_next(shard->arena, &state->sweep, &steps);
		shard->looked++;
		if (block != LRD_ALLOC_NONE) {
			look_at(shard, lrd_record_index(block));
		}
		uint32_t passed = state->sweep - from;
		state->lap -= passed < state->lap ? passed : state->lap;
	}
}

static inline void sweep_some(lrd_shard *shard, uint32_t steps)
{
	const uint64_t reaped = atomic_load_explicit(&shard->reader->epochs->reaped, memory_order_relaxed);
	if (needs_sweep(shard, reaped)) {
		sweep(shard, reaped, steps);
	}
}

/* ---- what is needed least ---- */

/*
 * What the next evictions will touch lies far away in memory: it is asked for now, and here by then. The next victim's
 * head has come with the one before: its neighbour was just written.
 */
static void ask_ahead(const lrd_shard *shard)
{
	const uint32_t next = shard->state->live.hand;
	if (!lrd_table_has(&shard->table, next)) {
		return;
	}
	const lrd_record *victim = lrd_shard_record(shard, next);
	__builtin_prefetch(lrd_table_bucket(&shard->table, victim->hash), 1);
	if (lrd_table_has(&shard->table, victim->newer)) {
		/* Its head may lie across two lines. */
		const lrd_record *behind = lrd_shard_record(shard, victim->newer);
		__builtin_prefetch(behind, 1);
		__builtin_prefetch(&behind->visited, 1);
	}
}

static bool evict_one(lrd_shard *shard, uint64_t *gone)
{
	uint32_t index;
	bool sound = lrd_sieve_victim_locked(&shard->state->live, &shard->table, &shard->looked, &index);
	if (index == LRD_RECORD_NONE) {
		shard->arena->broken |= !sound;
		return false;
	}
	if (lrd_shard_record(shard, index)->type == LRD_TYPE_LEASE) {
		lrd_shard_is_broken_locked(shard);
		return false;
	}
	const uint64_t bytes = lrd_shard_remove_locked(shard, index);
	if (bytes == 0) {
		return false;
	}
	*gone += bytes;
	lrd_shard_count_locked(&shard->state->counts.evictions);
	ask_ahead(shard);
	return true;
}

/* How much may lie in limbo before a store that finds no room stops evicting: what it needs is on its way then. */
static uint64_t limbo_limit(const lrd_shard *shard, uint64_t wanted)
{
	const uint64_t total = total_of(shard);
	uint64_t limit = total / AHEAD_PART;
	if (limit < 2 * wanted) {
		limit = 2 * wanted;
	}
	return limit < total / LIMBO_PART ? limit : total / LIMBO_PART;
}

/* Evicts in turn, until the block fits or twice its bytes are gone: by then room in one piece is better made. */
static bool take_by_evicting(lrd_shard *shard, uint64_t needed, uint64_t limit, lrd_effort *effort, uint32_t *index)
{
	const uint64_t wanted = 2 * lrd_alloc_rounded(needed);
	const uint32_t from = shard->looked;
	while (effort->gone < wanted && shard->state->limbo_bytes < limit) {
		if (shard->looked - from >= LRD_STEP_RECORDS) {
			return false;
		}
		if (!evict_one(shard, &effort->gone)) {
			break;
		}
		lrd_shard_collect_locked(shard, true);
		if (try_take(shard, needed, index)) {
			return true;
		}
	}
	effort->emptied = true;
	return false;
}

/* Enough bytes are free, but not side by side: clears a stretch of the arena. False: there is none. */
static bool open_window(lrd_shard *shard, uint64_t needed, lrd_effort *effort)
{
	lrd_shard_state *state = shard->state;
	uint32_t first, count;
	if (!lrd_alloc_window(shard->arena, needed, state->window, &first, &count)) {
		return false;
	}
	state->window = first + count;
	effort->at = first * (LRD_ALLOC_PAGE / LRD_ALLOC_GRANULE);
	effort->to = (first + count) * (LRD_ALLOC_PAGE / LRD_ALLOC_GRANULE);
	effort->clearing = true;
	effort->windows++;
	return true;
}

static void clear_some(lrd_shard *shard, lrd_effort *effort)
{
	uint32_t steps = LRD_STEP_RECORDS;
	while (effort->at < effort->to && steps > 0) {
		uint32_t block = lrd_alloc_next(shard->arena, &effort->at, &steps);
		shard->looked++;
		if (block == LRD_ALLOC_NONE || block >= effort->to) {
			continue;
		}
		uint32_t index = lrd_record_index(block);
		const lrd_record *record = lrd_shard_record(shard, index);
		if (lrd_record_state(record) == LRD_LIVE && record->type != LRD_TYPE_LEASE) {
			lrd_shard_remove_locked(shard, index);
			lrd_shard_count_locked(&shard->state->counts.evictions);
		}
	}
	effort->clearing = effort->at < effort->to;
}

static lrd_status take_under_pressure(lrd_shard *shard, uint64_t needed, lrd_effort *effort, uint32_t *index)
{
	if (!effort->swept) {
		effort->swept = true;
		sweep_some(shard, LRD_STEP_RECORDS);
		lrd_shard_collect_locked(shard, true);
		if (try_take(shard, needed, index)) {
			return LRD_OK;
		}
	}
	const uint64_t limit = limbo_limit(shard, 2 * lrd_alloc_rounded(needed));
	if (!effort->emptied && take_by_evicting(shard, needed, limit, effort, index)) {
		return LRD_OK;
	}
	if (!effort->emptied) {
		return LRD_BUSY;
	}
	if (shard->state->limbo_bytes >= limit
		|| (!effort->clearing && (effort->windows == WINDOWS || !open_window(shard, needed, effort)))) {
		return LRD_FULL;
	}
	clear_some(shard, effort);
	lrd_shard_collect_locked(shard, true);
	return try_take(shard, needed, index) ? LRD_OK : LRD_BUSY;
}

/*
 * Keeps a little free, so that the next store finds memory that nobody reads any more. What readers hold back does not
 * count as free, so that a slow one makes the cache smaller before it makes stores fail, down to the budget for limbo.
 */
static void evict_ahead(lrd_shard *shard)
{
	const uint64_t total = total_of(shard), most = total - total / AHEAD_PART;
	if (shard->arena->used_bytes <= most) {
		return;
	}
	if (has_impossible_counts(shard)) {
		lrd_shard_is_broken_locked(shard);
		return;
	}
	/* Some at a time: asking all slots costs more than one eviction. */
	if (shard->state->limbo.count >= LOOK_EVERY) {
		lrd_shard_collect_locked(shard, true);
	}
	uint64_t gone = 0, held = shard->state->limbo_bytes;
	for (int step = 0; step < AHEAD_STEPS && shard->arena->used_bytes + held > most + shard->state->limbo_bytes;
		step++) {
		if (shard->state->limbo_bytes > total / LIMBO_PART || !evict_one(shard, &gone)) {
			return;
		}
	}
}

/* What is broken is repaired by the next hold of the lock, which starts the search anew. */
static lrd_status take_or_repair(lrd_shard *shard, uint64_t needed, lrd_effort *effort, uint32_t *index)
{
	lrd_status status = LRD_BUSY;
	if (has_impossible_counts(shard)) {
		lrd_shard_is_broken_locked(shard);
	}
	if (shard->arena->broken == 0) {
		status = take_under_pressure(shard, needed, effort, index);
	}
	if (shard->arena->broken == 0 || status == LRD_OK) {
		return status;
	}
	*effort = (lrd_effort) {.repairs = effort->repairs + 1};
	return effort->repairs <= REPAIRS ? LRD_BUSY : LRD_FULL;
}

lrd_status lrd_room_take_locked(lrd_shard *shard, uint64_t needed, lrd_effort *effort, uint32_t *index)
{
	lrd_shard_state *state = shard->state;
	if (needed > lrd_room_largest(shard)) {
		atomic_fetch_add_explicit(&state->counts.refused_large, 1, memory_order_relaxed);
		return LRD_TOO_LARGE;
	}
	if (!effort->begun) {
		effort->begun = true;
		sweep_some(shard, SWEEP_STEP);
		/* Now and then, so that memory is used again while it is still in the processor's cache. */
		lrd_shard_collect_locked(shard, ++shard->takes % LOOK_EVERY == 0);
	}
	lrd_status status = LRD_OK;
	if (!try_take(shard, needed, index)) {
		status = take_or_repair(shard, needed, effort, index);
	}
	if (status == LRD_OK) {
		evict_ahead(shard);
	} else if (status == LRD_FULL) {
		lrd_shard_count_locked(&state->counts.refused_full);
	}
	return status;
}

#define _GNU_SOURCE
#include "lrd_handle.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "../base/lrd_clock.h"
#include "lrd_guard.h"

#define DEFAULT_SLOTS 1024u
#define DEFAULT_LOCK_MS 100u
#define MEGABYTE (UINT64_C(1) << 20)

/* ---- open and close ---- */

/* The repair after a death goes through all of a shard, so none is made larger than need be. */
static unsigned shards_for(uint64_t size)
{
	unsigned shards = size < 8 * MEGABYTE ? 1 : 4;
	while (size / shards >= 64 * MEGABYTE && shards < LRD_SHARDS_MAX) {
		shards *= 2;
	}
	return shards;
}

/* As many as the highest index needs, at most 31. */
static uint32_t index_bits(uint64_t indexes)
{
	uint32_t bits = 1;
	while (bits < 31 && UINT64_C(1) << bits < indexes) {
		bits++;
	}
	return bits;
}

static void view_shards(lrd_store *store)
{
	const lrd_layout *layout = &store->layout;
	uint64_t arena_size = (uint64_t) layout->pages * LRD_ALLOC_PAGE;
	store->values = store->segment.body + layout->values;
	store->written = store->values;
	store->values_size = layout->shards * arena_size;
	store->head = (lrd_head *) (void *) store->segment.body;
	store->reader.epochs = (lrd_epochs *) (void *) (store->segment.body + layout->epochs);
	store->reader.count = layout->slots;
	for (uint32_t i = 0; i < layout->shards; i++) {
		char *start = store->segment.body + layout->shard + i * layout->shard_size;
		store->shard[i] = (lrd_shard) {
			.state = (lrd_shard_state *) (void *) start,
			.arena = (lrd_arena *) (void *) (start + layout->arena),
			.table = {
				.buckets = (lrd_bucket *) (void *) (start + layout->bucket),
				.arena = (lrd_arena *) (void *) (start + layout->arena),
				.records = store->values + i * arena_size,
				.values = store->values + i * arena_size,
				.values_size = arena_size,
				.seed = store->segment.header->instance,
				.bucket_count = layout->buckets,
				.index_bits = index_bits(arena_size / LRD_RECORD_GRANULE),
				/* Behind it no head would lie in the arena in full. */
				.count = (uint32_t) (arena_size / LRD_RECORD_GRANULE - 2),
			},
			.reader = &store->reader,
			.segment = &store->segment,
			.lock_ms = store->lock_ms,
		};
	}
}

static lrd_status lay_out(lrd_store *store)
{
	lrd_status status = LRD_OK;
	for (uint32_t i = 0; status == LRD_OK && i < LRD_STRIPES; i++) {
		status = lrd_lock_init(&store->head->stripe[i].lock);
	}
	if (status == LRD_OK) {
		status = lrd_epochs_init(store->reader.epochs, store->layout.slots);
	}
	for (uint32_t i = 0; status == LRD_OK && i < store->layout.shards; i++) {
		lrd_shard *shard = &store->shard[i];
		lrd_arena_init(shard->arena, store->layout.pages);
		/* Never a version that an earlier segment has given: somebody may still hold it. */
		shard->state->last_version = lrd_clock_real_ms() << 20;
		atomic_init(&shard->state->counts.int_ranges, lrd_clock_real_ms() << 20);
		status = lrd_lock_init(&shard->state->lock);
	}
	return status;
}

static lrd_status shape_of(const lrd_store_options *options, lrd_segment_options *segment, char why[LRD_SEGMENT_WHY])
{
	lrd_layout layout;
	*segment = options->segment;
	unsigned shards = options->shards != 0 ? options->shards : shards_for(segment->size);
	unsigned slots = options->slots != 0 ? options->slots : DEFAULT_SLOTS;
	uint64_t body = segment->size > LRD_SEGMENT_PAGE ? segment->size - LRD_SEGMENT_PAGE : 0;
	if (!lrd_layout_fit(&layout, sizeof(lrd_head), shards, slots, body)) {
		snprintf(why, LRD_SEGMENT_WHY,
			"%zu bytes are too few for %u shards and %u process slots: make the size larger, or the numbers smaller "
			"(shards: a power of two up to %u)",
			segment->size, shards, slots, LRD_SHARDS_MAX);
		return LRD_TOO_LARGE;
	}
	segment->shape[0] = layout.shards;
	segment->shape[1] = layout.slots;
	segment->shape[2] = layout.pages;
	segment->shape[3] = layout.buckets;
	return LRD_OK;
}

static lrd_status adopt(lrd_store *store, char why[LRD_SEGMENT_WHY])
{
	const uint32_t *shape = store->segment.header->shape;
	if (!lrd_layout_of(&store->layout, sizeof(lrd_head), shape[0], shape[1], shape[2])
		|| store->layout.buckets != shape[3] || store->layout.size > store->segment.body_size) {
		snprintf(why, LRD_SEGMENT_WHY, "the segment's shape cannot be: remove its file when no process uses it");
		return LRD_BAD_SEGMENT;
	}
	view_shards(store);
	if (!store->segment.made) {
		if (store->reader.epochs->count == store->layout.slots) {
			return LRD_OK;
		}
		snprintf(why, LRD_SEGMENT_WHY, "the segment's body is damaged: remove its file when no process uses it");
		return LRD_BAD_SEGMENT;
	}
	lrd_status status = lay_out(store);
	if (status == LRD_OK && !lrd_segment_ready(&store->segment)) {
		snprintf(why, LRD_SEGMENT_WHY, "the segment's file was cut while it was made");
		status = LRD_BAD_SEGMENT;
	} else if (status != LRD_OK) {
		snprintf(why, LRD_SEGMENT_WHY, "this system has no robust mutexes between processes");
	}
	return status;
}

/* One more on a mapping that has `handles` already, or the first: NULL. */
static lrd_store *make_handle(_Atomic unsigned *handles)
{
	lrd_store *store = calloc(1, sizeof *store);
	if (store == NULL) {
		return NULL;
	}
	store->handles = handles != NULL ? handles : calloc(1, sizeof *handles);
	if (store->handles == NULL) {
		free(store);
		return NULL;
	}
	atomic_fetch_add(store->handles, 1);
	return store;
}

/* Whether it was the last one. */
static bool free_handle(lrd_store *store)
{
	bool last = atomic_fetch_sub(store->handles, 1) == 1;
	if (last) {
		free((void *) store->handles);
	}
	free(store);
	return last;
}

lrd_status lrd_store_open(const lrd_store_options *options, lrd_store **opened, char why[LRD_SEGMENT_WHY])
{
	lrd_segment_options segment;
	lrd_status status = shape_of(options, &segment, why);
	if (status != LRD_OK) {
		return status;
	}
	lrd_store *store = make_handle(NULL);
	if (store == NULL) {
		snprintf(why, LRD_SEGMENT_WHY, "no memory");
		return LRD_SYSTEM;
	}
	store->lock_ms = options->lock_ms != 0 ? options->lock_ms : DEFAULT_LOCK_MS;
	status = lrd_segment_open(&segment, &store->segment, why);
	if (status != LRD_OK && status != LRD_MOVED) {
		free_handle(store);
		return status;
	}
	lrd_status adopted = adopt(store, why);
	if (adopted != LRD_OK) {
		lrd_segment_close(&store->segment);
		free_handle(store);
		return adopted;
	}
	*opened = store;
	return status;
}

lrd_store *lrd_store_join(const lrd_store *other)
{
	lrd_store *store = make_handle(other->handles);
	if (store == NULL) {
		return NULL;
	}
	store->segment = other->segment;
	store->layout = other->layout;
	store->lock_ms = other->lock_ms;
	store->protected = other->protected;
	view_shards(store);
	return store;
}

void lrd_store_close(lrd_store *store)
{
	lrd_segment segment = store->segment;
	if (lrd_segment_is_alive(&segment)) {
		lrd_reader_leave(&store->reader);
	} else {
		lrd_reader_leave_lost(&store->reader);
	}
	char *second = store->written != store->values ? store->written : NULL;
	uint64_t size = store->values_size;
	bool stranded = store->reader.stranded;
	if (free_handle(store) && !stranded) {
		if (second != NULL) {
			lrd_guard_remove(second);
			munmap(second, size);
		}
		lrd_segment_close(&segment);
	}
}

void lrd_store_end(lrd_store *store)
{
	__atomic_store_n(&store->segment.header->ready, 0, __ATOMIC_RELEASE);
}

void lrd_store_tell_of_loss(void (*tell)(void))
{
	lrd_guard_tell(tell);
}

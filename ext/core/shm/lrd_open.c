#include "lrd_handle.h"

#include <stdio.h>
#include <stdlib.h>

#include "../base/lrd_clock.h"

#define DEFAULT_SLOTS 1024u
#define DEFAULT_LOCK_MS 100u
#define MEGABYTE (UINT64_C(1) << 20)

/* ---- open and close ---- */

static unsigned shards_for(uint64_t size)
{
	return size < 8 * MEGABYTE ? 1 : size < 256 * MEGABYTE ? 4 : size < 1024 * MEGABYTE ? 8 : 16;
}

static void view_shards(lrd_store *store)
{
	const lrd_layout *layout = &store->layout;
	uint64_t arena_size = (uint64_t) layout->pages * LRD_ALLOC_PAGE;
	store->values = store->segment.body + layout->values;
	store->values_size = layout->shards * arena_size;
	store->head = (lrd_head *) (void *) store->segment.body;
	store->reader.epochs = (lrd_epochs *) (void *) (store->segment.body + layout->epochs);
	for (uint32_t i = 0; i < layout->shards; i++) {
		char *start = store->segment.body + layout->shard + i * layout->shard_size;
		store->shard[i] = (lrd_shard) {
			.state = (lrd_shard_state *) (void *) start,
			.arena = (lrd_arena *) (void *) (start + layout->arena),
			.table = {
				.buckets = (_Atomic uint32_t *) (void *) (start + layout->bucket),
				.records = (lrd_record *) (void *) (start + layout->record),
				.values = store->values + i * arena_size,
				.values_size = arena_size,
				.seed = store->segment.header->instance,
				.mask = layout->buckets - 1,
				.count = layout->records,
			},
			.reader = &store->reader,
			.lock_ms = store->lock_ms,
		};
	}
}

static lrd_status lay_out(lrd_store *store)
{
	lrd_status status = lrd_lock_init(&store->head->lock);
	if (status == LRD_OK) {
		status = lrd_epochs_init(store->reader.epochs, store->layout.slots);
	}
	for (uint32_t i = 0; status == LRD_OK && i < store->layout.shards; i++) {
		lrd_shard *shard = &store->shard[i];
		lrd_arena_init(shard->arena, store->layout.pages);
		shard->state->top = 1;
		shard->state->sweep = 1;
		/* Never a version that an earlier segment has given: somebody may still hold it. */
		shard->state->last_version = lrd_clock_real_ms() << 20;
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
	segment->shape[3] = layout.records;
	return LRD_OK;
}

static lrd_status adopt(lrd_store *store, char why[LRD_SEGMENT_WHY])
{
	const uint32_t *shape = store->segment.header->shape;
	if (!lrd_layout_of(&store->layout, sizeof(lrd_head), shape[0], shape[1], shape[2])
		|| store->layout.records != shape[3] || store->layout.size > store->segment.body_size) {
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
	if (status == LRD_OK) {
		lrd_segment_ready(&store->segment);
	} else {
		snprintf(why, LRD_SEGMENT_WHY, "this system has no robust mutexes between processes");
	}
	return status;
}

lrd_status lrd_store_open(const lrd_store_options *options, lrd_store **opened, char why[LRD_SEGMENT_WHY])
{
	lrd_segment_options segment;
	lrd_status status = shape_of(options, &segment, why);
	if (status != LRD_OK) {
		return status;
	}
	lrd_store *store = calloc(1, sizeof *store);
	if (store == NULL) {
		snprintf(why, LRD_SEGMENT_WHY, "no memory");
		return LRD_SYSTEM;
	}
	store->lock_ms = options->lock_ms != 0 ? options->lock_ms : DEFAULT_LOCK_MS;
	status = lrd_segment_open(&segment, &store->segment, why);
	if (status != LRD_OK && status != LRD_MOVED) {
		free(store);
		return status;
	}
	lrd_status adopted = adopt(store, why);
	if (adopted != LRD_OK) {
		lrd_segment_close(&store->segment);
		free(store);
		return adopted;
	}
	*opened = store;
	return status;
}

void lrd_store_close(lrd_store *store)
{
	lrd_reader_leave(&store->reader);
	lrd_segment_close(&store->segment);
	free(store);
}

/* ---- namespaces ---- */

static bool find_name(const lrd_store *store, lrd_slice wanted, uint16_t *space)
{
	uint32_t count = atomic_load_explicit(&store->head->names, memory_order_acquire);
	for (uint32_t i = 0; i < count && i < LRD_NAMESPACES; i++) {
		const lrd_name *known = &store->head->name[i];
		if (known->size <= LRD_NAMESPACE_MAX && lrd_slice_equals(wanted, (lrd_slice) {known->bytes, known->size})) {
			*space = (uint16_t) i;
			return true;
		}
	}
	return false;
}

lrd_status lrd_store_namespace(lrd_store *store, lrd_slice wanted, uint16_t *space)
{
	if (find_name(store, wanted, space)) {
		return LRD_OK;
	}
	lrd_status status = lrd_lock_take(&store->head->lock, store->lock_ms);
	if (status == LRD_OWNER_DIED) {
		/* The count moves last, so there is nothing half-done. */
		lrd_lock_repaired(&store->head->lock);
	} else if (status != LRD_OK) {
		return status;
	}
	status = LRD_OK;
	uint32_t count = atomic_load_explicit(&store->head->names, memory_order_relaxed);
	if (!find_name(store, wanted, space)) {
		if (count < LRD_NAMESPACES) {
			memcpy(store->head->name[count].bytes, wanted.bytes, wanted.size);
			store->head->name[count].size = (uint8_t) wanted.size;
			atomic_store_explicit(&store->head->names, count + 1, memory_order_release);
			*space = (uint16_t) count;
		} else {
			status = LRD_FULL;
		}
	}
	lrd_lock_give(&store->head->lock);
	return status;
}

#include "lrd_layout.h"

#include "lrd_store.h"

#define PAGES_MAX (UINT32_C(1) << 23)   /* 32 GB a shard: indexes are 31 bits of 16 bytes */

static uint64_t up(uint64_t size, uint64_t to)
{
	return (size + to - 1) / to * to;
}

bool lrd_layout_of(lrd_layout *layout, uint64_t head, uint32_t shards, uint32_t slots, uint32_t pages)
{
	if (shards == 0 || shards > LRD_SHARDS_MAX || (shards & (shards - 1)) != 0 || slots == 0 || slots > LRD_SLOTS_MAX
		|| pages == 0 || pages >= PAGES_MAX) {
		return false;
	}
	*layout = (lrd_layout) {.shards = shards, .slots = slots, .pages = pages};
	layout->buckets = (uint32_t) ((uint64_t) pages * LRD_ALLOC_PAGE / LRD_LAYOUT_BUCKET_BYTES) + 1;
	layout->epochs = up(head, 64);
	layout->shard = up(layout->epochs + lrd_epochs_size(slots), 64);
	layout->arena = up(sizeof(lrd_shard_state), 64);
	layout->bucket = up(layout->arena + lrd_arena_size(pages), 64);
	layout->shard_size = up(layout->bucket + (uint64_t) layout->buckets * sizeof(lrd_bucket), 64);
	layout->values = up(layout->shard + shards * layout->shard_size, LRD_ALLOC_PAGE);
	layout->size = layout->values + (uint64_t) shards * pages * LRD_ALLOC_PAGE;
	return true;
}

bool lrd_layout_fit(lrd_layout *layout, uint64_t head, uint32_t shards, uint32_t slots, uint64_t size)
{
	uint32_t least = 0, most = PAGES_MAX;
	while (least + 1 < most) {
		uint32_t middle = least + (most - least) / 2;
		if (lrd_layout_of(layout, head, shards, slots, middle) && layout->size <= size) {
			least = middle;
		} else {
			most = middle;
		}
	}
	return lrd_layout_of(layout, head, shards, slots, least);
}

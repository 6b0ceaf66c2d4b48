/*
 * Where everything lies in the segment's body. Computed from four numbers, which the header keeps: so an attaching
 * process has nothing else to believe. First all that is written often, then, from a page's start, the values:
 *
 *   head | epochs and slots | shard 0: state, arena, buckets | shard 1 … | values of shard 0 | of shard 1 | …
 */
#ifndef LRD_LAYOUT_H
#define LRD_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "lrd_shard.h"

/*
 * Of the arena for each hash bucket. An int takes 64 bytes: a bucket of 15 links gets 12 of them where the arena is
 * full, and one in thirty has no place in its bucket. Of 100 bytes it gets 5.
 */
#define LRD_LAYOUT_BUCKET_BYTES 768u

typedef struct lrd_layout {
	uint32_t shards, slots, pages;      /* pages of each arena */
	uint32_t buckets;                   /* of each shard */
	uint64_t epochs, shard, shard_size; /* offsets in the body; of shard 0, and from one to the next */
	uint64_t state, arena, bucket;          /* offsets in a shard */
	uint64_t values, size;
} lrd_layout;

/* For these numbers; false when they cannot be. */
bool lrd_layout_of(lrd_layout *layout, uint64_t head, uint32_t shards, uint32_t slots, uint32_t pages);

/* With as many pages as fit into size bytes. */
bool lrd_layout_fit(lrd_layout *layout, uint64_t head, uint32_t shards, uint32_t slots, uint64_t size);

#endif

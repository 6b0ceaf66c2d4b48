/*
 * Blocks of one shard's arena: a run of 4 KB pages. Nothing ever moves.
 *
 * Small blocks (up to LRD_ALLOC_SMALL bytes) have a size class: 16 bytes apart up to 256, at most an eighth apart
 * beyond. Equal blocks fill a span of 1 to 16 pages, at most 64 to a span, so that one word tells which are used.
 * Larger ones take a run of whole pages. Free runs are listed by length, so that no search walks the arena; spans take
 * a run's low end and large blocks its high end, so that they split each other's room rarely.
 *
 * All that is known of blocks lies in lrd_arena and its page table, out of line: the arena's own bytes are never
 * written here, and a stray write into a value cannot break the allocator. No function locks: the caller holds the
 * shard's lock for all of them.
 *
 * Nothing in it but the number of pages is believed before use: an index, a length or a head that cannot be makes the
 * arena `broken`, which the caller answers by a rebuild. So damage from outside ends in blocks that are lost, never
 * outside of the arena.
 *
 * The word `used` of a span's or run's head is the truth after a death: a block is taken and given back in one store,
 * and a head's kind is written last and changed first. All else is made anew from that.
 */
#ifndef LRD_ALLOC_H
#define LRD_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LRD_ALLOC_PAGE 4096u
#define LRD_ALLOC_GRANULE 16u
#define LRD_ALLOC_SMALL 32768u
#define LRD_ALLOC_NONE UINT32_MAX
#define LRD_ALLOC_CLASSES 64u           /* at most; lrd_alloc.c holds the table */
#define LRD_ALLOC_BINS 64u

typedef struct lrd_page {               /* one for each page of the arena */
	uint64_t used;                      /* head of a span: which of its blocks are taken; of a run: 1 */
	/* head of a span with a free block: its class's list; first page of a free run: its bin's list */
	uint32_t newer, older;
	uint32_t pages;                     /* head: of this span or run; inside one: pages back to the head */
	uint8_t kind;                       /* enum in lrd_alloc.c; 0 is free */
	uint8_t size_class;
	uint16_t sum;                       /* head: over pages, kind and class */
} lrd_page;

typedef struct lrd_arena {              /* in the segment; its lrd_page table follows it */
	uint32_t pages;
	uint32_t free_pages;
	uint32_t partial[LRD_ALLOC_CLASSES];   /* first span of the class with a free block; LRD_ALLOC_NONE: none */
	uint32_t free_runs[LRD_ALLOC_BINS]; /* first free run of about that length */
	uint64_t bins;                      /* which of them have one */
	uint64_t used_bytes;                /* of blocks, rounded up to their class */
	/* Something in here or in the page table cannot be: nothing is taken or given before it was made anew. */
	uint32_t broken;
} lrd_arena;

/* Bytes that lrd_arena and its page table take for this number of pages; a multiple of 64. */
size_t lrd_arena_size(uint32_t pages);
void lrd_arena_init(lrd_arena *arena, uint32_t pages);

/*
 * A block of at least `size` bytes: its place in granules from the arena's start, a multiple of LRD_ALLOC_GRANULE
 * bytes; LRD_ALLOC_NONE when no fitting room is free. Looks at a bounded number of runs.
 */
uint32_t lrd_alloc_take(lrd_arena *arena, size_t size);

/* Where the table has a block in use. */
typedef struct lrd_place {
	uint32_t head;                      /* page */
	uint64_t bit;                       /* of its `used` */
} lrd_place;

/* False: it is no block in use. */
bool lrd_alloc_find(const lrd_arena *arena, uint32_t block, lrd_place *place);

/* Bytes that the block had; 0: the arena is broken, and nothing has changed. */
size_t lrd_alloc_give(lrd_arena *arena, lrd_place place);

/* What a block of that size really takes, bytes. */
size_t lrd_alloc_rounded(size_t size);
/* What this block has; 0 when it is none in use. */
size_t lrd_alloc_room(const lrd_arena *arena, uint32_t block);

/*
 * The most that one block may have in an arena of so many pages: half of it, so that one value never has to evict all
 * others.
 */
size_t lrd_alloc_largest(uint32_t pages);

/* ---- going through all blocks ---- */

/* One more than the last granule that a block may begin at. */
static inline uint32_t lrd_alloc_end(const lrd_arena *arena)
{
	return arena->pages * (LRD_ALLOC_PAGE / LRD_ALLOC_GRANULE);
}

/*
 * The first block in use at or behind *at, which moves behind it; LRD_ALLOC_NONE at the end, when *at is
 * lrd_alloc_end(), or when *steps, which counts down with each block and head that is looked at, has come to 0.
 */
uint32_t lrd_alloc_next(const lrd_arena *arena, uint32_t *at, uint32_t *steps);

/*
 * Where evicting would make room for `size` bytes at little cost: a window of whole spans and runs, [*first, *first +
 * *count) pages, the cheapest of a bounded number that start at or behind `from` (wrapping round), free pages counting
 * as none. For values that find no room although enough bytes are free. false when the arena is too small.
 */
bool lrd_alloc_window(const lrd_arena *arena, size_t size, uint32_t from, uint32_t *first, uint32_t *count);

/* ---- after a death ---- */

/*
 * begin, then lrd_alloc_next() goes through all blocks that may be in use; drop() those that are not, then end(). What
 * a dead caller left half-done is free afterwards.
 */
void lrd_arena_rebuild_begin(lrd_arena *arena);
void lrd_arena_rebuild_drop(lrd_arena *arena, uint32_t block);
void lrd_arena_rebuild_end(lrd_arena *arena);

/* Whether every invariant holds: lists, counts, bitmaps. For tests and the fuzzer; O(pages). */
bool lrd_arena_is_sound(const lrd_arena *arena);

#endif

/*
 * Blocks of one shard's arena: a run of 4 KB pages. Nothing ever moves.
 *
 * Small blocks (up to LRD_ALLOC_SMALL bytes) have a size class, about 1.25 apart; equal blocks fill a span of 1 to 16
 * pages, at most 64 to a span, so that one word tells which are used. Larger ones take a run of whole pages.
 * Spans are taken from the low end and runs from the high end, so that they split each other's room rarely.
 *
 * All that is known of blocks lies in lrd_arena and its page table, out of line: the arena's own bytes are never
 * written here, and a stray write into a value cannot break the allocator. No function locks: the caller holds the
 * shard's lock for all of them. What is found after the death of a caller in the middle is not to be trusted: rebuild
 * it.
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
#define LRD_ALLOC_CLASSES 48u           /* at most; lrd_alloc.c holds the table */

typedef struct lrd_page {               /* one for each page of the arena */
	uint64_t used;                      /* head of a span: which of its blocks are taken */
	uint32_t newer, older;              /* head of a span with a free block: its class's list */
	uint32_t pages;                     /* head: of this span or run; inside one: pages back to the head */
	uint8_t kind;                       /* enum in lrd_alloc.c; 0 is free */
	uint8_t size_class;
	uint16_t spare;
} lrd_page;

typedef struct lrd_arena {              /* in the segment; its lrd_page table follows it */
	uint32_t pages;
	uint32_t free_pages;
	uint32_t partial[LRD_ALLOC_CLASSES];   /* first span of the class with a free block; LRD_ALLOC_NONE: none */
	uint64_t used_bytes;                /* of blocks, rounded up to their class */
} lrd_arena;

/* Bytes that lrd_arena and its page table take for this number of pages; a multiple of 64. */
size_t lrd_arena_size(uint32_t pages);
void lrd_arena_init(lrd_arena *arena, uint32_t pages);

/*
 * A block of at least `size` bytes: its place in granules from the arena's start, a multiple of LRD_ALLOC_GRANULE
 * bytes; LRD_ALLOC_NONE when no fitting room is free. O(1) for small blocks with a span at hand, else one pass over the
 * page table's free pages.
 */
uint32_t lrd_alloc_take(lrd_arena *arena, size_t size);

/* `size` as it was asked for. */
void lrd_alloc_give(lrd_arena *arena, uint32_t block, size_t size);

/* What a block of that size really takes, bytes. */
size_t lrd_alloc_rounded(size_t size);

/* The most that one block may have in this arena: half of it, so that one value never has to evict all others. */
size_t lrd_alloc_largest(const lrd_arena *arena);

/*
 * After a death: begin, then claim() every block that is in use, then end(). claim() answers false when the place or
 * size cannot be a block (then it is left unclaimed). The span heads that claimed blocks need are intact, because a
 * head is written before its first block is handed out and stays until the last is back; all else is made from the
 * claims.
 */
void lrd_arena_rebuild_begin(lrd_arena *arena);
bool lrd_arena_claim(lrd_arena *arena, uint32_t block, size_t size);
void lrd_arena_rebuild_end(lrd_arena *arena);

/*
 * Where evicting would make room for `size` bytes at the least cost: a window of pages [*first, *first + *count) that
 * starts behind *from (wrapping round), free pages counting as none. For values that find no room although enough bytes
 * are free. false when the arena is too small. The caller evicts every block that lies in the window, whole spans
 * included: the window is extended to whole spans.
 */
bool lrd_alloc_window(const lrd_arena *arena, size_t size, uint32_t from, uint32_t *first, uint32_t *count);

/* Whether every invariant holds: lists, counts, bitmaps. For tests and the fuzzer; O(pages). */
bool lrd_arena_is_sound(const lrd_arena *arena);

#endif

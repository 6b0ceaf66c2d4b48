#include "lrd_alloc.h"

#include <assert.h>
#include <string.h>

#include "../base/lrd_fault.h"

enum {
	PAGE_FREE,      /* the first and last page of a free run tell its length in `pages` */
	PAGE_SPAN,      /* head of equal small blocks */
	PAGE_RUN,       /* head of one large block; used is 1 */
	PAGE_INSIDE,    /* `pages` back is the head */
};

/* Spans are as short as wastes at most a sixteenth at their end, since a short one finds room soonest. */
static const struct size_class {
	uint16_t size;
	uint8_t pages;
	uint8_t blocks;
} classes[] = {
	{ 64, 1, 64 }, { 80, 1, 51 }, { 96, 1, 42 }, { 112, 1, 36 }, { 144, 1, 28 }, { 176, 1, 23 },
	{ 224, 1, 18 }, { 272, 1, 15 }, { 336, 1, 12 }, { 400, 1, 10 }, { 512, 1, 8 }, { 640, 1, 6 },
	{ 816, 1, 5 }, { 1024, 1, 4 }, { 1280, 1, 3 }, { 1632, 2, 5 }, { 2048, 1, 2 }, { 2560, 2, 3 },
	{ 3072, 3, 4 }, { 4096, 1, 1 }, { 5120, 5, 4 }, { 6144, 3, 2 }, { 7168, 7, 4 }, { 8192, 2, 1 },
	{ 10240, 5, 2 }, { 12288, 3, 1 }, { 14336, 7, 2 }, { 16384, 4, 1 }, { 20480, 5, 1 }, { 24576, 6, 1 },
	{ 28672, 7, 1 }, { 32768, 8, 1 },
};

enum { CLASSES = sizeof classes / sizeof classes[0] };

static_assert(CLASSES <= LRD_ALLOC_CLASSES, "lrd_arena has a list for each class");

static inline lrd_page *page_at(lrd_arena *arena, uint32_t page)
{
	return (lrd_page *) (arena + 1) + page;
}

static inline const lrd_page *page_of(const lrd_arena *arena, uint32_t page)
{
	return (const lrd_page *) (arena + 1) + page;
}

static uint8_t class_of(size_t size)
{
	uint8_t low = 0, high = CLASSES - 1;
	while (low < high) {
		uint8_t middle = (uint8_t) ((low + high) / 2);
		if (classes[middle].size < size) {
			low = (uint8_t) (middle + 1);
		} else {
			high = middle;
		}
	}
	return low;
}

static inline bool is_small(size_t size)
{
	return size <= LRD_ALLOC_SMALL;
}

static inline size_t pages_for(size_t size)
{
	return size / LRD_ALLOC_PAGE + (size % LRD_ALLOC_PAGE != 0);
}

/* Pages that must lie free in a row for a block that finds no span. */
static inline size_t pages_needed(size_t size)
{
	return is_small(size) ? classes[class_of(size)].pages : pages_for(size);
}

static inline uint64_t all_used(uint8_t size_class)
{
	return UINT64_MAX >> (64 - classes[size_class].blocks);
}

static inline uint32_t granules(uint32_t page)
{
	return page * (LRD_ALLOC_PAGE / LRD_ALLOC_GRANULE);
}

size_t lrd_arena_size(uint32_t pages)
{
	size_t size = sizeof(lrd_arena) + (size_t) pages * sizeof(lrd_page);
	return (size + 63) / 64 * 64;
}

size_t lrd_alloc_rounded(size_t size)
{
	return is_small(size) ? classes[class_of(size)].size : pages_for(size) * LRD_ALLOC_PAGE;
}

size_t lrd_alloc_largest(const lrd_arena *arena)
{
	return (size_t) arena->pages * LRD_ALLOC_PAGE / 2;
}

/* ---- runs of pages ---- */

static void mark_free(lrd_arena *arena, uint32_t first, uint32_t count)
{
	for (uint32_t page = first; page < first + count; page++) {
		page_at(arena, page)->kind = PAGE_FREE;
	}
	page_at(arena, first)->pages = count;
	page_at(arena, first + count - 1)->pages = count;
}

/* The head last: until it stands, nothing can be claimed here. */
static void mark_taken(lrd_arena *arena, uint32_t first, uint32_t count, uint8_t kind, uint8_t size_class)
{
	for (uint32_t back = 1; back < count; back++) {
		lrd_page *page = page_at(arena, first + back);
		page->kind = PAGE_INSIDE;
		page->pages = back;
	}
	*page_at(arena, first) = (lrd_page) {
		.newer = LRD_ALLOC_NONE,
		.older = LRD_ALLOC_NONE,
		.pages = count,
		.kind = kind,
		.size_class = size_class,
	};
}

static void give_pages(lrd_arena *arena, uint32_t first, uint32_t count)
{
	arena->free_pages += count;
	LRD_FAULT("pages_given");
	uint32_t end = first + count;
	if (end < arena->pages && page_at(arena, end)->kind == PAGE_FREE) {
		end += page_at(arena, end)->pages;
	}
	if (first > 0 && page_at(arena, first - 1)->kind == PAGE_FREE) {
		first -= page_at(arena, first - 1)->pages;
	}
	mark_free(arena, first, end - first);
}

static uint32_t find_from_low(lrd_arena *arena, uint32_t count)
{
	for (uint32_t page = 0; page < arena->pages; page += page_at(arena, page)->pages) {
		if (page_at(arena, page)->kind == PAGE_FREE && page_at(arena, page)->pages >= count) {
			return page;
		}
	}
	return LRD_ALLOC_NONE;
}

/* The first page of the free run or the taken one that ends before `end`. */
static uint32_t start_before(const lrd_arena *arena, uint32_t end)
{
	const lrd_page *last = page_of(arena, end - 1);
	switch (last->kind) {
		case PAGE_FREE: return end - last->pages;
		case PAGE_INSIDE: return end - 1 - last->pages;
		default: return end - 1;
	}
}

static uint32_t find_from_high(lrd_arena *arena, uint32_t count)
{
	for (uint32_t end = arena->pages; end > 0; end = start_before(arena, end)) {
		const lrd_page *last = page_at(arena, end - 1);
		if (last->kind == PAGE_FREE && last->pages >= count) {
			return end - count;
		}
	}
	return LRD_ALLOC_NONE;
}

static uint32_t take_pages(lrd_arena *arena, uint32_t count, uint8_t kind, uint8_t size_class)
{
	if (arena->free_pages < count) {
		return LRD_ALLOC_NONE;
	}
	uint32_t first = kind == PAGE_SPAN ? find_from_low(arena, count) : find_from_high(arena, count);
	if (first == LRD_ALLOC_NONE) {
		return LRD_ALLOC_NONE;
	}
	uint32_t start = kind == PAGE_SPAN ? first : start_before(arena, first + count);
	uint32_t length = page_at(arena, start)->pages;
	mark_taken(arena, first, count, kind, size_class);
	LRD_FAULT("pages_taken");
	if (length > count) {
		mark_free(arena, kind == PAGE_SPAN ? first + count : start, length - count);
	}
	arena->free_pages -= count;
	return first;
}

/* ---- lists of spans with a free block ---- */

static void list_span(lrd_arena *arena, uint32_t span)
{
	lrd_page *head = page_at(arena, span);
	uint32_t *first = &arena->partial[head->size_class];
	head->newer = LRD_ALLOC_NONE;
	head->older = *first;
	if (*first != LRD_ALLOC_NONE) {
		page_at(arena, *first)->newer = span;
	}
	*first = span;
}

static void unlist_span(lrd_arena *arena, uint32_t span)
{
	lrd_page *head = page_at(arena, span);
	if (head->newer != LRD_ALLOC_NONE) {
		page_at(arena, head->newer)->older = head->older;
	} else {
		arena->partial[head->size_class] = head->older;
	}
	if (head->older != LRD_ALLOC_NONE) {
		page_at(arena, head->older)->newer = head->newer;
	}
	head->newer = LRD_ALLOC_NONE;
	head->older = LRD_ALLOC_NONE;
}

/* ---- blocks ---- */

void lrd_arena_init(lrd_arena *arena, uint32_t pages)
{
	memset(arena, 0, lrd_arena_size(pages));
	arena->pages = pages;
	arena->free_pages = pages;
	for (unsigned size_class = 0; size_class < LRD_ALLOC_CLASSES; size_class++) {
		arena->partial[size_class] = LRD_ALLOC_NONE;
	}
	if (pages > 0) {
		mark_free(arena, 0, pages);
	}
}

static uint32_t take_small(lrd_arena *arena, uint8_t size_class)
{
	uint32_t span = arena->partial[size_class];
	if (span == LRD_ALLOC_NONE) {
		span = take_pages(arena, classes[size_class].pages, PAGE_SPAN, size_class);
		if (span == LRD_ALLOC_NONE) {
			return LRD_ALLOC_NONE;
		}
		list_span(arena, span);
	}
	lrd_page *head = page_at(arena, span);
	unsigned index = (unsigned) __builtin_ctzll(~head->used);
	head->used |= UINT64_C(1) << index;
	if (head->used == all_used(size_class)) {
		unlist_span(arena, span);
	}
	return granules(span) + index * (classes[size_class].size / LRD_ALLOC_GRANULE);
}

uint32_t lrd_alloc_take(lrd_arena *arena, size_t size)
{
	if (size > lrd_alloc_largest(arena)) {
		return LRD_ALLOC_NONE;
	}
	uint32_t block;
	if (is_small(size)) {
		block = take_small(arena, class_of(size));
	} else {
		uint32_t run = take_pages(arena, (uint32_t) pages_for(size), PAGE_RUN, 0);
		if (run == LRD_ALLOC_NONE) {
			return LRD_ALLOC_NONE;
		}
		page_at(arena, run)->used = 1;
		block = granules(run);
	}
	if (block != LRD_ALLOC_NONE) {
		arena->used_bytes += lrd_alloc_rounded(size);
	}
	return block;
}

/* The head of the span or run in which a block of that size may begin there, and which bit of `used` is the block's. */
static bool find_block(lrd_arena *arena, uint32_t block, size_t size, uint32_t *head_page, uint64_t *bit)
{
	uint32_t page = block / granules(1);
	if (page >= arena->pages || size > lrd_alloc_largest(arena)) {
		return false;
	}
	if (page_at(arena, page)->kind == PAGE_INSIDE) {
		uint32_t back = page_at(arena, page)->pages;
		if (back > page) {
			return false;
		}
		page -= back;
	}
	const lrd_page *head = page_at(arena, page);
	uint32_t offset = block - granules(page);
	*head_page = page;
	*bit = 1;
	if (!is_small(size)) {
		return offset == 0 && head->kind == PAGE_RUN && head->pages == pages_for(size);
	}
	uint8_t size_class = class_of(size);
	uint32_t step = classes[size_class].size / LRD_ALLOC_GRANULE;
	if (head->kind != PAGE_SPAN || head->size_class != size_class || offset % step != 0
		|| offset / step >= classes[size_class].blocks) {
		return false;
	}
	*bit = UINT64_C(1) << (offset / step);
	return head->pages == classes[size_class].pages;
}

void lrd_alloc_give(lrd_arena *arena, uint32_t block, size_t size)
{
	uint32_t first;
	uint64_t bit;
	if (!find_block(arena, block, size, &first, &bit)) {
		return;
	}
	lrd_page *head = page_at(arena, first);
	if ((head->used & bit) == 0) {
		return;
	}
	bool was_full = is_small(size) && head->used == all_used(head->size_class);
	head->used &= ~bit;
	arena->used_bytes -= lrd_alloc_rounded(size);
	if (head->used != 0) {
		if (was_full) {
			list_span(arena, first);
		}
		return;
	}
	if (is_small(size) && !was_full) {
		unlist_span(arena, first);
	}
	give_pages(arena, first, head->pages);
}

/* ---- after a death ---- */

void lrd_arena_rebuild_begin(lrd_arena *arena)
{
	arena->used_bytes = 0;
	for (uint32_t page = 0; page < arena->pages; page++) {
		page_at(arena, page)->used = 0;
	}
}

/* Whether all its pages point back to this head. Two that both pass cannot overlap, whatever else the table says. */
static bool is_whole(lrd_arena *arena, uint32_t first)
{
	uint32_t count = page_at(arena, first)->pages;
	if (count == 0 || count > arena->pages - first) {
		return false;
	}
	for (uint32_t back = 1; back < count; back++) {
		const lrd_page *page = page_at(arena, first + back);
		if (page->kind != PAGE_INSIDE || page->pages != back) {
			return false;
		}
	}
	return true;
}

bool lrd_arena_claim(lrd_arena *arena, uint32_t block, size_t size)
{
	uint32_t first;
	uint64_t bit;
	if (!find_block(arena, block, size, &first, &bit)) {
		return false;
	}
	lrd_page *head = page_at(arena, first);
	if ((head->used & bit) != 0 || (head->used == 0 && !is_whole(arena, first))) {
		return false;
	}
	head->used |= bit;
	arena->used_bytes += lrd_alloc_rounded(size);
	return true;
}

void lrd_arena_rebuild_end(lrd_arena *arena)
{
	arena->free_pages = 0;
	for (unsigned size_class = 0; size_class < LRD_ALLOC_CLASSES; size_class++) {
		arena->partial[size_class] = LRD_ALLOC_NONE;
	}
	uint32_t page = 0;
	while (page < arena->pages) {
		lrd_page *head = page_at(arena, page);
		if (head->used != 0) {
			if (head->kind == PAGE_SPAN && head->used != all_used(head->size_class)) {
				list_span(arena, page);
			}
			page += head->pages;
			continue;
		}
		uint32_t first = page;
		while (page < arena->pages && page_at(arena, page)->used == 0) {
			page++;
		}
		mark_free(arena, first, page - first);
		arena->free_pages += page - first;
	}
}

/* ---- where to evict ---- */

static uint64_t used_bytes(const lrd_page *head)
{
	switch (head->kind) {
		case PAGE_SPAN: return (uint64_t) __builtin_popcountll(head->used) * classes[head->size_class].size;
		case PAGE_RUN: return (uint64_t) head->pages * LRD_ALLOC_PAGE;
		default: return 0;
	}
}

bool lrd_alloc_window(const lrd_arena *arena, size_t size, uint32_t from, uint32_t *first, uint32_t *count)
{
	size_t needed = pages_needed(size);
	uint64_t cost = 0, least = UINT64_MAX;
	uint32_t nearest = 0;
	/* All that lies from start to end is costed; each step takes in one span or run, or lets the first one go. */
	for (uint32_t start = 0, end = 0; ; ) {
		if (end - start < needed) {
			if (end >= arena->pages) {
				break;
			}
			cost += used_bytes(page_of(arena, end));
			end += page_of(arena, end)->pages;
			continue;
		}
		uint32_t distance = start > from ? start - from : start + (arena->pages - from);
		if (cost < least || (cost == least && distance < nearest)) {
			least = cost;
			nearest = distance;
			*first = start;
			*count = end - start;
		}
		cost -= used_bytes(page_of(arena, start));
		start += page_of(arena, start)->pages;
	}
	return least != UINT64_MAX;
}

/* ---- invariants ---- */

static bool is_sound_head(const lrd_arena *arena, uint32_t first)
{
	const lrd_page *head = page_of(arena, first);
	if (head->pages == 0 || head->pages > arena->pages - first) {
		return false;
	}
	if (head->kind == PAGE_FREE) {
		bool joined = first == 0 || page_of(arena, first - 1)->kind != PAGE_FREE;
		return joined && page_of(arena, first + head->pages - 1)->pages == head->pages;
	}
	if (head->kind == PAGE_SPAN) {
		return head->size_class < CLASSES && head->pages == classes[head->size_class].pages && head->used != 0
			&& (head->used & ~all_used(head->size_class)) == 0;
	}
	return head->kind == PAGE_RUN && head->used == 1;
}

static bool is_sound_inside(const lrd_arena *arena, uint32_t first)
{
	const lrd_page *head = page_of(arena, first);
	for (uint32_t back = 1; back < head->pages; back++) {
		const lrd_page *page = page_of(arena, first + back);
		if (head->kind == PAGE_FREE ? page->kind != PAGE_FREE : page->kind != PAGE_INSIDE || page->pages != back) {
			return false;
		}
	}
	return true;
}

/* How many spans the list holds, or LRD_ALLOC_NONE. A ring cannot pass: one of it would have two spans before it. */
static uint32_t listed(const lrd_arena *arena, uint8_t size_class)
{
	uint32_t count = 0, newer = LRD_ALLOC_NONE;
	for (uint32_t span = arena->partial[size_class]; span != LRD_ALLOC_NONE; span = page_of(arena, span)->older) {
		if (span >= arena->pages) {
			return LRD_ALLOC_NONE;
		}
		const lrd_page *head = page_of(arena, span);
		if (head->kind != PAGE_SPAN || head->size_class != size_class || head->newer != newer
			|| head->used == all_used(size_class)) {
			return LRD_ALLOC_NONE;
		}
		newer = span;
		count++;
	}
	return count;
}

bool lrd_arena_is_sound(const lrd_arena *arena)
{
	uint32_t free_pages = 0, partial[CLASSES] = { 0 };
	uint64_t used = 0;
	for (uint32_t page = 0; page < arena->pages; page += page_of(arena, page)->pages) {
		if (!is_sound_head(arena, page) || !is_sound_inside(arena, page)) {
			return false;
		}
		const lrd_page *head = page_of(arena, page);
		used += used_bytes(head);
		if (head->kind == PAGE_FREE) {
			free_pages += head->pages;
		} else if (head->kind == PAGE_SPAN && head->used != all_used(head->size_class)) {
			partial[head->size_class]++;
		}
	}
	for (uint8_t size_class = 0; size_class < CLASSES; size_class++) {
		if (listed(arena, size_class) != partial[size_class]) {
			return false;
		}
	}
	return free_pages == arena->free_pages && used == arena->used_bytes;
}

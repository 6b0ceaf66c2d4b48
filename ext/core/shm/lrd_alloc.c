#include "lrd_alloc.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "../base/lrd_fault.h"

enum {
	PAGE_FREE,      /* the first and last page of a free run tell its length in `pages`, those between say 0 */
	PAGE_SPAN,      /* head of equal small blocks */
	PAGE_RUN,       /* head of one large block; used is 1 */
	PAGE_INSIDE,    /* `pages` back is the head */
};

#define IS_LAST UINT32_C(0x80000000)    /* in `pages` of a free run's last page, if that is not its first too */
#define EXACT_BINS 16u                  /* bins of one length each; from there two for each doubling */
#define BIN_LOOKS 16                    /* runs of the wanted length's own bin that are looked at */
#define WINDOW_LOOKS 512                /* heads that the search for a window looks at */

/*
 * A block's number in its span is its offset divided by its size, both in granules, which a lookup does by a
 * multiplication: exact for offsets below 4096, as in Granlund and Montgomery, "Division by Invariant Integers" (1994).
 */
#define PART_BITS 24
#define CLASS(size, pages, blocks) \
	{ size, pages, blocks, (UINT32_C(1) << PART_BITS) / ((size) / LRD_ALLOC_GRANULE) + 1 }

/* Spans are as short as wastes at most a sixteenth at their end, since a short one finds room soonest. */
static const struct size_class {
	uint16_t size;
	uint8_t pages;
	uint8_t blocks;
	uint32_t part;
} classes[] = {
	CLASS(64, 1, 64), CLASS(80, 1, 51), CLASS(96, 1, 42), CLASS(112, 1, 36), CLASS(128, 1, 32), CLASS(144, 1, 28),
	CLASS(160, 1, 25), CLASS(176, 1, 23), CLASS(192, 1, 21), CLASS(208, 1, 19), CLASS(224, 1, 18), CLASS(240, 1, 17),
	CLASS(256, 1, 16), CLASS(288, 1, 14), CLASS(336, 1, 12), CLASS(368, 1, 11), CLASS(400, 1, 10), CLASS(416, 2, 19),
	CLASS(448, 1, 9), CLASS(512, 1, 8), CLASS(576, 1, 7), CLASS(672, 1, 6), CLASS(736, 2, 11), CLASS(816, 1, 5),
	CLASS(864, 3, 14), CLASS(896, 2, 9), CLASS(1024, 1, 4), CLASS(1168, 2, 7), CLASS(1360, 1, 3), CLASS(1488, 4, 11),
	CLASS(1632, 2, 5), CLASS(1744, 3, 7), CLASS(1808, 4, 9), CLASS(2048, 1, 2), CLASS(2448, 3, 5), CLASS(2720, 2, 3),
	CLASS(2912, 5, 7), CLASS(3072, 3, 4), CLASS(3408, 5, 6), CLASS(3584, 7, 8), CLASS(4096, 1, 1), CLASS(4912, 6, 5),
	CLASS(5456, 4, 3), CLASS(5728, 7, 5), CLASS(6144, 3, 2), CLASS(6816, 5, 3), CLASS(7168, 7, 4), CLASS(8192, 2, 1),
	CLASS(9552, 7, 3), CLASS(10240, 5, 2), CLASS(11264, 11, 4), CLASS(12288, 3, 1), CLASS(13648, 10, 3),
	CLASS(14336, 7, 2), CLASS(16384, 4, 1), CLASS(18432, 9, 2), CLASS(20480, 5, 1), CLASS(22528, 11, 2),
	CLASS(24576, 6, 1), CLASS(26624, 13, 2), CLASS(28672, 7, 1), CLASS(32768, 8, 1),
};

enum { CLASSES = sizeof classes / sizeof classes[0], EVEN_SIZE = 256, EVEN_CLASS = 12 };

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
	/* Up to EVEN_SIZE the classes are a granule apart. */
	if (size <= EVEN_SIZE) {
		return size <= classes[0].size ? 0 : (uint8_t) ((size + 15) / 16 - classes[0].size / 16);
	}
	uint8_t low = EVEN_CLASS, high = CLASSES - 1;
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

size_t lrd_alloc_largest(uint32_t pages)
{
	return (size_t) pages * LRD_ALLOC_PAGE / 2;
}

/* ---- what the table says is not believed before it was looked at ---- */

/* Of what stays as it is as long as a head is one, so that one that was written over is told. */
static inline uint16_t sum_of(uint8_t kind, uint8_t size_class, uint32_t pages)
{
	return (uint16_t) (((pages ^ (uint32_t) size_class << 24 ^ (uint32_t) kind << 22) * UINT32_C(0x9e3779b1)) >> 16);
}

/* Whether a span or a run starts at this page of the arena, and ends in it. */
static inline bool is_head(const lrd_arena *arena, uint32_t page)
{
	const lrd_page *head = page_of(arena, page);
	return head->sum == sum_of(head->kind, head->size_class, head->pages) && head->pages - 1 < arena->pages - page
		&& (head->kind == PAGE_RUN
			|| (head->kind == PAGE_SPAN && head->size_class < CLASSES
				&& head->pages == classes[head->size_class].pages));
}

/* How long the free run is that starts at this page, or 0: none does. Both of its ends have to agree. */
static uint32_t run_at(const lrd_arena *arena, uint32_t first)
{
	if (first >= arena->pages || page_of(arena, first)->kind != PAGE_FREE) {
		return 0;
	}
	const uint32_t count = page_of(arena, first)->pages;
	if (count - 1 >= arena->pages - first) {
		return 0;
	}
	const lrd_page *last = page_of(arena, first + count - 1);
	return last->kind == PAGE_FREE && last->pages == (count == 1 ? 1 : count | IS_LAST) ? count : 0;
}

/* From one start of a free run, span or run to the next: 1 inside of a free run, and where the table is damaged. */
static uint32_t extent_of(const lrd_arena *arena, uint32_t page)
{
	const uint32_t count = page_of(arena, page)->pages;
	return count - 1 < arena->pages - page ? count : 1;
}

/* ---- lists through newer and older of heads ---- */

static void list_head(lrd_arena *arena, uint32_t *first, uint32_t page)
{
	lrd_page *head = page_at(arena, page);
	head->newer = LRD_ALLOC_NONE;
	head->older = *first;
	if (*first != LRD_ALLOC_NONE) {
		if (*first >= arena->pages || page_of(arena, *first)->newer != LRD_ALLOC_NONE) {
			arena->broken = 1;
			return;
		}
		page_at(arena, *first)->newer = page;
	}
	*first = page;
}

/* Whether those beside this head in its list lead to it. */
static bool is_listed(const lrd_arena *arena, uint32_t first, uint32_t page)
{
	const lrd_page *head = page_of(arena, page);
	const bool is_led_to = head->newer == LRD_ALLOC_NONE
		? first == page
		: head->newer < arena->pages && page_of(arena, head->newer)->older == page;
	return is_led_to && (head->older == LRD_ALLOC_NONE
		|| (head->older < arena->pages && page_of(arena, head->older)->newer == page));
}

static bool unlist_head(lrd_arena *arena, uint32_t *first, uint32_t page)
{
	if (!is_listed(arena, *first, page)) {
		arena->broken = 1;
		return false;
	}
	lrd_page *head = page_at(arena, page);
	if (head->newer != LRD_ALLOC_NONE) {
		page_at(arena, head->newer)->older = head->older;
	} else {
		*first = head->older;
	}
	if (head->older != LRD_ALLOC_NONE) {
		page_at(arena, head->older)->newer = head->newer;
	}
	head->newer = LRD_ALLOC_NONE;
	head->older = LRD_ALLOC_NONE;
	return true;
}

static void list_span(lrd_arena *arena, uint32_t span)
{
	list_head(arena, &arena->partial[page_at(arena, span)->size_class], span);
}

static void unlist_span(lrd_arena *arena, uint32_t span)
{
	unlist_head(arena, &arena->partial[page_at(arena, span)->size_class], span);
}

/* ---- free runs ---- */

static unsigned bin_of(uint32_t count)
{
	if (count < EXACT_BINS) {
		return count;
	}
	unsigned log = 31u - (unsigned) __builtin_clz(count);
	return EXACT_BINS + 2 * (log - 4) + (count >> (log - 1) & 1);
}

/* Its pages are marked as free already, and those between its ends with 0. */
static void list_run(lrd_arena *arena, uint32_t first, uint32_t count)
{
	page_at(arena, first + count - 1)->pages = count | IS_LAST;
	page_at(arena, first)->pages = count;
	unsigned bin = bin_of(count);
	list_head(arena, &arena->free_runs[bin], first);
	arena->bins |= UINT64_C(1) << bin;
}

/* Its length, or 0: there is no such run, and so the arena is broken. */
static uint32_t unlist_run(lrd_arena *arena, uint32_t first)
{
	const uint32_t count = run_at(arena, first);
	const unsigned bin = bin_of(count);
	if (count == 0 || !unlist_head(arena, &arena->free_runs[bin], first)) {
		arena->broken = 1;
		return 0;
	}
	if (arena->free_runs[bin] == LRD_ALLOC_NONE) {
		arena->bins &= ~(UINT64_C(1) << bin);
	}
	page_at(arena, first)->pages = 0;
	page_at(arena, first + count - 1)->pages = 0;
	return count;
}

static void mark_free(lrd_arena *arena, uint32_t first, uint32_t count)
{
	for (uint32_t page = first; page < first + count; page++) {
		page_at(arena, page)->kind = PAGE_FREE;
		page_at(arena, page)->pages = 0;
	}
}

static void give_pages(lrd_arena *arena, uint32_t first, uint32_t count)
{
	arena->free_pages += count;
	mark_free(arena, first, count);
	LRD_FAULT("pages_given");
	uint32_t end = first + count;
	if (end < arena->pages && page_at(arena, end)->kind == PAGE_FREE) {
		const uint32_t behind = unlist_run(arena, end);
		if (behind == 0) {
			return;
		}
		end += behind;
	}
	if (first > 0 && page_at(arena, first - 1)->kind == PAGE_FREE) {
		const uint32_t before = page_at(arena, first - 1)->pages & ~IS_LAST;
		if (before > first || unlist_run(arena, first - before) != before) {
			arena->broken = 1;
			return;
		}
		first -= before;
	}
	list_run(arena, first, end - first);
}

static uint32_t find_run(const lrd_arena *arena, uint32_t count)
{
	unsigned bin = bin_of(count);
	uint32_t run = arena->free_runs[bin];
	for (int looks = BIN_LOOKS; run < arena->pages && looks > 0; looks--) {
		if (page_of(arena, run)->pages >= count) {
			return run;
		}
		run = page_of(arena, run)->older;
	}
	/* Any run of a higher bin is long enough. */
	uint64_t higher = bin < 63 ? arena->bins >> (bin + 1) << (bin + 1) : 0;
	return higher != 0 ? arena->free_runs[__builtin_ctzll(higher)] : LRD_ALLOC_NONE;
}

/* The head's kind last: until it stands, nothing is taken here. */
static void mark_taken(lrd_arena *arena, uint32_t first, uint32_t count, uint8_t kind, uint8_t size_class)
{
	for (uint32_t back = 1; back < count; back++) {
		lrd_page *page = page_at(arena, first + back);
		page->kind = PAGE_INSIDE;
		page->pages = back;
	}
	lrd_page *head = page_at(arena, first);
	head->used = 0;
	head->newer = LRD_ALLOC_NONE;
	head->older = LRD_ALLOC_NONE;
	head->pages = count;
	head->size_class = size_class;
	head->sum = sum_of(kind, size_class, count);
	atomic_signal_fence(memory_order_seq_cst);
	head->kind = kind;
}

static uint32_t take_pages(lrd_arena *arena, uint32_t count, uint8_t kind, uint8_t size_class)
{
	uint32_t run = find_run(arena, count);
	if (run == LRD_ALLOC_NONE) {
		return LRD_ALLOC_NONE;
	}
	uint32_t length = run_at(arena, run);
	if (length < count || unlist_run(arena, run) == 0) {
		arena->broken = 1;
		return LRD_ALLOC_NONE;
	}
	uint32_t first = kind == PAGE_SPAN ? run : run + length - count;
	mark_taken(arena, first, count, kind, size_class);
	LRD_FAULT("pages_taken");
	if (length > count) {
		list_run(arena, kind == PAGE_SPAN ? first + count : run, length - count);
	}
	arena->free_pages -= count;
	return first;
}

/* ---- blocks ---- */

static void forget_lists(lrd_arena *arena)
{
	for (unsigned size_class = 0; size_class < LRD_ALLOC_CLASSES; size_class++) {
		arena->partial[size_class] = LRD_ALLOC_NONE;
	}
	for (unsigned bin = 0; bin < LRD_ALLOC_BINS; bin++) {
		arena->free_runs[bin] = LRD_ALLOC_NONE;
	}
	arena->bins = 0;
}

void lrd_arena_init(lrd_arena *arena, uint32_t pages)
{
	memset(arena, 0, lrd_arena_size(pages));
	arena->pages = pages;
	arena->free_pages = pages;
	forget_lists(arena);
	if (pages > 0) {
		list_run(arena, 0, pages);
	}
}

/* In a small arena the pages are soon spans of other classes: then a block of up to twice the size does. */
static uint32_t find_larger(const lrd_arena *arena, uint8_t *size_class)
{
	const unsigned most = 2u * classes[*size_class].size;
	for (uint8_t larger = (uint8_t) (*size_class + 1); larger < CLASSES && classes[larger].size <= most; larger++) {
		if (arena->partial[larger] != LRD_ALLOC_NONE) {
			*size_class = larger;
			return arena->partial[larger];
		}
	}
	return LRD_ALLOC_NONE;
}

static uint32_t take_small(lrd_arena *arena, uint8_t size_class)
{
	uint32_t span = arena->partial[size_class];
	if (span == LRD_ALLOC_NONE) {
		span = take_pages(arena, classes[size_class].pages, PAGE_SPAN, size_class);
		if (span != LRD_ALLOC_NONE) {
			list_span(arena, span);
		} else {
			span = find_larger(arena, &size_class);
		}
		if (span == LRD_ALLOC_NONE) {
			return LRD_ALLOC_NONE;
		}
	}
	if (span >= arena->pages || !is_head(arena, span) || page_of(arena, span)->size_class != size_class
		|| page_of(arena, span)->kind != PAGE_SPAN) {
		arena->broken = 1;
		return LRD_ALLOC_NONE;
	}
	lrd_page *head = page_at(arena, span);
	const uint64_t left = ~head->used & all_used(size_class);
	if (left == 0) {
		arena->broken = 1;
		return LRD_ALLOC_NONE;
	}
	unsigned index = (unsigned) __builtin_ctzll(left);
	head->used |= UINT64_C(1) << index;
	if (left == (left & -left)) {
		unlist_span(arena, span);
	}
	arena->used_bytes += classes[size_class].size;
	return granules(span) + index * (classes[size_class].size / LRD_ALLOC_GRANULE);
}

uint32_t lrd_alloc_take(lrd_arena *arena, size_t size)
{
	if (size > lrd_alloc_largest(arena->pages) || arena->broken != 0) {
		return LRD_ALLOC_NONE;
	}
	if (is_small(size)) {
		return take_small(arena, class_of(size));
	}
	uint32_t run = take_pages(arena, (uint32_t) pages_for(size), PAGE_RUN, 0);
	if (run == LRD_ALLOC_NONE) {
		return LRD_ALLOC_NONE;
	}
	page_at(arena, run)->used = 1;
	arena->used_bytes += pages_for(size) * LRD_ALLOC_PAGE;
	return granules(run);
}

bool lrd_alloc_find(const lrd_arena *arena, uint32_t block, lrd_place *place)
{
	uint32_t page = block / granules(1);
	if (page >= arena->pages) {
		return false;
	}
	if (page_of(arena, page)->kind == PAGE_INSIDE) {
		uint32_t back = page_of(arena, page)->pages;
		if (back > page) {
			return false;
		}
		page -= back;
	}
	const lrd_page *head = page_of(arena, page);
	uint32_t offset = block - granules(page);
	place->head = page;
	if (!is_head(arena, page)) {
		return false;
	}
	if (head->kind == PAGE_RUN) {
		place->bit = 1;
		return offset == 0 && (head->used & 1) != 0;
	}
	const struct size_class *class = &classes[head->size_class];
	const uint32_t number = (uint32_t) ((uint64_t) offset * class->part >> PART_BITS);
	if (number >= class->blocks || number * (class->size / LRD_ALLOC_GRANULE) != offset) {
		return false;
	}
	place->bit = UINT64_C(1) << number;
	return (head->used & place->bit) != 0;
}

static size_t room_of(const lrd_page *head)
{
	return head->kind == PAGE_SPAN ? classes[head->size_class].size : (size_t) head->pages * LRD_ALLOC_PAGE;
}

size_t lrd_alloc_room(const lrd_arena *arena, uint32_t block)
{
	lrd_place place;
	return lrd_alloc_find(arena, block, &place) ? room_of(page_of(arena, place.head)) : 0;
}

size_t lrd_alloc_give(lrd_arena *arena, lrd_place place)
{
	if (arena->broken != 0) {
		return 0;
	}
	lrd_page *head = page_at(arena, place.head);
	const size_t room = room_of(head);
	bool is_span = head->kind == PAGE_SPAN;
	bool was_full = is_span && head->used == all_used(head->size_class);
	head->used &= ~place.bit;
	arena->used_bytes -= room;
	if (head->used != 0) {
		if (was_full) {
			list_span(arena, place.head);
		}
		return room;
	}
	if (is_span && !was_full) {
		unlist_span(arena, place.head);
	}
	give_pages(arena, place.head, head->pages);
	return room;
}

/* ---- going through all blocks ---- */

uint32_t lrd_alloc_next(const lrd_arena *arena, uint32_t *at, uint32_t *steps)
{
	const uint32_t end = lrd_alloc_end(arena);
	while (*at < end && *steps > 0) {
		(*steps)--;
		uint32_t page = *at / granules(1);
		if (page_of(arena, page)->kind == PAGE_INSIDE) {
			/* The bound is against damage. */
			uint32_t back = page_of(arena, page)->pages;
			page -= back <= page ? back : 0;
		}
		const lrd_page *head = page_of(arena, page);
		uint32_t count = 1, block = LRD_ALLOC_NONE;
		if (head->kind == PAGE_FREE) {
			/* Inside a free run or at its last page, which a walk that began elsewhere may meet, it is one by one. */
			count = head->pages != 0 && (head->pages & IS_LAST) == 0 ? head->pages : 1;
		} else if (!is_head(arena, page)) {
			count = 1;
		} else if (head->kind == PAGE_RUN) {
			count = head->pages;
			block = *at == granules(page) && (head->used & 1) != 0 ? *at : LRD_ALLOC_NONE;
		} else {
			uint32_t step = classes[head->size_class].size / LRD_ALLOC_GRANULE;
			uint32_t index = (*at - granules(page) + step - 1) / step;
			uint64_t used = index < classes[head->size_class].blocks
				? (head->used & all_used(head->size_class)) >> index : 0;
			count = head->pages;
			if (used != 0) {
				block = granules(page) + (index + (uint32_t) __builtin_ctzll(used)) * step;
			}
			if (block != LRD_ALLOC_NONE) {
				*at = block + 1;
				return block;
			}
		}
		/* Always on, also where the table is damaged. */
		uint32_t behind = granules(*at / granules(1) + 1);
		uint32_t next = count > arena->pages - page ? behind : granules(page + count);
		*at = next > *at ? next : behind;
		if (block != LRD_ALLOC_NONE) {
			return block;
		}
	}
	return LRD_ALLOC_NONE;
}

/* ---- after a death ---- */

/* Whether all its pages point back to this head. Two that both pass cannot overlap, whatever else the table says. */
static bool is_whole(const lrd_arena *arena, uint32_t first)
{
	uint32_t count = page_of(arena, first)->pages;
	if (count == 0 || count > arena->pages - first) {
		return false;
	}
	for (uint32_t back = 1; back < count; back++) {
		const lrd_page *page = page_of(arena, first + back);
		if (page->kind != PAGE_INSIDE || page->pages != back) {
			return false;
		}
	}
	return true;
}

static bool is_believable(const lrd_arena *arena, uint32_t first)
{
	return is_head(arena, first) && is_whole(arena, first);
}

void lrd_arena_rebuild_begin(lrd_arena *arena)
{
	for (uint32_t first = 0; first < arena->pages;) {
		if (!is_believable(arena, first)) {
			mark_free(arena, first, 1);
			first++;
			continue;
		}
		lrd_page *head = page_at(arena, first);
		head->used &= head->kind == PAGE_SPAN ? all_used(head->size_class) : 1;
		first += head->pages;
	}
}

void lrd_arena_rebuild_drop(lrd_arena *arena, uint32_t block)
{
	lrd_place place;
	if (lrd_alloc_find(arena, block, &place)) {
		page_at(arena, place.head)->used &= ~place.bit;
	}
}

void lrd_arena_rebuild_end(lrd_arena *arena)
{
	arena->free_pages = 0;
	arena->used_bytes = 0;
	arena->broken = 0;
	forget_lists(arena);
	for (uint32_t page = 0; page < arena->pages;) {
		lrd_page *head = page_at(arena, page);
		if (head->kind != PAGE_FREE && head->used != 0) {
			if (head->kind == PAGE_SPAN && head->used != all_used(head->size_class)) {
				list_span(arena, page);
			}
			arena->used_bytes += head->kind == PAGE_SPAN
				? (uint64_t) __builtin_popcountll(head->used) * classes[head->size_class].size
				: room_of(head);
			page += head->pages;
			continue;
		}
		uint32_t first = page;
		while (page < arena->pages && (page_at(arena, page)->kind == PAGE_FREE || page_at(arena, page)->used == 0)) {
			page += page_at(arena, page)->kind == PAGE_FREE ? 1 : page_at(arena, page)->pages;
		}
		mark_free(arena, first, page - first);
		list_run(arena, first, page - first);
		arena->free_pages += page - first;
	}
}

/* ---- where to evict ---- */

static uint64_t used_bytes(const lrd_arena *arena, uint32_t page)
{
	const lrd_page *head = page_of(arena, page);
	if (head->kind == PAGE_FREE || !is_head(arena, page)) {
		return 0;
	}
	return head->kind == PAGE_SPAN
		? (uint64_t) __builtin_popcountll(head->used) * classes[head->size_class].size
		: (uint64_t) head->pages * LRD_ALLOC_PAGE;
}

/* The first page of the free run, span or run that this page lies in. */
static uint32_t start_of(const lrd_arena *arena, uint32_t page)
{
	const lrd_page *at = page_of(arena, page);
	uint32_t back = 0;
	if (at->kind == PAGE_INSIDE) {
		back = at->pages;
	} else if (at->kind == PAGE_FREE && (at->pages & IS_LAST) != 0) {
		back = (at->pages & ~IS_LAST) - 1;
	}
	return back <= page ? page - back : page;
}

bool lrd_alloc_window(const lrd_arena *arena, size_t size, uint32_t from, uint32_t *first, uint32_t *count)
{
	const size_t needed = pages_needed(size);
	if (needed > arena->pages) {
		return false;
	}
	uint32_t start = from < arena->pages ? start_of(arena, from) : 0;
	/* In the middle of a free run, whose start cannot be told: where it ends is found page by page. */
	uint64_t cost = 0, least = UINT64_MAX;
	uint32_t end = start;
	bool wrapped = false;
	for (unsigned looks = 0; looks < WINDOW_LOOKS || least == UINT64_MAX;) {
		if (end - start < needed) {
			if (end >= arena->pages) {
				if (wrapped) {
					break;
				}
				wrapped = true;
				start = end = 0;
				cost = 0;
				continue;
			}
			looks++;
			cost += used_bytes(arena, end);
			end += extent_of(arena, end);
			continue;
		}
		if (cost < least) {
			least = cost;
			*first = start;
			*count = end - start;
		}
		cost -= used_bytes(arena, start);
		start += extent_of(arena, start);
	}
	return least != UINT64_MAX;
}

/* ---- invariants ---- */

static bool is_sound_free(const lrd_arena *arena, uint32_t first)
{
	uint32_t count = page_of(arena, first)->pages;
	if ((first > 0 && page_of(arena, first - 1)->kind == PAGE_FREE)
		|| (count > 1 && page_of(arena, first + count - 1)->pages != (count | IS_LAST))) {
		return false;
	}
	for (uint32_t page = first; page < first + count; page++) {
		bool is_end = page == first || page == first + count - 1;
		if (page_of(arena, page)->kind != PAGE_FREE || (!is_end && page_of(arena, page)->pages != 0)) {
			return false;
		}
	}
	return true;
}

static bool is_sound_head(const lrd_arena *arena, uint32_t first)
{
	const lrd_page *head = page_of(arena, first);
	if (head->pages == 0 || head->pages > arena->pages - first) {
		return false;
	}
	if (head->kind == PAGE_FREE) {
		return is_sound_free(arena, first);
	}
	if (head->kind == PAGE_SPAN) {
		return is_believable(arena, first) && head->used != 0 && (head->used & ~all_used(head->size_class)) == 0;
	}
	return head->kind == PAGE_RUN && head->used == 1 && is_believable(arena, first);
}

/* How many heads the list holds, or LRD_ALLOC_NONE. A ring cannot pass: one of it would have two before it. */
static uint32_t listed(const lrd_arena *arena, uint32_t first, uint8_t kind, unsigned number)
{
	uint32_t count = 0, newer = LRD_ALLOC_NONE;
	for (uint32_t page = first; page != LRD_ALLOC_NONE; page = page_of(arena, page)->older) {
		if (page >= arena->pages) {
			return LRD_ALLOC_NONE;
		}
		const lrd_page *head = page_of(arena, page);
		bool fits = kind == PAGE_FREE ? bin_of(head->pages) == number
			: head->size_class == number && head->used != all_used(head->size_class);
		if (head->kind != kind || !fits || head->newer != newer) {
			return LRD_ALLOC_NONE;
		}
		newer = page;
		count++;
	}
	return count;
}

bool lrd_arena_is_sound(const lrd_arena *arena)
{
	uint32_t free_pages = 0, partial[CLASSES] = { 0 }, runs[LRD_ALLOC_BINS] = { 0 };
	uint64_t used = 0;
	for (uint32_t page = 0; page < arena->pages; page += page_of(arena, page)->pages) {
		if (!is_sound_head(arena, page)) {
			return false;
		}
		const lrd_page *head = page_of(arena, page);
		used += used_bytes(arena, page);
		if (head->kind == PAGE_FREE) {
			free_pages += head->pages;
			runs[bin_of(head->pages)]++;
		} else if (head->kind == PAGE_SPAN && head->used != all_used(head->size_class)) {
			partial[head->size_class]++;
		}
	}
	for (uint8_t size_class = 0; size_class < CLASSES; size_class++) {
		if (listed(arena, arena->partial[size_class], PAGE_SPAN, size_class) != partial[size_class]) {
			return false;
		}
	}
	for (unsigned bin = 0; bin < LRD_ALLOC_BINS; bin++) {
		if (listed(arena, arena->free_runs[bin], PAGE_FREE, bin) != runs[bin]
			|| (arena->bins >> bin & 1) != (runs[bin] > 0)) {
			return false;
		}
	}
	return free_pages == arena->free_pages && used == arena->used_bytes && arena->broken == 0;
}

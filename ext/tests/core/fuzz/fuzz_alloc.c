/*
 * The input drives take, give and rebuild of a small arena; a shadow that knows the owner of every granule sees an
 * overlap, lrd_arena_is_sound() the rest. Rebuilds meet a table in which all that a death may leave undone is the
 * input's.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../../core/shm/lrd_alloc.h"

enum { PAGES = 24, STEPS = 64, GRANULES = PAGES * (LRD_ALLOC_PAGE / LRD_ALLOC_GRANULE), BLOCKS = 256 };

typedef struct block {
	uint32_t place;
	size_t size;
} block;

typedef struct input {
	const uint8_t *bytes;
	size_t left;
} input;

static union {
	lrd_arena arena;
	char room[sizeof(lrd_arena) + PAGES * sizeof(lrd_page) + 64];
} memory;

static block blocks[BLOCKS];
static unsigned count;
static uint8_t owned[GRANULES];

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool holds)
{
	if (!holds) {
		__builtin_trap();
	}
}

static uint32_t draw(input *in)
{
	uint32_t value = 0;
	size_t length = in->left < 2 ? in->left : 2;
	memcpy(&value, in->bytes, length);
	in->bytes += length;
	in->left -= length;
	return value;
}

static void give_block(lrd_arena *arena, uint32_t block)
{
	lrd_place place;
	if (lrd_alloc_find(arena, block, &place)) {
		lrd_alloc_give(arena, place);
	}
}

static void set_owner(block b, uint8_t from, uint8_t to)
{
	size_t granules = lrd_alloc_rounded(b.size) / LRD_ALLOC_GRANULE;
	require(b.place + granules <= GRANULES);
	uint8_t *first = owned + b.place;
	require(*first == from && memcmp(first, first + 1, granules - 1) == 0);
	memset(first, to, granules);
}

static bool take(size_t size)
{
	block b = { .place = lrd_alloc_take(&memory.arena, size), .size = size };
	if (b.place == LRD_ALLOC_NONE) {
		return false;
	}
	require(lrd_alloc_room(&memory.arena, b.place) >= size);
	b.size = lrd_alloc_room(&memory.arena, b.place);
	set_owner(b, 0, 1);
	blocks[count++] = b;
	return true;
}

static void give(unsigned index)
{
	set_owner(blocks[index], 1, 0);
	give_block(&memory.arena, blocks[index].place);
	blocks[index] = blocks[--count];
}

static void spoil(input *in)
{
	lrd_page *pages = (lrd_page *) (&memory.arena + 1);
	uint32_t page = draw(in) % PAGES;
	pages[page].newer = draw(in);
	pages[page].older = draw(in);
	/* Free, or inside of what was being taken or given back; a head's kind is written last. */
	if (pages[page].kind == 0) {
		pages[page].used = draw(in);
		pages[page].kind = (uint8_t) (draw(in) % 2 * 3);
		pages[page].pages = draw(in) % (2 * PAGES);
		pages[page].size_class = (uint8_t) draw(in);
	}
	memory.arena.partial[page % LRD_ALLOC_CLASSES] = draw(in);
	memory.arena.free_runs[page % LRD_ALLOC_BINS] = draw(in);
	memory.arena.bins = draw(in);
	memory.arena.free_pages = draw(in);
}

static void rebuild(input *in)
{
	for (unsigned times = draw(in) % 8; times > 0; times--) {
		spoil(in);
	}
	lrd_arena_rebuild_begin(&memory.arena);
	for (unsigned times = draw(in) % 4; times > 0 && count > 0; times--) {
		unsigned index = draw(in) % count;
		set_owner(blocks[index], 1, 0);
		lrd_arena_rebuild_drop(&memory.arena, blocks[index].place);
		lrd_arena_rebuild_drop(&memory.arena, draw(in) * 256 + 1);
		blocks[index] = blocks[--count];
	}
	uint32_t at = 0, steps = UINT32_MAX;
	unsigned met = 0;
	for (uint32_t block; (block = lrd_alloc_next(&memory.arena, &at, &steps)) != LRD_ALLOC_NONE; met++) {
		require(owned[block] == 1);
	}
	require(met == count);
	lrd_arena_rebuild_end(&memory.arena);
}

static void make_room(size_t size, uint32_t from)
{
	uint32_t first, pages;
	if (!lrd_alloc_window(&memory.arena, size, from % PAGES, &first, &pages)) {
		require(size > PAGES * LRD_ALLOC_PAGE);
		return;
	}
	require(first + pages <= PAGES);
	for (unsigned index = count; index-- > 0; ) {
		uint32_t head = blocks[index].place / 256;
		uint32_t tail =
			(uint32_t) ((blocks[index].place + lrd_alloc_rounded(blocks[index].size) / LRD_ALLOC_GRANULE - 1) / 256);
		if (tail >= first && head < first + pages) {
			give(index);
		}
	}
	require(count == BLOCKS || size > lrd_alloc_largest(PAGES) || take(size));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	input in = { bytes, size };
	lrd_arena_init(&memory.arena, PAGES);
	memset(owned, 0, sizeof owned);
	count = 0;
	for (unsigned step = 0; step < STEPS && in.left > 0; step++) {
		uint32_t what = draw(&in);
		if (what % 8 == 7) {
			rebuild(&in);
		} else if (what % 8 == 6) {
			make_room(draw(&in), what / 8);
		} else if (what % 8 >= 3 && count > 0) {
			give(what / 8 % count);
		} else if (count < BLOCKS) {
			size_t wanted = draw(&in);
			take(what % 8 == 0 ? wanted : wanted % 2048);
		}
		require(lrd_arena_is_sound(&memory.arena));
	}
	return 0;
}

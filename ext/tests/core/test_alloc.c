/* The allocator against a model that remembers every byte that was handed out. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../../core/shm/lrd_alloc.h"

enum { PAGES = 256, GRANULES = PAGES * (LRD_ALLOC_PAGE / LRD_ALLOC_GRANULE), BLOCKS = 4096 };

typedef struct block {
	uint32_t place;
	size_t size;
} block;

typedef struct world {
	lrd_arena *arena;
	uint8_t owned[GRANULES];
	block blocks[BLOCKS];
	uint32_t count;
	uint64_t used_bytes;
	uint64_t seed;
} world;

static uint32_t draw(world *w, uint32_t below)
{
	w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t) (w->seed >> 33) % below;
}

static lrd_page *table(lrd_arena *arena)
{
	return (lrd_page *) (arena + 1);
}

static int make_world(void **state)
{
	world *w = calloc(1, sizeof *w);
	w->arena = malloc(lrd_arena_size(PAGES));
	memset(w->arena, 0xa5, lrd_arena_size(PAGES));
	lrd_arena_init(w->arena, PAGES);
	w->seed = 20240607;
	*state = w;
	return 0;
}

static int end_world(void **state)
{
	world *w = *state;
	free(w->arena);
	free(w);
	return 0;
}

static void give_block(lrd_arena *arena, uint32_t block)
{
	lrd_place place;
	if (lrd_alloc_find(arena, block, &place)) {
		lrd_alloc_give(arena, place);
	}
}

static void set_owner(world *w, block b, uint8_t from, uint8_t to)
{
	uint32_t granules = (uint32_t) (lrd_alloc_rounded(b.size) / LRD_ALLOC_GRANULE);
	assert_true(b.place + granules <= GRANULES);
	for (uint32_t granule = b.place; granule < b.place + granules; granule++) {
		assert_int_equal(w->owned[granule], from);
		w->owned[granule] = to;
	}
}

static bool take(world *w, size_t size)
{
	if (w->count == BLOCKS) {
		return false;
	}
	block b = { .place = lrd_alloc_take(w->arena, size), .size = size };
	if (b.place == LRD_ALLOC_NONE) {
		return false;
	}
	/* Where there is no other, a larger block does. */
	size_t room = lrd_alloc_room(w->arena, b.place);
	assert_in_range(room, lrd_alloc_rounded(size), 2 * lrd_alloc_rounded(size));
	b.size = room;
	set_owner(w, b, 0, 1);
	w->used_bytes += room;
	w->blocks[w->count++] = b;
	return true;
}

static void give(world *w, uint32_t index)
{
	block b = w->blocks[index];
	set_owner(w, b, 1, 0);
	w->used_bytes -= lrd_alloc_rounded(b.size);
	assert_int_equal(lrd_alloc_room(w->arena, b.place), lrd_alloc_rounded(b.size));
	give_block(w->arena, b.place);
	w->blocks[index] = w->blocks[--w->count];
}

static void check(const world *w)
{
	assert_true(lrd_arena_is_sound(w->arena));
	assert_int_equal(w->arena->used_bytes, w->used_bytes);
}

static size_t any_size(world *w)
{
	switch (draw(w, 8)) {
		case 0: return draw(w, 20 * LRD_ALLOC_PAGE) + 1;
		case 1: case 2: return draw(w, LRD_ALLOC_SMALL) + 1;
		default: return draw(w, 1500) + 1;
	}
}

static void rebuild(world *w)
{
	lrd_arena_rebuild_begin(w->arena);
	uint32_t at = 0, steps = UINT32_MAX, met = 0;
	for (uint32_t block; (block = lrd_alloc_next(w->arena, &at, &steps)) != LRD_ALLOC_NONE; met++) {
		if (w->owned[block] == 0) {
			lrd_arena_rebuild_drop(w->arena, block);
			met--;
		}
	}
	assert_int_equal(met, w->count);
	lrd_arena_rebuild_end(w->arena);
	check(w);
}

static void churn(world *w, unsigned steps)
{
	for (unsigned step = 0; step < steps; step++) {
		bool fill = draw(w, 100) < (step / 500 % 2 == 0 ? 70u : 35u);
		if ((fill && take(w, any_size(w))) || w->count == 0) {
			check(w);
			continue;
		}
		give(w, draw(w, w->count));
		check(w);
	}
}

static void an_empty_arena_is_sound(void **state)
{
	world *w = *state;
	check(w);
	assert_int_equal(w->arena->free_pages, PAGES);
	assert_int_equal(lrd_arena_size(PAGES) % 64, 0);
	assert_true(lrd_arena_size(PAGES) >= sizeof(lrd_arena) + PAGES * sizeof(lrd_page));
	assert_int_equal(lrd_alloc_largest(PAGES), PAGES * LRD_ALLOC_PAGE / 2);
}

static void an_arena_without_pages_gives_nothing(void **state)
{
	(void) state;
	lrd_arena *arena = malloc(lrd_arena_size(0));
	lrd_arena_init(arena, 0);
	assert_true(lrd_arena_is_sound(arena));
	assert_int_equal(lrd_alloc_take(arena, 0), LRD_ALLOC_NONE);
	assert_int_equal(lrd_alloc_take(arena, 1), LRD_ALLOC_NONE);
	uint32_t first, count;
	assert_false(lrd_alloc_window(arena, 1, 0, &first, &count));
	free(arena);
}

static void rounding_wastes_at_most_a_third(void **state)
{
	(void) state;
	size_t last = 0;
	for (size_t size = 1; size <= 3 * LRD_ALLOC_SMALL; size++) {
		size_t rounded = lrd_alloc_rounded(size);
		assert_true(rounded >= size && rounded >= last);
		assert_int_equal(rounded % LRD_ALLOC_GRANULE, 0);
		assert_int_equal(lrd_alloc_rounded(rounded), rounded);
		assert_true(size < 64 || 3 * rounded <= 4 * size + 3 * LRD_ALLOC_GRANULE);
		last = rounded;
	}
	assert_int_equal(lrd_alloc_rounded(1), 64);
	assert_int_equal(lrd_alloc_rounded(LRD_ALLOC_SMALL), LRD_ALLOC_SMALL);
	assert_int_equal(lrd_alloc_rounded(LRD_ALLOC_SMALL + 1), LRD_ALLOC_SMALL + LRD_ALLOC_PAGE);
}

/* Fills the whole arena with blocks of each size in turn. */
static void every_class_fills_the_arena_well(void **state)
{
	world *w = *state;
	for (size_t size = 1; size <= LRD_ALLOC_SMALL; size = lrd_alloc_rounded(size) + 1) {
		while (take(w, size)) {
			assert_true(w->count <= BLOCKS);
		}
		check(w);
		if (w->count < BLOCKS) {
			uint64_t spans = (uint64_t) (PAGES - w->arena->free_pages) * LRD_ALLOC_PAGE;
			assert_true(w->used_bytes >= spans - spans / 8);
			assert_true(w->arena->free_pages < 16);
		}
		while (w->count > 0) {
			give(w, w->count - 1);
		}
		check(w);
		assert_int_equal(w->arena->free_pages, PAGES);
	}
}

static void the_largest_block_fits_and_one_byte_more_does_not(void **state)
{
	world *w = *state;
	size_t largest = lrd_alloc_largest(PAGES);
	assert_true(take(w, largest));
	assert_true(take(w, largest));
	assert_int_equal(w->arena->free_pages, 0);
	assert_int_equal(lrd_alloc_take(w->arena, 1), LRD_ALLOC_NONE);
	give(w, 0);
	assert_int_equal(lrd_alloc_take(w->arena, largest + 1), LRD_ALLOC_NONE);
	assert_int_equal(lrd_alloc_take(w->arena, SIZE_MAX), LRD_ALLOC_NONE);
	assert_true(take(w, largest));
	check(w);
}

static void spans_come_from_below_and_runs_from_above(void **state)
{
	world *w = *state;
	assert_int_equal(lrd_alloc_take(w->arena, 100), 0);
	uint32_t run = lrd_alloc_take(w->arena, LRD_ALLOC_SMALL + 1);
	assert_int_equal(run, GRANULES - 9 * (LRD_ALLOC_PAGE / LRD_ALLOC_GRANULE));
	assert_true(lrd_arena_is_sound(w->arena));
}

static void random_use_never_overlaps(void **state)
{
	world *w = *state;
	churn(w, 20000);
	while (w->count > 0) {
		give(w, draw(w, w->count));
		check(w);
	}
	assert_int_equal(w->arena->free_pages, PAGES);
}

static void a_block_given_twice_or_never_taken_changes_nothing(void **state)
{
	world *w = *state;
	uint32_t small = lrd_alloc_take(w->arena, 100), other = lrd_alloc_take(w->arena, 100);
	uint32_t run = lrd_alloc_take(w->arena, 50000);
	uint64_t used = w->arena->used_bytes;
	give_block(w->arena, small + 1);
	give_block(w->arena, run + 256);
	give_block(w->arena, GRANULES + 7);
	give_block(w->arena, LRD_ALLOC_NONE);
	assert_int_equal(lrd_alloc_room(w->arena, small + 1), 0);
	assert_int_equal(w->arena->used_bytes, used);
	give_block(w->arena, small);
	used = w->arena->used_bytes;
	give_block(w->arena, small);
	assert_int_equal(lrd_alloc_room(w->arena, small), 0);
	assert_int_equal(w->arena->used_bytes, used);
	assert_true(lrd_arena_is_sound(w->arena));
	give_block(w->arena, other);
	give_block(w->arena, run);
	assert_int_equal(w->arena->free_pages, PAGES);
}

static void assert_same(const lrd_arena *a, const lrd_arena *b)
{
	assert_int_equal(a->free_pages, b->free_pages);
	assert_int_equal(a->used_bytes, b->used_bytes);
	const lrd_page *left = (const lrd_page *) (a + 1), *right = (const lrd_page *) (b + 1);
	for (uint32_t page = 0; page < a->pages; page += left[page].pages) {
		assert_int_equal(left[page].kind, right[page].kind);
		assert_int_equal(left[page].pages, right[page].pages);
		if (left[page].kind != 0) {
			assert_int_equal(left[page].used, right[page].used);
			assert_int_equal(left[page].size_class, right[page].size_class);
		}
	}
	for (unsigned size_class = 0; size_class < LRD_ALLOC_CLASSES; size_class++) {
		assert_int_equal(a->partial[size_class] == LRD_ALLOC_NONE, b->partial[size_class] == LRD_ALLOC_NONE);
	}
}

static void a_rebuild_makes_the_same_arena(void **state)
{
	world *w = *state;
	lrd_arena *before = malloc(lrd_arena_size(PAGES));
	for (unsigned round = 0; round < 30; round++) {
		churn(w, 300);
		memcpy(before, w->arena, lrd_arena_size(PAGES));
		rebuild(w);
		assert_same(before, w->arena);
	}
	free(before);
}

/* All but the heads of spans and runs, their `used` and what lies inside them a death may leave in any state. */
static void a_rebuild_believes_no_list_and_no_count(void **state)
{
	world *w = *state;
	for (unsigned round = 0; round < 30; round++) {
		churn(w, 300);
		w->arena->free_pages = draw(w, UINT32_MAX);
		w->arena->used_bytes = draw(w, UINT32_MAX);
		for (unsigned size_class = 0; size_class < LRD_ALLOC_CLASSES; size_class++) {
			w->arena->partial[size_class] = draw(w, 2 * PAGES);
		}
		lrd_page *pages = table(w->arena);
		for (uint32_t page = 0; page < PAGES; page++) {
			bool is_free = pages[page].kind == 0;
			pages[page].newer = draw(w, 2 * PAGES);
			pages[page].older = draw(w, 2 * PAGES);
			/* Inside and behind what was being taken or given back: never a head, whose kind is written last. */
			if (is_free) {
				pages[page].used = w->seed;
				pages[page].kind = (uint8_t) (draw(w, 2) * 3);
				pages[page].pages = draw(w, 12);
				pages[page].size_class = (uint8_t) draw(w, 256);
			}
		}
		rebuild(w);
	}
}

static void a_rebuild_frees_what_is_dropped(void **state)
{
	world *w = *state;
	churn(w, 1000);
	while (w->count > 3) {
		block b = w->blocks[--w->count];
		set_owner(w, b, 1, 0);
		w->used_bytes -= lrd_alloc_rounded(b.size);
	}
	rebuild(w);
	while (w->count > 0) {
		give(w, 0);
	}
	assert_int_equal(w->arena->free_pages, PAGES);
}

static void heads_that_overlap_or_cannot_be_are_not_believed(void **state)
{
	world *w = *state;
	uint32_t run = lrd_alloc_take(w->arena, 50000), span = lrd_alloc_take(w->arena, 5000);
	lrd_page *pages = table(w->arena);
	uint32_t first = run / 256;
	pages[first + 3] = pages[first];
	pages[first + 3].pages = PAGES - (first + 3);
	pages[span / 256].size_class = 255;
	lrd_arena_rebuild_begin(w->arena);
	uint32_t at = 0, steps = UINT32_MAX, blocks = 0;
	while (lrd_alloc_next(w->arena, &at, &steps) != LRD_ALLOC_NONE) {
		blocks++;
	}
	assert_in_range(blocks, 0, 1);
	lrd_arena_rebuild_end(w->arena);
	assert_true(lrd_arena_is_sound(w->arena));
}

/* However few steps at a time, and wherever the arena changes meanwhile, what stays is met once. */
static void a_walk_in_steps_meets_what_stays_once(void **state)
{
	world *w = *state;
	churn(w, 2000);
	uint32_t kept = w->count, met = 0, at = 0, last = LRD_ALLOC_NONE;
	static uint8_t times[GRANULES];
	memset(times, 0, sizeof times);
	while (at < lrd_alloc_end(w->arena)) {
		uint32_t steps = 1 + draw(w, 5), before = at;
		uint32_t block = lrd_alloc_next(w->arena, &at, &steps);
		assert_true(at > before);
		if (block != LRD_ALLOC_NONE) {
			assert_true(last == LRD_ALLOC_NONE || block > last);
			last = block;
			times[block]++;
		}
		if (draw(w, 2) == 0 && take(w, any_size(w)) && draw(w, 2) == 0) {
			give(w, w->count - 1);
		}
	}
	for (uint32_t index = 0; index < kept; index++) {
		met += times[w->blocks[index].place] == 1;
	}
	assert_int_equal(met, kept);
	check(w);
}

static bool is_in(block b, uint32_t first, uint32_t count)
{
	uint32_t from = b.place / 256;
	uint32_t to = (uint32_t) ((b.place + lrd_alloc_rounded(b.size) / LRD_ALLOC_GRANULE - 1) / 256);
	return to >= first && from < first + count;
}

static void an_emptied_window_makes_room(void **state)
{
	world *w = *state;
	uint32_t from = 0;
	for (unsigned round = 0; round < 300; round++) {
		while (take(w, any_size(w))) {
		}
		size_t size = draw(w, 3) == 0 ? lrd_alloc_largest(PAGES) - draw(w, 200000) : any_size(w);
		uint32_t first, count;
		assert_true(lrd_alloc_window(w->arena, size, from, &first, &count));
		assert_true(first + count <= PAGES);
		for (uint32_t index = w->count; index-- > 0; ) {
			if (is_in(w->blocks[index], first, count)) {
				give(w, index);
			}
		}
		check(w);
		assert_true(take(w, size));
		from = first;
	}
	uint32_t first, count;
	assert_true(lrd_alloc_window(w->arena, PAGES * LRD_ALLOC_PAGE, 0, &first, &count));
	assert_int_equal(count, PAGES);
	assert_false(lrd_alloc_window(w->arena, PAGES * LRD_ALLOC_PAGE + 1, 0, &first, &count));
}

static void the_cheapest_window_wins_and_equals_take_turns(void **state)
{
	world *w = *state;
	uint32_t runs[8];
	for (unsigned index = 0; index < 8; index++) {
		runs[index] = lrd_alloc_take(w->arena, 32 * LRD_ALLOC_PAGE);
	}
	assert_int_equal(w->arena->free_pages, 0);
	uint32_t first, count, from = 0;
	for (uint32_t turn = 0; turn < 16; turn++) {
		assert_true(lrd_alloc_window(w->arena, 20 * LRD_ALLOC_PAGE, from, &first, &count));
		assert_int_equal(first, turn % 8 * 32);
		assert_int_equal(count, 32);
		from = first + count;
	}
	give_block(w->arena, runs[2]);
	lrd_alloc_take(w->arena, 100);
	assert_true(lrd_alloc_window(w->arena, LRD_ALLOC_PAGE * 32, 0, &first, &count));
	assert_int_equal(first, runs[2] / 256);
	assert_int_equal(count, 32);
}

static void damage_is_seen(void **state)
{
	world *w = *state;
	churn(w, 1300);
	assert_true(take(w, 100));
	lrd_page *pages = table(w->arena);
	w->arena->free_pages++;
	assert_false(lrd_arena_is_sound(w->arena));
	w->arena->free_pages--;
	w->arena->used_bytes += 16;
	assert_false(lrd_arena_is_sound(w->arena));
	w->arena->used_bytes -= 16;
	for (uint32_t page = 0; page < PAGES; page += pages[page].pages) {
		lrd_page kept = pages[page];
		pages[page].pages = 0;
		assert_false(lrd_arena_is_sound(w->arena));
		pages[page] = kept;
		pages[page].kind = 3;
		assert_false(lrd_arena_is_sound(w->arena));
		pages[page] = kept;
	}
	for (unsigned size_class = 0; size_class < LRD_ALLOC_CLASSES; size_class++) {
		if (w->arena->partial[size_class] != LRD_ALLOC_NONE) {
			uint32_t span = w->arena->partial[size_class];
			w->arena->partial[size_class] = LRD_ALLOC_NONE;
			assert_false(lrd_arena_is_sound(w->arena));
			w->arena->partial[size_class] = span;
			pages[span].older = span;
			assert_false(lrd_arena_is_sound(w->arena));
			return;
		}
	}
	fail();
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_world, end_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_empty_arena_is_sound),
		TEST(an_arena_without_pages_gives_nothing),
		TEST(rounding_wastes_at_most_a_third),
		TEST(every_class_fills_the_arena_well),
		TEST(the_largest_block_fits_and_one_byte_more_does_not),
		TEST(spans_come_from_below_and_runs_from_above),
		TEST(random_use_never_overlaps),
		TEST(a_block_given_twice_or_never_taken_changes_nothing),
		TEST(a_rebuild_makes_the_same_arena),
		TEST(a_rebuild_believes_no_list_and_no_count),
		TEST(a_rebuild_frees_what_is_dropped),
		TEST(heads_that_overlap_or_cannot_be_are_not_believed),
		TEST(a_walk_in_steps_meets_what_stays_once),
		TEST(an_emptied_window_makes_room),
		TEST(the_cheapest_window_wins_and_equals_take_turns),
		TEST(damage_is_seen),
	};
	return cmocka_run_group_tests_name("alloc", tests, NULL, NULL);
}

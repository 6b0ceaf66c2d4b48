/*
 * Random bytes are written into a segment that is in use: to what leads to the values, and to the values. Readers and
 * writers go on: what is read is right or a miss, a write is done or refused, nothing crashes, hangs or touches memory
 * beside the segment; and a shard that a write has found damaged takes new values again. LARDER_ROUNDS asks for more
 * rounds than usual, LARDER_ROUND for one of them, in this process.
 */
#define _GNU_SOURCE
#include "store_calls.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 96 * LRD_SEGMENT_PAGE, FENCE = 1 << 20, ROUNDS = 900, READ_ROUNDS = 1000 };
enum { WRONG_READ = 20, NOT_REPAIRED = 21, NO_STORE = 22 };

static uint64_t next_random(uint64_t *seed)
{
	/* Marsaglia's xorshift64. */
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	return *seed ^= *seed << 17;
}

static uint64_t seed_of(uint64_t round)
{
	return (round + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Some bytes, each anything, at random places of an area; or a run of them. */
static void spoil(void *start, size_t size, uint64_t *seed)
{
	char *area = start;
	size_t count = 1 + next_random(seed) % (next_random(seed) % 4 == 0 ? size : size < 64 ? size : 64);
	size_t first = next_random(seed) % size;
	bool is_run = next_random(seed) % 2 == 0;
	for (size_t step = 0; step < count; step++) {
		size_t at = (is_run ? first + step : next_random(seed)) % size;
		area[at] = (char) next_random(seed);
	}
}

/* With memory on both sides that cannot be touched. */
static lrd_store *open_fenced(void)
{
	lrd_store_options options = {
		.segment = {.size = SIZE, .base = LRD_SEGMENT_BASE}, .shards = 1, .slots = 16, .lock_ms = 1};
	char why[LRD_SEGMENT_WHY];
	lrd_store *store;
	if (lrd_store_open(&options, &store, why) != LRD_OK) {
		return NULL;
	}
	char *start = (char *) store->segment.header;
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
	(void) mmap(start - FENCE, FENCE, PROT_NONE, flags, -1, 0);
	(void) mmap(start + SIZE, FENCE, PROT_NONE, flags, -1, 0);
	return store;
}

/* Full of values; some of what was removed is kept by a reader. */
static bool fill(lrd_store *store, lrd_store *reader)
{
	if (lrd_store_pin(reader) != LRD_OK) {
		return false;
	}
	for (int number = 0; number < KEYS; number++) {
		fill_one(store, number);
		if (number % 40 == 0) {
			lrd_store_delete(store, key_of("key", number / 2));
		}
	}
	return true;
}

/* ---- where ---- */

typedef enum area { STATE, ARENA, PAGES, BUCKETS, SHARD, LINKS, EPOCHS, LOCKS, VALUES, AREAS } area;

static const char *const names[AREAS] = {
	"state", "arena", "page table", "buckets", "shard", "links of records", "epochs", "locks", "values"};

/* What is written to these may be what a reader gets, or what nobody may take. */
static bool is_of_values(area where)
{
	return where == VALUES;
}

static bool may_be_refused(area where)
{
	return where == LOCKS || where == SHARD || where == EPOCHS || where == VALUES;
}

/* The indexes by which records lead to others. */
static void spoil_links(lrd_shard *shard, uint64_t *seed)
{
	for (uint64_t left = 1 + next_random(seed) % 16; left > 0; left--) {
		uint32_t at = (uint32_t) (next_random(seed) % lrd_alloc_end(shard->arena)), index = next_record(shard, &at);
		if (index != LRD_RECORD_NONE) {
			lrd_record *record = lrd_shard_record(shard, index);
			uint32_t *fields[] = {&record->older, &record->newer, (uint32_t *) &record->next};
			*fields[next_random(seed) % 3] = (uint32_t) next_random(seed)
				% (next_random(seed) % 2 == 0 ? UINT32_MAX : shard->table.count + 2);
		}
	}
}

/* A mutex that is held stands in a list of the C library, whose ends nobody can check: those are left out. */
static void spoil_locks(lrd_store *store, uint64_t *seed)
{
	spoil(&store->shard[0].state->lock, sizeof(lrd_lock), seed);
	spoil(&store->head->stripe[next_random(seed) % LRD_STRIPES].lock, sizeof(lrd_lock), seed);
	lrd_slot *slot = &store->reader.epochs->slots[2 + next_random(seed) % 14];
	spoil(slot, sizeof *slot, seed);
}

static void spoil_epochs(lrd_store *store, uint64_t *seed)
{
	lrd_epochs *epochs = store->reader.epochs;
	spoil(epochs, offsetof(lrd_epochs, slots), seed);
	lrd_slot *slot = &epochs->slots[next_random(seed) % 16];
	spoil((char *) slot + offsetof(lrd_slot, epoch), sizeof *slot - offsetof(lrd_slot, epoch), seed);
}

static void spoil_area(lrd_store *store, area where, uint64_t *seed)
{
	lrd_shard *shard = &store->shard[0];
	char *state = (char *) shard->state, *behind_lock = state + offsetof(lrd_shard_state, last_version);
	switch (where) {
		case STATE: spoil(behind_lock, sizeof(lrd_shard_state) - offsetof(lrd_shard_state, last_version), seed); break;
		case ARENA: spoil(shard->arena, sizeof(lrd_arena), seed); break;
		case PAGES: spoil(shard->arena + 1, lrd_shard_pages(shard) * sizeof(lrd_page), seed); break;
		case BUCKETS: spoil(shard->table.buckets, shard->table.bucket_count * sizeof(lrd_bucket), seed); break;
		case SHARD: spoil(state, store->layout.shard_size, seed); break;
		case LINKS: spoil_links(shard, seed); break;
		case EPOCHS: spoil_epochs(store, seed); break;
		case LOCKS: spoil_locks(store, seed); break;
		default: spoil(store->values, store->values_size, seed); break;
	}
}

/* ---- writers ---- */

static bool takes_new_values(lrd_store *store)
{
	lrd_found found;
	bool takes = false;
	/* The first may find the damage, and the second repairs it. */
	for (int tries = 0; tries < 8 && !takes; tries++) {
		takes = put_int(store, key("last"), 7) == LRD_OK && put_filled(store, key("last%d", 1), 'x', 200) == LRD_OK;
	}
	return takes && lrd_store_pin(store) == LRD_OK && lrd_store_get(store, key("last"), &found) == LRD_OK
		&& found.word == 7;
}

static int run(uint64_t round)
{
	const area where = (area) (round % AREAS);
	uint64_t seed = seed_of(round);
	lrd_store *store = open_fenced(), *reader = store != NULL ? lrd_store_join(store) : NULL;
	if (reader == NULL || !fill(store, reader)) {
		return NO_STORE;
	}
	unsigned hits;
	const unsigned first = (unsigned) (next_random(&seed) % CALLS), times = 1 + (unsigned) (next_random(&seed) % 3);
	for (unsigned time = 0; time < times; time++) {
		spoil_area(store, where, &seed);
		for (unsigned call = 0; call < CALLS; call++) {
			calls[(first + call) % CALLS](store);
			if (!all_are_right(store, &hits) && !is_of_values(where)) {
				return WRONG_READ;
			}
		}
	}
	lrd_store_unpin(reader);
	return takes_new_values(store) || may_be_refused(where) ? 0 : NOT_REPAIRED;
}

/* One round a process: what is damaged stays so, and a hang is ended by the kernel. */
static int end_of_round(uint64_t round)
{
	pid_t child = fork();
	if (child == 0) {
		setrlimit(RLIMIT_CPU, &(struct rlimit) {.rlim_cur = 20, .rlim_max = 20});
		setrlimit(RLIMIT_CORE, &(struct rlimit) {0});
		/* Where the test's own library would go on with the parent's work. */
		signal(SIGSEGV, SIG_DFL);
		signal(SIGBUS, SIG_DFL);
		_exit(run(round));
	}
	return end_of(child);
}

static void writers_meet_damage(void **state)
{
	(void) state;
	const char *chosen = getenv("LARDER_ROUND");
	if (chosen != NULL) {
		print_message("round %s: %d\n", chosen, run(strtoull(chosen, NULL, 10)));
		return;
	}
	const char *more = getenv("LARDER_ROUNDS");
	const uint64_t rounds = more != NULL ? strtoull(more, NULL, 10) : ROUNDS;
	unsigned failed = 0;
	for (uint64_t round = 0; round < rounds; round++) {
		int end = end_of_round(round);
		bool is_allowed = end == 0 || (end == WRONG && is_of_values((area) (round % AREAS)));
		if (!is_allowed) {
			print_message("round %u, %s: %d\n", (unsigned) round, names[round % AREAS], end);
			failed++;
		}
	}
	assert_int_equal(failed, 0);
}

/* ---- readers ---- */

/* What leads to values, all of which was written before: the header; state, page table and buckets of the shard. */
static void readers_meet_damage(void **state)
{
	(void) state;
	lrd_store *store = open_fenced();
	assert_non_null(store);
	for (int number = 0; number < KEYS; number++) {
		fill_one(store, number);
	}
	char *areas[] = {(char *) store->segment.header, (char *) store->shard[0].state};
	const size_t sizes[] = {sizeof(lrd_segment_header), store->layout.shard_size};
	unsigned most, hits, fewer = 0;
	assert_true(all_are_right(store, &most));
	assert_true(most > KEYS / 2);
	for (uint64_t round = 1; round <= READ_ROUNDS; round++) {
		uint64_t seed = seed_of(round);
		int which = round % 8 == 0 ? 0 : 1;
		char *before = malloc(sizes[which]);
		memcpy(before, areas[which], sizes[which]);
		spoil(areas[which], sizes[which], &seed);
		bool right = all_are_right(store, &hits);
		memcpy(areas[which], before, sizes[which]);
		free(before);
		if (!right) {
			fail_msg("round %u: a wrong value", (unsigned) round);
		}
		fewer += hits < most;
	}
	assert_true(fewer > 100);
	assert_true(all_are_right(store, &hits));
	assert_int_equal(hits, most);
	lrd_store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_meet_damage),
		cmocka_unit_test(writers_meet_damage),
	};
	return cmocka_run_group_tests_name("store_damage", tests, NULL, NULL);
}

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

/* ---- a value that looks like a record ---- */

typedef struct disguise {
	lrd_store *store;
	lrd_shard *shard;
	lrd_record value;                   /* what was stored: the head of a record that leads to `other` */
	uint32_t inside, other;             /* where that head would begin; another record, which is a real one */
} disguise;

static uint32_t index_of(const disguise *at, lrd_key key)
{
	const lrd_table *table = &at->shard->table;
	return lrd_table_find(table, lrd_store_hash(at->store, key), lrd_key_name(key), key.bytes);
}

static disguise disguised(lrd_state state)
{
	disguise at = {.store = open_fenced()};
	assert_non_null(at.store);
	at.shard = &at.store->shard[0];
	assert_int_equal(put_int(at.store, key("other"), 1), LRD_OK);
	at.other = index_of(&at, key("other"));
	at.value = (lrd_record) {.next = at.other, .older = at.other, .newer = at.other, .state = state, .visited = 1};
	/* Behind a key of four bytes a text begins where a record may begin. */
	const size_t size = offsetof(lrd_record, bytes);
	assert_int_equal(put_copied(at.store, key("text"), &at.value, size), LRD_OK);
	const uint32_t text = index_of(&at, key("text"));
	at.inside = text + lrd_value_at(LRD_TYPE_TEXT, 4, (uint32_t) size) / LRD_RECORD_GRANULE;
	assert_memory_equal(lrd_shard_record(at.shard, at.inside), &at.value, size);
	assert_int_equal(lrd_shard_lock(at.shard), LRD_OK);
	return at;
}

static void assert_untouched(disguise *at)
{
	lrd_found found;
	lrd_shard_unlock(at->shard);
	assert_int_equal(lrd_store_pin(at->store), LRD_OK);
	assert_int_equal(lrd_store_get(at->store, key("text"), &found), LRD_OK);
	assert_int_equal(found.size, offsetof(lrd_record, bytes));
	assert_memory_equal(found.bytes, &at->value, found.size);
	lrd_store_unpin(at->store);
	lrd_store_close(at->store);
}

static void a_chain_that_leads_into_a_value_writes_nothing_there(void **state)
{
	(void) state;
	disguise at = disguised(LRD_LIVE);
	lrd_bucket *bucket = lrd_table_bucket(&at.shard->table, lrd_shard_record(at.shard, at.other)->hash);
	memset(bucket, 0, sizeof *bucket);
	bucket->chain = at.inside;
	lrd_shard_remove_locked(at.shard, at.other);
	assert_untouched(&at);
}

static void neighbours_in_the_queue_that_are_a_value_get_no_write(void **state)
{
	(void) state;
	for (int is_newer = 0; is_newer < 2; is_newer++) {
		disguise at = disguised(LRD_LIVE);
		lrd_record *record = lrd_shard_record(at.shard, at.other);
		*(is_newer ? &record->newer : &record->older) = at.inside;
		lrd_shard_remove_locked(at.shard, at.other);
		assert_untouched(&at);
	}
}

static void the_search_for_a_victim_writes_nothing_to_a_value(void **state)
{
	(void) state;
	disguise at = disguised(LRD_LIVE);
	lrd_record *record = lrd_shard_record(at.shard, at.other);
	uint32_t looked = 0, victim;
	record->visited = 1;
	record->newer = at.inside;
	assert_false(lrd_sieve_victim_locked(&at.shard->state->live, &at.shard->table, &looked, &victim));
	assert_untouched(&at);
}

static void a_value_in_limbo_s_queue_is_not_freed(void **state)
{
	(void) state;
	disguise at = disguised(LRD_LIMBO);
	lrd_shard_unlock(at.shard);
	assert_int_equal(put_int(at.store, key("gone"), 1), LRD_OK);
	const uint32_t gone = index_of(&at, key("gone"));
	assert_int_equal(lrd_store_delete(at.store, key("gone")), LRD_OK);
	assert_int_equal(lrd_store_delete(at.store, key("other")), LRD_OK);
	assert_int_equal(lrd_shard_lock(at.shard), LRD_OK);
	assert_int_equal(at.shard->state->limbo.oldest, gone);
	lrd_shard_record(at.shard, gone)->newer = at.inside;
	lrd_shard_record(at.shard, at.inside)->older = 0;
	at.value.older = 0;
	lrd_shard_collect_locked(at.shard, true);
	lrd_shard_collect_locked(at.shard, true);
	assert_untouched(&at);
}

/* As after a block in limbo was given out again, since the page table said that it is free. */
static void limbo_that_lost_its_rest_is_found(void **state)
{
	(void) state;
	lrd_store *store = open_fenced();
	assert_non_null(store);
	lrd_shard *shard = &store->shard[0];
	for (int number = 0; number < 3; number++) {
		assert_int_equal(put_int(store, key_of("gone", number), number), LRD_OK);
		assert_int_equal(lrd_store_delete(store, key_of("gone", number)), LRD_OK);
	}
	assert_int_equal(lrd_shard_lock(shard), LRD_OK);
	assert_int_equal(shard->state->limbo.count, 3);
	assert_true(lrd_queue_append_locked(&shard->state->limbo, &shard->table, shard->state->limbo.oldest));
	lrd_shard_collect_locked(shard, true);
	lrd_shard_unlock(shard);
	assert_int_equal(lrd_shard_lock(shard), LRD_OK);
	lrd_shard_collect_locked(shard, true);
	assert_int_equal(shard->arena->used_bytes, 0);
	lrd_shard_unlock(shard);
	lrd_store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_meet_damage),
		cmocka_unit_test(writers_meet_damage),
		cmocka_unit_test(a_chain_that_leads_into_a_value_writes_nothing_there),
		cmocka_unit_test(neighbours_in_the_queue_that_are_a_value_get_no_write),
		cmocka_unit_test(the_search_for_a_victim_writes_nothing_to_a_value),
		cmocka_unit_test(a_value_in_limbo_s_queue_is_not_freed),
		cmocka_unit_test(limbo_that_lost_its_rest_is_found),
	};
	return cmocka_run_group_tests_name("store_damage", tests, NULL, NULL);
}

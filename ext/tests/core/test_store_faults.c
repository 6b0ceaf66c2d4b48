/*
 * A writer is killed at every fault point of the core. Each child keeps an account, in memory that survives it, of what
 * it was about to write and of what was acknowledged; afterwards every key must have one of these two states, and the
 * store must be sound and go on.
 */
#define _GNU_SOURCE
#include "store_world.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KEYS = 40, COUNTERS = 4, STEPS = 3000, NEVER_PASSED = 77 };

/* Every LRD_FAULT() of the core but the segment's own, which test_segment.c kills at. */
static const struct point {
	const char *name;
	bool locked;        /* the shard's lock is held there: its next owner recovers */
	bool frees;         /* is passed only when memory goes back, so not while a reader is pinned */
	bool recovers;      /* is in the recovery of an earlier death */
	bool loses;         /* what is being written over is lost */
} points[] = {
	{ "locked", true, false, false, false },
	{ "allocated", true, false, false, false },
	{ "pages_taken", true, false, false, false },
	{ "drafted", true, false, false, false },
	{ "writing", false, false, false, false },
	{ "written", false, false, false, false },
	{ "alive", true, false, false, false },
	{ "linked", true, false, false, false },
	{ "moving", true, false, false, false },
	{ "unlinked", true, false, false, false },
	{ "retired", true, false, false, false },
	{ "collecting", true, true, false, false },
	{ "freed", true, true, false, false },
	{ "pages_given", true, true, false, false },
	{ "overwriting", true, false, false, true },
	{ "overwritten", true, false, false, true },
	{ "counting", false, false, false, false },
	{ "leasing", true, false, false, false },
	{ "leased", true, false, false, false },
	{ "pinned", false, false, false, false },
	{ "recovering", true, false, true, false },
	{ "recovered", true, false, true, false },
};

enum { POINTS = sizeof points / sizeof points[0] };

/* A state is a generation, or 0 for a key that is not there. */
typedef struct account {
	_Atomic uint64_t intended[KEYS], acknowledged[KEYS];
	_Atomic int64_t adding[COUNTERS], added[COUNTERS];
	_Atomic uint32_t leasing;
} account;

typedef struct work {
	account *account;
	const char *name;
	unsigned passage;
	int signal;
	unsigned seed;
} work;

typedef struct stamp {
	uint64_t generation;
	uint32_t key, size;
} stamp;

static account *open_account(void)
{
	account *a = mmap(NULL, sizeof *a, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(a != MAP_FAILED);
	return a;
}

static lrd_status put_stamped(lrd_store *store, uint32_t name, uint64_t generation, size_t size)
{
	lrd_draft draft;
	lrd_key k = key("%u", name);
	stamp head = { generation, name, (uint32_t) size };
	if (generation % 2 == 1) {
		/* Copied by readers, and written over in place. */
		static char text[20000 + sizeof head];
		memset(text, (int) (generation & 0xff), size);
		memcpy(text, &head, sizeof head);
		return put_copied(store, k, text, size);
	}
	lrd_status status = lrd_store_draft(store, k, size, &draft);
	if (status != LRD_OK) {
		return status;
	}
	memset(draft.bytes, (int) (generation & 0xff), size);
	memcpy(draft.bytes, &head, sizeof head);
	return lrd_store_publish(store, k, &draft, &(lrd_value) { .type = TYPE_TEXT }, NULL);
}

static bool is_stamped(const lrd_found *found, uint32_t name, uint64_t *generation)
{
	stamp head;
	if (found->size < sizeof head) {
		return false;
	}
	memcpy(&head, found->bytes, sizeof head);
	*generation = head.generation;
	for (uint32_t at = sizeof head; at < found->size; at++) {
		if ((unsigned char) found->bytes[at] != (head.generation & 0xff)) {
			return false;
		}
	}
	return head.key == name && head.size == found->size;
}

static void write_one(lrd_store *store, account *a, uint32_t name, uint64_t generation, size_t size)
{
	atomic_store(&a->intended[name], generation);
	if (put_stamped(store, name, generation, size) == LRD_OK) {
		atomic_store(&a->acknowledged[name], generation);
	}
}

static void delete_one(lrd_store *store, account *a, uint32_t name)
{
	atomic_store(&a->intended[name], 0);
	lrd_status status = lrd_store_delete(store, key("%u", name));
	if (status == LRD_OK || status == LRD_MISS) {
		atomic_store(&a->acknowledged[name], 0);
	}
}

static void add_one(lrd_store *store, account *a, uint32_t name)
{
	int64_t sum;
	atomic_store(&a->adding[name], atomic_load(&a->added[name]) + 1);
	if (lrd_store_increment(store, key("counter %u", name), 1, &sum) == LRD_OK) {
		atomic_store(&a->added[name], sum);
	}
}

static void lease_one(lrd_store *store, account *a, uint32_t name)
{
	uint64_t token;
	atomic_store(&a->leasing, name);
	if (lrd_store_lease(store, key("lease %u", name), 600000, false, &token) == LRD_OK) {
		lrd_store_release(store, key("lease %u", name), token);
	}
}

static int write_until_killed(lrd_store *store, void *with)
{
	work *w = with;
	uint64_t generation = (uint64_t) w->seed << 32;
	lrd_fault_arm(w->name, w->passage, w->signal);
	for (unsigned step = 0; step < STEPS; step++) {
		uint32_t name = (uint32_t) rand_r(&w->seed) % KEYS, kind = (uint32_t) rand_r(&w->seed) % 20;
		size_t size = sizeof(stamp) + (size_t) rand_r(&w->seed) % (kind == 0 ? 20000 : 2500);
		lrd_store_pin(store);
		if (kind < 14) {
			/* Texts are mostly about as long as the one before, and so written over in place. */
			generation += kind < 10 ? 1 + generation % 2 : 1;
			write_one(store, w->account, name, generation, generation % 2 == 1 && kind < 10 ? 600 + size % 40 : size);
		} else if (kind < 16) {
			delete_one(store, w->account, name);
		} else if (kind < 18) {
			add_one(store, w->account, name % COUNTERS);
		} else {
			lease_one(store, w->account, name);
		}
		lrd_store_unpin(store);
	}
	return NEVER_PASSED;
}

static void fill(lrd_store *store, account *a)
{
	for (uint32_t name = 0; name < KEYS; name++) {
		write_one(store, a, name, name + 1, 500);
	}
	for (uint32_t name = 0; name < COUNTERS; name++) {
		assert_int_equal(put_int(store, key("counter %u", name), 0), LRD_OK);
	}
}

static void assert_accounted(lrd_store *store, account *a, bool may_be_evicted)
{
	lrd_found found;
	assert_int_equal(lrd_store_pin(store), LRD_OK);
	for (uint32_t name = 0; name < KEYS; name++) {
		uint64_t generation = 0;
		bool there = lrd_store_get(store, key("%u", name), &found) == LRD_OK;
		assert_true(!there || is_stamped(&found, name, &generation));
		if (there || !may_be_evicted) {
			assert_true(
				generation == atomic_load(&a->acknowledged[name]) || generation == atomic_load(&a->intended[name]));
		}
	}
	for (uint32_t name = 0; name < COUNTERS; name++) {
		bool there = lrd_store_get(store, key("counter %u", name), &found) == LRD_OK;
		assert_true(there || may_be_evicted);
		if (there) {
			assert_true((int64_t) found.word == atomic_load(&a->added[name])
				|| (int64_t) found.word == atomic_load(&a->adding[name]));
		}
	}
}

static void assert_goes_on(lrd_store *store, account *a)
{
	uint64_t token, generation;
	assert_int_equal(lrd_store_lease(store, key("lease %u", atomic_load(&a->leasing)), 1000, false, &token), LRD_OK);
	assert_int_equal(lrd_store_release(store, key("lease %u", atomic_load(&a->leasing)), token), LRD_OK);
	for (uint32_t round = 0; round < 20; round++) {
		for (uint32_t name = 0; name < KEYS; name++) {
			assert_int_equal(put_stamped(store, name, UINT64_MAX - round, 100 * round + name + sizeof(stamp)), LRD_OK);
			lrd_found found;
			assert_int_equal(lrd_store_pin(store), LRD_OK);
			assert_int_equal(lrd_store_get(store, key("%u", name), &found), LRD_OK);
			assert_true(is_stamped(&found, name, &generation) && generation == UINT64_MAX - round);
			lrd_store_unpin(store);
		}
	}
	assert_sound(store);
}

/* One bucket, whose places are all taken, for this process and its children. */
static void crowd(lrd_store *store)
{
	store->shard[0].table.bucket_count = 1;
}

static void kill_and_look(const struct point *point, unsigned passage, size_t size, bool pinned)
{
	lrd_store *store = open_store(size, 1, 100);
	account *a = open_account();
	bool roomy = size > 1 << 20;
	crowd(store);
	fill(store, a);
	lrd_found held;
	uint64_t generation;
	if (pinned) {
		assert_int_equal(lrd_store_pin(store), LRD_OK);
		assert_int_equal(lrd_store_get(store, key("3"), &held), LRD_OK);
	}
	unsigned dead = point->recovers ? 2 : 1;
	if (point->recovers) {
		const char *before[] = { "unlinked", "retired", "linked", "pages_taken" };
		work first = { a, before[passage % 4], passage, SIGKILL, passage };
		assert_int_equal(run_child(store, write_until_killed, &first), -SIGKILL);
	}
	/* Only a deletion of what has a place makes another move. */
	unsigned nth = point->recovers ? 1 : strcmp(point->name, "moving") == 0 ? 1 + passage / 4 : passage;
	work w = { a, point->name, nth, SIGKILL, passage + 1000 };
	int end = run_child(store, write_until_killed, &w);
	if (end == NEVER_PASSED) {
		fail_msg("the point \"%s\" is never passed %u times", point->name, nth);
	}
	assert_int_equal(end, -SIGKILL);
	assert_sound(store);
	assert_int_equal(totals(store).recoveries, point->locked ? 1 : 0);
	assert_accounted(store, a, !roomy || point->loses);
	if (pinned) {
		for (uint32_t at = 0; at < 300; at++) {
			put_filled(store, key("filler %u", at), 'X', 480);
		}
		assert_true(is_stamped(&held, 3, &generation) && generation == 4);
	}
	lrd_store_unpin(store);
	assert_goes_on(store, a);
	lrd_report report;
	lrd_store_report(store, &report);
	assert_in_range(report.reaped, 1, dead);
	assert_int_equal(report.slots_used, 1);
	munmap(a, sizeof *a);
	lrd_store_close(store);
}

static void a_death_at_any_point_in_a_roomy_store_loses_nothing(void **state)
{
	(void) state;
	for (size_t at = 0; at < POINTS; at++) {
		for (unsigned passage = 1; passage <= 13; passage += 4) {
			kill_and_look(&points[at], passage, 4 << 20, false);
		}
	}
}

static void a_death_at_any_point_in_a_full_store_loses_no_more_than_eviction_does(void **state)
{
	(void) state;
	for (size_t at = 0; at < POINTS; at++) {
		for (unsigned passage = 30; passage <= 130; passage += 50) {
			kill_and_look(&points[at], passage, 200 << 10, false);
		}
	}
}

static void what_is_read_survives_the_writers_death(void **state)
{
	(void) state;
	for (size_t at = 0; at < POINTS; at++) {
		for (unsigned passage = 1; passage <= 61 && !points[at].frees; passage += 20) {
			kill_and_look(&points[at], passage, 4 << 20, true);
		}
	}
}

static int replace_or_delete_held(lrd_store *store, void *with)
{
	work *w = with;
	lrd_fault_arm(w->name, 1, SIGKILL);
	if (w->passage == 0) {
		put_stamped(store, 3, 99, 500);
	} else {
		lrd_store_delete(store, key("3"));
	}
	return NEVER_PASSED;
}

/* The very value that is read is the one whose removal was cut off. */
static void what_is_read_survives_its_own_unfinished_removal(void **state)
{
	(void) state;
	const struct { const char *name; bool deleting;
	} cuts[] = {
		{ "alive", false },
		{ "linked", false },
		{ "unlinked", false },
		{ "unlinked", true },
		{ "retired", false },
		{ "retired", true },
	};
	for (size_t at = 0; at < sizeof cuts / sizeof cuts[0]; at++) {
		lrd_store *store = open_store(200 << 10, 1, 100);
		lrd_found held;
		uint64_t generation;
		assert_int_equal(put_stamped(store, 3, 4, 500), LRD_OK);
		assert_int_equal(lrd_store_pin(store), LRD_OK);
		assert_int_equal(lrd_store_get(store, key("3"), &held), LRD_OK);
		work w = { .name = cuts[at].name, .passage = cuts[at].deleting };
		assert_int_equal(run_child(store, replace_or_delete_held, &w), -SIGKILL);
		for (unsigned filler = 0; filler < 1000; filler++) {
			put_filled(store, key("filler %u", filler), 'X', 500);
		}
		assert_true(is_stamped(&held, 3, &generation) && generation == 4);
		lrd_store_unpin(store);
		lrd_store_delete(store, key("3"));
		for (unsigned filler = 1000; filler < 2000; filler++) {
			assert_int_equal(put_filled(store, key("filler %u", filler), 'X', 500), LRD_OK);
		}
		assert_false(is_stamped(&held, 3, &generation) && generation == 4);
		assert_sound(store);
		lrd_store_close(store);
	}
}

/* One death after the other in one store, at points drawn by lot, with the heirs of each death taking over at once. */
static void many_deaths_in_one_store_add_up_to_nothing(void **state)
{
	(void) state;
	lrd_store *store = open_store(300 << 10, 1, 100);
	account *a = open_account();
	unsigned seed = 5, locked = 0;
	crowd(store);
	fill(store, a);
	for (unsigned round = 0; round < 300; round++) {
		const struct point *point = &points[(unsigned) rand_r(&seed) % (POINTS - 2)];
		work w = { a, point->name, 1 + (unsigned) rand_r(&seed) % 20, SIGKILL, round };
		assert_int_equal(run_child(store, write_until_killed, &w), -SIGKILL);
		locked += point->locked;
		assert_sound(store);
		assert_accounted(store, a, true);
		lrd_store_unpin(store);
		for (uint32_t name = 0; name < KEYS; name++) {
			atomic_store(&a->intended[name], atomic_load(&a->acknowledged[name]));
			write_one(store, a, name, (uint64_t) (round + 1) << 48 | name, 200);
		}
		for (uint32_t name = 0; name < COUNTERS; name++) {
			atomic_store(&a->added[name], 0);
			put_int(store, key("counter %u", name), 0);
		}
	}
	assert_int_equal(totals(store).recoveries, locked);
	assert_goes_on(store, a);
	munmap(a, sizeof *a);
	lrd_store_close(store);
}

static int put_one(lrd_store *store, void *with)
{
	work *w = with;
	lrd_fault_arm(w->name, 1, w->signal);
	return put(store, key("stopped"), "written later") == LRD_OK ? 0 : 1;
}

static uint64_t ms_since(uint64_t ns)
{
	return (lrd_clock_monotonic_ns() - ns) / LRD_MS_NS;
}

static void a_writer_stopped_in_its_lock_costs_a_bounded_time(void **state)
{
	(void) state;
	lrd_store *store = open_store(1 << 20, 1, 50);
	lrd_draft draft;
	uint64_t removed, token;
	int64_t sum;
	put(store, key("k"), "readable");
	pid_t child = start_child(store, put_one, &(work) { .name = "locked", .signal = SIGSTOP });
	int status;
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_true(WIFSTOPPED(status));
	uint64_t begin = lrd_clock_monotonic_ns();
	assert_int_equal(put(store, key("k"), "x"), LRD_TIMEOUT);
	assert_in_range(ms_since(begin), 45, 3000);
	begin = lrd_clock_monotonic_ns();
	assert_int_equal(lrd_store_draft(store, key("k"), 1, &draft), LRD_TIMEOUT);
	assert_int_equal(lrd_store_delete(store, key("k")), LRD_TIMEOUT);
	assert_int_equal(lrd_store_touch(store, key("k"), 0), LRD_TIMEOUT);
	/* Not what needs another lock. */
	assert_int_equal(lrd_store_increment(store, key("k"), 1, &sum), LRD_NOT_A_NUMBER);
	assert_int_equal(lrd_store_lease(store, key("k"), 1, false, &token), LRD_TIMEOUT);
	assert_int_equal(lrd_store_release(store, key("k"), 1), LRD_TIMEOUT);
	assert_int_equal(lrd_store_clear(store, NULL, &removed), LRD_TIMEOUT);
	assert_text(store, key("k"), "readable");
	assert_in_range(ms_since(begin), 0, 7 * 50 + 3000);
	assert_int_equal(totals(store).lock_timeouts, 7);
	kill(child, SIGCONT);
	assert_int_equal(end_of(child), 0);
	assert_text(store, key("stopped"), "written later");
	assert_int_equal(put(store, key("k"), "x"), LRD_OK);
	assert_int_equal(totals(store).recoveries, 0);
	assert_sound(store);
	lrd_store_close(store);
}

static void a_draft_is_used_up_even_when_the_lock_is_not_given(void **state)
{
	(void) state;
	lrd_store *store = open_store(1 << 20, 1, 20);
	lrd_draft draft;
	put(store, key("k"), "old");
	assert_int_equal(lrd_store_draft(store, key("k"), 100000, &draft), LRD_OK);
	pid_t child = start_child(store, put_one, &(work) { .name = "locked", .signal = SIGSTOP });
	int status;
	assert_int_equal(waitpid(child, &status, WUNTRACED), child);
	assert_int_equal(lrd_store_publish(store, key("k"), &draft, &(lrd_value) { .type = TYPE_TEXT }, NULL), LRD_TIMEOUT);
	kill(child, SIGKILL);
	assert_int_equal(end_of(child), -SIGKILL);
	assert_text(store, key("k"), "old");
	for (unsigned at = 0; at < 3000; at++) {
		assert_int_equal(put_filled(store, key("%u", at), 'n', 500), LRD_OK);
	}
	assert_int_equal(count_drafts(&store->shard[0]), 0);
	assert_int_equal(totals(store).recoveries, 1);
	assert_sound(store);
	lrd_store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_death_at_any_point_in_a_roomy_store_loses_nothing),
		cmocka_unit_test(a_death_at_any_point_in_a_full_store_loses_no_more_than_eviction_does),
		cmocka_unit_test(what_is_read_survives_the_writers_death),
		cmocka_unit_test(what_is_read_survives_its_own_unfinished_removal),
		cmocka_unit_test(many_deaths_in_one_store_add_up_to_nothing),
		cmocka_unit_test(a_writer_stopped_in_its_lock_costs_a_bounded_time),
		cmocka_unit_test(a_draft_is_used_up_even_when_the_lock_is_not_given),
	};
	return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}

/* A fork while pinned: the child inherits pointers, so its pin must begin before the parent's may end. */
#define _GNU_SOURCE
#include "store_world.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HELD = 5000 };

static int open_world(void **state)
{
	lrd_store *store = open_store(1 << 20, 1, 100);
	assert_int_equal(put_filled(store, key("k"), 'k', HELD), LRD_OK);
	*state = store;
	return 0;
}

static int close_world(void **state)
{
	lrd_store_close(*state);
	return 0;
}

static bool is_intact(const char *bytes)
{
	for (size_t at = 0; at < HELD; at++) {
		if (bytes[at] != 'k') {
			return false;
		}
	}
	return true;
}

/* Turns all memory over twice that no pin keeps; answers how many stores were refused. */
static unsigned fill(lrd_store *store)
{
	unsigned refused = 0;
	lrd_store_delete(store, key("k"));
	for (unsigned at = 0; at < 6000; at++) {
		refused += put_filled(store, key("%u", at), 'X', 100 + at * 3 % 6000) != LRD_OK;
	}
	return refused;
}

static const char *pin_and_get(lrd_store *store)
{
	lrd_found found;
	assert_int_equal(lrd_store_pin(store), LRD_OK);
	assert_int_equal(lrd_store_get(store, key("k"), &found), LRD_OK);
	return found.bytes;
}

typedef struct family {
	const char *bytes;
	_Atomic uint32_t *inherited;
	_Atomic uint32_t *filled;
	bool inherits;
} family;

static int inherit_and_read(lrd_store *store, family *f)
{
	if (lrd_store_is_pinned(store)) {
		return 1;
	}
	if (f->inherits && (lrd_store_fork_inherit(store) != LRD_OK || !lrd_store_is_pinned(store))) {
		return 2;
	}
	atomic_store(f->inherited, 1);
	wait_for_word(f->filled, 1);
	return is_intact(f->bytes) ? 0 : 3;
}

static pid_t fork_pinned(lrd_store *store, family *f)
{
	lrd_store_fork_before(store);
	pid_t child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		lrd_store_forked(store);
		_exit(inherit_and_read(store, f));
	}
	lrd_store_fork_after(store, child);
	return child;
}

static void the_child_reads_on_after_the_parent_has_unpinned(void **state)
{
	lrd_store *store = *state;
	family f = { pin_and_get(store), shared_word(), shared_word(), true };
	pid_t child = fork_pinned(store, &f);
	/* It is pinned, and says so an instant later. */
	wait_for_word(f.inherited, 1);
	lrd_store_unpin(store);
	assert_false(lrd_store_is_pinned(store));
	fill(store);
	assert_true(is_intact(f.bytes));
	lrd_report report;
	lrd_store_report(store, &report);
	assert_int_equal(report.oldest_pin_process, child);
	atomic_store(f.filled, 1);
	assert_int_equal(end_of(child), 0);
	assert_int_equal(fill(store), 0);
	assert_false(is_intact(f.bytes));
	assert_sound(store);
}

/* What the test above relies on: without an heir's pin, the same work does overwrite the value. */
static void without_a_pin_the_value_would_be_overwritten(void **state)
{
	lrd_store *store = *state;
	const char *bytes = pin_and_get(store);
	lrd_store_unpin(store);
	fill(store);
	assert_false(is_intact(bytes));
}

static void a_child_that_never_inherits_keeps_the_parents_pin(void **state)
{
	lrd_store *store = *state;
	family f = { pin_and_get(store), shared_word(), shared_word(), false };
	uint64_t begin = lrd_clock_monotonic_ns();
	pid_t child = fork_pinned(store, &f);
	assert_in_range(lrd_clock_monotonic_ns() - begin, 900 * LRD_MS_NS, 5000 * LRD_MS_NS);
	lrd_store_unpin(store);
	assert_true(lrd_store_is_pinned(store));
	fill(store);
	atomic_store(f.filled, 1);
	assert_int_equal(end_of(child), 0);
	assert_true(is_intact(f.bytes));
}

static void a_child_that_dies_at_once_holds_nothing_up(void **state)
{
	lrd_store *store = *state;
	const char *bytes = pin_and_get(store);
	uint64_t begin = lrd_clock_monotonic_ns();
	lrd_store_fork_before(store);
	pid_t child = fork();
	if (child == 0) {
		_exit(9);
	}
	lrd_store_fork_after(store, child);
	assert_in_range(lrd_clock_monotonic_ns() - begin, 0, 900 * LRD_MS_NS);
	assert_int_equal(end_of(child), 9);
	assert_true(is_intact(bytes));
	lrd_store_unpin(store);
	assert_false(lrd_store_is_pinned(store));
	assert_int_equal(fill(store), 0);
}

static void a_fork_that_failed_changes_nothing(void **state)
{
	lrd_store *store = *state;
	pin_and_get(store);
	lrd_store_fork_before(store);
	lrd_store_fork_after(store, -1);
	assert_true(lrd_store_is_pinned(store));
	lrd_store_unpin(store);
	assert_false(lrd_store_is_pinned(store));
}

static int use_unpinned(lrd_store *store, void *with)
{
	(void) with;
	lrd_found found;
	if (lrd_store_is_pinned(store) || lrd_store_fork_inherit(store) != LRD_OK || lrd_store_is_pinned(store)) {
		return 1;
	}
	if (lrd_store_pin(store) != LRD_OK || lrd_store_get(store, key("k"), &found) != LRD_OK || !is_intact(found.bytes)) {
		return 2;
	}
	lrd_store_unpin(store);
	return put(store, key("child"), "was here") == LRD_OK ? 0 : 3;
}

static void a_child_of_an_unpinned_parent_starts_afresh(void **state)
{
	lrd_store *store = *state;
	lrd_store_fork_before(store);
	pid_t child = start_child(store, use_unpinned, NULL);
	lrd_store_fork_after(store, child);
	assert_int_equal(end_of(child), 0);
	assert_text(store, key("child"), "was here");
	assert_true(has(store, key("k")));
}

/* The child's slot, pin and draft are its own: what it ends, and its death, leave the parent's alone. */
static int end_everything(lrd_store *store, void *with)
{
	(void) with;
	uint64_t token;
	if (lrd_store_lease(store, key("child's"), 1000, false, &token) != LRD_OK) {
		return 1;
	}
	lrd_store_end_leases(store);
	lrd_store_pin(store);
	lrd_store_unpin(store);
	return 0;
}

static void the_parents_pin_draft_and_leases_are_its_own(void **state)
{
	lrd_store *store = *state;
	uint64_t token;
	lrd_draft draft;
	const char *bytes = pin_and_get(store);
	assert_int_equal(lrd_store_lease(store, key("parent's"), 60000, false, &token), LRD_OK);
	assert_int_equal(lrd_store_draft(store, key("drafted"), 3, &draft), LRD_OK);
	memcpy(draft.bytes, "abc", 3);
	assert_int_equal(run_child(store, end_everything, NULL), 0);
	fill(store);
	assert_true(is_intact(bytes));
	lrd_value text = { .type = TYPE_TEXT };
	assert_int_equal(lrd_store_publish(store, key("drafted"), &draft, &text, NULL), LRD_OK);
	assert_text(store, key("drafted"), "abc");
	assert_int_equal(lrd_store_release(store, key("parent's"), token), LRD_OK);
	lrd_store_unpin(store);
	assert_sound(store);
}

/* Each generation inherits from the one before; the value outlives them all but the last. */
static int inherit_in_turn(lrd_store *store, family *f, unsigned generations)
{
	if (lrd_store_fork_inherit(store) != LRD_OK) {
		return 2;
	}
	if (generations == 0) {
		atomic_store(f->inherited, 1);
		wait_for_word(f->filled, 1);
		return is_intact(f->bytes) ? 0 : 3;
	}
	lrd_store_fork_before(store);
	pid_t child = fork();
	if (child == 0) {
		lrd_store_forked(store);
		_exit(inherit_in_turn(store, f, generations - 1));
	}
	lrd_store_fork_after(store, child);
	lrd_store_unpin(store);
	return end_of(child);
}

static void a_grandchild_inherits_too(void **state)
{
	lrd_store *store = *state;
	family f = { pin_and_get(store), shared_word(), shared_word(), true };
	lrd_store_fork_before(store);
	pid_t child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		lrd_store_forked(store);
		_exit(inherit_in_turn(store, &f, 4));
	}
	lrd_store_fork_after(store, child);
	lrd_store_unpin(store);
	wait_for_word(f.inherited, 1);
	fill(store);
	atomic_store(f.filled, 1);
	assert_int_equal(end_of(child), 0);
	assert_int_equal(fill(store), 0);
	assert_sound(store);
}

/* ---- a parent that is killed, and a scan that the handover falls into ---- */

typedef struct race {
	_Atomic uint32_t *told;                 /* a step that the test allows */
	_Atomic uint32_t *done;                 /* a step that a child has reached */
	_Atomic uint32_t *answer;
} race;

static int fork_and_be_killed(lrd_store *store, void *with)
{
	race *r = with;
	lrd_found found;
	if (lrd_store_pin(store) != LRD_OK || lrd_store_get(store, key("k"), &found) != LRD_OK) {
		return 1;
	}
	lrd_store_fork_before(store);
	if (fork() == 0) {
		lrd_store_forked(store);
		wait_for_word(r->told, 1);
		atomic_store(r->answer, 1 + (uint32_t) lrd_store_fork_inherit(store));
		_exit(0);
	}
	raise(SIGKILL);
	return 2;
}

static void a_child_whose_parent_was_killed_first_is_told(void **state)
{
	lrd_store *store = *state;
	race r = { shared_word(), shared_word(), shared_word() };
	assert_int_equal(run_child(store, fork_and_be_killed, &r), -SIGKILL);
	fill(store);
	atomic_store(r.told, 1);
	wait_for_word(r.answer, 1);
	assert_int_equal(atomic_load(r.answer), 1 + LRD_LOST);
}

static int hold_a_slot(lrd_store *store, void *with)
{
	race *r = with;
	if (lrd_reader_enter(&store->reader) != LRD_OK) {
		return 1;
	}
	atomic_store(r->done, 1);
	wait_for_word(r->told, 1);
	return 0;
}

static int pin_fork_and_unpin(lrd_store *store, void *with)
{
	race *r = with;
	lrd_found found;
	if (lrd_store_pin(store) != LRD_OK || lrd_store_get(store, key("k"), &found) != LRD_OK) {
		return 1;
	}
	atomic_store(r->done, 2);
	wait_for_word(r->told, 2);
	family f = { found.bytes, shared_word(), r->told, true };
	lrd_store_fork_before(store);
	pid_t child = fork();
	if (child == 0) {
		lrd_store_forked(store);
		if (lrd_store_fork_inherit(store) != LRD_OK) {
			_exit(2);
		}
		wait_for_word(r->told, 3);
		_exit(is_intact(f.bytes) ? 0 : 3);
	}
	lrd_store_fork_after(store, child);
	lrd_store_unpin(store);
	atomic_store(r->done, 3);
	return end_of(child);
}

static int fill_and_stop_in_the_scan(lrd_store *store, void *with)
{
	(void) with;
	/* Before it looks at slot 2. */
	lrd_fault_arm("scanning", 3, SIGSTOP);
	fill(store);
	return 0;
}

/* The heir takes slot 1 when the scan is past it; its parent's pin in slot 2 is over when the scan gets there. */
static void a_scan_misses_no_pin_that_is_handed_over(void **state)
{
	lrd_store *store = *state;
	race r = { shared_word(), shared_word(), shared_word() };
	int status;
	assert_int_equal(lrd_reader_enter(&store->reader), LRD_OK);
	assert_ptr_equal(store->reader.slot, &store->reader.epochs->slots[0]);
	pid_t placeholder = start_child(store, hold_a_slot, &r);
	wait_for_word(r.done, 1);
	pid_t parent = start_child(store, pin_fork_and_unpin, &r);
	wait_for_word(r.done, 2);
	pid_t filler = start_child(store, fill_and_stop_in_the_scan, NULL);
	assert_int_equal(waitpid(filler, &status, WUNTRACED), filler);
	assert_true(WIFSTOPPED(status));
	atomic_store(r.told, 1);
	assert_int_equal(end_of(placeholder), 0);
	atomic_store(r.told, 2);
	wait_for_word(r.done, 3);
	kill(filler, SIGCONT);
	assert_int_equal(end_of(filler), 0);
	atomic_store(r.told, 3);
	assert_int_equal(end_of(parent), 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_world, close_world)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_child_reads_on_after_the_parent_has_unpinned),
		TEST(without_a_pin_the_value_would_be_overwritten),
		TEST(a_child_that_never_inherits_keeps_the_parents_pin),
		TEST(a_child_that_dies_at_once_holds_nothing_up),
		TEST(a_fork_that_failed_changes_nothing),
		TEST(a_child_of_an_unpinned_parent_starts_afresh),
		TEST(the_parents_pin_draft_and_leases_are_its_own),
		TEST(a_grandchild_inherits_too),
		TEST(a_child_whose_parent_was_killed_first_is_told),
		TEST(a_scan_misses_no_pin_that_is_handed_over),
	};
	return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}

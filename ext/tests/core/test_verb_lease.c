/*
 * Leases of missing, fresh and stale keys: one holder, every way to end, and that a holder who died is not waited for.
 */
#define _GNU_SOURCE
#include "verb_cases.h"

#include <string.h>

static world shared;
static const lrd_verb_rules leasing = {true};

static lrd_op done(lrd_op op)
{
	op.key = text(KEY);
	op.seconds = LEASE_SECONDS;
	world_run(&shared, &op, &leasing);
	return op;
}

static lrd_op get_or_lease(void)
{
	return done((lrd_op) {.kind = LRD_OP_GET_OR_LEASE});
}

static lrd_op lease(void)
{
	return done((lrd_op) {.kind = LRD_OP_LEASE});
}

static lrd_status set_leased(uint64_t token)
{
	return done(
		(lrd_op) { .kind = LRD_OP_SET_LEASED, .token = token, .value = text("new"), .flags = STRING, .ttl = 500 })
		.status;
}

static lrd_status release(uint64_t token)
{
	return done((lrd_op) {.kind = LRD_OP_RELEASE, .token = token}).status;
}

static lrd_status mark_stale(int64_t ttl)
{
	return done((lrd_op) {.kind = LRD_OP_MARK_STALE, .ttl = ttl}).status;
}

static void put(void)
{
	world_put(&shared, KEY, "old", STRING, 100);
}

static void stale(void)
{
	put();
	assert_int_equal(mark_stale(0), LRD_OK);
}

static void assert_gives(lrd_op op, const char *value, bool is_stale)
{
	assert_int_equal(op.status, LRD_OK);
	assert_true(op.found_size == strlen(value) && memcmp(op.found, value, op.found_size) == 0 && op.stale == is_stale);
	assert_int_equal(op.version, world_find(&shared, KEY)->cas);
}

/* Takes a lease of a key in one of three states. */
static uint64_t taken(int which)
{
	world_clear(&shared);
	if (which == 1) {
		put();
	} else if (which == 2) {
		stale();
	}
	lrd_op op = which == 1 ? lease() : get_or_lease();
	assert_true(op.lease != 0 && op.lease <= INT64_MAX && world_holds(&shared, KEY, op.lease));
	return op.lease;
}

static void one_of_all_makes_a_missing_key(void **state)
{
	(void) state;
	world_clear(&shared);
	lrd_op won = get_or_lease();
	assert_int_equal(won.status, LRD_MISS);
	assert_true(won.lease != 0 && won.found == NULL && won.version == 0 && !won.stale);
	assert_int_equal(shared.requests, 1);
	lrd_op lost = get_or_lease();
	assert_int_equal(lost.status, LRD_MISS);
	assert_true(lost.lease == 0 && lost.found == NULL);
	assert_int_equal(lease().status, LRD_BUSY);
	assert_int_equal(set_leased(won.lease), LRD_OK);
	lrd_op got = get_or_lease();
	assert_gives(got, "new", false);
	assert_int_equal(got.lease, 0);
	assert_int_equal(world_find(&shared, KEY)->ttl, 500);
}

static void one_of_all_makes_a_present_key_anew(void **state)
{
	(void) state;
	world_clear(&shared);
	put();
	assert_int_equal(get_or_lease().lease, 0);
	lrd_op won = lease();
	assert_int_equal(won.status, LRD_OK);
	assert_int_equal(lease().status, LRD_BUSY);
	lrd_op got = get_or_lease();
	assert_gives(got, "old", false);
	assert_int_equal(got.lease, 0);
	assert_int_equal(set_leased(won.lease), LRD_OK);
	assert_string_equal(world_find(&shared, KEY)->value, "new");
	assert_int_equal(lease().status, LRD_OK);
}

static void one_of_all_makes_a_stale_value_anew_and_the_others_get_the_old(void **state)
{
	(void) state;
	world_clear(&shared);
	stale();
	lrd_op won = get_or_lease();
	assert_gives(won, "old", true);
	assert_true(won.lease != 0);
	assert_int_equal(shared.requests, 2 + 2);
	uint32_t before = shared.requests;
	lrd_op other = get_or_lease();
	assert_gives(other, "old", true);
	assert_int_equal(other.lease, 0);
	assert_int_equal(shared.requests - before, 2);
	assert_int_equal(lease().status, LRD_BUSY);
	assert_int_equal(set_leased(won.lease), LRD_OK);
	assert_gives(get_or_lease(), "new", false);
}

static void a_plain_read_takes_no_lease_of_a_stale_value_away(void **state)
{
	(void) state;
	static const lrd_kind kinds[] = { LRD_OP_GET, LRD_OP_HAS, LRD_OP_VERSION, LRD_OP_GET_AND_TOUCH, LRD_OP_TOUCH,
		LRD_OP_CAS, LRD_OP_ADD, LRD_OP_RELEASE };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		world_clear(&shared);
		stale();
		lrd_op read = done((lrd_op) {.kind = LRD_OP_GET, .wants_version = true});
		done((lrd_op) {.kind = (uint8_t) kinds[i], .ttl = 100, .token = 1, .value = text("x")});
		lrd_op won = get_or_lease();
		assert_gives(won, "old", true);
		assert_true(won.lease != 0);
		assert_int_equal(won.version, read.version);
	}
}

static void a_holder_stores_or_releases_once(void **state)
{
	(void) state;
	for (int which = 0; which < 3; which++) {
		for (int releases = 0; releases < 2; releases++) {
			uint64_t token = taken(which);
			assert_int_equal(releases ? release(token) : set_leased(token), LRD_OK);
			assert_int_equal(set_leased(token), LRD_LOST);
			assert_int_equal(release(token), LRD_LOST);
			lrd_op next = which == 2 && releases ? get_or_lease() : lease();
			assert_true(next.lease != 0 && next.lease != token);
			assert_int_equal(set_leased(token), LRD_LOST);
			assert_int_equal(release(token), LRD_LOST);
			assert_int_equal(set_leased(next.lease), LRD_OK);
		}
	}
}

static const lrd_op ends[] = {
	{.kind = LRD_OP_SET, .flags = STRING},
	{.kind = LRD_OP_SET, .flags = STRING, .ttl = -1},
	{.kind = LRD_OP_DELETE},
	{.kind = LRD_OP_MARK_STALE},
	{.kind = LRD_OP_MARK_STALE, .ttl = 50},
};

static void a_lease_ends_by_any_write(void **state)
{
	(void) state;
	for (int which = 0; which < 3; which++) {
		for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
			uint64_t token = taken(which);
			lrd_op end = ends[i];
			end.value = text("else");
			done(end);
			world_item *item = world_find(&shared, KEY);
			uint64_t cas = item != NULL ? item->cas : 0;
			assert_int_equal(set_leased(token), LRD_LOST);
			assert_int_equal(release(token), LRD_LOST);
			item = world_find(&shared, KEY);
			assert_int_equal(item != NULL ? item->cas : 0, cas);
			assert_true(lease().lease != 0);
		}
	}
}

static void a_lease_that_a_write_has_ended_cannot_be_released(void **state)
{
	(void) state;
	for (int which = 0; which < 3; which++) {
		uint64_t token = taken(which);
		put();
		assert_int_equal(release(token), LRD_LOST);
	}
}

static void an_outdated_look_takes_no_lease_away(void **state)
{
	(void) state;
	world_clear(&shared);
	put();
	lrd_op slow = {.kind = LRD_OP_LEASE, .key = text(KEY), .seconds = LEASE_SECONDS};
	lrd_verb_begin(&slow, &leasing);
	world_step(&shared, &slow, &leasing);
	put();
	lrd_op holder = lease();
	while (slow.open) {
		world_step(&shared, &slow, &leasing);
	}
	assert_int_equal(slow.status, LRD_BUSY);
	assert_int_equal(set_leased(holder.lease), LRD_OK);
}

static void a_lease_ends_by_itself(void **state)
{
	(void) state;
	for (int which = 0; which < 3; which++) {
		uint64_t token = taken(which);
		world_pass(&shared, LEASE_SECONDS - 1);
		assert_true(world_holds(&shared, KEY, token));
		world_pass(&shared, 2);
		assert_int_equal(set_leased(token), LRD_LOST);
		assert_int_equal(release(token), LRD_LOST);
		lrd_op next = which == 1 ? lease() : get_or_lease();
		assert_true(next.lease != 0);
		assert_int_equal(set_leased(token), LRD_LOST);
		assert_int_equal(set_leased(next.lease), LRD_OK);
	}
}

static void a_token_is_for_its_key_and_kind_only(void **state)
{
	(void) state;
	for (int which = 0; which < 3; which++) {
		uint64_t token = taken(which);
		for (uint64_t wrong = 1; wrong < 4; wrong++) {
			assert_int_equal(set_leased(token ^ wrong), LRD_LOST);
			assert_int_equal(release(token ^ wrong), LRD_LOST);
		}
		uint32_t before = shared.requests;
		assert_int_equal(set_leased(token + 4), LRD_LOST);
		assert_int_equal(shared.requests - before, 1);
		lrd_op other = {.kind = LRD_OP_SET_LEASED, .key = text("other"), .value = text("new"), .token = token};
		world_run(&shared, &other, &leasing);
		assert_int_equal(other.status, LRD_LOST);
		assert_null(world_find(&shared, "other"));
		assert_int_equal(set_leased(token), LRD_OK);
	}
}

static void what_can_be_no_token_is_lost_without_a_request(void **state)
{
	(void) state;
	static const uint64_t tokens[] = {0, 1, 2, 3, 402, 403, UINT64_MAX};
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		world_clear(&shared);
		assert_int_equal(set_leased(tokens[i]), LRD_LOST);
		assert_int_equal(release(tokens[i]), LRD_LOST);
		assert_int_equal(shared.requests, 0);
	}
}

static void a_version_that_fits_no_token_gives_none(void **state)
{
	(void) state;
	for (int which = 0; which < 3; which++) {
		world_clear(&shared);
		shared.last_cas = UINT64_C(1) << 61;
		if (which > 0) {
			put();
		}
		if (which == 2) {
			assert_int_equal(mark_stale(0), LRD_OK);
		}
		lrd_op op = which == 1 ? lease() : get_or_lease();
		assert_int_equal(op.lease, 0);
		assert_int_equal(op.status, which == 0 ? LRD_MISS : which == 1 ? LRD_BUSY : LRD_OK);
	}
}

static void a_stub_without_an_end_is_won_again(void **state)
{
	(void) state;
	uint64_t token = taken(0);
	world_find(&shared, KEY)->ttl = -1;
	lrd_op next = get_or_lease();
	assert_int_equal(next.status, LRD_MISS);
	assert_true(next.lease != 0);
	assert_int_equal(world_find(&shared, KEY)->ttl, LEASE_SECONDS);
	assert_int_equal(set_leased(token), LRD_LOST);
	assert_int_equal(set_leased(next.lease), LRD_OK);
}

static void a_value_in_hand_is_handed_out_whatever_becomes_of_its_lease(void **state)
{
	(void) state;
	static const lrd_code codes[] = {LRD_CODE_NONE, LRD_CODE_UNANSWERED, LRD_CODE_NO_MEMORY, LRD_CODE_MISS};
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		world_clear(&shared);
		stale();
		lrd_op op = {.kind = LRD_OP_GET_OR_LEASE, .key = text(KEY), .seconds = LEASE_SECONDS};
		lrd_verb_begin(&op, &leasing);
		world_step(&shared, &op, &leasing);
		assert_true(op.open);
		world_fail(&op, &leasing, codes[i]);
		assert_false(op.open);
		assert_gives(op, "old", true);
		assert_int_equal(op.lease, 0);
		assert_int_equal(op.failure, LRD_FAILURE_NONE);
	}
}

static void between_the_end_of_a_lease_and_its_write_nobody_wins(void **state)
{
	(void) state;
	uint64_t token = taken(1);
	lrd_op set = {.kind = LRD_OP_SET_LEASED, .key = text(KEY), .token = token, .value = text("new"), .flags = STRING};
	lrd_verb_begin(&set, &leasing);
	world_step(&shared, &set, &leasing);
	world_step(&shared, &set, &leasing);
	assert_true(set.open);
	assert_int_equal(lease().status, LRD_BUSY);
	assert_int_equal(release(token), LRD_LOST);
	world_step(&shared, &set, &leasing);
	assert_int_equal(set.status, LRD_OK);
	assert_int_equal(lease().status, LRD_OK);
}

static void a_mark_keeps_the_ttl_or_sets_it(void **state)
{
	(void) state;
	world_clear(&shared);
	put();
	assert_int_equal(mark_stale(0), LRD_OK);
	assert_true(world_find(&shared, KEY)->stale);
	assert_int_equal(world_find(&shared, KEY)->ttl, 100);
	assert_int_equal(mark_stale(30), LRD_OK);
	assert_int_equal(world_find(&shared, KEY)->ttl, 30);
	assert_int_equal(mark_stale(-1), LRD_OK);
	assert_null(world_find(&shared, KEY));
	assert_int_equal(mark_stale(0), LRD_MISS);
}

static void the_companion_is_named_by_the_md5_of_the_key(void **state)
{
	(void) state;
	taken(1);
	const world_item *companion = world_companion(&shared);
	assert_non_null(companion);
	assert_string_equal(companion->key, "larder:lease:8ce4b16b22b58894aa86c421e8759df3");
	assert_string_equal(companion->value, "0000000000000065");
	assert_int_equal(companion->flags, 0x65);
	assert_int_equal(companion->ttl, LEASE_SECONDS);
}

static void where_nothing_has_a_number_every_lease_is_lost(void **state)
{
	(void) state;
	world_clear(&shared);
	shared.numbers_nothing = true;
	for (int i = 0; i < 2; i++) {
		lrd_op missing = get_or_lease();
		assert_true(missing.status == LRD_MISS && missing.lease == 0 && missing.lease_is_lost);
		lrd_op taken_by_none = lease();
		assert_true(taken_by_none.status == LRD_OK && taken_by_none.lease == 0 && taken_by_none.lease_is_lost);
	}
	put();
	lrd_op found = get_or_lease();
	assert_true(found.status == LRD_OK && found.lease == 0 && !found.lease_is_lost);
	lrd_op anew = lease();
	assert_true(anew.status == LRD_OK && anew.lease == 0 && anew.lease_is_lost);
	shared.numbers_nothing = false;
	world_clear(&shared);
	assert_true(!get_or_lease().lease_is_lost && !get_or_lease().lease_is_lost);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_of_all_makes_a_missing_key),
		cmocka_unit_test(one_of_all_makes_a_present_key_anew),
		cmocka_unit_test(one_of_all_makes_a_stale_value_anew_and_the_others_get_the_old),
		cmocka_unit_test(a_plain_read_takes_no_lease_of_a_stale_value_away),
		cmocka_unit_test(a_holder_stores_or_releases_once),
		cmocka_unit_test(a_lease_ends_by_any_write),
		cmocka_unit_test(a_lease_that_a_write_has_ended_cannot_be_released),
		cmocka_unit_test(an_outdated_look_takes_no_lease_away),
		cmocka_unit_test(a_lease_ends_by_itself),
		cmocka_unit_test(a_token_is_for_its_key_and_kind_only),
		cmocka_unit_test(what_can_be_no_token_is_lost_without_a_request),
		cmocka_unit_test(a_version_that_fits_no_token_gives_none),
		cmocka_unit_test(a_stub_without_an_end_is_won_again),
		cmocka_unit_test(a_value_in_hand_is_handed_out_whatever_becomes_of_its_lease),
		cmocka_unit_test(between_the_end_of_a_lease_and_its_write_nobody_wins),
		cmocka_unit_test(a_mark_keeps_the_ttl_or_sets_it),
		cmocka_unit_test(the_companion_is_named_by_the_md5_of_the_key),
		cmocka_unit_test(where_nothing_has_a_number_every_lease_is_lost),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

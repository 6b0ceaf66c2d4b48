/* Counters: signed 64-bit numbers, exact to the last one, over a server that has only unsigned ones. */
#define _GNU_SOURCE
#include "verb_cases.h"

#include <string.h>

#include "../../core/base/lrd_clock.h"

static world shared;
static const lrd_verb_rules plain = {false}, leasing = {true};

static lrd_op adding(int64_t by)
{
	return (lrd_op) {.kind = LRD_OP_ADD_NUMBER, .key = text(KEY), .by = by, .flags = INTEGER};
}

static void assert_counted(lrd_op *op, int64_t number)
{
	assert_int_equal(op->status, LRD_OK);
	assert_int_equal(op->failure, LRD_FAILURE_NONE);
	assert_true(op->number == number);
}

static void assert_stored(const char *value)
{
	assert_non_null(world_find(&shared, KEY));
	assert_string_equal(world_find(&shared, KEY)->value, value);
}

typedef struct sum {
	const char *before;
	int64_t by, number;
	const char *after;          /* NULL: not a number, and nothing changes */
	uint32_t requests;
} sum;

static const sum sums[] = {
	{"5", 1, 6, "6", 1},
	{"5", 0, 5, "5", 1},
	{"99", 1, 100, "100", 1},
	{"10", -1, 9, "9 ", 1},
	{"9 ", 1, 10, "10", 1},
	{"5", -8, -3, "-3", 2},
	{"0", INT64_MIN, INT64_MIN, "-9223372036854775808", 2},
	{"-5", 3, -2, "-2", 3},
	{"-5", 10, 5, "5", 3},
	{"-5", -1, -6, "-6", 3},
	{"-5   ", 5, 0, "0", 3},
	{"-9223372036854775808", INT64_MAX, -1, "-1", 3},
	{"-9223372036854775807", -1, INT64_MIN, "-9223372036854775808", 3},
	{"9223372036854775806", 1, INT64_MAX, "9223372036854775807", 1},
	{"18446744073709551611", 1, -4, "-4", 2},
	{"18446744073709551611", 7, 2, "2                   ", 1},
	{"9223372036854775807", 1, 0, NULL, 2},
	{"1", INT64_MAX, 0, NULL, 2},
	{"-1", INT64_MIN, 0, NULL, 2},
	{"-9223372036854775808", -1, 0, NULL, 2},
	{"text", 1, 0, NULL, 2},
	{"", 1, 0, NULL, 2},
	{"-", 1, 0, NULL, 2},
	{"5.0", 1, 0, NULL, 2},
	{"18446744073709551616", 1, 0, NULL, 2},
	{"- 5", 1, 0, NULL, 2},
	{"--5", 1, 0, NULL, 2},
};

static void each_sum_is_exact_or_not_a_number(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		for (int has_stubs = 0; has_stubs < 2; has_stubs++) {
			lrd_op op = adding(sums[i].by);
			world_clear(&shared);
			/* Our empty value has other flags: those of an integer and 0 bytes are no stub. */
			world_put(&shared, KEY, sums[i].before, INTEGER, 100);
			world_run(&shared, &op, has_stubs ? &leasing : &plain);
			assert_int_equal(shared.requests, sums[i].requests);
			assert_stored(sums[i].after != NULL ? sums[i].after : sums[i].before);
			assert_int_equal(world_find(&shared, KEY)->ttl, 100);
			assert_int_equal(world_find(&shared, KEY)->flags, INTEGER);
			if (sums[i].after != NULL) {
				assert_counted(&op, sums[i].number);
			} else {
				assert_int_equal(op.status, LRD_NOT_A_NUMBER);
			}
		}
	}
}

static void text_with_other_flags_is_no_number(void **state)
{
	(void) state;
	lrd_op op = adding(1);
	world_clear(&shared);
	world_put(&shared, KEY, "-5", STRING, 100);
	world_run(&shared, &op, &plain);
	assert_int_equal(op.status, LRD_NOT_A_NUMBER);
	assert_stored("-5");
}

static void a_missing_counter_begins_with_its_initial_number(void **state)
{
	(void) state;
	for (int stub = 0; stub < 2; stub++) {
		for (int negative = 0; negative < 2; negative++) {
			lrd_op lease = {.kind = LRD_OP_LEASE, .key = text(KEY), .seconds = LEASE_SECONDS};
			world_clear(&shared);
			if (stub) {
				world_run(&shared, &lease, &leasing);
			}
			lrd_op op = adding(7);
			world_run(&shared, &op, &leasing);
			assert_int_equal(op.status, LRD_MISS);
			assert_int_equal(world_find(&shared, KEY) != NULL, stub);
			op.has_initial = true;
			op.initial = negative ? -100 : 100;
			op.ttl = 60;
			world_run(&shared, &op, &leasing);
			assert_counted(&op, op.initial);
			assert_stored(negative ? "-100" : "100");
			assert_int_equal(world_find(&shared, KEY)->ttl, 60);
			assert_false(world_holds(&shared, KEY, lease.lease));
			world_pass(&shared, 10);
			world_run(&shared, &op, &leasing);
			assert_counted(&op, op.initial + 7);
			assert_int_equal(world_find(&shared, KEY)->ttl, 50);
		}
	}
}

static void a_counter_that_came_first_is_counted_on(void **state)
{
	(void) state;
	lrd_op op = adding(7);
	op.has_initial = true;
	op.initial = 100;
	world_clear(&shared);
	lrd_verb_begin(&op, &plain);
	world_step(&shared, &op, &plain);
	world_put(&shared, KEY, "20", INTEGER, 100);
	while (op.open) {
		world_step(&shared, &op, &plain);
	}
	assert_counted(&op, 27);
}

/* The sum stands from the first reply on, whatever becomes of its sign. */
static void a_lost_sign_is_no_lost_sum(void **state)
{
	(void) state;
	static const lrd_code codes[] = { LRD_CODE_NONE, LRD_CODE_UNANSWERED, LRD_CODE_EXISTS, LRD_CODE_NOT_FOUND,
		LRD_CODE_SERVER_ERROR };
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		lrd_op op = adding(-8);
		world_clear(&shared);
		world_put(&shared, KEY, "5", INTEGER, 100);
		lrd_verb_begin(&op, &plain);
		world_step(&shared, &op, &plain);
		assert_true(op.open);
		world_fail(&op, &plain, codes[i]);
		assert_false(op.open);
		assert_counted(&op, -3);
		op = adding(1);
		world_run(&shared, &op, &plain);
		assert_counted(&op, -2);
		assert_stored("-2");
	}
}

static void a_number_that_the_server_refuses_by_chance_is_counted_all_the_same(void **state)
{
	(void) state;
	lrd_op op = adding(2);
	world_clear(&shared);
	shared.is_fickle = true;
	world_put(&shared, KEY, "18446744073709551611", INTEGER, 100);
	world_run(&shared, &op, &plain);
	shared.is_fickle = false;
	assert_counted(&op, -3);
	assert_stored("-3");
}

static void what_may_be_counted_is_never_sent_again(void **state)
{
	(void) state;
	static const char *const before[] = {"5", "-5"};
	for (int i = 0; i < 2; i++) {
		lrd_op op = adding(-1);
		world_clear(&shared);
		world_put(&shared, KEY, before[i], INTEGER, 100);
		lrd_verb_begin(&op, &plain);
		if (i == 1) {
			world_step(&shared, &op, &plain);
			world_step(&shared, &op, &plain);
		}
		world_answer(&shared, &op.request, &op.reply);
		world_fail(&op, &plain, LRD_CODE_UNANSWERED);
		assert_false(op.open);
		assert_int_equal(op.status, LRD_UNKNOWN);
		assert_int_equal(op.failure, LRD_FAILURE_TIMED_OUT);
		assert_stored(i == 0 ? "4" : "-6");
	}
}

static void what_went_past_the_range_and_may_still_be_there_is_unknown(void **state)
{
	(void) state;
	static const lrd_code codes[] = {LRD_CODE_NONE, LRD_CODE_UNANSWERED, LRD_CODE_SERVER_ERROR};
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		lrd_op op = adding(1);
		world_clear(&shared);
		world_put(&shared, KEY, "9223372036854775807", INTEGER, 100);
		lrd_verb_begin(&op, &plain);
		world_step(&shared, &op, &plain);
		assert_true(op.open);
		world_fail(&op, &plain, codes[i]);
		assert_int_equal(op.status, LRD_UNKNOWN);
	}
}

static void a_value_set_while_a_sum_is_taken_back_stays(void **state)
{
	(void) state;
	lrd_op op = adding(1);
	world_clear(&shared);
	world_put(&shared, KEY, "9223372036854775807", INTEGER, 100);
	lrd_verb_begin(&op, &plain);
	world_step(&shared, &op, &plain);
	world_put(&shared, KEY, "10", INTEGER, 100);
	while (op.open) {
		world_step(&shared, &op, &plain);
	}
	assert_int_equal(op.status, LRD_NOT_A_NUMBER);
	assert_stored("10");
}

/* A ttl over 30 days is a date for the server, and one of 0 no end at all. */
static void a_sign_is_written_with_the_ttl_that_is_left(void **state)
{
	(void) state;
	static const int64_t left[] = {-1, 0, 1, 2592000, 2592001, 5000000};
	for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) {
		lrd_op op = adding(-8);
		char digits[] = "18446744073709551613";
		lrd_verb_begin(&op, &plain);
		op.reply = (lrd_reply) {
			.code = LRD_CODE_OK, .cas = 9, .ttl = left[i], .value = digits, .size = 20, .has_value = true
		};
		lrd_verb_reply(&op, &plain);
		assert_true(op.open && op.request.cas == 9 && (op.request.with & LRD_WITH_CAS) != 0);
		assert_true(lrd_slice_equals(op.request.value, text("-3")));
		assert_int_equal((op.request.with & LRD_WITH_TTL) != 0, left[i] >= 0);
		if (left[i] > 2592000) {
			int64_t now = (int64_t) (lrd_clock_real_ms() / 1000);
			assert_in_range(op.request.ttl, now + left[i] - 2, now + left[i]);
		} else if (left[i] >= 0) {
			assert_int_equal(op.request.ttl, left[i] == 0 ? 1 : left[i]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_sum_is_exact_or_not_a_number),
		cmocka_unit_test(text_with_other_flags_is_no_number),
		cmocka_unit_test(a_missing_counter_begins_with_its_initial_number),
		cmocka_unit_test(a_counter_that_came_first_is_counted_on),
		cmocka_unit_test(a_lost_sign_is_no_lost_sum),
		cmocka_unit_test(a_number_that_the_server_refuses_by_chance_is_counted_all_the_same),
		cmocka_unit_test(what_may_be_counted_is_never_sent_again),
		cmocka_unit_test(what_went_past_the_range_and_may_still_be_there_is_unknown),
		cmocka_unit_test(a_value_set_while_a_sum_is_taken_back_stays),
		cmocka_unit_test(a_sign_is_written_with_the_ttl_that_is_left),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What the drop-in modules ask of a pool: counters without a sign, and servers as another program has split them. */
#define _GNU_SOURCE
#include "pool_world.h"

#include <errno.h>
#include <string.h>

typedef struct plain_sum {
	const char *before;         /* NULL: nothing */
	int64_t by;
	bool counts_down, has_initial;
	lrd_status status;
	uint64_t number;
	const char *after;
} plain_sum;

static const plain_sum sums[] = {
	{ "5", 3, false, false, LRD_OK, 8, "8" },
	{ "10", 1, true, false, LRD_OK, 9, "9 " },
	{ "5", 10, true, false, LRD_OK, 0, "0" },
	{ "18446744073709551615", 2, false, false, LRD_OK, 1, "1                   " },
	{ "9223372036854775807", 1, false, false, LRD_OK, UINT64_C(1) << 63, "9223372036854775808" },
	{ "word", 1, false, true, LRD_NOT_A_NUMBER, 0, "word" },
	{ "-5", 1, false, false, LRD_NOT_A_NUMBER, 0, "-5" },
	{ NULL, 1, false, false, LRD_MISS, 0, NULL },
	{ NULL, 1, false, true, LRD_OK, UINT64_MAX - 4, "18446744073709551611" },
	{ "7", 1, true, true, LRD_OK, 6, "6" },
};

static void set_up(lrd_pool *pool, const char *value)
{
	lrd_op op = pool_op(LRD_OP_DELETE, "k");
	run_one(pool, &op);
	if (value != NULL) {
		op = set_of("k", value);
		run_one(pool, &op);
	}
}

static void a_number_without_a_sign_is_counted_as_the_server_counts(void **state)
{
	(void) state;
	memcached *server = memcached_start(false, NULL);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 10000 }, memcached_address(server), NULL);
	for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
		set_up(pool, sums[i].before);
		lrd_op op = pool_op(LRD_OP_COUNT, "k");
		op.by = sums[i].by;
		op.counts_down = sums[i].counts_down;
		op.has_initial = sums[i].has_initial;
		op.initial = -5;
		run_one(pool, &op);
		assert_ended(&op, sums[i].status, LRD_FAILURE_NONE);
		assert_true(op.status != LRD_OK || (uint64_t) op.number == sums[i].number);
		op = pool_op(LRD_OP_GET, "k");
		run_one(pool, &op);
		if (sums[i].after != NULL) {
			assert_found(&op, sums[i].after);
		} else {
			assert_ended(&op, LRD_MISS, LRD_FAILURE_NONE);
		}
	}
	lrd_pool_free(pool);
	memcached_end(server);
}

static void a_server_may_be_given_in_parts_and_twice(void **state)
{
	(void) state;
	char why[LRD_POOL_WHY];
	lrd_pool *pool;
	memcached *server = memcached_start(false, NULL);
	const char *path = strchr(memcached_address(server), ':') + 1;
	const lrd_pool_server one = { .host = { path, strlen(path) }, .is_unix = true, .weight = 1 };
	const lrd_pool_server two[] = { one, one };
	lrd_pool_options options = { .servers = two, .server_count = 2, .ring = "modula", .timeout_ms = 10000 };
	assert_int_equal(lrd_pool_open(&options, &pool, why), LRD_BAD_OPTION);
	assert_non_null(strstr(why, "is listed twice"));
	options.allows_doubles = true;
	assert_int_equal(lrd_pool_open(&options, &pool, why), LRD_OK);
	lrd_op ops[] = { set_of("a", "1"), set_of("b", "2"), set_of("c", "3"), set_of("d", "4") };
	run(pool, ops, 4);
	for (int i = 0; i < 4; i++) {
		assert_ended(&ops[i], LRD_OK, LRD_FAILURE_NONE);
	}
	/* Each of the two has a connection. */
	assert_int_equal(counts_of(pool, 0).connects, 1);
	assert_int_equal(counts_of(pool, 1).connects, 1);
	lrd_pool_free(pool);
	memcached_end(server);
}

/* A name that no address could have is a server without one, and not an option that is wrong. */
static void a_host_of_another_program_is_refused_when_it_is_looked_up(void **state)
{
	(void) state;
	char why[LRD_POOL_WHY];
	lrd_pool *pool;
	const lrd_pool_server server = { .host = { "no such host", 12 }, .port = 11211, .weight = 1 };
	const lrd_pool_options options = { .servers = &server, .server_count = 1, .timeout_ms = 10000 };
	assert_int_equal(lrd_pool_open(&options, &pool, why), LRD_OK);
	lrd_op op = set_of("a", "1");
	run_one(pool, &op);
	assert_ended(&op, LRD_DOWN, LRD_FAILURE_UNRESOLVED);
	lrd_pool_free(pool);
}

static void what_connect_said_is_kept(void **state)
{
	(void) state;
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 10000 }, "unix:/nowhere/at/all", NULL);
	lrd_op op = set_of("a", "1");
	run_one(pool, &op);
	assert_ended(&op, LRD_DOWN, LRD_FAILURE_UNREACHABLE);
	assert_int_equal(lrd_pool_error(pool, 0), ENOENT);
	lrd_pool_free(pool);
}

/* The points of one hash, the keys by another: as a program that chose the second one later. */
static void keys_may_have_another_hash_than_the_points(void **state)
{
	(void) state;
	char why[LRD_POOL_WHY];
	lrd_pool *pools[3];
	const lrd_pool_server servers[] = {
		{ .address = { "10.0.0.1:11211", 14 }, .weight = 1 },
		{ .address = { "10.0.0.2:11211", 14 }, .weight = 1 },
		{ .address = { "10.0.0.3:11211", 14 }, .weight = 1 },
	};
	lrd_pool_options options = { .servers = servers, .server_count = 3, .ring = "consistent", .hash = "default" };
	const char *const key_hashes[] = { NULL, "default", "md5" };
	uint32_t others = 0;
	for (int i = 0; i < 3; i++) {
		options.key_hash = key_hashes[i];
		assert_int_equal(lrd_pool_open(&options, &pools[i], why), LRD_OK);
	}
	for (char key = 'a'; key <= 'z'; key++) {
		const lrd_slice route = { &key, 1 };
		assert_int_equal(lrd_pool_find(pools[0], route), lrd_pool_find(pools[1], route));
		others += lrd_pool_find(pools[0], route) != lrd_pool_find(pools[2], route);
	}
	assert_in_range(others, 1, 26);
	for (int i = 0; i < 3; i++) {
		lrd_pool_free(pools[i]);
	}
}

static int end_test(void **state)
{
	(void) state;
	forget_room();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_number_without_a_sign_is_counted_as_the_server_counts, end_test),
		cmocka_unit_test_teardown(a_server_may_be_given_in_parts_and_twice, end_test),
		cmocka_unit_test_teardown(a_host_of_another_program_is_refused_when_it_is_looked_up, end_test),
		cmocka_unit_test_teardown(what_connect_said_is_kept, end_test),
		cmocka_unit_test_teardown(keys_may_have_another_hash_than_the_points, end_test),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Connections by themselves: opened before they are needed, handed from one pool to another, closed one by one. */
#include "pool_world.h"

#include <errno.h>

static memcached *server;

static void a_server_is_connected_to_before_it_is_needed(void **state)
{
	(void) state;
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 10000 }, memcached_address(server), NULL);
	assert_int_equal(lrd_pool_connect(pool, 0, 0), LRD_FAILURE_NONE);
	assert_int_equal(lrd_pool_connect(pool, 0, 0), LRD_FAILURE_NONE);
	lrd_op op = set_of("a", "1");
	run_one(pool, &op);
	assert_ended(&op, LRD_OK, LRD_FAILURE_NONE);
	assert_int_equal(counts_of(pool, 0).connects, 1);

	lrd_pool_close_server(pool, 0);
	run_one(pool, &op);
	assert_ended(&op, LRD_OK, LRD_FAILURE_NONE);
	assert_int_equal(counts_of(pool, 0).connects, 2);
	lrd_pool_free(pool);
}

/* That a server is down is no reason not to try it when it is asked for by name. */
static void nobody_there_is_said_each_time(void **state)
{
	(void) state;
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 10000 }, "unix:/nowhere/at/all", NULL);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(lrd_pool_connect(pool, 0, 0), LRD_FAILURE_UNREACHABLE);
		assert_int_equal(lrd_pool_error(pool, 0), ENOENT);
	}
	assert_int_equal(counts_of(pool, 0).connect_failures, 2);
	lrd_pool_free(pool);
}

static void the_next_pool_takes_connections_over(void **state)
{
	(void) state;
	const lrd_pool_options options = { .timeout_ms = 10000 };
	lrd_pool *before = pool_of(options, memcached_address(server), NULL);
	lrd_pool *after = pool_of(options, "unix:/nowhere/at/all", memcached_address(server), NULL);
	assert_int_equal(lrd_pool_connect(before, 0, 0), LRD_FAILURE_NONE);
	lrd_pool_adopt(after, before);
	lrd_pool_free(before);
	/* Where a key lies depends on the name of the socket, which is another one in each run. */
	char key[] = "a";
	while (lrd_pool_find(after, (lrd_slice) { .bytes = key, .size = 1 }) != 1) {
		key[0]++;
	}
	lrd_op op = set_of(key, "1");
	run_one(after, &op);
	assert_ended(&op, LRD_OK, LRD_FAILURE_NONE);
	assert_int_equal(counts_of(after, 0).connects, 0);
	assert_int_equal(lrd_pool_connect(after, 1, 0), LRD_FAILURE_NONE);
	/* The count has come with the connection: no second one was made. */
	assert_int_equal(counts_of(after, 1).connects, 1);
	lrd_pool_free(after);
}

static void pools_of_another_deadline_keep_theirs(void **state)
{
	(void) state;
	lrd_pool *before = pool_of((lrd_pool_options) { .timeout_ms = 10000 }, memcached_address(server), NULL);
	lrd_pool *after = pool_of((lrd_pool_options) { .timeout_ms = 20000 }, memcached_address(server), NULL);
	assert_int_equal(lrd_pool_connect(before, 0, 0), LRD_FAILURE_NONE);
	lrd_pool_adopt(after, before);
	assert_int_equal(lrd_pool_connect(before, 0, 0), LRD_FAILURE_NONE);
	assert_int_equal(counts_of(before, 0).connects, 1);
	assert_int_equal(counts_of(after, 0).connects, 0);
	lrd_pool_free(before);
	lrd_pool_free(after);
}

static int begin(void **state)
{
	(void) state;
	server = memcached_start(false, NULL);
	return 0;
}

static int end(void **state)
{
	(void) state;
	memcached_end(server);
	return 0;
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
		cmocka_unit_test_teardown(a_server_is_connected_to_before_it_is_needed, end_test),
		cmocka_unit_test_teardown(nobody_there_is_said_each_time, end_test),
		cmocka_unit_test_teardown(the_next_pool_takes_connections_over, end_test),
		cmocka_unit_test_teardown(pools_of_another_deadline_keep_theirs, end_test),
	};
	return cmocka_run_group_tests(tests, begin, end);
}

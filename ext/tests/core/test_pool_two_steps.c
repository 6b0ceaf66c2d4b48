/* Requests that are sent now and answered later, and rings that go without a server that is out. */
#define _GNU_SOURCE
#include "pool_world.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- two steps ---- */

static void send_ops(lrd_pool *pool, lrd_op *ops, uint32_t count)
{
	lrd_pool_send(pool, ops, count, 0, room_of_world, NULL);
}

/* It has all requests when the first step returns, and answers only then. */
static void replies_of_a_stopped_server_are_taken_later(void **state)
{
	(void) state;
	memcached *server = memcached_start(false, NULL);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 10000 }, memcached_address(server), NULL);
	lrd_op set = set_of("a", "one");
	run_one(pool, &set);
	kill(memcached_process(server), SIGSTOP);
	lrd_op ops[] = { pool_op(LRD_OP_GET, "a"), pool_op(LRD_OP_GET, "none"), set_of("b", "two") };
	send_ops(pool, ops, 3);
	assert_true(ops[0].open && ops[1].open && ops[2].open);
	kill(memcached_process(server), SIGCONT);
	lrd_pool_take(pool, ops, 3);
	assert_found(&ops[0], "one");
	assert_ended(&ops[1], LRD_MISS, LRD_FAILURE_NONE);
	assert_ended(&ops[2], LRD_OK, LRD_FAILURE_NONE);
	lrd_op get = pool_op(LRD_OP_GET, "b");
	run_one(pool, &get);
	assert_found(&get, "two");
	assert_int_equal(counts_of(pool, 0).connects, 1);
	lrd_pool_free(pool);
	memcached_end(server);
}

static void what_cannot_be_reached_has_ended_when_it_is_sent(void **state)
{
	(void) state;
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, "127.0.0.1:1", NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	send_ops(pool, &op, 1);
	assert_ended(&op, LRD_DOWN, LRD_FAILURE_UNREACHABLE);
	lrd_pool_take(pool, &op, 1);
	assert_ended(&op, LRD_DOWN, LRD_FAILURE_UNREACHABLE);
	lrd_pool_free(pool);
}

enum { RUN, CLOSE, FORK, SEND, WAYS };

static void come_between(lrd_pool *pool, int way, lrd_op *other)
{
	*other = pool_op(LRD_OP_GET, "b");
	switch (way) {
	case RUN:
		run_one(pool, other);
		break;
	case CLOSE:
		lrd_pool_close(pool);
		break;
	case FORK:
		lrd_pool_forked(pool);
		break;
	default:
		send_ops(pool, other, 1);
	}
}

/* Else a late reply could be taken for another one's. */
static void what_comes_between_ends_the_first(void **state)
{
	(void) state;
	memcached *server = memcached_start(false, NULL);
	for (int way = RUN; way < WAYS; way++) {
		lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 10000 }, memcached_address(server), NULL);
		lrd_op ops[] = { set_of("a", "one"), set_of("b", "two") };
		run(pool, ops, 2);
		lrd_op first = pool_op(LRD_OP_GET, "a"), other;
		send_ops(pool, &first, 1);
		come_between(pool, way, &other);
		lrd_pool_take(pool, &first, 1);
		assert_int_equal(first.failure, LRD_FAILURE_CLOSED);
		assert_int_not_equal(first.status, LRD_OK);
		assert_false(first.open);
		if (way == SEND) {
			lrd_pool_take(pool, &other, 1);
		}
		if (way == RUN || way == SEND) {
			assert_found(&other, "two");
		}
		lrd_op again = pool_op(LRD_OP_GET, "a");
		run_one(pool, &again);
		assert_found(&again, "one");
		assert_int_equal(counts_of(pool, 0).connects, 2);
		lrd_pool_free(pool);
	}
	memcached_end(server);
}

/* More than the sockets hold: the first step reads while it writes. */
static void many_are_sent_at_once(void **state)
{
	(void) state;
	enum { COUNT = 4000, SIZE = 4000 };
	memcached *server = memcached_start(false, NULL);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 30000 }, memcached_address(server), NULL);
	char *value = malloc(SIZE + 1), (*names)[16] = malloc(COUNT * sizeof *names);
	lrd_op *ops = calloc(COUNT, sizeof *ops);
	assert_true(value != NULL && names != NULL && ops != NULL);
	memset(value, 'v', SIZE);
	value[SIZE] = '\0';
	for (int i = 0; i < COUNT; i++) {
		snprintf(names[i], sizeof *names, "key:%d", i);
		ops[i] = set_of(names[i], value);
	}
	send_ops(pool, ops, COUNT);
	lrd_pool_take(pool, ops, COUNT);
	for (int i = 0; i < COUNT; i++) {
		ops[i] = pool_op(LRD_OP_GET, names[i]);
	}
	send_ops(pool, ops, COUNT);
	lrd_pool_take(pool, ops, COUNT);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(ops[i].found_size, SIZE);
	}
	assert_int_equal(counts_of(pool, 0).connects, 1);
	free(ops);
	free(names);
	free(value);
	lrd_pool_free(pool);
	memcached_end(server);
}

/* ---- rings without a server ---- */

enum { KEYS = 300 };

static lrd_pool *ejecting(const char *ring, const char *const *addresses, uint32_t count)
{
	lrd_pool_server servers[3];
	char why[LRD_POOL_WHY];
	lrd_pool *pool;
	for (uint32_t i = 0; i < count; i++) {
		servers[i] = (lrd_pool_server) { .address = { addresses[i], strlen(addresses[i]) }, .weight = i == 0 ? 5 : 1 };
	}
	const lrd_pool_options options = { .servers = servers, .server_count = count, .ring = ring, .timeout_ms = 10000,
		.retry_ms = 3600 * 1000, .failover = LRD_FAILOVER_EJECT, .failure_limit = 1 };
	assert_int_equal(lrd_pool_open(&options, &pool, why), LRD_OK);
	return pool;
}

static void name_of(uint32_t number, char key[16])
{
	snprintf(key, 16, "key:%u", number);
}

/* The key of each server is then where a ring of the rest has it; ketama's points depend on the others' weights. */
static void a_ring_is_that_of_the_rest(const char *ring)
{
	memcached *one = memcached_start(true, NULL), *two = memcached_start(true, NULL);
	const char *addresses[] = { memcached_address(one), memcached_address(two), "127.0.0.1:1" };
	lrd_pool *pool = ejecting(ring, addresses, 3), *rest = ejecting(ring, addresses, 2);
	uint32_t failed = 0, moved = 0;
	for (uint32_t i = 0; i < KEYS; i++) {
		char key[16];
		name_of(i, key);
		moved += lrd_pool_find(pool, (lrd_slice) { key, strlen(key) }) == 2;
	}
	assert_true(moved > 0);
	for (uint32_t i = 0; i < KEYS; i++) {
		char key[16];
		name_of(i, key);
		lrd_op op = set_of(key, "value");
		run_one(pool, &op);
		failed += op.status != LRD_OK;
	}
	assert_int_equal(failed, 1);
	assert_true(lrd_pool_is_out(pool, 2));
	assert_false(lrd_pool_is_out(pool, 0));
	for (uint32_t i = 0; i < KEYS; i++) {
		char key[16];
		name_of(i, key);
		const lrd_slice route = { key, strlen(key) };
		assert_int_equal(lrd_pool_find(pool, route), lrd_pool_find(rest, route));
	}
	assert_int_equal(counts_of(pool, 2).connects, 1);
	lrd_pool_free(rest);
	lrd_pool_free(pool);
	memcached_end(two);
	memcached_end(one);
}

static void the_ring_goes_without_a_server_that_is_out(void **state)
{
	(void) state;
	a_ring_is_that_of_the_rest("consistent");
	a_ring_is_that_of_the_rest("ketama");
}

static void where_all_are_out_each_key_has_its_own_server(void **state)
{
	(void) state;
	static const char *const addresses[] = { "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3" };
	lrd_pool *pool = ejecting("consistent", addresses, 3);
	for (uint32_t i = 0; i < KEYS; i++) {
		char key[16];
		name_of(i, key);
		lrd_op op = pool_op(LRD_OP_GET, key);
		run_one(pool, &op);
		assert_int_equal(op.status, LRD_DOWN);
	}
	for (uint32_t i = 0; i < 3; i++) {
		assert_true(lrd_pool_is_out(pool, i));
		assert_int_equal(counts_of(pool, i).connects, 1);
	}
	lrd_pool_free(pool);
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
		cmocka_unit_test_teardown(replies_of_a_stopped_server_are_taken_later, end_test),
		cmocka_unit_test_teardown(what_cannot_be_reached_has_ended_when_it_is_sent, end_test),
		cmocka_unit_test_teardown(what_comes_between_ends_the_first, end_test),
		cmocka_unit_test_teardown(many_are_sent_at_once, end_test),
		cmocka_unit_test_teardown(the_ring_goes_without_a_server_that_is_out, end_test),
		cmocka_unit_test_teardown(where_all_are_out_each_key_has_its_own_server, end_test),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

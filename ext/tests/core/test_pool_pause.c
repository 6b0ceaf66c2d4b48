/* How often a server that fails is tried: once in each pause, and each pause is twice the last. The clock is held. */
#define _GNU_SOURCE
#include "pool_world.h"

#include <string.h>

enum {
	RETRY_MS = 1000,
	ATTEMPTS = 8,
	CALLS = 25,                 /* in each pause */
};

/* 1, 2, 4, 8, 16, 16, ... times RETRY_MS */
static uint64_t pause_ns(unsigned attempt)
{
	unsigned doublings = attempt < 4 ? attempt : 4;
	return ((uint64_t) RETRY_MS << doublings) * LRD_MS_NS;
}

static void get(lrd_pool *pool, lrd_status status, lrd_failure failure)
{
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_ended(&op, status, failure);
}

/* Gives the time at which the server may be tried once more. */
static uint64_t fail_many_times(lrd_pool *pool, lrd_failure failure)
{
	uint64_t now = lrd_clock_monotonic_ns();
	for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
		lrd_clock_hold_ns(now);
		get(pool, LRD_DOWN, failure);
		for (unsigned call = 1; call <= CALLS; call++) {
			lrd_clock_hold_ns(now + pause_ns(attempt) / CALLS * call - 1);
			get(pool, LRD_DOWN, LRD_FAILURE_DOWN);
		}
		lrd_pool_counts counts = counts_of(pool, 0);
		assert_int_equal(counts.connects, attempt + 1);
		assert_int_equal(counts.connect_failures, attempt + 1);
		assert_int_equal(counts.refused_down, CALLS * (attempt + 1));
		assert_true(lrd_pool_is_down(pool, 0));
		now += pause_ns(attempt);
	}
	return now;
}

static void a_dead_server_costs_an_attempt_per_pause(void **state)
{
	(void) state;
	static const peer_step steps[] = {{PEER_DEAF, 0, 0}, {PEER_END, 0, 0}};
	peer *peer = peer_start(steps);
	char address[32];
	strcpy(address, peer_address(peer));
	peer_end(peer);
	lrd_pool *pool = pool_of((lrd_pool_options) { .retry_ms = RETRY_MS }, address, NULL);
	fail_many_times(pool, LRD_FAILURE_UNREACHABLE);
	lrd_pool_free(pool);
}

#define LOGIN \
	{ PEER_ACCEPT, 0, 0 }, { PEER_LINE, "set auth 0 0 9\r\n", 0 }, { PEER_LINE, "me secret\r\n", 0 }
#define REFUSED LOGIN, { PEER_SEND, "CLIENT_ERROR authentication failure\r\n", 0 }, { PEER_GONE, 0, 0 }

static void a_refused_password_costs_an_attempt_per_pause(void **state)
{
	(void) state;
	/* The peer takes ATTEMPTS that fail, one that does not, and one more failure. */
	static const peer_step steps[] = {
		REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED,
		LOGIN, { PEER_SEND, "STORED\r\n", 0 },
		{ PEER_LINE, "mg a v f O*\r\n", 0 }, { PEER_SEND, "EN O{0}\r\n", 0 }, { PEER_CLOSE, 0, 0 },
		REFUSED, { PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool_options options = { .retry_ms = RETRY_MS, .user = "me", .password = "secret" };
	lrd_pool *pool = pool_of(options, peer_address(peer), NULL);
	uint64_t now = fail_many_times(pool, LRD_FAILURE_DENIED);
	lrd_clock_hold_ns(now);
	get(pool, LRD_MISS, LRD_FAILURE_NONE);
	assert_false(lrd_pool_is_down(pool, 0));
	/* Then a new failure has the first pause again. The read is tried on a new connection, since the old one closed. */
	get(pool, LRD_DOWN, LRD_FAILURE_DENIED);
	lrd_clock_hold_ns(now + pause_ns(0) - 1);
	get(pool, LRD_DOWN, LRD_FAILURE_DOWN);
	lrd_clock_hold_ns(now + pause_ns(0));
	assert_false(lrd_pool_is_down(pool, 0));
	lrd_pool_free(pool);
	peer_end(peer);
}

static int end_test(void **state)
{
	(void) state;
	lrd_clock_hold_ns(0);
	forget_room();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_dead_server_costs_an_attempt_per_pause, end_test),
		cmocka_unit_test_teardown(a_refused_password_costs_an_attempt_per_pause, end_test),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a pool asks room for, of a value that a server announces: as bytes come, and none for what is not wanted. */
#define _GNU_SOURCE
#include "pool_world.h"

#include <stdlib.h>
#include <string.h>

enum { LARGE = 5000000, ASKED_MAX = 64 };

/* Room as of the world, up to a size; and what was asked for. */
typedef struct asking {
	size_t most;                /* above it, nothing is wanted */
	size_t sizes[ASKED_MAX], kept[ASKED_MAX];
	uint32_t count;
} asking;

static char *noting_room(void *context, lrd_op *op, size_t size, size_t kept)
{
	asking *asked = context;
	assert_in_range(asked->count, 0, ASKED_MAX - 1);
	asked->sizes[asked->count] = size;
	asked->kept[asked->count++] = kept;
	return size <= asked->most ? room_of_world(NULL, op, size, kept) : NULL;
}

/* Of each pair the first is large. */
static void get_two(const peer_step *steps, asking *asked, lrd_op ops[2], uint32_t timeout_ms)
{
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = timeout_ms }, peer_address(peer), NULL);
	ops[0] = pool_op(LRD_OP_GET, "a");
	ops[0].wants_version = true;
	ops[1] = pool_op(LRD_OP_GET, "b");
	ops[1].wants_version = true;
	forget_room();
	lrd_pool_run(pool, ops, 2, 0, noting_room, asked);
	assert_int_equal(counts_of(pool, 0).connects, 1);
	lrd_pool_free(pool);
	peer_end(peer);
}

#define ASKED { PEER_ACCEPT, 0, 0 }, { PEER_LINE, "mg a v f c O*\r\n", 0 }, { PEER_LINE, "mg b v f c O*\r\n", 0 }, \
	{ PEER_LINE, "mg larder:fence O*\r\n", 0 }
#define LARGE_REPLY { PEER_SEND, "VA 5000000 f0 c1 O{0}\r\n", 0 }, { PEER_ZEROES, NULL, LARGE }, \
	{ PEER_SEND, "\r\nVA 1 f0 c1 O{1}\r\nx\r\nEN O{2}\r\n", 0 }, { PEER_GONE, 0, 0 }, { PEER_END, 0, 0 }

static void what_is_announced_and_does_not_come_is_not_reserved(void **state)
{
	(void) state;
	static const peer_step steps[] = { ASKED, { PEER_SEND, "VA 1073741824 f0 c1 O{0}\r\nthree", 0 },
		{ PEER_GONE, 0, 0 }, { PEER_END, 0, 0 } };
	asking asked = { .most = SIZE_MAX };
	lrd_op ops[2];
	get_two(steps, &asked, ops, 100);
	assert_ended(&ops[0], LRD_UNKNOWN, LRD_FAILURE_TIMED_OUT);
	assert_int_equal(asked.count, 1);
	assert_in_range(asked.sizes[0], 0, LRD_ROOM_STEP);
}

static void room_grows_with_what_has_come(void **state)
{
	(void) state;
	static const peer_step steps[] = { ASKED, LARGE_REPLY };
	asking asked = { .most = SIZE_MAX };
	lrd_op ops[2];
	get_two(steps, &asked, ops, 10000);
	assert_int_equal(ops[0].status, LRD_OK);
	assert_int_equal(ops[0].found_size, LARGE);
	for (size_t i = 0; i < LARGE; i++) {
		assert_int_equal(ops[0].found[i], 0);
	}
	assert_found(&ops[1], "x");
	assert_int_equal(asked.sizes[0], LRD_ROOM_STEP);
	assert_int_equal(asked.kept[0], 0);
	for (uint32_t i = 1; i + 1 < asked.count; i++) {
		assert_int_equal(asked.kept[i], asked.sizes[i - 1]);
		assert_in_range(asked.sizes[i], asked.kept[i] + 1, 2 * asked.kept[i]);
	}
	assert_int_equal(asked.sizes[asked.count - 2], LARGE);
}

/* The reply behind it is read over the same connection. */
static void what_is_not_wanted_is_dropped(void **state)
{
	(void) state;
	static const peer_step steps[] = { ASKED, LARGE_REPLY };
	const size_t limits[] = {1, LRD_ROOM_STEP, LARGE - 1};
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		asking asked = { .most = limits[i] };
		lrd_op ops[2];
		get_two(steps, &asked, ops, 10000);
		assert_ended(&ops[0], LRD_OK, LRD_FAILURE_NONE);
		assert_null(ops[0].found);
		assert_int_equal(ops[0].found_size, LARGE);
		assert_found(&ops[1], "x");
		assert_in_range(asked.sizes[asked.count - 2], limits[i] + 1, LARGE);
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
		cmocka_unit_test_teardown(what_is_announced_and_does_not_come_is_not_reserved, end_test),
		cmocka_unit_test_teardown(room_grows_with_what_has_come, end_test),
		cmocka_unit_test_teardown(what_is_not_wanted_is_dropped, end_test),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

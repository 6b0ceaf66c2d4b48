/*
 * What a pool sends and how it takes replies, by scripted peers: every reply proves its request, or its op has no
 * answer.
 */
#define _GNU_SOURCE
#include "pool_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FENCE "mg larder:fence O*\r\n"
#define GET_A "mg a v f O*\r\n"
#define GET_B "mg b v f O*\r\n"
#define GET_C "mg c v f O*\r\n"
#define GET_AB "get a b\r\n"
#define SET_A "ms a 1 MS O*\r\n"
#define SET_B "ms b 1 MS O*\r\n"

/* ---- usual courses ---- */

static void single_ops_need_no_fence(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{PEER_ACCEPT, 0, 0},
		{PEER_LINE, GET_A, 0}, {PEER_SEND, "VA 5 f7 O{0}\r\nhello\r\n", 0},
		{PEER_LINE, GET_A, 0}, {PEER_SEND, "EN O{1}\r\n", 0},
		{PEER_LINE, SET_A, 0}, {PEER_LINE, "x\r\n", 0}, {PEER_SEND, "HD O{2}\r\n", 0},
		{PEER_LINE, GET_A, 0}, {PEER_SEND, "VA 0 f1 O{3}\r\n\r\n", 0},
		{PEER_GONE, 0, 0}, {PEER_END, 0, 0},
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_found(&op, "hello");
	assert_int_equal(op.found_flags, 7);
	assert_int_equal(op.server, 0);
	op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_ended(&op, LRD_MISS, LRD_FAILURE_NONE);
	op = set_of("a", "x");
	run_one(pool, &op);
	assert_ended(&op, LRD_OK, LRD_FAILURE_NONE);
	op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_found(&op, "");
	assert_int_equal(counts_of(pool, 0).connects, 1);
	assert_int_equal(counts_of(pool, LRD_NO_SERVER).requests, 4);
	lrd_pool_free(pool);
	peer_end(peer);
}

static void no_ops_are_no_work(void **state)
{
	(void) state;
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, "127.0.0.1:1", NULL);
	run(pool, NULL, 0);
	assert_int_equal(counts_of(pool, 0).connects, 0);
	lrd_pool_free(pool);
}

static void many_writes_go_out_at_once_and_end_with_a_fence(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, SET_A, 0 },
		{ PEER_LINE, "x\r\n", 0 },
		{ PEER_LINE, SET_B, 0 },
		{ PEER_LINE, "y\r\n", 0 },
		{ PEER_LINE, "md c O*\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "HD O{0}\r\nNS O{1}\r\nNF O{2}\r\nEN O{3}\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op ops[] = {set_of("a", "x"), set_of("b", "y"), pool_op(LRD_OP_DELETE, "c")};
	run(pool, ops, 3);
	assert_ended(&ops[0], LRD_OK, LRD_FAILURE_NONE);
	assert_int_not_equal(ops[1].status, LRD_OK);
	assert_ended(&ops[2], LRD_MISS, LRD_FAILURE_NONE);
	lrd_pool_free(pool);
	peer_end(peer);
}

static void neighbouring_gets_are_a_classic_line(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{PEER_ACCEPT, 0, 0},
		{PEER_LINE, GET_A, 0}, {PEER_LINE, "get b a c b\r\n", 0},
		{PEER_SEND, "VA 1 f3 O{0}\r\nA\r\nVALUE a 3 1\r\nA\r\nVALUE c 0 2\r\n\r\n\r\nEND\r\n", 0},
		{PEER_LINE, GET_A, 0}, {PEER_LINE, GET_B, 0}, {PEER_LINE, FENCE, 0},
		{PEER_SEND, "EN O{1}\r\nVA 1 f0 O{2}\r\nB\r\nHD O{3}\r\n", 0},
		{PEER_LINE, GET_C, 0}, {PEER_LINE, GET_AB, 0}, {PEER_SEND, "EN O{4}\r\nSERVER_ERROR out of memory\r\n", 0},
		{PEER_LINE, FENCE, 0}, {PEER_SEND, "EN O{5}\r\n", 0},
		{PEER_LINE, GET_C, 0}, {PEER_LINE, GET_AB, 0},
		{PEER_SEND, "EN O{6}\r\nVALUE a 0 1\r\nA\r\nVALUE b 0 1\r\nB\r\nSERVER_ERROR out of memory\r\n", 0},
		{PEER_LINE, FENCE, 0}, {PEER_SEND, "EN O{7}\r\n", 0},
		{PEER_GONE, 0, 0}, {PEER_END, 0, 0},
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op ops[5];
	const char *keys[] = {"a", "b", "a", "c", "b"};
	for (int i = 0; i < 5; i++) {
		ops[i] = pool_op(LRD_OP_GET, keys[i]);
	}
	run(pool, ops, 5);
	assert_found(&ops[0], "A");
	assert_ended(&ops[1], LRD_MISS, LRD_FAILURE_NONE);
	assert_found(&ops[2], "A");
	assert_found(&ops[3], "\r\n");
	assert_ended(&ops[4], LRD_MISS, LRD_FAILURE_NONE);
	ops[0] = pool_op(LRD_OP_GET, "a");
	ops[1] = pool_op(LRD_OP_GET, "b");
	run(pool, ops, 2);
	assert_int_equal(ops[0].status, LRD_MISS);
	assert_found(&ops[1], "B");
	for (int turn = 0; turn < 2; turn++) {
		ops[0] = pool_op(LRD_OP_GET, "c");
		ops[1] = pool_op(LRD_OP_GET, "a");
		ops[2] = pool_op(LRD_OP_GET, "b");
		run(pool, ops, 3);
		assert_int_equal(ops[0].status, LRD_MISS);
		if (turn == 0) {
			assert_ended(&ops[1], LRD_REFUSED, LRD_FAILURE_NO_MEMORY);
			assert_ended(&ops[2], LRD_REFUSED, LRD_FAILURE_NO_MEMORY);
		} else {
			assert_found(&ops[1], "A");
			assert_found(&ops[2], "B");
		}
	}
	lrd_pool_free(pool);
	peer_end(peer);
}

static void gets_keep_their_place_among_writes(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_LINE, SET_A, 0 },
		{ PEER_LINE, "x\r\n", 0 },
		{ PEER_LINE, GET_AB, 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "EN O{0}\r\nHD O{1}\r\nVALUE a 0 1\r\nx\r\nEND\r\nEN O{2}\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op ops[] = {pool_op(LRD_OP_GET, "a"), set_of("a", "x"), pool_op(LRD_OP_GET, "a"), pool_op(LRD_OP_GET, "b")};
	run(pool, ops, 4);
	assert_int_equal(ops[0].status, LRD_MISS);
	assert_int_equal(ops[1].status, LRD_OK);
	assert_found(&ops[2], "x");
	assert_int_equal(ops[3].status, LRD_MISS);
	lrd_pool_free(pool);
	peer_end(peer);
}

/* An add that meets a lease's stub looks at it and writes over it, while the batch's other op has long ended. */
static void a_second_step_is_a_second_round(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, "ms a ~O*\r\n", 0 },
		{ PEER_LINE, "x\r\n", 0 },
		{ PEER_LINE, "ms b ~O*\r\n", 0 },
		{ PEER_LINE, "y\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "NS O{0}\r\nHD O{1}\r\nEN O{2}\r\n", 0 },
		{ PEER_LINE, "mg a ~O*\r\n", 0 },
		{ PEER_QUIET, 0, 20 },
		{ PEER_SEND, "HD s0 f0 c5 O{3}\r\n", 0 },
		{ PEER_LINE, "ms a ~O*\r\n", 0 },
		{ PEER_LINE, "x\r\n", 0 },
		{ PEER_SEND, "HD O{4}\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .has_stubs = true }, peer_address(peer), NULL);
	lrd_op ops[] = {set_of("a", "x"), set_of("b", "y")};
	ops[0].kind = LRD_OP_ADD;
	run(pool, ops, 2);
	assert_ended(&ops[0], LRD_OK, LRD_FAILURE_NONE);
	assert_ended(&ops[1], LRD_OK, LRD_FAILURE_NONE);
	assert_int_equal(counts_of(pool, 0).batches, 3);
	lrd_pool_free(pool);
	peer_end(peer);
}

/* ---- errors have no opaque ---- */

static void an_error_is_the_reply_of_the_first_unanswered(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, SET_A, 0 },
		{ PEER_LINE, "x\r\n", 0 },
		{ PEER_LINE, SET_B, 0 },
		{ PEER_LINE, "y\r\n", 0 },
		{ PEER_LINE, SET_A, 0 },
		{ PEER_LINE, "z\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "HD O{0}\r\nSERVER_ERROR object too large for cache\r\nHD O{2}\r\nEN O{3}\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op ops[] = {set_of("a", "x"), set_of("b", "y"), set_of("a", "z")};
	run(pool, ops, 3);
	assert_ended(&ops[0], LRD_OK, LRD_FAILURE_NONE);
	assert_ended(&ops[1], LRD_TOO_LARGE, LRD_FAILURE_TOO_LARGE);
	assert_ended(&ops[2], LRD_OK, LRD_FAILURE_NONE);
	lrd_pool_free(pool);
	peer_end(peer);
}

static void a_single_error_is_proved_by_a_fence(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, SET_A, 0 },
		{ PEER_LINE, "x\r\n", 0 },
		{ PEER_SEND, "SERVER_ERROR out of memory storing object\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "EN O{1}\r\n", 0 },
		/* two lines for one request, and in one packet */
		{ PEER_LINE, SET_A, 0 },
		{ PEER_LINE, "x\r\n", 0 },
		{ PEER_SEND, "CLIENT_ERROR bad command line format\r\nERROR\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "EN O{3}\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op op = set_of("a", "x");
	run_one(pool, &op);
	assert_ended(&op, LRD_REFUSED, LRD_FAILURE_NO_MEMORY);
	op = set_of("a", "x");
	run_one(pool, &op);
	assert_ended(&op, LRD_REFUSED, LRD_FAILURE_CLIENT_ERROR);
	assert_int_equal(counts_of(pool, 0).connects, 1);
	lrd_pool_free(pool);
	peer_end(peer);
}

/* Which of the two the second line belongs to shows only later: then neither may be told that it was not done. */
static void an_error_too_many_leaves_no_op_wrongly_refused(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, SET_A, 0 },
		{ PEER_LINE, "x\r\n", 0 },
		{ PEER_LINE, SET_B, 0 },
		{ PEER_LINE, "y\r\n", 0 },
		{ PEER_LINE, SET_A, 0 },
		{ PEER_LINE, "z\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "CLIENT_ERROR bad\r\nERROR\r\nHD O{1}\r\nHD O{2}\r\nEN O{3}\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op ops[] = {set_of("a", "x"), set_of("b", "y"), set_of("a", "z")};
	run(pool, ops, 3);
	for (int i = 0; i < 3; i++) {
		assert_ended(&ops[i], LRD_UNKNOWN, LRD_FAILURE_OUT_OF_STEP);
	}
	lrd_pool_free(pool);
	peer_end(peer);
}

static void a_server_without_meta_commands_is_told(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{PEER_ACCEPT, 0, 0},
		{PEER_LINE, GET_A, 0}, {PEER_SEND, "ERROR\r\n", 0}, {PEER_LINE, FENCE, 0}, {PEER_SEND, "ERROR\r\n", 0},
		{PEER_GONE, 0, 0}, {PEER_END, 0, 0},
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_ended(&op, LRD_REFUSED, LRD_FAILURE_UNKNOWN_COMMAND);
	peer_end(peer);
	lrd_pool_free(pool);
}

/* ---- replies that prove nothing ---- */

typedef struct wrong {
	const char *name, *reply;
} wrong;

static const wrong wrongs[] = {
	{"another opaque", "VA 1 f0 Odeadbeef\r\nx\r\n"},
	{"no opaque", "VA 1 f0\r\nx\r\n"},
	{"no opaque, a miss", "EN\r\n"},
	{"a bare MN", "MN\r\n"},
	{"a value twice", "VA 1 f0 O{0}\r\nx\r\nVA 1 f0 O{0}\r\nx\r\n"},
	{"a value and more", "VA 1 f0 O{0}\r\nx\r\nEN\r\n"},
	{"garbage", "\x01\x02\x03 garbage\r\n"},
	{"no end", "VA 1 f0 O{0}\r\nxyz"},
	{"a length too short", "VA 1 f0 O{0}\r\nxy\r\n"},
	{"2^30 + 1", "VA 1073741825 f0 O{0}\r\n"},
	{"2^63", "VA 9223372036854775808 f0 O{0}\r\n"},
	{"2^63 - 1", "VA 9223372036854775807 f0 O{0}\r\n"},
	{"2^64", "VA 18446744073709551616 f0 O{0}\r\n"},
	{"a negative length", "VA -1 f0 O{0}\r\nx\r\n"},
	{"the end of something", "END\r\n"},
	{"an empty line", "\r\n"},
};

static void what_does_not_prove_itself_is_no_answer(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
		const peer_step steps[] = {
			{ PEER_ACCEPT, 0, 0 },
			{ PEER_LINE, GET_A, 0 },
			{ PEER_SEND, wrongs[i].reply, 0 },
			{ PEER_GONE, 0, 0 },
			{ PEER_END, 0, 0 },
		};
		peer *peer = peer_start(steps);
		lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 2000 }, peer_address(peer), NULL);
		lrd_op op = pool_op(LRD_OP_GET, "a");
		unsigned ms = run_timed(pool, &op, 1);
		if (op.status != LRD_UNKNOWN || op.failure != LRD_FAILURE_OUT_OF_STEP || op.found != NULL || ms > 1000) {
			fail_msg("%s: status %d, failure %d, %u ms", wrongs[i].name, op.status, op.failure, ms);
		}
		assert_int_equal(counts_of(pool, 0).closed_in_doubt, 1);
		peer_end(peer);
		lrd_pool_free(pool);
	}
}

/* Behind the reply to "mg c", where it is not wrong itself. */
static const wrong wrong_classics[] = {
	{"a key not asked for", "EN O{0}\r\nVALUE z 0 1\r\nx\r\nEND\r\n"},
	{"keys in another order", "EN O{0}\r\nVALUE b 0 1\r\nx\r\nVALUE a 0 1\r\nx\r\nEND\r\n"},
	{"a value twice", "EN O{0}\r\nVALUE a 0 1\r\nx\r\nVALUE a 0 1\r\nx\r\nEND\r\n"},
	{"END twice", "EN O{0}\r\nEND\r\nEND\r\n"},
	{"no END", "EN O{0}\r\nVALUE a 0 1\r\nx\r\nVALUE b 0 1\r\nx\r\nEN O{0}\r\n"},
	{"another request's reply first", "EN Odeadbeef\r\nVALUE a 0 1\r\nx\r\nEND\r\n"},
	{"a reply without an opaque first", "EN\r\nVALUE a 0 1\r\nx\r\nEND\r\n"},
	{"no reply first", "VALUE a 0 1\r\nx\r\nEND\r\n"},
	{"bytes behind END", "EN O{0}\r\nVALUE a 0 1\r\nx\r\nEND\r\nEN O{0}\r\n"},
	{"a length too short", "EN O{0}\r\nVALUE a 0 1\r\nxx\r\nEND\r\n"},
	{"2^63", "EN O{0}\r\nVALUE a 0 9223372036854775808\r\nx"},
	{"a meta reply", "EN O{0}\r\nVA 1 f0 O{0}\r\nx\r\n"},
};

/* A late answer to an earlier `get a b` would fit all but the fence: nothing counts before that has come. */
static void classic_replies_count_behind_a_tagged_one(void **state)
{
	(void) state;
	for (size_t i = 0; i < sizeof wrong_classics / sizeof wrong_classics[0]; i++) {
		const peer_step steps[] = {
			{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_C, 0}, {PEER_LINE, GET_AB, 0}, {PEER_SEND, wrong_classics[i].reply, 0},
			{PEER_GONE, 0, 0}, {PEER_END, 0, 0},
		};
		peer *peer = peer_start(steps);
		lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 2000 }, peer_address(peer), NULL);
		lrd_op ops[] = {pool_op(LRD_OP_GET, "c"), pool_op(LRD_OP_GET, "a"), pool_op(LRD_OP_GET, "b")};
		unsigned ms = run_timed(pool, ops, 3);
		for (int j = 1; j < 3; j++) {
			if (ops[j].status != LRD_UNKNOWN || ops[j].failure != LRD_FAILURE_OUT_OF_STEP || ops[j].found != NULL
				|| ms > 1000) {
				fail_msg("%s: op %d: status %d, failure %d, %u ms", wrong_classics[i].name, j, ops[j].status,
					ops[j].failure, ms);
			}
		}
		peer_end(peer);
		lrd_pool_free(pool);
	}
}

static void a_reply_may_come_in_any_pieces(void **state)
{
	(void) state;
	static const char text[] = "VA 5 f7 O{0}\r\nhello\r\n";
	peer_step steps[3 * 80] = {{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_A, 0}};
	static char pieces[80][2];
	size_t count = 2;
	for (size_t i = 0; text[i] != '\0'; i++) {
		if (text[i] == 'O') {
			steps[count++] = (peer_step) { PEER_SEND, "O{0}", 0 };
			i += 3;
		} else {
			pieces[i][0] = text[i];
			steps[count++] = (peer_step) { PEER_SEND, pieces[i], 0 };
		}
		steps[count++] = (peer_step) { PEER_WAIT, NULL, 2 };
	}
	steps[count] = (peer_step) { PEER_GONE, NULL, 0 };
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 2000 }, peer_address(peer), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_found(&op, "hello");
	lrd_pool_free(pool);
	peer_end(peer);
}

/* The reply proves itself, the bytes behind it only that this connection cannot be used again. */
static void a_batch_with_a_wrong_fence_keeps_what_was_proved(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{PEER_ACCEPT, 0, 0},
		{PEER_LINE, SET_A, 0}, {PEER_LINE, "x\r\n", 0}, {PEER_LINE, "md b O*\r\n", 0}, {PEER_LINE, FENCE, 0},
		{PEER_SEND, "HD O{0}\r\nHD O{1}\r\nMN\r\n", 0}, {PEER_GONE, 0, 0},
		{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_A, 0}, {PEER_SEND, "EN O{0}\r\n", 0}, {PEER_GONE, 0, 0}, {PEER_END, 0, 0},
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .retry_ms = 1 }, peer_address(peer), NULL);
	lrd_op ops[] = {set_of("a", "x"), pool_op(LRD_OP_DELETE, "b")};
	run(pool, ops, 2);
	assert_ended(&ops[0], LRD_OK, LRD_FAILURE_NONE);
	assert_ended(&ops[1], LRD_OK, LRD_FAILURE_NONE);
	while (lrd_pool_is_down(pool, 0)) {
	}
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_ended(&op, LRD_MISS, LRD_FAILURE_NONE);
	lrd_pool_free(pool);
	peer_end(peer);
}

/* ---- lines ---- */

static void a_line_is_answered_up_to_the_fence(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, "stats\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "STAT a 1\r\nSTAT END\r\nEND\r\nEN O{0}\r\n", 0 },
		{ PEER_LINE, "stats x\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "END\r\nEN O{1}\r\n", 0 },
		{ PEER_LINE, "nonsense\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "ERROR\r\nEN O{2}\r\n", 0 },
		{ PEER_LINE, "version\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "VERSION 1\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op op = {.kind = 0};
	lrd_pool_ask(pool, 0, (lrd_slice) { "stats", 5 }, 0, &op, room_of_world, NULL);
	assert_found(&op, "STAT a 1\r\nSTAT END\r\n");
	op = (lrd_op) {.kind = 0};
	lrd_pool_ask(pool, 0, (lrd_slice) { "stats x", 7 }, 0, &op, room_of_world, NULL);
	assert_found(&op, "");
	op = (lrd_op) {.kind = 0};
	lrd_pool_ask(pool, 0, (lrd_slice) { "nonsense", 8 }, 0, &op, room_of_world, NULL);
	assert_ended(&op, LRD_REFUSED, LRD_FAILURE_UNKNOWN_COMMAND);
	op = (lrd_op) {.kind = 0};
	lrd_pool_ask(pool, 0, (lrd_slice) { "version", 7 }, 50, &op, room_of_world, NULL);
	assert_ended(&op, LRD_UNKNOWN, LRD_FAILURE_TIMED_OUT);
	lrd_pool_free(pool);
	peer_end(peer);
}

/* ---- options ---- */

static void assert_refused(lrd_pool_options options, const char *address, const char *second, const char *word)
{
	lrd_pool_server servers[2] = { { .address = { address, strlen(address) } },
		{ .address = { second, second != NULL ? strlen(second) : 0 } } };
	char why[LRD_POOL_WHY];
	lrd_pool *pool = (lrd_pool *) why;
	options.servers = servers;
	options.server_count = second != NULL ? 2 : 1;
	if (options.hash != NULL && strcmp(options.hash, "none of it") == 0) {
		options.server_count = 0;
		options.hash = NULL;
	}
	assert_int_equal(lrd_pool_open(&options, &pool, why), LRD_BAD_OPTION);
	assert_null(pool);
	if (strstr(why, word) == NULL) {
		fail_msg("\"%s\" does not say \"%s\"", why, word);
	}
}

static void options_that_cannot_be_are_named(void **state)
{
	(void) state;
	assert_refused((lrd_pool_options) { .hash = "none of it" }, "a", NULL, "at least one server");
	assert_refused((lrd_pool_options) { .ring = NULL }, "a b", NULL, "a b");
	assert_refused((lrd_pool_options) { .ring = NULL }, "host", "HOST:11211", "twice");
	assert_refused((lrd_pool_options) { .ring = "square" }, "host", NULL, "\"square\"");
	assert_refused((lrd_pool_options) { .hash = "sha0" }, "host", NULL, "\"sha0\"");
	assert_refused((lrd_pool_options) { .ring = "ketama", .hash = "crc" }, "host", NULL, "\"ketama\"");
	assert_refused((lrd_pool_options) { .user = "me" }, "host", NULL, "together");
	assert_refused((lrd_pool_options) { .user = "m e", .password = "x" }, "host", NULL, "blanks");
	assert_refused((lrd_pool_options) { .user = "me", .password = "x\r\nflush_all" }, "host", NULL, "control");
	assert_refused((lrd_pool_options) { .tls_ca_file = "/nowhere/ca.pem" }, "tls://host", NULL, "/nowhere/ca.pem");
	lrd_pool_server heavy = {.address = {"host", 4}, .weight = 1001};
	lrd_pool_options options = {.servers = &heavy, .server_count = 1};
	char why[LRD_POOL_WHY];
	lrd_pool *pool;
	assert_int_equal(lrd_pool_open(&options, &pool, why), LRD_BAD_OPTION);
	assert_non_null(strstr(why, "1001"));
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
		cmocka_unit_test_teardown(single_ops_need_no_fence, end_test),
		cmocka_unit_test_teardown(no_ops_are_no_work, end_test),
		cmocka_unit_test_teardown(many_writes_go_out_at_once_and_end_with_a_fence, end_test),
		cmocka_unit_test_teardown(neighbouring_gets_are_a_classic_line, end_test),
		cmocka_unit_test_teardown(gets_keep_their_place_among_writes, end_test),
		cmocka_unit_test_teardown(a_second_step_is_a_second_round, end_test),
		cmocka_unit_test_teardown(an_error_is_the_reply_of_the_first_unanswered, end_test),
		cmocka_unit_test_teardown(a_single_error_is_proved_by_a_fence, end_test),
		cmocka_unit_test_teardown(an_error_too_many_leaves_no_op_wrongly_refused, end_test),
		cmocka_unit_test_teardown(a_server_without_meta_commands_is_told, end_test),
		cmocka_unit_test_teardown(what_does_not_prove_itself_is_no_answer, end_test),
		cmocka_unit_test_teardown(classic_replies_count_behind_a_tagged_one, end_test),
		cmocka_unit_test_teardown(a_reply_may_come_in_any_pieces, end_test),
		cmocka_unit_test_teardown(a_batch_with_a_wrong_fence_keeps_what_was_proved, end_test),
		cmocka_unit_test_teardown(a_line_is_answered_up_to_the_fence, end_test),
		cmocka_unit_test_teardown(options_that_cannot_be_are_named, end_test),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

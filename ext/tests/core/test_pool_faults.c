/*
 * What servers and networks do to a pool: late, half, never; and that each call comes back in time, with nothing sent
 * twice.
 */
#define _GNU_SOURCE
#include "pool_world.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FENCE "mg larder:fence O*\r\n"
#define GET_A "mg a v f O*\r\n"
#define COUNT_A "ma a ~O*\r\n"

static void nap(unsigned ms)
{
	nanosleep(&(struct timespec) { .tv_sec = ms / 1000, .tv_nsec = (long) (ms % 1000) * 1000000 }, NULL);
}

/* What a call with this deadline may take: a tenth more, and what a busy machine adds. */
#define assert_in_time(ms, deadline) assert_in_range(ms, 0, (deadline) + (deadline) / 10 + 40)

/* ---- one recorded session, ended at each of its bytes ---- */

enum { SESSION_OPS = 6 };

static const char session_reply[] = "HD O{0}\r\nVA 2 f0 c9 O{1}\r\nxy\r\nSERVER_ERROR object too large for "
		"cache\r\nVALUE d 5 1\r\nD\r\nEND\r\nNF O{3}\r\nEN O{4}\r\n";

static void make_session(lrd_op ops[SESSION_OPS])
{
	ops[0] = set_of("a", "1");
	ops[1] = pool_op(LRD_OP_GET, "b");
	ops[1].wants_version = true;
	ops[2] = set_of("c", "3");
	ops[3] = pool_op(LRD_OP_GET, "d");
	ops[4] = pool_op(LRD_OP_GET, "e");
	ops[5] = pool_op(LRD_OP_DELETE, "f");
}

static void check_session(const lrd_op ops[SESSION_OPS], size_t sent, lrd_failure failure)
{
	static const lrd_status ends[SESSION_OPS] = {LRD_OK, LRD_OK, LRD_TOO_LARGE, LRD_OK, LRD_MISS, LRD_MISS};
	for (int i = 0; i < SESSION_OPS; i++) {
		bool is_right = ops[i].status == ends[i]
			|| (ops[i].status == LRD_UNKNOWN && ops[i].failure == failure && ops[i].found == NULL);
		if (!is_right) {
			fail_msg("%zu bytes, op %d: status %d, failure %d", sent, i, ops[i].status, ops[i].failure);
		}
	}
	if (ops[1].status == LRD_OK) {
		assert_found(&ops[1], "xy");
	}
	if (ops[3].status == LRD_OK) {
		assert_found(&ops[3], "D");
	}
}

static void end_session(peer_do how, lrd_failure failure)
{
	/* Opaques have 8 digits at most, the text has 3 in the place of each. */
	for (size_t sent = 1; sent < sizeof session_reply + 5 * 6; sent++) {
		const peer_step steps[] = {
			{ PEER_ACCEPT, 0, 0 },
			{ PEER_LINE, "ms a 1 MS O*\r\n", 0 },
			{ PEER_LINE, "1\r\n", 0 },
			{ PEER_LINE, "mg b v f c O*\r\n", 0 },
			{ PEER_LINE, "ms c 1 MS O*\r\n", 0 },
			{ PEER_LINE, "3\r\n", 0 },
			{ PEER_LINE, "get d e\r\n", 0 },
			{ PEER_LINE, "md f O*\r\n", 0 },
			{ PEER_LINE, FENCE, 0 },
			{ PEER_SEND, session_reply, sent },
			{ how, 0, 0 },
			{ PEER_END, 0, 0 },
		};
		peer *peer = peer_start(steps);
		lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 5000 }, peer_address(peer), NULL);
		lrd_op ops[SESSION_OPS];
		make_session(ops);
		unsigned ms = run_timed(pool, ops, SESSION_OPS);
		assert_in_range(ms, 0, 1000);
		check_session(ops, sent, failure);
		peer_end(peer);
		lrd_pool_free(pool);
	}
}

static void closing_at_each_byte_leaves_right_answers_or_none(void **state)
{
	(void) state;
	end_session(PEER_CLOSE, LRD_FAILURE_CLOSED);
}

static void half_closing_at_each_byte_too(void **state)
{
	(void) state;
	end_session(PEER_HALF_CLOSE, LRD_FAILURE_CLOSED);
}

static void resetting_at_each_byte_too(void **state)
{
	(void) state;
	end_session(PEER_RESET, LRD_FAILURE_CLOSED);
}

/* ---- time ---- */

static void a_late_reply_is_nobodys(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_WAIT, 0, 150 },
		{ PEER_SEND, "VA 3 f0 O{0}\r\nold\r\n", 0 },
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_SEND, "VA 3 f0 O{0}\r\nnew\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .retry_ms = 1 }, peer_address(peer), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	forget_room();
	lrd_pool_run(pool, &op, 1, 50, room_of_world, NULL);
	assert_ended(&op, LRD_UNKNOWN, LRD_FAILURE_TIMED_OUT);
	nap(5);
	op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_found(&op, "new");
	assert_int_equal(counts_of(pool, 0).timeouts, 1);
	lrd_pool_free(pool);
	peer_end(peer);
}

static void a_deadline_is_the_whole_calls(void **state)
{
	(void) state;
	static peer_step steps[200] = {{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_A, 0}, {PEER_SEND, "VA 500 f0 O{0}\r\n", 0}};
	for (int i = 3; i < 103; i += 2) {
		steps[i] = (peer_step) { PEER_SEND, "x", 0 };
		steps[i + 1] = (peer_step) { PEER_WAIT, NULL, 10 };
	}
	for (int blocks = 0; blocks < 2; blocks++) {
		peer *peer = peer_start(steps);
		lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = blocks ? 200 : 5000 }, peer_address(peer), NULL);
		lrd_op op = pool_op(LRD_OP_GET, "a");
		uint64_t begin = lrd_clock_monotonic_ns();
		lrd_pool_run(pool, &op, 1, 200, room_of_world, NULL);
		unsigned ms = (unsigned) ((lrd_clock_monotonic_ns() - begin) / LRD_MS_NS);
		assert_ended(&op, LRD_UNKNOWN, LRD_FAILURE_TIMED_OUT);
		assert_in_range(ms, 199, 1000);
		assert_in_time(ms, 200);
		lrd_pool_free(pool);
		peer_end(peer);
	}
}

/* Always something to read, never what was asked for. */
static void a_flood_ends_at_once(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_A, 0}, {PEER_ZEROES, 0, 8 << 20}, {PEER_END, 0, 0},
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 2000 }, peer_address(peer), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	unsigned ms = run_timed(pool, &op, 1);
	assert_ended(&op, LRD_UNKNOWN, LRD_FAILURE_OUT_OF_STEP);
	assert_in_range(ms, 0, 1000);
	lrd_pool_free(pool);
	peer_end(peer);
}

/* Which of two servers keeps a key. */
static void keys_of_both(const lrd_pool *pool, char keys[2][16])
{
	bool found[2] = {false, false};
	for (int i = 0; !found[0] || !found[1]; i++) {
		char key[16];
		snprintf(key, sizeof key, "k%d", i);
		uint32_t server = lrd_pool_find(pool, (lrd_slice) { key, strlen(key) });
		found[server] = true;
		strcpy(keys[server], key);
	}
}

static void one_that_hangs_takes_no_answer_of_the_other(void **state)
{
	(void) state;
	static const peer_step steps[] = {{PEER_ACCEPT, 0, 0}, {PEER_WAIT, 0, 500}, {PEER_END, 0, 0}};
	memcached *server = memcached_start(true, NULL);
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of(
		(lrd_pool_options) { .timeout_ms = 200 }, memcached_address(server), peer_address(peer), NULL);
	char keys[2][16];
	keys_of_both(pool, keys);
	lrd_op ops[] = { set_of(keys[0], "x"), set_of(keys[1], "x"), pool_op(LRD_OP_DELETE, keys[0]),
		pool_op(LRD_OP_GET, keys[1]) };
	unsigned ms = run_timed(pool, ops, 4);
	assert_in_range(ms, 199, 1000);
	assert_in_time(ms, 200);
	assert_ended(&ops[0], LRD_OK, LRD_FAILURE_NONE);
	assert_ended(&ops[1], LRD_UNKNOWN, LRD_FAILURE_TIMED_OUT);
	assert_ended(&ops[2], LRD_OK, LRD_FAILURE_NONE);
	assert_ended(&ops[3], LRD_UNKNOWN, LRD_FAILURE_TIMED_OUT);
	lrd_pool_free(pool);
	peer_end(peer);
	memcached_end(server);
}

/* ---- servers that are down ---- */

static void hang(const peer_step *steps, int times)
{
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 60, .retry_ms = 100 }, peer_address(peer), NULL);
	for (int i = 0; i < times; i++) {
		assert_false(lrd_pool_is_down(pool, 0));
		lrd_op op = pool_op(LRD_OP_GET, "a");
		run_one(pool, &op);
		assert_ended(&op, LRD_UNKNOWN, LRD_FAILURE_TIMED_OUT);
	}
	assert_true(lrd_pool_is_down(pool, 0));
	lrd_op op = pool_op(LRD_OP_GET, "a");
	assert_in_range(run_timed(pool, &op, 1), 0, 20);
	assert_ended(&op, LRD_DOWN, LRD_FAILURE_DOWN);
	nap(110);
	op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_ended(&op, LRD_MISS, LRD_FAILURE_NONE);
	assert_false(lrd_pool_is_down(pool, 0));
	lrd_pool_free(pool);
	peer_end(peer);
}

static void a_server_that_says_nothing_is_down_at_once_and_a_slow_one_the_second_time(void **state)
{
	(void) state;
	static const char half[] = "VA 5 f0 O{0}\r\nhe";
	static const peer_step silent[] = {
		{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_A, 0}, {PEER_GONE, 0, 0},
		{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_A, 0}, {PEER_SEND, "EN O{0}\r\n", 0}, {PEER_GONE, 0, 0}, {PEER_END, 0, 0},
	};
	static const peer_step slow[] = {
		{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_A, 0}, {PEER_SEND, half, 0}, {PEER_GONE, 0, 0},
		{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_A, 0}, {PEER_SEND, half, 0}, {PEER_GONE, 0, 0},
		{PEER_ACCEPT, 0, 0}, {PEER_LINE, GET_A, 0}, {PEER_SEND, "EN O{0}\r\n", 0}, {PEER_GONE, 0, 0}, {PEER_END, 0, 0},
	};
	hang(silent, 1);
	hang(slow, 2);
}

static char *slow_room(void *context, lrd_op *op, size_t size, size_t kept)
{
	nap(200);
	return room_of_world(context, op, size, kept);
}

/* It is this process that was late, not the second server. */
static void what_came_while_nobody_looked_is_taken(void **state)
{
	(void) state;
	static const peer_step quick[] = { { PEER_ACCEPT, 0, 0 }, { PEER_LINE, "mg ~O*\r\n", 0 },
		{ PEER_SEND, "VA 1 f0 O{0}\r\nx\r\n", 0 }, { PEER_GONE, 0, 0 }, { PEER_END, 0, 0 } };
	static const peer_step later[] = { { PEER_ACCEPT, 0, 0 }, { PEER_LINE, "mg ~O*\r\n", 0 }, { PEER_WAIT, 0, 20 },
		{ PEER_SEND, "EN O{0}\r\n", 0 }, { PEER_GONE, 0, 0 }, { PEER_END, 0, 0 } };
	peer *peers[] = {peer_start(quick), peer_start(later)};
	lrd_pool *pool = pool_of(
		(lrd_pool_options) { .timeout_ms = 100 }, peer_address(peers[0]), peer_address(peers[1]), NULL);
	char keys[2][16];
	keys_of_both(pool, keys);
	lrd_op ops[] = {pool_op(LRD_OP_GET, keys[0]), pool_op(LRD_OP_GET, keys[1])};
	forget_room();
	lrd_pool_run(pool, ops, 2, 0, slow_room, NULL);
	assert_found(&ops[0], "x");
	assert_ended(&ops[1], LRD_MISS, LRD_FAILURE_NONE);
	assert_int_equal(counts_of(pool, 1).timeouts, 0);
	lrd_pool_free(pool);
	peer_end(peers[0]);
	peer_end(peers[1]);
}

/* A listener whose queue is full drops the attempt without a word. */
static void connecting_is_under_the_deadline(void **state)
{
	(void) state;
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0), fillers[4];
	assert_int_equal(bind(listener, (struct sockaddr *) &at, sizeof at), 0);
	assert_int_equal(listen(listener, 0), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *) &at, &size), 0);
	for (int i = 0; i < 4; i++) {
		fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void) !connect(fillers[i], (struct sockaddr *) &at, sizeof at);
	}
	nap(20);
	char address[32];
	snprintf(address, sizeof address, "127.0.0.1:%d", ntohs(at.sin_port));
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 150 }, address, NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	unsigned ms = run_timed(pool, &op, 1);
	assert_ended(&op, LRD_DOWN, LRD_FAILURE_UNREACHABLE);
	assert_in_time(ms, 150);
	assert_in_range(ms, 149, 1000);
	assert_true(lrd_pool_is_down(pool, 0));
	lrd_pool_free(pool);
	for (int i = 0; i < 4; i++) {
		close(fillers[i]);
	}
	close(listener);
}

static void one_that_only_takes_connections_is_down(void **state)
{
	(void) state;
	static const peer_step steps[] = { { PEER_ACCEPT, 0, 0 }, { PEER_SEND, "ERROR Too many open connections\r\n", 0 },
		{ PEER_CLOSE, 0, 0 }, { PEER_END, 0, 0 } };
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_int_not_equal(op.status, LRD_MISS);
	assert_int_not_equal(op.status, LRD_OK);
	assert_true(lrd_pool_is_down(pool, 0));
	lrd_pool_free(pool);
	peer_end(peer);
}

/* ---- what is sent again, and what never ---- */

static void before_the_first_byte_it_reconnects(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, COUNT_A, 0 },
		{ PEER_SEND, "VA 1 c1 t-1 O{0}\r\n1\r\n", 0 },
		{ PEER_WAIT, 0, 20 },
		{ PEER_RESET, 0, 0 },
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, COUNT_A, 0 },
		{ PEER_SEND, "VA 1 c2 t-1 O{0}\r\n2\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	for (int i = 1; i <= 2; i++) {
		lrd_op op = pool_op(LRD_OP_ADD_NUMBER, "a");
		op.by = 1;
		run_one(pool, &op);
		assert_ended(&op, LRD_OK, LRD_FAILURE_NONE);
		assert_int_equal(op.number, i);
		nap(60);
	}
	assert_int_equal(counts_of(pool, 0).connects, 2);
	lrd_pool_free(pool);
	peer_end(peer);
}

static void a_counter_that_was_sent_is_not_sent_again(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, COUNT_A, 0 },
		{ PEER_SEND, "VA 1 c1 t-1 O{0}\r\n1\r\n", 0 },
		{ PEER_CLOSE, 0, 0 },
		{ PEER_WAIT, 0, 200 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op op = pool_op(LRD_OP_ADD_NUMBER, "a");
	op.by = 1;
	run_one(pool, &op);
	assert_int_equal(op.number, 1);
	nap(30);
	/* The end has come already, but only a read would tell: this is not a new request of PHP's. */
	op = pool_op(LRD_OP_ADD_NUMBER, "a");
	op.by = 1;
	run_one(pool, &op);
	assert_ended(&op, LRD_UNKNOWN, LRD_FAILURE_CLOSED);
	assert_int_equal(counts_of(pool, 0).connects, 1);
	assert_int_equal(counts_of(pool, 0).closed_in_doubt, 1);
	assert_int_equal(peer_accepted(peer), 1);
	lrd_pool_free(pool);
	peer_end(peer);
}

/* Of a long batch the part that was written is unknown, the rest was not done; no part of it is begun again. */
static void a_batch_cut_in_its_middle_is_not_begun_again(void **state)
{
	(void) state;
	enum { COUNT = 2000, SIZE = 10000 };
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_SEND, "EN O{0}\r\n", 0 },
		{ PEER_BYTES, 0, 100000 },
		{ PEER_RESET, 0, 0 },
		{ PEER_WAIT, 0, 200 },
		{ PEER_END, 0, 0 },
	};
	static char value[SIZE + 1];
	memset(value, 'x', SIZE);
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 3000 }, peer_address(peer), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	lrd_op *ops = calloc(COUNT, sizeof *ops);
	for (int i = 0; i < COUNT; i++) {
		ops[i] = set_of("a", value);
	}
	assert_in_range(run_timed(pool, ops, COUNT), 0, 1500);
	assert_ended(&ops[0], LRD_UNKNOWN, LRD_FAILURE_CLOSED);
	assert_ended(&ops[COUNT - 1], LRD_DOWN, LRD_FAILURE_CLOSED);
	for (int i = 1; i < COUNT; i++) {
		assert_true(
			ops[i].status == ops[i - 1].status || (ops[i].status == LRD_DOWN && ops[i - 1].status == LRD_UNKNOWN));
	}
	free(ops);
	assert_int_equal(counts_of(pool, 0).connects, 1);
	lrd_pool_free(pool);
	peer_end(peer);
}

static void a_request_begins_on_a_quiet_connection(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_SEND, "EN O{0}\r\n", 0 },
		{ PEER_WAIT, 0, 10 },
		{ PEER_SEND, "VA 3 f0 O{0}\r\nold\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_SEND, "VA 3 f0 O{0}\r\nnew\r\n", 0 },
		{ PEER_WAIT, 0, 10 },
		{ PEER_CLOSE, 0, 0 },
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_SEND, "EN O{0}\r\n", 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_SEND, "EN O{1}\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	static const lrd_status ends[] = {LRD_MISS, LRD_OK, LRD_MISS, LRD_MISS};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	for (int i = 0; i < 4; i++) {
		lrd_pool_begin_request(pool);
		lrd_op op = pool_op(LRD_OP_GET, "a");
		run_one(pool, &op);
		assert_ended(&op, ends[i], LRD_FAILURE_NONE);
		nap(60);
	}
	assert_int_equal(counts_of(pool, 0).connects, 3);
	lrd_pool_free(pool);
	peer_end(peer);
}

/* ---- ways out of the middle ---- */

static jmp_buf way_out;

static char *no_room(void *context, lrd_op *op, size_t size, size_t kept)
{
	(void) context;
	(void) op;
	(void) size;
	(void) kept;
	longjmp(way_out, 1);
}

static void what_a_longjmp_left_is_closed(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, "mg a v f O*\r\n", 0 },
		{ PEER_LINE, "mg b v f O*\r\n", 0 },
		{ PEER_LINE, FENCE, 0 },
		{ PEER_SEND, "VA 3 f0 O{0}\r\nold\r\nVA 3 f0 O{1}\r\nold\r\nEN O{2}\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_SEND, "VA 3 f0 O{0}\r\nnew\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .ring = NULL }, peer_address(peer), NULL);
	lrd_op *ops = calloc(2, sizeof *ops);
	ops[0] = pool_op(LRD_OP_GET, "a");
	ops[1] = pool_op(LRD_OP_GET, "b");
	if (setjmp(way_out) == 0) {
		lrd_pool_run(pool, ops, 2, 0, no_room, NULL);
		fail_msg("room was not asked for");
	}
	free(ops);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_found(&op, "new");
	assert_int_equal(counts_of(pool, 0).closed_in_doubt, 1);
	lrd_pool_free(pool);
	peer_end(peer);
}

static int in_child(lrd_pool *pool)
{
	lrd_pool_forked(pool);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	int result = op.status == LRD_OK && op.found_size == 1 && counts_of(pool, 0).connects == 2 ? 0 : 1;
	lrd_pool_free(pool);
	forget_room();
	return result;
}

static void a_child_leaves_its_parents_connection_alone(void **state)
{
	(void) state;
	memcached *server = memcached_start(false, NULL);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 2000 }, memcached_address(server), NULL);
	lrd_op op = set_of("a", "1");
	run_one(pool, &op);
	assert_int_equal(op.status, LRD_OK);
	pid_t child = fork();
	if (child == 0) {
		_exit(in_child(pool));
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_found(&op, "1");
	assert_int_equal(counts_of(pool, 0).connects, 1);
	lrd_pool_free(pool);
	memcached_end(server);
}

/* ---- logging in ---- */

static void a_login_comes_first(void **state)
{
	(void) state;
	static const peer_step steps[] = {
		{ PEER_ACCEPT, 0, 0 },
		{ PEER_LINE, "set auth 0 0 9\r\n", 0 },
		{ PEER_LINE, "me secret\r\n", 0 },
		{ PEER_QUIET, 0, 20 },
		{ PEER_SEND, "STOR", 0 },
		{ PEER_WAIT, 0, 10 },
		{ PEER_SEND, "ED\r\n", 0 },
		{ PEER_LINE, GET_A, 0 },
		{ PEER_SEND, "EN O{0}\r\n", 0 },
		{ PEER_GONE, 0, 0 },
		{ PEER_END, 0, 0 },
	};
	peer *peer = peer_start(steps);
	lrd_pool *pool = pool_of((lrd_pool_options) { .user = "me", .password = "secret" }, peer_address(peer), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_ended(&op, LRD_MISS, LRD_FAILURE_NONE);
	lrd_pool_free(pool);
	peer_end(peer);
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
		cmocka_unit_test_teardown(closing_at_each_byte_leaves_right_answers_or_none, end_test),
		cmocka_unit_test_teardown(half_closing_at_each_byte_too, end_test),
		cmocka_unit_test_teardown(resetting_at_each_byte_too, end_test),
		cmocka_unit_test_teardown(a_late_reply_is_nobodys, end_test),
		cmocka_unit_test_teardown(a_deadline_is_the_whole_calls, end_test),
		cmocka_unit_test_teardown(a_flood_ends_at_once, end_test),
		cmocka_unit_test_teardown(one_that_hangs_takes_no_answer_of_the_other, end_test),
		cmocka_unit_test_teardown(
			a_server_that_says_nothing_is_down_at_once_and_a_slow_one_the_second_time, end_test),
		cmocka_unit_test_teardown(what_came_while_nobody_looked_is_taken, end_test),
		cmocka_unit_test_teardown(connecting_is_under_the_deadline, end_test),
		cmocka_unit_test_teardown(one_that_only_takes_connections_is_down, end_test),
		cmocka_unit_test_teardown(before_the_first_byte_it_reconnects, end_test),
		cmocka_unit_test_teardown(a_counter_that_was_sent_is_not_sent_again, end_test),
		cmocka_unit_test_teardown(a_batch_cut_in_its_middle_is_not_begun_again, end_test),
		cmocka_unit_test_teardown(a_request_begins_on_a_quiet_connection, end_test),
		cmocka_unit_test_teardown(what_a_longjmp_left_is_closed, end_test),
		cmocka_unit_test_teardown(a_child_leaves_its_parents_connection_alone, end_test),
		cmocka_unit_test_teardown(a_login_comes_first, end_test),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}

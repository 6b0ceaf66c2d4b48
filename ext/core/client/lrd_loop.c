#define _GNU_SOURCE
#include "lrd_loop.h"

#include <string.h>

#include "../base/lrd_clock.h"

enum {
	SLACK = 20,     /* a blocking read may end this part of the time-out late */
	READS = 16,     /* of one lane before the next one's turn and a look at the clock */
};

/* ---- which lane ---- */

void lrd_loop_activate(lrd_loop *loop, lrd_lane *lane)
{
	if (!lane->is_active) {
		lane->is_active = true;
		loop->active[loop->active_count++] = lane;
	}
}

void lrd_loop_queue(lrd_loop *loop, lrd_lane *lane, lrd_op *op)
{
	op->server = lane->server;
	op->next = NULL;
	if (lane->waiting == NULL) {
		lane->waiting = op;
	} else {
		lane->waiting_last->next = op;
	}
	lane->waiting_last = op;
	lrd_loop_activate(loop, lane);
}

/* Its next request will never be sent. */
static void give_up(lrd_loop *loop, lrd_op *op, lrd_failure failure, lrd_code code)
{
	op->failure = failure;
	op->reply.code = (uint8_t) code;
	lrd_verb_reply(op, &loop->rules);
	op->open = false;
}

static bool is_usable(const lrd_loop *loop, const lrd_lane *lane)
{
	return !lrd_conn_is_down(&lane->conn, loop->now_ns);
}

/*
 * The first usable server behind `after` in the order of the ring's fallbacks for this op, or lane_count. The order is found anew each
 * time, so that it takes no memory of the op's.
 */
static uint32_t next_server(lrd_loop *loop, const lrd_op *op, uint32_t after)
{
	uint32_t server = lrd_ring_find(loop->ring, op->route.bytes, op->route.size);
	bool is_behind = after == loop->lane_count;
	memset(loop->tried, 0, loop->lane_count);
	for (uint32_t step = 0; step < loop->servers_per_op && server < loop->lane_count; step++) {
		if (is_behind && is_usable(loop, &loop->lanes[server])) {
			return server;
		}
		is_behind = is_behind || server == after;
		loop->tried[server] = 1;
		server = lrd_ring_next(loop->ring, op->route.bytes, op->route.size, loop->tried);
	}
	return loop->lane_count;
}

void lrd_loop_place(lrd_loop *loop, lrd_op *op)
{
	bool is_routed = op->route.bytes != NULL;
	uint32_t home = is_routed ? lrd_ring_find(loop->ring, op->route.bytes, op->route.size) : op->server;
	uint32_t server = home;
	if (!is_usable(loop, &loop->lanes[home])) {
		server = is_routed && loop->servers_per_op > 1 ? next_server(loop, op, loop->lane_count) : loop->lane_count;
	}
	if (server < loop->lane_count) {
		lrd_loop_queue(loop, &loop->lanes[server], op);
		return;
	}
	op->server = home;
	loop->lanes[home].conn.counts.refused_down++;
	give_up(loop, op, LRD_FAILURE_DOWN, LRD_CODE_NONE);
}

uint32_t lrd_loop_second(lrd_loop *loop, const lrd_op *op)
{
	memset(loop->tried, 0, loop->lane_count);
	loop->tried[lrd_ring_find(loop->ring, op->route.bytes, op->route.size)] = 1;
	return lrd_ring_next(loop->ring, op->route.bytes, op->route.size, loop->tried);
}

/* An op whose request was not sent. Only its first may go elsewhere: a later one belongs to what that server has answered. */
static void place_again(lrd_loop *loop, lrd_op *op, lrd_failure failure)
{
	if (loop->servers_per_op > 1 && op->route.bytes != NULL && op->reply.code == LRD_CODE_NONE && loop->now_ns < loop->deadline_ns) {
		uint32_t server = next_server(loop, op, op->server);
		if (server < loop->lane_count) {
			lrd_loop_queue(loop, &loop->lanes[server], op);
			return;
		}
	}
	give_up(loop, op, failure, LRD_CODE_NONE);
}

/* ---- the end of a lane ---- */

static void leave(lrd_loop *loop, lrd_lane *lane)
{
	for (uint32_t i = 0; i < loop->active_count; i++) {
		if (loop->active[i] == lane) {
			loop->active[i] = loop->active[--loop->active_count];
			break;
		}
	}
	lane->is_active = lane->is_begun = false;
	lane->held = lane->awaited = lane->unwritten = lane->piece = NULL;
	lane->waiting = lane->waiting_last = NULL;
	lane->asking = NULL;
	lane->in_value = false;
}

void lrd_loop_forget(lrd_loop *loop)
{
	while (loop->active_count > 0) {
		leave(loop, loop->active[0]);
	}
}

static void blame(lrd_loop *loop, lrd_lane *lane, lrd_failure failure)
{
	lrd_conn *conn = &lane->conn;
	if (conn->state != LRD_CONN_READY) {
		conn->counts.connect_failures++;
		lrd_conn_failed(conn, loop->now_ns);
	} else if (failure == LRD_FAILURE_TIMED_OUT) {
		lrd_conn_timed_out(conn, loop->now_ns);
	} else if (!conn->is_proved) {
		/* It takes connections, and that is all it does. */
		lrd_conn_failed(conn, loop->now_ns);
	}
	if (conn->in_doubt) {
		conn->counts.closed_in_doubt++;
	}
}

/* Replies with an opaque hold whatever became of the connection, unless it was not in step. */
static bool is_proved(const lrd_op *op, lrd_failure failure)
{
	return op->reply.has_opaque && failure != LRD_FAILURE_OUT_OF_STEP;
}

static void fail_round(lrd_loop *loop, lrd_op *op, const lrd_op *awaited, const lrd_op *unsent, lrd_failure failure)
{
	bool is_answered = true, is_sent = true;
	while (op != NULL) {
		lrd_op *next = op->next;
		is_answered = is_answered && op != awaited;
		is_sent = is_sent && op != unsent;
		if (is_answered && is_proved(op, failure)) {
			lrd_verb_reply(op, &loop->rules);
			if (op->open) {
				give_up(loop, op, failure, LRD_CODE_NONE);
			}
		} else if (is_sent) {
			give_up(loop, op, failure, LRD_CODE_UNANSWERED);
		} else {
			place_again(loop, op, failure);
		}
		op = next;
	}
}

/* Closes the connection; every op of the lane ends, or goes to another lane. */
static void fail(lrd_loop *loop, lrd_lane *lane, lrd_failure failure)
{
	lrd_op *held = lane->held, *awaited = lane->awaited, *waiting = lane->waiting, *asking = lane->asking;
	const lrd_op *unsent = lane->piece_was_sent ? lane->unwritten : lane->piece;
	const bool was_in_doubt = lane->conn.in_doubt;
	blame(loop, lane, failure);
	lrd_conn_close(&lane->conn, true);
	leave(loop, lane);
	if (asking != NULL) {
		asking->failure = failure;
		asking->reply.code = was_in_doubt ? LRD_CODE_UNANSWERED : LRD_CODE_NONE;
	}
	fail_round(loop, held, awaited, unsent, failure);
	while (waiting != NULL) {
		lrd_op *next = waiting->next;
		place_again(loop, waiting, failure);
		waiting = next;
	}
}

/* ---- the course of a lane ---- */

static void begin_round(lrd_lane *lane)
{
	lrd_lane_begin_round(lane);
	lane->conn.counts.batches++;
}

/* True: the lane goes on. */
static bool connect_lane(lrd_loop *loop, lrd_lane *lane)
{
	uint64_t waited_ns;
	lrd_failure failure = lrd_conn_open(&lane->conn, loop->deadline_ns, &waited_ns);
	lane->conn.request = loop->request;
	lane->may_reconnect = false;
	if (waited_ns > 0) {
		loop->now_ns += waited_ns;
		loop->deadline_ns += waited_ns;
	}
	if (failure != LRD_FAILURE_NONE) {
		fail(loop, lane, failure);
		return false;
	}
	return true;
}

/* True: the lane goes on. A connection that was found broken before the round's first byte is made anew, once. */
static bool write_lane(lrd_loop *loop, lrd_lane *lane)
{
	if (lrd_lane_write(lane, &loop->rules) != LRD_IO_END) {
		return true;
	}
	if (lane->may_reconnect) {
		lrd_lane_rewind(lane);
		return connect_lane(loop, lane) && (lane->conn.state != LRD_CONN_READY || write_lane(loop, lane));
	}
	lane->write_is_over = true;
	return true;
}

/* While nothing is left to do in the round: ends it, and begins the next one. True: the lane goes on. */
static bool end_rounds(lrd_loop *loop, lrd_lane *lane)
{
	while (lrd_lane_is_done(lane)) {
		lrd_lane_release(loop, lane, NULL);
		lane->conn.in_doubt = false;
		lane->conn.counts.requests += lane->requests;
		lrd_conn_went_well(&lane->conn);
		if (lane->waiting == NULL) {
			leave(loop, lane);
			return false;
		}
		begin_round(lane);
		lane->may_reconnect = false;
		if (!write_lane(loop, lane)) {
			return false;
		}
	}
	return true;
}

static void begin_lane(lrd_loop *loop, lrd_lane *lane)
{
	lrd_conn *conn = &lane->conn;
	if (lane->waiting == NULL && lane->asking == NULL) {
		leave(loop, lane);
		return;
	}
	begin_round(lane);
	lane->may_reconnect = conn->tls == NULL;
	if (conn->state == LRD_CONN_READY && conn->request != loop->request) {
		conn->request = loop->request;
		if (!lrd_conn_is_quiet(conn)) {
			lrd_conn_close(conn, true);
		}
	}
	if (conn->state != LRD_CONN_READY && !connect_lane(loop, lane)) {
		return;
	}
	if (conn->state == LRD_CONN_READY) {
		write_lane(loop, lane);
	}
}

/* What came, then what may be sent now. */
static void turn(lrd_loop *loop, lrd_lane *lane, bool is_readable, bool blocks)
{
	bool drained = !is_readable;
	for (uint32_t reads = 0; !drained && reads < READS; reads++) {
		lrd_failure failure = lrd_lane_read(loop, lane, blocks, &drained);
		if (failure != LRD_FAILURE_NONE) {
			fail(loop, lane, failure);
			return;
		}
		if (lrd_lane_is_done(lane)) {
			break;
		}
		drained = drained || blocks;
	}
	if (end_rounds(loop, lane)) {
		write_lane(loop, lane);
	}
}

static void step_connection(lrd_loop *loop, lrd_lane *lane)
{
	lrd_failure failure = lrd_conn_step(&lane->conn, loop->now_ns, loop->deadline_ns);
	if (failure != LRD_FAILURE_NONE) {
		fail(loop, lane, failure);
	} else if (lane->conn.state == LRD_CONN_READY) {
		write_lane(loop, lane);
	}
}

/* ---- all lanes ---- */

/* One server whose requests are all sent needs no poll(): its read waits, if not for longer than the deadline. */
static bool may_block(const lrd_loop *loop, const lrd_lane *lane)
{
	const lrd_conn *conn = &lane->conn;
	return loop->active_count == 1 && conn->state == LRD_CONN_READY && conn->tls == NULL && !lrd_conn_has_output(conn)
		&& loop->now_ns + conn->rules->timeout_ms * LRD_MS_NS <= loop->deadline_ns + loop->timeout_ns / SLACK;
}

static short events_of(const lrd_lane *lane)
{
	const lrd_conn *conn = &lane->conn;
	bool writes = conn->state == LRD_CONN_READY && lrd_conn_has_output(conn) && !lane->write_is_over;
	return (short) (conn->read_events | (writes ? conn->write_events : 0));
}

/* Decrypted already: poll() does not tell of it. */
static bool has_unread(const lrd_lane *lane)
{
	return lane->conn.state == LRD_CONN_READY && lane->conn.tls != NULL && lrd_tls_has_pending(lane->conn.tls);
}

static void poll_lanes(lrd_loop *loop)
{
	uint32_t count = loop->active_count;
	uint64_t until = loop->deadline_ns;
	for (uint32_t i = 0; i < count; i++) {
		const lrd_lane *lane = loop->active[i];
		loop->polled[i] = (struct pollfd) { .fd = lane->conn.fd, .events = events_of(lane) };
		if (lane->conn.state == LRD_CONN_CONNECTING && lane->conn.try_until_ns < until) {
			until = lane->conn.try_until_ns;
		}
		if (has_unread(lane)) {
			until = loop->now_ns;
		}
	}
	uint64_t wait = until > loop->now_ns ? until - loop->now_ns : 0;
	struct timespec time = { .tv_sec = (time_t) (wait / 1000000000), .tv_nsec = (long) (wait % 1000000000) };
	if (ppoll(loop->polled, count, &time, NULL) < 0) {
		return;
	}
	/* From the end: a lane that leaves is replaced by the last one, whose turn is over; one that comes stands behind. */
	for (uint32_t i = count; i-- > 0;) {
		lrd_lane *lane = loop->active[i];
		if (lane->conn.fd != loop->polled[i].fd) {
			continue;
		}
		bool is_late = lane->conn.state == LRD_CONN_CONNECTING && loop->now_ns >= lane->conn.try_until_ns;
		if (lane->conn.state != LRD_CONN_READY) {
			if (loop->polled[i].revents != 0 || is_late) {
				step_connection(loop, lane);
			}
		} else if (loop->polled[i].revents != 0 || has_unread(lane)) {
			turn(loop, lane, (loop->polled[i].revents & ~POLLOUT) != 0 || lane->conn.tls != NULL, false);
		}
	}
}

/* Those that have been activated since. One that fails may put its ops on another. */
static void begin_lanes(lrd_loop *loop)
{
	bool again = true;
	while (again) {
		again = false;
		for (uint32_t i = loop->active_count; i-- > 0;) {
			lrd_lane *lane = i < loop->active_count ? loop->active[i] : NULL;
			if (lane != NULL && !lane->is_begun) {
				lane->is_begun = true;
				again = true;
				begin_lane(loop, lane);
			}
		}
	}
}

static void fail_all(lrd_loop *loop)
{
	while (loop->active_count > 0) {
		lrd_lane *lane = loop->active[0];
		fail(loop, lane, lane->conn.state == LRD_CONN_READY ? LRD_FAILURE_TIMED_OUT : LRD_FAILURE_UNREACHABLE);
	}
}

void lrd_loop_run(lrd_loop *loop)
{
	begin_lanes(loop);
	while (loop->active_count > 0) {
		loop->now_ns = lrd_clock_monotonic_ns();
		if (loop->now_ns >= loop->deadline_ns) {
			fail_all(loop);
		} else if (may_block(loop, loop->active[0])) {
			turn(loop, loop->active[0], true, true);
		} else {
			poll_lanes(loop);
		}
		begin_lanes(loop);
	}
}

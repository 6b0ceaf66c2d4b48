#define _GNU_SOURCE
#include "lrd_loop.h"

#include <string.h>

#include "../base/lrd_clock.h"
#include "lrd_send.h"

/* A connection that was idle for longer may have been closed meanwhile: one more system call is little beside that. */
#define IDLE_NS (1000 * LRD_MS_NS)

enum {
	SLACK = 20,     /* a blocking read may end this part of the time-out late */
	READS = 16,     /* of one lane before the next one's turn and a look at the clock */
};

/* ---- ops enter ---- */

static void activate(lrd_loop *loop, lrd_lane *lane)
{
	if (!lane->is_active) {
		lane->is_active = true;
		loop->active[loop->active_count++] = lane;
	}
}

static void queue(lrd_loop *loop, uint32_t server, lrd_op *op)
{
	lrd_lane_queue(&loop->lanes[server], op);
	activate(loop, &loop->lanes[server]);
}

void lrd_loop_give_up(lrd_loop *loop, lrd_op *op, lrd_failure failure, lrd_code code)
{
	op->failure = failure;
	op->reply.code = (uint8_t) code;
	lrd_verb_reply(op, &loop->receiver.rules);
	op->open = false;
}

static void refuse_down(lrd_loop *loop, lrd_op *op)
{
	loop->lanes[op->server].conn.counts.refused_down++;
	lrd_loop_give_up(loop, op, LRD_FAILURE_DOWN, LRD_CODE_NONE);
}

void lrd_loop_add(lrd_loop *loop, lrd_op *op)
{
	uint32_t server = lrd_route_place(&loop->route, op, loop->now_ns);
	if (server != LRD_NO_SERVER) {
		queue(loop, server, op);
	} else {
		refuse_down(loop, op);
	}
}

void lrd_loop_add_at(lrd_loop *loop, lrd_op *op, uint32_t server)
{
	op->server = server;
	if (lrd_route_is_usable(&loop->route, server, loop->now_ns)) {
		queue(loop, server, op);
	} else {
		refuse_down(loop, op);
	}
}

void lrd_loop_add_line(lrd_loop *loop, lrd_op *op, lrd_slice line)
{
	lrd_lane *lane = &loop->lanes[op->server];
	if (!lrd_route_is_usable(&loop->route, op->server, loop->now_ns)) {
		lane->conn.counts.refused_down++;
		op->failure = LRD_FAILURE_DOWN;
		return;
	}
	loop->receiver.answer_size = 0;
	lane->asking = op;
	lane->line = line;
	activate(loop, lane);
}

/*
 * An op whose request was not sent. Only its first request may go elsewhere: a later one follows from what that server
 * has answered.
 */
static void add_again(lrd_loop *loop, lrd_op *op, lrd_failure failure)
{
	bool is_first = op->reply.code == LRD_CODE_NONE && loop->now_ns < loop->deadline_ns;
	uint32_t server = is_first ? lrd_route_next(&loop->route, op, loop->now_ns) : LRD_NO_SERVER;
	if (server != LRD_NO_SERVER) {
		queue(loop, server, op);
	} else {
		lrd_loop_give_up(loop, op, failure, LRD_CODE_NONE);
	}
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
	lrd_lane_clear(lane);
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
		lrd_conn_timed_out(conn, !lane->is_heard, loop->now_ns);
	} else if (!conn->is_proved) {
		/* The server accepts connections, but has never answered. */
		lrd_conn_failed(conn, loop->now_ns);
	}
	if (conn->in_doubt) {
		conn->counts.closed_in_doubt++;
	}
}

/* A reply with an opaque stays valid when the connection fails, unless that was out of step. */
static bool is_proved(const lrd_op *op, lrd_failure failure)
{
	return op->reply.has_opaque && failure != LRD_FAILURE_OUT_OF_STEP;
}

/*
 * An op whose request was sent and has no reply. One that only looks is asked again: on a new connection (may_return),
 * or, when its server was silent for too long, elsewhere. Any other may have been done.
 */
static void ask_again(lrd_loop *loop, lrd_op *op, lrd_failure failure, bool may_return)
{
	uint32_t server = LRD_NO_SERVER;
	if (lrd_verb_only_looks(op) && loop->now_ns < loop->deadline_ns) {
		if (may_return) {
			server = op->server;
		} else if (failure == LRD_FAILURE_TIMED_OUT && op->reply.code == LRD_CODE_NONE) {
			server = lrd_route_next(&loop->route, op, loop->now_ns);
		}
	}
	if (server != LRD_NO_SERVER) {
		queue(loop, server, op);
	} else {
		lrd_loop_give_up(loop, op, failure, LRD_CODE_UNANSWERED);
	}
}

static void fail_round(lrd_loop *loop, lrd_op *op, const lrd_op *awaited, const lrd_op *unsent, lrd_failure failure,
	bool may_return)
{
	bool is_answered = true, is_sent = true;
	while (op != NULL) {
		lrd_op *next = op->next;
		is_answered = is_answered && op != awaited;
		is_sent = is_sent && op != unsent;
		if (is_answered && is_proved(op, failure)) {
			lrd_verb_reply(op, &loop->receiver.rules);
			if (op->open) {
				lrd_loop_give_up(loop, op, failure, LRD_CODE_NONE);
			}
		} else if (is_sent) {
			ask_again(loop, op, failure, may_return);
		} else {
			add_again(loop, op, failure);
		}
		op = next;
	}
}

/* Closes the connection; every op of the lane ends, or goes to another lane. */
static void fail(lrd_loop *loop, lrd_lane *lane, lrd_failure failure)
{
	lrd_op *held = lane->held, *awaited = lane->awaited, *waiting = lane->waiting, *asking = lane->asking;
	const lrd_op *unsent = lane->piece_was_sent ? lane->unwritten : lane->piece;
	/* Read before the connection is closed, which clears it. */
	const bool was_in_doubt = lane->conn.in_doubt;
	/* Most likely it was closed while it was idle. A new one must prove itself before this is believed again. */
	const bool may_return = failure == LRD_FAILURE_CLOSED && lane->conn.state == LRD_CONN_READY && lane->conn.is_proved;
	blame(loop, lane, failure);
	lrd_conn_close(&lane->conn, true);
	/* The lane is left before its ops are placed again: one of them may come back to it, and begins it anew. */
	leave(loop, lane);
	if (asking != NULL) {
		asking->failure = failure;
		asking->reply.code = was_in_doubt ? LRD_CODE_UNANSWERED : LRD_CODE_NONE;
	}
	fail_round(loop, held, awaited, unsent, failure, may_return);
	while (waiting != NULL) {
		lrd_op *next = waiting->next;
		add_again(loop, waiting, failure);
		waiting = next;
	}
}

/* ---- the course of a lane ---- */

/* True: the lane goes on. */
static bool connect_lane(lrd_loop *loop, lrd_lane *lane)
{
	uint64_t waited_ns;
	lrd_failure failure = lrd_conn_open(&lane->conn, loop->deadline_ns, &waited_ns);
	lane->conn.request = loop->request;
	lane->may_reconnect = false;
	/* The look-up of a name has its own deadline, and its time is not taken from the servers'. */
	if (waited_ns > 0) {
		loop->now_ns += waited_ns;
		loop->deadline_ns += waited_ns;
		loop->patience_ns += loop->patience_ns != UINT64_MAX ? waited_ns : 0;
	}
	if (failure != LRD_FAILURE_NONE) {
		fail(loop, lane, failure);
		return false;
	}
	return true;
}

/* True: the lane goes on. A connection that breaks before the round's first byte is made anew, once. */
static bool write_lane(lrd_loop *loop, lrd_lane *lane)
{
	if (lrd_send(lane) != LRD_IO_END) {
		return true;
	}
	if (lane->may_reconnect) {
		lrd_lane_rewind(lane);
		return connect_lane(loop, lane) && (lane->conn.state != LRD_CONN_READY || write_lane(loop, lane));
	}
	lane->write_is_over = true;
	return true;
}

/* It is too late for the next round. */
static void drop_waiting(lrd_loop *loop, lrd_lane *lane)
{
	for (lrd_op *op = lane->waiting, *next; op != NULL; op = next) {
		next = op->next;
		lrd_loop_give_up(loop, op, LRD_FAILURE_TIMED_OUT, LRD_CODE_NONE);
	}
}

/* While nothing is left to do in the round: ends it, and begins the next one. True: the lane goes on. */
static bool end_rounds(lrd_loop *loop, lrd_lane *lane)
{
	while (lrd_lane_is_done(lane)) {
		lrd_lane_release(lane, NULL, &loop->receiver.rules);
		lane->conn.in_doubt = false;
		lane->conn.counts.requests += lane->requests;
		lane->conn.used_ns = loop->now_ns;
		lrd_conn_went_well(&lane->conn);
		if (lane->waiting == NULL || loop->now_ns >= loop->deadline_ns) {
			drop_waiting(loop, lane);
			leave(loop, lane);
			return false;
		}
		lrd_lane_begin_round(lane);
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
	lrd_lane_begin_round(lane);
	lane->may_reconnect = conn->tls == NULL;
	if (conn->state == LRD_CONN_READY && (conn->request != loop->request || loop->now_ns > conn->used_ns + IDLE_NS)) {
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

/* Reads what came. True: the lane goes on. */
static bool read_lane(lrd_loop *loop, lrd_lane *lane, bool blocks)
{
	bool drained = false;
	for (uint32_t reads = 0; !drained && reads < READS; reads++) {
		lrd_failure failure = lrd_receive(&loop->receiver, lane, blocks, &drained);
		if (failure != LRD_FAILURE_NONE) {
			fail(loop, lane, failure);
			return false;
		}
		drained = drained || blocks || lrd_lane_is_done(lane);
	}
	return true;
}

/* Reads what came, then sends what may be sent now. */
static void turn(lrd_loop *loop, lrd_lane *lane, bool is_readable, bool blocks)
{
	if ((!is_readable || read_lane(loop, lane, blocks)) && end_rounds(loop, lane)) {
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

/* Until when no lane's time is over. */
static uint64_t next_look_ns(const lrd_loop *loop)
{
	return loop->patience_ns < loop->deadline_ns ? loop->patience_ns : loop->deadline_ns;
}

/* A single lane with nothing left to send needs no poll(): its read waits, if that cannot pass the deadline by much. */
static bool may_block(const lrd_loop *loop, const lrd_lane *lane)
{
	const lrd_conn *conn = &lane->conn;
	return loop->active_count == 1 && conn->state == LRD_CONN_READY && conn->tls == NULL && !lrd_conn_has_output(conn)
		&& loop->now_ns + conn->rules->wait_ms * LRD_MS_NS <= next_look_ns(loop) + loop->timeout_ns / SLACK;
}

static short events_of(const lrd_lane *lane)
{
	const lrd_conn *conn = &lane->conn;
	bool writes = conn->state == LRD_CONN_READY && lrd_conn_has_output(conn) && !lane->write_is_over;
	return (short) (conn->read_events | (writes ? conn->write_events : 0));
}

/* Bytes that TLS has decrypted already: poll() does not report them. */
static bool has_unread(const lrd_lane *lane)
{
	return lane->conn.state == LRD_CONN_READY && lane->conn.tls != NULL && lrd_tls_has_pending(lane->conn.tls);
}

static void poll_lanes(lrd_loop *loop)
{
	uint32_t count = loop->active_count;
	uint64_t until = next_look_ns(loop);
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
	/*
	 * From the end: a lane that leaves is replaced by the last one, whose turn is over; a new one stands behind it.
	 */
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

/* Begins the lanes that became active. One that fails may put its ops on another, so this repeats. */
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

static lrd_failure lateness_of(const lrd_lane *lane)
{
	return lane->conn.state == LRD_CONN_READY ? LRD_FAILURE_TIMED_OUT : LRD_FAILURE_UNREACHABLE;
}

/*
 * The deadline has passed. What came while nobody looked is still taken: it may have been this process that was
 * stopped, and not the server.
 */
static void fail_all(lrd_loop *loop)
{
	for (uint32_t i = loop->active_count; i-- > 0;) {
		lrd_lane *lane = loop->active[i];
		if (lane->conn.state == LRD_CONN_READY && read_lane(loop, lane, false)) {
			end_rounds(loop, lane);
		}
	}
	while (loop->active_count > 0) {
		fail(loop, loop->active[0], lateness_of(loop->active[0]));
	}
}

/* Whether the lane's server has not said a word, and all that it was asked may be asked of the next one. */
static bool may_go_elsewhere(const lrd_loop *loop, lrd_lane *lane)
{
	bool is_ready = lane->conn.state == LRD_CONN_READY;
	if (lane->held == NULL || lrd_route_next(&loop->route, lane->held, loop->now_ns) == LRD_NO_SERVER
		|| (is_ready && (lane->is_heard || !lrd_conn_is_quiet(&lane->conn)))) {
		return false;
	}
	bool may_go = true;
	for (const lrd_op *op = lane->held; is_ready && may_go && op != NULL; op = op->next) {
		may_go = lrd_verb_only_looks(op) && op->reply.code == LRD_CODE_NONE;
	}
	return may_go;
}

static void lose_patience(lrd_loop *loop)
{
	loop->patience_ns = UINT64_MAX;
	for (uint32_t i = loop->active_count; i-- > 0;) {
		lrd_lane *lane = loop->active[i];
		if (may_go_elsewhere(loop, lane)) {
			fail(loop, lane, lateness_of(lane));
		}
	}
}

/* Waits for some lane once, and serves it. */
static void go_on(lrd_loop *loop)
{
	loop->now_ns = lrd_clock_monotonic_ns();
	if (loop->now_ns >= loop->deadline_ns) {
		fail_all(loop);
	} else if (loop->now_ns >= loop->patience_ns) {
		lose_patience(loop);
	} else if (may_block(loop, loop->active[0])) {
		turn(loop, loop->active[0], true, true);
	} else {
		poll_lanes(loop);
	}
	begin_lanes(loop);
}

static bool is_sent(const lrd_loop *loop)
{
	for (uint32_t i = 0; i < loop->active_count; i++) {
		const lrd_lane *lane = loop->active[i];
		bool has_output =
			lane->unwritten != NULL || lane->fence == LRD_FENCE_WANTED || lrd_conn_has_output(&lane->conn);
		if (lane->conn.state != LRD_CONN_READY || (has_output && !lane->write_is_over)) {
			return false;
		}
	}
	return true;
}

void lrd_loop_send(lrd_loop *loop)
{
	begin_lanes(loop);
	while (!is_sent(loop)) {
		go_on(loop);
	}
}

void lrd_loop_run(lrd_loop *loop)
{
	begin_lanes(loop);
	while (loop->active_count > 0) {
		go_on(loop);
	}
}

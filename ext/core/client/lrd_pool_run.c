#define _GNU_SOURCE
#include "lrd_pool_parts.h"

#include <string.h>

/* What was under way when a longjmp left it is not ours to go on with. */
static void clean(lrd_pool *pool)
{
	lrd_loop_forget(&pool->loop);
	pool->sent = NULL;
	for (uint32_t i = 0; i < pool->loop.lane_count; i++) {
		lrd_conn *conn = &pool->loop.lanes[i].conn;
		bool is_half_made = conn->state != LRD_CONN_CLOSED && conn->state != LRD_CONN_READY;
		if (conn->in_doubt || is_half_made || lrd_conn_has_output(conn)) {
			conn->counts.closed_in_doubt += conn->in_doubt;
			lrd_conn_close(conn, true);
		}
	}
}

static void begin_time(lrd_loop *loop)
{
	loop->now_ns = lrd_clock_monotonic_ns();
	loop->deadline_ns = loop->now_ns + loop->timeout_ns;
	loop->patience_ns = UINT64_MAX;
}

/* Where there is another server to ask, half of the time is for the first one. */
static void begin_patience(lrd_pool *pool)
{
	lrd_loop *loop = &pool->loop;
	if (loop->route.servers_per_op > 1 && loop->now_ns < loop->deadline_ns) {
		loop->patience_ns = loop->now_ns + (loop->deadline_ns - loop->now_ns) / 2;
	}
}

static void begin(lrd_pool *pool, uint32_t timeout_ms, lrd_room room, void *context)
{
	lrd_loop *loop = &pool->loop;
	if (pool->busy) {
		clean(pool);
	}
	pool->busy = true;
	if (pool->failover == LRD_FAILOVER_EJECT) {
		lrd_pool_eject(pool);
	}
	loop->timeout_ns = (timeout_ms != 0 ? timeout_ms : pool->rules.timeout_ms) * LRD_MS_NS;
	begin_time(loop);
	loop->receiver.room = room;
	loop->receiver.context = context;
}

/* Whether all of them are gets. */
static bool place(lrd_loop *loop, lrd_op *ops, uint32_t count)
{
	bool only_gets = true;
	for (uint32_t i = 0; i < count; i++) {
		lrd_op *op = &ops[i];
		lrd_verb_begin(op, &loop->receiver.rules);
		op->reply.code = LRD_CODE_NONE;
		only_gets = only_gets && op->kind == LRD_OP_GET;
		if (op->open) {
			lrd_loop_add(loop, op);
		}
	}
	return only_gets;
}

/* Until all ops have ended. */
static void run_out(lrd_pool *pool, lrd_op *ops, uint32_t count)
{
	begin_patience(pool);
	lrd_loop_run(&pool->loop);
	if (pool->failover == LRD_FAILOVER_MIRROR) {
		lrd_pool_mirror(pool, ops, count);
	}
	pool->busy = false;
}

void lrd_pool_run(lrd_pool *pool, lrd_op *ops, uint32_t count, uint32_t timeout_ms, lrd_room room, void *context)
{
	lrd_loop *loop = &pool->loop;
	begin(pool, timeout_ms, room, context);
	bool only_gets = place(loop, ops, count);
	/* Among other ops a get must see what those before it did. */
	if (pool->has_udp && only_gets) {
		lrd_pool_try_udp(pool);
		loop->now_ns = lrd_clock_monotonic_ns();
	}
	run_out(pool, ops, count);
}

/* ---- in two steps ---- */

void lrd_pool_send(lrd_pool *pool, lrd_op *ops, uint32_t count, uint32_t timeout_ms, lrd_room room, void *context)
{
	begin(pool, timeout_ms, room, context);
	place(&pool->loop, ops, count);
	begin_patience(pool);
	lrd_loop_send(&pool->loop);
	pool->sent = ops;
}

void lrd_pool_take(lrd_pool *pool, lrd_op *ops, uint32_t count)
{
	lrd_loop *loop = &pool->loop;
	if (pool->sent != ops) {
		for (uint32_t i = 0; i < count; i++) {
			if (ops[i].open) {
				lrd_loop_give_up(loop, &ops[i], LRD_FAILURE_CLOSED, LRD_CODE_UNANSWERED);
			}
		}
		return;
	}
	pool->sent = NULL;
	begin_time(loop);
	run_out(pool, ops, count);
}

/* ---- a line of the classic protocol ---- */

static void end_asked(lrd_op *op)
{
	static const struct {
		lrd_status status;
		lrd_failure failure;
	} ends[] = {
		[LRD_CODE_NONE] = {LRD_DOWN, LRD_FAILURE_NONE},
		[LRD_CODE_UNANSWERED] = {LRD_UNKNOWN, LRD_FAILURE_NONE},
		[LRD_CODE_OK] = {LRD_OK, LRD_FAILURE_NONE},
		[LRD_CODE_NOT_A_NUMBER] = {LRD_REFUSED, LRD_FAILURE_CLIENT_ERROR},
		[LRD_CODE_TOO_LARGE] = {LRD_REFUSED, LRD_FAILURE_TOO_LARGE},
		[LRD_CODE_NO_MEMORY] = {LRD_REFUSED, LRD_FAILURE_NO_MEMORY},
		[LRD_CODE_DENIED] = {LRD_REFUSED, LRD_FAILURE_DENIED},
		[LRD_CODE_BUSY] = {LRD_REFUSED, LRD_FAILURE_SERVER_ERROR},
		[LRD_CODE_SERVER_ERROR] = {LRD_REFUSED, LRD_FAILURE_SERVER_ERROR},
		[LRD_CODE_CLIENT_ERROR] = {LRD_REFUSED, LRD_FAILURE_CLIENT_ERROR},
		[LRD_CODE_UNKNOWN_COMMAND] = {LRD_REFUSED, LRD_FAILURE_UNKNOWN_COMMAND},
	};
	op->status = ends[op->reply.code].status;
	if (ends[op->reply.code].failure != LRD_FAILURE_NONE) {
		op->failure = ends[op->reply.code].failure;
	}
	if (op->status == LRD_OK) {
		op->found = op->reply.value;
		op->found_size = op->reply.size;
	}
}

uint32_t lrd_pool_time_left(const lrd_pool *pool)
{
	uint64_t now_ns = lrd_clock_monotonic_ns();
	return now_ns < pool->loop.deadline_ns ? (uint32_t) ((pool->loop.deadline_ns - now_ns) / LRD_MS_NS) : 0;
}

void lrd_pool_ask(
	lrd_pool *pool, uint32_t server, lrd_slice line, uint32_t timeout_ms, lrd_op *op, lrd_room room, void *context)
{
	lrd_loop *loop = &pool->loop;
	begin(pool, timeout_ms, room, context);
	op->server = server;
	op->reply = (lrd_reply) { .code = LRD_CODE_NONE };
	op->failure = LRD_FAILURE_NONE;
	lrd_loop_add_line(loop, op, line);
	lrd_loop_run(loop);
	end_asked(op);
	lrd_receiver_trim(&loop->receiver);
	pool->busy = false;
}

/* ---- counts ---- */

static void add(lrd_pool_counts *sum, const lrd_conn_counts *one)
{
	sum->connects += one->connects;
	sum->connect_failures += one->connect_failures;
	sum->batches += one->batches;
	sum->requests += one->requests;
	sum->bytes_sent += one->bytes_sent;
	sum->bytes_received += one->bytes_received;
	sum->timeouts += one->timeouts;
	sum->closed_in_doubt += one->closed_in_doubt;
	sum->refused_down += one->refused_down;
}

void lrd_pool_counted(const lrd_pool *pool, uint32_t server, lrd_pool_counts *counts)
{
	lrd_udp_counts udp = { .asked = 0 };
	memset(counts, 0, sizeof *counts);
	if (server == LRD_NO_SERVER) {
		udp = pool->udp_before;
	}
	for (uint32_t i = 0; i < pool->loop.lane_count; i++) {
		if (server == LRD_NO_SERVER || server == i) {
			add(counts, &pool->loop.lanes[i].conn.counts);
			udp = lrd_pool_udp_sum(udp, pool->udp[i]);
		}
	}
	counts->udp_asked = udp.asked;
	counts->udp_answered = udp.answered;
	counts->udp_lost = udp.lost;
	counts->udp_dropped = udp.dropped;
	counts->udp_long = udp.long_replies;
	counts->udp_fallbacks = udp.fallbacks;
}

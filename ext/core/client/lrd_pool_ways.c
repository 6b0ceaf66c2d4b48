/* Two ways besides each key's own server by TCP: datagrams, and the second server of a mirrored pool. */
#define _GNU_SOURCE
#include "lrd_pool_parts.h"

#include <stdlib.h>

/* ---- datagrams ---- */

lrd_udp_counts lrd_pool_udp_sum(lrd_udp_counts counts, const lrd_udp *udp)
{
	if (udp != NULL) {
		const lrd_udp_counts *more = lrd_udp_counted(udp);
		counts.asked += more->asked;
		counts.answered += more->answered;
		counts.long_replies += more->long_replies;
		counts.lost += more->lost;
		counts.dropped += more->dropped;
		counts.fallbacks += more->fallbacks;
	}
	return counts;
}

/* NULL: this lane's ops go by TCP. */
static lrd_udp *udp_of(lrd_pool *pool, lrd_lane *lane)
{
	lrd_conn *conn = &lane->conn;
	lrd_udp **udp = &pool->udp[lane->server];
	if (conn->address.is_unix || conn->address.is_tls || lane->waiting == NULL) {
		return NULL;
	}
	if (*udp == NULL) {
		uint64_t waited_ns;
		bool is_found = lrd_conn_find(conn, &waited_ns);
		pool->loop.now_ns += waited_ns;
		pool->loop.deadline_ns += waited_ns;
		if (is_found) {
			*udp = lrd_udp_open((const struct sockaddr *) &conn->names.found[0].address, conn->names.found[0].size,
				pool->rules.retry_ms);
		}
	}
	return *udp != NULL && lrd_udp_is_on(*udp, pool->loop.now_ns) ? *udp : NULL;
}

/* What was answered has ended, or goes on by TCP with all that was not. */
static void sort_out(lrd_loop *loop, lrd_lane *lane)
{
	lrd_op *op = lane->waiting;
	lane->waiting = lane->waiting_last = NULL;
	while (op != NULL) {
		lrd_op *next = op->next;
		if (op->reply.code != LRD_CODE_NONE) {
			lrd_verb_reply(op, &loop->receiver.rules);
		}
		if (op->open) {
			lrd_lane_queue(lane, op);
		}
		op = next;
	}
}

void lrd_pool_try_udp(lrd_pool *pool)
{
	lrd_loop *loop = &pool->loop;
	uint32_t count = 0;
	for (uint32_t i = 0; i < loop->active_count; i++) {
		lrd_udp *udp = udp_of(pool, loop->active[i]);
		if (udp != NULL) {
			pool->udp_lanes[count++] = (lrd_udp_lane) { .udp = udp, .first = loop->active[i]->waiting };
		}
	}
	if (count > 0) {
		lrd_udp_get(pool->udp_lanes, count, loop->deadline_ns, loop->receiver.room, loop->receiver.context);
		for (uint32_t i = 0; i < loop->active_count; i++) {
			sort_out(loop, loop->active[i]);
		}
	}
}

/* ---- the mirror ---- */

/* What makes the second server's item what the first one's has become. False: nothing does, or need. */
static bool make_copy(const lrd_op *op, lrd_op *copy)
{
	static const char kinds[] = {
		[LRD_OP_SET] = LRD_OP_SET, [LRD_OP_ADD] = LRD_OP_SET, [LRD_OP_REPLACE] = LRD_OP_SET, [LRD_OP_CAS] = LRD_OP_SET,
		[LRD_OP_SET_LEASED] = LRD_OP_SET, [LRD_OP_APPEND] = LRD_OP_APPEND, [LRD_OP_PREPEND] = LRD_OP_PREPEND,
		[LRD_OP_DELETE] = LRD_OP_DELETE, [LRD_OP_TOUCH] = LRD_OP_TOUCH, [LRD_OP_GET_AND_TOUCH] = LRD_OP_TOUCH,
		[LRD_OP_ADD_NUMBER] = LRD_OP_ADD_NUMBER, [LRD_OP_MARK_STALE] = LRD_OP_MARK_STALE,
	};
	char kind = op->kind < sizeof kinds ? kinds[op->kind] : LRD_OP_GET;
	bool is_gone = kind == LRD_OP_DELETE && (op->status == LRD_MISS || op->status == LRD_UNKNOWN);
	if (kind == LRD_OP_GET || op->route.bytes == NULL || (op->status != LRD_OK && !is_gone)) {
		return false;
	}
	*copy = (lrd_op) {
		.kind = (uint8_t) kind,
		.is_base64 = op->is_base64,
		.has_initial = op->has_initial,
		.flags = op->flags,
		.key = op->key,
		.route = op->route,
		.value = op->value,
		.ttl = op->ttl,
		.seconds = op->seconds,
		.by = op->by,
		.initial = op->initial,
	};
	return true;
}

static bool make_room(lrd_pool *pool, uint32_t count)
{
	if (count > pool->copies_room) {
		lrd_op *copies = realloc(pool->copies, count * sizeof *copies);
		if (copies == NULL) {
			return false;
		}
		pool->copies = copies;
		pool->copies_room = count;
	}
	return true;
}

/* A second pass, because the outcome of an add or a cas is known only after the first. Its outcome is ignored. */
void lrd_pool_mirror(lrd_pool *pool, const lrd_op *ops, uint32_t count)
{
	lrd_loop *loop = &pool->loop;
	loop->now_ns = lrd_clock_monotonic_ns();
	if (loop->now_ns >= loop->deadline_ns || !make_room(pool, count)) {
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		lrd_op *copy = &pool->copies[i];
		if (!make_copy(&ops[i], copy)) {
			continue;
		}
		uint32_t second = lrd_route_second(&loop->route, copy);
		if (second != LRD_NO_SERVER && second != ops[i].server) {
			copy->route.bytes = NULL;
			copy->server = second;
			lrd_verb_begin(copy, &loop->receiver.rules);
			lrd_loop_add(loop, copy);
		}
	}
	loop->receiver.room = NULL;
	lrd_loop_run(loop);
}

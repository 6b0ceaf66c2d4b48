/* Two ways besides each key's own server by TCP: datagrams, and the second server of a mirrored pool. */
#define _GNU_SOURCE
#include "lrd_pool_parts.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

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

/* port 0: the one that TCP has */
static lrd_udp *open_udp(const lrd_pool *pool, const lrd_conn *conn, uint16_t port)
{
	struct sockaddr_storage address;
	const socklen_t size = conn->names.found[0].size;
	memcpy(&address, &conn->names.found[0].address, size);
	if (port != 0 && address.ss_family == AF_INET6) {
		((struct sockaddr_in6 *) &address)->sin6_port = htons(port);
	} else if (port != 0) {
		((struct sockaddr_in *) &address)->sin_port = htons(port);
	}
	return lrd_udp_open((const struct sockaddr *) &address, size, pool->udp_retry_ms);
}

/* NULL: this lane's ops go by TCP. */
static lrd_udp *udp_of(lrd_pool *pool, lrd_lane *lane)
{
	lrd_conn *conn = &lane->conn;
	lrd_udp **udp = &pool->udp[lane->server];
	uint16_t port = pool->udp_ports[lane->server];
	if (conn->address.is_unix || conn->address.is_tls || lane->waiting == NULL
		|| (port == 0 && !pool->udp_is_everywhere)) {
		return NULL;
	}
	if (*udp == NULL) {
		uint64_t waited_ns;
		bool is_found = lrd_conn_find(conn, &waited_ns);
		pool->loop.now_ns += waited_ns;
		pool->loop.deadline_ns += waited_ns;
		if (is_found) {
			*udp = open_udp(pool, conn, port);
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

/* Of the two servers that keep this key the one that did not answer; or LRD_NO_SERVER. */
static uint32_t other_server(const lrd_route *route, const lrd_op *op)
{
	uint32_t first = lrd_ring_find(route->ring, op->route.bytes, op->route.size);
	return op->server == first ? lrd_route_second(route, op) : first;
}

/* The server that may still have what this op did not find, as when its own was started anew; or LRD_NO_SERVER. */
static uint32_t further_server(const lrd_loop *loop, const lrd_op *op)
{
	bool looks = op->kind == LRD_OP_GET || op->kind == LRD_OP_GET_AND_TOUCH || op->kind == LRD_OP_HAS
		|| op->kind == LRD_OP_VERSION || op->kind == LRD_OP_TOUCH;
	if (!looks || op->status != LRD_MISS || op->route.bytes == NULL) {
		return LRD_NO_SERVER;
	}
	uint32_t other = other_server(&loop->route, op);
	return other != LRD_NO_SERVER && lrd_route_is_usable(&loop->route, other, loop->now_ns) ? other : LRD_NO_SERVER;
}

/* What no answer comes of stays the miss that it was. */
static void look_further(lrd_pool *pool, lrd_op *ops, uint32_t count)
{
	lrd_loop *loop = &pool->loop;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t other = further_server(loop, &ops[i]);
		pool->copies[i].open = other != LRD_NO_SERVER;
		if (other != LRD_NO_SERVER) {
			pool->copies[i] = ops[i];
			pool->copies[i].open = true;
			lrd_verb_begin(&ops[i], &loop->receiver.rules);
			ops[i].reply.code = LRD_CODE_NONE;
			lrd_loop_add_at(loop, &ops[i], other);
		}
	}
	lrd_loop_run(loop);
	for (uint32_t i = 0; i < count; i++) {
		lrd_op *op = &ops[i];
		if (!pool->copies[i].open) {
			continue;
		}
		/* A number of the other server's would be another version on the first one. */
		op->version = 0;
		if (op->status != LRD_OK && op->status != LRD_MISS) {
			lrd_failure failure = op->failure;
			uint32_t server = op->server;
			*op = pool->copies[i];
			op->open = false;
			op->failure = failure;
			op->server = server;
		}
	}
}

static bool is_counter(const lrd_op *op)
{
	return op->kind == LRD_OP_ADD_NUMBER || op->kind == LRD_OP_COUNT;
}

/* After it nobody may find what was there before. */
static bool is_removal(const lrd_op *op)
{
	return op->kind == LRD_OP_DELETE || op->kind == LRD_OP_MARK_STALE
		|| (op->ttl < 0 && !is_counter(op) && op->kind != LRD_OP_GET_AND_TOUCH);
}

/* What makes the other server's item what this one's has become. False: nothing does, or need. */
static bool make_copy(const lrd_op *op, lrd_op *copy)
{
	static const char kinds[] = {
		[LRD_OP_SET] = LRD_OP_SET, [LRD_OP_ADD] = LRD_OP_SET, [LRD_OP_REPLACE] = LRD_OP_SET, [LRD_OP_CAS] = LRD_OP_SET,
		[LRD_OP_SET_LEASED] = LRD_OP_SET, [LRD_OP_APPEND] = LRD_OP_APPEND, [LRD_OP_PREPEND] = LRD_OP_PREPEND,
		[LRD_OP_DELETE] = LRD_OP_DELETE, [LRD_OP_TOUCH] = LRD_OP_TOUCH, [LRD_OP_GET_AND_TOUCH] = LRD_OP_TOUCH,
		[LRD_OP_ADD_NUMBER] = LRD_OP_ADD_NUMBER, [LRD_OP_MARK_STALE] = LRD_OP_MARK_STALE,
		[LRD_OP_COUNT] = LRD_OP_COUNT,
	};
	char kind = op->kind < sizeof kinds ? kinds[op->kind] : LRD_OP_GET;
	bool may_be_gone = (op->kind == LRD_OP_DELETE || op->kind == LRD_OP_MARK_STALE || op->kind == LRD_OP_SET)
		&& is_removal(op) && (op->status == LRD_MISS || op->status == LRD_UNKNOWN);
	if (kind == LRD_OP_GET || op->route.bytes == NULL || (op->status != LRD_OK && !may_be_gone)) {
		return false;
	}
	*copy = (lrd_op) {
		.kind = (uint8_t) kind,
		.is_base64 = op->is_base64,
		.has_initial = op->has_initial,
		.counts_down = op->counts_down,
		.flags = op->flags,
		.key = op->key,
		.value = op->value,
		.ttl = op->ttl,
		.seconds = op->seconds,
		.by = op->by,
		.initial = op->initial,
	};
	return true;
}

/* To this server and no other: a copy has no route. */
static void send_copy(lrd_loop *loop, lrd_op *copy, uint32_t server)
{
	lrd_verb_begin(copy, &loop->receiver.rules);
	copy->reply.code = LRD_CODE_NONE;
	if (loop->now_ns < loop->deadline_ns) {
		lrd_loop_add_at(loop, copy, server);
	} else {
		copy->open = false;
		copy->server = server;
		copy->status = LRD_DOWN;
		copy->failure = LRD_FAILURE_TIMED_OUT;
	}
}

/* Whether the other server has what this one has, or nothing. */
static bool is_alike(const lrd_op *op, const lrd_op *copy)
{
	bool is_other_sum = is_counter(copy) && copy->number != op->number;
	return copy->status == LRD_MISS || (copy->status == LRD_OK && !is_other_sum);
}

static void settle(lrd_op *op, const lrd_op *copy)
{
	if (is_alike(op, copy)) {
		/* What only the other server had. */
		op->status = op->status == LRD_MISS && copy->status == LRD_OK ? LRD_OK : op->status;
		return;
	}
	if (op->failure == LRD_FAILURE_NONE) {
		op->failure = copy->failure;
		op->server = copy->server;
	}
	op->status = is_removal(op) ? LRD_UNKNOWN : op->status;
}

/* A second pass, because the outcome of an add or a cas is known only after the first. */
static void copy_writes(lrd_pool *pool, lrd_op *ops, uint32_t count)
{
	lrd_loop *loop = &pool->loop;
	loop->receiver.room = NULL;
	for (uint32_t i = 0; i < count; i++) {
		lrd_op *copy = &pool->copies[i];
		uint32_t other = make_copy(&ops[i], copy) ? other_server(&loop->route, &ops[i]) : LRD_NO_SERVER;
		copy->kind = other != LRD_NO_SERVER ? copy->kind : LRD_OP_GET;
		if (other != LRD_NO_SERVER) {
			send_copy(loop, copy, other);
		}
	}
	lrd_loop_run(loop);
	for (uint32_t i = 0; i < count; i++) {
		lrd_op *copy = &pool->copies[i];
		if (copy->kind != LRD_OP_GET && copy->kind != LRD_OP_DELETE && !is_alike(&ops[i], copy)) {
			copy->kind = LRD_OP_DELETE;
			send_copy(loop, copy, copy->server);
		}
	}
	lrd_loop_run(loop);
	for (uint32_t i = 0; i < count; i++) {
		if (pool->copies[i].kind != LRD_OP_GET) {
			settle(&ops[i], &pool->copies[i]);
		}
	}
}

void lrd_pool_mirror(lrd_pool *pool, lrd_op *ops, uint32_t count)
{
	lrd_loop *loop = &pool->loop;
	loop->now_ns = lrd_clock_monotonic_ns();
	loop->patience_ns = UINT64_MAX;
	if (!make_room(pool, count)) {
		for (uint32_t i = 0; i < count; i++) {
			ops[i].failure = ops[i].failure != LRD_FAILURE_NONE ? ops[i].failure : LRD_FAILURE_NO_MEMORY;
			ops[i].status = is_removal(&ops[i]) ? LRD_UNKNOWN : ops[i].status;
		}
		return;
	}
	if (loop->now_ns < loop->deadline_ns) {
		look_further(pool, ops, count);
	}
	copy_writes(pool, ops, count);
}

/* A lane's replies: which op each belongs to, and whether it proves that. */
#include "lrd_loop.h"

#ifdef LRD_FAULTS
# include <stdlib.h>
#endif
#include <string.h>

bool lrd_lane_is_awaiting(const lrd_lane *lane)
{
	return lane->awaited != lane->unwritten || lane->awaits_end || lane->fence == LRD_FENCE_WANTED
		|| lane->fence == LRD_FENCE_SENT;
}

bool lrd_lane_is_done(const lrd_lane *lane)
{
	return lane->unwritten == NULL && !lrd_lane_is_awaiting(lane);
}

void lrd_lane_release(lrd_loop *loop, lrd_lane *lane, const lrd_op *end)
{
	while (lane->held != end) {
		lrd_op *op = lane->held;
		lane->held = op->next;
		lrd_verb_reply(op, &loop->rules);
		if (op->open) {
			lrd_loop_queue(loop, lane, op);
		}
	}
}

static bool is_error(const lrd_reply *reply)
{
	return reply->code >= LRD_CODE_NOT_A_NUMBER;
}

/* The op's reply is whole. With an opaque it proves those before it; what follows a value shows that its length was right. */
static void take_reply(lrd_loop *loop, lrd_lane *lane)
{
	lrd_op *op = lane->awaited;
	lane->awaited = op->next;
	lane->awaits_end = op->request.mode == LRD_CLASSIC_LAST;
	if (op->reply.has_opaque) {
		lrd_lane_release(loop, lane, op->reply.has_value ? op : lane->awaited);
	}
}

/* ---- values ---- */

/* A value's last bytes and its CR LF. False: there is more to come. */
static bool take_value(lrd_loop *loop, lrd_lane *lane, lrd_failure *failure)
{
	lrd_conn *conn = &lane->conn;
	size_t there = conn->in_end - conn->in_start;
	size_t count = there < lane->value_left ? there : lane->value_left;
	if (count > 0) {
		memcpy(lane->value_at, conn->in + conn->in_start, count);
		lane->value_at += count;
		lane->value_left -= count;
		conn->in_start += count;
		there -= count;
	}
	if (lane->value_left > 0 || there < 2) {
		return false;
	}
	if (memcmp(conn->in + conn->in_start, "\r\n", 2) != 0) {
		*failure = LRD_FAILURE_OUT_OF_STEP;
		return false;
	}
	conn->in_start += 2;
	lane->in_value = false;
	take_reply(loop, lane);
	return true;
}

/* False: there may be none. A counter's digits are looked at, not handed on. */
static bool begin_value(lrd_loop *loop, lrd_lane *lane)
{
	lrd_op *op = lane->awaited;
	bool is_digits = op->kind == LRD_OP_ADD_NUMBER && op->reply.size <= sizeof op->scratch;
	if (!is_digits && loop->room == NULL) {
		return false;
	}
	op->reply.value = is_digits ? op->scratch : loop->room(loop->context, op, (size_t) op->reply.size);
	lane->in_value = true;
	lane->value_at = op->reply.value;
	lane->value_left = (size_t) op->reply.size;
	return true;
}

/* ---- error lines ---- */

/* An error behind the last op's own: the rest of what the server made of it, as long as no other op could be meant. */
static lrd_failure take_surplus(lrd_loop *loop, lrd_lane *lane, const lrd_reply *reply)
{
	bool unknown = reply->code == LRD_CODE_UNKNOWN_COMMAND;
	for (const lrd_op *op = lane->held; op != NULL && unknown; op = op->next) {
		unknown = op->reply.code == LRD_CODE_UNKNOWN_COMMAND;
	}
	if (unknown && lane->fence == LRD_FENCE_SENT) {
		/* A server that does not know the fence knows none of our requests. */
		lrd_lane_release(loop, lane, NULL);
		return LRD_FAILURE_UNKNOWN_COMMAND;
	}
	bool is_one = lane->held != NULL && lane->held->next == NULL && is_error(&lane->held->reply);
	return is_one ? LRD_FAILURE_NONE : LRD_FAILURE_OUT_OF_STEP;
}

/*
 * A server that wants to be told a password first says so once, and drops whatever else it has read. Since it never took one here, nothing
 * of the round was done.
 */
static lrd_failure take_denial(lrd_loop *loop, lrd_lane *lane, const lrd_reply *reply)
{
	for (lrd_op *op = lane->held; op != NULL; op = op->next) {
		op->reply = *reply;
	}
	lane->awaited = lane->unwritten = lane->piece = NULL;
	lrd_lane_release(loop, lane, NULL);
	return LRD_FAILURE_DENIED;
}

/* Behind an error of which nobody knows yet whether it is all that comes. */
static void want_fence(lrd_lane *lane)
{
	if (lane->unwritten == NULL && lane->fence == LRD_FENCE_NONE) {
		lane->fence = LRD_FENCE_WANTED;
	}
}

/* To the first op without a reply; of a classic get, to all of its line's that have none. */
static lrd_failure take_error(lrd_loop *loop, lrd_lane *lane, const lrd_reply *reply)
{
	if (reply->code == LRD_CODE_DENIED && !lane->conn.is_proved) {
		return take_denial(loop, lane, reply);
	}
	if (lane->awaits_end) {
		lane->awaits_end = false;
		want_fence(lane);
		return LRD_FAILURE_NONE;
	}
	if (lane->awaited == lane->unwritten) {
		return take_surplus(loop, lane, reply);
	}
	lrd_op *op;
	do {
		op = lane->awaited;
		op->reply = *reply;
		lane->awaited = op->next;
	} while (op->request.mode == LRD_CLASSIC_ONE);
	want_fence(lane);
	return LRD_FAILURE_NONE;
}

/* ---- lines ---- */

/* END: what is left of the line is not there. */
static lrd_failure take_end(lrd_lane *lane)
{
	const lrd_reply miss = { .code = LRD_CODE_MISS };
	lrd_op *op;
	if (lane->awaits_end) {
		lane->awaits_end = false;
		return LRD_FAILURE_NONE;
	}
	do {
		op = lane->awaited;
		op->reply = miss;
		lane->awaited = op->next;
	} while (op->request.mode == LRD_CLASSIC_ONE);
	return LRD_FAILURE_NONE;
}

/* Keys come in the order asked; those passed over are not there. */
static lrd_failure take_found(lrd_loop *loop, lrd_lane *lane, const lrd_reply *reply, lrd_slice key)
{
	const lrd_reply miss = { .code = LRD_CODE_MISS };
	if (lane->awaits_end) {
		return LRD_FAILURE_OUT_OF_STEP;
	}
	lrd_op *op = lane->awaited;
	while (!lrd_slice_equals(op->key, key)) {
		if (op->request.mode == LRD_CLASSIC_LAST) {
			return LRD_FAILURE_OUT_OF_STEP;
		}
		op->reply = miss;
		op = op->next;
	}
	lane->awaited = op;
	op->reply = *reply;
	op->reply.has_opaque = false;
	return begin_value(loop, lane) ? LRD_FAILURE_NONE : LRD_FAILURE_OUT_OF_STEP;
}

/* A test may switch it off, to show that it finds what is then let through. */
static bool checks_opaques(void)
{
#ifdef LRD_FAULTS
	return getenv("LARDER_NO_OPAQUE") == NULL;
#else
	return true;
#endif
}

static lrd_failure take_meta(lrd_loop *loop, lrd_lane *lane, const lrd_reply *reply)
{
	if (!reply->has_opaque) {
		return is_error(reply) ? take_error(loop, lane, reply) : LRD_FAILURE_OUT_OF_STEP;
	}
	lrd_op *op = lane->awaited;
	if (op == lane->unwritten) {
		bool is_fence = lane->fence == LRD_FENCE_SENT && reply->opaque == lane->fence_opaque && !reply->has_value
			&& (reply->code == LRD_CODE_MISS || reply->code == LRD_CODE_OK);
		lane->fence = LRD_FENCE_ANSWERED;
		return is_fence ? LRD_FAILURE_NONE : LRD_FAILURE_OUT_OF_STEP;
	}
	if ((reply->opaque != op->opaque && checks_opaques()) || !lrd_proto_fits(&op->request, reply)) {
		return LRD_FAILURE_OUT_OF_STEP;
	}
	op->reply = *reply;
	if (reply->has_value) {
		return begin_value(loop, lane) ? LRD_FAILURE_NONE : LRD_FAILURE_OUT_OF_STEP;
	}
	take_reply(loop, lane);
	return LRD_FAILURE_NONE;
}

static bool awaits_classic(const lrd_lane *lane)
{
	if (lane->awaits_end) {
		return true;
	}
	const lrd_op *op = lane->awaited;
	return op != lane->unwritten && (op->request.mode == LRD_CLASSIC_ONE || op->request.mode == LRD_CLASSIC_LAST);
}

/* One line out of the buffer. False: it has no end yet, or failure is set. */
static bool take_line(lrd_loop *loop, lrd_lane *lane, lrd_failure *failure)
{
	lrd_conn *conn = &lane->conn;
	const char *at = conn->in + conn->in_start;
	size_t size = conn->in_end - conn->in_start, used = 0;
	lrd_slice key = { NULL, 0 };
	lrd_reply reply;
	bool classic = awaits_classic(lane);
	lrd_parse parse = classic ? lrd_proto_classic(at, size, &reply, &key, &used) : lrd_proto_reply(at, size, &reply, &used);
	if (parse != LRD_PARSE_DONE) {
		*failure = parse == LRD_PARSE_BAD ? LRD_FAILURE_OUT_OF_STEP : LRD_FAILURE_NONE;
		return false;
	}
	conn->in_start += used;
	reply.value = NULL;
	if (!classic) {
		*failure = take_meta(loop, lane, &reply);
	} else if (reply.has_value) {
		*failure = take_found(loop, lane, &reply, key);
	} else if (reply.code == LRD_CODE_MISS) {
		*failure = take_end(lane);
	} else {
		*failure = is_error(&reply) ? take_error(loop, lane, &reply) : LRD_FAILURE_OUT_OF_STEP;
	}
	return *failure == LRD_FAILURE_NONE;
}

/* All that is in the buffer. Bytes that nobody asked for put an end to the connection, and to what they may have been part of. */
static lrd_failure take_all(lrd_loop *loop, lrd_lane *lane)
{
	const lrd_conn *conn = &lane->conn;
	lrd_failure failure = LRD_FAILURE_NONE;
	while (lrd_lane_is_awaiting(lane) && (conn->in_start < conn->in_end || lane->in_value)) {
		if (!(lane->in_value ? take_value(loop, lane, &failure) : take_line(loop, lane, &failure))) {
			return failure;
		}
	}
	return conn->in_start < conn->in_end ? LRD_FAILURE_OUT_OF_STEP : LRD_FAILURE_NONE;
}

lrd_failure lrd_lane_read(lrd_loop *loop, lrd_lane *lane, bool blocks, bool *drained)
{
	size_t into_value;
	char *rest = lane->in_value && lane->value_left > 0 ? lane->value_at : NULL;
	lrd_conn_io io = lrd_conn_receive(&lane->conn, rest, rest != NULL ? lane->value_left : 0, blocks, &into_value, drained);
	if (io != LRD_IO_SOME) {
		*drained = true;
		return io == LRD_IO_END ? LRD_FAILURE_CLOSED : LRD_FAILURE_NONE;
	}
	lane->value_at += into_value;
	lane->value_left -= into_value;
	return lane->asking != NULL ? lrd_lane_take_answer(loop, lane) : take_all(loop, lane);
}

#include "lrd_receive.h"

#include <stdlib.h>
#include <string.h>

#include "lrd_proto.h"

enum {
	ANSWER_MAX = 64 << 20,
	ANSWER_KEPT = 64 << 10,
};

static bool is_error(const lrd_reply *reply)
{
	return reply->code >= LRD_CODE_NOT_A_NUMBER;
}

/*
 * The op's reply is whole. With an opaque it proves those before it; what follows a value shows that its length was
 * right.
 */
static void take_reply(lrd_receiver *receiver, lrd_lane *lane)
{
	lrd_op *op = lane->awaited;
	lane->awaited = op->next;
	lane->awaits_end = op->request.mode == LRD_CLASSIC_LAST;
	if (op->reply.has_opaque) {
		lrd_lane_release(lane, op->reply.has_value ? op : lane->awaited, &receiver->rules);
	}
}

/* ---- values ---- */

/* Room for more of the value that is being read, `kept` bytes of which have come. */
static void ask_room(lrd_receiver *receiver, lrd_lane *lane, size_t size, size_t kept)
{
	lrd_op *op = lane->awaited;
	size_t all = (size_t) op->reply.size;
	char *room = receiver->room(receiver->context, op, size, kept);
	op->reply.value = room;
	lane->value_at = room != NULL ? room + kept : NULL;
	lane->value_left = (room != NULL ? size : all) - kept;
	lane->value_rest = room != NULL ? all - size : 0;
}

static void grow_value(lrd_receiver *receiver, lrd_lane *lane)
{
	size_t all = (size_t) lane->awaited->reply.size, came = all - lane->value_rest;
	ask_room(receiver, lane, came < all - came ? 2 * came : all, came);
}

/* A value's bytes and its CR LF. False: there is more to come. */
static bool take_value(lrd_receiver *receiver, lrd_lane *lane, lrd_failure *failure)
{
	lrd_conn *conn = &lane->conn;
	size_t there = conn->in_end - conn->in_start;
	size_t count = there < lane->value_left ? there : lane->value_left;
	if (count > 0) {
		if (lane->value_at != NULL) {
			memcpy(lane->value_at, conn->in + conn->in_start, count);
			lane->value_at += count;
		}
		lane->value_left -= count;
		conn->in_start += count;
		there -= count;
	}
	if (lane->value_left > 0) {
		return false;
	}
	if (lane->value_rest > 0) {
		grow_value(receiver, lane);
		return true;
	}
	if (there < 2) {
		return false;
	}
	if (memcmp(conn->in + conn->in_start, "\r\n", 2) != 0) {
		*failure = LRD_FAILURE_OUT_OF_STEP;
		return false;
	}
	conn->in_start += 2;
	lane->in_value = false;
	take_reply(receiver, lane);
	return true;
}

/* False: there may be none. A counter's digits are looked at, not handed on. */
static bool begin_value(lrd_receiver *receiver, lrd_lane *lane)
{
	lrd_op *op = lane->awaited;
	bool is_counter = op->kind == LRD_OP_ADD_NUMBER || op->kind == LRD_OP_COUNT;
	bool is_digits = is_counter && op->reply.size <= sizeof op->scratch;
	if (!is_digits && receiver->room == NULL) {
		return false;
	}
	size_t size = (size_t) op->reply.size;
	lane->in_value = true;
	if (is_digits) {
		op->reply.value = lane->value_at = op->scratch;
		lane->value_left = size;
		lane->value_rest = 0;
	} else {
		ask_room(receiver, lane, size < LRD_ROOM_STEP ? size : LRD_ROOM_STEP, 0);
	}
	return true;
}

/* ---- error lines ---- */

/* An error behind the last op's own: the rest of what the server made of it, as long as no other op could be meant. */
static lrd_failure take_surplus(lrd_receiver *receiver, lrd_lane *lane, const lrd_reply *reply)
{
	bool unknown = reply->code == LRD_CODE_UNKNOWN_COMMAND;
	for (const lrd_op *op = lane->held; op != NULL && unknown; op = op->next) {
		unknown = op->reply.code == LRD_CODE_UNKNOWN_COMMAND;
	}
	if (unknown && lane->fence == LRD_FENCE_SENT) {
		/* A server that does not know the fence knows none of our requests. */
		lrd_lane_release(lane, NULL, &receiver->rules);
		return LRD_FAILURE_UNKNOWN_COMMAND;
	}
	bool is_one = lane->held != NULL && lane->held->next == NULL && is_error(&lane->held->reply);
	return is_one ? LRD_FAILURE_NONE : LRD_FAILURE_OUT_OF_STEP;
}

/*
 * A server that wants to be told a password first says so once, and drops whatever else it has read. Since it never
 * took one here, nothing of the round was done.
 */
static lrd_failure take_denial(lrd_receiver *receiver, lrd_lane *lane, const lrd_reply *reply)
{
	for (lrd_op *op = lane->held; op != NULL; op = op->next) {
		op->reply = *reply;
	}
	lane->awaited = lane->unwritten = lane->piece = NULL;
	lrd_lane_release(lane, NULL, &receiver->rules);
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
static lrd_failure take_error(lrd_receiver *receiver, lrd_lane *lane, const lrd_reply *reply)
{
	if (reply->code == LRD_CODE_DENIED && !lane->conn.is_proved) {
		return take_denial(receiver, lane, reply);
	}
	if (lane->awaits_end) {
		lane->awaits_end = false;
		want_fence(lane);
		return LRD_FAILURE_NONE;
	}
	if (lane->awaited == lane->unwritten) {
		return take_surplus(receiver, lane, reply);
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
static lrd_failure take_found(lrd_receiver *receiver, lrd_lane *lane, const lrd_reply *reply, lrd_slice key)
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
	return begin_value(receiver, lane) ? LRD_FAILURE_NONE : LRD_FAILURE_OUT_OF_STEP;
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

static lrd_failure take_meta(lrd_receiver *receiver, lrd_lane *lane, const lrd_reply *reply)
{
	if (!reply->has_opaque) {
		return is_error(reply) ? take_error(receiver, lane, reply) : LRD_FAILURE_OUT_OF_STEP;
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
		return begin_value(receiver, lane) ? LRD_FAILURE_NONE : LRD_FAILURE_OUT_OF_STEP;
	}
	take_reply(receiver, lane);
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
static bool take_line(lrd_receiver *receiver, lrd_lane *lane, lrd_failure *failure)
{
	lrd_conn *conn = &lane->conn;
	const char *at = conn->in + conn->in_start;
	size_t size = conn->in_end - conn->in_start, used = 0;
	lrd_slice key = { NULL, 0 };
	lrd_reply reply;
	bool classic = awaits_classic(lane);
	lrd_parse parse = classic
		? lrd_proto_classic(at, size, &reply, &key, &used)
		: lrd_proto_reply(at, size, &reply, &used);
	if (parse != LRD_PARSE_DONE) {
		*failure = parse == LRD_PARSE_BAD ? LRD_FAILURE_OUT_OF_STEP : LRD_FAILURE_NONE;
		return false;
	}
	conn->in_start += used;
	reply.value = NULL;
	if (!classic) {
		*failure = take_meta(receiver, lane, &reply);
	} else if (reply.has_value) {
		*failure = take_found(receiver, lane, &reply, key);
	} else if (reply.code == LRD_CODE_MISS) {
		*failure = take_end(lane);
	} else {
		*failure = is_error(&reply) ? take_error(receiver, lane, &reply) : LRD_FAILURE_OUT_OF_STEP;
	}
	return *failure == LRD_FAILURE_NONE;
}

/*
 * All that is in the buffer. Bytes that nobody asked for put an end to the connection, and to what they may have been
 * part of.
 */
static lrd_failure take_all(lrd_receiver *receiver, lrd_lane *lane)
{
	const lrd_conn *conn = &lane->conn;
	lrd_failure failure = LRD_FAILURE_NONE;
	while (lrd_lane_is_awaiting(lane) && (conn->in_start < conn->in_end || lane->in_value)) {
		if (!(lane->in_value ? take_value(receiver, lane, &failure) : take_line(receiver, lane, &failure))) {
			return failure;
		}
	}
	return conn->in_start < conn->in_end ? LRD_FAILURE_OUT_OF_STEP : LRD_FAILURE_NONE;
}

/* ---- the answer to a line of the classic protocol: all that comes before the reply of the fence behind it ---- */

void lrd_receiver_trim(lrd_receiver *receiver)
{
	receiver->answer_size = 0;
	if (receiver->answer_room > ANSWER_KEPT) {
		free(receiver->answer);
		receiver->answer = NULL;
		receiver->answer_room = 0;
	}
}

static bool keep_line(lrd_receiver *receiver, const char *bytes, size_t size)
{
	if (receiver->answer_size + size > receiver->answer_room) {
		size_t room = (receiver->answer_size + size) * 2;
		char *answer = room <= ANSWER_MAX ? realloc(receiver->answer, room) : NULL;
		if (answer == NULL) {
			return false;
		}
		receiver->answer = answer;
		receiver->answer_room = room;
	}
	memcpy(receiver->answer + receiver->answer_size, bytes, size);
	receiver->answer_size += size;
	return true;
}

static bool is_fence_reply(const lrd_lane *lane, const char *line, size_t size)
{
	lrd_reply reply;
	size_t used;
	return lane->fence == LRD_FENCE_SENT && lrd_proto_reply(line, size, &reply, &used) == LRD_PARSE_DONE && used == size
		&& reply.has_opaque && reply.opaque == lane->fence_opaque && !reply.has_value;
}

static bool ends_with(const lrd_receiver *receiver, const char *text)
{
	size_t size = strlen(text);
	return receiver->answer_size >= size && memcmp(receiver->answer + receiver->answer_size - size, text, size) == 0;
}

/* "END\r\n" goes, where it is a line. */
static void drop_end(lrd_receiver *receiver)
{
	if (receiver->answer_size == 5 ? ends_with(receiver, "END\r\n") : ends_with(receiver, "\nEND\r\n")) {
		receiver->answer_size -= 5;
	}
}

static void end_answer(lrd_receiver *receiver, lrd_lane *lane)
{
	lrd_op *op = lane->asking;
	size_t used;
	lane->asking = NULL;
	lane->fence = LRD_FENCE_ANSWERED;
	drop_end(receiver);
	bool is_line = lrd_proto_reply(receiver->answer, receiver->answer_size, &op->reply, &used) == LRD_PARSE_DONE;
	if (!is_line || op->reply.code < LRD_CODE_NOT_A_NUMBER) {
		op->reply = (lrd_reply) { .code = LRD_CODE_OK, .has_value = true, .size = receiver->answer_size };
		op->reply.value = receiver->room(receiver->context, op, receiver->answer_size, 0);
		if (receiver->answer_size > 0 && op->reply.value != NULL) {
			memcpy(op->reply.value, receiver->answer, receiver->answer_size);
		}
	}
}

/* As in take_denial(): nothing will follow. */
static bool is_denial(lrd_lane *lane, const char *line, size_t size)
{
	size_t used;
	lrd_op *op = lane->asking;
	if (lane->conn.is_proved || lrd_proto_reply(line, size, &op->reply, &used) != LRD_PARSE_DONE
		|| op->reply.code != LRD_CODE_DENIED) {
		return false;
	}
	lane->asking = NULL;
	return true;
}

static lrd_failure take_answer(lrd_receiver *receiver, lrd_lane *lane)
{
	lrd_conn *conn = &lane->conn;
	while (lane->asking != NULL) {
		const char *line = conn->in + conn->in_start;
		const char *end = memchr(line, '\n', conn->in_end - conn->in_start);
		if (end == NULL) {
			return conn->in_end - conn->in_start < LRD_CONN_BUFFER ? LRD_FAILURE_NONE : LRD_FAILURE_OUT_OF_STEP;
		}
		size_t size = (size_t) (end + 1 - line);
		conn->in_start += size;
		if (is_fence_reply(lane, line, size)) {
			if (conn->in_start < conn->in_end) {
				return LRD_FAILURE_OUT_OF_STEP;
			}
			end_answer(receiver, lane);
		} else if (receiver->answer_size == 0 && is_denial(lane, line, size)) {
			return LRD_FAILURE_DENIED;
		} else if (!keep_line(receiver, line, size)) {
			return LRD_FAILURE_NO_MEMORY;
		}
	}
	return LRD_FAILURE_NONE;
}

/* ---- one read ---- */

lrd_failure lrd_receive(lrd_receiver *receiver, lrd_lane *lane, bool blocks, bool *drained)
{
	size_t into_value;
	char *rest = lane->in_value && lane->value_left > 0 ? lane->value_at : NULL;
	lrd_conn_io io = lrd_conn_receive(
		&lane->conn, rest, rest != NULL ? lane->value_left : 0, blocks, &into_value, drained);
	if (io != LRD_IO_SOME) {
		*drained = true;
		return io == LRD_IO_END ? LRD_FAILURE_CLOSED : LRD_FAILURE_NONE;
	}
	lane->is_heard = true;
	if (into_value > 0) {
		lane->value_at += into_value;
		lane->value_left -= into_value;
	}
	return lane->asking != NULL ? take_answer(receiver, lane) : take_all(receiver, lane);
}

/* The answer to a line of the classic protocol: whatever comes before the reply of the fence behind it. */
#include "lrd_loop.h"

#include <stdlib.h>
#include <string.h>

enum {
	ANSWER_MAX = 64 << 20,
	ANSWER_KEPT = 64 << 10,
};

void lrd_loop_forget_answer(lrd_loop *loop)
{
	loop->answer_size = 0;
	if (loop->answer_room > ANSWER_KEPT) {
		free(loop->answer);
		loop->answer = NULL;
		loop->answer_room = 0;
	}
}

static bool keep_line(lrd_loop *loop, const char *bytes, size_t size)
{
	if (loop->answer_size + size > loop->answer_room) {
		size_t room = (loop->answer_size + size) * 2;
		char *answer = room <= ANSWER_MAX ? realloc(loop->answer, room) : NULL;
		if (answer == NULL) {
			return false;
		}
		loop->answer = answer;
		loop->answer_room = room;
	}
	memcpy(loop->answer + loop->answer_size, bytes, size);
	loop->answer_size += size;
	return true;
}

static bool is_fence(const lrd_lane *lane, const char *line, size_t size)
{
	lrd_reply reply;
	size_t used;
	return lane->fence == LRD_FENCE_SENT && lrd_proto_reply(line, size, &reply, &used) == LRD_PARSE_DONE && used == size
		&& reply.has_opaque && reply.opaque == lane->fence_opaque && !reply.has_value;
}

static bool ends_with(const lrd_loop *loop, const char *text)
{
	size_t size = strlen(text);
	return loop->answer_size >= size && memcmp(loop->answer + loop->answer_size - size, text, size) == 0;
}

/* "END\r\n" goes, where it is a line. */
static void drop_end(lrd_loop *loop)
{
	if (loop->answer_size == 5 ? ends_with(loop, "END\r\n") : ends_with(loop, "\nEND\r\n")) {
		loop->answer_size -= 5;
	}
}

static void end_answer(lrd_loop *loop, lrd_lane *lane)
{
	lrd_op *op = lane->asking;
	size_t used;
	lane->asking = NULL;
	lane->fence = LRD_FENCE_ANSWERED;
	drop_end(loop);
	bool is_line = lrd_proto_reply(loop->answer, loop->answer_size, &op->reply, &used) == LRD_PARSE_DONE;
	if (!is_line || op->reply.code < LRD_CODE_NOT_A_NUMBER) {
		op->reply = (lrd_reply) { .code = LRD_CODE_OK, .has_value = true, .size = loop->answer_size };
		op->reply.value = loop->room(loop->context, op, loop->answer_size);
		if (loop->answer_size > 0) {
			memcpy(op->reply.value, loop->answer, loop->answer_size);
		}
	}
}

/* As in lrd_loop_take.c: nothing will follow. */
static bool is_denial(lrd_lane *lane, const char *line, size_t size)
{
	size_t used;
	lrd_op *op = lane->asking;
	if (lane->conn.is_proved || lrd_proto_reply(line, size, &op->reply, &used) != LRD_PARSE_DONE || op->reply.code != LRD_CODE_DENIED) {
		return false;
	}
	lane->asking = NULL;
	return true;
}

lrd_failure lrd_lane_take_answer(lrd_loop *loop, lrd_lane *lane)
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
		if (is_fence(lane, line, size)) {
			if (conn->in_start < conn->in_end) {
				return LRD_FAILURE_OUT_OF_STEP;
			}
			end_answer(loop, lane);
		} else if (loop->answer_size == 0 && is_denial(lane, line, size)) {
			return LRD_FAILURE_DENIED;
		} else if (!keep_line(loop, line, size)) {
			return LRD_FAILURE_NO_MEMORY;
		}
	}
	return LRD_FAILURE_NONE;
}

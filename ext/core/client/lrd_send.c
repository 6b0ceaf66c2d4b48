#include "lrd_send.h"

#include <string.h>

#include "lrd_proto.h"

enum {
	CLASSIC_LINE = 2000,        /* memcached reads a longer one at more cost */
	TLS_WINDOW = 15500,         /* a server before 1.6.39 hangs at 16 KB that it has not answered */
	SLICES_OF_ONE = 3,          /* line, value, CR LF */
	WRITES = 16,                /* of one lane before replies are looked at, and the clock */
};

static size_t room_left(const lrd_conn *conn)
{
	return conn->slice_end + SLICES_OF_ONE > LRD_CONN_SLICES ? 0 : LRD_CONN_BUFFER - conn->out_used;
}

static bool fits_window(lrd_lane *lane, size_t size)
{
	if (lane->conn.tls == NULL || lane->window == 0 || lane->window + size <= TLS_WINDOW) {
		lane->window += size;
		return true;
	}
	return false;
}

static bool is_classic(const lrd_op *op)
{
	return op->request.command == LRD_MG && lrd_verb_is_classic(op);
}

/* As many neighbours as fit a line "get key key …"; LRD_CLASSIC_LAST marks the one that its END ends. */
static bool write_classic(lrd_lane *lane)
{
	lrd_conn *conn = &lane->conn;
	if (room_left(conn) < CLASSIC_LINE || !fits_window(lane, CLASSIC_LINE)) {
		return false;
	}
	char *begin = conn->out + conn->out_used, *at = begin;
	lrd_op *op = lane->unwritten, *last = op;
	memcpy(at, "get", 3);
	at += 3;
	do {
		*at++ = ' ';
		memcpy(at, op->key.bytes, op->key.size);
		at += op->key.size;
		op->request.mode = LRD_CLASSIC_ONE;
		last = op;
		op = op->next;
	} while (op != NULL && is_classic(op) && (size_t) (at - begin) + op->key.size + 3 <= CLASSIC_LINE);
	last->request.mode = LRD_CLASSIC_LAST;
	memcpy(at, "\r\n", 2);
	at += 2;
	lrd_conn_put(conn, (size_t) (at - begin));
	lane->unwritten = op;
	lane->lines++;
	lane->requests++;
	return true;
}

static bool write_meta(lrd_lane *lane)
{
	lrd_conn *conn = &lane->conn;
	lrd_op *op = lane->unwritten;
	const lrd_slice value = op->request.value;
	const bool has_value = op->request.command == LRD_MS, is_copied = value.size <= lane->copied_below;
	if (room_left(conn) < LRD_PROTO_LINE_MAX + 2 + (has_value && is_copied ? value.size : 0)) {
		return false;
	}
	if (op->request.command == LRD_MG) {
		op->request.mode = 0;
	}
	char *at = conn->out + conn->out_used;
	size_t size = lrd_proto_line(at, &op->request, conn->opaque);
	if (!fits_window(lane, size + (has_value ? value.size + 2 : 0))) {
		return false;
	}
	op->opaque = conn->opaque++;
	if (has_value && is_copied) {
		if (value.size > 0) {
			memcpy(at + size, value.bytes, value.size);
		}
		memcpy(at + size + value.size, "\r\n", 2);
		size += value.size + 2;
	}
	lrd_conn_put(conn, size);
	if (has_value && !is_copied) {
		lrd_conn_put_slice(conn, value);
		memcpy(conn->out + conn->out_used, "\r\n", 2);
		lrd_conn_put(conn, 2);
	}
	lane->unwritten = op->next;
	lane->requests++;
	return true;
}

static bool write_fence(lrd_lane *lane)
{
	static const lrd_request fence = { .command = LRD_MG, .key = { LRD_PROTO_FENCE, sizeof LRD_PROTO_FENCE - 1 } };
	lrd_conn *conn = &lane->conn;
	if (room_left(conn) < LRD_PROTO_LINE_MAX || !fits_window(lane, LRD_PROTO_LINE_MAX / 4)) {
		return false;
	}
	lane->fence_opaque = conn->opaque++;
	lrd_conn_put(conn, lrd_proto_line(conn->out + conn->out_used, &fence, lane->fence_opaque));
	lane->fence = LRD_FENCE_SENT;
	return true;
}

/* The line of lrd_pool_ask(): all that follows belongs to it until the fence's reply. */
static void write_line(lrd_lane *lane)
{
	lrd_conn *conn = &lane->conn;
	lrd_conn_put_slice(conn, lane->line);
	memcpy(conn->out + conn->out_used, "\r\n", 2);
	lrd_conn_put(conn, 2);
	lane->requests++;
	lane->fence = LRD_FENCE_WANTED;
}

/*
 * Whether the next op goes out as a key of a classic line. The round's first one does not: its tagged reply shows that
 * what follows is the answer to this round, at no further cost. A fence behind a classic get would have the server
 * write twice.
 */
static bool begins_line(const lrd_lane *lane)
{
	const lrd_op *op = lane->unwritten;
	return lane->requests > 0 && is_classic(op)
		&& (lane->lines > 0 || (op->next != NULL && is_classic(op->next)));
}

/*
 * More than one request, unless they are a tagged one and lines: these end by END, and an error in its place asks for a
 * fence by itself.
 */
static bool needs_fence(const lrd_lane *lane)
{
	return lane->requests > 1 && lane->requests != lane->lines + 1;
}

/* The next piece of output, as much as there is room for. */
static void write_piece(lrd_lane *lane)
{
	lane->piece = lane->unwritten;
	lane->piece_was_sent = false;
	if (lane->window > 0 && lane->awaited == lane->unwritten) {
		lane->window = 0;
	}
	if (lane->asking != NULL && lane->requests == 0) {
		write_line(lane);
	}
	while (lane->unwritten != NULL) {
		if (!(begins_line(lane) ? write_classic(lane) : write_meta(lane))) {
			return;
		}
	}
	if (lane->fence == LRD_FENCE_NONE && needs_fence(lane)) {
		lane->fence = LRD_FENCE_WANTED;
	}
	if (lane->fence == LRD_FENCE_WANTED) {
		write_fence(lane);
	}
}

lrd_conn_io lrd_send(lrd_lane *lane)
{
	size_t sent;
	for (uint32_t writes = 0; !lane->write_is_over; writes++) {
		if (!lrd_conn_has_output(&lane->conn)) {
			write_piece(lane);
		}
		if (!lrd_conn_has_output(&lane->conn)) {
			break;
		}
		if (writes == WRITES) {
			return LRD_IO_LATER;
		}
		lane->conn.in_doubt = true;
		lrd_conn_io io = lrd_conn_send(&lane->conn, &sent);
		if (io != LRD_IO_SOME) {
			return io;
		}
		lane->piece_was_sent = true;
		lane->may_reconnect = false;
	}
	return LRD_IO_SOME;
}

/*
 * A lane: one server's connection, and the ops that are under way on it.
 *
 * A lane works in rounds. The requests of a round are sent in order and answered in order. Each reply proves by its
 * opaque (a classic get by its key) which op it belongs to. Error lines and classic replies prove nothing by
 * themselves. They are held until a reply with an opaque, at the latest the fence's, shows that requests and replies
 * are in step. A round of gets begins with a tagged request, and is held until its last END arrives with nothing behind
 * it. Only then does an op get its result. An op that has another request to send joins the lane's next round.
 *
 * The pool owns the lanes. The caller owns the ops; a lane does not touch them after the run.
 */
#ifndef LRD_LANE_H
#define LRD_LANE_H

#include "lrd_conn.h"
#include "lrd_op.h"
#include "lrd_verb.h"

typedef enum lrd_fence {
	LRD_FENCE_NONE,
	LRD_FENCE_WANTED,           /* this round must end with one */
	LRD_FENCE_SENT,             /* its reply is awaited */
	LRD_FENCE_ANSWERED,
} lrd_fence;

/* op->request.mode of a get that went out as a key of a classic line. */
enum {
	LRD_CLASSIC_ONE = 'g',
	LRD_CLASSIC_LAST = 'G',     /* the line's END follows */
};

typedef struct lrd_lane {
	lrd_conn conn;
	uint32_t server;
	uint32_t copied_below;      /* values up to this size are copied beside their lines */
	bool is_active, is_begun;
	bool is_heard;              /* bytes of replies have come since it became active */

	/* ---- ops: the round's, linked from held to the end, and the next round's ---- */
	lrd_op *held;               /* the first one that has not got its result */
	lrd_op *awaited;            /* the first one without a reply */
	lrd_op *unwritten;          /* the first one that is not in the output yet */
	lrd_op *piece;              /* the first one of the output's present piece */
	lrd_op *waiting, *waiting_last;

	/* ---- the round ---- */
	lrd_fence fence;
	uint32_t fence_opaque;
	uint32_t requests;
	uint32_t lines;             /* those of the requests that are classic gets */
	bool awaits_end;            /* of a classic get, all keys of which were found */
	bool may_reconnect;         /* a connection used before, and none of this round's bytes was sent */
	bool piece_was_sent;        /* at least in part */
	bool write_is_over;         /* the peer takes no more; what it has sent is still read */
	size_t window;              /* TLS: bytes sent since all was answered */

	/* ---- the value that is being read into awaited ---- */
	bool in_value;
	char *value_at;             /* NULL: its bytes are dropped */
	size_t value_left;          /* of the room there is; all of it that is to be dropped */
	size_t value_rest;          /* behind that room */

	/* ---- lrd_pool_ask(): a line in place of ops ---- */
	lrd_slice line;
	lrd_op *asking;
} lrd_lane;

/* The lane's next round sends this op's request. */
static inline void lrd_lane_queue(lrd_lane *lane, lrd_op *op)
{
	op->server = lane->server;
	op->next = NULL;
	if (lane->waiting == NULL) {
		lane->waiting = op;
	} else {
		lane->waiting_last->next = op;
	}
	lane->waiting_last = op;
}

/* The waiting ops become the round. */
void lrd_lane_begin_round(lrd_lane *lane);
/* Puts the round back to its state before anything was written. */
void lrd_lane_rewind(lrd_lane *lane);
/* Gives the held ops before `end` their results. */
static inline void lrd_lane_release(lrd_lane *lane, const lrd_op *end, const lrd_verb_rules *rules)
{
	while (lane->held != end) {
		lrd_op *op = lane->held;
		/* lrd_lane_queue() links the op anew, so its successor is read first. */
		lane->held = op->next;
		lrd_verb_reply(op, rules);
		if (op->open) {
			lrd_lane_queue(lane, op);
		}
	}
}

/* Drops all ops, and leaves the connection as it is. */
void lrd_lane_clear(lrd_lane *lane);

static inline bool lrd_lane_is_awaiting(const lrd_lane *lane)
{
	return lane->awaited != lane->unwritten || lane->awaits_end || lane->fence == LRD_FENCE_WANTED
		|| lane->fence == LRD_FENCE_SENT;
}

/* All requests were sent, answered and proved. */
static inline bool lrd_lane_is_done(const lrd_lane *lane)
{
	return lane->unwritten == NULL && !lrd_lane_is_awaiting(lane);
}

#endif

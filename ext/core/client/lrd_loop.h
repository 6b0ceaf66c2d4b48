/*
 * All servers at once, until one deadline: each lane sends the requests of its ops and takes their replies, reading while it writes.
 *
 * A lane works in rounds. A round's requests go out in order and are answered in order; each reply proves by its opaque (a classic get's by
 * its key) which op's it is. Error lines and classic replies prove nothing by themselves: they are held until a reply with an opaque,
 * in the end that of the fence, shows that requests and replies are in step; those of a round of gets, which begins with a tagged one, until
 * its last END, with nothing behind it. Only then does an op learn of them. An op that has another request to send is part of the lane's
 * next round.
 *
 * The loop and its lanes are the pool's. Ops are the caller's and are not looked at after lrd_loop_run(). Wherever a lane is in doubt, its
 * connection is closed.
 */
#ifndef LRD_LOOP_H
#define LRD_LOOP_H

#include <poll.h>

#include "lrd_conn.h"
#include "lrd_op.h"
#include "lrd_proto.h"
#include "lrd_ring.h"
#include "lrd_verb.h"

typedef enum lrd_fence {
	LRD_FENCE_NONE,
	LRD_FENCE_WANTED,           /* this round must end with one */
	LRD_FENCE_SENT,             /* and its reply is awaited */
	LRD_FENCE_ANSWERED,
} lrd_fence;

/* op->request.mode of a get that went out as a key of a classic line. */
enum {
	LRD_CLASSIC_ONE = 'g',
	LRD_CLASSIC_LAST = 'G',     /* the line's END is to follow */
};

typedef struct lrd_lane {
	lrd_conn conn;
	uint32_t server;
	uint32_t copied_below;      /* values up to this size are copied beside their lines */
	bool is_active, is_begun;

	/* ---- ops: the round's, linked from held to the end, and the next round's ---- */
	lrd_op *held;               /* the first one that has not learned of its reply */
	lrd_op *awaited;            /* the first one without a reply */
	lrd_op *unwritten;          /* the first one that is not in the output yet */
	lrd_op *piece;              /* the first one of the output's present piece */
	lrd_op *waiting, *waiting_last;

	/* ---- the round ---- */
	lrd_fence fence;
	uint32_t fence_opaque;
	uint32_t requests;
	uint32_t lines;             /* of them those that are classic gets */
	bool awaits_end;            /* of a classic get, all keys of which were found */
	bool may_reconnect;         /* a connection used before, and none of this round's bytes was sent */
	bool piece_was_sent;        /* or some of it */
	bool write_is_over;         /* the peer takes no more; what it has said is still read */
	size_t window;              /* TLS: bytes sent since all was answered */

	/* ---- the value that is being read into awaited ---- */
	bool in_value;
	char *value_at;
	size_t value_left;

	/* ---- lrd_pool_ask(): a line in place of ops ---- */
	lrd_slice line;
	lrd_op *asking;
} lrd_lane;

typedef struct lrd_loop {
	lrd_lane *lanes;
	uint32_t lane_count;
	lrd_lane **active;          /* lane_count places */
	struct pollfd *polled;      /* lane_count places */
	uint32_t active_count;
	uint32_t request;           /* the number of PHP's present request */
	lrd_verb_rules rules;

	/* ---- failover ---- */
	const lrd_ring *ring;
	uint32_t servers_per_op;    /* 1: no failover */
	unsigned char *tried;       /* lane_count places */

	/* ---- the run under way ---- */
	uint64_t now_ns;
	uint64_t deadline_ns;
	uint64_t timeout_ns;
	lrd_room room;              /* NULL: no value may come */
	void *context;

	/* ---- lrd_pool_ask(): the answer so far ---- */
	char *answer;
	size_t answer_size, answer_room;
} lrd_loop;

/* Puts an op, whose request is written, on its server's lane: by op->route, or op->server where that is NULL. */
void lrd_loop_place(lrd_loop *loop, lrd_op *op);
/* The server behind the op's first one in the ring's order, or lane_count. */
uint32_t lrd_loop_second(lrd_loop *loop, const lrd_op *op);
/* The next round of this lane sends op's request. */
void lrd_loop_queue(lrd_loop *loop, lrd_lane *lane, lrd_op *op);
/* The lane has something to do. */
void lrd_loop_activate(lrd_loop *loop, lrd_lane *lane);
/* Until no lane has anything left to do, or the deadline. Each op has ended then. */
void lrd_loop_run(lrd_loop *loop);
/* Forgets all lanes' ops: those of a run that was left by longjmp. */
void lrd_loop_forget(lrd_loop *loop);

/* ---- lrd_loop_send.c ---- */

/* The waiting ops become the round. */
void lrd_lane_begin_round(lrd_lane *lane);
/* Puts the round back to where nothing of it was written. */
void lrd_lane_rewind(lrd_lane *lane);
/* Sends until all is sent, the socket takes no more or it is others' turn. END: the connection is broken. */
lrd_conn_io lrd_lane_write(lrd_lane *lane, const lrd_verb_rules *rules);

/* ---- lrd_loop_take.c ---- */

/* One read and what it brought. *drained: the next read would find nothing. NONE, or why the lane is to be closed. */
lrd_failure lrd_lane_read(lrd_loop *loop, lrd_lane *lane, bool blocks, bool *drained);
bool lrd_lane_is_awaiting(const lrd_lane *lane);
/* All was sent, answered and proved. */
bool lrd_lane_is_done(const lrd_lane *lane);
/* Lets the held ops before `end` learn of their replies. */
void lrd_lane_release(lrd_loop *loop, lrd_lane *lane, const lrd_op *end);

/* ---- lrd_loop_ask.c ---- */

/* Keeps no more memory for answers than most of them need. */
void lrd_loop_forget_answer(lrd_loop *loop);
/* Takes what is in the buffer as lines of an answer, up to the fence's reply. */
lrd_failure lrd_lane_take_answer(lrd_loop *loop, lrd_lane *lane);

#endif

/*
 * All servers at once, until one deadline. An op enters by lrd_loop_add(), which puts it on a lane. lrd_loop_run()
 * moves bytes on all lanes, reading while it writes, until each op has its result. Where a lane is in doubt, its
 * connection is closed.
 *
 * The loop belongs to the pool. The caller owns the ops; nothing touches them after lrd_loop_run().
 */
#ifndef LRD_LOOP_H
#define LRD_LOOP_H

#include <poll.h>

#include "lrd_lane.h"
#include "lrd_receive.h"
#include "lrd_route.h"

typedef struct lrd_loop {
	lrd_lane *lanes;
	uint32_t lane_count;
	lrd_lane **active;          /* lane_count places */
	struct pollfd *polled;      /* lane_count places */
	uint32_t active_count;
	uint32_t request;           /* the number of PHP's present request */
	lrd_route route;
	lrd_receiver receiver;

	/* ---- the run under way ---- */
	uint64_t now_ns;
	uint64_t deadline_ns;
	uint64_t timeout_ns;
	/* When the reads of a server that has not said a word go to the next one of their ring; UINT64_MAX: never. */
	uint64_t patience_ns;
} lrd_loop;

/* Puts an op whose request is written on the lane of its server, or ends it where no server is usable. */
void lrd_loop_add(lrd_loop *loop, lrd_op *op);
/* The same on the lane of this server and no other. */
void lrd_loop_add_at(lrd_loop *loop, lrd_op *op, uint32_t server);
/* Puts a line of the classic protocol on the lane of op->server. The op gets the answer. */
void lrd_loop_add_line(lrd_loop *loop, lrd_op *op, lrd_slice line);
/* Ends an op whose next request will not be sent, or whose reply will not be read. */
void lrd_loop_give_up(lrd_loop *loop, lrd_op *op, lrd_failure failure, lrd_code code);
/* Runs until each lane has sent what it has to send now, or the deadline. Some ops may have ended already. */
void lrd_loop_send(lrd_loop *loop);
/* Runs until no lane has anything left to do, or the deadline. Each op has ended then. */
void lrd_loop_run(lrd_loop *loop);
/* Forgets the ops of all lanes, after a run that was left by longjmp. */
void lrd_loop_forget(lrd_loop *loop);

#endif

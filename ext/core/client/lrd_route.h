/*
 * Which server an op goes to: the ring's choice, another one while that is down, and the second server of a mirrored
 * pool. A route only looks at lanes and ops; it sends nothing.
 */
#ifndef LRD_ROUTE_H
#define LRD_ROUTE_H

#include "lrd_lane.h"
#include "lrd_ring.h"

typedef struct lrd_route {
	const lrd_ring *ring;
	const lrd_lane *lanes;      /* one per server, in the ring's order */
	uint32_t count;
	uint32_t servers_per_op;    /* 1: no failover */
	unsigned char *tried;       /* count places for lrd_ring_next() */
} lrd_route;

static inline bool lrd_route_is_usable(const lrd_route *route, uint32_t server, uint64_t now_ns)
{
	return !lrd_conn_is_down(&route->lanes[server].conn, now_ns);
}

/* The first usable server in the ring's order for this op, or LRD_NO_SERVER. */
uint32_t lrd_route_fallback(const lrd_route *route, const lrd_op *op, uint64_t now_ns);

/*
 * The server for an op that enters: the one that the ring names for op->route, or op->server where the op has no route;
 * while that one is down, the first usable one behind it. LRD_NO_SERVER if none is usable. op->server is the ring's
 * choice afterwards.
 */
static inline uint32_t lrd_route_place(const lrd_route *route, lrd_op *op, uint64_t now_ns)
{
	if (op->route.bytes != NULL) {
		op->server = lrd_ring_find(route->ring, op->route.bytes, op->route.size);
	}
	bool is_usable = lrd_route_is_usable(route, op->server, now_ns);
	return is_usable ? op->server : lrd_route_fallback(route, op, now_ns);
}

/* The first usable server behind op->server, for an op whose request was not sent; or LRD_NO_SERVER. */
uint32_t lrd_route_next(const lrd_route *route, const lrd_op *op, uint64_t now_ns);

/* The server behind the ring's choice, usable or not; or LRD_NO_SERVER. */
uint32_t lrd_route_second(const lrd_route *route, const lrd_op *op);

#endif

#include "lrd_route.h"

#include <string.h>

/*
 * The first usable server behind `after` (LRD_NO_SERVER: of all) in the order of the ring's fallbacks. The order is
 * computed anew each time, because an op has no room to remember it, and servers are seldom down.
 */
static uint32_t find_usable(const lrd_route *route, const lrd_op *op, uint32_t after, uint64_t now_ns)
{
	uint32_t server = lrd_ring_find(route->ring, op->route.bytes, op->route.size);
	bool is_behind = after == LRD_NO_SERVER;
	memset(route->tried, 0, route->count);
	for (uint32_t step = 0; step < route->servers_per_op && server < route->count; step++) {
		if (is_behind && lrd_route_is_usable(route, server, now_ns)) {
			return server;
		}
		is_behind = is_behind || server == after;
		route->tried[server] = 1;
		server = lrd_ring_next(route->ring, op->route.bytes, op->route.size, route->tried);
	}
	return LRD_NO_SERVER;
}

static bool has_fallback(const lrd_route *route, const lrd_op *op)
{
	return route->servers_per_op > 1 && op->route.bytes != NULL;
}

uint32_t lrd_route_fallback(const lrd_route *route, const lrd_op *op, uint64_t now_ns)
{
	return has_fallback(route, op) ? find_usable(route, op, LRD_NO_SERVER, now_ns) : LRD_NO_SERVER;
}

uint32_t lrd_route_next(const lrd_route *route, const lrd_op *op, uint64_t now_ns)
{
	return has_fallback(route, op) ? find_usable(route, op, op->server, now_ns) : LRD_NO_SERVER;
}

uint32_t lrd_route_second(const lrd_route *route, const lrd_op *op)
{
	memset(route->tried, 0, route->count);
	route->tried[lrd_ring_find(route->ring, op->route.bytes, op->route.size)] = 1;
	uint32_t second = lrd_ring_next(route->ring, op->route.bytes, op->route.size, route->tried);
	return second < route->count ? second : LRD_NO_SERVER;
}

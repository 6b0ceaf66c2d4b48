/*
 * nginx's `hash … consistent`, and Cache::Memcached::Fast's ketama_points. Here the server is named with its port, as
 * nginx has to be told it.
 */
#include "lrd_ring_points.h"

#include <stdio.h>

enum { POINTS = 160 };

/* CRC of the host, a NUL and the port. An IPv6 address has brackets in nginx's configuration. */
static uint32_t base_of(const lrd_ring_server *server)
{
	char name[LRD_POINT_NAME];
	int host_size = (int) server->host.size;
	const char *host = server->host.bytes;
	bool has_brackets = !server->is_unix && memchr(host, ':', server->host.size) != NULL;
	int size = snprintf(name, sizeof(name), has_brackets ? "[%.*s]" : "%.*s", host_size, host);
	uint32_t state = lrd_crc32_step(UINT32_MAX, name, (size_t) size + 1);
	if (server->is_unix) {
		return state;
	}
	size = snprintf(name, sizeof(name), "%u", server->port);
	return lrd_crc32_step(state, name, (size_t) size);
}

/* Each point goes into the next one's hash. */
static void add_points(lrd_ring *ring, const lrd_ring_server *server, uint32_t number)
{
	uint32_t base = base_of(server), point = 0;
	for (uint32_t i = 0; i < POINTS * server->weight; i++) {
		const char bytes[4] = { (char) point, (char) (point >> 8), (char) (point >> 16), (char) (point >> 24) };
		point = ~lrd_crc32_step(base, bytes, sizeof(bytes));
		lrd_points_add(ring, point, number);
	}
}

static lrd_status build(lrd_ring *ring, const lrd_ring_server *servers)
{
	lrd_status status = lrd_points_begin(ring, (uint64_t) lrd_ring_weight(ring, servers) * POINTS);
	if (status != LRD_OK) {
		return status;
	}
	for (uint32_t i = 0; i < ring->count; i++) {
		add_points(ring, &servers[i], i);
	}
	lrd_points_sort(ring);
	return LRD_OK;
}

const lrd_ring_kind lrd_ring_nginx = {
	.name = "nginx",
	.hash = &lrd_hash_crc32,
	.hash_is_fixed = true,
	.hashes_prefix = true,
	.build = build,
	.find = lrd_points_find,
	.next = lrd_points_next,
};

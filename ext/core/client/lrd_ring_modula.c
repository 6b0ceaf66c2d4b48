/* ext-memcached's default: the hash modulo the number of servers. One server more moves nearly every key. */
#include "lrd_ring_points.h"

static lrd_status build(lrd_ring *ring, const lrd_ring_server *servers)
{
	(void) ring;
	(void) servers;
	return LRD_OK;
}

static uint32_t find(const lrd_ring *ring, const char *key, size_t size)
{
	return ring->hash->of(key, size) % ring->count;
}

static uint32_t next(const lrd_ring *ring, const char *key, size_t size, const unsigned char *tried)
{
	uint32_t first = find(ring, key, size);
	for (uint32_t i = 0; i < ring->count; i++) {
		uint32_t server = (first + i) % ring->count;
		if (!tried[server]) {
			return server;
		}
	}
	return ring->count;
}

const lrd_ring_kind lrd_ring_modula = {
	.name = "modula",
	.hash = &lrd_hash_one_at_a_time,
	.hashes = lrd_ring_libmemcached_hashes,
	.build = build,
	.find = find,
	.next = next,
};

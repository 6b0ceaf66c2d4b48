/* pecl-memcache's two strategies. They share what happens when a server is down. */
#include "lrd_ring_points.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	POINTS = 160,
	BUCKETS = 1024,
	TRIES = 20,                 /* its memcache.max_failover_attempts */
	KEY_MAX = 250,
};

static const lrd_hash *const hashes[] = { &lrd_hash_crc32, &lrd_hash_fnv1a_32, NULL };

/* The key with "-0", then "-1", … behind it. */
static uint32_t next(const lrd_ring *ring, const char *key, size_t size, const unsigned char *tried)
{
	char name[KEY_MAX + 16];
	int key_size = size < KEY_MAX ? (int) size : KEY_MAX;
	memcpy(name, key, (size_t) key_size);
	for (int try = 0; try < TRIES; try++) {
		int behind = snprintf(name + key_size, sizeof(name) - KEY_MAX, "-%d", try);
		uint32_t server = ring->kind->find(ring, name, (size_t) (key_size + behind));
		if (!tried[server]) {
			return server;
		}
	}
	return ring->count;
}

/* ---- consistent: points, looked up by bucket ---- */

/* The port is always there. An IPv6 address has brackets, since pecl-memcache connects to no other form. */
static size_t name_of(char at[LRD_POINT_NAME], const lrd_ring_server *server)
{
	int host_size = (int) server->host.size;
	const char *host = server->host.bytes;
	const char *form = server->is_unix ? "unix://%.*s:%u"
		: memchr(host, ':', server->host.size) != NULL ? "[%.*s]:%u" : "%.*s:%u";
	return (size_t) snprintf(at, LRD_POINT_NAME, form, host_size, host, server->is_unix ? 0u : server->port);
}

static lrd_status build(lrd_ring *ring, const lrd_ring_server *servers)
{
	lrd_status status = lrd_points_begin(ring, (uint64_t) lrd_ring_weight(ring, servers) * POINTS);
	uint16_t *buckets = ring->own = calloc(BUCKETS, sizeof(*buckets));
	if (status != LRD_OK || buckets == NULL) {
		return status != LRD_OK ? status : LRD_SYSTEM;
	}
	for (uint32_t i = 0; i < ring->count; i++) {
		char name[LRD_POINT_NAME];
		size_t size = name_of(name, &servers[i]);
		for (uint32_t number = 0; number < POINTS * servers[i].weight; number++) {
			int behind = snprintf(name + size, sizeof(name) - size, "-%u", number);
			lrd_points_add(ring, ring->hash->of(name, size + (size_t) behind), i);
		}
	}
	lrd_points_sort(ring);
	for (uint32_t i = 0; i < BUCKETS; i++) {
		buckets[i] = (uint16_t) ring->points[lrd_points_at(ring, i * (UINT32_MAX / BUCKETS))].server;
	}
	return LRD_OK;
}

static uint32_t find(const lrd_ring *ring, const char *key, size_t size)
{
	const uint16_t *buckets = ring->own;
	return buckets[ring->hash->of(key, size) % BUCKETS];
}

const lrd_ring_kind lrd_ring_pecl = {
	.name = "memcache",
	.hash = &lrd_hash_crc32,
	.hashes_prefix = true,
	.hashes = hashes,
	.build = build,
	.find = find,
	.next = next,
};

/* ---- standard: modulo the sum of the weights ---- */

/* ends[i] is the sum of the weights up to server i. */
static lrd_status build_standard(lrd_ring *ring, const lrd_ring_server *servers)
{
	uint32_t *ends = ring->own = malloc(ring->count * sizeof(*ends));
	if (ends == NULL) {
		return LRD_SYSTEM;
	}
	uint32_t sum = 0;
	for (uint32_t i = 0; i < ring->count; i++) {
		ends[i] = sum += servers[i].weight;
	}
	return LRD_OK;
}

static uint32_t find_standard(const lrd_ring *ring, const char *key, size_t size)
{
	const uint32_t *ends = ring->own;
	uint32_t h = ring->hash->of(key, size) >> 16 & 0x7fff;
	h = (h == 0 ? 1 : h) % ends[ring->count - 1];
	uint32_t server = 0;
	while (ends[server] <= h) {
		server++;
	}
	return server;
}

const lrd_ring_kind lrd_ring_pecl_standard = {
	.name = "memcache-standard",
	.hash = &lrd_hash_crc32,
	.hashes_prefix = true,
	.hashes = hashes,
	.build = build_standard,
	.find = find_standard,
	.next = next,
};

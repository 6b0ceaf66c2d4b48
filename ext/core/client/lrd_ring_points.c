#include "lrd_ring_points.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	POINTS_MAX = 1 << 22,       /* 32 MiB */
	DEFAULT_PORT = 11211,
	KETAMA_POINTS = 160,        /* of a server among equals */
	KETAMA_WORDS = 4,           /* points from one md5 */
};

const lrd_hash *const lrd_ring_libmemcached_hashes[] = {
	&lrd_hash_one_at_a_time, &lrd_hash_md5, &lrd_hash_crc, &lrd_hash_fnv1_64, &lrd_hash_fnv1a_64, &lrd_hash_fnv1_32,
	&lrd_hash_fnv1a_32, &lrd_hash_murmur, NULL,
};

uint32_t lrd_ring_weight(const lrd_ring *ring, const lrd_ring_server *servers)
{
	uint32_t sum = 0;
	for (uint32_t i = 0; i < ring->count; i++) {
		sum += servers[i].weight;
	}
	return sum;
}

lrd_status lrd_points_begin(lrd_ring *ring, uint64_t room)
{
	if (room > POINTS_MAX) {
		return LRD_FULL;
	}
	ring->points = malloc(room * sizeof(*ring->points));
	return ring->points == NULL ? LRD_SYSTEM : LRD_OK;
}

void lrd_points_add(lrd_ring *ring, uint32_t value, uint32_t server)
{
	ring->points[ring->point_count++] = (lrd_point) { value, server };
}

static int compare(const void *left, const void *right)
{
	const lrd_point *a = left, *b = right;
	if (a->value != b->value) {
		return a->value < b->value ? -1 : 1;
	}
	return (a->server > b->server) - (a->server < b->server);
}

void lrd_points_sort(lrd_ring *ring)
{
	qsort(ring->points, ring->point_count, sizeof(*ring->points), compare);
}

uint32_t lrd_points_at(const lrd_ring *ring, uint32_t value)
{
	const lrd_point *first = ring->points;
	uint32_t left = ring->point_count;
	while (left > 0) {
		uint32_t half = left / 2;
		bool is_before = first[half].value < value;
		first = is_before ? first + half + 1 : first;
		left = is_before ? left - half - 1 : half;
	}
	uint32_t at = (uint32_t) (first - ring->points);
	return at == ring->point_count ? 0 : at;
}

uint32_t lrd_points_find(const lrd_ring *ring, const char *key, size_t size)
{
	return ring->points[lrd_points_at(ring, ring->hash->of(key, size))].server;
}

uint32_t lrd_points_next(const lrd_ring *ring, const char *key, size_t size, const unsigned char *tried)
{
	uint32_t at = lrd_points_at(ring, ring->hash->of(key, size));
	for (uint32_t passed = 0; passed < ring->point_count; passed++) {
		uint32_t server = ring->points[at].server;
		if (!tried[server]) {
			return server;
		}
		at = at + 1 == ring->point_count ? 0 : at + 1;
	}
	return ring->count;
}

size_t lrd_points_name(char at[LRD_POINT_NAME], const lrd_ring_server *server, uint32_t number)
{
	int host_size = (int) server->host.size;
	bool has_port = (!server->is_unix || server->names_port) && server->port != DEFAULT_PORT;
	int size = has_port
		? snprintf(at, LRD_POINT_NAME, "%.*s:%u-%u", host_size, server->host.bytes, server->port, number)
		: snprintf(at, LRD_POINT_NAME, "%.*s-%u", host_size, server->host.bytes, number);
	return (size_t) size;
}

/* In floats, step by step as libmemcached has it: where that is one less than it should be, so is this. */
static uint32_t ketama_share(uint32_t weight, uint32_t sum, uint32_t count)
{
	float part = (float) weight / (float) sum;
	return (uint32_t) (part * KETAMA_POINTS / KETAMA_WORDS * (float) count);
}

static void add_ketama_points(lrd_ring *ring, const lrd_ring_server *server, uint32_t number, uint32_t digests)
{
	for (uint32_t i = 0; i < digests; i++) {
		char name[LRD_POINT_NAME];
		unsigned char d[16];
		lrd_md5(name, lrd_points_name(name, server, i), d);
		for (unsigned w = 0; w < 16; w += 4) {
			uint32_t value = (uint32_t) d[w] | (uint32_t) d[w + 1] << 8 | (uint32_t) d[w + 2] << 16
				| (uint32_t) d[w + 3] << 24;
			lrd_points_add(ring, value, number);
		}
	}
}

lrd_status lrd_points_ketama(lrd_ring *ring, const lrd_ring_server *servers)
{
	uint32_t sum = 0, count = 0;
	for (uint32_t i = 0; i < ring->count; i++) {
		sum += servers[i].is_out ? 0 : servers[i].weight;
		count += !servers[i].is_out;
	}
	/* A server more than there is: floats may say that a share is whole when it is not quite. */
	lrd_status status = lrd_points_begin(ring, (uint64_t) (ring->count + 1) * KETAMA_POINTS);
	if (status != LRD_OK) {
		return status;
	}
	for (uint32_t i = 0; i < ring->count; i++) {
		if (!servers[i].is_out) {
			add_ketama_points(ring, &servers[i], i, ketama_share(servers[i].weight, sum, count));
		}
	}
	lrd_points_sort(ring);
	return LRD_OK;
}

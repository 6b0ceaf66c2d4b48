/* ext-memcached's DISTRIBUTION_CONSISTENT. */
#include "lrd_ring_points.h"

enum { POINTS = 100 };

/* One weight over 1 gives the ring ketama's points, by md5, whatever hash the keys have. */
static lrd_status build(lrd_ring *ring, const lrd_ring_server *servers)
{
	if (lrd_ring_weight(ring, servers) > ring->count) {
		return lrd_points_ketama(ring, servers);
	}
	lrd_status status = lrd_points_begin(ring, (uint64_t) ring->count * POINTS);
	if (status != LRD_OK) {
		return status;
	}
	for (uint32_t i = 0; i < ring->count; i++) {
		for (uint32_t number = 0; !servers[i].is_out && number < POINTS; number++) {
			char name[LRD_POINT_NAME];
			size_t size = lrd_points_name(name, &servers[i], number);
			lrd_points_add(ring, ring->hash->of(name, size), i);
		}
	}
	lrd_points_sort(ring);
	return LRD_OK;
}

const lrd_ring_kind lrd_ring_consistent = {
	.name = "consistent",
	.hash = &lrd_hash_one_at_a_time,
	.hashes = lrd_ring_libmemcached_hashes,
	.build = build,
	.find = lrd_points_find,
	.next = lrd_points_next,
};

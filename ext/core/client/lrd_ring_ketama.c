/* ext-memcached's OPT_LIBKETAMA_COMPATIBLE, and twemproxy's ketama. */
#include "lrd_ring_points.h"

const lrd_ring_kind lrd_ring_ketama = {
	.name = "ketama",
	.hash = &lrd_hash_md5,
	.hash_is_fixed = true,
	.build = lrd_points_ketama,
	.find = lrd_points_find,
	.next = lrd_points_next,
};

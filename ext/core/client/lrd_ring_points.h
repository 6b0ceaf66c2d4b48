/*
 * The inside of a ring, for lrd_ring*.c alone: what all kinds have in common, and the search over points, which most of
 * them share. The ring owns all of its memory.
 */
#ifndef LRD_RING_POINTS_H
#define LRD_RING_POINTS_H

#include "lrd_ring.h"

#define LRD_POINT_NAME (LRD_HOST_MAX + 64u)     /* a host with all that is printed around it */

typedef struct lrd_point {
	uint32_t value;
	uint32_t server;
} lrd_point;

struct lrd_ring {
	const lrd_ring_kind *kind;
	const lrd_hash *hash;
	uint32_t count;             /* of servers */
	uint32_t point_count;
	lrd_point *points;          /* sorted; NULL: this kind has none */
	void *own;                  /* the kind's, one block; or NULL */
};

/* The sum of all weights. */
uint32_t lrd_ring_weight(const lrd_ring *ring, const lrd_ring_server *servers);

/* Makes room for points; none of them is there yet. LRD_OK, LRD_FULL, LRD_SYSTEM. */
lrd_status lrd_points_begin(lrd_ring *ring, uint64_t room);
/* Within that room. */
void lrd_points_add(lrd_ring *ring, uint32_t value, uint32_t server);
/* By value; points of one value by server. */
void lrd_points_sort(lrd_ring *ring);

/* The number of the first point from this value on; behind the last one comes the first. */
uint32_t lrd_points_at(const lrd_ring *ring, uint32_t value);

/* find and next of the kinds that look for the key's hash among the points. */
uint32_t lrd_points_find(const lrd_ring *ring, const char *key, size_t size);
uint32_t lrd_points_next(const lrd_ring *ring, const char *key, size_t size, const unsigned char *tried);

/* libmemcached's name of a server's point: without the port if that is 11211 or none. Returns its length. */
size_t lrd_points_name(char at[LRD_POINT_NAME], const lrd_ring_server *server, uint32_t number);

/* libmemcached's weighted points, by md5: build of two kinds. */
lrd_status lrd_points_ketama(lrd_ring *ring, const lrd_ring_server *servers);

/* libmemcached's eight hashes. */
extern const lrd_hash *const lrd_ring_libmemcached_hashes[];

#endif

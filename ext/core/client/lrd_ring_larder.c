/*
 * The default: rendezvous. Every server draws a number for the key, and the best one has it. So a server that comes or
 * goes moves no key but its own, their order does not matter, and the shares are those of the weights, with no points
 * to be uneven.
 *
 * A draw u in (0, 1] counts as -log(u) / weight, the least of which wins; among equal weights that is the greatest u,
 * with no logarithm. All is in integers, so that every machine finds the same server.
 */
#include "lrd_ring_points.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	LOG_BITS = 40,              /* of a logarithm, behind the point */
	STEP_BITS = 8,              /* logs has 2^8 steps from 1 to 2, with straight lines between */
	STEPS = 1 << STEP_BITS,
	LINE_BITS = 30,
};

typedef struct lot {
	uint64_t seed;
	uint64_t weight;
} lot;

typedef struct lots {
	bool is_weighted;
	uint64_t logs[STEPS + 1];   /* log2(1 + i / STEPS) */
	lot of[];
} lots;

/* One bit after the other: the square of a number has twice its logarithm. */
static uint64_t log_of(uint64_t step)
{
	uint64_t x = (STEPS + step) << (31 - STEP_BITS), log = 0;
	for (unsigned i = 0; i < LOG_BITS; i++) {
		x = x * x >> 31;
		uint64_t bit = x >> 32;
		x >>= bit;
		log = log << 1 | bit;
	}
	return log;
}

static lrd_status build(lrd_ring *ring, const lrd_ring_server *servers)
{
	lots *all = ring->own = calloc(1, sizeof(*all) + ring->count * sizeof(all->of[0]));
	if (all == NULL) {
		return LRD_SYSTEM;
	}
	for (uint32_t i = 0; i < ring->count; i++) {
		const lrd_ring_server *server = &servers[i];
		char name[LRD_POINT_NAME];
		int size = snprintf(name, sizeof(name), "%.*s:%u", (int) server->host.size, server->host.bytes,
			server->is_unix ? 0u : server->port);
		all->of[i] = (lot) { lrd_hash_wide(name, (size_t) size), server->weight };
		all->is_weighted |= server->weight != servers[0].weight;
	}
	for (uint64_t step = 0; step < STEPS; step++) {
		all->logs[step] = log_of(step);
	}
	all->logs[STEPS] = UINT64_C(1) << LOG_BITS;
	return LRD_OK;
}

/* No two seeds draw the same. */
static inline uint64_t draw(const lots *all, uint32_t server, uint64_t key)
{
	return lrd_mix(key ^ all->of[server].seed);
}

/* -log2(u / 2^64): above 0, below 2^47. */
static inline uint64_t cost(const lots *all, uint64_t u)
{
	unsigned zeros = (unsigned) __builtin_clzll(u | 1);
	uint64_t rest = (u | 1) << zeros << 1;
	uint64_t from = all->logs[rest >> (64 - STEP_BITS)], to = all->logs[(rest >> (64 - STEP_BITS)) + 1];
	uint64_t along = rest << STEP_BITS >> (64 - LINE_BITS);
	return ((uint64_t) (zeros + 1) << LOG_BITS) - (from + ((to - from) * along >> LINE_BITS));
}

static uint32_t best_of_equals(const lots *all, uint32_t count, uint64_t key)
{
	uint32_t best = 0;
	uint64_t most = draw(all, 0, key);
	for (uint32_t i = 1; i < count; i++) {
		uint64_t u = draw(all, i, key);
		best = u > most ? i : best;
		most = u > most ? u : most;
	}
	return best;
}

/* Without those tried; count when there is no other. */
static uint32_t best_of(const lots *all, uint32_t count, uint64_t key, const unsigned char *tried)
{
	uint32_t best = count;
	uint64_t best_u = 0, best_cost = 0, best_weight = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (tried != NULL && tried[i]) {
			continue;
		}
		uint64_t u = draw(all, i, key), u_cost = cost(all, u), weight = all->of[i].weight;
		/* u_cost / weight against best_cost / best_weight. */
		uint64_t mine = u_cost * best_weight, its = best_cost * weight;
		if (best == count || mine < its || (mine == its && u > best_u)) {
			best = i;
			best_u = u;
			best_cost = u_cost;
			best_weight = weight;
		}
	}
	return best;
}

static uint32_t find(const lrd_ring *ring, const char *key, size_t size)
{
	const lots *all = ring->own;
	uint64_t hash = lrd_hash_wide(key, size);
	return all->is_weighted ? best_of(all, ring->count, hash, NULL) : best_of_equals(all, ring->count, hash);
}

static uint32_t next(const lrd_ring *ring, const char *key, size_t size, const unsigned char *tried)
{
	return best_of(ring->own, ring->count, lrd_hash_wide(key, size), tried);
}

const lrd_ring_kind lrd_ring_larder = {
	.name = "larder",
	.hash_is_fixed = true,
	.hashes_prefix = true,
	.build = build,
	.find = find,
	.next = next,
};

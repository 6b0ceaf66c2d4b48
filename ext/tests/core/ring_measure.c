#include "ring_measure.h"

#include <stdio.h>
#include <stdlib.h>

static void require(bool holds)
{
	if (!holds) {
		abort();
	}
}

ring_list ring_equals(const lrd_ring_kind *kind, uint32_t count)
{
	static uint32_t ones[LRD_SERVERS_MAX];
	for (uint32_t i = 0; i < count; i++) {
		ones[i] = 1;
	}
	return (ring_list) { kind, ones, count };
}

lrd_ring *ring_of(ring_list list, uint32_t *order)
{
	lrd_ring_server servers[LRD_SERVERS_MAX];
	char names[LRD_SERVERS_MAX][16];
	uint32_t count = 0;
	for (uint32_t i = 0; i < list.count; i++) {
		if (list.weights[i] > 0) {
			int size = snprintf(names[i], sizeof(names[i]), "10.0.%u.%u", i / 255 & 0xff, i % 255 + 1);
			servers[count] =
				(lrd_ring_server) { { names[i], (size_t) size }, 11211, list.weights[i], false, false, false };
			order[count++] = i;
		}
	}
	lrd_ring *ring;
	require(lrd_ring_make(list.kind, NULL, servers, count, &ring) == LRD_OK);
	return ring;
}

static uint32_t server_of(const lrd_ring *ring, const uint32_t *order, uint32_t number)
{
	char key[24];
	return order[lrd_ring_find(ring, key, (size_t) snprintf(key, sizeof(key), "news:%u", number))];
}

static double due(ring_list list, uint32_t server)
{
	double sum = 0;
	for (uint32_t i = 0; i < list.count; i++) {
		sum += list.weights[i];
	}
	return server < list.count ? list.weights[server] / sum : 0;
}

double ring_fullest(ring_list list)
{
	uint32_t order[LRD_SERVERS_MAX], keys[LRD_SERVERS_MAX] = { 0 };
	lrd_ring *ring = ring_of(list, order);
	for (uint32_t i = 0; i < RING_KEYS; i++) {
		keys[server_of(ring, order, i)]++;
	}
	lrd_ring_free(ring);
	double fullest = 0;
	for (uint32_t i = 0; i < list.count; i++) {
		double part = list.weights[i] > 0 ? keys[i] / (RING_KEYS * due(list, i)) : 0;
		fullest = part > fullest ? part : fullest;
	}
	return fullest;
}

double ring_moved(ring_list before, ring_list after)
{
	uint32_t old_order[LRD_SERVERS_MAX], new_order[LRD_SERVERS_MAX], moved = 0;
	lrd_ring *old = ring_of(before, old_order), *new = ring_of(after, new_order);
	for (uint32_t i = 0; i < RING_KEYS; i++) {
		moved += server_of(old, old_order, i) != server_of(new, new_order, i);
	}
	lrd_ring_free(old);
	lrd_ring_free(new);
	return (double) moved / RING_KEYS;
}

double ring_moved_least(ring_list before, ring_list after)
{
	double least = 0;
	for (uint32_t i = 0; i < after.count; i++) {
		double more = due(after, i) - due(before, i);
		least += more > 0 ? more : 0;
	}
	return least;
}

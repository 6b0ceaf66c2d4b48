#include "lrd_ring_points.h"

#include <stdlib.h>

const lrd_ring_kind *lrd_ring_named(const char *name)
{
	static const lrd_ring_kind *const all[] = {
		&lrd_ring_larder,
		&lrd_ring_modula,
		&lrd_ring_consistent,
		&lrd_ring_ketama,
		&lrd_ring_pecl,
		&lrd_ring_pecl_standard,
		&lrd_ring_nginx,
	};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(all[i]->name, name) == 0) {
			return all[i];
		}
	}
	return NULL;
}

static bool takes_hash(const lrd_ring_kind *kind, const lrd_hash *hash)
{
	if (hash == NULL || hash == kind->hash) {
		return true;
	}
	for (const lrd_hash *const *other = kind->hashes; other != NULL && *other != NULL; other++) {
		if (*other == hash) {
			return true;
		}
	}
	return false;
}

static bool are_fit(const lrd_ring_server *servers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		const lrd_ring_server *server = &servers[i];
		if (server->weight < 1 || server->weight > LRD_WEIGHT_MAX || server->host.size < 1
			|| server->host.size > LRD_HOST_MAX) {
			return false;
		}
	}
	return count > 0;
}

lrd_status lrd_ring_make(
	const lrd_ring_kind *kind, const lrd_hash *hash, const lrd_ring_server *servers, uint32_t count, lrd_ring **ring)
{
	*ring = NULL;
	if (count > LRD_SERVERS_MAX) {
		return LRD_FULL;
	}
	if (!takes_hash(kind, hash) || !are_fit(servers, count)) {
		return LRD_BAD_OPTION;
	}
	lrd_ring *made = calloc(1, sizeof(*made));
	if (made == NULL) {
		return LRD_SYSTEM;
	}
	made->kind = kind;
	made->hash = hash == NULL ? kind->hash : hash;
	made->count = count;
	lrd_status status = count > 1 ? kind->build(made, servers) : LRD_OK;
	if (status != LRD_OK) {
		lrd_ring_free(made);
		return status;
	}
	*ring = made;
	return LRD_OK;
}

void lrd_ring_free(lrd_ring *ring)
{
	if (ring != NULL) {
		free(ring->points);
		free(ring->own);
		free(ring);
	}
}

void lrd_ring_hash_keys(lrd_ring *ring, const lrd_hash *hash)
{
	ring->hash = hash;
}

uint32_t lrd_ring_find(const lrd_ring *ring, const char *key, size_t size)
{
	return ring->count == 1 ? 0 : ring->kind->find(ring, key, size);
}

uint32_t lrd_ring_next(const lrd_ring *ring, const char *key, size_t size, const unsigned char *tried)
{
	if (ring->count == 1) {
		return tried[0] ? 1 : 0;
	}
	return ring->kind->next(ring, key, size, tried);
}

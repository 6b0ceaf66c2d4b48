/*
 * Which server keeps a key. A ring is made once from a list of servers and never changes; it keeps no pointer to that
 * list. One `const lrd_ring_kind` per way of doing it, in lrd_ring_ketama.c and so on; what they share is in
 * lrd_ring_points.h.
 */
#ifndef LRD_RING_H
#define LRD_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/lrd_slice.h"
#include "../base/lrd_status.h"
#include "lrd_hash.h"

#define LRD_SERVERS_MAX 1024u
#define LRD_WEIGHT_MAX 1000u
#define LRD_HOST_MAX 255u

typedef struct lrd_ring_server {
	lrd_slice host;             /* without brackets; of a Unix socket its path, without "unix:" */
	uint16_t port;              /* 0 for a Unix socket */
	uint32_t weight;            /* 1 to 1000 */
	bool is_unix;
	bool names_port;            /* a Unix socket's port, which it has by name alone, is part of its points' names */
	bool is_out;                /* "consistent", "ketama": it gets no keys. Not all of them are */
} lrd_ring_server;

typedef struct lrd_ring lrd_ring;

typedef struct lrd_ring_kind {
	const char *name;           /* as in options */
	const lrd_hash *hash;       /* its own one, unless another is given; NULL: lrd_hash_wide() */
	bool hash_is_fixed;         /* another may not be given */
	bool hashes_prefix;         /* the key is hashed with the prefix in front, as that client does it */
	const lrd_hash *const *hashes;  /* those that may be given, NULL at the end; NULL when hash_is_fixed */
	/*
	 * Called with 2 servers or more, all fit to be in a ring. What it has got when it fails, lrd_ring_free() gives
	 * back.
	 */
	lrd_status (*build)(lrd_ring *ring, const lrd_ring_server *servers);
	uint32_t (*find)(const lrd_ring *ring, const char *key, size_t size);
	uint32_t (*next)(const lrd_ring *ring, const char *key, size_t size, const unsigned char *tried);
} lrd_ring_kind;

/* The kinds, by their names in options. */
extern const lrd_ring_kind lrd_ring_larder;     /* "larder": the default; weighted, best balance, least moves */
extern const lrd_ring_kind lrd_ring_modula;     /* "modula": ext-memcached's default; its 8 hashes; no weights */
extern const lrd_ring_kind lrd_ring_consistent; /* "consistent": ext-memcached; weights over 1: ketama's points */
extern const lrd_ring_kind lrd_ring_ketama;     /* "ketama": ext-memcached's LIBKETAMA_COMPATIBLE; md5 */
extern const lrd_ring_kind lrd_ring_pecl;       /* "memcache": pecl-memcache, consistent; crc32 or fnv1a_32 */
extern const lrd_ring_kind lrd_ring_pecl_standard;  /* "memcache-standard": pecl-memcache, standard; the same hashes */
extern const lrd_ring_kind lrd_ring_nginx;      /* "nginx": `hash … consistent`; crc32 */

const lrd_ring_kind *lrd_ring_named(const char *name);

/*
 * hash NULL: the kind's own. LRD_BAD_OPTION when the kind cannot have that hash, there is no server, a weight is not 1
 * to 1000 or a host is empty or longer than LRD_HOST_MAX; LRD_FULL for more than LRD_SERVERS_MAX servers, or weights
 * that ask for over 2^22 points; LRD_SYSTEM without memory.
 */
lrd_status lrd_ring_make(
	const lrd_ring_kind *kind, const lrd_hash *hash, const lrd_ring_server *servers, uint32_t count, lrd_ring **ring);
void lrd_ring_free(lrd_ring *ring);

/* From now on keys are found by another hash than the one that made the points. Of a kind with points or modula. */
void lrd_ring_hash_keys(lrd_ring *ring, const lrd_hash *hash);

/* The number of the key's server, in the order of the list. */
uint32_t lrd_ring_find(const lrd_ring *ring, const char *key, size_t size);

/*
 * The server to ask in place of the ones tried, by the kind's own rule (pecl: the key with "-0", "-1", … behind it; the
 * rings with points: the next point's server; modula: the next server; larder: the one that would have the key if those
 * tried did not exist), none twice. count when there is none left, or pecl would give up. tried is one byte for each
 * server, not 0 for those that were tried already.
 */
uint32_t lrd_ring_next(const lrd_ring *ring, const char *key, size_t size, const unsigned char *tried);

#endif

/*
 * What an object stands for: servers, how keys are spread over them, and how values are written. It is a resource in
 * the property "connection" of its object, or what a session handler has between open and close.
 */
#ifndef MEMCACHE_POOL_H
#define MEMCACHE_POOL_H

#include "memcache_line.h"

typedef struct memcache_pool {
	memcache_member *members;
	uint32_t count;
	bool is_standard, is_fnv;   /* the settings as they were when it was made */
	bool is_binary;             /* remembered, not spoken: counters may have a first value */
	zend_string *prefix;        /* of keys; NULL: none */
	zend_long compress_threshold;       /* 0: none */
	double min_savings;
	bool has_callback;          /* the object's _failureCallback is called for a server that fails */
	memcache_line *line;        /* NULL: to be taken anew */
} memcache_pool;

enum { MEMCACHE_KEY_MAX = 250 };

/* What a compressed value must save at least. */
#define MEMCACHE_SAVINGS 0.2

/* A setting that names an application's own part of all keys. NULL: there is none. */
typedef struct memcache_prefix {
	const char *fixed;
	bool has_host, removes_www, removes_subdomain;
} memcache_prefix;

zend_string *memcache_prefix_make(const memcache_prefix *settings);

memcache_pool *memcache_pool_make(void);
void memcache_pool_free(memcache_pool *pool);
/* The number of the new server. */
uint32_t memcache_pool_add(memcache_pool *pool, const memcache_server_options *options);
/* Times of its servers have changed. */
void memcache_pool_changed(memcache_pool *pool);
/* Forgets all servers. */
void memcache_pool_close(memcache_pool *pool);

/* The engine's pool, ready for a run; NULL: there is no server, or an exception. */
lrd_pool *memcache_pool_ready(memcache_pool *pool);

/* A key as it is sent: behind the prefix, without bytes that a line cannot hold, cut at 250. NULL: it is empty. */
zend_string *memcache_pool_key(const memcache_pool *pool, zval *key);
zend_string *memcache_key_make(const zend_string *prefix, const zend_string *key);

/* ---- which server; of a pool that is ready ---- */

static inline memcache_server *memcache_pool_server(const memcache_pool *pool, uint32_t number)
{
	return pool->members[number].server;
}

static inline bool memcache_pool_is_valid(const memcache_pool *pool, uint32_t number)
{
	return memcache_server_is_valid(pool->members[number].server);
}

/* The key's server, or while that is down the next one that is not. It may be down all the same. */
uint32_t memcache_pool_find(const memcache_pool *pool, const zend_string *key);
/* The one that is named by the key with "-N" behind it, for N from *index on, and is not in `tried`. */
uint32_t memcache_pool_find_next(
	const memcache_pool *pool, const zend_string *key, const unsigned char *tried, uint32_t *index);

#endif

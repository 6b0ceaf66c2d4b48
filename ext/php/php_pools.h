/*
 * The pools of memcached servers that this process, or this thread of it, has: one for each set of options that
 * concerns servers and connections. They outlive requests, in memory of the process; an object of Larder\Memcached
 * takes a reference. Those that nothing refers to are kept, up to PHP_POOLS_MAX, and the ones unused for longest are
 * freed.
 */
#ifndef PHP_POOLS_H
#define PHP_POOLS_H

#include "../php_larder.h"

#include "../core/client/lrd_pool.h"

enum { PHP_POOLS_MAX = 64 };

typedef struct php_pool_server {
	uint64_t item_max;          /* bytes that it takes for an item; 0: not asked yet */
	uint64_t connection;        /* the one over which it told what follows; 0: it was not asked */
	uint64_t settled_ns;        /* from then on no other process can have begun in the same second */
	char process[48];           /* its id and its start */
} php_pool_server;

typedef struct php_pool {
	lrd_pool *pool;
	struct php_pool *next;      /* the one used last before this one */
	php_pool_server *servers;   /* what each server told of itself */
	uint32_t timeout_ms;
	uint32_t references;        /* of objects of this request */
	bool begun;                 /* was used in this request */
	lrd_op *sent;               /* whose replies are still to be taken; NULL: none */
	uint32_t sent_count;
	bool hashes_prefix;
	bool udp;                   /* some answers belong to no connection */
	size_t size;
	/* the options, in a form that is the same for the same ones; holds the password, as the pool does */
	char text[];
} php_pool;

/* The pool of these options, with one more reference. NULL with a ValueError. */
php_pool *php_pools_take(const lrd_pool_options *options);
void php_pools_give(php_pool *pool);

/* Takes the replies to what was sent, so that no other use of the pool loses them. */
void php_pool_take_sent(php_pool *pool);

/* Before each use. */
static zend_always_inline lrd_pool *php_pool_ready(php_pool *pool)
{
	if (UNEXPECTED(pool->sent != NULL)) {
		php_pool_take_sent(pool);
	}
	if (UNEXPECTED(!pool->begun)) {
		pool->begun = true;
		lrd_pool_begin_request(pool->pool);
	}
	return pool->pool;
}

uint32_t php_pools_count(void);

/* Once all objects are gone, in order or not. */
void php_pools_end_request(void);
/* In the child of a fork. */
void php_pools_forked(void);
void php_pools_close(zend_larder_globals *globals);

#endif

/*
 * A server as php-memcache knows it: its address, its times, and whether it is down. A persistent one is the same for
 * all pools of the process and outlives the request; any other belongs to its pool.
 */
#ifndef MEMCACHE_SERVER_H
#define MEMCACHE_SERVER_H

#include "memcache_module.h"

#include <time.h>

#include "../core/client/lrd_op.h"

typedef struct memcache_server {
	struct memcache_server *next;       /* of those that are persistent */
	char *host;                         /* as it was given: a name, an address, "unix:///path" */
	uint16_t tcp_port, udp_port;
	bool is_persistent;
	bool is_failed;
	uint32_t owners;                    /* pools, and calls under way */
	double timeout;                     /* seconds */
	zend_long retry_interval;           /* seconds; below 0: never again */
	time_t failed_at;
	int error;                          /* of the last failure: errno, or 0 */
	char why[256];                      /* the same in words; empty: none */
} memcache_server;

typedef struct memcache_server_options {
	zend_string *host;
	zend_long tcp_port, udp_port, weight, retry_interval;
	double timeout;
	bool is_persistent;
	bool status;                        /* false: it is down from the beginning */
} memcache_server_options;

/* One more owner. */
memcache_server *memcache_server_take(const memcache_server_options *options);
void memcache_server_release(memcache_server *server);
/* The thread's end. */
void memcache_servers_free(memcache_server **servers);

/* Whether it may be asked: it is up, or down for so long that it may be tried again. */
bool memcache_server_is_valid(const memcache_server *server);
void memcache_server_set_up(memcache_server *server, bool is_up);

/* Whether an op that ended so says something about its server. */
bool memcache_server_is_lost(lrd_failure failure);
/* error: errno of connect(), or 0. Writes why. */
void memcache_server_failed(memcache_server *server, lrd_failure failure, int error);
void memcache_server_went_well(memcache_server *server);

/* "unix:///path" */
const char *memcache_server_path(const memcache_server *server);

#endif

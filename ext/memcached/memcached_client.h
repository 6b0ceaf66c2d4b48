/*
 * What objects of the class stand for: servers, options, and the pool that is made of them at the first use after a
 * change. A client with a persistent id outlives the request and is shared by all objects of that id; else it goes with
 * its object. All its memory is the process's.
 */
#ifndef MEMCACHED_CLIENT_H
#define MEMCACHED_CLIENT_H

#include "memcached_module.h"
#include "memcached_codes.h"

#include "../core/client/lrd_pool.h"
#include "../value/value_allowed.h"

typedef struct memcached_server {
	char *host;                 /* a name, an address or a path */
	uint16_t port;
	bool is_unix;
	uint32_t weight;
} memcached_server;

/* Texts of TLS, by their options. */
enum {
	MEMCACHED_TLS_CA,
	MEMCACHED_TLS_CERT,
	MEMCACHED_TLS_KEY,
	MEMCACHED_TLS_NAME,
	MEMCACHED_TLS_TEXTS,
};

typedef struct memcached_client {
	struct memcached_client *next, *previous;
	bool is_persistent;
	bool is_weighted;           /* a weight over 1 was given since the distribution was chosen: its points are ketama's */

	uint64_t points_hash;       /* OPT_HASH as it was when the ring was last made: a later one is that of keys alone */
	uint64_t options[MEMCACHED_OPTIONS];
	bool compresses;
	zend_long serializer, compression_type, compression_level;
	zend_long store_retry_count;
	zend_long user_flags;       /* -1: none */
	zend_long item_size_limit;  /* 0: none */
	value_allowed *allowed;     /* of which classes values may be; NULL: all */
	char *prefix;
	size_t prefix_size;
	bool tls, tls_verify;       /* tls: all servers but Unix sockets */
	char *tls_texts[MEMCACHED_TLS_TEXTS];       /* NULL: none */

	memcached_server *servers;
	uint32_t server_count;

	lrd_pool *pool;             /* NULL: to be made anew */
	lrd_op *sent;               /* an object's, whose replies are still to be taken; NULL: none */
	uint32_t sent_count;
	uint32_t request;           /* of the last use */

	int last_code, last_errno;  /* of the last operation that failed */
	uint32_t last_server;       /* whose connection was lost last; LRD_NO_SERVER: none yet */
} memcached_client;

memcached_client *memcached_client_make(bool is_persistent);
void memcached_client_free(memcached_client *client);
/* The client of this id, or NULL; and what registers one. */
memcached_client *memcached_client_find(const zend_string *id);
void memcached_client_keep(memcached_client *client, const zend_string *id);

/* The code of what it did. is_listed: as one of a list, where a Unix socket has the port 0, which its points show. */
memcached_code memcached_client_add(
	memcached_client *client, const char *host, zend_long port, zend_long weight, bool is_listed);
void memcached_client_reset(memcached_client *client);
/* Takes the replies that are still to come for an object's getDelayed(). All other uses of the pool begin with it. */
void memcached_client_take(memcached_client *client);
/* What the pool is made of has changed: it is closed. */
void memcached_client_changed(memcached_client *client);

/* An option of libmemcached. */
memcached_code memcached_client_set(memcached_client *client, uint32_t option, uint64_t value);
memcached_code memcached_client_set_prefix(memcached_client *client, const char *prefix, size_t size);
/* Of TLS; what is the same already closes no connection. */
void memcached_client_set_tls(memcached_client *client, bool tls, bool verify);
/* text: NULL and "" are none. */
void memcached_client_set_tls_text(memcached_client *client, int which, const char *text);
/* All of it, as memcached.tls and the others say. */
void memcached_client_set_tls_as_told(memcached_client *client);

/* The pool, ready for a run; NULL: there is no server, or, with a warning, a file of TLS cannot be used. */
lrd_pool *memcached_client_ready(memcached_client *client);
/* How long a call may take. */
uint32_t memcached_client_timeout(const memcached_client *client);

static inline bool memcached_is_binary(const memcached_client *client)
{
	return client->options[MEMCACHED_BINARY_PROTOCOL] != 0;
}

/* MINIT: persistent ids, and forks. */
void memcached_clients_init(int module_number);
/* Those that a request ended by force has left behind. */
void memcached_clients_end_request(void);

#endif

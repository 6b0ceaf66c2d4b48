/*
 * A set of memcached servers and this process's connections to them: the only header of core/client that php/ sees,
 * with lrd_op.h and lrd_proto.h's lrd_proto_key().
 *
 * A pool serves one thread. It may outlive a request; the ops and their bytes are the caller's and are not looked at
 * after lrd_pool_run() has returned, or left by longjmp out of lrd_room: such connections are closed at the next use.
 *
 * At most one connection per server. A connection is used again only if every request on it was answered, by a reply
 * that proved itself.
 */
#ifndef LRD_POOL_H
#define LRD_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/lrd_slice.h"
#include "../base/lrd_status.h"
#include "lrd_op.h"

#define LRD_POOL_WHY 256

typedef enum lrd_failover {
	/* a dead server's keys are misses: the only policy that cannot serve a value older than a change */
	LRD_FAILOVER_NONE,
	LRD_FAILOVER_NEXT,          /* the next server of the ring */
	LRD_FAILOVER_MIRROR,        /* writes go to two servers; reads to the second where the first has nothing */
	/*
	 * a server that failed so often that it is out gets no keys any more, and the ring is that of the others; of the
	 * rings "consistent" and "ketama", with the others the same as NONE
	 */
	LRD_FAILOVER_EJECT,
} lrd_failover;

typedef struct lrd_pool_server {
	lrd_slice address;          /* as in lrd_address.h */
	/* in place of the address, as another program has split it: no name is refused; one without an address is down */
	lrd_slice host;             /* a name, an address without brackets, or a path; bytes NULL: not given */
	uint16_t port;
	bool is_unix;
	bool is_tls;
	bool names_port;            /* as in lrd_ring_server */
	uint32_t weight;            /* 1 to 1000 */
	uint16_t udp_port;          /* gets by datagrams to this port; 0: as options.udp says */
} lrd_pool_server;

/* All slices and strings are copied. A zero means the default. */
typedef struct lrd_pool_options {
	const lrd_pool_server *servers;
	uint32_t server_count;
	const char *ring;           /* NULL: "larder" */
	const char *hash;           /* NULL: the ring's own */
	const char *key_hash;       /* of keys, where the ring's points are to have another one; NULL: the same */
	uint32_t timeout_ms;        /* of a call; 0: 250 */
	uint32_t dns_timeout_ms;    /* 0: 1000 */
	/* a dead server is probed after this long, then after twice as long, up to 16 times it; 0: 1000 */
	uint32_t retry_ms;
	bool retry_is_fixed;        /* after that long each time */
	uint32_t failure_limit;     /* EJECT: failures in a row until a server is out; 0: 1 */
	uint32_t out_ms;            /* EJECT: it is probed after this long, and is out again if that fails; 0: retry_ms */
	uint32_t timeout_limit;     /* time-outs in a row of a server that is only slow, until it is down; 0: 2 */
	bool allows_doubles;        /* a server may be listed twice: it is then two servers of the ring */
	lrd_failover failover;
	bool has_stubs;             /* lrd_verb_rules */
	bool udp;                   /* gets by datagrams, to the same port */
	uint32_t udp_retry_ms;      /* how long after a loss only TCP is used; 0: retry_ms */
	const char *user;           /* NULL: no authentication */
	const char *password;
	const char *tls_ca_file, *tls_cert_file, *tls_key_file, *tls_name;
	bool tls_no_verify;
} lrd_pool_options;

typedef struct lrd_pool lrd_pool;

typedef struct lrd_pool_counts {
	uint64_t connects;          /* attempts */
	uint64_t connect_failures;
	uint64_t batches;
	uint64_t requests;
	uint64_t bytes_sent, bytes_received;
	uint64_t timeouts;
	uint64_t closed_in_doubt;
	uint64_t refused_down;      /* ops that were not tried, since the server was known to be down */
	uint64_t udp_asked, udp_answered, udp_lost, udp_dropped, udp_long, udp_fallbacks;
} lrd_pool_counts;

/* Whether it can speak TLS: else a server with it is a bad option. */
bool lrd_pool_has_tls(void);
/* LRD_BAD_OPTION with a sentence in why. Connects to nothing. */
lrd_status lrd_pool_open(const lrd_pool_options *options, lrd_pool **pool, char why[LRD_POOL_WHY]);
void lrd_pool_free(lrd_pool *pool);

/* Whether the ring hashes keys with their prefix: what op->route is to be. */
bool lrd_pool_hashes_prefix(const lrd_pool *pool);
uint32_t lrd_pool_size(const lrd_pool *pool);
lrd_slice lrd_pool_name(const lrd_pool *pool, uint32_t server);
uint32_t lrd_pool_find(const lrd_pool *pool, lrd_slice route);
bool lrd_pool_is_down(const lrd_pool *pool, uint32_t server);
/* Whether it is out, by the rule of LRD_FAILOVER_EJECT. */
bool lrd_pool_is_out(const lrd_pool *pool, uint32_t server);
/* After a failure DENIED: why the certificate was not trusted; empty if user or password were refused. */
const char *lrd_pool_why(const lrd_pool *pool, uint32_t server);
/* After a failure UNREACHABLE: errno of connect(); 0: it timed out. */
int lrd_pool_error(const lrd_pool *pool, uint32_t server);
/* The number of the open connection: 1 is the first that this process tried; 0: none is open. */
uint64_t lrd_pool_connection(const lrd_pool *pool, uint32_t server);
/* server LRD_NO_SERVER: of all. */
void lrd_pool_counted(const lrd_pool *pool, uint32_t server, lrd_pool_counts *counts);

/* Begins a request of PHP. The first use of a connection in it checks that nothing unread lies there. */
void lrd_pool_begin_request(lrd_pool *pool);
/* In the child of a fork: drops all sockets without a word to the servers. */
void lrd_pool_forked(lrd_pool *pool);
/* Closes all connections, in order. */
void lrd_pool_close(lrd_pool *pool);

/*
 * Connects to a server now, where no connection is open and quiet, whether it is known to be down or not. timeout_ms 0:
 * the pool's.
 */
lrd_failure lrd_pool_connect(lrd_pool *pool, uint32_t server, uint32_t timeout_ms);
void lrd_pool_close_server(lrd_pool *pool, uint32_t server);
/*
 * Takes the open connections of another pool to servers that this one has too, and has no connection to. Both must have
 * the same time-out, and neither a user or TLS; else nothing is taken.
 */
void lrd_pool_adopt(lrd_pool *to, lrd_pool *from);

/*
 * Runs all ops, on all servers at once, until one deadline: timeout_ms from now, 0: the pool's. Always comes back with
 * every op ended. An op may have its server given (op->server, with op->route.bytes NULL) in place of a route.
 */
void lrd_pool_run(lrd_pool *pool, lrd_op *ops, uint32_t count, uint32_t timeout_ms, lrd_room room, void *context);

/*
 * The same in two steps. lrd_pool_send() comes back when all requests are written, or cannot be; an op whose server
 * cannot be reached has ended then. lrd_pool_take() waits for the replies: its deadline begins with it, so time in
 * between costs nothing. Until then the ops, their bytes and context stay in their place.
 *
 * Whatever else is run on the pool in between closes these connections, as do lrd_pool_close() and a fork.
 * lrd_pool_take() then ends the ops as CLOSED. Gets do not go by datagrams.
 */
void lrd_pool_send(lrd_pool *pool, lrd_op *ops, uint32_t count, uint32_t timeout_ms, lrd_room room, void *context);
void lrd_pool_take(lrd_pool *pool, lrd_op *ops, uint32_t count);

/* Milliseconds that the last run has left of its time, for another one that belongs to it. */
uint32_t lrd_pool_time_left(const lrd_pool *pool);

/*
 * A line of the classic protocol that is no key's ("stats settings", "version", "flush_all") to one server. The
 * answer's lines, without a final END, go to op's room; op->status and failure as for other ops. The line is the core's
 * caller's own, never a user's.
 */
void lrd_pool_ask(
	lrd_pool *pool, uint32_t server, lrd_slice line, uint32_t timeout_ms, lrd_op *op, lrd_room room, void *context);

#endif

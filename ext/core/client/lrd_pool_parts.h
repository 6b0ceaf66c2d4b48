/*
 * What a pool is made of: shared by lrd_pool.c (making and ending), lrd_pool_run.c and lrd_pool_ways.c (running), and
 * by nobody else.
 */
#ifndef LRD_POOL_PARTS_H
#define LRD_POOL_PARTS_H

#include "../base/lrd_clock.h"
#include "lrd_loop.h"
#include "lrd_pool.h"
#include "lrd_udp.h"

struct lrd_pool {
	lrd_loop loop;
	lrd_conn_rules rules;
	lrd_ring *ring;
	lrd_ring *ring_of_rest;     /* LRD_FAILOVER_EJECT: without the servers that are out; NULL: none is, or all are */
	const lrd_ring_kind *ring_kind;
	const lrd_hash *points_hash, *key_hash;     /* NULL: the kind's own */
	uint32_t *weights;
	bool *names_port;
	bool *was_out;              /* one for each server: when the ring was made */
	lrd_failover failover;
	bool hashes_prefix;
	bool has_tls, has_udp;
	bool udp_is_everywhere;     /* to the port that TCP has, where udp_ports names no other */
	bool busy;                  /* a run is under way, or was left by a longjmp out of lrd_room */
	const lrd_op *sent;         /* the ops of lrd_pool_send() whose replies nobody has taken yet; NULL: none */
	char *text;                 /* of all addresses; names, and the connections' hosts, are parts of it */
	size_t text_size;
	lrd_slice *names;
	char *login;
	lrd_udp **udp;              /* one per server, NULL until it is used */
	uint16_t *udp_ports;        /* one per server; 0: none */
	uint32_t udp_retry_ms;      /* how long after a loss only TCP is used */
	lrd_udp_lane *udp_lanes;    /* as many places */
	lrd_udp_counts udp_before;  /* of sockets closed since */
	lrd_op *copies;             /* LRD_FAILOVER_MIRROR: the other server's ops */
	uint32_t copies_room;
};

/* Makes the ring anew where a server is out that was not, or the other way. */
void lrd_pool_eject(lrd_pool *pool);
/* Asks by datagrams for those placed ops that allow it. The others stay on their lanes. */
void lrd_pool_try_udp(lrd_pool *pool);
/* Looks on the second servers for what the first ones do not have, and repeats there what those have done. */
void lrd_pool_mirror(lrd_pool *pool, lrd_op *ops, uint32_t count);
lrd_udp_counts lrd_pool_udp_sum(lrd_udp_counts counts, const lrd_udp *udp);

#endif

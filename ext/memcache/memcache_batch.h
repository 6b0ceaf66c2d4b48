/*
 * Calls that go to the servers together: ops, and for each of them the strings that it lives on, in the request's
 * memory. Which server an op goes to, to which ones its copies go, and where it goes on when its server is lost, is
 * decided here by php-memcache's rules.
 *
 *     memcache_batch_open, _add, _value …      user code may run; nothing was sent yet
 *     memcache_batch_run                       none runs
 *     memcache_batch_report                    servers that were lost: user code may run
 *     memcache_batch_result …                  the same
 *     memcache_batch_close
 */
#ifndef MEMCACHE_BATCH_H
#define MEMCACHE_BATCH_H

#include "memcache_pool.h"

typedef struct memcache_item {
	zend_string *key;           /* as it is sent */
	zend_string *bytes;         /* what is to be stored; NULL: nothing */
	zend_string *found;         /* where a reply's bytes were put; NULL: nowhere */
	uint32_t of;                /* the item that this one is a copy of; its own number: none */
	bool is_lost;               /* there is no server for it (any more) */
	unsigned char *tried;       /* one byte for each server, not 0 for those that were lost; NULL: none yet */
	uint32_t tries, index;      /* how many those are; where the search for another one goes on */
} memcache_item;

/* A call on an object, whose pool does not go as long as it lasts. Of a session: without object and resource. */
typedef struct memcache_call {
	memcache_pool *pool;
	zend_object *object;
	zend_resource *resource;
} memcache_call;

typedef struct memcache_batch {
	const memcache_call *call;
	memcache_pool *pool;
	lrd_op *ops;
	memcache_item *items;
	uint32_t count, room;
	uint32_t given;             /* without the copies */
	memcache_server **servers;  /* those of the run, kept if one was lost or an op was refused; else NULL */
	uint32_t server_count;
	uint32_t *lost;             /* their numbers, in the order of their loss */
	uint32_t lost_count;
} memcache_batch;

void memcache_batch_open(memcache_batch *batch, const memcache_call *call, uint32_t room);
/* One more op, all zero but for kind and key, which is consumed. */
lrd_op *memcache_batch_add(memcache_batch *batch, zend_string *key, lrd_kind kind);
/* What the last op is to store. Consumes the bytes. */
void memcache_batch_bytes(memcache_batch *batch, zend_string *bytes, uint32_t flags);
/* Until all ops have their outcome. copies: on how many servers each is to be done. */
void memcache_batch_run(memcache_batch *batch, zend_long copies);
/* The same without any rule: each op goes to op->server, and nowhere else. The pool is ready. */
void memcache_batch_run_there(memcache_batch *batch);
/* Calls the failure callback, or gives a notice, for each server that was lost. */
void memcache_batch_report(memcache_batch *batch);

typedef enum memcache_result {
	MEMCACHE_LOST,              /* no server has answered */
	MEMCACHE_DONE,
	MEMCACHE_MISS,              /* there is no such item */
	MEMCACHE_REFUSED,           /* by what is stored */
	MEMCACHE_FAULTY,            /* the server could not; with a notice */
} memcache_result;

/* Of one op, or of this op and its copies: what was not done counts for more than what was. May run user code. */
memcache_result memcache_batch_result_of(memcache_batch *batch, uint32_t which);
memcache_result memcache_batch_result(memcache_batch *batch, uint32_t which);
/* The value that this op found. False: damaged, with a notice, or with what user code threw. */
bool memcache_batch_read(memcache_batch *batch, uint32_t which, zval *value);
void memcache_batch_close(memcache_batch *batch);

/* Tells of a server that was lost. */
void memcache_failure_report(const memcache_call *call, const memcache_server *server);

#endif

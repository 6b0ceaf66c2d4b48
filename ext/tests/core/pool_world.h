/*
 * What the tests of pools have in common: pools of given servers, ops by a line each, room for values, and a real
 * memcached.
 */
#ifndef POOL_WORLD_H
#define POOL_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../core/base/lrd_clock.h"
#include "../../core/client/lrd_pool.h"
#include "scripted_peer.h"

/* Time-out 300 ms unless options say otherwise; options->servers is set here from the addresses, ended by NULL. */
lrd_pool *pool_of(lrd_pool_options options, ...) __attribute__((sentinel));

/* The key and the value must outlive the op. */
lrd_op pool_op(lrd_kind kind, const char *key);
lrd_op set_of(const char *key, const char *value);

/* Values' room is the world's until the next run. */
void run(lrd_pool *pool, lrd_op *ops, uint32_t count);
void run_one(lrd_pool *pool, lrd_op *op);
/* Milliseconds that run() took. */
unsigned run_timed(lrd_pool *pool, lrd_op *ops, uint32_t count);
/* For calls that take one. */
char *room_of_world(void *context, lrd_op *op, size_t size, size_t kept);
void forget_room(void);

void assert_found(const lrd_op *op, const char *value);
/* cmocka's macro alone would name this file's line in each failure. */
#define assert_ended(op, expected_status, expected_failure) \
	do { \
		assert_int_equal((op)->status, expected_status); \
		assert_int_equal((op)->failure, expected_failure); \
		assert_false((op)->open); \
	} while (0)

lrd_pool_counts counts_of(const lrd_pool *pool, uint32_t server);

typedef struct memcached memcached;

/*
 * On a Unix socket in a new folder, or on a free port when `is_tcp`. arguments: more of its options, separated
 * by blanks, or NULL.
 */
memcached *memcached_start(bool is_tcp, const char *arguments);
/* port 0: a Unix socket. */
memcached *memcached_start_at(int port, const char *arguments);
const char *memcached_address(const memcached *server);
int memcached_process(const memcached *server);
void memcached_end(memcached *server);

#endif

/*
 * Lines: an engine's pool for one list of servers. One that has persistent servers is kept when nobody uses it any
 * more, for the next pool with the same list; of a list that changes, the connections go on into the next line.
 */
#ifndef MEMCACHE_LINE_H
#define MEMCACHE_LINE_H

#include "memcache_server.h"

#include "../core/client/lrd_pool.h"

typedef struct memcache_line {
	struct memcache_line *next, *previous;
	lrd_pool *pool;
	char *name;                 /* what it is made of */
	bool is_used;
	uint32_t request;           /* of the last use */
	uint32_t persistent;        /* servers whose connections outlive the request */
} memcache_line;

typedef struct memcache_member {
	memcache_server *server;
	zend_long weight;
} memcache_member;

/* For these servers; connections of `before`, which may be NULL, are taken over. NULL with an exception. */
memcache_line *memcache_line_take(
	const memcache_member *members, uint32_t count, bool is_standard, bool is_fnv, memcache_line *before);
/* Closes the connections to servers that are not persistent; the others are kept. */
void memcache_line_release(memcache_line *line, const memcache_member *members, uint32_t count);
/* Before each use. */
void memcache_line_begin(memcache_line *line);

/* MINIT: forks. */
void memcache_lines_init(void);
/* The thread's end. */
void memcache_lines_free(memcache_line **lines);

#endif

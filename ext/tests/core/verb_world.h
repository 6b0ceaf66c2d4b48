/*
 * A memcached 1.6.18 of a few items, for tests of lrd_verb: answers one lrd_request at a time as that server does
 * (flags, versions, times, the marks W, X and Z), without a socket. Its answers were compared with the server's own
 * over random requests.
 *
 * The values that replies point to lie in the world until world_clear().
 */
#ifndef VERB_WORLD_H
#define VERB_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>

#include "../../core/client/lrd_op.h"
#include "../../core/client/lrd_verb.h"

enum { WORLD_ITEMS = 4, WORLD_VALUE = 64, WORLD_TOO_LARGE = 60, WORLD_REPLIES = 8192 };

typedef struct world_item {
	bool is_there, stale, won;
	char key[WORLD_VALUE];
	char value[WORLD_VALUE];
	size_t size;
	uint32_t flags;
	uint64_t cas;
	int64_t ttl;                /* -1: never ends */
} world_item;

typedef struct world {
	world_item items[WORLD_ITEMS];
	uint64_t last_cas;
	char replies[WORLD_REPLIES];
	size_t replied;
	uint32_t requests;
	/*
	 * ma does what it does by chance: refuses 2^63 and more (when there is a "-" in the old bytes behind the item), and
	 * takes new room where the old would do (when somebody is just reading the item).
	 */
	bool is_fickle;
	bool numbers_nothing;       /* -C */
} world;

void world_clear(world *world);
void world_answer(world *world, const lrd_request *request, lrd_reply *reply);
void world_pass(world *world, int64_t seconds);
/* NULL: it is not there. */
world_item *world_find(world *world, const char *key);
world_item *world_companion(world *world);
void world_put(world *world, const char *key, const char *value, uint32_t flags, int64_t ttl);

lrd_slice text(const char *text);
/* One request of an open op, and its reply. */
void world_step(world *world, lrd_op *op, const lrd_verb_rules *rules);
/* All of them. */
void world_run(world *world, lrd_op *op, const lrd_verb_rules *rules);
/* Steps without an answer: code NONE or UNANSWERED, or an error. */
void world_fail(lrd_op *op, const lrd_verb_rules *rules, lrd_code code);
/* Whether a SET_LEASED by this token would store now. */
bool world_holds(world *world, const char *key, uint64_t token);

#endif

/*
 * The states that a key can be in and the ops that can meet it there, for tests that go through all of them.
 */
#ifndef VERB_CASES_H
#define VERB_CASES_H

#include "verb_world.h"

#define KEY "k"

enum { INTEGER = 1, STRING = 2, LEASE_SECONDS = 10 };

typedef struct start {
	const char *name;
	bool needs_stubs;
	const char *value;          /* NULL: nothing is there */
	uint32_t flags;
	bool marked, leased, written_over, seen;
} start;

typedef struct deed {
	const char *name;
	lrd_op op;
	bool needs_stubs;
	bool has_lease;             /* the token is the lease of the state, if it has one */
} deed;

extern const start starts[];
extern const size_t start_count;
extern const deed deeds[];
extern const size_t deed_count;

/* Returns the lease that somebody took, or 0. */
uint64_t set_up(world *world, const start *start, const lrd_verb_rules *rules);
/* With what is to be stored, if that is an integer, and the lease of the state. */
lrd_op op_of(world *world, const deed *deed, const char *value, uint64_t lease);

#endif

/*
 * A store that is filled with values of every kind, what may be read of it, and every call that there is, over all of
 * its keys: for tests in which the segment is lost or damaged under them.
 */
#ifndef STORE_CALLS_H
#define STORE_CALLS_H

#include "store_world.h"

enum { KEYS = 600, CALLS = 9, WRONG = 1 };

/* Each thread has one at a time. */
lrd_key key_of(const char *kind, int number);

/* By turns an int, a text, and one that is handed out by pointer. */
lrd_status fill_one(lrd_store *store, int number);

/* Whether each key has what was stored, or nothing. */
bool all_are_right(lrd_store *store, unsigned *hits);

/* Each uses all keys. A read that is wrong ends the process by WRONG. */
extern void (*const calls[CALLS])(lrd_store *store);

#endif

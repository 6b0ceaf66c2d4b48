/*
 * Every outcome that a function of the core can have. Nothing here throws: php/ turns a status into an exception, an
 * Outcome or a plain value.
 */
#ifndef LRD_STATUS_H
#define LRD_STATUS_H

typedef enum lrd_status {
	LRD_OK = 0,
	LRD_MISS,          /* the key is not there, or not any more */
	LRD_EXISTS,        /* add: the key is there; cas: the version moved */
	LRD_LOST,          /* the lease named is not held any more */
	LRD_BUSY,          /* somebody else holds the lease */
	LRD_TOO_LARGE,     /* can never fit, whatever is evicted */
	LRD_FULL,          /* no room now: what could be evicted is still being read */
	LRD_TIMEOUT,       /* a lock was not given in time */
	LRD_NO_SLOT,       /* more processes than the segment has slots */
	LRD_NOT_A_NUMBER,  /* increment of what is not an int, or past its range */
	LRD_OWNER_DIED,    /* internal: the lock is ours, what it guards needs repair */
	LRD_MOVED,         /* attach: mapped, but not at the segment's own base */
	LRD_BAD_SEGMENT,   /* attach: damaged, truncated or not a segment */
	LRD_BAD_STAMP,     /* attach: made by another build */
	LRD_BAD_OWNER,     /* attach: not ours, or open to others */
	LRD_BAD_OPTION,    /* what was asked for does not exist or does not fit the rest */
	LRD_DOWN,          /* not done: the server cannot be reached */
	LRD_REFUSED,       /* not done: the server would not */
	LRD_UNKNOWN,       /* sent, but no answer that proves itself: done or not */
	LRD_SYSTEM,        /* a system call failed; errno tells */
} lrd_status;

const char *lrd_status_text(lrd_status status);

#endif

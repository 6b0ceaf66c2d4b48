/*
 * The segment of this process, and when it is pinned. Opened in MINIT and inherited by every fork; there is one, and
 * requests follow each other on it. Each thread has a handle of its own on it, with its own pin, from its first request
 * to its end.
 *
 * A request that was handed a pointer is pinned to post_deactivate, when the last zval is gone. One that may share but
 * has got only copies is pinned until its next write. One that copies is pinned only while it copies. What a read runs
 * of other people's code (__unserialize) may read again, so reads are counted.
 */
#ifndef PHP_SEGMENT_H
#define PHP_SEGMENT_H

#include "../php_larder.h"
#include "../core/shm/lrd_store.h"

#define PHP_SEGMENT_SIZE_MAX ((zend_long) 1 << 44)

/* MINIT. A failure is a warning; then there is no store, or a private one in place of the named one. */
void php_segment_open(void);
/*
 * A named segment whose file was cut or given up: opens it anew, if nothing of the lost one is in use. False: there is
 * no store at all now. Else there is one, of which nothing may be found or stored for a while.
 */
bool php_segment_renew(void);
/* RINIT: a thread that has none gets its handle. */
void php_segment_begin_request(void);
/* GSHUTDOWN, for the thread that these globals are of. */
void php_segment_close(zend_larder_globals *globals);

/* post_deactivate: unpins. Nothing while userland runs. */
void php_segment_end_request(void);

/* Whether reads hand out pointers into the segment just now. */
bool php_segment_is_sharing(void);
bool php_segment_hold_first(void);

/* Why there is no store at all. */
const char *php_segment_failure(void);
/* The file of a named segment, or "". */
const char *php_segment_path(void);
/* Whether one was named, but could not be used. */
bool php_segment_is_private(void);
/* Whether no other process can see it: it has no name, and this process made it and has no children. */
bool php_segment_is_alone(void);
/* Why values are not shared, or not in the segment named; "" when all is as asked for. */
zend_string *php_segment_reason(void);

/* Before pcntl_fork(). */
void php_segment_has_children(void);
/* In a child made by anything but pcntl_fork(). */
void php_segment_forked(void);

/* Before anything is read. False: no process slot is free, and nothing may be read. */
static zend_always_inline bool php_segment_enter(void)
{
	if (UNEXPECTED(!LARDER_G(pinned))) {
		if (UNEXPECTED(lrd_store_pin(LARDER_G(store)) != LRD_OK)) {
			return false;
		}
		LARDER_G(pinned) = true;
		LARDER_G(stays) = php_segment_is_sharing();
	}
	LARDER_G(readers)++;
	return true;
}

/* Whether what was just copied may be believed. */
static zend_always_inline bool php_segment_is_alive(void)
{
	return EXPECTED(lrd_segment_is_alive(LARDER_G(segment)));
}

/* Inside a read of what may be handed out by pointer: whether it is. If so the request is pinned to its end. */
static zend_always_inline bool php_segment_hold(void)
{
	return EXPECTED(LARDER_G(held)) || (LARDER_G(sharing) && php_segment_hold_first());
}

/* The pin of a request that may share stays for its next read, which is cheaper than another. */
static zend_always_inline void php_segment_leave(void)
{
	if (EXPECTED(LARDER_G(readers) > 0) && --LARDER_G(readers) == 0 && UNEXPECTED(!LARDER_G(stays))) {
		lrd_store_unpin(LARDER_G(store));
		LARDER_G(pinned) = false;
	}
}

/* Before a write: a pin that nothing relies on ends, so that who reads and writes in turn keeps nothing of the old. */
static zend_always_inline void php_segment_refresh(void)
{
	if (LARDER_G(pinned) && !LARDER_G(held) && LARDER_G(readers) == 0) {
		lrd_store_unpin(LARDER_G(store));
		LARDER_G(pinned) = false;
	}
}

#endif

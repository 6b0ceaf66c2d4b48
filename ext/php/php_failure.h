/*
 * Larder\Failure: what went wrong in a call. While the call runs that is a note of a few bytes; the object and its
 * sentence are made when somebody asks. What concerns a whole server is noted once for a call, whatever the number of
 * its keys.
 */
#ifndef PHP_FAILURE_H
#define PHP_FAILURE_H

#include "php.h"

#include "../core/client/lrd_op.h"
#include "../value/value_flaw.h"

extern zend_class_entry *php_failure_ce;
extern zend_class_entry *php_failure_kind_ce;

/* Kinds that lrd_failure does not have. */
enum {
	PHP_FAILURE_UNREADABLE = LRD_FAILURE_CONTENDED + 1,
	PHP_FAILURE_OVER_SIZE,      /* OverLimit, each by its own limit */
	PHP_FAILURE_OVER_MEMORY,
	PHP_FAILURE_OVER_TIME,
	PHP_FAILURE_OVER_DEPTH,
	PHP_FAILURE_GONE,           /* ClassGone */
	PHP_FAILURE_CHANGED,        /* ClassChanged */
	PHP_FAILURE_REFUSED,        /* ClassRefused */
};

typedef struct php_failure_note {
	zend_string *key;           /* as the caller gave it, owned; NULL: the whole server */
	zend_string *reason;        /* what is said of an unreadable value, owned; NULL: nothing */
	size_t size;
	uint32_t server;
	uint8_t kind;               /* lrd_failure, or one of those above */
} php_failure_note;

typedef struct php_failures {
	uint32_t count;
	uint32_t room;
	php_failure_note notes[];
} php_failures;

/* MINIT and MSHUTDOWN: an object of a class that is not there is a failure, and no value. */
void php_failure_watch(bool on);

/* *failures is NULL while there are none. `kind` is not LRD_FAILURE_NONE; of the key a reference is taken. */
void php_failures_note(php_failures **failures, uint8_t kind, uint32_t server, zend_string *key, size_t size);
void php_failures_free(php_failures *failures);

/* Of a value that is there and cannot be read. The note takes a reference to the key. */
php_failure_note php_failure_note_of(const value_flaw *flaw, uint32_t server, zend_string *key);
void php_failures_note_flaw(php_failures **failures, const value_flaw *flaw, uint32_t server, zend_string *key);
void php_failure_note_free(php_failure_note *note);

/* What a sentence says besides the note. */
typedef struct php_failure_place {
	lrd_slice server;
	uint32_t timeout_ms;
	uint64_t limit;             /* 0: not known */
	const char *why;            /* the certificate was not trusted; NULL or empty: nothing is known */
} php_failure_place;

/* An object, into `failure` (uninitialised). */
void php_failure_from(zval *failure, const php_failure_note *note, const php_failure_place *place);

#endif

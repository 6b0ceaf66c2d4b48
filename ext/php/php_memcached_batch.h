/*
 * Calls that go to the servers together: ops, and for each of them the strings that it lives on. All memory is the
 * request's and is gone by itself if the request is ended by force.
 *
 *     php_batch_open…, php_batch_add …, php_batch_encode …    user code may run; nothing was sent yet
 *     php_batch_run                                           none runs
 *     php_batch_decode or php_batch_result …                  user code may run; all sockets stand at a reply's end
 *     php_batch_close
 *
 * A batch belongs to the call that made it. User code that calls the same object makes other batches.
 */
#ifndef PHP_MEMCACHED_BATCH_H
#define PHP_MEMCACHED_BATCH_H

#include "php_memcached.h"

#include "../core/client/lrd_op.h"

typedef struct php_batch_item {
	zend_string *name;          /* the key as the caller gave it */
	zend_string *bytes;         /* what is to be stored; NULL: nothing */
	zend_string *found;         /* where a reply's bytes were put; NULL: nowhere */
} php_batch_item;

typedef struct php_batch_chunk php_batch_chunk;

typedef struct php_batch {
	php_memcached *memcached;
	lrd_op *ops;
	php_batch_item *items;
	uint32_t count;
	uint32_t room;
	bool is_single;             /* ops and items are not ours to free */
	bool is_of_many;            /* the caller gave an array of keys */
	php_failures *failures;
	uint64_t decoded_by_ns;     /* until when its values may be decoded; 0: not begun */
	php_batch_chunk *chunks;    /* keys with their prefix, and keys in base64 */
	char *at;
	size_t left;
} php_batch;

enum { PHP_BATCH_KEY_ROOM = 2 * LRD_WIRE_KEY_MAX };     /* with its prefix, and that in base64 */

/* A batch of one op that needs no memory but the C stack's. */
typedef struct php_batch_single {
	php_batch batch;
	lrd_op op;
	php_batch_item item;
	char key[PHP_BATCH_KEY_ROOM];
} php_batch_single;

/* NULL, with an exception: no object, or no key. Else to be closed, and `object` lives as long as the call. */
lrd_op *php_batch_begin(php_batch_single *single, const zval *object, zend_string *name, lrd_kind kind);

void php_batch_open(php_batch *batch, php_memcached *memcached, uint32_t room);
/*
 * An op for each element of the list, or for each key of the array. False, with an exception that names the argument,
 * and closed: no object, an element that is no string or integer, or no key.
 */
bool php_batch_open_list(php_batch *batch, const zval *object, const HashTable *list, lrd_kind kind, uint32_t argument);
bool php_batch_open_keys(
	php_batch *batch, const zval *object, const HashTable *array, lrd_kind kind, uint32_t argument);

/* One more op, all zero but for kind and key. NULL, with an exception, when `name` is no key. */
lrd_op *php_batch_add(php_batch *batch, zend_string *name, lrd_kind kind, uint32_t argument);

/* The value to be stored by this op. False, with an exception. */
bool php_batch_encode(php_batch *batch, uint32_t which, zval *value);
/* The same for bytes that are sent as they are. */
void php_batch_bytes(php_batch *batch, uint32_t which, zend_string *bytes);

/* Until all ops have their outcome, in one deadline. */
void php_batch_run(php_batch *batch);
/*
 * The same in two steps, each with a deadline of its own. The batch stays in its place in between, and is not freed
 * there.
 */
void php_batch_send(php_batch *batch);
void php_batch_take(php_batch *batch);

typedef enum php_batch_found {
	FOUND_MISS,
	FOUND_HIT,
	FOUND_UNREADABLE,           /* there, but not a value, as is noted */
	FOUND_NO_ANSWER,
	FOUND_THREW,                /* exit() */
} php_batch_found;

/* The value, into `value` (uninitialised; set on FOUND_HIT only). Once for each op. */
php_batch_found php_batch_decode(php_batch *batch, uint32_t which, zval *value);

/*
 * What a call of the op's kind gives, into `result` (uninitialised). False, with an exception, and all leases of the
 * batch given back.
 */
bool php_batch_result(php_batch *batch, uint32_t which, zval *result);

/* The results of all, by key. False, with an exception. */
bool php_batch_results(php_batch *batch, zval *results);

/* Runs it, returns the result of its one op or the results of all by key, and closes it. */
void php_batch_finish_one(php_batch *batch, zval *return_value);
void php_batch_finish(php_batch *batch, zval *return_value);

/* Makes its failures those of the object's last call. */
void php_batch_close(php_batch *batch);
/* The same without that. */
void php_batch_free(php_batch *batch);

/* Adds to the table unless the key is there: what is asked for twice has its first answer. Consumes the value. */
void php_batch_put(HashTable *table, zend_string *name, zval *value);

/* When a call that begins now must be over. */
uint64_t php_batch_deadline(const php_memcached *memcached);

/*
 * A line of the classic protocol to one server, and the lines that it answers; NULL: it did not, as is noted. The
 * servers behind it in the list will be asked until the same deadline.
 */
zend_string *php_batch_ask(const php_memcached *memcached, uint32_t server, const char *line, uint64_t deadline_ns,
	lrd_op *op, php_failures **failures);

#endif

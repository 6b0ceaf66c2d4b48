/*
 * Calls that go to the servers together: ops, and for each of them the strings that it lives on, in the request's
 * memory.
 *
 *     memcached_batch_open, _add, _value …    user code may run; nothing was sent yet
 *     memcached_batch_run                     none runs
 *     memcached_batch_read …                  user code may run; all sockets stand at a reply's end
 *     memcached_batch_close
 */
#ifndef MEMCACHED_BATCH_H
#define MEMCACHED_BATCH_H

#include "memcached_object.h"

typedef struct memcached_item {
	zend_string *key;           /* as the caller gave it */
	zend_string *server_key;    /* NULL: the key names its server itself */
	char *wire;                 /* behind its prefix, or in base64; NULL: it is sent as it is */
	zend_string *bytes;         /* what is to be stored; NULL: nothing */
	zend_string *found;         /* where a reply's bytes were put; NULL: nowhere */
	int code;                   /* why it was not sent; 0: it is to be */
} memcached_item;

typedef struct memcached_batch {
	memcached_object *object;
	memcached_client *client;
	zend_string *server_key;    /* of the ops that are added now; NULL: each key names its own server */
	lrd_op *ops;
	memcached_item *items;
	uint32_t count, room;
	bool has_refused;           /* a value that was found, see memcached_payload.h */
} memcached_batch;

/* Whether single calls take this key: by the rules of the protocol that the client is to speak. */
bool memcached_key_is_good(const memcached_client *client, const zend_string *key);

void memcached_batch_open(memcached_batch *batch, memcached_object *object, zend_string *server_key, uint32_t room);
/* One more op, all zero but for kind, key and route. One whose key cannot be sent has its item's code set. */
lrd_op *memcached_batch_add(memcached_batch *batch, zend_string *key, lrd_kind kind);
/* A value as bytes and flags to be stored. Its code, perhaps with an exception. May run user code. */
int memcached_value_of(const memcached_client *client, zval *value, zend_string **bytes, uint32_t *flags);
/* The value to be stored by this op. False: its item's code is set, perhaps with an exception. */
bool memcached_batch_value(memcached_batch *batch, uint32_t which, zval *value);
/* The same for bytes that are stored as they are. */
void memcached_batch_bytes(memcached_batch *batch, uint32_t which, zend_string *bytes, uint32_t flags);
/* Until all ops have their outcome. Those with a code are not sent. */
void memcached_batch_run(memcached_batch *batch);
/*
 * Sends all, and takes the replies when they are asked for, or the next time somebody uses the client. The batch is its
 * object's until then, and stays in its place.
 */
void memcached_batch_send(memcached_batch *batch);
/* The result code of an op that was run. */
int memcached_batch_code(memcached_batch *batch, uint32_t which);
/* The value that this op found. False: damaged, with a warning, or with what user code threw. */
bool memcached_batch_read(memcached_batch *batch, uint32_t which, zval *value);
void memcached_batch_close(memcached_batch *batch);

/* Makes the code of this op that of the object's call. Returns it. */
int memcached_batch_end(memcached_batch *batch, uint32_t which);

/* Sends the writes that are held back. False: one of them has failed. */
bool memcached_object_flush(memcached_object *object);

/* Drops what getDelayed() has left. */
void memcached_object_forget(memcached_object *object);

#endif

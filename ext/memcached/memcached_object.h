/* An object of the class: its client, and how its last call ended. */
#ifndef MEMCACHED_OBJECT_H
#define MEMCACHED_OBJECT_H

#include "memcached_client.h"

struct memcached_batch;

typedef struct memcached_object {
	memcached_client *client;   /* NULL until the constructor is done */
	int code, error;            /* error: errno, or 0 */
	bool is_pristine;
	struct memcached_batch *buffered;   /* writes that OPT_BUFFER_WRITES holds back; NULL: none */
	struct memcached_batch *delayed;    /* what getDelayed() has asked for and nobody has fetched yet; NULL: nothing */
	uint32_t delayed_at;
	bool delayed_with_cas;
	zend_object std;
} memcached_object;

static zend_always_inline memcached_object *memcached_object_from(zend_object *object)
{
	return (memcached_object *) ((char *) object - XtOffsetOf(memcached_object, std));
}

/* The object, or NULL with an exception: it has not been constructed. */
static zend_always_inline memcached_object *memcached_object_of(const zval *this)
{
	memcached_object *object = memcached_object_from(Z_OBJ_P(this));
	if (UNEXPECTED(object->client == NULL)) {
		zend_throw_error(NULL, "Memcached constructor was not called");
		return NULL;
	}
	return object;
}

/* Defines `object`, or returns. */
#define MEMCACHED_OBJECT() \
	memcached_object *object = memcached_object_of(ZEND_THIS); \
	if (UNEXPECTED(object == NULL)) { \
		RETURN_THROWS(); \
	}

static zend_always_inline void memcached_set_code(memcached_object *object, int code)
{
	object->code = code;
	object->error = 0;
}

static zend_always_inline bool memcached_is_error(int code)
{
	return code != MEMCACHED_SUCCESS && code != MEMCACHED_BUFFERED;
}

/* MINIT, once the class is registered. */
void memcached_object_init(void);

#endif

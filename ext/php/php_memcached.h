/*
 * Larder\Memcached, in these files: the object (php_memcached.c), its constructor (_options), calls for one key (_one),
 * for many (_many), for counters (_count) and leases (_lease), and what servers and process report (_report). Every
 * call is a batch (php_memcached_batch.h), even for a single op. The connections belong to the process (php_pools.h).
 */
#ifndef PHP_MEMCACHED_H
#define PHP_MEMCACHED_H

#include "../value/value_codec.h"

/* The largest item of any memcached: what larder.memcached_value_max may be at most. */
#define PHP_MEMCACHED_VALUE_MAX ((zend_long) 1 << 30)
#include "php_arguments.h"
#include "php_failure.h"
#include "php_object.h"
#include "php_pools.h"

extern zend_class_entry *php_memcached_ce;

typedef struct php_memcached {
	php_pool *pool;             /* referred to; NULL until the constructor is done */
	zend_string *prefix;
	value_format format;
	value_allowed *allowed;     /* the format's own; NULL: all classes */
	bool shared;                /* with other clients: no leases and no clear() */
	HashTable *settings;        /* what the constructor was given, by name, without the password */
	php_failures *failures;     /* of the last call; NULL: none */
	zend_object std;
} php_memcached;

/* MINIT, once the class is registered. */
void php_memcached_init(void);

static zend_always_inline php_memcached *php_memcached_from(zend_object *object)
{
	return PHP_OBJECT_FROM(php_memcached, object);
}

/* The object, or NULL with an exception: some extensions make objects without a constructor. */
static zend_always_inline php_memcached *php_memcached_of(const zval *object)
{
	php_memcached *memcached = php_memcached_from(Z_OBJ_P(object));
	if (UNEXPECTED(memcached->pool == NULL)) {
		zend_throw_error(NULL, "The Larder\\Memcached object has not been constructed");
		return NULL;
	}
	return memcached;
}

/* The longest ttl: what is longer is a date, or a mistake in the unit. */
enum { PHP_MEMCACHED_TTL_MAX = 3650 * 86400 };

/* A ttl as memcached takes it. False, with an exception that names the argument. */
bool php_memcached_ttl(php_ttl ttl, uint32_t argument, int64_t *seconds);
/* A lease's life. */
bool php_memcached_life(double life, uint32_t argument, int64_t *seconds);
/* Whether leases and clear() are allowed; false, with an exception. */
bool php_memcached_is_ours(const php_memcached *memcached);

/* The bytes that this server takes for an item, asked for once in a process; 0: it did not tell. */
uint64_t php_memcached_item_max(const php_memcached *memcached, uint32_t server);

#endif

/*
 * Larder\SharedMemory, in four files: the object and its reads (php_shared_memory.c), writes, leases, and looking at
 * the segment. An object is a namespace; all else belongs to the process (php_segment.h).
 */
#ifndef PHP_SHARED_MEMORY_H
#define PHP_SHARED_MEMORY_H

#include "php_arguments.h"
#include "php_object.h"
#include "php_segment.h"

extern zend_class_entry *php_shared_memory_ce;

typedef struct php_shared_memory {
	zend_string *name;      /* of the namespace; NULL until the constructor is done */
	lrd_space space;
	zval report;            /* a Closure that hears of values that cannot be read; undefined: none */
	zend_object std;
} php_shared_memory;

typedef enum php_shared_memory_read {
	READ_MISS,
	READ_HIT,
	READ_BROKEN,            /* there, but not to be had, as was reported: a miss that add() will not cure */
	READ_THREW,             /* exit(), or what the report threw */
} php_shared_memory_read;

/* MINIT, once the class is registered. */
void php_shared_memory_init(void);

/* Throws that there is no store. */
void php_shared_memory_refuse(void);

/* The object, or NULL with an exception: some extensions make objects without a constructor. */
static zend_always_inline php_shared_memory *php_shared_memory_of(const zval *object)
{
	php_shared_memory *memory = PHP_OBJECT_FROM(php_shared_memory, Z_OBJ_P(object));
	if (UNEXPECTED(memory->name == NULL)) {
		zend_throw_error(NULL, "The Larder\\SharedMemory object has not been constructed");
		return NULL;
	}
	if (UNEXPECTED(!php_segment_is_alive()) && !php_segment_renew()) {
		php_shared_memory_refuse();
		return NULL;
	}
	return memory;
}

/* The same, for a call with a key as its argument: NULL, with an exception, too when it cannot be one. */
static zend_always_inline php_shared_memory *php_shared_memory_for(
	const zval *object, const zend_string *name, uint32_t argument)
{
	if (UNEXPECTED(ZSTR_LEN(name) - 1 >= LRD_KEY_MAX)) {
		zend_argument_value_error(argument, "must be 1 to %u bytes long", LRD_KEY_MAX);
		return NULL;
	}
	return php_shared_memory_of(object);
}

static zend_always_inline lrd_key php_shared_memory_key(const php_shared_memory *memory, const zend_string *name)
{
	return (lrd_key) {.bytes = {.bytes = ZSTR_VAL(name), .size = ZSTR_LEN(name)}, .space = &memory->space};
}

/*
 * Every element of the list a key: strings, integers as decimals. False, with an exception that names the argument:
 * another type or length. `of_keys` looks at the array's keys instead of its elements.
 */
bool php_shared_memory_check_keys(const HashTable *list, bool of_keys, uint32_t argument);

/* The value, into `value` (uninitialised; set on READ_HIT only), and its version if wanted. */
php_shared_memory_read php_shared_memory_fetch(
	const php_shared_memory *memory, zend_string *name, zval *value, uint64_t *version);

#endif

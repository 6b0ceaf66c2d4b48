/* Objects of the two classes: plain ones, whose pool is the resource in their property "connection". */
#ifndef MEMCACHE_OBJECT_H
#define MEMCACHE_OBJECT_H

#include "memcache_batch.h"

/* MINIT */
void memcache_object_init(int module_number);

/* Holds the object's pool. False, with a warning: it has none. */
bool memcache_call_begin(memcache_call *call, zval *object);
void memcache_call_end(const memcache_call *call);

/* For a function that is also a method: parses the object, then what `format` says. */
#define MEMCACHE_PARSE(format, ...) \
	zend_parse_method_parameters(ZEND_NUM_ARGS(), getThis(), "O" format, __VA_ARGS__)

#endif

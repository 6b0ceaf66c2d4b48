/*
 * What differs between PHP 8.1 and 8.5, NTS and ZTS, as far as value/ sees it. No other file of value/ asks for a
 * version.
 */
#ifndef VALUE_COMPAT_H
#define VALUE_COMPAT_H

#include "php.h"

/* Before 8.2 every class allows them. */
#if PHP_VERSION_ID >= 80200
# define VALUE_ALLOW_DYNAMIC_PROPERTIES ZEND_ACC_ALLOW_DYNAMIC_PROPERTIES
#else
# define VALUE_ALLOW_DYNAMIC_PROPERTIES 0
#endif

#if PHP_VERSION_ID < 80100
# error "PHP 8.1 or later is needed"
#endif

/*
 * Where this thread's globals are. PHP's macro leaves it to a call to find that out; at its place in the program's own
 * thread memory it is one load. The C library keeps room there for modules that come later; musl does not.
 */
#if defined(ZTS) && defined(ZEND_COMPILE_DL_EXT)
# ifndef TSRM_TLS_MODEL_ATTR
#  define TSRM_TLS_MODEL_ATTR
# endif
extern TSRM_TLS void *TSRMLS_CACHE TSRM_TLS_MODEL_ATTR;
#endif

/* May be called in a signal handler. */
static zend_always_inline void value_ask_for_interrupt(zend_executor_globals *executor)
{
#if PHP_VERSION_ID >= 80200
	zend_atomic_bool_store_ex(&executor->vm_interrupt, true);
#else
	executor->vm_interrupt = true;
#endif
}

/* An element of a packed array: a zval from 8.2 on, before that a bucket with its key in h. */
#if PHP_VERSION_ID >= 80200
typedef zval value_slot;

static zend_always_inline value_slot *value_slots(const HashTable *table)
{
	return table->arPacked;
}

static zend_always_inline zval *value_slot_zval(value_slot *slot)
{
	return slot;
}

static zend_always_inline void value_slot_set_key(value_slot *slot, zend_ulong key)
{
	(void)slot;
	(void)key;
}
#else
typedef Bucket value_slot;

static zend_always_inline value_slot *value_slots(const HashTable *table)
{
	return table->arData;
}

static zend_always_inline zval *value_slot_zval(value_slot *slot)
{
	return &slot->val;
}

static zend_always_inline void value_slot_set_key(value_slot *slot, zend_ulong key)
{
	slot->h = key;
	slot->key = NULL;
}
#endif

#endif

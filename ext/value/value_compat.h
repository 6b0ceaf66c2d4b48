/*
 * What differs between PHP 8.1 and 8.5, NTS and ZTS, as far as value/ sees it. No other file of value/ asks for a
 * version.
 */
#ifndef VALUE_COMPAT_H
#define VALUE_COMPAT_H

#include "php.h"

#if PHP_VERSION_ID < 80100
# error "PHP 8.1 or later is needed"
#endif

#if defined(ZTS) && defined(COMPILE_DL_LARDER)
ZEND_TSRMLS_CACHE_EXTERN()
#endif

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

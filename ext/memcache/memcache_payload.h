/*
 * Values as php-memcache writes and reads them, byte for byte: the lowest byte of the flags says whether they are
 * serialized and compressed, the next one of which type they are, the upper sixteen bits are the user's. Its warnings
 * are part of it.
 */
#ifndef MEMCACHE_PAYLOAD_H
#define MEMCACHE_PAYLOAD_H

#include "memcache_pool.h"

enum {
	MEMCACHE_SERIALIZED = 0x0001,
	MEMCACHE_COMPRESSED_BIT = 0x0002,
	MEMCACHE_TYPE = 0x0f00,
	MEMCACHE_TYPE_BOOL = 0x0100,
	MEMCACHE_TYPE_LONG = 0x0300,
	MEMCACHE_TYPE_DOUBLE = 0x0700,
};

/*
 * The bytes of a value, owned; NULL: the flags are not the user's, or it cannot be serialized, with a warning or an
 * exception. flags: the user's, then all. May run user code.
 */
zend_string *memcache_payload_from(const memcache_pool *pool, zval *value, uint32_t *flags);

/* Consumes the bytes. False: damaged, with a notice, or with what user code threw; value is then not set. */
bool memcache_payload_read(zend_string *bytes, uint32_t flags, zval *value);

#endif

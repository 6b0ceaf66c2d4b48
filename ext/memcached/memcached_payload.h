/*
 * Values as php-memcached writes and reads them, byte for byte: the low four bits of the flags are the type, the next
 * twelve how it is compressed, the upper sixteen are the user's. Its warnings are part of it.
 */
#ifndef MEMCACHED_PAYLOAD_H
#define MEMCACHED_PAYLOAD_H

#include "memcached_client.h"

/* The bytes of a value, owned; NULL: it cannot be serialized, with a warning or an exception. May run user code. */
zend_string *memcached_payload_from(const memcached_client *client, zval *value, uint32_t *flags);

typedef enum memcached_payload {
	MEMCACHED_PAYLOAD_READ,
	MEMCACHED_PAYLOAD_DAMAGED,  /* with a warning */
	MEMCACHED_PAYLOAD_REFUSED,  /* of a class that is not allowed, with a warning; or with what user code threw */
} memcached_payload;

/* Consumes the bytes. If not READ, value is not set. */
memcached_payload memcached_payload_read(
	const memcached_client *client, zend_string *bytes, uint32_t flags, zval *value);

static inline uint32_t memcached_user_flags(uint32_t flags)
{
	return flags >> 16;
}

#endif

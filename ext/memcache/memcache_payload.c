#include "memcache_payload.h"

#include <stdlib.h>

#include "zend_exceptions.h"
#include "zend_smart_str.h"
#include "zend_strtod.h"

#include "../dropin/dropin_bytes.h"
#include "../value/value_compressors.h"
#include "../value/value_serializers.h"

enum {
	RESERVED = 0xffff,
	ZLIB_LEVEL = 6,             /* what compress() takes */
};

/* ---- writing ---- */

/* Consumes plain. What it saves must be worth it, else it stays as it is. */
static zend_string *compress(const memcache_pool *pool, zend_string *plain, uint32_t *flags)
{
	const size_t size = ZSTR_LEN(plain);
	const size_t room = (size_t) ((double) size * (1 - pool->min_savings));
	const value_compressor *zlib = &value_compressor_zlib;

	if (pool->compress_threshold != 0 && size >= (size_t) pool->compress_threshold) {
		*flags |= MEMCACHE_COMPRESSED_BIT;
	}
	if ((*flags & MEMCACHE_COMPRESSED_BIT) == 0) {
		return plain;
	}
	zend_string *bytes = NULL;
	size_t written = 0;
	if (zlib->write != NULL && size <= VALUE_PLAIN_MAX && room > 0) {
		bytes = zend_string_alloc(room, false);
		written = zlib->write(ZSTR_VAL(plain), size, ZSTR_VAL(bytes), room, ZLIB_LEVEL);
	}
	if (written == 0) {
		if (bytes != NULL) {
			zend_string_efree(bytes);
		}
		*flags &= ~(uint32_t) MEMCACHE_COMPRESSED_BIT;
		return plain;
	}
	bytes = zend_string_truncate(bytes, written, false);
	ZSTR_VAL(bytes)[written] = '\0';
	zend_string_release(plain);
	return bytes;
}

static zend_string *serialize(zval *value)
{
	smart_str text = {0};

	if (value_serializer_php.write(value, &text) == FAILURE || EG(exception) != NULL || text.s == NULL
		|| !dropin_is_allowed(
			MEMCACHE_G(allowed), value_classes_in_php, ZSTR_VAL(text.s), ZSTR_LEN(text.s), "serialize")) {
		smart_str_free(&text);
		php_error_docref(NULL, E_WARNING, "Failed to serialize value");
		return NULL;
	}
	smart_str_0(&text);
	return text.s;
}

static zend_string *double_text(double number)
{
	char text[64];
	int size = snprintf(text, sizeof(text), "%.14g", number);

	return zend_string_init(text, (size_t) size, false);
}

zend_string *memcache_payload_from(const memcache_pool *pool, zval *value, uint32_t *flags)
{
	if ((*flags & RESERVED & ~(uint32_t) MEMCACHE_COMPRESSED_BIT) != 0) {
		php_error_docref(NULL, E_WARNING,
			"The lowest two bytes of the flags array is reserved for pecl/memcache internal use");
		return NULL;
	}
	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) == IS_STRING) {
		return compress(pool, zend_string_copy(Z_STR_P(value)), flags);
	}
	switch (Z_TYPE_P(value)) {
		case IS_LONG:
			*flags = (*flags & ~(uint32_t) MEMCACHE_COMPRESSED_BIT) | MEMCACHE_TYPE_LONG;
			return zend_long_to_str(Z_LVAL_P(value));
		case IS_DOUBLE:
			*flags = (*flags & ~(uint32_t) MEMCACHE_COMPRESSED_BIT) | MEMCACHE_TYPE_DOUBLE;
			return double_text(Z_DVAL_P(value));
		case IS_TRUE:
		case IS_FALSE:
			*flags = (*flags & ~(uint32_t) MEMCACHE_COMPRESSED_BIT) | MEMCACHE_TYPE_BOOL;
			return ZSTR_CHAR(Z_TYPE_P(value) == IS_TRUE ? '1' : '0');
		default: {
			zend_string *text = serialize(value);
			*flags |= MEMCACHE_SERIALIZED;
			return text != NULL ? compress(pool, text, flags) : NULL;
		}
	}
}

/* ---- reading ---- */

/* Consumes bytes. NULL: damaged, with a notice. */
static zend_string *decompress(zend_string *bytes)
{
	const value_compressor *zlib = &value_compressor_zlib;
	value_limits limits = {.most = VALUE_PLAIN_MAX};
	zend_string *plain =
		zlib->read != NULL ? zlib->read(ZSTR_VAL(bytes), ZSTR_LEN(bytes), SIZE_MAX, &limits) : NULL;

	zend_string_release(bytes);
	if (plain == NULL) {
		php_error_docref(NULL, E_NOTICE, "Failed to uncompress data");
	}
	return plain;
}

static double read_double(const zend_string *text)
{
	/* As printf() writes them, and as scanf() reads them. */
	return strtod(ZSTR_VAL(text), NULL);
}

/* Consumes the bytes. */
static bool unserialize(zend_string *bytes, zval *value)
{
	const value_allowed *allowed = MEMCACHE_G(allowed);
	bool is_read = dropin_is_allowed(allowed, value_classes_in_php, ZSTR_VAL(bytes), ZSTR_LEN(bytes), "unserialize")
		&& dropin_unserialize(bytes, allowed, value);

	zend_string_release(bytes);
	if (!is_read) {
		php_error_docref(NULL, E_NOTICE, "Failed to unserialize data");
		return false;
	}
	if (EG(exception) != NULL) {
		zval_ptr_dtor(value);
		return false;
	}
	return true;
}

bool memcache_payload_read(zend_string *bytes, uint32_t flags, zval *value)
{
	if ((flags & MEMCACHE_COMPRESSED_BIT) != 0) {
		bytes = decompress(bytes);
		if (bytes == NULL) {
			return false;
		}
	}
	if ((flags & MEMCACHE_SERIALIZED) != 0) {
		return unserialize(bytes, value);
	}
	switch (flags & MEMCACHE_TYPE) {
		case MEMCACHE_TYPE_LONG:
			ZVAL_LONG(value, ZEND_STRTOL(ZSTR_VAL(bytes), NULL, 10));
			break;
		case MEMCACHE_TYPE_DOUBLE:
			ZVAL_DOUBLE(value, read_double(bytes));
			break;
		case MEMCACHE_TYPE_BOOL:
			ZVAL_BOOL(value, ZSTR_LEN(bytes) == 1 && ZSTR_VAL(bytes)[0] == '1');
			break;
		default:
			ZVAL_STR(value, bytes);
			return true;
	}
	zend_string_release(bytes);
	return true;
}

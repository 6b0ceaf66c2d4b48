#include "memcached_payload.h"

#include <math.h>
#include <stdlib.h>

#include "ext/json/php_json.h"
#include "zend_exceptions.h"
#include "zend_smart_str.h"
#include "zend_strtod.h"

#include "../dropin/dropin_bytes.h"
#include "../value/value_compressors.h"
#include "../value/value_errors.h"
#include "../value/value_serializers.h"

enum {
	TYPE = 0x000f,
	STRING = 0,
	INTEGER = 1,
	FLOAT = 2,
	BOOL = 3,
	SERIALIZED = 4,
	IGBINARY = 5,
	JSON = 6,
	MSGPACK = 7,

	INTERNAL = 0xfff0,
	COMPRESSED = 0x0010,
	LENGTH_SIZE = 4,            /* the plain length before compressed bytes, in the host's order */
};

/* ---- numbers ---- */

/* The exponent has a sign and two digits or more. */
static void append_exponent(smart_str *text, int exponent)
{
	smart_str_appendc(text, 'e');
	smart_str_appendc(text, exponent < 0 ? '-' : '+');
	exponent = abs(exponent);
	if (exponent < 10) {
		smart_str_appendc(text, '0');
	}
	smart_str_append_long(text, exponent);
}

/* The fewest digits that read back as the same number, without a zero before the point or behind it. */
static zend_string *float_text(double number)
{
	smart_str text = {0};
	bool is_negative;
	char *end;
	int point;
	char *digits = zend_dtoa(number, 0, 0, &point, &is_negative, &end);
	int count = (int) (end - digits);

	if (is_negative) {
		smart_str_appendc(&text, '-');
	}
	if (point == 9999) {
		smart_str_appends(&text, digits);
	} else if (point <= -4 || point > count + 5) {
		smart_str_appendc(&text, digits[0]);
		if (count > 1) {
			smart_str_appendc(&text, '.');
			smart_str_appendl(&text, digits + 1, (size_t) count - 1);
		}
		append_exponent(&text, point - 1);
	} else if (point <= 0) {
		smart_str_appendc(&text, '.');
		for (int i = point; i < 0; i++) {
			smart_str_appendc(&text, '0');
		}
		smart_str_appendl(&text, digits, (size_t) count);
	} else {
		smart_str_appendl(&text, digits, (size_t) MIN(point, count));
		if (count > point) {
			smart_str_appendc(&text, '.');
			smart_str_appendl(&text, digits + point, (size_t) (count - point));
		}
		for (int i = count; i < point; i++) {
			smart_str_appendc(&text, '0');
		}
	}
	smart_str_0(&text);
	zend_freedtoa(digits);
	return text.s;
}

static double read_float(const zend_string *text)
{
	if (zend_string_equals_literal(text, "Infinity")) {
		return ZEND_INFINITY;
	}
	if (zend_string_equals_literal(text, "-Infinity")) {
		return -ZEND_INFINITY;
	}
	return zend_string_equals_literal(text, "NaN") ? ZEND_NAN : zend_strtod(ZSTR_VAL(text), NULL);
}

/* ---- writing ---- */

static bool is_read_again(const memcached_client *client, value_class_walk *walk, const smart_str *written)
{
	return written->s == NULL
		|| dropin_is_allowed(client->allowed, walk, ZSTR_VAL(written->s), ZSTR_LEN(written->s), "serialize");
}

/* The extension of this serializer did not take the value: it says so as a warning, not as an exception of ours. */
static bool write_loaded(
	const memcached_client *client, const value_serializer *serializer, zval *value, smart_str *to)
{
	if (serializer->write(value, to) == SUCCESS) {
		return is_read_again(client, serializer->classes, to);
	}
	if (EG(exception) != NULL && EG(exception)->ce == larder_unstorable_value_ce) {
		zend_clear_exception();
	}
	php_error_docref(NULL, E_WARNING, "could not serialize value with %s", serializer->name);
	return false;
}

static bool serialize(const memcached_client *client, zval *value, smart_str *to, uint32_t *flags)
{
	switch (client->serializer) {
		case MEMCACHED_SERIALIZER_IGBINARY:
			*flags = IGBINARY;
			if (!write_loaded(client, &value_serializer_igbinary, value, to)) {
				return false;
			}
			break;
		case MEMCACHED_SERIALIZER_MSGPACK:
			*flags = MSGPACK;
			if (!write_loaded(client, &value_serializer_msgpack, value, to)) {
				return false;
			}
			break;
		case MEMCACHED_SERIALIZER_JSON:
		case MEMCACHED_SERIALIZER_JSON_ARRAY:
			*flags = JSON;
			php_json_encode(to, value, 0);
			break;
		default:
			*flags = SERIALIZED;
			if (value_serializer_php.write(value, to) == FAILURE
				|| !is_read_again(client, value_serializer_php.classes, to)) {
				return false;
			}
	}
	smart_str_0(to);
	return EG(exception) == NULL;
}

static const value_compressor *compressor_of(const memcached_client *client, int *level)
{
	zend_long wanted = client->compression_level;

	switch (client->compression_type) {
		case MEMCACHED_COMPRESSION_ZLIB:
			*level = (int) MAX(0, MIN(9, wanted));
			return &value_compressor_zlib;
		case MEMCACHED_COMPRESSION_ZSTD:
			*level = (int) MAX(-22, MIN(22, wanted));
			return &value_compressor_zstd;
		default:
			*level = VALUE_LEVEL_DEFAULT;
			return &value_compressor_fastlz;
	}
}

/* Consumes plain. What it saves must be worth the factor, else it stays as it is. */
static zend_string *compress(const memcached_client *client, zend_string *plain, uint32_t *flags)
{
	const size_t size = ZSTR_LEN(plain);
	const size_t room = (size_t) ((double) size * 1.05 + 1.0);
	const uint32_t length = (uint32_t) size;
	int level;
	const value_compressor *compressor = compressor_of(client, &level);

	if (compressor->write == NULL || size > VALUE_PLAIN_MAX) {
		return plain;
	}
	zend_string *bytes = zend_string_alloc(LENGTH_SIZE + room, false);
	size_t written = compressor->write(ZSTR_VAL(plain), size, ZSTR_VAL(bytes) + LENGTH_SIZE, room, level);
	if (written == 0 || (double) size <= (double) written * MEMCACHED_G(compression_factor)) {
		zend_string_efree(bytes);
		return plain;
	}
	memcpy(ZSTR_VAL(bytes), &length, LENGTH_SIZE);
	bytes = zend_string_truncate(bytes, LENGTH_SIZE + written, false);
	ZSTR_VAL(bytes)[ZSTR_LEN(bytes)] = '\0';
	zend_string_release(plain);
	*flags |= compressor->bits;
	return bytes;
}

zend_string *memcached_payload_from(const memcached_client *client, zval *value, uint32_t *flags)
{
	bool may_compress = client->compresses;
	smart_str serialized = {0};
	zend_string *bytes;

	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_STRING:
			*flags = STRING;
			bytes = zend_string_copy(Z_STR_P(value));
			break;
		case IS_LONG:
			*flags = INTEGER;
			bytes = zend_long_to_str(Z_LVAL_P(value));
			may_compress = false;
			break;
		case IS_DOUBLE:
			*flags = FLOAT;
			bytes = float_text(Z_DVAL_P(value));
			may_compress = false;
			break;
		case IS_TRUE:
		case IS_FALSE:
			*flags = BOOL;
			bytes = Z_TYPE_P(value) == IS_TRUE ? ZSTR_CHAR('1') : ZSTR_EMPTY_ALLOC();
			may_compress = false;
			break;
		default:
			if (!serialize(client, value, &serialized, flags)) {
				smart_str_free(&serialized);
				return NULL;
			}
			bytes = serialized.s != NULL ? serialized.s : ZSTR_EMPTY_ALLOC();
	}
	/* A threshold below 0 is none: it is compared without its sign. */
	if (may_compress && ZSTR_LEN(bytes) > 0 && ZSTR_LEN(bytes) >= (size_t) MEMCACHED_G(compression_threshold)) {
		bytes = compress(client, bytes, flags);
	}
	if (client->user_flags >= 0) {
		*flags |= (uint32_t) client->user_flags << 16;
	}
	return bytes;
}

/* ---- reading ---- */

/* Consumes bytes. NULL: damaged, with a warning. */
static zend_string *decompress(zend_string *bytes, uint32_t flags)
{
	const value_compressor *compressor = value_compressor_of_bits(flags & INTERNAL);
	value_limits limits = {.most = VALUE_PLAIN_MAX};
	zend_string *plain = NULL;
	uint32_t length;

	if (ZSTR_LEN(bytes) < LENGTH_SIZE) {
		zend_string_release(bytes);
		return NULL;
	}
	if (compressor == NULL) {
		php_error_docref(NULL, E_WARNING, "could not decompress value: unrecognised compression type");
		zend_string_release(bytes);
		return NULL;
	}
	memcpy(&length, ZSTR_VAL(bytes), LENGTH_SIZE);
	plain = compressor->read(ZSTR_VAL(bytes) + LENGTH_SIZE, ZSTR_LEN(bytes) - LENGTH_SIZE, length, &limits);
	zend_string_release(bytes);
	if (plain == NULL) {
		php_error_docref(NULL, E_WARNING, "could not decompress value");
	}
	return plain;
}

static memcached_payload unserialize(
	const memcached_client *client, const value_serializer *serializer, const zend_string *bytes, zval *value)
{
	const char *text = ZSTR_VAL(bytes);
	bool is_read;

	if (!value_serializer_is_loaded(serializer)) {
		php_error_docref(NULL, E_WARNING, "could not unserialize value, no %s support", serializer->name);
		return MEMCACHED_PAYLOAD_DAMAGED;
	}
	if (!dropin_is_allowed(client->allowed, serializer->classes, text, ZSTR_LEN(bytes), "unserialize")) {
		return MEMCACHED_PAYLOAD_REFUSED;
	}
	if (serializer == &value_serializer_php) {
		is_read = dropin_unserialize(bytes, client->allowed, value);
	} else {
		is_read = value_serializer_read(serializer, text, ZSTR_LEN(bytes), NULL, value) == SUCCESS;
	}
	if (is_read) {
		return MEMCACHED_PAYLOAD_READ;
	}
	php_error_docref(NULL, E_WARNING, "could not unserialize value%s%s",
		serializer == &value_serializer_php ? "" : " with ",
		serializer == &value_serializer_php ? "" : serializer->name);
	return MEMCACHED_PAYLOAD_DAMAGED;
}

static memcached_payload read_plain(
	const memcached_client *client, const zend_string *bytes, uint32_t type, zval *value)
{
	switch (type) {
		case INTEGER:
			ZVAL_LONG(value, ZEND_STRTOL(ZSTR_VAL(bytes), NULL, 10));
			return MEMCACHED_PAYLOAD_READ;
		case FLOAT:
			ZVAL_DOUBLE(value, read_float(bytes));
			return MEMCACHED_PAYLOAD_READ;
		case BOOL:
			ZVAL_BOOL(value, ZSTR_VAL(bytes)[0] == '1');
			return MEMCACHED_PAYLOAD_READ;
		case SERIALIZED:
			return unserialize(client, &value_serializer_php, bytes, value);
		case IGBINARY:
			return unserialize(client, &value_serializer_igbinary, bytes, value);
		case JSON:
			php_json_decode(value, ZSTR_VAL(bytes), ZSTR_LEN(bytes),
				client->serializer == MEMCACHED_SERIALIZER_JSON_ARRAY, PHP_JSON_PARSER_DEFAULT_DEPTH);
			return MEMCACHED_PAYLOAD_READ;
		case MSGPACK:
			return unserialize(client, &value_serializer_msgpack, bytes, value);
		default:
			php_error_docref(NULL, E_WARNING, "unknown payload type");
			return MEMCACHED_PAYLOAD_DAMAGED;
	}
}

memcached_payload memcached_payload_read(
	const memcached_client *client, zend_string *bytes, uint32_t flags, zval *value)
{
	if ((flags & COMPRESSED) != 0) {
		bytes = decompress(bytes, flags);
		if (bytes == NULL) {
			return MEMCACHED_PAYLOAD_DAMAGED;
		}
	}
	if ((flags & TYPE) == STRING) {
		ZVAL_STR(value, bytes);
		return MEMCACHED_PAYLOAD_READ;
	}
	memcached_payload read = read_plain(client, bytes, flags & TYPE, value);
	zend_string_release(bytes);
	if (EG(exception) == NULL) {
		return read;
	}
	if (read == MEMCACHED_PAYLOAD_READ) {
		zval_ptr_dtor(value);
	}
	return MEMCACHED_PAYLOAD_REFUSED;
}

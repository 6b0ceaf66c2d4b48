#include "value_codec.h"
#include "value_compat.h"
#include "value_engine.h"
#include "value_layouts.h"

#include "zend_smart_str.h"
#include "zend_strtod.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	INTEGER_ROOM = 24,
	TIMED_SIZE = 4096,          /* what is smaller takes no longer to decode than to receive, and the clock is not asked */
};

static const size_t default_threshold = 2000;
static const double default_factor = 1.3;

/* ---- the format ---- */

static zend_result find_serializer(value_format *format, const char *name, char *why)
{
	format->serializer = value_serializer_named(name);
	if (!format->serializer) {
		snprintf(why, VALUE_FORMAT_WHY,
			"serializer \"%.40s\" is unknown: there are php, igbinary, msgpack, json and none", name);
		return FAILURE;
	}
	if (!value_serializer_is_loaded(format->serializer)) {
		snprintf(why, VALUE_FORMAT_WHY, "serializer \"%s\" needs the extension %s, which is not loaded", name,
			format->serializer->extension);
		return FAILURE;
	}
	if (!format->layout->can_tell_serializer(format->serializer)) {
		snprintf(why, VALUE_FORMAT_WHY, "serializer \"%s\" cannot be told in the layout %s, which has %s", name,
			format->layout->name, format->layout->serializers);
		return FAILURE;
	}
	return SUCCESS;
}

static zend_result find_compressor(value_format *format, const char *name, char *why)
{
	format->compressor = value_compressor_named(name);
	if (!format->compressor) {
		snprintf(why, VALUE_FORMAT_WHY, "compressor \"%.40s\" is unknown: there are none, zlib, zstd and lz4", name);
		return FAILURE;
	}
	if (!format->compressor->readable) {
		snprintf(why, VALUE_FORMAT_WHY, "compressor \"%s\" is not in this build, for its library was not there", name);
		return FAILURE;
	}
	if (format->compressor == &value_compressor_fastlz) {
		snprintf(why, VALUE_FORMAT_WHY,
			"compressor \"fastlz\" can be read but not written: there are none, zlib, zstd and lz4");
		return FAILURE;
	}
	if (!format->layout->can_tell_compressor(format->compressor)) {
		snprintf(why, VALUE_FORMAT_WHY, "compressor \"%s\" cannot be told in the layout %s, which has %s", name,
			format->layout->name, format->layout->compressors);
		return FAILURE;
	}
	return SUCCESS;
}

zend_result value_format_find(value_format *format, const char *layout, const char *serializer, const char *compressor,
	char why[VALUE_FORMAT_WHY])
{
	format->threshold = default_threshold;
	format->factor = default_factor;
	format->allowed = NULL;
	format->layout = layout ? value_layout_named(layout) : &value_layout_memcached;
	if (!format->layout) {
		snprintf(why, VALUE_FORMAT_WHY, "layout \"%.40s\" is unknown: there are memcached and memcache", layout);
		return FAILURE;
	}
	if (find_serializer(format, serializer ? serializer : "php", why) == FAILURE) {
		return FAILURE;
	}
	return find_compressor(format, compressor ? compressor : "none", why);
}

/* ---- encoding ---- */

static bool is_space(char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/*
 * Whether the server would take these bytes for a number: it reads blanks, a sign, digits, and is content with a blank,
 * a line's end or a NUL behind them, whatever follows. Only blanks count too: it would read on behind the item.
 */
static bool server_counts(const char *bytes, size_t size)
{
	size_t at = 0, first;

	while (at < size && is_space(bytes[at])) {
		at++;
	}
	if (at == size) {
		return size > 0;
	}
	if (bytes[at] == '+' || bytes[at] == '-') {
		at++;
	}
	first = at;
	while (at < size && bytes[at] >= '0' && bytes[at] <= '9') {
		at++;
	}
	return at > first && (at == size || bytes[at] == '\0' || is_space(bytes[at]));
}

/* The bytes compressed, or NULL where that is not worth it, or where the server could take them for a number. */
static zend_string *compress(const value_format *format, const zend_string *plain)
{
	size_t size = ZSTR_LEN(plain);
	size_t head = format->layout->has_length ? VALUE_LENGTH_SIZE : 0;
	uint32_t length = (uint32_t)size;
	double most = (double)size / format->factor;
	size_t room = most < (double)size ? (size_t)most : size;
	zend_string *bytes;
	size_t written;

	if (!format->compressor->write || size < format->threshold || size > VALUE_PLAIN_MAX || room == 0) {
		return NULL;
	}
	bytes = zend_string_alloc(head + room, false);
	written = format->compressor->write(ZSTR_VAL(plain), size, ZSTR_VAL(bytes) + head, room, VALUE_LEVEL_DEFAULT);
	if (written == 0 || !((double)size > (double)written * format->factor)) {
		zend_string_efree(bytes);
		return NULL;
	}
	memcpy(ZSTR_VAL(bytes), &length, head);
	bytes = zend_string_truncate(bytes, head + written, false);
	ZSTR_VAL(bytes)[head + written] = '\0';
	if (server_counts(ZSTR_VAL(bytes), ZSTR_LEN(bytes))) {
		zend_string_efree(bytes);
		return NULL;
	}
	return bytes;
}

/* Takes over plain. */
static void finish(const value_format *format, zend_string *plain, uint32_t flags, value_encoded *encoded)
{
	zend_string *compressed = compress(format, plain);

	if (compressed) {
		zend_string_release(plain);
		plain = compressed;
		flags |= format->layout->compressed_flags(format->compressor);
	}
	encoded->bytes = plain;
	encoded->flags = flags;
}

static zend_result encode_serialized(
	const value_format *format, const value_serializer *serializer, zval *value, value_encoded *encoded)
{
	smart_str bytes = {0};

	if (value_serializer_write(serializer, value, format->allowed, &bytes) == FAILURE) {
		return FAILURE;
	}
	finish(format, bytes.s, format->layout->serialized_flags(serializer), encoded);
	return SUCCESS;
}

/*
 * A string that the server would count is serialized, by PHP's own serializer, which has a form for any bytes. With the
 * serializer none it stays as it is: who asked for untouched bytes gets them.
 */
static zend_result encode_string(const value_format *format, zval *value, value_encoded *encoded)
{
	if (Z_STRLEN_P(value) == 0) {
		*encoded = (value_encoded) { .bytes = ZSTR_EMPTY_ALLOC(), .flags = VALUE_FLAGS_EMPTY };
		return SUCCESS;
	}
	if (format->serializer->write && server_counts(Z_STRVAL_P(value), Z_STRLEN_P(value))) {
		return encode_serialized(format, &value_serializer_php, value, encoded);
	}
	finish(format, zend_string_copy(Z_STR_P(value)), 0, encoded);
	return SUCCESS;
}

/*
 * The fewest digits that read back as the same number, always with a point or a letter in it: the server does not count
 * it.
 */
static zend_string *float_text(double number)
{
	smart_str text = {0};

	if (isnan(number)) {
		return zend_string_init(ZEND_STRL("NaN"), false);
	}
	if (isinf(number)) {
		return number > 0
			? zend_string_init(ZEND_STRL("Infinity"), false)
			: zend_string_init(ZEND_STRL("-Infinity"), false);
	}
	smart_str_append_double(&text, number, -1, true);
	smart_str_0(&text);
	return text.s;
}

zend_result value_encode(const value_format *format, zval *value, value_encoded *encoded)
{
	const value_constant *constant;

	ZVAL_DEREF(value);
	switch (Z_TYPE_P(value)) {
		case IS_LONG:
			*encoded = (value_encoded) { .bytes = zend_long_to_str(Z_LVAL_P(value)),
				.flags = format->layout->integer_flags };
			return SUCCESS;
		case IS_DOUBLE:
			*encoded = (value_encoded) { .bytes = float_text(Z_DVAL_P(value)), .flags = format->layout->float_flags };
			return SUCCESS;
		case IS_TRUE:
		case IS_FALSE:
			constant = Z_TYPE_P(value) == IS_TRUE ? &format->layout->on : &format->layout->off;
			encoded->bytes = zend_string_init(constant->bytes, strlen(constant->bytes), false);
			encoded->flags = constant->flags;
			return SUCCESS;
		case IS_STRING:
			return encode_string(format, value, encoded);
		default:
			return encode_serialized(format, format->serializer, value, encoded);
	}
}

uint32_t value_integer_flags(const value_format *format)
{
	return format->layout->integer_flags;
}

/* The server's numbers have no sign: one below 0 is its two's complement. */
size_t value_integer_text(char at[24], zend_long number)
{
	int length = snprintf(at, INTEGER_ROOM, "%" PRIu64, (uint64_t)(int64_t)number);

	return (size_t)length;
}

/* ---- decoding ---- */

/* Takes over bytes; NULL: damaged. */
static zend_string *decompress(const value_form *form, zend_string *bytes, value_limits *limits)
{
	size_t head = form->has_length ? VALUE_LENGTH_SIZE : 0;
	zend_string *plain = NULL;
	uint32_t length;

	if (ZSTR_LEN(bytes) >= head && form->compressor->read) {
		memcpy(&length, ZSTR_VAL(bytes), head);
		plain = form->compressor->read(
			ZSTR_VAL(bytes) + head, ZSTR_LEN(bytes) - head, head ? length : SIZE_MAX, limits);
	}
	zend_string_release(bytes);
	return plain;
}

/* As strtol() reads, but for what the server made of a number below 0. What does not fit is the nearest that does. */
static zend_result read_integer(const char *at, zval *value)
{
	uint64_t number;
	char *end;

	while (is_space(*at)) {
		at++;
	}
	errno = 0;
	if (*at == '-') {
		ZVAL_LONG(value, (zend_long)ZEND_STRTOL(at, &end, 10));
		return end > at ? SUCCESS : FAILURE;
	}
	number = strtoull(at, &end, 10);
	if (end == at) {
		return FAILURE;
	}
	ZVAL_LONG(value, errno == ERANGE ? ZEND_LONG_MAX : (zend_long)number);
	return SUCCESS;
}

static bool names_infinity(const char *at)
{
	return strcasecmp(at, "inf") == 0 || strcasecmp(at, "infinity") == 0;
}

static zend_result read_float(const char *at, zval *value)
{
	const char *end;
	double number;

	if (strcasecmp(at, "nan") == 0 || strcasecmp(at, "-nan") == 0) {
		number = ZEND_NAN;
	} else if (names_infinity(at)) {
		number = ZEND_INFINITY;
	} else if (*at == '-' && names_infinity(at + 1)) {
		number = -ZEND_INFINITY;
	} else {
		number = zend_strtod(at, &end);
		if (end == at) {
			return FAILURE;
		}
	}
	ZVAL_DOUBLE(value, number);
	return SUCCESS;
}

/*
 * Whoever chose a serializer that knows no classes gets values of no other one. But the layouts have no form of their
 * own for some strings and booleans, and write these serialized.
 */
static bool is_ours(const value_format *format, const value_form *form, const zend_string *bytes)
{
	if (format->serializer->classes || form->serializer == format->serializer) {
		return true;
	}
	if (form->serializer == &value_serializer_php && strchr("sbidN", ZSTR_VAL(bytes)[0]) && ZSTR_LEN(bytes) > 0) {
		return true;
	}
	value_flaw_note(VALUE_FLAW_BYTES, "the serializer %s wrote it, and ours is %s", form->serializer->name,
		format->serializer->name);
	return false;
}

/* Takes over bytes, which are no longer compressed. */
static zend_result decode_plain(const value_format *format, const value_form *form, zend_string *bytes, zval *value)
{
	zend_result result = SUCCESS;

	switch (form->kind) {
		case VALUE_KIND_STRING:
			ZVAL_STR(value, bytes);
			return SUCCESS;
		case VALUE_KIND_INTEGER:
			result = read_integer(ZSTR_VAL(bytes), value);
			break;
		case VALUE_KIND_FLOAT:
			result = read_float(ZSTR_VAL(bytes), value);
			break;
		case VALUE_KIND_BOOL:
			ZVAL_BOOL(value, ZSTR_VAL(bytes)[0] == '1');
			break;
		case VALUE_KIND_SERIALIZED:
			result = is_ours(format, form, bytes) ? value_serializer_read(form->serializer, ZSTR_VAL(bytes),
					ZSTR_LEN(bytes), format->allowed, value)
				: FAILURE;
			break;
	}
	zend_string_release(bytes);
	return result;
}

/* Takes over bytes. False: damaged, or in no form that we know. */
static bool tell_plain(value_form *form, zend_string **bytes, uint32_t flags, value_limits *limits)
{
	limits->excess = VALUE_EXCESS_NONE;
	if (!value_form_tell(ZSTR_VAL(*bytes), ZSTR_LEN(*bytes), flags, form)) {
		zend_string_release(*bytes);
		return false;
	}
	if (!form->compressor && ZSTR_LEN(*bytes) < TIMED_SIZE) {
		return true;
	}
	if (form->kind == VALUE_KIND_STRING && !form->compressor) {
		return true;
	}
	if (!value_in_time(limits)) {
		zend_string_release(*bytes);
		return false;
	}
	if (form->compressor) {
		*bytes = decompress(form, *bytes, limits);
	}
	return *bytes != NULL;
}

zend_result value_decode(
	const value_format *format, zend_string *bytes, uint32_t flags, value_limits *limits, zval *value)
{
	value_form form;

	return tell_plain(&form, &bytes, flags, limits) ? decode_plain(format, &form, bytes, value) : FAILURE;
}

/* Strings are serialized by PHP's own serializer alone, and only those that the server would count. */
zend_string *value_decode_text(zend_string *bytes, uint32_t flags, value_limits *limits)
{
	value_form form;
	zval value;

	if (!tell_plain(&form, &bytes, flags, limits)) {
		return NULL;
	}
	bool is_text = form.kind == VALUE_KIND_STRING
		|| (form.kind == VALUE_KIND_SERIALIZED && form.serializer == &value_serializer_php
			&& strncmp(ZSTR_VAL(bytes), "s:", 2) == 0);
	if (!is_text) {
		zend_string_release(bytes);
		return NULL;
	}
	if (form.kind == VALUE_KIND_STRING) {
		return bytes;
	}
	zend_result result = value_serializer_php.read(ZSTR_VAL(bytes), ZSTR_LEN(bytes), NULL, &value);
	zend_string_release(bytes);
	return result == SUCCESS ? Z_STR(value) : NULL;
}

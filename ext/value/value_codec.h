/*
 * A PHP value as the bytes and flags of a memcached item, in the layouts of ext-memcached and of pecl-memcache, and
 * back from either.
 *
 * Encoding may run user code (__serialize, __sleep) and so may decoding (__unserialize, __wakeup): the caller
 * does both only while no reply is outstanding. All memory is the request's.
 *
 * What is written can be read by the client whose layout it is, and its numbers stay countable by the server while
 * nothing else is: the strings "7" and "007", the float 7.0 and true are written in forms that the server's arithmetic
 * refuses. An integer below 0 may come back as the server counts it, in two's complement of 64 bits.
 */
#ifndef VALUE_CODEC_H
#define VALUE_CODEC_H

#include "php.h"

#include "value_allowed.h"
#include "value_limits.h"

typedef struct value_serializer value_serializer;       /* value_serializers.c: php igbinary msgpack json none */
/* value_compressors.c: none zlib zstd lz4; fastlz is read only */
typedef struct value_compressor value_compressor;
typedef struct value_layout value_layout;               /* value_layouts.c: memcached memcache */

typedef struct value_format {
	const value_layout *layout;
	const value_serializer *serializer;
	const value_compressor *compressor;
	size_t threshold;           /* bytes from which compression is tried */
	double factor;              /* kept if plain size > compressed size * factor */
	const value_allowed *allowed;   /* of which classes values may be, written and read */
} value_format;

#define VALUE_FORMAT_WHY 200

/*
 * By the names of the options; NULL: the default (memcached, php, none). FAILURE with a sentence in why that names the
 * option, and what there is: an unknown name, an extension that is not loaded, a serializer or compressor that the
 * layout cannot tell.
 */
zend_result value_format_find(value_format *format, const char *layout, const char *serializer, const char *compressor,
	char why[VALUE_FORMAT_WHY]);

typedef struct value_encoded {
	zend_string *bytes;         /* owned */
	uint32_t flags;
} value_encoded;

/*
 * FAILURE with UnstorableValue, or with what user code threw. With the serializer none only strings, numbers, booleans
 * can be stored.
 */
zend_result value_encode(const value_format *format, zval *value, value_encoded *encoded);

/*
 * Reads what either layout and any serializer wrote, except where the format's own has no classes (json, none): then
 * what that has not written is damaged.
 *
 * Consumes bytes in every case: a plain string is handed on without a copy. FAILURE with what user code threw, or
 * without an exception when the bytes are not what the flags say (damaged, or another program's): the caller takes that
 * for a miss. limits->excess is set when they were, but would cost too much.
 */
zend_result value_decode(
	const value_format *format, zend_string *bytes, uint32_t flags, value_limits *limits, zval *value);

/* The bits of flags that tell a form. None of them: a string, byte for byte, to which the server may add others. */
enum { VALUE_FLAGS_FORM = 0x0001ffff };

/*
 * The string that bytes and flags stand for, in whatever form. Consumes bytes, and runs no user code. NULL: another
 * type, or damaged.
 */
zend_string *value_decode_text(zend_string *bytes, uint32_t flags, value_limits *limits);

/* The flags of an integer in this layout, and an integer as text for the server to count: at most 20 bytes. */
uint32_t value_integer_flags(const value_format *format);
size_t value_integer_text(char at[24], zend_long number);

#endif

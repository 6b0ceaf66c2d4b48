/*
 * The serializers, one struct of functions each, for what the layouts have no form of their own for. They run user
 * code.
 */
#ifndef VALUE_SERIALIZERS_H
#define VALUE_SERIALIZERS_H

#include "value_codec.h"
#include "zend_smart_str.h"

struct value_serializer {
	const char *name;
	uint32_t type;              /* in the flags of ext-memcached */
	const char *extension;      /* that must be loaded; NULL: none, or one that always is */
	/* FAILURE always with an exception. NULL: none, stores no more than the layouts do by themselves. */
	zend_result (*write)(zval *value, smart_str *to);
	/* FAILURE with what user code threw, or without an exception; value is then not set. */
	zend_result (*read)(const char *from, size_t size, const value_allowed *allowed, zval *value);
	value_class_walk *classes;  /* NULL: it knows no classes */
	bool needs_whole;           /* read() does not bear bytes that are not */
};

extern const value_serializer value_serializer_none;
extern const value_serializer value_serializer_php;
extern const value_serializer value_serializer_igbinary;
extern const value_serializer value_serializer_json;
extern const value_serializer value_serializer_msgpack;

/* NULL: there is none of that name. */
const value_serializer *value_serializer_named(const char *name);

bool value_serializer_is_loaded(const value_serializer *serializer);

/*
 * serializer->write() behind a look for what PHP's serializers would turn into something else without a word:
 * resources. And before one for classes that are not allowed.
 */
zend_result value_serializer_write(
	const value_serializer *serializer, zval *value, const value_allowed *allowed, smart_str *to);

/* serializer->read() behind a walk for classes that are not allowed. */
zend_result value_serializer_read(
	const value_serializer *serializer, const char *from, size_t size, const value_allowed *allowed, zval *value);

#endif

/*
 * igbinary and msgpack: extensions that may be loaded before us, after us, or never. So their C functions are looked up
 * in the loaded module when they are needed; a module that hides them is called through its PHP functions.
 */
#include "value_compat.h"
#include "value_engine.h"
#include "value_errors.h"
#include "value_serializers.h"

#include "zend_exceptions.h"
#include "zend_modules.h"

typedef int (*igbinary_write)(uint8_t **to, size_t *size, zval *value);
typedef int (*igbinary_read)(const uint8_t *from, size_t size, zval *value);
typedef void (*msgpack_write)(smart_str *to, zval *value);
typedef int (*msgpack_read)(zval *value, char *from, size_t size);

typedef struct loaded_functions {
	const zend_module_entry *module;    /* whose functions these are */
	void *write, *read;                 /* NULL: hidden */
} loaded_functions;

ZEND_TLS loaded_functions igbinary;
ZEND_TLS loaded_functions msgpack;

/* Into *known, which is right as long as the module is the same. False: not loaded. */
static bool find_functions(loaded_functions *known, const char *name, const char *write, const char *read)
{
	const zend_module_entry *module = zend_hash_str_find_ptr(&module_registry, name, strlen(name));

	if (module && module != known->module) {
		known->module = module;
		known->write = (void *)DL_FETCH_SYMBOL(module->handle, write);
		known->read = (void *)DL_FETCH_SYMBOL(module->handle, read);
	}
	return module != NULL;
}

static bool find_igbinary(void)
{
	return find_functions(&igbinary, "igbinary", "igbinary_serialize", "igbinary_unserialize");
}

static bool find_msgpack(void)
{
	return find_functions(&msgpack, "msgpack", "php_msgpack_serialize", "php_msgpack_unserialize");
}

bool value_serializer_is_loaded(const value_serializer *serializer)
{
	return !serializer->extension
		|| zend_hash_str_exists(&module_registry, serializer->extension, strlen(serializer->extension));
}

/* False, with returned not set, when there is no such function or it threw. */
static bool call_function(const char *name, zval *argument, zval *returned)
{
	zend_function *function = zend_hash_str_find_ptr(CG(function_table), name, strlen(name));

	if (!function) {
		return false;
	}
	ZVAL_UNDEF(returned);
	zend_call_known_function(function, NULL, NULL, returned, 1, argument, NULL);
	if (EG(exception)) {
		zval_ptr_dtor(returned);
		return false;
	}
	return true;
}

static zend_result write_by_call(const char *name, zval *value, smart_str *to)
{
	zval returned;

	if (!call_function(name, value, &returned)) {
		return FAILURE;
	}
	if (Z_TYPE(returned) == IS_STRING) {
		smart_str_append(to, Z_STR(returned));
	}
	zval_ptr_dtor(&returned);
	return to->s ? SUCCESS : FAILURE;
}

/* Both say false for damaged bytes; a false itself is never written by a serializer. */
static zend_result read_by_call(const char *name, const char *from, size_t size, zval *value)
{
	zval argument;
	bool called;

	ZVAL_STRINGL(&argument, from, size);
	called = call_function(name, &argument, value);
	zval_ptr_dtor(&argument);
	return called && Z_TYPE_P(value) != IS_FALSE ? SUCCESS : FAILURE;
}

static zend_result refuse(const char *extension)
{
	if (!EG(exception)) {
		zend_throw_exception_ex(
			larder_unstorable_value_ce, 0, "the value cannot be stored: %s does not serialize it", extension);
	}
	return FAILURE;
}

static zend_result write_igbinary(zval *value, smart_str *to)
{
	uint8_t *bytes = NULL;
	size_t size = 0;

	if (!find_igbinary()) {
		return refuse("igbinary");
	}
	if (!igbinary.write) {
		return write_by_call("igbinary_serialize", value, to) == SUCCESS ? SUCCESS : refuse("igbinary");
	}
	if (((igbinary_write)igbinary.write)(&bytes, &size, value) != 0 || EG(exception)) {
		if (bytes) {
			efree(bytes);
		}
		return refuse("igbinary");
	}
	smart_str_appendl(to, (const char *)bytes, size);
	efree(bytes);
	return SUCCESS;
}

static zend_result write_msgpack(zval *value, smart_str *to)
{
	if (!find_msgpack()) {
		return refuse("msgpack");
	}
	if (!msgpack.write) {
		return write_by_call("msgpack_serialize", value, to) == SUCCESS ? SUCCESS : refuse("msgpack");
	}
	((msgpack_write)msgpack.write)(to, value);
	return to->s && !EG(exception) ? SUCCESS : refuse("msgpack");
}

typedef struct loaded_reading {
	const char *from;
	size_t size;
	zval *value;
} loaded_reading;

static zend_result read_igbinary(void *opaque)
{
	const loaded_reading *reading = opaque;

	if (!igbinary.read) {
		return read_by_call("igbinary_unserialize", reading->from, reading->size, reading->value);
	}
	return ((igbinary_read)igbinary.read)((const uint8_t *)reading->from, reading->size, reading->value) == 0
		? SUCCESS
		: FAILURE;
}

static zend_result read_msgpack(void *opaque)
{
	const loaded_reading *reading = opaque;

	if (!msgpack.read) {
		return read_by_call("msgpack_unserialize", reading->from, reading->size, reading->value);
	}
	return ((msgpack_read)msgpack.read)(reading->value, (char *)reading->from, reading->size) == SUCCESS
		? SUCCESS
		: FAILURE;
}

static zend_result read_loaded(zend_result (*read)(void *), const char *from, size_t size, zval *value)
{
	loaded_reading reading = { from, size, value };
	value_outer outer = value_set_aside();
	zend_result result;

	ZVAL_UNDEF(value);
	result = value_quietly(read, &reading);
	if (value_is_incomplete()) {
		result = FAILURE;
	}
	value_set_back(&outer);
	if (result == FAILURE || EG(exception)) {
		zval_ptr_dtor(value);
		return FAILURE;
	}
	if (Z_ISREF_P(value)) {
		zend_unwrap_reference(value);
	}
	return SUCCESS;
}

static zend_result read_loaded_igbinary(const char *from, size_t size, const value_allowed *allowed, zval *value)
{
	(void)allowed;
	return find_igbinary() ? read_loaded(read_igbinary, from, size, value) : FAILURE;
}

static zend_result read_loaded_msgpack(const char *from, size_t size, const value_allowed *allowed, zval *value)
{
	(void)allowed;
	return find_msgpack() ? read_loaded(read_msgpack, from, size, value) : FAILURE;
}

const value_serializer value_serializer_igbinary = {
	.name = "igbinary",
	.type = 5,
	.extension = "igbinary",
	.write = write_igbinary,
	.read = read_loaded_igbinary,
	.classes = value_classes_in_igbinary,
};

const value_serializer value_serializer_msgpack = {
	.name = "msgpack",
	.type = 7,
	.extension = "msgpack",
	.write = write_msgpack,
	.read = read_loaded_msgpack,
	.classes = value_classes_in_msgpack,
	/* The extension breaks the heap on bytes that are cut or that promise more than there is (2.2.0). */
	.needs_whole = true,
};

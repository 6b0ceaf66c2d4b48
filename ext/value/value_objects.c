/*
 * Objects: the leaves that PHP's own serializer stores. All of a value's go through one context, one after the other, so that an
 * object that two of them hold comes back as one. Runs user code; php's serializer state is set aside meanwhile, or an
 * unserialize() that called us, through a class's method, would count our objects among its own.
 */
#include "value_compat.h"
#include "value_work.h"

#include "ext/standard/basic_functions.h"
#include "ext/standard/php_var.h"
#include "zend_exceptions.h"

typedef struct value_outer {
	struct php_serialize_data *serialize_data;
	struct php_unserialize_data *unserialize_data;
	unsigned serialize_level, unserialize_level, lock;
} value_outer;

static value_outer set_aside(void)
{
	value_outer outer = {
		.serialize_data = BG(serialize).data,
		.unserialize_data = BG(unserialize).data,
		.serialize_level = BG(serialize).level,
		.unserialize_level = BG(unserialize).level,
		.lock = BG(serialize_lock),
	};

	BG(serialize).level = 0;
	BG(unserialize).level = 0;
	BG(serialize_lock) = 0;
	return outer;
}

static void set_back(const value_outer *outer)
{
	BG(serialize).data = outer->serialize_data;
	BG(serialize).level = outer->serialize_level;
	BG(unserialize).data = outer->unserialize_data;
	BG(unserialize).level = outer->unserialize_level;
	BG(serialize_lock) = outer->lock;
}

zend_long value_leaves_number(value_leaves *leaves, zend_object *object)
{
	value_seen *seen = value_map_find(&leaves->numbers, object);

	if (seen) {
		return (zend_long)seen->uses - 1;
	}
	if (leaves->closed) {
		return -1;
	}
	if (leaves->count == leaves->room) {
		leaves->room = leaves->room ? leaves->room * 2 : 8;
		leaves->objects = safe_erealloc(leaves->objects, leaves->room, sizeof(zend_object *), 0);
	}
	GC_ADDREF(object);
	leaves->objects[leaves->count++] = object;
	value_map_add(&leaves->numbers, object)->uses = (uint32_t)leaves->count;
	return (zend_long)leaves->count - 1;
}

/* Whether the pending exception is the engine's word that a class cannot be serialized, rather than something user code threw. */
static bool is_engines_refusal(void)
{
	static const char start[] = "Serialization of '";
	zval place;
	zval *message;

	if (EG(exception)->ce != zend_ce_exception) {
		return false;
	}
	message = zend_read_property_ex(zend_ce_exception, EG(exception), ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &place);
	return Z_TYPE_P(message) == IS_STRING && Z_STRLEN_P(message) >= sizeof(start) - 1
		&& memcmp(Z_STRVAL_P(message), start, sizeof(start) - 1) == 0;
}

zend_result value_leaves_serialize(value_leaves *leaves, const zend_object **refused)
{
	value_outer outer = set_aside();
	const zend_object *last = NULL;
	php_serialize_data_t context;

	*refused = NULL;
	leaves->closed = true;
	PHP_VAR_SERIALIZE_INIT(context);
	for (size_t i = 0; i < leaves->count && !EG(exception); i++) {
		zval leaf;

		ZVAL_OBJ(&leaf, leaves->objects[i]);
		php_var_serialize(&leaves->serialized, &leaf, &context);
		last = leaves->objects[i];
	}
	PHP_VAR_SERIALIZE_DESTROY(context);
	set_back(&outer);
	if (!EG(exception)) {
		return SUCCESS;
	}
	if (last && is_engines_refusal()) {
		*refused = last;
	}
	return FAILURE;
}

void value_leaves_free(value_leaves *leaves)
{
	for (size_t i = 0; i < leaves->count; i++) {
		OBJ_RELEASE(leaves->objects[i]);
	}
	if (leaves->objects) {
		efree(leaves->objects);
	}
	value_map_free(&leaves->numbers);
	smart_str_free(&leaves->serialized);
	memset(leaves, 0, sizeof(*leaves));
}

zend_result value_leaves_unserialize(zval *objects, size_t count, const char *bytes, size_t size)
{
	const unsigned char *at = (const unsigned char *)bytes;
	const unsigned char *end = at + size;
	value_outer outer = set_aside();
	zend_result result = SUCCESS;
	php_unserialize_data_t context;

	PHP_VAR_UNSERIALIZE_INIT(context);
	for (size_t i = 0; i < count && result == SUCCESS; i++) {
		if (!php_var_unserialize(&objects[i], &at, end, &context) || EG(exception)) {
			result = FAILURE;
		}
	}
	/* Here __unserialize and __wakeup are called. */
	PHP_VAR_UNSERIALIZE_DESTROY(context);
	set_back(&outer);
	return EG(exception) || at != end ? FAILURE : result;
}

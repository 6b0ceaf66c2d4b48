/*
 * Objects: the leaves that PHP's own serializer stores. All of a value's go through one context, one after the other,
 * so that an object that two of them hold comes back as one. Runs user code.
 */
#include "value_engine.h"
#include "value_work.h"

#include "ext/standard/php_var.h"

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

zend_result value_leaves_serialize(value_leaves *leaves, const zend_object **refused)
{
	value_outer outer = value_set_aside();
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
	value_set_back(&outer);
	if (!EG(exception)) {
		return SUCCESS;
	}
	if (last && value_engine_refusal()) {
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
	value_outer outer = value_set_aside();
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
	value_set_back(&outer);
	return EG(exception) || at != end ? FAILURE : result;
}

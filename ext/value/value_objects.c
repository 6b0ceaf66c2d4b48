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

typedef struct leaves_reading {
	zval *objects;
	size_t count;
	const unsigned char *at, *end;
	php_unserialize_data_t context;
} leaves_reading;

static zend_result parse_leaves(void *opaque)
{
	leaves_reading *reading = opaque;

	for (size_t i = 0; i < reading->count; i++) {
		if (!php_var_unserialize(&reading->objects[i], &reading->at, reading->end, &reading->context)
				|| EG(exception)) {
			return FAILURE;
		}
	}
	return reading->at == reading->end ? SUCCESS : FAILURE;
}

zend_result value_leaves_unserialize(zval *objects, size_t count, const char *bytes, size_t size)
{
	leaves_reading reading = {
		.objects = objects,
		.count = count,
		.at = (const unsigned char *)bytes,
		.end = (const unsigned char *)bytes + size,
	};
	value_outer outer = value_set_aside();
	zend_result result;

	PHP_VAR_UNSERIALIZE_INIT(reading.context);
	result = value_quietly(parse_leaves, &reading);
	/* Here __unserialize and __wakeup are called. */
	PHP_VAR_UNSERIALIZE_DESTROY(reading.context);
	if (value_is_incomplete()) {
		result = FAILURE;
	}
	value_set_back(&outer);
	return EG(exception) ? FAILURE : result;
}

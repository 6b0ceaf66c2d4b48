#include "value_serializers.h"
#include "value_compat.h"
#include "value_engine.h"
#include "value_errors.h"
#include "value_work.h"

#include "ext/json/php_json.h"
#include "ext/standard/php_var.h"
#include "php_ini.h"
#include "zend_exceptions.h"

/* ---- php ---- */

static zend_result write_php(zval *value, smart_str *to)
{
	value_outer outer = value_set_aside();
	php_serialize_data_t context;

	PHP_VAR_SERIALIZE_INIT(context);
	php_var_serialize(to, value, &context);
	PHP_VAR_SERIALIZE_DESTROY(context);
	value_set_back(&outer);
	return EG(exception) ? FAILURE : SUCCESS;
}

typedef struct php_reading {
	zval value;
	const unsigned char *at, *end;
	php_unserialize_data_t context;
} php_reading;

static zend_result parse_php(void *opaque)
{
	php_reading *reading = opaque;

	return php_var_unserialize(&reading->value, &reading->at, reading->end, &reading->context)
			&& reading->at == reading->end
		? SUCCESS
		: FAILURE;
}

/*
 * Quiet is only what looks at the bytes, not __unserialize and __wakeup, which are called when the context is
 * destroyed.
 */
static zend_result read_php(const char *from, size_t size, const value_allowed *allowed, zval *value)
{
	php_reading reading = { .at = (const unsigned char *)from, .end = (const unsigned char *)from + size };
	value_outer outer = value_set_aside();
	zend_result result;

	ZVAL_UNDEF(&reading.value);
	PHP_VAR_UNSERIALIZE_INIT(reading.context);
	if (allowed) {
		/* The walk has seen to that. This also holds for what a Serializable unserializes by itself. */
		php_var_unserialize_set_allowed_classes(reading.context, (HashTable *)&allowed->names);
	}
	result = value_quietly(parse_php, &reading);
	PHP_VAR_UNSERIALIZE_DESTROY(reading.context);
	if (value_is_incomplete()) {
		result = FAILURE;
	}
	value_set_back(&outer);
	if (result == FAILURE || EG(exception)) {
		zval_ptr_dtor(&reading.value);
		return FAILURE;
	}
	if (Z_ISREF(reading.value)) {
		zend_unwrap_reference(&reading.value);
	}
	ZVAL_COPY_VALUE(value, &reading.value);
	return SUCCESS;
}

/* ---- json ---- */

static const char *json_reason(php_json_error_code code)
{
	switch (code) {
		case PHP_JSON_ERROR_DEPTH:
			return "it is nested too deeply";
		case PHP_JSON_ERROR_UTF8:
		case PHP_JSON_ERROR_UTF16:
			return "a string in it is not UTF-8";
		case PHP_JSON_ERROR_RECURSION:
			return "it contains itself";
		case PHP_JSON_ERROR_INF_OR_NAN:
			return "INF and NAN have no form there";
		default:
			return "something in it has no form there";
	}
}

/* json_last_error() is the user's: it is left as it was. */
static zend_result write_json(zval *value, smart_str *to)
{
	php_json_error_code users = JSON_G(error_code);
	php_json_error_code code;
	zend_result result = php_json_encode_ex(to, value,
		PHP_JSON_PRESERVE_ZERO_FRACTION | PHP_JSON_UNESCAPED_SLASHES | PHP_JSON_UNESCAPED_UNICODE,
		PHP_JSON_PARSER_DEFAULT_DEPTH);

	code = JSON_G(error_code);
	JSON_G(error_code) = users;
	if (EG(exception)) {
		return FAILURE;
	}
	if (result == FAILURE || code != PHP_JSON_ERROR_NONE) {
		zend_throw_exception_ex(
			larder_unstorable_value_ce, 0, "the value cannot be stored as JSON: %s", json_reason(code));
		return FAILURE;
	}
	return SUCCESS;
}

static zend_result read_json(const char *from, size_t size, const value_allowed *allowed, zval *value)
{
	php_json_error_code users = JSON_G(error_code);
	zend_result result = php_json_decode_ex(value, from, size, PHP_JSON_OBJECT_AS_ARRAY, PHP_JSON_PARSER_DEFAULT_DEPTH);

	(void)allowed;
	JSON_G(error_code) = users;
	return result;
}

/* ---- all of them ---- */

const value_serializer value_serializer_none = { .name = "none" };
const value_serializer value_serializer_php = {
	.name = "php", .type = 4, .write = write_php, .read = read_php, .classes = value_classes_in_php};
const value_serializer value_serializer_json = { .name = "json", .type = 6, .write = write_json, .read = read_json };

const value_serializer *value_serializer_named(const char *name)
{
	static const value_serializer *const serializers[] = {
		&value_serializer_php,
		&value_serializer_igbinary,
		&value_serializer_msgpack,
		&value_serializer_json,
		&value_serializer_none,
	};

	for (size_t i = 0; i < sizeof(serializers) / sizeof(*serializers); i++) {
		if (strcmp(serializers[i]->name, name) == 0) {
			return serializers[i];
		}
	}
	return NULL;
}

typedef struct look {
	const value_serializer *serializer;
	zend_long depth_max;        /* 0: none */
	bool has_references, has_objects;   /* found one */
} look;

/* msgpack writes an enum as any object, and then cannot make one. JSON has no classes. */
static zend_result look_at_object(look *look, zval *value, const value_frame *above)
{
	zend_class_entry *class = Z_OBJCE_P(value);

	look->has_objects = true;
	if (look->serializer == &value_serializer_json) {
		value_refuse(above, VALUE_REFUSE_NO_CLASSES, value);
		return FAILURE;
	}
	if (look->serializer == &value_serializer_msgpack && (class->ce_flags & ZEND_ACC_ENUM)) {
		zend_throw_exception_ex(larder_unstorable_value_ce, 0,
			"the value cannot be stored: msgpack cannot restore the enum %s", ZSTR_VAL(class->name));
		return FAILURE;
	}
	if (!(class->ce_flags & ZEND_ACC_NOT_SERIALIZABLE)) {
		return SUCCESS;
	}
	value_refuse(above, VALUE_REFUSE_OBJECT, value);
	return FAILURE;
}

static zend_result look_at(look *look, zval *value, const value_frame *above);

/* A literal array holds none of what we look for. */
static zend_result look_into(look *look, HashTable *table, const value_frame *above)
{
	value_frame frame = { .above = above, .table = table, .depth = above ? above->depth + 1 : 1 };
	zend_result result = SUCCESS;

	if (GC_FLAGS(table) & GC_IMMUTABLE) {
		return SUCCESS;
	}
	if (GC_IS_RECURSIVE(table)) {
		value_refuse(above, VALUE_REFUSE_CYCLE, NULL);
		return FAILURE;
	}
	if (look->depth_max > 0 && frame.depth > look->depth_max) {
		zend_throw_exception_ex(larder_unstorable_value_ce, 0,
			"the value is nested in more than unserialize_max_depth (" ZEND_LONG_FMT
			") arrays, so it could not be read again",
			look->depth_max);
		return FAILURE;
	}
	GC_PROTECT_RECURSION(table);
	for (uint32_t i = 0; i < table->nNumUsed && result == SUCCESS; i++) {
		zval *element = HT_IS_PACKED(table) ? value_slot_zval(value_slots(table) + i) : &table->arData[i].val;

		frame.position = i;
		result = look_at(look, element, &frame);
	}
	GC_UNPROTECT_RECURSION(table);
	return result;
}

static zend_result look_at(look *look, zval *value, const value_frame *above)
{
	if (Z_TYPE_P(value) == IS_INDIRECT) {
		value = Z_INDIRECT_P(value);
	}
	if (Z_ISREF_P(value)) {
		look->has_references = true;
		value = Z_REFVAL_P(value);
	}
	switch (Z_TYPE_P(value)) {
		case IS_ARRAY:
			return look_into(look, Z_ARRVAL_P(value), above);
		case IS_RESOURCE:
			value_refuse(above, VALUE_REFUSE_RESOURCE, value);
			return FAILURE;
		case IS_OBJECT:
			return look_at_object(look, value, above);
		default:
			return SUCCESS;
	}
}

/*
 * The same with what its references stand for, since a reader must not get two elements that are one. Only after
 * look_at(), which has refused what holds itself. Inside objects they stay.
 */
static void copy_without_references(zval *to, zval *from)
{
	zend_string *key;
	zend_ulong index;
	zval *element;

	ZVAL_DEREF(from);
	if (Z_TYPE_P(from) != IS_ARRAY || (GC_FLAGS(Z_ARRVAL_P(from)) & GC_IMMUTABLE)) {
		ZVAL_COPY(to, from);
		return;
	}
	ZVAL_ARR(to, zend_new_array(zend_hash_num_elements(Z_ARRVAL_P(from))));
	ZEND_HASH_FOREACH_KEY_VAL_IND(Z_ARRVAL_P(from), index, key, element) {
		zval copy;

		copy_without_references(&copy, element);
		if (key) {
			zend_hash_add_new(Z_ARRVAL_P(to), key, &copy);
		} else {
			zend_hash_index_add_new(Z_ARRVAL_P(to), index, &copy);
		}
	} ZEND_HASH_FOREACH_END();
}

static zend_result write_with(const value_serializer *serializer, zval *value, bool has_references, smart_str *to)
{
	zend_result result;
	zval copy;

	if (!has_references) {
		return serializer->write(value, to);
	}
	copy_without_references(&copy, value);
	result = serializer->write(&copy, to);
	zval_ptr_dtor(&copy);
	return result;
}

/*
 * The engine's own word that something inside an object cannot be serialized is made ours; what user code threw is not.
 */
static void take_over_refusal(void)
{
	const zend_string *refusal = value_engine_refusal();
	zend_string *words;

	if (!refusal) {
		return;
	}
	words = zend_string_copy((zend_string *)refusal);
	zend_throw_exception_ex(larder_unstorable_value_ce, 0,
		"the value cannot be stored, for what an object in it holds: %s", ZSTR_VAL(words));
	zend_string_release(words);
}

static bool is_read_again(const value_serializer *serializer, const look *look, const value_allowed *allowed,
	const smart_str *written)
{
	return !allowed || !look->has_objects
		|| value_allowed_out(allowed, serializer->classes, ZSTR_VAL(written->s), ZSTR_LEN(written->s));
}

zend_result value_serializer_write(
	const value_serializer *serializer, zval *value, const value_allowed *allowed, smart_str *to)
{
	look look = { .serializer = serializer };

	if (!serializer->write) {
		zend_throw_exception_ex(larder_unstorable_value_ce, 0,
			"$value is of type %s; with the serializer none only strings, integers, floats and"
			" booleans can be stored: serialize it before, or configure another serializer",
			zend_zval_type_name(value));
		return FAILURE;
	}
	/*
	 * Not by BG(): with -pthread its fields behind a conditional one lie elsewhere than in a PHP that was built
	 * without.
	 */
	look.depth_max = INI_INT("unserialize_max_depth");
	if (look_at(&look, value, NULL) == FAILURE) {
		return FAILURE;
	}
	if (write_with(serializer, value, look.has_references, to) == FAILURE) {
		smart_str_free(to);
		take_over_refusal();
		return FAILURE;
	}
	smart_str_0(to);
	if (!is_read_again(serializer, &look, allowed, to)) {
		smart_str_free(to);
		return FAILURE;
	}
	return SUCCESS;
}

zend_result value_serializer_read(
	const value_serializer *serializer, const char *from, size_t size, const value_allowed *allowed, zval *value)
{
	bool is_allowed = true;

	if (allowed && serializer->classes) {
		is_allowed = value_allowed_in(allowed, serializer->classes, from, size);
	} else if (serializer->needs_whole) {
		is_allowed = serializer->classes(from, size, NULL, NULL);
	}
	return is_allowed ? serializer->read(from, size, allowed, value) : FAILURE;
}

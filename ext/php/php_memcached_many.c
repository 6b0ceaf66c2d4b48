#include "php_memcached_batch.h"

ZEND_METHOD(Larder_Memcached, getMultiple)
{
	HashTable *list;
	php_batch batch;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(list)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_batch_open_list(&batch, ZEND_THIS, list, LRD_OP_GET, 1)) {
		RETURN_THROWS();
	}
	php_batch_run(&batch);
	HashTable *values = zend_new_array(batch.count);
	bool threw = false;
	for (uint32_t i = 0; i < batch.count && !threw; i++) {
		zval value;
		php_batch_found found = php_batch_decode(&batch, i, &value);
		if (found == FOUND_HIT) {
			php_batch_put(values, batch.items[i].name, &value);
		}
		threw = found == FOUND_THREW;
	}
	php_batch_close(&batch);
	if (threw) {
		zend_array_release(values);
		RETURN_THROWS();
	}
	RETURN_ARR(values);
}

ZEND_METHOD(Larder_Memcached, readMultiple)
{
	HashTable *list;
	php_batch batch;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(list)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_batch_open_list(&batch, ZEND_THIS, list, LRD_OP_GET, 1)) {
		RETURN_THROWS();
	}
	for (uint32_t i = 0; i < batch.count; i++) {
		batch.ops[i].wants_version = true;
	}
	php_batch_finish(&batch, return_value);
}

/* False, with an exception, and closed. */
static bool encode_all(php_batch *batch, HashTable *values, int64_t seconds)
{
	uint32_t which = 0;
	zval *value;

	ZEND_HASH_FOREACH_VAL(values, value) {
		batch->ops[which].ttl = seconds;
		if (!php_batch_encode(batch, which++, value)) {
			php_batch_close(batch);
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Larder_Memcached, setMultiple)
{
	HashTable *values;
	php_ttl ttl;
	int64_t seconds;
	php_batch batch;

	if (!php_arguments_of_many(execute_data, &values, &ttl) || !php_memcached_ttl(ttl, 2, &seconds)
		|| !php_batch_open_keys(&batch, ZEND_THIS, values, LRD_OP_SET, 1)
		|| !encode_all(&batch, values, seconds)) {
		RETURN_THROWS();
	}
	php_batch_finish(&batch, return_value);
}

/* False, with an exception. */
static bool take_versions(php_batch *batch, HashTable *versions)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		zval *version = zend_symtable_find(versions, batch->items[i].name);
		if (version == NULL) {
			zend_argument_value_error(2, "must have a version for each key of the values");
			return false;
		}
		ZVAL_DEREF(version);
		if (Z_TYPE_P(version) != IS_LONG) {
			zend_argument_type_error(2, "must contain only integers, %s found", zend_zval_type_name(version));
			return false;
		}
		batch->ops[i].token = (uint64_t) Z_LVAL_P(version);
	}
	return true;
}

ZEND_METHOD(Larder_Memcached, casMultiple)
{
	HashTable *values, *versions;
	php_ttl ttl = {.none = true};
	int64_t seconds;
	php_batch batch;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_ARRAY_HT(values)
		Z_PARAM_ARRAY_HT(versions)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(ttl.seconds, ttl.none)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_memcached_ttl(ttl, 3, &seconds) || !php_batch_open_keys(&batch, ZEND_THIS, values, LRD_OP_CAS, 1)) {
		RETURN_THROWS();
	}
	if (!take_versions(&batch, versions)) {
		php_batch_close(&batch);
		RETURN_THROWS();
	}
	if (!encode_all(&batch, values, seconds)) {
		RETURN_THROWS();
	}
	php_batch_finish(&batch, return_value);
}

ZEND_METHOD(Larder_Memcached, appendMultiple)
{
	HashTable *given;
	zval *bytes;
	uint32_t which = 0;
	php_batch batch;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(given)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_batch_open_keys(&batch, ZEND_THIS, given, LRD_OP_APPEND, 1)) {
		RETURN_THROWS();
	}
	ZEND_HASH_FOREACH_VAL(given, bytes) {
		ZVAL_DEREF(bytes);
		if (Z_TYPE_P(bytes) != IS_STRING) {
			zend_argument_type_error(1, "must contain only strings, %s found", zend_zval_type_name(bytes));
			php_batch_close(&batch);
			RETURN_THROWS();
		}
		batch.ops[which].flags = VALUE_FLAGS_FORM;
		php_batch_bytes(&batch, which++, Z_STR_P(bytes));
	} ZEND_HASH_FOREACH_END();
	php_batch_finish(&batch, return_value);
}

ZEND_METHOD(Larder_Memcached, deleteMultiple)
{
	HashTable *list;
	php_batch batch;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(list)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_batch_open_list(&batch, ZEND_THIS, list, LRD_OP_DELETE, 1)) {
		RETURN_THROWS();
	}
	php_batch_finish(&batch, return_value);
}

ZEND_METHOD(Larder_Memcached, touchMultiple)
{
	HashTable *list;
	php_ttl ttl;
	int64_t seconds;
	php_batch batch;

	if (!php_arguments_of_many(execute_data, &list, &ttl) || !php_memcached_ttl(ttl, 2, &seconds)
		|| !php_batch_open_list(&batch, ZEND_THIS, list, LRD_OP_TOUCH, 1)) {
		RETURN_THROWS();
	}
	for (uint32_t i = 0; i < batch.count; i++) {
		batch.ops[i].ttl = seconds;
	}
	php_batch_finish(&batch, return_value);
}

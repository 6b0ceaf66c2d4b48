#include "php_memcached_batch.h"

/* ---- reads ---- */

ZEND_METHOD(Larder_Memcached, get)
{
	php_batch_single single;
	zend_string *name;
	zval *fallback = NULL;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(fallback)
	ZEND_PARSE_PARAMETERS_END();

	if (UNEXPECTED(php_batch_begin(&single, ZEND_THIS, name, LRD_OP_GET) == NULL)) {
		RETURN_THROWS();
	}
	php_batch_run(&single.batch);
	php_batch_found found = php_batch_decode(&single.batch, 0, return_value);
	php_batch_close(&single.batch);
	if (EXPECTED(found == FOUND_HIT)) {
		return;
	}
	if (UNEXPECTED(found == FOUND_THREW)) {
		ZVAL_NULL(return_value);
		RETURN_THROWS();
	}
	if (fallback == NULL) {
		RETURN_NULL();
	}
	RETURN_COPY(fallback);
}

ZEND_METHOD(Larder_Memcached, read)
{
	php_batch_single single;
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	lrd_op *op = php_batch_begin(&single, ZEND_THIS, name, LRD_OP_GET);
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->wants_version = true;
	php_batch_finish_one(&single.batch, return_value);
}

ZEND_METHOD(Larder_Memcached, has)
{
	php_batch_single single;
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	if (php_batch_begin(&single, ZEND_THIS, name, LRD_OP_HAS) == NULL) {
		RETURN_THROWS();
	}
	php_batch_finish_one(&single.batch, return_value);
}

/* touch() and getAndTouch() */
static void touch(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	php_batch_single single;
	zend_string *name;
	php_ttl ttl;
	int64_t seconds;

	if (!php_arguments_of_touch(execute_data, &name, &ttl) || !php_memcached_ttl(ttl, 2, &seconds)) {
		RETURN_THROWS();
	}
	lrd_op *op = php_batch_begin(&single, ZEND_THIS, name, kind);
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->ttl = seconds;
	op->wants_version = kind == LRD_OP_GET_AND_TOUCH;
	php_batch_finish_one(&single.batch, return_value);
}

ZEND_METHOD(Larder_Memcached, touch)
{
	touch(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_TOUCH);
}

ZEND_METHOD(Larder_Memcached, getAndTouch)
{
	touch(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_GET_AND_TOUCH);
}

/* ---- writes ---- */

static void write_value(
	zval *return_value, const zval *object, lrd_kind kind, const php_write_arguments *given, uint32_t ttl_argument)
{
	php_batch_single single;
	int64_t seconds;

	lrd_op *op = php_memcached_ttl(given->ttl, ttl_argument, &seconds)
		? php_batch_begin(&single, object, given->name, kind)
		: NULL;
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->ttl = seconds;
	op->token = (uint64_t) given->token;
	if (!php_batch_encode(&single.batch, 0, given->value)) {
		php_batch_close(&single.batch);
		RETURN_THROWS();
	}
	php_batch_finish_one(&single.batch, return_value);
}

ZEND_METHOD(Larder_Memcached, set)
{
	php_write_arguments given;

	if (!php_arguments_of_set(execute_data, &given)) {
		RETURN_THROWS();
	}
	if (given.no_token) {
		write_value(return_value, ZEND_THIS, LRD_OP_SET, &given, 3);
		return;
	}
	const php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL || !php_memcached_is_ours(memcached)) {
		RETURN_THROWS();
	}
	write_value(return_value, ZEND_THIS, LRD_OP_SET_LEASED, &given, 3);
}

/* add() and replace() */
static void write_if(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	php_write_arguments given;

	if (!php_arguments_of_write_if(execute_data, &given)) {
		RETURN_THROWS();
	}
	write_value(return_value, ZEND_THIS, kind, &given, 3);
}

ZEND_METHOD(Larder_Memcached, add)
{
	write_if(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_ADD);
}

ZEND_METHOD(Larder_Memcached, replace)
{
	write_if(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_REPLACE);
}

ZEND_METHOD(Larder_Memcached, cas)
{
	php_write_arguments given;

	if (!php_arguments_of_cas(execute_data, &given)) {
		RETURN_THROWS();
	}
	write_value(return_value, ZEND_THIS, LRD_OP_CAS, &given, 4);
}

static void write_bytes(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	php_batch_single single;
	zend_string *name, *bytes;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_STR(bytes)
	ZEND_PARSE_PARAMETERS_END();

	lrd_op *op = php_batch_begin(&single, ZEND_THIS, name, kind);
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->flags = VALUE_FLAGS_FORM;
	php_batch_bytes(&single.batch, 0, bytes);
	php_batch_finish_one(&single.batch, return_value);
}

ZEND_METHOD(Larder_Memcached, append)
{
	write_bytes(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_APPEND);
}

ZEND_METHOD(Larder_Memcached, prepend)
{
	write_bytes(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_PREPEND);
}

ZEND_METHOD(Larder_Memcached, delete)
{
	php_batch_single single;
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	if (php_batch_begin(&single, ZEND_THIS, name, LRD_OP_DELETE) == NULL) {
		RETURN_THROWS();
	}
	php_batch_finish_one(&single.batch, return_value);
}

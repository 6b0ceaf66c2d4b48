#include "php_memcached_batch.h"

/* NULL, with an exception. */
static lrd_op *begin(php_batch_single *single, const zval *object, zend_string *name, lrd_kind kind)
{
	const php_memcached *memcached = php_memcached_of(object);
	return memcached != NULL && php_memcached_is_ours(memcached) ? php_batch_begin(single, object, name, kind) : NULL;
}

static void take(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	php_batch_single single;
	zend_string *name;
	double life = 10.0;
	int64_t seconds;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(life)
	ZEND_PARSE_PARAMETERS_END();

	lrd_op *op = php_memcached_life(life, 2, &seconds) ? begin(&single, ZEND_THIS, name, kind) : NULL;
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->seconds = seconds;
	op->wants_version = true;
	php_batch_finish_one(&single.batch, return_value);
}

ZEND_METHOD(Larder_Memcached, getOrLease)
{
	take(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_GET_OR_LEASE);
}

ZEND_METHOD(Larder_Memcached, lease)
{
	take(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_LEASE);
}

ZEND_METHOD(Larder_Memcached, release)
{
	php_batch_single single;
	zend_string *name;
	zend_long lease;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_LONG(lease)
	ZEND_PARSE_PARAMETERS_END();

	lrd_op *op = begin(&single, ZEND_THIS, name, LRD_OP_RELEASE);
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->token = (uint64_t) lease;
	php_batch_finish_one(&single.batch, return_value);
}

ZEND_METHOD(Larder_Memcached, markStale)
{
	php_batch_single single;
	zend_string *name;
	double ttl = 0;
	bool no_ttl = true;
	int64_t seconds;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(ttl, no_ttl)
	ZEND_PARSE_PARAMETERS_END();

	lrd_op *op = php_memcached_ttl(ttl, no_ttl, 2, &seconds) ? begin(&single, ZEND_THIS, name, LRD_OP_MARK_STALE) : NULL;
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->ttl = seconds;
	php_batch_finish_one(&single.batch, return_value);
}

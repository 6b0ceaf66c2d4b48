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
	double life;
	int64_t seconds;

	if (!php_arguments_of_lease(execute_data, &name, &life) || !php_memcached_life(life, 2, &seconds)) {
		RETURN_THROWS();
	}
	lrd_op *op = begin(&single, ZEND_THIS, name, kind);
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

	if (!php_arguments_of_release(execute_data, &name, &lease)) {
		RETURN_THROWS();
	}
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
	php_ttl ttl;
	int64_t seconds;

	if (!php_arguments_of_touch(execute_data, &name, &ttl) || !php_memcached_ttl(ttl, 2, &seconds)) {
		RETURN_THROWS();
	}
	lrd_op *op = begin(&single, ZEND_THIS, name, LRD_OP_MARK_STALE);
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->ttl = seconds;
	php_batch_finish_one(&single.batch, return_value);
}

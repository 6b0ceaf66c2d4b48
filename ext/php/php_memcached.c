#include "php_memcached_batch.h"

#include "zend_exceptions.h"

#include <math.h>
#include <time.h>

#include "php_exception.h"
#include "php_outcome.h"
#include "php_pipeline.h"

zend_class_entry *php_memcached_ce;
static zend_object_handlers handlers;

static zend_object *create_object(zend_class_entry *ce)
{
	php_memcached *memcached = zend_object_alloc(sizeof(php_memcached), ce);

	memset(memcached, 0, XtOffsetOf(php_memcached, std));
	zend_object_std_init(&memcached->std, ce);
	object_properties_init(&memcached->std, ce);
	memcached->std.handlers = &handlers;
	return &memcached->std;
}

static void free_object(zend_object *object)
{
	php_memcached *memcached = php_memcached_from(object);

	if (memcached->pool != NULL) {
		php_pools_give(memcached->pool);
		zend_string_release(memcached->prefix);
		zend_array_release(memcached->settings);
	}
	php_failures_free(memcached->failures);
	zend_object_std_dtor(object);
}

void php_memcached_init(void)
{
	memcpy(&handlers, zend_get_std_object_handlers(), sizeof(handlers));
	handlers.offset = XtOffsetOf(php_memcached, std);
	handlers.free_obj = free_object;
	handlers.clone_obj = NULL;
	php_memcached_ce->create_object = create_object;
}

/* ---- what arguments mean ---- */

bool php_memcached_ttl(double ttl, bool none, uint32_t argument, int64_t *seconds)
{
	const double longest_relative = 30 * 86400.0;       /* memcached takes more for a date */

	*seconds = 0;
	if (none) {
		return true;
	}
	if (zend_isnan(ttl)) {
		zend_argument_value_error(argument, "must not be NAN");
		return false;
	}
	if (ttl <= 0.0) {
		*seconds = -1;
		return true;
	}
	double whole = ceil(ttl), date = whole > longest_relative ? whole + (double) time(NULL) : whole;
	/* What a 32-bit clock cannot tell does not end. */
	if (date <= (double) INT32_MAX) {
		*seconds = (int64_t) date;
	}
	return true;
}

bool php_memcached_life(double life, uint32_t argument, int64_t *seconds)
{
	const int longest = 86400;

	if (!(life > 0.0 && life <= longest)) {
		zend_argument_value_error(argument, "must be greater than 0 and at most %d", longest);
		return false;
	}
	/* The server's clock goes by whole seconds, and its next may come at once: without one more a lease could end a second too early. */
	*seconds = (int64_t) ceil(life) + 1;
	return true;
}

bool php_memcached_is_ours(const php_memcached *memcached)
{
	if (memcached->shared) {
		zend_throw_exception_ex(php_exception_shared_ce, 0,
			"Other clients may use these servers, and would take a lease for a value: construct Larder\\Memcached with shared: false if there are none");
		return false;
	}
	return true;
}

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
	double ttl = 0;
	bool no_ttl = true;
	int64_t seconds;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(ttl, no_ttl)
	ZEND_PARSE_PARAMETERS_END();

	lrd_op *op = php_memcached_ttl(ttl, no_ttl, 2, &seconds) ? php_batch_begin(&single, ZEND_THIS, name, kind) : NULL;
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

static void write_value(zval *return_value, const zval *object, zend_string *name, lrd_kind kind, zval *value, int64_t seconds, uint64_t token)
{
	php_batch_single single;

	lrd_op *op = php_batch_begin(&single, object, name, kind);
	if (op == NULL) {
		RETURN_THROWS();
	}
	op->ttl = seconds;
	op->token = token;
	if (!php_batch_encode(&single.batch, 0, value)) {
		php_batch_close(&single.batch);
		RETURN_THROWS();
	}
	php_batch_finish_one(&single.batch, return_value);
}

ZEND_METHOD(Larder_Memcached, set)
{
	zend_string *name;
	zval *value;
	double ttl = 0;
	zend_long lease = 0;
	bool no_ttl = true, no_lease = true;
	int64_t seconds;

	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_STR(name)
		Z_PARAM_ZVAL(value)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(ttl, no_ttl)
		Z_PARAM_LONG_OR_NULL(lease, no_lease)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_memcached_ttl(ttl, no_ttl, 3, &seconds)) {
		RETURN_THROWS();
	}
	if (no_lease) {
		write_value(return_value, ZEND_THIS, name, LRD_OP_SET, value, seconds, 0);
		return;
	}
	const php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL || !php_memcached_is_ours(memcached)) {
		RETURN_THROWS();
	}
	write_value(return_value, ZEND_THIS, name, LRD_OP_SET_LEASED, value, seconds, (uint64_t) lease);
}

/* add() and replace() */
static void write_if(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	zend_string *name;
	zval *value;
	double ttl = 0;
	bool no_ttl = true;
	int64_t seconds;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(name)
		Z_PARAM_ZVAL(value)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(ttl, no_ttl)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_memcached_ttl(ttl, no_ttl, 3, &seconds)) {
		RETURN_THROWS();
	}
	write_value(return_value, ZEND_THIS, name, kind, value, seconds, 0);
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
	zend_string *name;
	zval *value;
	zend_long version;
	double ttl = 0;
	bool no_ttl = true;
	int64_t seconds;

	ZEND_PARSE_PARAMETERS_START(3, 4)
		Z_PARAM_STR(name)
		Z_PARAM_ZVAL(value)
		Z_PARAM_LONG(version)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(ttl, no_ttl)
	ZEND_PARSE_PARAMETERS_END();

	if (!php_memcached_ttl(ttl, no_ttl, 4, &seconds)) {
		RETURN_THROWS();
	}
	write_value(return_value, ZEND_THIS, name, LRD_OP_CAS, value, seconds, (uint64_t) version);
}

static void write_bytes(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	php_batch_single single;
	zend_string *name, *bytes;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_STR(bytes)
	ZEND_PARSE_PARAMETERS_END();

	if (php_batch_begin(&single, ZEND_THIS, name, kind) == NULL) {
		RETURN_THROWS();
	}
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

ZEND_METHOD(Larder_Memcached, pipeline)
{
	ZEND_PARSE_PARAMETERS_NONE();

	php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL) {
		RETURN_THROWS();
	}
	php_pipeline_of(return_value, memcached);
}

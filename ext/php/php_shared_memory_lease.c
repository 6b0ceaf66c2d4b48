#include "php_shared_memory.h"

#include <math.h>

#include "php_answer.h"

#define LEASE_SECONDS_MAX 86400
#define LEASE_TRIES 8           /* getOrLease() against others that set and delete the key all the time */

/* False, with an exception. */
static bool lease_life(double seconds, uint32_t argument, unsigned *ms)
{
	if (!(seconds > 0.0 && seconds <= LEASE_SECONDS_MAX)) {
		zend_argument_value_error(argument, "must be greater than 0 and at most %d", LEASE_SECONDS_MAX);
		return false;
	}
	*ms = (unsigned) ceil(seconds * 1000.0);
	return true;
}

ZEND_METHOD(Larder_SharedMemory, getOrLease)
{
	zend_string *name;
	double seconds = 10.0;
	unsigned ms;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(seconds)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (memory == NULL || !lease_life(seconds, 2, &ms)) {
		RETURN_THROWS();
	}
	for (int tries = 0; tries < LEASE_TRIES; tries++) {
		zval value;
		uint64_t version, token;
		php_shared_memory_read read = php_shared_memory_fetch(memory, name, &value, &version);
		if (read == READ_HIT) {
			php_answer_hit(return_value, &value, version);
			return;
		}
		if (read == READ_THREW) {
			RETURN_THROWS();
		}
		lrd_status status = lrd_store_lease(LARDER_G(store), php_shared_memory_key(memory, name), ms, read == READ_MISS, &token);
		if (status == LRD_OK) {
			php_answer_lease(return_value, token);
			return;
		}
		if (status != LRD_EXISTS) {
			break;
		}
	}
	php_answer_miss(return_value);
}

ZEND_METHOD(Larder_SharedMemory, lease)
{
	zend_string *name;
	double seconds = 10.0;
	unsigned ms;
	uint64_t token;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(seconds)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (memory == NULL || !lease_life(seconds, 2, &ms)) {
		RETURN_THROWS();
	}
	if (lrd_store_lease(LARDER_G(store), php_shared_memory_key(memory, name), ms, false, &token) != LRD_OK) {
		RETURN_NULL();
	}
	RETURN_LONG((zend_long) token);
}

ZEND_METHOD(Larder_SharedMemory, release)
{
	zend_string *name;
	zend_long lease;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(name)
		Z_PARAM_LONG(lease)
	ZEND_PARSE_PARAMETERS_END();

	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(lrd_store_release(LARDER_G(store), php_shared_memory_key(memory, name), (uint64_t) lease) == LRD_OK);
}

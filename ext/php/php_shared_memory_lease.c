#include "php_shared_memory.h"

#include <math.h>

#include "php_answer.h"

#define LEASE_TRIES 8           /* getOrLease() against others that set and delete the key all the time */

/* NULL, with an exception. */
static const php_shared_memory *lease_arguments(zend_execute_data *execute_data, zend_string **name, unsigned *ms)
{
	double life;

	if (!php_arguments_of_lease(execute_data, name, &life)) {
		return NULL;
	}
	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, *name, 1);
	if (memory == NULL || !php_life_check(life, 2)) {
		return NULL;
	}
	*ms = (unsigned) ceil(life * 1000.0);
	return memory;
}

/*
 * Whether the caller is to make the value: with a lease, or with the token 0, which no lease has. So nobody waits for a
 * process that does not exist where the store is full, or a lock is not given in time.
 */
static bool is_granted(lrd_status status, uint64_t *token)
{
	if (status != LRD_OK) {
		*token = 0;
	}
	return status != LRD_BUSY && status != LRD_EXISTS;
}

ZEND_METHOD(Larder_SharedMemory, getOrLease)
{
	zend_string *name;
	unsigned ms;

	const php_shared_memory *memory = lease_arguments(execute_data, &name, &ms);
	if (memory == NULL) {
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
		lrd_status status = lrd_store_lease(
			LARDER_G(store), php_shared_memory_key(memory, name), ms, read == READ_MISS, &token);
		if (is_granted(status, &token)) {
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
	unsigned ms;
	uint64_t token;

	const php_shared_memory *memory = lease_arguments(execute_data, &name, &ms);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	lrd_status status = lrd_store_lease(LARDER_G(store), php_shared_memory_key(memory, name), ms, false, &token);
	if (!is_granted(status, &token)) {
		RETURN_NULL();
	}
	RETURN_LONG((zend_long) token);
}

ZEND_METHOD(Larder_SharedMemory, release)
{
	zend_string *name;
	zend_long lease;

	if (!php_arguments_of_release(execute_data, &name, &lease)) {
		RETURN_THROWS();
	}
	const php_shared_memory *memory = php_shared_memory_for(ZEND_THIS, name, 1);
	if (memory == NULL) {
		RETURN_THROWS();
	}
	RETURN_BOOL(lrd_store_release(LARDER_G(store), php_shared_memory_key(memory, name), (uint64_t) lease) == LRD_OK);
}

#include "php_memcached.h"

#include "zend_exceptions.h"

#include <math.h>
#include <time.h>

#include "php_exception.h"

zend_class_entry *php_memcached_ce;
static zend_object_handlers handlers;

static zend_object *create_object(zend_class_entry *ce)
{
	return php_object_make(ce, sizeof(php_memcached), XtOffsetOf(php_memcached, std), &handlers);
}

static void free_object(zend_object *object)
{
	php_memcached *memcached = php_memcached_from(object);

	if (memcached->pool != NULL) {
		php_pools_give(memcached->pool);
		zend_string_release(memcached->prefix);
		zend_array_release(memcached->settings);
		value_allowed_free(memcached->allowed);
	}
	php_failures_free(memcached->failures);
	zend_object_std_dtor(object);
}

void php_memcached_init(void)
{
	php_object_init(php_memcached_ce, &handlers, XtOffsetOf(php_memcached, std), create_object, free_object);
}

/* ---- what arguments mean ---- */

/* Seconds from 2001 on, had they been counted from 1970: who gives so many means a date. */
static const double first_unix_time = 1e9, last_unix_time = 1e10;

static void refuse_ttl(double seconds, uint32_t argument)
{
	if (seconds >= first_unix_time && seconds < last_unix_time) {
		zend_argument_value_error(argument,
			"must be in seconds from now on, at most %d (10 years), or null for no end; %.0f looks like a Unix time: "
			"subtract time() from it",
			PHP_MEMCACHED_TTL_MAX, seconds);
	} else {
		zend_argument_value_error(argument, "must be at most %d seconds (10 years) from now on, or null for no end",
			PHP_MEMCACHED_TTL_MAX);
	}
}

bool php_memcached_ttl(php_ttl ttl, uint32_t argument, int64_t *seconds)
{
	const double longest_relative = 30 * 86400.0;       /* memcached takes more for a date */

	*seconds = 0;
	if (ttl.none) {
		return true;
	}
	if (!php_ttl_check(ttl, argument)) {
		return false;
	}
	if (ttl.seconds <= 0.0) {
		*seconds = -1;
		return true;
	}
	if (ttl.seconds > PHP_MEMCACHED_TTL_MAX) {
		refuse_ttl(ttl.seconds, argument);
		return false;
	}
	double whole = ceil(ttl.seconds), date = whole > longest_relative ? whole + (double) time(NULL) : whole;
	/* A date that a 32-bit clock cannot hold becomes no end at all. */
	if (date <= (double) INT32_MAX) {
		*seconds = (int64_t) date;
	}
	return true;
}

bool php_memcached_life(double life, uint32_t argument, int64_t *seconds)
{
	if (!php_life_check(life, argument)) {
		return false;
	}
	/*
	 * The server's clock ticks in whole seconds, and may tick at once. Without one more second a lease could end too
	 * early.
	 */
	*seconds = (int64_t) ceil(life) + 1;
	return true;
}

bool php_memcached_is_ours(const php_memcached *memcached)
{
	if (memcached->shared) {
		zend_throw_exception_ex(php_exception_shared_ce, 0,
			"Other clients may use these servers, and would take a lease for a value: construct Larder\\Memcached with "
			"shared: false if there are none");
		return false;
	}
	return true;
}

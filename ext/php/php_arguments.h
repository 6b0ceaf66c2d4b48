/*
 * The arguments of methods that SharedMemory, Memcached and Pipeline have in common. Each function parses the arguments
 * of one form; false: an exception was thrown. What a ttl becomes is each store's own matter.
 */
#ifndef PHP_ARGUMENTS_H
#define PHP_ARGUMENTS_H

#include "php.h"

#include <stdbool.h>
#include <stdint.h>

#define PHP_LIFE_DEFAULT 10.0
#define PHP_LIFE_MAX 86400

/* In seconds. */
typedef struct php_ttl {
	double seconds;
	bool none;                  /* null, or left out */
} php_ttl;

/* False, with an exception that names the argument. */
static inline bool php_ttl_check(php_ttl ttl, uint32_t argument)
{
	if (UNEXPECTED(!ttl.none && zend_isnan(ttl.seconds))) {
		zend_argument_value_error(argument, "must not be NAN");
		return false;
	}
	return true;
}

/* The life of a lease, in seconds. The same. */
static inline bool php_life_check(double life, uint32_t argument)
{
	if (!(life > 0.0 && life <= PHP_LIFE_MAX)) {
		zend_argument_value_error(argument, "must be greater than 0 and at most %d", PHP_LIFE_MAX);
		return false;
	}
	return true;
}

/* ---- writes ---- */

typedef struct php_write_arguments {
	zend_string *name;
	zval *value;
	php_ttl ttl;
	zend_long token;            /* of set() the lease, of cas() the version */
	bool no_token;
} php_write_arguments;

/* set($key, $value, $ttl = null, $lease = null) */
static zend_always_inline bool php_arguments_of_set(zend_execute_data *execute_data, php_write_arguments *given)
{
	*given = (php_write_arguments) {.ttl.none = true, .no_token = true};
	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_STR(given->name)
		Z_PARAM_ZVAL(given->value)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(given->ttl.seconds, given->ttl.none)
		Z_PARAM_LONG_OR_NULL(given->token, given->no_token)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

/* add() and replace(): $key, $value, $ttl = null */
static zend_always_inline bool php_arguments_of_write_if(zend_execute_data *execute_data, php_write_arguments *given)
{
	*given = (php_write_arguments) {.ttl.none = true, .no_token = true};
	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(given->name)
		Z_PARAM_ZVAL(given->value)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(given->ttl.seconds, given->ttl.none)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

/* cas($key, $value, $version, $ttl = null) */
static zend_always_inline bool php_arguments_of_cas(zend_execute_data *execute_data, php_write_arguments *given)
{
	*given = (php_write_arguments) {.ttl.none = true};
	ZEND_PARSE_PARAMETERS_START(3, 4)
		Z_PARAM_STR(given->name)
		Z_PARAM_ZVAL(given->value)
		Z_PARAM_LONG(given->token)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(given->ttl.seconds, given->ttl.none)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

/* Methods for many keys: $keys or $values, $ttl = null */
static inline bool php_arguments_of_many(zend_execute_data *execute_data, HashTable **array, php_ttl *ttl)
{
	*ttl = (php_ttl) {.none = true};
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ARRAY_HT(*array)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(ttl->seconds, ttl->none)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

/* touch() and its like: $key, $ttl = null */
static inline bool php_arguments_of_touch(zend_execute_data *execute_data, zend_string **name, php_ttl *ttl)
{
	*ttl = (php_ttl) {.none = true};
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(*name)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(ttl->seconds, ttl->none)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

/* ---- leases ---- */

/* lease() and getOrLease(): $key, $life = 10.0 */
static inline bool php_arguments_of_lease(zend_execute_data *execute_data, zend_string **name, double *life)
{
	*life = PHP_LIFE_DEFAULT;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(*name)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE(*life)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

/* release($key, $lease) */
static inline bool php_arguments_of_release(zend_execute_data *execute_data, zend_string **name, zend_long *lease)
{
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(*name)
		Z_PARAM_LONG(*lease)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

/* ---- counters ---- */

typedef struct php_count_arguments {
	zend_long by;
	zend_long initial;
	php_ttl ttl;                /* of a counter that starts here */
	bool no_initial;
} php_count_arguments;

#define PHP_COUNT_DEFAULTS {.by = 1, .no_initial = true, .ttl.none = true}

/* increment() and decrement(): all behind the first parameter, between ZEND_PARSE_PARAMETERS_START and _END. */
#define PHP_COUNT_PARAMETERS(given) \
	Z_PARAM_OPTIONAL \
	Z_PARAM_LONG((given).by) \
	Z_PARAM_LONG_OR_NULL((given).initial, (given).no_initial) \
	Z_PARAM_DOUBLE_OR_NULL((given).ttl.seconds, (given).ttl.none)

/* Turns `by` for a decrement. False, with an exception. */
static inline bool php_count_turn(php_count_arguments *given, bool down)
{
	if (down && given->by == ZEND_LONG_MIN) {
		zend_argument_value_error(2, "must be greater than PHP_INT_MIN");
		return false;
	}
	given->by = down ? -given->by : given->by;
	return true;
}

#endif

/* What the arguments of a counter's call mean, for one key, many, or a pipeline. */
#ifndef PHP_MEMCACHED_COUNT_H
#define PHP_MEMCACHED_COUNT_H

#include "php_memcached_batch.h"

typedef struct php_memcached_step {
	zend_long by;
	zend_long initial;
	double ttl;
	bool no_initial;
	bool no_ttl;
	int64_t seconds;
} php_memcached_step;

/* Turns `by` for a decrement and checks all. False, with an exception. */
bool php_memcached_step_check(php_memcached_step *step, bool down);
void php_memcached_step_write(const php_memcached_step *step, const php_memcached *memcached, lrd_op *op);

/* increment(), decrement() and their forms for many: all after the first parameter, between ZEND_PARSE_PARAMETERS_START and _END. */
#define PHP_MEMCACHED_STEP_PARAMETERS(step) \
	Z_PARAM_OPTIONAL \
	Z_PARAM_LONG((step).by) \
	Z_PARAM_LONG_OR_NULL((step).initial, (step).no_initial) \
	Z_PARAM_DOUBLE_OR_NULL((step).ttl, (step).no_ttl)

#endif

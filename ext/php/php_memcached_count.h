/* What the arguments of increment() and decrement() mean to memcached, for one key, many keys or a pipeline. */
#ifndef PHP_MEMCACHED_COUNT_H
#define PHP_MEMCACHED_COUNT_H

#include "php_memcached_batch.h"

typedef struct php_memcached_count {
	php_count_arguments given;
	int64_t seconds;            /* its ttl */
} php_memcached_count;

/* Checks the arguments, and turns them for a decrement. False, with an exception. */
bool php_memcached_count_check(php_memcached_count *count, bool down);
void php_memcached_count_write(const php_memcached_count *count, const php_memcached *memcached, lrd_op *op);

#endif

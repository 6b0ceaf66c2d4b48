/*
 * The module: its settings and what one process keeps between calls. larder.c owns both; php/ reads the settings and,
 * through php/php_segment.h and php/php_pools.h, the rest. All that depends on PHP's version or build is decided here.
 */
#ifndef PHP_LARDER_H
#define PHP_LARDER_H

#include "php.h"            /* first: php_config.h chooses what the system's headers declare */

#include <stdbool.h>
#include <stddef.h>

#define PHP_LARDER_VERSION "0.1.0-dev"

#if PHP_VERSION_ID < 80100 || PHP_VERSION_ID >= 80600
# error "Larder is made for PHP 8.1 to 8.5"
#endif

/* A store's handle serves one thread, and the segment is opened once in a process. */
#ifdef ZTS
# error "Larder needs a PHP without thread safety (NTS)"
#endif

/* Parameters that traces hide; an attribute that PHP 8.1 does not know. */
#if PHP_VERSION_ID < 80200
# define zend_add_parameter_attribute(function, offset, name, count) ((void) 0)
#endif

typedef struct lrd_store lrd_store;
struct php_pool;

ZEND_BEGIN_MODULE_GLOBALS(larder)
	zend_long size;
	char *name;
	char *directory;
	char *owner;
	char *group;
	char *namespace;
	char *share;
	char *base;
	zend_long shards;
	zend_long slots;
	zend_long lock_timeout;
	char *protect;

	lrd_store *store;       /* NULL: there is no segment */
	ptrdiff_t shift;        /* lrd_store_shift(store) */
	bool sharing;           /* requests get pointers into the segment; else copies */
	bool forked;            /* pcntl_fork() has made a child, which sees the segment too */
	bool held;              /* this one has got one: pinned until it is over */
	uint32_t readers;       /* reads under way, one inside another, while not held */

	struct php_pool *pools; /* of memcached servers, the one used last first */
ZEND_END_MODULE_GLOBALS(larder)

ZEND_EXTERN_MODULE_GLOBALS(larder)

#define LARDER_G(field) ZEND_MODULE_GLOBALS_ACCESSOR(larder, field)

extern zend_module_entry larder_module_entry;
#define phpext_larder_ptr &larder_module_entry

#endif

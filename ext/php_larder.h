/*
 * The module: its settings and what one process, or in a PHP with thread safety (ZTS) one thread, keeps between calls.
 * larder.c owns both; php/ reads the settings and, through php/php_segment.h and php/php_pools.h, the rest. All that
 * depends on PHP's version or build is decided here and, as far as value/ sees it, in value/value_compat.h.
 */
#ifndef PHP_LARDER_H
#define PHP_LARDER_H

#include "php.h"            /* first: php_config.h chooses what the system's headers declare */

#include <stdbool.h>
#include <stddef.h>

#include "value/value_compat.h"

#define PHP_LARDER_VERSION "0.1.0-dev"

#if PHP_VERSION_ID < 80100 || PHP_VERSION_ID >= 80600
# error "Larder is made for PHP 8.1 to 8.5"
#endif

/* Parameters that traces hide; an attribute that PHP 8.1 does not know. */
#if PHP_VERSION_ID < 80200
# define zend_add_parameter_attribute(function, offset, name, count) ((void) 0)
#endif

typedef struct lrd_store lrd_store;
struct lrd_segment;
struct php_pool;

#define PHP_LARDER_OUTCOMES 5       /* cases of Larder\Outcome */

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
	zend_long memcached_value_max;
	zend_long memcached_decode_timeout;

	lrd_store *store;       /* this thread's handle; NULL: there is no segment */
	const struct lrd_segment *segment;      /* lrd_store_segment(store); never NULL once the module is up */
	ptrdiff_t shift;        /* lrd_store_shift(store) */
	bool sharing;           /* requests get pointers into the segment; else copies */
	bool held;              /* this one has got one: pinned until it is over */
	bool pinned;            /* so that memory that it reads is not used again */
	bool stays;             /* the pin is kept behind a read */
	uint32_t readers;       /* reads under way, one inside another */
	bool watched;           /* by php_loss.c, as long as this thread lives */
	bool lost;              /* of what it holds by pointer some may be zeros by now: it has to end */
	bool inheriting;        /* our pcntl_fork() is forking, and its child will take over the pin */

	zend_object *outcomes[PHP_LARDER_OUTCOMES];     /* of this request; NULL: not asked for yet */

	struct php_pool *pools; /* of memcached servers, the one used last first */
ZEND_END_MODULE_GLOBALS(larder)

ZEND_EXTERN_MODULE_GLOBALS(larder)

#define LARDER_G(field) ZEND_MODULE_GLOBALS_ACCESSOR(larder, field)

extern zend_module_entry larder_module_entry;
#define phpext_larder_ptr &larder_module_entry

#endif

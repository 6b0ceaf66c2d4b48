#include "memcache_module.h"

#include "../value/value_errors.h"

/* Of a file of its own: value/ throws it, and must not need the file of the module for that. */
zend_class_entry *larder_unstorable_value_ce;

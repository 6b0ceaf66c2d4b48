#include "memcached_module.h"

#include "../value/value_errors.h"

zend_class_entry *memcached_exception_ce;
/* What value/ throws where it refuses a value. Nobody sees it: the binding makes a warning of it. */
zend_class_entry *larder_unstorable_value_ce;

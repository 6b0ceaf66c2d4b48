#include "php_exception.h"

zend_class_entry *php_exception_ce;
zend_class_entry *php_exception_unavailable_ce;
zend_class_entry *php_exception_shared_ce;
zend_class_entry *larder_unstorable_value_ce;

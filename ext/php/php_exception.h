/*
 * The exceptions: their class entries, set once in MINIT. Larder\Exception\UnstorableValue is thrown by value/, which
 * names it.
 */
#ifndef PHP_EXCEPTION_H
#define PHP_EXCEPTION_H

#include "../value/value_errors.h"

extern zend_class_entry *php_exception_ce;                  /* Larder\Exception\LarderException */
extern zend_class_entry *php_exception_unavailable_ce;      /* Larder\Exception\SharedMemoryUnavailable */
extern zend_class_entry *php_exception_shared_ce;           /* Larder\Exception\PoolIsShared */

#endif

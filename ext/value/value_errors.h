/*
 * The one class of exception that value/ throws itself. The binding defines the variable and sets it when the class is
 * registered.
 */
#ifndef VALUE_ERRORS_H
#define VALUE_ERRORS_H

#include "php.h"

extern zend_class_entry *larder_unstorable_value_ce;

#endif

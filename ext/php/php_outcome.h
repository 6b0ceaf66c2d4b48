/* Larder\Outcome: how a write ended. */
#ifndef PHP_OUTCOME_H
#define PHP_OUTCOME_H

#include "php.h"
#include "../core/base/lrd_status.h"

extern zend_class_entry *php_outcome_ce;

/* The case that stands for this status, into `outcome` (uninitialised). */
void php_outcome_from(lrd_status status, zval *outcome);

#endif

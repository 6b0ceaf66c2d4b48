/* Larder\Outcome: how a write ended. */
#ifndef PHP_OUTCOME_H
#define PHP_OUTCOME_H

#include "php.h"
#include "../core/base/lrd_status.h"

extern zend_class_entry *php_outcome_ce;

/*
 * RINIT: a case is an object of the request, looked up at its first use. To ask the engine each time takes longer than
 * all else that a method does around a small write.
 */
void php_outcome_begin_request(void);

/* The case that stands for this status, into `outcome` (uninitialised). */
void php_outcome_from(lrd_status status, zval *outcome);

#endif

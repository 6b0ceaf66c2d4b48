/* Larder\Answer: what a store knows of a key. */
#ifndef PHP_ANSWER_H
#define PHP_ANSWER_H

#include "php.h"

#include <stdbool.h>
#include <stdint.h>

extern zend_class_entry *php_answer_ce;

/* All write an object into `answer` (uninitialised). The value is moved into it. */
void php_answer_hit(zval *answer, zval *value, uint64_t version);
void php_answer_lease(zval *answer, uint64_t token);
void php_answer_miss(zval *answer);
/* value NULL: a miss; lease 0: none. */
void php_answer_of(zval *answer, zval *value, uint64_t version, bool stale, uint64_t lease);
/* No server answered. */
void php_answer_none(zval *answer);

#endif

/*
 * Larder\Pipeline: a batch that is filled by calls and run at once. Values are encoded when they are given, so user
 * code runs then and after all answers have come.
 */
#ifndef PHP_PIPELINE_H
#define PHP_PIPELINE_H

#include "php_memcached_batch.h"

extern zend_class_entry *php_pipeline_ce;

/* MINIT, once the class is registered. */
void php_pipeline_init(void);

#endif

/*
 * Numbers in php.ini. PHP's own reading takes "many" for 0 and "64MB" for 64, and says nothing.
 */
#ifndef PHP_SETTINGS_H
#define PHP_SETTINGS_H

#include "../php_larder.h"

/* Digits with K, M or G behind them, between least and most. False: it is something else. */
bool php_setting_number(const zend_string *text, zend_long least, zend_long most, zend_long *number);

/* Warns that the setting stays, since what was given is not what is allowed. FAILURE, for its handler to return. */
zend_result php_setting_refuse(const zend_ini_entry *entry, const zend_string *given, const char *allowed, int stage);

#endif

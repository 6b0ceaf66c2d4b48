/*
 * The session handler "memcached": the wire format, the locks and the settings of php-memcached's, so that sessions
 * written by one are read by the other.
 */
#ifndef MEMCACHED_SESSION_H
#define MEMCACHED_SESSION_H

#include "memcached_client.h"

#include "php_ini.h"

/* What the settings memcached.sess_* may be. */
ZEND_INI_MH(memcached_session_on_hash);
ZEND_INI_MH(memcached_session_on_prefix);
ZEND_INI_MH(memcached_session_on_deprecated);

/* MINIT */
void memcached_session_init(void);

#endif

/*
 * The session handler "memcache": the wire format, the locks and the settings of php-memcache's, so that sessions
 * written by one are read by the other.
 */
#ifndef MEMCACHE_SESSION_H
#define MEMCACHE_SESSION_H

/* MINIT */
void memcache_session_init(void);

#endif

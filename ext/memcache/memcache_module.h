/*
 * The module memcache: its settings, and what one process (with thread safety: one thread) keeps between calls. Its
 * classes, functions and session handler stand in for php-memcache's over Larder's client;
 * docs/how-to/from-pecl-memcache.md says where they differ.
 */
#ifndef MEMCACHE_MODULE_H
#define MEMCACHE_MODULE_H

#include "../php_larder.h"

struct memcache_server;
struct memcache_line;

ZEND_BEGIN_MODULE_GLOBALS(memcache)
	/* ---- memcache.* ---- */
	zend_long allow_failover, max_failover_attempts;
	zend_long default_port;
	zend_long chunk_size;
	bool is_binary;
	bool is_standard;           /* the hash strategy; else consistent */
	bool is_fnv;                /* the hash function; else crc32 */
	zend_long redundancy, session_redundancy;
	zend_long compress_threshold;
	zend_long lock_timeout;
	struct value_allowed *allowed;      /* of which classes values may be; NULL: all */
	bool session_prefix_host_key, session_prefix_host_key_remove_www, session_prefix_host_key_remove_subdomain;
	char *session_prefix_static_key;
	char *session_save_path;
	bool prefix_host_key, prefix_host_key_remove_www, prefix_host_key_remove_subdomain;
	char *prefix_static_key;

	struct memcache_server *servers;    /* the persistent ones of this process */
	struct memcache_line *lines;        /* all of this process, in use or not */
	uint32_t request;                   /* the number of the present one */
ZEND_END_MODULE_GLOBALS(memcache)

ZEND_EXTERN_MODULE_GLOBALS(memcache)

#define MEMCACHE_G(field) ZEND_MODULE_GLOBALS_ACCESSOR(memcache, field)

extern zend_module_entry memcache_module_entry;
#define phpext_memcache_ptr &memcache_module_entry

extern zend_class_entry *memcache_pool_ce;
extern zend_class_entry *memcache_ce;

#endif

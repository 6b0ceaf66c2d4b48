/*
 * The module memcached: its settings, and what one process (with thread safety: one thread) keeps between calls. The
 * class and its session handler stand in for php-memcached's over Larder's client; docs/how-to/from-ext-memcached.md
 * says where they differ.
 */
#ifndef MEMCACHED_MODULE_H
#define MEMCACHED_MODULE_H

#include "../php_larder.h"

struct memcached_client;

ZEND_BEGIN_MODULE_GLOBALS(memcached)
	/* ---- memcached.* ---- */
	char *compression_name;
	zend_long compression_type;
	double compression_factor;
	zend_long compression_level;
	zend_long compression_threshold;
	char *serializer_name;
	char *objects;
	zend_long serializer;
	zend_long store_retry_count;
	zend_long item_size_limit;
	bool default_consistent_hash;
	bool default_binary_protocol;
	zend_long default_connect_timeout;
	bool tls;
	bool tls_verify;
	char *tls_ca, *tls_cert, *tls_key, *tls_name;

	/* ---- memcached.sess_* ---- */
	bool sess_locking;
	zend_long sess_lock_wait_min, sess_lock_wait_max, sess_lock_retries, sess_lock_expire;
	bool sess_binary_protocol;
	bool sess_consistent_hash;
	char *sess_consistent_hash_type;
	zend_long sess_number_of_replicas;
	bool sess_randomize_replica_read;
	bool sess_remove_failed_servers;
	zend_long sess_server_failure_limit;
	zend_long sess_connect_timeout;
	char *sess_sasl_username, *sess_sasl_password;
	bool sess_persistent;
	char *sess_prefix;
	char *no_effect;

	struct memcached_client *clients;   /* all of this process, for the end of a request and for forks */
	uint32_t request;                   /* the number of the present one */
ZEND_END_MODULE_GLOBALS(memcached)

ZEND_EXTERN_MODULE_GLOBALS(memcached)

#define MEMCACHED_G(field) ZEND_MODULE_GLOBALS_ACCESSOR(memcached, field)

extern zend_module_entry memcached_module_entry;
#define phpext_memcached_ptr &memcached_module_entry

extern zend_class_entry *memcached_ce;
extern zend_class_entry *memcached_exception_ce;

#endif

#ifdef HAVE_CONFIG_H
# include "config.h"
#endif

#include "memcached_batch.h"

#include "ext/spl/spl_exceptions.h"
#include "ext/standard/info.h"
#include "php_ini.h"
#include "zend_attributes.h"
#include "zend_exceptions.h"

#include "../dropin/dropin_module.h"
#include "../value/value_compressors.h"
#include "../value/value_errors.h"
#include "../value/value_serializers.h"
#include "memcached_session.h"

#include "memcached_arginfo.h"

/* Frameworks compare it: at least 3.3.0. */
#define MEMCACHED_VERSION "3.3.0-larder"

ZEND_DECLARE_MODULE_GLOBALS(memcached)

#if defined(ZTS) && defined(COMPILE_DL_MEMCACHED)
TSRM_TLS void *TSRMLS_CACHE TSRM_TLS_MODEL_ATTR = NULL;
#endif

/* ---- settings ---- */

static bool is_text(const zend_string *value, const char *text)
{
	return zend_string_equals_cstr(value, text, strlen(text));
}

static ZEND_INI_MH(on_compression_type)
{
	if (is_text(new_value, "fastlz")) {
		MEMCACHED_G(compression_type) = MEMCACHED_COMPRESSION_FASTLZ;
	} else if (is_text(new_value, "zlib") && value_compressor_zlib.readable) {
		MEMCACHED_G(compression_type) = MEMCACHED_COMPRESSION_ZLIB;
	} else if (is_text(new_value, "zstd") && value_compressor_zstd.readable) {
		MEMCACHED_G(compression_type) = MEMCACHED_COMPRESSION_ZSTD;
	} else {
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_serializer)
{
	if (is_text(new_value, "php")) {
		MEMCACHED_G(serializer) = MEMCACHED_SERIALIZER_PHP;
	} else if (is_text(new_value, "igbinary") && value_serializer_is_loaded(&value_serializer_igbinary)) {
		MEMCACHED_G(serializer) = MEMCACHED_SERIALIZER_IGBINARY;
	} else if (is_text(new_value, "msgpack") && value_serializer_is_loaded(&value_serializer_msgpack)) {
		MEMCACHED_G(serializer) = MEMCACHED_SERIALIZER_MSGPACK;
	} else if (is_text(new_value, "json")) {
		MEMCACHED_G(serializer) = MEMCACHED_SERIALIZER_JSON;
	} else if (is_text(new_value, "json_array")) {
		MEMCACHED_G(serializer) = MEMCACHED_SERIALIZER_JSON_ARRAY;
	} else {
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

#define SETTING(name, standard, on_change, field) \
	STD_PHP_INI_ENTRY( \
		"memcached." name, standard, PHP_INI_ALL, on_change, field, zend_memcached_globals, memcached_globals)
#define SWITCH(name, standard, field) \
	STD_PHP_INI_BOOLEAN( \
		"memcached." name, standard, PHP_INI_ALL, OnUpdateBool, field, zend_memcached_globals, memcached_globals)

PHP_INI_BEGIN()
SWITCH("sess_locking", "1", sess_locking)
SETTING("sess_lock_wait_min", "150", OnUpdateLongGEZero, sess_lock_wait_min)
SETTING("sess_lock_wait_max", "150", OnUpdateLongGEZero, sess_lock_wait_max)
SETTING("sess_lock_retries", "5", OnUpdateLong, sess_lock_retries)
SETTING("sess_lock_expire", "0", OnUpdateLongGEZero, sess_lock_expire)
SWITCH("sess_binary_protocol", "1", sess_binary_protocol)
SWITCH("sess_consistent_hash", "1", sess_consistent_hash)
SETTING("sess_consistent_hash_type", "ketama", memcached_session_on_hash, sess_consistent_hash_type)
SETTING("sess_number_of_replicas", "0", OnUpdateLongGEZero, sess_number_of_replicas)
SWITCH("sess_randomize_replica_read", "0", sess_randomize_replica_read)
SWITCH("sess_remove_failed_servers", "0", sess_remove_failed_servers)
SETTING("sess_server_failure_limit", "0", OnUpdateLongGEZero, sess_server_failure_limit)
SETTING("sess_connect_timeout", "0", OnUpdateLong, sess_connect_timeout)
SETTING("sess_sasl_username", "", OnUpdateString, sess_sasl_username)
SETTING("sess_sasl_password", "", OnUpdateString, sess_sasl_password)
SWITCH("sess_persistent", "0", sess_persistent)
SETTING("sess_prefix", "memc.sess.key.", memcached_session_on_prefix, sess_prefix)
SETTING("sess_lock_wait", "not set", memcached_session_on_deprecated, no_effect)
SETTING("sess_lock_max_wait", "not set", memcached_session_on_deprecated, no_effect)
SETTING("compression_type", "fastlz", on_compression_type, compression_name)
SETTING("compression_factor", "1.3", OnUpdateReal, compression_factor)
SETTING("compression_level", "3", OnUpdateLong, compression_level)
SETTING("compression_threshold", "2000", OnUpdateLong, compression_threshold)
SETTING("objects", "1", OnUpdateString, objects)
SETTING("store_retry_count", "0", OnUpdateLong, store_retry_count)
SETTING("item_size_limit", "0", OnUpdateLongGEZero, item_size_limit)
SWITCH("default_consistent_hash", "0", default_consistent_hash)
SWITCH("default_binary_protocol", "0", default_binary_protocol)
SETTING("default_connect_timeout", "0", OnUpdateLong, default_connect_timeout)
SWITCH("tls", "0", tls)
SETTING("tls_ca", "", OnUpdateString, tls_ca)
SETTING("tls_cert", "", OnUpdateString, tls_cert)
SETTING("tls_key", "", OnUpdateString, tls_key)
SETTING("tls_name", "", OnUpdateString, tls_name)
SWITCH("tls_verify", "1", tls_verify)
PHP_INI_END()

/* The default is the best serializer that is loaded. */
#define SERIALIZER_SETTING(standard) {SETTING("serializer", standard, on_serializer, serializer_name) {0}}

static void register_settings(int type, int module_number)
{
	static const zend_ini_entry_def standards[][2] = {
		SERIALIZER_SETTING("igbinary"), SERIALIZER_SETTING("msgpack"), SERIALIZER_SETTING("php")};
	int standard = value_serializer_is_loaded(&value_serializer_igbinary) ? 0
		: value_serializer_is_loaded(&value_serializer_msgpack) ? 1
		: 2;

	zend_register_ini_entries(ini_entries, module_number);
	zend_register_ini_entries(standards[standard], module_number);
}

/* ---- the module ---- */

static void declare_bool(const char *name, bool value)
{
	zend_declare_class_constant_bool(memcached_ce, name, strlen(name), value);
}

static PHP_GINIT_FUNCTION(memcached)
{
#if defined(ZTS) && defined(COMPILE_DL_MEMCACHED)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	memset(memcached_globals, 0, sizeof(*memcached_globals));
}

static PHP_MINIT_FUNCTION(memcached)
{
	register_settings(type, module_number);
	memcached_ce = register_class_Memcached();
	memcached_object_init();
	memcached_exception_ce = register_class_MemcachedException(spl_ce_RuntimeException);
	larder_unstorable_value_ce = memcached_exception_ce;
	declare_bool("HAVE_IGBINARY", value_serializer_is_loaded(&value_serializer_igbinary));
	declare_bool("HAVE_MSGPACK", value_serializer_is_loaded(&value_serializer_msgpack));
	declare_bool("HAVE_ZSTD", value_compressor_zstd.readable);
	declare_bool("HAVE_TLS", lrd_pool_has_tls());
	memcached_clients_init(module_number);
	memcached_session_init();
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(memcached)
{
	UNREGISTER_INI_ENTRIES();
	return SUCCESS;
}

static PHP_RINIT_FUNCTION(memcached)
{
#if defined(ZTS) && defined(COMPILE_DL_MEMCACHED)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	MEMCACHED_G(request)++;
	return SUCCESS;
}

/* The last object of the request is gone only now. */
static ZEND_MODULE_POST_ZEND_DEACTIVATE_D(memcached)
{
	memcached_clients_end_request();
	return SUCCESS;
}

static PHP_MINFO_FUNCTION(memcached)
{
	php_info_print_table_start();
	php_info_print_table_header(2, "memcached support", "enabled");
	php_info_print_table_row(2, "Version", MEMCACHED_VERSION);
	php_info_print_table_row(2, "Larder", PHP_LARDER_VERSION);
	php_info_print_table_row(2, "SASL support", "no");
	php_info_print_table_row(2, "TLS support", lrd_pool_has_tls() ? "yes" : "no");
	php_info_print_table_row(2, "Session support", "yes");
	php_info_print_table_row(
		2, "igbinary support", value_serializer_is_loaded(&value_serializer_igbinary) ? "yes" : "no");
	php_info_print_table_row(2, "json support", "yes");
	php_info_print_table_row(2, "msgpack support", value_serializer_is_loaded(&value_serializer_msgpack) ? "yes" : "no");
	php_info_print_table_row(2, "zstd support", value_compressor_zstd.readable ? "yes" : "no");
	php_info_print_table_end();
	DISPLAY_INI_ENTRIES();
}

static const zend_module_dep dependencies[] = {
	ZEND_MOD_REQUIRED("session")
	ZEND_MOD_REQUIRED("spl")
	ZEND_MOD_REQUIRED("json")
	ZEND_MOD_OPTIONAL("igbinary")
	ZEND_MOD_OPTIONAL("msgpack")
	ZEND_MOD_END
};

zend_module_entry memcached_module_entry = {
	STANDARD_MODULE_HEADER_EX,
	NULL,
	dependencies,
	"memcached",
	NULL,
	PHP_MINIT(memcached),
	PHP_MSHUTDOWN(memcached),
	PHP_RINIT(memcached),
	NULL,
	PHP_MINFO(memcached),
	MEMCACHED_VERSION,
	PHP_MODULE_GLOBALS(memcached),
	PHP_GINIT(memcached),
	NULL,
	ZEND_MODULE_POST_ZEND_DEACTIVATE_N(memcached),
	STANDARD_MODULE_PROPERTIES_EX
};

#ifdef COMPILE_DL_MEMCACHED
ZEND_DLEXPORT zend_module_entry *get_module(void);

ZEND_DLEXPORT zend_module_entry *get_module(void)
{
	dropin_module_warn(&memcached_module_entry);
	return &memcached_module_entry;
}
#endif

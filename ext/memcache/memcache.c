#ifdef HAVE_CONFIG_H
# include "config.h"
#endif

#include "memcache_line.h"

#include "ext/standard/info.h"
#include "php_ini.h"
#include "zend_exceptions.h"
#include "zend_modules.h"

#include "../dropin/dropin_bytes.h"
#include "../dropin/dropin_module.h"
#include "../value/value_errors.h"
#include "memcache_object.h"
#include "memcache_session.h"

#include "memcache_arginfo.h"

#define MEMCACHE_VERSION "8.2-larder"

ZEND_DECLARE_MODULE_GLOBALS(memcache)

#if defined(ZTS) && defined(COMPILE_DL_MEMCACHE)
TSRM_TLS void *TSRMLS_CACHE TSRM_TLS_MODEL_ATTR = NULL;
#endif

/* ---- settings ---- */

static bool is_word(const zend_string *value, const char *word)
{
	return zend_binary_strcasecmp(ZSTR_VAL(value), ZSTR_LEN(value), word, strlen(word)) == 0;
}

/* True: the first of the two. False with a warning: none of them. */
static bool is_one_of(const zend_ini_entry *entry, const zend_string *value, const char *first, const char *second)
{
	if (is_word(value, first) || is_word(value, second)) {
		return true;
	}
	php_error_docref(NULL, E_WARNING, "%s must be in set {%s, %s} ('%s' given)", ZSTR_VAL(entry->name), first, second,
		ZSTR_VAL(value));
	return false;
}

static ZEND_INI_MH(on_protocol)
{
	if (!is_one_of(entry, new_value, "ascii", "binary")) {
		return FAILURE;
	}
	MEMCACHE_G(is_binary) = is_word(new_value, "binary");
	return SUCCESS;
}

static ZEND_INI_MH(on_strategy)
{
	if (!is_one_of(entry, new_value, "standard", "consistent")) {
		return FAILURE;
	}
	MEMCACHE_G(is_standard) = is_word(new_value, "standard");
	return SUCCESS;
}

static ZEND_INI_MH(on_function)
{
	if (!is_one_of(entry, new_value, "crc32", "fnv")) {
		return FAILURE;
	}
	MEMCACHE_G(is_fnv) = is_word(new_value, "fnv");
	return SUCCESS;
}

static bool is_at_least(const zend_ini_entry *entry, const zend_string *value, zend_long least)
{
	char *end;
	zend_long number = ZEND_STRTOL(ZSTR_VAL(value), &end, 10);

	if (*end == '\0' && number >= least) {
		return true;
	}
	php_error_docref(
		NULL, E_WARNING, "%s must be a positive integer ('%s' given)", ZSTR_VAL(entry->name), ZSTR_VAL(value));
	return false;
}

static ZEND_INI_MH(on_positive)
{
	return is_at_least(entry, new_value, 1) ? OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage)
		: FAILURE;
}

static ZEND_INI_MH(on_number)
{
	return is_at_least(entry, new_value, 0) ? OnUpdateLong(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage)
		: FAILURE;
}

static ZEND_INI_MH(on_objects)
{
	value_allowed_free(MEMCACHE_G(allowed));
	MEMCACHE_G(allowed) = dropin_allowed(new_value != NULL ? ZSTR_VAL(new_value) : "");
	return SUCCESS;
}

static ZEND_INI_MH(on_prefix)
{
	if (new_value != NULL && memchr(ZSTR_VAL(new_value), '.', ZSTR_LEN(new_value)) != NULL) {
		php_error_docref(NULL, E_WARNING, "%s cannot have dot inside (.)", ZSTR_VAL(entry->name));
		return FAILURE;
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

#define SETTING(name, standard, on_change, field) \
	STD_PHP_INI_ENTRY( \
		"memcache." name, standard, PHP_INI_ALL, on_change, field, zend_memcache_globals, memcache_globals)
#define SWITCH(name, standard, field) \
	STD_PHP_INI_BOOLEAN( \
		"memcache." name, standard, PHP_INI_ALL, OnUpdateBool, field, zend_memcache_globals, memcache_globals)

PHP_INI_BEGIN()
SETTING("allow_failover", "1", OnUpdateLong, allow_failover)
SETTING("max_failover_attempts", "20", on_positive, max_failover_attempts)
SETTING("default_port", "11211", OnUpdateLong, default_port)
SETTING("chunk_size", "32768", on_positive, chunk_size)
SETTING("protocol", "ascii", on_protocol, is_binary)
SETTING("hash_strategy", "consistent", on_strategy, is_standard)
SETTING("hash_function", "crc32", on_function, is_fnv)
SETTING("redundancy", "1", on_positive, redundancy)
SETTING("session_redundancy", "2", on_positive, session_redundancy)
SETTING("compress_threshold", "20000", on_number, compress_threshold)
SETTING("objects", "1", on_objects, allowed)
SETTING("lock_timeout", "15", on_positive, lock_timeout)
SWITCH("session_prefix_host_key", "0", session_prefix_host_key)
SWITCH("session_prefix_host_key_remove_www", "1", session_prefix_host_key_remove_www)
SWITCH("session_prefix_host_key_remove_subdomain", "0", session_prefix_host_key_remove_subdomain)
SETTING("session_prefix_static_key", NULL, on_prefix, session_prefix_static_key)
SETTING("session_save_path", NULL, OnUpdateString, session_save_path)
SWITCH("prefix_host_key", "0", prefix_host_key)
SWITCH("prefix_host_key_remove_www", "1", prefix_host_key_remove_www)
SWITCH("prefix_host_key_remove_subdomain", "0", prefix_host_key_remove_subdomain)
SETTING("prefix_static_key", NULL, on_prefix, prefix_static_key)
PHP_INI_END()

/* ---- the module ---- */

static PHP_GINIT_FUNCTION(memcache)
{
#if defined(ZTS) && defined(COMPILE_DL_MEMCACHE)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	memset(memcache_globals, 0, sizeof(*memcache_globals));
}

static PHP_GSHUTDOWN_FUNCTION(memcache)
{
	memcache_lines_free(&memcache_globals->lines);
	memcache_servers_free(&memcache_globals->servers);
	value_allowed_free(memcache_globals->allowed);
}

static PHP_MINIT_FUNCTION(memcache)
{
	REGISTER_INI_ENTRIES();
	register_memcache_symbols(module_number);
	memcache_pool_ce = register_class_MemcachePool();
	memcache_ce = register_class_Memcache(memcache_pool_ce);
	memcache_pool_ce->ce_flags |= VALUE_ALLOW_DYNAMIC_PROPERTIES;
	memcache_ce->ce_flags |= VALUE_ALLOW_DYNAMIC_PROPERTIES;
	larder_unstorable_value_ce = zend_ce_exception;
	memcache_object_init(module_number);
	memcache_lines_init();
	memcache_session_init();
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(memcache)
{
	UNREGISTER_INI_ENTRIES();
	return SUCCESS;
}

static PHP_RINIT_FUNCTION(memcache)
{
#if defined(ZTS) && defined(COMPILE_DL_MEMCACHE)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	MEMCACHE_G(request)++;
	return SUCCESS;
}

static PHP_MINFO_FUNCTION(memcache)
{
	php_info_print_table_start();
	php_info_print_table_header(2, "memcache support", "enabled");
	php_info_print_table_row(2, "Version", MEMCACHE_VERSION);
	php_info_print_table_row(2, "Larder", PHP_LARDER_VERSION);
	php_info_print_table_end();
	DISPLAY_INI_ENTRIES();
}

static const zend_module_dep dependencies[] = {
	ZEND_MOD_REQUIRED("session")
	ZEND_MOD_REQUIRED("spl")
	ZEND_MOD_REQUIRED("json")
	ZEND_MOD_END
};

zend_module_entry memcache_module_entry = {
	STANDARD_MODULE_HEADER_EX,
	NULL,
	dependencies,
	"memcache",
	ext_functions,
	PHP_MINIT(memcache),
	PHP_MSHUTDOWN(memcache),
	PHP_RINIT(memcache),
	NULL,
	PHP_MINFO(memcache),
	MEMCACHE_VERSION,
	PHP_MODULE_GLOBALS(memcache),
	PHP_GINIT(memcache),
	PHP_GSHUTDOWN(memcache),
	NULL,
	STANDARD_MODULE_PROPERTIES_EX
};

#ifdef COMPILE_DL_MEMCACHE
ZEND_DLEXPORT zend_module_entry *get_module(void);

ZEND_DLEXPORT zend_module_entry *get_module(void)
{
	dropin_module_warn(&memcache_module_entry);
	return &memcache_module_entry;
}
#endif

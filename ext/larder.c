#ifdef HAVE_CONFIG_H
# include "config.h"
#endif

#include "php_larder.h"

#include "ext/spl/spl_exceptions.h"
#include "ext/standard/info.h"
#include "php_ini.h"
#include "zend_attributes.h"
#include "zend_enum.h"
#include "zend_exceptions.h"
#include "zend_interfaces.h"

#include "php/php_answer.h"
#include "php/php_exception.h"
#include "php/php_failure.h"
#include "php/php_fork.h"
#include "php/php_memcached.h"
#include "php/php_outcome.h"
#include "php/php_pipeline.h"
#include "php/php_pools.h"
#include "php/php_segment.h"
#include "php/php_settings.h"
#include "php/php_shared_memory.h"

#include "larder_arginfo.h"

ZEND_DECLARE_MODULE_GLOBALS(larder)

#if defined(ZTS) && defined(COMPILE_DL_LARDER)
TSRM_TLS void *TSRMLS_CACHE TSRM_TLS_MODEL_ATTR = NULL;
#endif

/* A word that no branch of ours knows would be a setting that silently does nothing. */
static ZEND_INI_MH(on_share)
{
	if (strcmp(ZSTR_VAL(new_value), "auto") != 0 && strcmp(ZSTR_VAL(new_value), "1") != 0
		&& strcmp(ZSTR_VAL(new_value), "0") != 0 && ZSTR_LEN(new_value) != 0) {
		return php_setting_refuse(entry, new_value, "auto, 1 or 0", stage);
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_protect)
{
	if (ZSTR_LEN(new_value) != 0 && strcmp(ZSTR_VAL(new_value), "read") != 0
		&& strcmp(ZSTR_VAL(new_value), "hide") != 0) {
		return php_setting_refuse(entry, new_value, "empty, read or hide", stage);
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_base)
{
	char *end;
	unsigned long long base = strtoull(ZSTR_VAL(new_value), &end, 0);

	if (ZSTR_LEN(new_value) == 0 || *end != '\0' || base % LRD_SEGMENT_PAGE != 0) {
		return php_setting_refuse(entry, new_value, "the address of a page, such as 0x3c0000000000, or 0", stage);
	}
	return OnUpdateString(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_shards)
{
	zend_long shards;

	if (!php_setting_number(new_value, 0, LRD_SHARDS_MAX, &shards) || (shards & (shards - 1)) != 0) {
		return php_setting_refuse(entry, new_value, "0 (by size) or a power of two up to 64", stage);
	}
	return OnUpdateLongGEZero(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_slots)
{
	zend_long slots;

	if (!php_setting_number(new_value, 0, LRD_SLOTS_MAX, &slots)) {
		return php_setting_refuse(entry, new_value, "a number of processes from 1 to 65536, or 0 for 1024", stage);
	}
	return OnUpdateLongGEZero(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_lock_timeout)
{
	zend_long ms;

	if (!php_setting_number(new_value, 0, 60000, &ms)) {
		return php_setting_refuse(entry, new_value, "milliseconds from 1 to 60000, or 0 for 100", stage);
	}
	return OnUpdateLongGEZero(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_size)
{
	zend_long size;

	if (!php_setting_number(new_value, 0, PHP_SEGMENT_SIZE_MAX, &size)) {
		return php_setting_refuse(entry, new_value, "bytes up to 16T, such as 64M, or 0 for none", stage);
	}
	return OnUpdateLongGEZero(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_value_max)
{
	zend_long size;

	if (!php_setting_number(new_value, 1, PHP_MEMCACHED_VALUE_MAX, &size)) {
		return php_setting_refuse(entry, new_value, "bytes from 1 to 1G, such as 64M", stage);
	}
	return OnUpdateLongGEZero(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

static ZEND_INI_MH(on_decode_timeout)
{
	zend_long ms;

	if (!php_setting_number(new_value, 1, 3600 * 1000, &ms)) {
		return php_setting_refuse(entry, new_value, "milliseconds from 1 to 3600000", stage);
	}
	return OnUpdateLongGEZero(entry, new_value, mh_arg1, mh_arg2, mh_arg3, stage);
}

PHP_INI_BEGIN()
STD_PHP_INI_ENTRY("larder.size", "64M", PHP_INI_SYSTEM, on_size, size, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.name", "", PHP_INI_SYSTEM, OnUpdateString, name, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.directory", "/dev/shm", PHP_INI_SYSTEM, OnUpdateStringUnempty, directory, zend_larder_globals,
	larder_globals)
STD_PHP_INI_ENTRY("larder.owner", "", PHP_INI_SYSTEM, OnUpdateString, owner, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.group", "", PHP_INI_SYSTEM, OnUpdateString, group, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY(
	"larder.namespace", "", PHP_INI_SYSTEM, OnUpdateString, namespace, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.share", "auto", PHP_INI_SYSTEM, on_share, share, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.base", "0x3c0000000000", PHP_INI_SYSTEM, on_base, base, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.shards", "0", PHP_INI_SYSTEM, on_shards, shards, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.slots", "0", PHP_INI_SYSTEM, on_slots, slots, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY(
	"larder.lock_timeout", "100", PHP_INI_SYSTEM, on_lock_timeout, lock_timeout, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.protect", "", PHP_INI_SYSTEM, on_protect, protect, zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.memcached_value_max", "64M", PHP_INI_ALL, on_value_max, memcached_value_max,
	zend_larder_globals, larder_globals)
STD_PHP_INI_ENTRY("larder.memcached_decode_timeout", "1000", PHP_INI_ALL, on_decode_timeout, memcached_decode_timeout,
	zend_larder_globals, larder_globals)
PHP_INI_END()

static void register_classes(void)
{
	php_exception_ce = register_class_Larder_Exception_LarderException(zend_ce_throwable);
	larder_unstorable_value_ce = register_class_Larder_Exception_UnstorableValue(
		spl_ce_InvalidArgumentException, php_exception_ce);
	php_exception_shared_ce = register_class_Larder_Exception_PoolIsShared(spl_ce_LogicException, php_exception_ce);
	php_exception_unavailable_ce = register_class_Larder_Exception_SharedMemoryUnavailable(
		spl_ce_RuntimeException, php_exception_ce);
	php_outcome_ce = register_class_Larder_Outcome();
	php_answer_ce = register_class_Larder_Answer();
	zend_class_entry *store = register_class_Larder_Store();
	php_shared_memory_ce = register_class_Larder_SharedMemory(register_class_Larder_NearStore(store));
	php_shared_memory_init();
	php_failure_kind_ce = register_class_Larder_FailureKind();
	php_failure_ce = register_class_Larder_Failure();
	php_memcached_ce = register_class_Larder_Memcached(store);
	php_memcached_init();
	php_pipeline_ce = register_class_Larder_Pipeline(zend_ce_countable);
	php_pipeline_init();
}

/* Of a process, or of one thread: by that thread. */
static PHP_GINIT_FUNCTION(larder)
{
#if defined(ZTS) && defined(COMPILE_DL_LARDER)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	memset(larder_globals, 0, sizeof(*larder_globals));
}

/* By that thread, or after it by the one that ends the process, behind MSHUTDOWN. */
static PHP_GSHUTDOWN_FUNCTION(larder)
{
	php_pools_close(larder_globals);
	php_segment_close(larder_globals);
}

static PHP_MINIT_FUNCTION(larder)
{
	(void) type;
	REGISTER_INI_ENTRIES();
	register_classes();
	php_segment_open();
	php_fork_watch();
	php_failure_watch(true);
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(larder)
{
	(void) type;
	php_fork_unwrap_pcntl();
	php_failure_watch(false);
	UNREGISTER_INI_ENTRIES();
	return SUCCESS;
}

static PHP_RINIT_FUNCTION(larder)
{
	(void) type;
	(void) module_number;
#if defined(ZTS) && defined(COMPILE_DL_LARDER)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	php_fork_wrap_pcntl();
	php_outcome_begin_request();
	php_segment_begin_request();
	return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(larder)
{
	(void) type;
	(void) module_number;
	if (LARDER_G(store) != NULL) {
		lrd_store_end_leases(LARDER_G(store));
	}
	return SUCCESS;
}

/* The last zval of the request is gone only now: see php/php_segment.h. */
static ZEND_MODULE_POST_ZEND_DEACTIVATE_D(larder)
{
	php_pools_end_request();
	php_segment_end_request();
	return SUCCESS;
}

static void describe_segment(void)
{
	lrd_report report;
	char number[32];

	lrd_store_report(LARDER_G(store), &report);
	zend_string *reason = php_segment_reason();
	php_info_print_table_row(2, "Mode", php_segment_is_sharing() ? "share" : "copy");
	if (ZSTR_LEN(reason) > 0) {
		php_info_print_table_row(2, "Reason", ZSTR_VAL(reason));
	}
	zend_string_release(reason);
	snprintf(number, sizeof(number), "0x%llx", (unsigned long long) report.segment->base);
	php_info_print_table_row(2, "Base", number);
	snprintf(number, sizeof(number), "%llu", (unsigned long long) report.segment->size);
	php_info_print_table_row(2, "Size", number);
	php_info_print_table_row(2, "Segment", report.named ? php_segment_path() : "anonymous");
	php_info_print_table_row(2, "Namespace", LARDER_G(namespace)[0] != '\0' ? LARDER_G(namespace) : "(the empty one)");
}

static void describe_pools(void)
{
	char number[32];

	snprintf(number, sizeof(number), "%u", php_pools_count());
	php_info_print_table_row(2, "Memcached pools", number);
#ifdef LARDER_WITH_OPENSSL
	php_info_print_table_row(2, "Memcached over TLS", "yes");
#else
	php_info_print_table_row(2, "Memcached over TLS", "no");
#endif
}

static PHP_MINFO_FUNCTION(larder)
{
	php_info_print_table_start();
	php_info_print_table_row(2, "Larder", zend_module->version);
	if (LARDER_G(store) != NULL) {
		describe_segment();
	} else {
		php_info_print_table_row(2, "Mode", "off");
		php_info_print_table_row(2, "Reason", php_segment_failure());
	}
	describe_pools();
	php_info_print_table_end();
	DISPLAY_INI_ENTRIES();
}

static const zend_module_dep larder_deps[] = {
	ZEND_MOD_REQUIRED("spl")
	ZEND_MOD_END
};

zend_module_entry larder_module_entry = {
	STANDARD_MODULE_HEADER_EX,
	NULL,
	larder_deps,
	"larder",
	NULL,
	PHP_MINIT(larder),
	PHP_MSHUTDOWN(larder),
	PHP_RINIT(larder),
	PHP_RSHUTDOWN(larder),
	PHP_MINFO(larder),
	PHP_LARDER_VERSION,
	PHP_MODULE_GLOBALS(larder),
	PHP_GINIT(larder),
	PHP_GSHUTDOWN(larder),
	ZEND_MODULE_POST_ZEND_DEACTIVATE_N(larder),
	STANDARD_MODULE_PROPERTIES_EX
};

#ifdef COMPILE_DL_LARDER
ZEND_GET_MODULE(larder)
#endif

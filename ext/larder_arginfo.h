/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 12cce8e94a06b9f28cd6b631aaecd846fa5d4e95 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Larder_Answer___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, hit, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, value, IS_MIXED, 0, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, version, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, stale, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lease, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, answered, _IS_BOOL, 0, "true")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_get, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, default, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_read, 0, 1, Larder\\Answer, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_getMultiple, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, keys, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_has, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_set, 0, 2, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lease, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_add, 0, 2, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Store_replace arginfo_class_Larder_Store_add

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_cas, 0, 3, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, version, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_setMultiple, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, values, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_delete, 0, 1, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Store_deleteMultiple arginfo_class_Larder_Store_getMultiple

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_touch, 0, 1, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_TYPE_MASK_EX(arginfo_class_Larder_Store_increment, 0, 1, Larder\\Outcome, MAY_BE_LONG)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, initial, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Store_decrement arginfo_class_Larder_Store_increment

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_getOrLease, 0, 1, Larder\\Answer, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 0, "10.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_lease, 0, 1, IS_LONG, 1)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 0, "10.0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Store_release, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, lease, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Store_clear, 0, 0, Larder\\Outcome, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_NearStore_fresh, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, stamped, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Larder_SharedMemory___construct, 0, 0, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, namespace, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_SharedMemory_get arginfo_class_Larder_Store_get

#define arginfo_class_Larder_SharedMemory_read arginfo_class_Larder_Store_read

#define arginfo_class_Larder_SharedMemory_fresh arginfo_class_Larder_NearStore_fresh

#define arginfo_class_Larder_SharedMemory_getMultiple arginfo_class_Larder_Store_getMultiple

#define arginfo_class_Larder_SharedMemory_has arginfo_class_Larder_Store_has

#define arginfo_class_Larder_SharedMemory_set arginfo_class_Larder_Store_set

#define arginfo_class_Larder_SharedMemory_add arginfo_class_Larder_Store_add

#define arginfo_class_Larder_SharedMemory_replace arginfo_class_Larder_Store_add

#define arginfo_class_Larder_SharedMemory_cas arginfo_class_Larder_Store_cas

#define arginfo_class_Larder_SharedMemory_setMultiple arginfo_class_Larder_Store_setMultiple

#define arginfo_class_Larder_SharedMemory_delete arginfo_class_Larder_Store_delete

#define arginfo_class_Larder_SharedMemory_deleteMultiple arginfo_class_Larder_Store_getMultiple

#define arginfo_class_Larder_SharedMemory_touch arginfo_class_Larder_Store_touch

#define arginfo_class_Larder_SharedMemory_increment arginfo_class_Larder_Store_increment

#define arginfo_class_Larder_SharedMemory_decrement arginfo_class_Larder_Store_increment

#define arginfo_class_Larder_SharedMemory_getOrLease arginfo_class_Larder_Store_getOrLease

#define arginfo_class_Larder_SharedMemory_lease arginfo_class_Larder_Store_lease

#define arginfo_class_Larder_SharedMemory_release arginfo_class_Larder_Store_release

#define arginfo_class_Larder_SharedMemory_clear arginfo_class_Larder_Store_clear

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_SharedMemory_reportTo, 0, 1, Closure, 1)
	ZEND_ARG_OBJ_INFO(0, report, Closure, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_SharedMemory_info, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_SharedMemory_entries, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cursor, IS_LONG, 0, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, limit, IS_LONG, 0, "1000")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Larder_Failure___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_Larder_Memcached___construct, 0, 0, 0)
	ZEND_ARG_TYPE_MASK(0, servers, MAY_BE_STRING|MAY_BE_ARRAY, "\'127.0.0.1:11211\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, prefix, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, timeout, IS_LONG, 0, "250")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, retry, IS_LONG, 0, "1000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ring, IS_STRING, 0, "\'larder\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, hash, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, layout, IS_STRING, 0, "\'memcached\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, serializer, IS_STRING, 0, "\'php\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, compressor, IS_STRING, 0, "\'none\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, compressionThreshold, IS_LONG, 0, "2000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, shared, _IS_BOOL, 0, "true")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, failover, IS_STRING, 0, "\'none\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, udp, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, dnsTimeout, IS_LONG, 0, "1000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, user, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, password, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, tlsCa, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, tlsCert, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, tlsKey, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, tlsName, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, tlsVerify, _IS_BOOL, 0, "true")
	ZEND_ARG_TYPE_MASK(0, objects, MAY_BE_BOOL|MAY_BE_ARRAY, "[]")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Memcached_get arginfo_class_Larder_Store_get

#define arginfo_class_Larder_Memcached_read arginfo_class_Larder_Store_read

#define arginfo_class_Larder_Memcached_gets arginfo_class_Larder_Store_read

#define arginfo_class_Larder_Memcached_getMultiple arginfo_class_Larder_Store_getMultiple

#define arginfo_class_Larder_Memcached_readMultiple arginfo_class_Larder_Store_getMultiple

#define arginfo_class_Larder_Memcached_has arginfo_class_Larder_Store_has

#define arginfo_class_Larder_Memcached_set arginfo_class_Larder_Store_set

#define arginfo_class_Larder_Memcached_add arginfo_class_Larder_Store_add

#define arginfo_class_Larder_Memcached_replace arginfo_class_Larder_Store_add

#define arginfo_class_Larder_Memcached_cas arginfo_class_Larder_Store_cas

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Memcached_casMultiple, 0, 2, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, values, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, versions, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Memcached_setMultiple arginfo_class_Larder_Store_setMultiple

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Memcached_append, 0, 2, Larder\\Outcome, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Memcached_prepend arginfo_class_Larder_Memcached_append

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Memcached_appendMultiple, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Memcached_delete arginfo_class_Larder_Store_delete

#define arginfo_class_Larder_Memcached_deleteMultiple arginfo_class_Larder_Store_getMultiple

#define arginfo_class_Larder_Memcached_touch arginfo_class_Larder_Store_touch

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Memcached_touchMultiple, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, keys, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Memcached_getAndTouch, 0, 1, Larder\\Answer, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Memcached_increment arginfo_class_Larder_Store_increment

#define arginfo_class_Larder_Memcached_decrement arginfo_class_Larder_Store_increment

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Memcached_incrementMultiple, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(0, keys, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, initial, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Memcached_decrementMultiple arginfo_class_Larder_Memcached_incrementMultiple

#define arginfo_class_Larder_Memcached_getOrLease arginfo_class_Larder_Store_getOrLease

#define arginfo_class_Larder_Memcached_lease arginfo_class_Larder_Store_lease

#define arginfo_class_Larder_Memcached_release arginfo_class_Larder_Store_release

#define arginfo_class_Larder_Memcached_markStale arginfo_class_Larder_Store_touch

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_Larder_Memcached_pipeline, 0, 0, Larder\\Pipeline, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Memcached_clear arginfo_class_Larder_Store_clear

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Memcached_serverOf, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Memcached_processOf, 0, 1, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ask, _IS_BOOL, 0, "true")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Memcached_settings arginfo_class_Larder_SharedMemory_info

#define arginfo_class_Larder_Memcached_failures arginfo_class_Larder_SharedMemory_info

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Memcached_stats, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, group, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Memcached_version arginfo_class_Larder_SharedMemory_info

#define arginfo_class_Larder_Memcached_info arginfo_class_Larder_SharedMemory_info

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Memcached_close, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Pipeline___construct arginfo_class_Larder_Failure___construct

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_read, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_getAndTouch, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Pipeline_version arginfo_class_Larder_Pipeline_read

#define arginfo_class_Larder_Pipeline_has arginfo_class_Larder_Pipeline_read

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_set, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, lease, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_add, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Pipeline_replace arginfo_class_Larder_Pipeline_add

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_cas, 0, 3, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, version, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_append, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, bytes, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Pipeline_prepend arginfo_class_Larder_Pipeline_append

#define arginfo_class_Larder_Pipeline_delete arginfo_class_Larder_Pipeline_read

#define arginfo_class_Larder_Pipeline_touch arginfo_class_Larder_Pipeline_getAndTouch

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_increment, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, initial, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Pipeline_decrement arginfo_class_Larder_Pipeline_increment

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_getOrLease, 0, 1, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, seconds, IS_DOUBLE, 0, "10.0")
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Pipeline_lease arginfo_class_Larder_Pipeline_getOrLease

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_release, 0, 2, IS_STATIC, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, lease, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Pipeline_markStale arginfo_class_Larder_Pipeline_getAndTouch

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_count, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Pipeline_run arginfo_class_Larder_SharedMemory_info

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Larder_Pipeline_begin, 0, 0, IS_STATIC, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_Larder_Pipeline_finish arginfo_class_Larder_SharedMemory_info


ZEND_METHOD(Larder_Answer, __construct);
ZEND_METHOD(Larder_SharedMemory, __construct);
ZEND_METHOD(Larder_SharedMemory, get);
ZEND_METHOD(Larder_SharedMemory, read);
ZEND_METHOD(Larder_SharedMemory, fresh);
ZEND_METHOD(Larder_SharedMemory, getMultiple);
ZEND_METHOD(Larder_SharedMemory, has);
ZEND_METHOD(Larder_SharedMemory, set);
ZEND_METHOD(Larder_SharedMemory, add);
ZEND_METHOD(Larder_SharedMemory, replace);
ZEND_METHOD(Larder_SharedMemory, cas);
ZEND_METHOD(Larder_SharedMemory, setMultiple);
ZEND_METHOD(Larder_SharedMemory, delete);
ZEND_METHOD(Larder_SharedMemory, deleteMultiple);
ZEND_METHOD(Larder_SharedMemory, touch);
ZEND_METHOD(Larder_SharedMemory, increment);
ZEND_METHOD(Larder_SharedMemory, decrement);
ZEND_METHOD(Larder_SharedMemory, getOrLease);
ZEND_METHOD(Larder_SharedMemory, lease);
ZEND_METHOD(Larder_SharedMemory, release);
ZEND_METHOD(Larder_SharedMemory, clear);
ZEND_METHOD(Larder_SharedMemory, reportTo);
ZEND_METHOD(Larder_SharedMemory, info);
ZEND_METHOD(Larder_SharedMemory, entries);
ZEND_METHOD(Larder_Failure, __construct);
ZEND_METHOD(Larder_Memcached, __construct);
ZEND_METHOD(Larder_Memcached, get);
ZEND_METHOD(Larder_Memcached, read);
ZEND_METHOD(Larder_Memcached, getMultiple);
ZEND_METHOD(Larder_Memcached, readMultiple);
ZEND_METHOD(Larder_Memcached, has);
ZEND_METHOD(Larder_Memcached, set);
ZEND_METHOD(Larder_Memcached, add);
ZEND_METHOD(Larder_Memcached, replace);
ZEND_METHOD(Larder_Memcached, cas);
ZEND_METHOD(Larder_Memcached, casMultiple);
ZEND_METHOD(Larder_Memcached, setMultiple);
ZEND_METHOD(Larder_Memcached, append);
ZEND_METHOD(Larder_Memcached, prepend);
ZEND_METHOD(Larder_Memcached, appendMultiple);
ZEND_METHOD(Larder_Memcached, delete);
ZEND_METHOD(Larder_Memcached, deleteMultiple);
ZEND_METHOD(Larder_Memcached, touch);
ZEND_METHOD(Larder_Memcached, touchMultiple);
ZEND_METHOD(Larder_Memcached, getAndTouch);
ZEND_METHOD(Larder_Memcached, increment);
ZEND_METHOD(Larder_Memcached, decrement);
ZEND_METHOD(Larder_Memcached, incrementMultiple);
ZEND_METHOD(Larder_Memcached, decrementMultiple);
ZEND_METHOD(Larder_Memcached, getOrLease);
ZEND_METHOD(Larder_Memcached, lease);
ZEND_METHOD(Larder_Memcached, release);
ZEND_METHOD(Larder_Memcached, markStale);
ZEND_METHOD(Larder_Memcached, pipeline);
ZEND_METHOD(Larder_Memcached, clear);
ZEND_METHOD(Larder_Memcached, serverOf);
ZEND_METHOD(Larder_Memcached, processOf);
ZEND_METHOD(Larder_Memcached, settings);
ZEND_METHOD(Larder_Memcached, failures);
ZEND_METHOD(Larder_Memcached, stats);
ZEND_METHOD(Larder_Memcached, version);
ZEND_METHOD(Larder_Memcached, info);
ZEND_METHOD(Larder_Memcached, close);
ZEND_METHOD(Larder_Pipeline, __construct);
ZEND_METHOD(Larder_Pipeline, read);
ZEND_METHOD(Larder_Pipeline, getAndTouch);
ZEND_METHOD(Larder_Pipeline, version);
ZEND_METHOD(Larder_Pipeline, has);
ZEND_METHOD(Larder_Pipeline, set);
ZEND_METHOD(Larder_Pipeline, add);
ZEND_METHOD(Larder_Pipeline, replace);
ZEND_METHOD(Larder_Pipeline, cas);
ZEND_METHOD(Larder_Pipeline, append);
ZEND_METHOD(Larder_Pipeline, prepend);
ZEND_METHOD(Larder_Pipeline, delete);
ZEND_METHOD(Larder_Pipeline, touch);
ZEND_METHOD(Larder_Pipeline, increment);
ZEND_METHOD(Larder_Pipeline, decrement);
ZEND_METHOD(Larder_Pipeline, getOrLease);
ZEND_METHOD(Larder_Pipeline, lease);
ZEND_METHOD(Larder_Pipeline, release);
ZEND_METHOD(Larder_Pipeline, markStale);
ZEND_METHOD(Larder_Pipeline, count);
ZEND_METHOD(Larder_Pipeline, run);
ZEND_METHOD(Larder_Pipeline, begin);
ZEND_METHOD(Larder_Pipeline, finish);


static const zend_function_entry class_Larder_Outcome_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Answer_methods[] = {
	ZEND_ME(Larder_Answer, __construct, arginfo_class_Larder_Answer___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Store_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, get, arginfo_class_Larder_Store_get, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, read, arginfo_class_Larder_Store_read, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, getMultiple, arginfo_class_Larder_Store_getMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, has, arginfo_class_Larder_Store_has, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, set, arginfo_class_Larder_Store_set, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, add, arginfo_class_Larder_Store_add, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, replace, arginfo_class_Larder_Store_replace, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, cas, arginfo_class_Larder_Store_cas, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, setMultiple, arginfo_class_Larder_Store_setMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, delete, arginfo_class_Larder_Store_delete, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, deleteMultiple, arginfo_class_Larder_Store_deleteMultiple, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, touch, arginfo_class_Larder_Store_touch, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, increment, arginfo_class_Larder_Store_increment, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, decrement, arginfo_class_Larder_Store_decrement, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, getOrLease, arginfo_class_Larder_Store_getOrLease, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, lease, arginfo_class_Larder_Store_lease, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, release, arginfo_class_Larder_Store_release, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_Store, clear, arginfo_class_Larder_Store_clear, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_NearStore_methods[] = {
	ZEND_ABSTRACT_ME_WITH_FLAGS(Larder_NearStore, fresh, arginfo_class_Larder_NearStore_fresh, ZEND_ACC_PUBLIC|ZEND_ACC_ABSTRACT)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_SharedMemory_methods[] = {
	ZEND_ME(Larder_SharedMemory, __construct, arginfo_class_Larder_SharedMemory___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, get, arginfo_class_Larder_SharedMemory_get, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, read, arginfo_class_Larder_SharedMemory_read, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, fresh, arginfo_class_Larder_SharedMemory_fresh, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, getMultiple, arginfo_class_Larder_SharedMemory_getMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, has, arginfo_class_Larder_SharedMemory_has, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, set, arginfo_class_Larder_SharedMemory_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, add, arginfo_class_Larder_SharedMemory_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, replace, arginfo_class_Larder_SharedMemory_replace, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, cas, arginfo_class_Larder_SharedMemory_cas, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, setMultiple, arginfo_class_Larder_SharedMemory_setMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, delete, arginfo_class_Larder_SharedMemory_delete, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, deleteMultiple, arginfo_class_Larder_SharedMemory_deleteMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, touch, arginfo_class_Larder_SharedMemory_touch, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, increment, arginfo_class_Larder_SharedMemory_increment, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, decrement, arginfo_class_Larder_SharedMemory_decrement, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, getOrLease, arginfo_class_Larder_SharedMemory_getOrLease, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, lease, arginfo_class_Larder_SharedMemory_lease, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, release, arginfo_class_Larder_SharedMemory_release, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, clear, arginfo_class_Larder_SharedMemory_clear, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, reportTo, arginfo_class_Larder_SharedMemory_reportTo, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, info, arginfo_class_Larder_SharedMemory_info, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_SharedMemory, entries, arginfo_class_Larder_SharedMemory_entries, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_FailureKind_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Failure_methods[] = {
	ZEND_ME(Larder_Failure, __construct, arginfo_class_Larder_Failure___construct, ZEND_ACC_PRIVATE)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Memcached_methods[] = {
	ZEND_ME(Larder_Memcached, __construct, arginfo_class_Larder_Memcached___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, get, arginfo_class_Larder_Memcached_get, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, read, arginfo_class_Larder_Memcached_read, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(Larder_Memcached, gets, read, arginfo_class_Larder_Memcached_gets, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, getMultiple, arginfo_class_Larder_Memcached_getMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, readMultiple, arginfo_class_Larder_Memcached_readMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, has, arginfo_class_Larder_Memcached_has, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, set, arginfo_class_Larder_Memcached_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, add, arginfo_class_Larder_Memcached_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, replace, arginfo_class_Larder_Memcached_replace, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, cas, arginfo_class_Larder_Memcached_cas, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, casMultiple, arginfo_class_Larder_Memcached_casMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, setMultiple, arginfo_class_Larder_Memcached_setMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, append, arginfo_class_Larder_Memcached_append, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, prepend, arginfo_class_Larder_Memcached_prepend, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, appendMultiple, arginfo_class_Larder_Memcached_appendMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, delete, arginfo_class_Larder_Memcached_delete, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, deleteMultiple, arginfo_class_Larder_Memcached_deleteMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, touch, arginfo_class_Larder_Memcached_touch, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, touchMultiple, arginfo_class_Larder_Memcached_touchMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, getAndTouch, arginfo_class_Larder_Memcached_getAndTouch, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, increment, arginfo_class_Larder_Memcached_increment, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, decrement, arginfo_class_Larder_Memcached_decrement, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, incrementMultiple, arginfo_class_Larder_Memcached_incrementMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, decrementMultiple, arginfo_class_Larder_Memcached_decrementMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, getOrLease, arginfo_class_Larder_Memcached_getOrLease, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, lease, arginfo_class_Larder_Memcached_lease, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, release, arginfo_class_Larder_Memcached_release, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, markStale, arginfo_class_Larder_Memcached_markStale, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, pipeline, arginfo_class_Larder_Memcached_pipeline, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, clear, arginfo_class_Larder_Memcached_clear, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, serverOf, arginfo_class_Larder_Memcached_serverOf, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, processOf, arginfo_class_Larder_Memcached_processOf, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, settings, arginfo_class_Larder_Memcached_settings, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, failures, arginfo_class_Larder_Memcached_failures, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, stats, arginfo_class_Larder_Memcached_stats, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, version, arginfo_class_Larder_Memcached_version, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, info, arginfo_class_Larder_Memcached_info, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Memcached, close, arginfo_class_Larder_Memcached_close, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Pipeline_methods[] = {
	ZEND_ME(Larder_Pipeline, __construct, arginfo_class_Larder_Pipeline___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(Larder_Pipeline, read, arginfo_class_Larder_Pipeline_read, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, getAndTouch, arginfo_class_Larder_Pipeline_getAndTouch, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, version, arginfo_class_Larder_Pipeline_version, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, has, arginfo_class_Larder_Pipeline_has, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, set, arginfo_class_Larder_Pipeline_set, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, add, arginfo_class_Larder_Pipeline_add, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, replace, arginfo_class_Larder_Pipeline_replace, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, cas, arginfo_class_Larder_Pipeline_cas, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, append, arginfo_class_Larder_Pipeline_append, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, prepend, arginfo_class_Larder_Pipeline_prepend, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, delete, arginfo_class_Larder_Pipeline_delete, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, touch, arginfo_class_Larder_Pipeline_touch, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, increment, arginfo_class_Larder_Pipeline_increment, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, decrement, arginfo_class_Larder_Pipeline_decrement, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, getOrLease, arginfo_class_Larder_Pipeline_getOrLease, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, lease, arginfo_class_Larder_Pipeline_lease, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, release, arginfo_class_Larder_Pipeline_release, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, markStale, arginfo_class_Larder_Pipeline_markStale, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, count, arginfo_class_Larder_Pipeline_count, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, run, arginfo_class_Larder_Pipeline_run, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, begin, arginfo_class_Larder_Pipeline_begin, ZEND_ACC_PUBLIC)
	ZEND_ME(Larder_Pipeline, finish, arginfo_class_Larder_Pipeline_finish, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Exception_LarderException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Exception_UnstorableValue_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Exception_SharedMemoryUnavailable_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_Larder_Exception_PoolIsShared_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_Larder_Outcome(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Larder\\Outcome", IS_UNDEF, class_Larder_Outcome_methods);

	zend_enum_add_case_cstr(class_entry, "Done", NULL);

	zend_enum_add_case_cstr(class_entry, "NotFound", NULL);

	zend_enum_add_case_cstr(class_entry, "Exists", NULL);

	zend_enum_add_case_cstr(class_entry, "Refused", NULL);

	zend_enum_add_case_cstr(class_entry, "Unknown", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Answer(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "Answer", class_Larder_Answer_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zval property_hit_default_value;
	ZVAL_UNDEF(&property_hit_default_value);
	zend_string *property_hit_name = zend_string_init("hit", sizeof("hit") - 1, 1);
	zend_declare_typed_property(class_entry, property_hit_name, &property_hit_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_hit_name);

	zval property_value_default_value;
	ZVAL_UNDEF(&property_value_default_value);
	zend_string *property_value_name = zend_string_init("value", sizeof("value") - 1, 1);
	zend_declare_typed_property(class_entry, property_value_name, &property_value_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ANY));
	zend_string_release(property_value_name);

	zval property_version_default_value;
	ZVAL_UNDEF(&property_version_default_value);
	zend_string *property_version_name = zend_string_init("version", sizeof("version") - 1, 1);
	zend_declare_typed_property(class_entry, property_version_name, &property_version_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG));
	zend_string_release(property_version_name);

	zval property_stale_default_value;
	ZVAL_UNDEF(&property_stale_default_value);
	zend_string *property_stale_name = zend_string_init("stale", sizeof("stale") - 1, 1);
	zend_declare_typed_property(class_entry, property_stale_name, &property_stale_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_stale_name);

	zval property_lease_default_value;
	ZVAL_UNDEF(&property_lease_default_value);
	zend_string *property_lease_name = zend_string_init("lease", sizeof("lease") - 1, 1);
	zend_declare_typed_property(class_entry, property_lease_name, &property_lease_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_lease_name);

	zval property_answered_default_value;
	ZVAL_UNDEF(&property_answered_default_value);
	zend_string *property_answered_name = zend_string_init("answered", sizeof("answered") - 1, 1);
	zend_declare_typed_property(class_entry, property_answered_name, &property_answered_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_BOOL));
	zend_string_release(property_answered_name);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Store(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "Store", class_Larder_Store_methods);
	class_entry = zend_register_internal_interface(&ce);

	return class_entry;
}

static zend_class_entry *register_class_Larder_NearStore(zend_class_entry *class_entry_Larder_Store)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "NearStore", class_Larder_NearStore_methods);
	class_entry = zend_register_internal_interface(&ce);
	zend_class_implements(class_entry, 1, class_entry_Larder_Store);

	zval const_MARKER_value;
	zend_string *const_MARKER_value_str = zend_string_init("~larder", strlen("~larder"), 1);
	ZVAL_STR(&const_MARKER_value, const_MARKER_value_str);
	zend_string *const_MARKER_name = zend_string_init_interned("MARKER", sizeof("MARKER") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_MARKER_name, &const_MARKER_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_MARKER_name);

	zval const_STAMPS_value;
	ZVAL_LONG(&const_STAMPS_value, 3);
	zend_string *const_STAMPS_name = zend_string_init_interned("STAMPS", sizeof("STAMPS") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_STAMPS_name, &const_STAMPS_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_STAMPS_name);

	zval const_WHILE_CURRENT_value;
	ZVAL_LONG(&const_WHILE_CURRENT_value, 7);
	zend_string *const_WHILE_CURRENT_name = zend_string_init_interned("WHILE_CURRENT", sizeof("WHILE_CURRENT") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_WHILE_CURRENT_name, &const_WHILE_CURRENT_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_WHILE_CURRENT_name);

	return class_entry;
}

static zend_class_entry *register_class_Larder_SharedMemory(zend_class_entry *class_entry_Larder_NearStore)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "SharedMemory", class_Larder_SharedMemory_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Larder_NearStore);

	return class_entry;
}

static zend_class_entry *register_class_Larder_FailureKind(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("Larder\\FailureKind", IS_UNDEF, class_Larder_FailureKind_methods);

	zend_enum_add_case_cstr(class_entry, "Down", NULL);

	zend_enum_add_case_cstr(class_entry, "Unresolved", NULL);

	zend_enum_add_case_cstr(class_entry, "Unreachable", NULL);

	zend_enum_add_case_cstr(class_entry, "TimedOut", NULL);

	zend_enum_add_case_cstr(class_entry, "Closed", NULL);

	zend_enum_add_case_cstr(class_entry, "OutOfStep", NULL);

	zend_enum_add_case_cstr(class_entry, "Denied", NULL);

	zend_enum_add_case_cstr(class_entry, "TooLarge", NULL);

	zend_enum_add_case_cstr(class_entry, "NoMemory", NULL);

	zend_enum_add_case_cstr(class_entry, "ServerError", NULL);

	zend_enum_add_case_cstr(class_entry, "NotUnderstood", NULL);

	zend_enum_add_case_cstr(class_entry, "Contended", NULL);

	zend_enum_add_case_cstr(class_entry, "Unreadable", NULL);

	zend_enum_add_case_cstr(class_entry, "ClassGone", NULL);

	zend_enum_add_case_cstr(class_entry, "ClassRefused", NULL);

	zend_enum_add_case_cstr(class_entry, "ClassChanged", NULL);

	zend_enum_add_case_cstr(class_entry, "OverLimit", NULL);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Failure(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "Failure", class_Larder_Failure_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zend_string *property_kind_class_Larder_FailureKind = zend_string_init("Larder\\FailureKind", sizeof("Larder\\FailureKind")-1, 1);
	zval property_kind_default_value;
	ZVAL_UNDEF(&property_kind_default_value);
	zend_string *property_kind_name = zend_string_init("kind", sizeof("kind") - 1, 1);
	zend_declare_typed_property(class_entry, property_kind_name, &property_kind_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_kind_class_Larder_FailureKind, 0, 0));
	zend_string_release(property_kind_name);

	zval property_server_default_value;
	ZVAL_UNDEF(&property_server_default_value);
	zend_string *property_server_name = zend_string_init("server", sizeof("server") - 1, 1);
	zend_declare_typed_property(class_entry, property_server_name, &property_server_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_server_name);

	zval property_key_default_value;
	ZVAL_UNDEF(&property_key_default_value);
	zend_string *property_key_name = zend_string_init("key", sizeof("key") - 1, 1);
	zend_declare_typed_property(class_entry, property_key_name, &property_key_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING|MAY_BE_NULL));
	zend_string_release(property_key_name);

	zval property_message_default_value;
	ZVAL_UNDEF(&property_message_default_value);
	zend_string *property_message_name = zend_string_init("message", sizeof("message") - 1, 1);
	zend_declare_typed_property(class_entry, property_message_name, &property_message_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_STRING));
	zend_string_release(property_message_name);

	zval property_size_default_value;
	ZVAL_UNDEF(&property_size_default_value);
	zend_string *property_size_name = zend_string_init("size", sizeof("size") - 1, 1);
	zend_declare_typed_property(class_entry, property_size_name, &property_size_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_size_name);

	zval property_limit_default_value;
	ZVAL_UNDEF(&property_limit_default_value);
	zend_string *property_limit_name = zend_string_init("limit", sizeof("limit") - 1, 1);
	zend_declare_typed_property(class_entry, property_limit_name, &property_limit_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_LONG|MAY_BE_NULL));
	zend_string_release(property_limit_name);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Memcached(zend_class_entry *class_entry_Larder_Store)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "Memcached", class_Larder_Memcached_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Larder_Store);


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 15, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Pipeline(zend_class_entry *class_entry_Countable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder", "Pipeline", class_Larder_Pipeline_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 1, class_entry_Countable);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Exception_LarderException(zend_class_entry *class_entry_Throwable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder\\Exception", "LarderException", class_Larder_Exception_LarderException_methods);
	class_entry = zend_register_internal_interface(&ce);
	zend_class_implements(class_entry, 1, class_entry_Throwable);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Exception_UnstorableValue(zend_class_entry *class_entry_InvalidArgumentException, zend_class_entry *class_entry_Larder_Exception_LarderException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder\\Exception", "UnstorableValue", class_Larder_Exception_UnstorableValue_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_InvalidArgumentException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;
	zend_class_implements(class_entry, 1, class_entry_Larder_Exception_LarderException);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Exception_SharedMemoryUnavailable(zend_class_entry *class_entry_RuntimeException, zend_class_entry *class_entry_Larder_Exception_LarderException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder\\Exception", "SharedMemoryUnavailable", class_Larder_Exception_SharedMemoryUnavailable_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;
	zend_class_implements(class_entry, 1, class_entry_Larder_Exception_LarderException);

	return class_entry;
}

static zend_class_entry *register_class_Larder_Exception_PoolIsShared(zend_class_entry *class_entry_LogicException, zend_class_entry *class_entry_Larder_Exception_LarderException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Larder\\Exception", "PoolIsShared", class_Larder_Exception_PoolIsShared_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_LogicException);
	class_entry->ce_flags |= ZEND_ACC_FINAL;
	zend_class_implements(class_entry, 1, class_entry_Larder_Exception_LarderException);

	return class_entry;
}

#include "memcache_object.h"

#include "zend_exceptions.h"

#include "memcache_payload.h"

typedef struct read_arguments {
	zval *keys;                 /* a key, or a list of them */
	zval *flags, *cas;          /* references; NULL: not wanted */
} read_arguments;

static void add_get(memcache_batch *batch, const read_arguments *given, zend_string *key)
{
	memcache_batch_add(batch, key, LRD_OP_GET)->wants_version = given->cas != NULL;
}

/* ---- one key ---- */

static void assign_long(zval *reference, zend_long number)
{
	if (reference != NULL) {
		ZEND_TRY_ASSIGN_REF_LONG(reference, number);
	}
}

static void get_one(const memcache_call *call, const read_arguments *given, zval *return_value)
{
	memcache_batch batch;
	zval value;
	zend_string *key = memcache_pool_key(call->pool, given->keys);

	if (key == NULL) {
		php_error_docref(NULL, E_WARNING, "Invalid key");
		return;
	}
	memcache_batch_open(&batch, call, 1);
	add_get(&batch, given, key);
	memcache_batch_run(&batch, 1);
	memcache_batch_report(&batch);
	if (memcache_batch_result(&batch, 0) == MEMCACHE_DONE && memcache_batch_read(&batch, 0, &value)) {
		/* A null that was stored is handed out as false, as a miss is. */
		if (Z_TYPE(value) != IS_NULL) {
			ZVAL_COPY_VALUE(return_value, &value);
		}
		assign_long(given->flags, (zend_long) batch.ops[0].found_flags);
		assign_long(given->cas, (zend_long) batch.ops[0].version);
	}
	memcache_batch_close(&batch);
}

/* ---- many keys ---- */

/* A variable of the caller's that gets one number for each key; what it has already stays. */
static void add_number(zval *reference, zval *array, zend_string *key, zend_long number)
{
	zval element;

	if (reference == NULL) {
		return;
	}
	if (Z_TYPE_P(array) == IS_UNDEF) {
		const zval *present = Z_REFVAL_P(reference);
		if (Z_TYPE_P(present) == IS_ARRAY) {
			ZVAL_ARR(array, zend_array_dup(Z_ARRVAL_P(present)));
		} else {
			array_init(array);
		}
	}
	ZVAL_LONG(&element, number);
	zend_symtable_update(Z_ARRVAL_P(array), key, &element);
}

static void assign_array(zval *reference, zval *array)
{
	if (Z_TYPE_P(array) != IS_UNDEF) {
		ZEND_TRY_ASSIGN_REF_ARR(reference, Z_ARR_P(array));
	}
}

static void collect(memcache_batch *batch, const read_arguments *given, zval *return_value)
{
	zval value, flags, cas;

	ZVAL_UNDEF(&flags);
	ZVAL_UNDEF(&cas);
	for (uint32_t i = 0; i < batch->count && EG(exception) == NULL; i++) {
		zend_string *key = batch->items[i].key;
		if (memcache_batch_result(batch, i) != MEMCACHE_DONE || !memcache_batch_read(batch, i, &value)) {
			continue;
		}
		zend_symtable_update(Z_ARRVAL_P(return_value), key, &value);
		add_number(given->flags, &flags, key, (zend_long) batch->ops[i].found_flags);
		add_number(given->cas, &cas, key, (zend_long) batch->ops[i].version);
	}
	assign_array(given->flags, &flags);
	assign_array(given->cas, &cas);
}

static void get_many(const memcache_call *call, const read_arguments *given, zval *return_value)
{
	const HashTable *keys = Z_ARRVAL_P(given->keys);
	memcache_batch batch;
	zval *element;

	array_init_size(return_value, zend_hash_num_elements(keys));
	memcache_batch_open(&batch, call, zend_hash_num_elements(keys));
	ZEND_HASH_FOREACH_VAL((HashTable *) keys, element) {
		zend_string *key = memcache_pool_key(call->pool, element);
		if (key != NULL) {
			add_get(&batch, given, key);
		} else {
			php_error_docref(NULL, E_WARNING, "Invalid key");
		}
	} ZEND_HASH_FOREACH_END();
	if (batch.count > 0 && EG(exception) == NULL) {
		memcache_batch_run(&batch, 1);
		memcache_batch_report(&batch);
		collect(&batch, given, return_value);
	}
	memcache_batch_close(&batch);
}

ZEND_FUNCTION(memcache_get)
{
	zval *object = getThis();
	read_arguments given = {0};
	memcache_call call;

	if (MEMCACHE_PARSE("z|zz", &object, memcache_pool_ce, &given.keys, &given.flags, &given.cas) == FAILURE) {
		RETURN_THROWS();
	}
	ZVAL_DEREF(given.keys);
	ZVAL_FALSE(return_value);
	if (!memcache_call_begin(&call, object)) {
		return;
	}
	if (call.pool->count > 0) {
		if (Z_TYPE_P(given.keys) == IS_ARRAY) {
			get_many(&call, &given, return_value);
		} else {
			get_one(&call, &given, return_value);
		}
	}
	memcache_call_end(&call);
}

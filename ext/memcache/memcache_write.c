#include "memcache_object.h"

#include "zend_exceptions.h"

#include "memcache_payload.h"

/* ---- set, add, replace, cas, append, prepend ---- */

typedef struct store_arguments {
	zval *keys;                 /* a key, or values by their keys */
	zval *value;
	zend_long flags, exptime, cas;
} store_arguments;

/* What a clock of 32 bits cannot hold never ends. */
static int64_t ttl_of(zend_long exptime)
{
	return exptime > INT32_MAX ? 0 : exptime < 0 ? -1 : exptime;
}

/* Consumes the key. False: the value cannot be stored, with a warning or an exception. */
static bool add_value(
	memcache_batch *batch, lrd_kind kind, const store_arguments *given, zend_string *key, zval *value)
{
	uint32_t flags = (uint32_t) given->flags;
	zval held;

	/* A copy, because user code may write to what the value is a reference to. */
	ZVAL_COPY_DEREF(&held, value);
	zend_string *bytes = memcache_payload_from(batch->pool, &held, &flags);
	zval_ptr_dtor(&held);
	if (bytes == NULL) {
		zend_string_release(key);
		return false;
	}
	lrd_op *op = memcache_batch_add(batch, key, kind);
	op->ttl = ttl_of(given->exptime);
	op->token = (uint64_t) given->cas;
	/* Where bytes are added the flags that are there stay, and the engine would look at these first. */
	memcache_batch_bytes(batch, bytes, kind == LRD_OP_APPEND || kind == LRD_OP_PREPEND ? 0 : flags);
	return true;
}

static void add_values(memcache_batch *batch, lrd_kind kind, const store_arguments *given)
{
	zend_string *name;
	zend_ulong index;
	zval *value;

	ZEND_HASH_FOREACH_KEY_VAL(Z_ARRVAL_P(given->keys), index, name, value) {
		zend_string *text = name != NULL ? zend_string_copy(name) : zend_ulong_to_str(index);
		zend_string *key = memcache_key_make(batch->pool->prefix, text);
		zend_string_release(text);
		if (key == NULL) {
			php_error_docref(NULL, E_WARNING, "Invalid key");
		} else {
			add_value(batch, kind, given, key, value);
		}
		if (EG(exception) != NULL) {
			break;
		}
	} ZEND_HASH_FOREACH_END();
}

/* Nothing that was to be stored is stored, or all of it is. */
static bool is_stored(memcache_batch *batch)
{
	bool is_whole = batch->given > 0;

	memcache_batch_report(batch);
	for (uint32_t i = 0; i < batch->given; i++) {
		is_whole = memcache_batch_result(batch, i) == MEMCACHE_DONE && is_whole;
	}
	return is_whole;
}

static bool store_all(const memcache_call *call, lrd_kind kind, const store_arguments *given)
{
	bool is_array = Z_TYPE_P(given->keys) == IS_ARRAY, may_run = true;
	memcache_batch batch;

	memcache_batch_open(&batch, call, is_array ? zend_hash_num_elements(Z_ARRVAL_P(given->keys)) : 1);
	if (is_array) {
		add_values(&batch, kind, given);
	} else {
		zend_string *key = memcache_pool_key(call->pool, given->keys);
		if (key == NULL) {
			php_error_docref(NULL, E_WARNING, "Invalid key");
			may_run = false;
		} else {
			may_run = add_value(&batch, kind, given, key, given->value);
		}
	}
	if (may_run && batch.count > 0 && EG(exception) == NULL) {
		memcache_batch_run(&batch, MEMCACHE_G(redundancy));
	} else {
		batch.given = 0;
	}
	bool is_done = is_stored(&batch);
	memcache_batch_close(&batch);
	return is_done;
}

static void store(INTERNAL_FUNCTION_PARAMETERS, lrd_kind kind)
{
	zval *object = getThis();
	store_arguments given = {0};
	memcache_call call;

	if (MEMCACHE_PARSE("z|zlll", &object, memcache_pool_ce, &given.keys, &given.value, &given.flags, &given.exptime,
			&given.cas) == FAILURE) {
		RETURN_THROWS();
	}
	ZVAL_DEREF(given.keys);
	if (!memcache_call_begin(&call, object)) {
		RETURN_FALSE;
	}
	if (call.pool->count > 0 && given.value == NULL && Z_TYPE_P(given.keys) != IS_ARRAY) {
		memcache_call_end(&call);
		WRONG_PARAM_COUNT;
	}
	bool is_done = call.pool->count > 0 && store_all(&call, kind, &given);
	memcache_call_end(&call);
	RETURN_BOOL(is_done);
}

ZEND_FUNCTION(memcache_set)
{
	store(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_SET);
}

ZEND_FUNCTION(memcache_add)
{
	store(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_ADD);
}

ZEND_FUNCTION(memcache_replace)
{
	store(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_REPLACE);
}

ZEND_FUNCTION(memcache_cas)
{
	store(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_CAS);
}

ZEND_FUNCTION(memcache_append)
{
	store(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_APPEND);
}

ZEND_FUNCTION(memcache_prepend)
{
	store(INTERNAL_FUNCTION_PARAM_PASSTHRU, LRD_OP_PREPEND);
}

/* ---- delete, increment, decrement ---- */

typedef struct count_arguments {
	zval *keys;                 /* a key, or a list of them */
	zend_long by, initial, exptime;
	bool has_initial;
	bool counts_down;
} count_arguments;

/* Consumes the key. */
static void add_key(memcache_batch *batch, lrd_kind kind, const count_arguments *given, zend_string *key)
{
	lrd_op *op = memcache_batch_add(batch, key, kind);

	if (kind == LRD_OP_COUNT) {
		/* A number below 0 counts the other way. */
		op->counts_down = given->counts_down != (given->by < 0);
		op->by = given->by < 0 ? (int64_t) -(uint64_t) given->by : given->by;
		op->has_initial = given->has_initial && batch->pool->is_binary;
		op->initial = given->initial;
		op->ttl = ttl_of(given->exptime);
	}
}

/* False: a warning was given, or an exception. */
static bool add_keys(memcache_batch *batch, lrd_kind kind, const count_arguments *given)
{
	zval *element;

	if (Z_TYPE_P(given->keys) != IS_ARRAY) {
		zend_string *key = memcache_pool_key(batch->pool, given->keys);
		if (key == NULL) {
			php_error_docref(NULL, E_WARNING, "Invalid key");
			return false;
		}
		add_key(batch, kind, given, key);
		return true;
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(given->keys), element) {
		zend_string *key = memcache_pool_key(batch->pool, element);
		if (key != NULL) {
			add_key(batch, kind, given, key);
		} else {
			php_error_docref(NULL, E_WARNING, "Invalid key");
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

/* The new number, or false. */
static void number_of(memcache_batch *batch, uint32_t which, zval *number)
{
	const uint32_t first = which;
	memcache_result result = memcache_batch_result_of(batch, which);

	/* A copy's number counts where its own server was lost. Each that was refused gives a notice. */
	for (uint32_t i = batch->given; i < batch->count; i++) {
		if (batch->items[i].of != first) {
			continue;
		}
		memcache_result copy = memcache_batch_result_of(batch, i);
		if (result == MEMCACHE_LOST) {
			result = copy;
			which = i;
		}
	}
	if (result == MEMCACHE_DONE) {
		ZVAL_LONG(number, (zend_long) MIN((uint64_t) batch->ops[which].number, (uint64_t) ZEND_LONG_MAX));
	} else {
		ZVAL_FALSE(number);
	}
}

static void take_numbers(memcache_batch *batch, bool is_array, zval *return_value)
{
	zval number;

	if (!is_array) {
		number_of(batch, 0, return_value);
		return;
	}
	array_init_size(return_value, batch->given);
	for (uint32_t i = 0; i < batch->given; i++) {
		number_of(batch, i, &number);
		zend_symtable_update(Z_ARRVAL_P(return_value), batch->items[i].key, &number);
	}
}

static bool are_deleted(memcache_batch *batch)
{
	bool is_whole = true;

	for (uint32_t i = 0; i < batch->given; i++) {
		is_whole = memcache_batch_result(batch, i) == MEMCACHE_DONE && is_whole;
	}
	return is_whole;
}

static void run_keys(const memcache_call *call, lrd_kind kind, const count_arguments *given, zval *return_value)
{
	bool is_array = Z_TYPE_P(given->keys) == IS_ARRAY;
	memcache_batch batch;

	memcache_batch_open(&batch, call, is_array ? zend_hash_num_elements(Z_ARRVAL_P(given->keys)) : 1);
	if (!add_keys(&batch, kind, given) || EG(exception) != NULL) {
		ZVAL_FALSE(return_value);
	} else if (batch.count == 0) {
		if (kind == LRD_OP_DELETE) {
			ZVAL_FALSE(return_value);
		} else {
			ZVAL_EMPTY_ARRAY(return_value);
		}
	} else {
		memcache_batch_run(&batch, MEMCACHE_G(redundancy));
		memcache_batch_report(&batch);
		if (kind == LRD_OP_DELETE) {
			ZVAL_BOOL(return_value, are_deleted(&batch));
		} else {
			take_numbers(&batch, is_array, return_value);
		}
	}
	memcache_batch_close(&batch);
}

static void run_call(zval *object, lrd_kind kind, count_arguments *given, zval *return_value)
{
	memcache_call call;

	ZVAL_DEREF(given->keys);
	ZVAL_FALSE(return_value);
	if (!memcache_call_begin(&call, object)) {
		return;
	}
	if (call.pool->count > 0) {
		run_keys(&call, kind, given, return_value);
	}
	memcache_call_end(&call);
}

/* The time is taken and not looked at: servers have none for a deletion. */
ZEND_FUNCTION(memcache_delete)
{
	zval *object = getThis();
	count_arguments given = {0};

	if (MEMCACHE_PARSE("z|l", &object, memcache_pool_ce, &given.keys, &given.exptime) == FAILURE) {
		RETURN_THROWS();
	}
	run_call(object, LRD_OP_DELETE, &given, return_value);
}

static void count(INTERNAL_FUNCTION_PARAMETERS, bool counts_down)
{
	zval *object = getThis();
	count_arguments given = {.by = 1, .counts_down = counts_down};

	if (MEMCACHE_PARSE("z|lll", &object, memcache_pool_ce, &given.keys, &given.by, &given.initial, &given.exptime)
		== FAILURE) {
		RETURN_THROWS();
	}
	given.has_initial = ZEND_NUM_ARGS() >= (getThis() != NULL ? 3 : 4);
	run_call(object, LRD_OP_COUNT, &given, return_value);
}

ZEND_FUNCTION(memcache_increment)
{
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_FUNCTION(memcache_decrement)
{
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

#include "memcached_batch.h"

#include <errno.h>
#include <stdlib.h>

#include "zend_exceptions.h"

typedef struct write_arguments {
	zend_string *server_key;
	zend_string *key;
	zval *value;                /* NULL: touch has none */
	HashTable *items;
	zend_long expiration;
	uint64_t token;
} write_arguments;

/*
 * As the protocol of the client takes it: in binary it is a number of 32 bits without a sign, so that -1 is a date far
 * away. A date that a clock of 32 bits cannot hold becomes no end at all.
 */
static int64_t ttl_of(const memcached_client *client, zend_long expiration)
{
	int64_t seconds = memcached_is_binary(client) ? (int64_t) (uint32_t) expiration : (int64_t) expiration;

	if (seconds > INT32_MAX) {
		return 0;
	}
	return seconds < 0 ? -1 : seconds;
}

/* Without replies every write has gone well, and a buffered one is on its way: what is known better is not told. */
static int code_as_told(const memcached_object *object, int code)
{
	const memcached_client *client = object->client;
	bool is_sent = code != MEMCACHED_NO_SERVERS && code != MEMCACHED_BAD_KEY_PROVIDED
		&& code != MEMCACHED_PAYLOAD_FAILURE && code != MEMCACHED_NOT_SUPPORTED
		&& !(code == MEMCACHED_E2BIG && client->item_size_limit > 0);

	if (is_sent && client->options[MEMCACHED_NOREPLY] != 0) {
		return MEMCACHED_SUCCESS;
	}
	return is_sent && client->options[MEMCACHED_BUFFER_WRITES] != 0 ? MEMCACHED_BUFFERED : code;
}

/* The object's result, from the op. */
static bool end_write(memcached_batch *batch, uint32_t which)
{
	int code = memcached_batch_end(batch, which);

	batch->object->code = code_as_told(batch->object, code);
	return !memcached_is_error(batch->object->code);
}

/*
 * A batch for one write of its own, or that of the writes which are held back until somebody reads, or flushes the
 * buffers, or there are many.
 */
enum { BUFFERED_MAX = 1000 };

static memcached_batch *open_write(memcached_object *object, memcached_batch *own, zend_string *server_key)
{
	if (EXPECTED(object->client->options[MEMCACHED_BUFFER_WRITES] == 0)) {
		memcached_batch_open(own, object, server_key, 1);
		return own;
	}
	if (object->buffered != NULL && object->buffered->count >= BUFFERED_MAX) {
		memcached_object_flush(object);
	}
	if (object->buffered == NULL) {
		object->buffered = emalloc(sizeof(*object->buffered));
		memcached_batch_open(object->buffered, object, NULL, 16);
	}
	object->buffered->server_key = server_key;
	return object->buffered;
}

/* The last op of the batch. Whether it is done, or held back. */
static bool close_write(memcached_batch *batch, const memcached_batch *own)
{
	uint32_t which = batch->count - 1;
	memcached_object *object = batch->object;

	if (batch == own) {
		if (batch->items[which].code == 0) {
			memcached_batch_run(batch);
		}
		bool is_done = end_write(batch, which);
		memcached_batch_close(batch);
		return is_done;
	}
	batch->server_key = NULL;
	int code = batch->items[which].code;
	if (code == 0 && object->client->server_count == 0) {
		code = MEMCACHED_NO_SERVERS;
	}
	memcached_set_code(object, code != 0 ? code : MEMCACHED_BUFFERED);
	return code == 0;
}

/* ---- set, add, replace, append, prepend, touch, cas ---- */

static void write_prepared(
	memcached_object *object, const write_arguments *given, lrd_kind kind, zval *return_value)
{
	memcached_batch own, *batch;
	zend_string *bytes = NULL;
	uint32_t flags = 0;

	/* User code may run here, and use the same object: so the batch is opened only then. */
	if (given->value != NULL) {
		int code = memcached_value_of(object->client, given->value, &bytes, &flags);
		if (code != MEMCACHED_SUCCESS) {
			memcached_set_code(object, code);
			RETURN_FALSE;
		}
	}
	batch = open_write(object, &own, given->server_key);
	lrd_op *op = memcached_batch_add(batch, given->key, kind);
	op->ttl = ttl_of(object->client, given->expiration);
	op->token = given->token;
	if (bytes != NULL) {
		/* Where bytes are added the flags that are there stay, and the engine would look at these first. */
		bool adds_bytes = kind == LRD_OP_APPEND || kind == LRD_OP_PREPEND;
		memcached_batch_bytes(batch, batch->count - 1, bytes, adds_bytes ? 0 : flags);
		zend_string_release(bytes);
	}
	RETURN_BOOL(close_write(batch, &own));
}

static void write_one(const zval *this, const write_arguments *given, lrd_kind kind, zval *return_value)
{
	memcached_object *object = memcached_object_of(this);
	if (object == NULL) {
		RETURN_THROWS();
	}
	memcached_set_code(object, MEMCACHED_SUCCESS);
	if (!memcached_key_is_good(object->client, given->key)) {
		memcached_set_code(object, MEMCACHED_BAD_KEY_PROVIDED);
		RETURN_FALSE;
	}
	if ((kind == LRD_OP_APPEND || kind == LRD_OP_PREPEND) && object->client->compresses) {
		php_error_docref(NULL, E_WARNING, "cannot append/prepend with compression turned on");
		RETURN_NULL();
	}
	/* In binary a token of 0 is none. */
	if (kind == LRD_OP_CAS && given->token == 0 && memcached_is_binary(object->client)) {
		kind = LRD_OP_REPLACE;
	}
	write_prepared(object, given, kind, return_value);
}

static void write_of(INTERNAL_FUNCTION_PARAMETERS, bool has_server_key, lrd_kind kind)
{
	write_arguments given = {0};
	uint32_t least = has_server_key ? 3 : 2;

	ZEND_PARSE_PARAMETERS_START(least, least + 1)
		if (has_server_key) {
			Z_PARAM_STR(given.server_key)
		}
		Z_PARAM_STR(given.key)
		Z_PARAM_ZVAL(given.value)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.expiration)
	ZEND_PARSE_PARAMETERS_END();

	write_one(ZEND_THIS, &given, kind, return_value);
}

static void add_bytes(INTERNAL_FUNCTION_PARAMETERS, bool has_server_key, lrd_kind kind)
{
	write_arguments given = {0};
	uint32_t count = has_server_key ? 3 : 2;
	zend_string *bytes;
	zval value;

	ZEND_PARSE_PARAMETERS_START(count, count)
		if (has_server_key) {
			Z_PARAM_STR(given.server_key)
		}
		Z_PARAM_STR(given.key)
		Z_PARAM_STR(bytes)
	ZEND_PARSE_PARAMETERS_END();

	ZVAL_STR(&value, bytes);
	given.value = &value;
	write_one(ZEND_THIS, &given, kind, return_value);
}

static void touch(INTERNAL_FUNCTION_PARAMETERS, bool has_server_key)
{
	write_arguments given = {0};
	uint32_t least = has_server_key ? 2 : 1;

	ZEND_PARSE_PARAMETERS_START(least, least + 1)
		if (has_server_key) {
			Z_PARAM_STR(given.server_key)
		}
		Z_PARAM_STR(given.key)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.expiration)
	ZEND_PARSE_PARAMETERS_END();

	write_one(ZEND_THIS, &given, LRD_OP_TOUCH, return_value);
}

/* False: it is no token, which ends the request. */
static bool read_token(const zval *given, uint64_t *token)
{
	char *end;

	*token = 0;
	switch (Z_TYPE_P(given)) {
		case IS_LONG:
			*token = (uint64_t) Z_LVAL_P(given);
			return true;
		case IS_DOUBLE:
			*token = Z_DVAL_P(given) < 0.0 ? 0 : (uint64_t) Z_DVAL_P(given);
			return true;
		case IS_STRING:
			errno = 0;
			*token = strtoull(Z_STRVAL_P(given), &end, 0);
			if (*end != '\0' || errno != 0) {
				php_error_docref(NULL, E_ERROR, "Failed to unmarshall cas token");
				return false;
			}
			return true;
		default:
			return true;
	}
}

static void cas(INTERNAL_FUNCTION_PARAMETERS, bool has_server_key)
{
	write_arguments given = {0};
	uint32_t least = has_server_key ? 4 : 3;
	zval *token;

	ZEND_PARSE_PARAMETERS_START(least, least + 1)
		Z_PARAM_ZVAL(token)
		if (has_server_key) {
			Z_PARAM_STR(given.server_key)
		}
		Z_PARAM_STR(given.key)
		Z_PARAM_ZVAL(given.value)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.expiration)
	ZEND_PARSE_PARAMETERS_END();

	if (!read_token(token, &given.token)) {
		RETURN_FALSE;
	}
	write_one(ZEND_THIS, &given, LRD_OP_CAS, return_value);
}

#define WRITES(name, by_key, function, kind) \
	ZEND_METHOD(Memcached, name) \
	{ \
		function(INTERNAL_FUNCTION_PARAM_PASSTHRU, false, kind); \
	} \
	ZEND_METHOD(Memcached, by_key) \
	{ \
		function(INTERNAL_FUNCTION_PARAM_PASSTHRU, true, kind); \
	}

WRITES(set, setByKey, write_of, LRD_OP_SET)
WRITES(add, addByKey, write_of, LRD_OP_ADD)
WRITES(replace, replaceByKey, write_of, LRD_OP_REPLACE)
WRITES(append, appendByKey, add_bytes, LRD_OP_APPEND)
WRITES(prepend, prependByKey, add_bytes, LRD_OP_PREPEND)

ZEND_METHOD(Memcached, touch)
{
	touch(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Memcached, touchByKey)
{
	touch(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

ZEND_METHOD(Memcached, cas)
{
	cas(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(Memcached, casByKey)
{
	cas(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

/* ---- setMulti ---- */

/* Its code is that of the first key that failed. */
static void set_multi(const zval *this, const write_arguments *given, zval *return_value)
{
	memcached_batch batch;
	zend_ulong number;
	zend_string *name;
	zval *value;

	memcached_object *object = memcached_object_of(this);
	if (object == NULL) {
		RETURN_THROWS();
	}
	memcached_set_code(object, MEMCACHED_SUCCESS);
	memcached_batch_open(&batch, object, given->server_key, zend_hash_num_elements(given->items));
	int64_t ttl = ttl_of(object->client, given->expiration);
	ZEND_HASH_FOREACH_KEY_VAL(given->items, number, name, value) {
		zend_string *key = name != NULL ? zend_string_copy(name) : zend_long_to_str((zend_long) number);
		memcached_batch_add(&batch, key, LRD_OP_SET)->ttl = ttl;
		zend_string_release(key);
		uint32_t last = batch.count - 1;
		if (batch.items[last].code == 0) {
			memcached_batch_value(&batch, last, value);
		}
		if (EG(exception) != NULL) {
			break;
		}
	} ZEND_HASH_FOREACH_END();
	memcached_batch_run(&batch);
	for (uint32_t i = 0; i < batch.count; i++) {
		if (!end_write(&batch, i)) {
			break;
		}
	}
	memcached_batch_close(&batch);
	RETURN_BOOL(!memcached_is_error(object->code));
}

ZEND_METHOD(Memcached, setMulti)
{
	write_arguments given = {0};

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ARRAY_HT(given.items)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.expiration)
	ZEND_PARSE_PARAMETERS_END();

	set_multi(ZEND_THIS, &given, return_value);
}

ZEND_METHOD(Memcached, setMultiByKey)
{
	write_arguments given = {0};

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(given.server_key)
		Z_PARAM_ARRAY_HT(given.items)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.expiration)
	ZEND_PARSE_PARAMETERS_END();

	set_multi(ZEND_THIS, &given, return_value);
}

/* ---- delete ---- */

/* A time from which on it is to be deleted is one that servers have refused since 1.4. */
static void delete_one(const zval *this, const write_arguments *given, zval *return_value)
{
	memcached_batch own;

	memcached_object *object = memcached_object_of(this);
	if (object == NULL) {
		RETURN_THROWS();
	}
	memcached_set_code(object, MEMCACHED_SUCCESS);
	if (!memcached_key_is_good(object->client, given->key)) {
		memcached_set_code(object, MEMCACHED_BAD_KEY_PROVIDED);
		RETURN_FALSE;
	}
	if (given->expiration != 0) {
		memcached_set_code(object, MEMCACHED_INVALID_ARGUMENTS);
		RETURN_FALSE;
	}
	memcached_batch *batch = open_write(object, &own, given->server_key);
	memcached_batch_add(batch, given->key, LRD_OP_DELETE);
	RETURN_BOOL(close_write(batch, &own));
}

/* [key => true or the code] */
static void delete_multi(const zval *this, const write_arguments *given, zval *return_value)
{
	memcached_batch batch;
	zval *element;

	memcached_object *object = memcached_object_of(this);
	if (object == NULL) {
		RETURN_THROWS();
	}
	memcached_set_code(object, MEMCACHED_SUCCESS);
	memcached_batch_open(&batch, object, given->server_key, zend_hash_num_elements(given->items));
	ZEND_HASH_FOREACH_VAL(given->items, element) {
		zend_string *key = zval_get_string(element);
		if (ZSTR_LEN(key) > 0) {
			memcached_batch_add(&batch, key, LRD_OP_DELETE);
			memcached_item *item = &batch.items[batch.count - 1];
			item->code = item->code == 0 && given->expiration != 0 ? MEMCACHED_INVALID_ARGUMENTS : item->code;
		}
		zend_string_release(key);
	} ZEND_HASH_FOREACH_END();
	memcached_batch_run(&batch);
	array_init_size(return_value, batch.count);
	for (uint32_t i = 0; i < batch.count; i++) {
		zval result;
		if (end_write(&batch, i)) {
			ZVAL_TRUE(&result);
		} else {
			ZVAL_LONG(&result, object->code);
		}
		zend_symtable_update(Z_ARRVAL_P(return_value), batch.items[i].key, &result);
	}
	memcached_batch_close(&batch);
}

ZEND_METHOD(Memcached, delete)
{
	write_arguments given = {0};

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(given.key)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.expiration)
	ZEND_PARSE_PARAMETERS_END();

	delete_one(ZEND_THIS, &given, return_value);
}

ZEND_METHOD(Memcached, deleteByKey)
{
	write_arguments given = {0};

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(given.server_key)
		Z_PARAM_STR(given.key)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.expiration)
	ZEND_PARSE_PARAMETERS_END();

	delete_one(ZEND_THIS, &given, return_value);
}

ZEND_METHOD(Memcached, deleteMulti)
{
	write_arguments given = {0};

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ARRAY_HT(given.items)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.expiration)
	ZEND_PARSE_PARAMETERS_END();

	delete_multi(ZEND_THIS, &given, return_value);
}

ZEND_METHOD(Memcached, deleteMultiByKey)
{
	write_arguments given = {0};

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(given.server_key)
		Z_PARAM_ARRAY_HT(given.items)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.expiration)
	ZEND_PARSE_PARAMETERS_END();

	delete_multi(ZEND_THIS, &given, return_value);
}

/* ---- increment and decrement ---- */

static void count(INTERNAL_FUNCTION_PARAMETERS, bool has_server_key, bool counts_down)
{
	zend_string *server_key = NULL, *key;
	zend_long offset = 1, initial = 0, expiry = 0;
	uint32_t least = has_server_key ? 2 : 1;
	bool has_initial = ZEND_NUM_ARGS() > least + 1;
	memcached_batch batch;

	ZEND_PARSE_PARAMETERS_START(least, least + 3)
		if (has_server_key) {
			Z_PARAM_STR(server_key)
		}
		Z_PARAM_STR(key)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(offset)
		Z_PARAM_LONG(initial)
		Z_PARAM_LONG(expiry)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	memcached_set_code(object, MEMCACHED_SUCCESS);
	if (!memcached_key_is_good(object->client, key)) {
		memcached_set_code(object, MEMCACHED_BAD_KEY_PROVIDED);
		RETURN_FALSE;
	}
	if (offset < 0) {
		php_error_docref(NULL, E_WARNING, "offset cannot be a negative value");
		RETURN_FALSE;
	}
	if (has_initial && !memcached_is_binary(object->client)) {
		php_error_docref(NULL, E_WARNING, "Initial value is only supported with binary protocol");
		RETURN_FALSE;
	}
	memcached_batch_open(&batch, object, server_key, 1);
	lrd_op *op = memcached_batch_add(&batch, key, LRD_OP_COUNT);
	op->by = offset;
	op->counts_down = counts_down;
	/* In binary an expiry of 32 bits that are all set says that no counter is to be made. */
	op->has_initial = has_initial && (uint32_t) expiry != UINT32_MAX;
	op->initial = initial;
	op->ttl = ttl_of(object->client, expiry);
	memcached_batch_run(&batch);
	int code = memcached_batch_end(&batch, 0);
	int64_t number = batch.ops[0].number;
	bool is_told = code == MEMCACHED_SUCCESS && object->client->options[MEMCACHED_NOREPLY] == 0;
	object->code = object->client->options[MEMCACHED_NOREPLY] != 0 ? code_as_told(object, code) : code;
	memcached_batch_close(&batch);
	if (is_told && (uint64_t) number != UINT64_MAX) {
		RETURN_LONG((zend_long) number);
	}
	RETURN_FALSE;
}

ZEND_METHOD(Memcached, increment)
{
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, false, false);
}

ZEND_METHOD(Memcached, decrement)
{
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, false, true);
}

ZEND_METHOD(Memcached, incrementByKey)
{
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, true, false);
}

ZEND_METHOD(Memcached, decrementByKey)
{
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, true, true);
}

#include "memcached_batch.h"

#include <inttypes.h>

#include "zend_exceptions.h"

#include "../core/client/lrd_proto.h"

#include "memcached_payload.h"

/* ---- arguments ---- */

typedef struct read_arguments {
	zend_string *server_key;
	zend_string *key;
	HashTable *keys;
	zend_fcall_info call;
	zend_fcall_info_cache cache;
	zend_long flags;
	bool with_cas;
} read_arguments;

/* Reads take an empty one for none, while writes hash it. */
static zend_string *server_key_of(const read_arguments *given)
{
	return given->server_key != NULL && ZSTR_LEN(given->server_key) > 0 ? given->server_key : NULL;
}

/* A batch of the keys that can be sent; with empty keys and those of over 250 bytes the older client does nothing. */
static void open_keys(
	memcached_batch *batch, memcached_object *object, const read_arguments *given, lrd_kind kind, zval *order)
{
	zval *element;

	memcached_batch_open(batch, object, server_key_of(given), zend_hash_num_elements(given->keys));
	ZEND_HASH_FOREACH_VAL(given->keys, element) {
		zend_string *key = zval_get_string(element);
		if (order != NULL) {
			zval nothing;
			ZVAL_NULL(&nothing);
			zend_symtable_update(Z_ARRVAL_P(order), key, &nothing);
		}
		if (ZSTR_LEN(key) > 0 && ZSTR_LEN(key) <= LRD_WIRE_KEY_MAX) {
			memcached_batch_add(batch, key, kind);
		}
		zend_string_release(key);
	} ZEND_HASH_FOREACH_END();
}

/* A token that does not fit an integer is a string of digits. */
static void token_of(const lrd_op *op, zval *token)
{
	if (op->version >= (uint64_t) ZEND_LONG_MAX) {
		ZVAL_STR(token, zend_strpprintf(0, "%" PRIu64, op->version));
	} else {
		ZVAL_LONG(token, (zend_long) op->version);
	}
}

/* Consumes the value. */
static void extend(const lrd_op *op, zval *value, zval *extended)
{
	zval token;

	token_of(op, &token);
	array_init_size(extended, 3);
	add_assoc_zval(extended, "value", value);
	add_assoc_zval(extended, "cas", &token);
	add_assoc_long(extended, "flags", (zend_long) memcached_user_flags(op->found_flags));
}

/* ---- get ---- */

/* Stores what the callback made. */
static bool store_made(memcached_object *object, zend_string *key, zval *value, zend_long expiration)
{
	memcached_batch batch;

	memcached_batch_open(&batch, object, NULL, 1);
	memcached_batch_add(&batch, key, LRD_OP_SET)->ttl = expiration;
	memcached_batch_value(&batch, 0, value);
	memcached_batch_run(&batch);
	int code = memcached_batch_end(&batch, 0);
	memcached_batch_close(&batch);
	return code == MEMCACHED_SUCCESS;
}

/* What the callback answered: the value to be handed out, into `result`. False: none. */
static bool take_made(memcached_object *object, zend_string *key, bool is_extended, zval *parameters, zval *result)
{
	zval *value = Z_REFVAL(parameters[2]);

	if (!is_extended) {
		if (!store_made(object, key, value, zval_get_long(Z_REFVAL(parameters[3])))) {
			return false;
		}
		ZVAL_COPY(result, value);
		return true;
	}
	zval *inner = Z_TYPE_P(value) == IS_ARRAY ? zend_hash_str_find(Z_ARRVAL_P(value), ZEND_STRL("value")) : NULL;
	if (inner == NULL) {
		return false;
	}
	zval *expiration = zend_hash_str_find(Z_ARRVAL_P(value), ZEND_STRL("cas"));
	if (!store_made(object, key, inner, expiration != NULL ? zval_get_long(expiration) : 0)) {
		return false;
	}
	ZVAL_COPY(result, value);
	return true;
}

static void call_cache(
	zval *this, memcached_object *object, zend_string *key, read_arguments *given, bool is_extended, zval *result)
{
	zval parameters[4], answer;

	ZVAL_COPY(&parameters[0], this);
	ZVAL_STR_COPY(&parameters[1], key);
	ZVAL_NEW_EMPTY_REF(&parameters[2]);
	ZVAL_NULL(Z_REFVAL(parameters[2]));
	ZVAL_NEW_EMPTY_REF(&parameters[3]);
	ZVAL_NULL(Z_REFVAL(parameters[3]));
	ZVAL_UNDEF(&answer);
	given->call.retval = &answer;
	given->call.params = parameters;
	given->call.param_count = is_extended ? 3 : 4;
	ZVAL_FALSE(result);
	bool is_made = zend_call_function(&given->call, &given->cache) == SUCCESS && EG(exception) == NULL
		&& Z_TYPE(answer) != IS_UNDEF && zend_is_true(&answer);
	if (is_made && object->client != NULL) {
		take_made(object, key, is_extended, parameters, result);
	}
	for (int i = 0; i < 4; i++) {
		zval_ptr_dtor(&parameters[i]);
	}
	zval_ptr_dtor(&answer);
}

/* get() and getByKey() */
static void get(zval *this, read_arguments *given, zval *return_value)
{
	memcached_batch batch;
	zval value;
	bool is_extended = (given->flags & MEMCACHED_GET_EXTENDED) != 0;

	memcached_object *object = memcached_object_of(this);
	if (object == NULL) {
		RETURN_THROWS();
	}
	if (!memcached_key_is_good(object->client, given->key)) {
		memcached_set_code(object, MEMCACHED_BAD_KEY_PROVIDED);
		RETURN_FALSE;
	}
	memcached_batch_open(&batch, object, server_key_of(given), 1);
	memcached_batch_add(&batch, given->key, LRD_OP_GET)->wants_version = is_extended;
	memcached_batch_run(&batch);
	int code = memcached_batch_end(&batch, 0);
	if (code == MEMCACHED_SUCCESS) {
		if (!memcached_batch_read(&batch, 0, &value)) {
			memcached_set_code(object, batch.has_refused ? MEMCACHED_PAYLOAD_FAILURE : MEMCACHED_SOME_ERRORS);
			ZVAL_FALSE(return_value);
		} else if (is_extended) {
			extend(&batch.ops[0], &value, return_value);
		} else {
			ZVAL_COPY_VALUE(return_value, &value);
		}
	}
	memcached_batch_close(&batch);
	if (code == MEMCACHED_NOTFOUND && ZEND_FCI_INITIALIZED(given->call)) {
		call_cache(this, object, given->key, given, is_extended, return_value);
	} else if (code != MEMCACHED_SUCCESS) {
		RETURN_FALSE;
	}
}

ZEND_METHOD(Memcached, get)
{
	read_arguments given = {.call = empty_fcall_info, .cache = empty_fcall_info_cache};

	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_STR(given.key)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(given.call, given.cache)
		Z_PARAM_LONG(given.flags)
	ZEND_PARSE_PARAMETERS_END();

	get(ZEND_THIS, &given, return_value);
}

ZEND_METHOD(Memcached, getByKey)
{
	read_arguments given = {.call = empty_fcall_info, .cache = empty_fcall_info_cache};

	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_STR(given.server_key)
		Z_PARAM_STR(given.key)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(given.call, given.cache)
		Z_PARAM_LONG(given.flags)
	ZEND_PARSE_PARAMETERS_END();

	get(ZEND_THIS, &given, return_value);
}

/* ---- getMulti ---- */

typedef struct tally {
	uint32_t found;
	int failure;                /* the first one that is no miss; 0: none */
	int error;
	bool is_damaged, has_thrown;
} tally;

/* Puts what was found into the array, by key. */
static void collect(memcached_batch *batch, zval *array, bool is_extended, tally *tally)
{
	zval value, extended;

	for (uint32_t i = 0; i < batch->count && !tally->has_thrown; i++) {
		int code = memcached_batch_code(batch, i);
		if (code != MEMCACHED_SUCCESS) {
			if (code != MEMCACHED_NOTFOUND && tally->failure == 0) {
				tally->failure = code;
				tally->error = batch->object->error;
			}
			continue;
		}
		tally->found++;
		if (!memcached_batch_read(batch, i, &value)) {
			tally->is_damaged = true;
			tally->has_thrown = EG(exception) != NULL;
			continue;
		}
		if (is_extended) {
			extend(&batch->ops[i], &value, &extended);
			ZVAL_COPY_VALUE(&value, &extended);
		}
		zend_symtable_update(Z_ARRVAL_P(array), batch->items[i].key, &value);
	}
}

/*
 * The code of a call for many keys. One that failed for some keys is SOME_ERRORS; where no server answered at all, it
 * is the code of that.
 */
static int code_of(const memcached_batch *batch, const tally *tally)
{
	bool is_whole = true;

	if (tally->has_thrown || batch->has_refused) {
		return MEMCACHED_PAYLOAD_FAILURE;
	}
	if (tally->is_damaged) {
		return MEMCACHED_SOME_ERRORS;
	}
	for (uint32_t i = 0; i < batch->count; i++) {
		bool is_answered = batch->items[i].code == 0
			&& (batch->ops[i].status == LRD_OK || batch->ops[i].status == LRD_MISS);
		is_whole = is_whole && !is_answered;
	}
	if (tally->failure != 0) {
		return is_whole ? tally->failure : MEMCACHED_SOME_ERRORS;
	}
	return tally->found > 0 ? MEMCACHED_SUCCESS : MEMCACHED_NOTFOUND;
}

static void set_tallied(memcached_batch *batch, const tally *tally)
{
	memcached_object *object = batch->object;

	object->code = batch->client->last_code = code_of(batch, tally);
	object->error = batch->client->last_errno = object->code == tally->failure ? tally->error : 0;
}

static void get_multi(zval *this, const read_arguments *given, zval *return_value)
{
	bool is_extended = (given->flags & MEMCACHED_GET_EXTENDED) != 0;
	bool keeps_order = (given->flags & MEMCACHED_GET_PRESERVE_ORDER) != 0;
	memcached_batch batch;
	tally tally = {0};

	memcached_object *object = memcached_object_of(this);
	if (object == NULL) {
		RETURN_THROWS();
	}
	array_init_size(return_value, zend_hash_num_elements(given->keys));
	if (zend_hash_num_elements(given->keys) == 0) {
		memcached_set_code(object, MEMCACHED_NOTFOUND);
		return;
	}
	open_keys(&batch, object, given, LRD_OP_GET, keeps_order ? return_value : NULL);
	for (uint32_t i = 0; is_extended && i < batch.count; i++) {
		batch.ops[i].wants_version = true;
	}
	if (batch.count == 0 || EG(exception) != NULL) {
		memcached_set_code(object, MEMCACHED_BAD_KEY_PROVIDED);
	} else {
		memcached_batch_run(&batch);
		collect(&batch, return_value, is_extended, &tally);
		set_tallied(&batch, &tally);
	}
	memcached_batch_close(&batch);
	bool is_answered = object->code == MEMCACHED_SUCCESS || object->code == MEMCACHED_NOTFOUND
		|| object->code == MEMCACHED_SOME_ERRORS || batch.has_refused;
	if (!is_answered || EG(exception) != NULL) {
		zval_ptr_dtor(return_value);
		RETURN_FALSE;
	}
}

ZEND_METHOD(Memcached, getMulti)
{
	read_arguments given = {0};

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_ARRAY_HT(given.keys)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.flags)
	ZEND_PARSE_PARAMETERS_END();

	get_multi(ZEND_THIS, &given, return_value);
}

ZEND_METHOD(Memcached, getMultiByKey)
{
	read_arguments given = {0};

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(given.server_key)
		Z_PARAM_ARRAY_HT(given.keys)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(given.flags)
	ZEND_PARSE_PARAMETERS_END();

	get_multi(ZEND_THIS, &given, return_value);
}

/* ---- getDelayed ---- */

/* ["key" => …, "value" => …] and, if they were asked for, "cas" and "flags". Consumes the value. */
static void result_of(const memcached_batch *batch, uint32_t which, bool with_cas, zval *value, zval *result)
{
	const lrd_op *op = &batch->ops[which];
	zval token;

	array_init_size(result, 4);
	add_assoc_str(result, "key", zend_string_copy(batch->items[which].key));
	add_assoc_zval(result, "value", value);
	if (with_cas) {
		token_of(op, &token);
		add_assoc_zval(result, "cas", &token);
		add_assoc_long(result, "flags", (zend_long) memcached_user_flags(op->found_flags));
	}
}

/*
 * The next value that was found, from *at on. 1: it is in result. 0: there is none. -1: damaged. -2: of a class that is
 * not allowed, or user code threw.
 */
static int take_next(memcached_batch *batch, uint32_t *at, bool with_cas, zval *result)
{
	zval value;

	while (*at < batch->count) {
		uint32_t which = (*at)++;
		if (memcached_batch_code(batch, which) != MEMCACHED_SUCCESS) {
			continue;
		}
		if (!memcached_batch_read(batch, which, &value)) {
			return batch->has_refused ? -2 : -1;
		}
		result_of(batch, which, with_cas, &value, result);
		return 1;
	}
	return 0;
}

static bool call_value(zval *this, read_arguments *given, zval *result)
{
	zval parameters[2], answer;

	ZVAL_COPY(&parameters[0], this);
	ZVAL_COPY(&parameters[1], result);
	ZVAL_UNDEF(&answer);
	given->call.retval = &answer;
	given->call.params = parameters;
	given->call.param_count = 2;
	bool is_called = zend_call_function(&given->call, &given->cache) == SUCCESS;
	zval_ptr_dtor(&parameters[0]);
	zval_ptr_dtor(&parameters[1]);
	zval_ptr_dtor(&answer);
	return is_called && EG(exception) == NULL;
}

/* All that was found, each to the callback. */
static void call_values(zval *this, memcached_batch *batch, read_arguments *given, bool with_cas)
{
	memcached_object *object = batch->object;
	uint32_t at = 0, found = 0;
	bool is_damaged = false;
	tally tally = {0};
	zval result;
	int next;

	while ((next = take_next(batch, &at, with_cas, &result)) != 0) {
		found++;
		if (next < 0) {
			is_damaged = true;
			if (EG(exception) != NULL) {
				break;
			}
			continue;
		}
		bool goes_on = call_value(this, given, &result);
		zval_ptr_dtor(&result);
		if (!goes_on) {
			break;
		}
	}
	if (object->client == NULL) {
		return;
	}
	tally.found = found;
	tally.is_damaged = is_damaged;
	tally.has_thrown = is_damaged && EG(exception) != NULL;
	for (uint32_t i = 0; i < batch->count && tally.failure == 0; i++) {
		int code = memcached_batch_code(batch, i);
		tally.failure = code == MEMCACHED_NOTFOUND ? 0 : code;
		tally.error = object->error;
	}
	set_tallied(batch, &tally);
}

/* Whether nothing at all was answered, nor will be; then the first op's code says why. */
static bool is_unanswered(const memcached_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		const lrd_op *op = &batch->ops[i];
		if (batch->items[i].code == 0 && (op->open || op->status == LRD_OK || op->status == LRD_MISS)) {
			return false;
		}
	}
	return true;
}

/* The replies are taken when somebody asks for a value. The answer says whether they may come. */
static bool hold_delayed(memcached_batch *batch, bool with_cas)
{
	memcached_object *object = batch->object;

	memcached_batch_send(batch);
	if (is_unanswered(batch)) {
		/* The caller frees it: nobody may wait for it any more. */
		memcached_client_take(object->client);
		memcached_batch_end(batch, 0);
		return false;
	}
	object->delayed = batch;
	object->delayed_at = 0;
	object->delayed_with_cas = with_cas;
	return true;
}

static void get_delayed(zval *this, read_arguments *given, zval *return_value)
{
	memcached_batch *batch;

	memcached_object *object = memcached_object_of(this);
	if (object == NULL) {
		RETURN_THROWS();
	}
	memcached_set_code(object, MEMCACHED_SUCCESS);
	/* What was asked for before is read first: to close its connections would cost more. */
	memcached_client_take(object->client);
	memcached_object_forget(object);
	/* The binary protocol tells the token with every value. */
	bool with_cas = given->with_cas || memcached_is_binary(object->client);
	batch = emalloc(sizeof(*batch));
	open_keys(batch, object, given, LRD_OP_GET, NULL);
	for (uint32_t i = 0; with_cas && i < batch->count; i++) {
		batch->ops[i].wants_version = true;
	}
	if (batch->count == 0) {
		memcached_set_code(object, MEMCACHED_BAD_KEY_PROVIDED);
	} else if (!ZEND_FCI_INITIALIZED(given->call)) {
		if (hold_delayed(batch, with_cas)) {
			RETURN_TRUE;
		}
	} else {
		memcached_batch_run(batch);
		if (is_unanswered(batch)) {
			memcached_batch_end(batch, 0);
		} else {
			call_values(this, batch, given, with_cas);
		}
	}
	memcached_batch_close(batch);
	efree(batch);
	RETURN_BOOL(object->code == MEMCACHED_SUCCESS);
}

ZEND_METHOD(Memcached, getDelayed)
{
	read_arguments given = {.call = empty_fcall_info, .cache = empty_fcall_info_cache};

	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_ARRAY_HT(given.keys)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(given.with_cas)
		Z_PARAM_FUNC_OR_NULL(given.call, given.cache)
	ZEND_PARSE_PARAMETERS_END();

	get_delayed(ZEND_THIS, &given, return_value);
}

ZEND_METHOD(Memcached, getDelayedByKey)
{
	read_arguments given = {.call = empty_fcall_info, .cache = empty_fcall_info_cache};

	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_STR(given.server_key)
		Z_PARAM_ARRAY_HT(given.keys)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(given.with_cas)
		Z_PARAM_FUNC_OR_NULL(given.call, given.cache)
	ZEND_PARSE_PARAMETERS_END();

	get_delayed(ZEND_THIS, &given, return_value);
}

/*
 * User code that a value runs may call getDelayed() on the same object: what is being fetched is taken off meanwhile.
 */
static int fetch_next(memcached_object *object, zval *result)
{
	memcached_batch *batch = object->delayed;
	uint32_t at = object->delayed_at;

	if (batch == NULL) {
		return 0;
	}
	memcached_client_take(object->client);
	object->delayed = NULL;
	int next = take_next(batch, &at, object->delayed_with_cas, result);
	if (object->delayed == NULL && next != 0) {
		object->delayed = batch;
		object->delayed_at = at;
	} else {
		memcached_batch_close(batch);
		efree(batch);
	}
	return next;
}

static int code_of_damage(bool is_refused)
{
	return is_refused ? MEMCACHED_PAYLOAD_FAILURE : MEMCACHED_SOME_ERRORS;
}

ZEND_METHOD(Memcached, fetch)
{
	bool is_damaged = false, is_refused = false;
	int next;

	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	memcached_set_code(object, MEMCACHED_SUCCESS);
	/* A damaged value is gone past, but the call has failed. */
	while ((next = fetch_next(object, return_value)) < 0 && EG(exception) == NULL) {
		is_damaged = true;
		is_refused = is_refused || next == -2;
	}
	if (next == 1 && is_damaged) {
		zval_ptr_dtor(return_value);
	}
	if (next != 1 || is_damaged) {
		memcached_set_code(object, next < 0 || is_damaged ? code_of_damage(is_refused || next == -2) : MEMCACHED_NOTFOUND);
		RETURN_FALSE;
	}
}

ZEND_METHOD(Memcached, fetchAll)
{
	bool is_damaged = false, is_refused = false;
	zval result;
	int next;

	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	memcached_set_code(object, MEMCACHED_SUCCESS);
	array_init(return_value);
	while ((next = fetch_next(object, &result)) != 0) {
		if (next > 0) {
			add_next_index_zval(return_value, &result);
			continue;
		}
		is_damaged = true;
		is_refused = is_refused || next == -2;
		if (EG(exception) != NULL) {
			memcached_object_forget(object);
			break;
		}
	}
	if (is_damaged || zend_hash_num_elements(Z_ARRVAL_P(return_value)) == 0) {
		memcached_set_code(object, is_damaged ? code_of_damage(is_refused) : MEMCACHED_NOTFOUND);
		zval_ptr_dtor(return_value);
		RETURN_FALSE;
	}
}

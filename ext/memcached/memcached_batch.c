#include "memcached_batch.h"

#include <ctype.h>
#include <errno.h>

#include "zend_exceptions.h"

#include "../core/client/lrd_proto.h"
#include "../dropin/dropin_bytes.h"
#include "memcached_payload.h"

/* ---- keys ---- */

static size_t key_max(const memcached_client *client)
{
	return LRD_WIRE_KEY_MAX - client->prefix_size;
}

/* In the C locale: a key's bytes have no language. */
static bool is_space(unsigned char byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

bool memcached_key_is_good(const memcached_client *client, const zend_string *key)
{
	const unsigned char *at = (const unsigned char *) ZSTR_VAL(key);

	if (ZSTR_LEN(key) == 0 || ZSTR_LEN(key) > key_max(client)) {
		return false;
	}
	if (memcached_is_binary(client)) {
		return memchr(at, '\n', ZSTR_LEN(key)) == NULL;
	}
	for (size_t i = 0; i < ZSTR_LEN(key); i++) {
		bool is_graph = at[i] > 0x20 && at[i] < 0x7f;
		if (client->options[MEMCACHED_VERIFY_KEY] != 0 ? !is_graph : is_space(at[i])) {
			return false;
		}
	}
	return true;
}

/* False: it cannot be sent. */
static bool write_key(const memcached_batch *batch, lrd_op *op, memcached_item *item)
{
	const memcached_client *client = batch->client;
	size_t prefix = client->prefix_size, size = ZSTR_LEN(item->key);
	lrd_slice given = {.bytes = ZSTR_VAL(item->key), .size = size}, key = given;
	char base64[LRD_WIRE_KEY_MAX + 2];

	if (size == 0 || prefix + size > LRD_WIRE_KEY_MAX) {
		return false;
	}
	if (prefix > 0) {
		item->wire = emalloc(prefix + size);
		memcpy(item->wire, client->prefix, prefix);
		memcpy(item->wire + prefix, given.bytes, size);
		key = (lrd_slice) {.bytes = item->wire, .size = prefix + size};
	}
	if (!lrd_proto_key(key, base64, &op->key, &op->is_base64)) {
		return false;
	}
	if (op->is_base64) {
		char *copy = estrndup(base64, op->key.size);
		if (item->wire != NULL) {
			efree(item->wire);
		}
		item->wire = copy;
		op->key.bytes = copy;
	}
	return true;
}

/* What the ring hashes: the server's key or the key itself, behind the prefix if that is wanted. */
static void write_route(const memcached_batch *batch, lrd_op *op, memcached_item *item)
{
	const memcached_client *client = batch->client;
	const zend_string *name = item->server_key != NULL ? item->server_key : item->key;

	op->route = (lrd_slice) {.bytes = ZSTR_VAL(name), .size = ZSTR_LEN(name)};
	if (client->options[MEMCACHED_HASH_WITH_PREFIX_KEY] != 0 && client->prefix_size > 0 && client->server_count > 1) {
		size_t size = client->prefix_size + ZSTR_LEN(name);
		size_t wire = item->wire != NULL && item->code == 0 ? op->key.size : 0;
		item->wire = erealloc(item->wire, wire + size);
		if (wire > 0) {
			op->key.bytes = item->wire;
		}
		memcpy(item->wire + wire, client->prefix, client->prefix_size);
		memcpy(item->wire + wire + client->prefix_size, ZSTR_VAL(name), ZSTR_LEN(name));
		op->route = (lrd_slice) {.bytes = item->wire + wire, .size = size};
	}
}

/* ---- opening ---- */

void memcached_batch_open(memcached_batch *batch, memcached_object *object, zend_string *server_key, uint32_t room)
{
	*batch = (memcached_batch) {
		.object = object,
		.client = object->client,
		.server_key = server_key,
		.room = room > 0 ? room : 1,
	};
	batch->ops = safe_emalloc(batch->room, sizeof(lrd_op), 0);
	batch->items = safe_emalloc(batch->room, sizeof(memcached_item), 0);
}

lrd_op *memcached_batch_add(memcached_batch *batch, zend_string *key, lrd_kind kind)
{
	if (batch->count == batch->room) {
		batch->room *= 2;
		batch->ops = safe_erealloc(batch->ops, batch->room, sizeof(lrd_op), 0);
		batch->items = safe_erealloc(batch->items, batch->room, sizeof(memcached_item), 0);
	}
	lrd_op *op = &batch->ops[batch->count];
	memcached_item *item = &batch->items[batch->count++];
	/* But for the scratch, which is written before it is read. */
	memset(op, 0, offsetof(lrd_op, scratch));
	op->kind = (uint8_t) kind;
	*item = (memcached_item) {
		.key = zend_string_copy(key),
		.server_key = batch->server_key != NULL ? zend_string_copy(batch->server_key) : NULL,
	};
	if (UNEXPECTED(!write_key(batch, op, item))) {
		item->code = MEMCACHED_BAD_KEY_PROVIDED;
	}
	write_route(batch, op, item);
	return op;
}

int memcached_value_of(const memcached_client *client, zval *value, zend_string **bytes, uint32_t *flags)
{
	zval held;

	/* A copy, because user code may write to what the value is a reference to. */
	ZVAL_COPY_DEREF(&held, value);
	*flags = 0;
	*bytes = memcached_payload_from(client, &held, flags);
	zval_ptr_dtor(&held);
	if (*bytes == NULL) {
		return MEMCACHED_PAYLOAD_FAILURE;
	}
	if (client->item_size_limit > 0 && ZSTR_LEN(*bytes) > (size_t) client->item_size_limit) {
		zend_string_release(*bytes);
		*bytes = NULL;
		return MEMCACHED_E2BIG;
	}
	return MEMCACHED_SUCCESS;
}

bool memcached_batch_value(memcached_batch *batch, uint32_t which, zval *value)
{
	zend_string *bytes;
	uint32_t flags;
	int code = memcached_value_of(batch->client, value, &bytes, &flags);

	if (code != MEMCACHED_SUCCESS) {
		batch->items[which].code = code;
		return false;
	}
	memcached_batch_bytes(batch, which, bytes, flags);
	zend_string_release(bytes);
	return true;
}

void memcached_batch_bytes(memcached_batch *batch, uint32_t which, zend_string *bytes, uint32_t flags)
{
	batch->items[which].bytes = zend_string_copy(bytes);
	batch->ops[which].flags = flags;
	batch->ops[which].value = (lrd_slice) {.bytes = ZSTR_VAL(bytes), .size = ZSTR_LEN(bytes)};
}

/* ---- the round trip ---- */

static char *room_in_batch(void *context, lrd_op *op, size_t size, size_t kept)
{
	memcached_batch *batch = context;

	return dropin_room(&batch->items[op - batch->ops].found, size, kept);
}

static bool sets_codes(memcached_batch *batch, int code)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->items[i].code == 0) {
			batch->items[i].code = code;
		}
	}
	return false;
}

static bool may_run(memcached_batch *batch)
{
	memcached_client_take(batch->client);
	if (batch->client->server_count == 0) {
		return sets_codes(batch, MEMCACHED_NO_SERVERS);
	}
	if (batch->client->options[MEMCACHED_USE_UDP] != 0) {
		return sets_codes(batch, MEMCACHED_NOT_SUPPORTED);
	}
	if (memcached_client_ready(batch->client) == NULL) {
		return sets_codes(batch, MEMCACHED_FAILURE);
	}
	return true;
}

/* Those that cannot be sent go behind the others: runs are of neighbours. Seldom needed. */
static uint32_t run_from(memcached_batch *batch, uint32_t from)
{
	uint32_t to = from;

	while (to < batch->count && batch->items[to].code == 0) {
		to++;
	}
	if (to > from) {
		lrd_pool_run(batch->client->pool, batch->ops + from, to - from, 0, room_in_batch, batch);
	}
	return to + 1;
}

void memcached_batch_run(memcached_batch *batch)
{
	memcached_object_flush(batch->object);
	if (batch->count == 0 || !may_run(batch)) {
		return;
	}
	for (uint32_t from = 0; from < batch->count;) {
		from = run_from(batch, from);
	}
}

void memcached_batch_send(memcached_batch *batch)
{
	bool has_bad = false;

	for (uint32_t i = 0; i < batch->count; i++) {
		has_bad = has_bad || batch->items[i].code != 0;
	}
	/* A key that cannot be sent parts the run in two, and only the last one could be taken later. */
	if (has_bad) {
		memcached_batch_run(batch);
		return;
	}
	memcached_object_flush(batch->object);
	if (batch->count > 0 && may_run(batch)) {
		lrd_pool_send(batch->client->pool, batch->ops, batch->count, 0, room_in_batch, batch);
		batch->client->sent = batch->ops;
		batch->client->sent_count = batch->count;
	}
}

/* ---- what came back ---- */

static int code_of_failure(const memcached_batch *batch, const lrd_op *op)
{
	const lrd_pool *pool = batch->client->pool;
	const memcached_server *server = op->server < batch->client->server_count ? &batch->client->servers[op->server]
		: NULL;
	int error;

	switch (op->failure) {
		case LRD_FAILURE_DOWN:
			return server != NULL && pool != NULL && lrd_pool_is_out(pool, op->server) ? MEMCACHED_SERVER_MARKED_DEAD
				: MEMCACHED_TEMPORARILY_DISABLED;
		case LRD_FAILURE_UNRESOLVED:
			return MEMCACHED_HOST_LOOKUP_FAILURE;
		case LRD_FAILURE_UNREACHABLE:
			/* The servers may have been changed since. */
			error = server != NULL && pool != NULL ? lrd_pool_error(pool, op->server) : 0;
			batch->object->error = error;
			if (error == 0) {
				return MEMCACHED_TIMEOUT;
			}
			return server->is_unix && error != ECONNREFUSED ? MEMCACHED_ERRNO : MEMCACHED_CONNECTION_FAILURE;
		case LRD_FAILURE_TIMED_OUT:
			return MEMCACHED_TIMEOUT;
		case LRD_FAILURE_CLOSED:
			return MEMCACHED_UNKNOWN_READ_FAILURE;
		case LRD_FAILURE_OUT_OF_STEP:
			return MEMCACHED_PROTOCOL_ERROR;
		case LRD_FAILURE_DENIED:
			return MEMCACHED_AUTH_FAILURE;
		case LRD_FAILURE_TOO_LARGE:
			return MEMCACHED_E2BIG;
		case LRD_FAILURE_NO_MEMORY:
			return memcached_is_binary(batch->client) ? MEMCACHED_MEMORY_ALLOCATION_FAILURE : MEMCACHED_NO_MEMORY;
		case LRD_FAILURE_SERVER_ERROR:
			return MEMCACHED_SERVER_ERROR;
		case LRD_FAILURE_CLIENT_ERROR:
			return MEMCACHED_CLIENT_ERROR;
		case LRD_FAILURE_UNKNOWN_COMMAND:
			return MEMCACHED_PROTOCOL_ERROR;
		default:
			return MEMCACHED_FAILURE;
	}
}

/* The two protocols name the same outcomes differently. */
static int code_of(const memcached_batch *batch, const lrd_op *op)
{
	bool is_binary = memcached_is_binary(batch->client);

	switch (op->status) {
		case LRD_OK:
			return MEMCACHED_SUCCESS;
		case LRD_MISS:
			switch ((lrd_kind) op->kind) {
				case LRD_OP_REPLACE:
					return is_binary ? MEMCACHED_NOTFOUND : MEMCACHED_NOTSTORED;
				case LRD_OP_APPEND:
				case LRD_OP_PREPEND:
					return MEMCACHED_NOTSTORED;
				default:
					return MEMCACHED_NOTFOUND;
			}
		case LRD_EXISTS:
			return op->kind == LRD_OP_ADD && !is_binary ? MEMCACHED_NOTSTORED : MEMCACHED_DATA_EXISTS;
		case LRD_NOT_A_NUMBER:
			return is_binary ? MEMCACHED_UNKNOWN_READ_FAILURE : MEMCACHED_CLIENT_ERROR;
		case LRD_TOO_LARGE:
			return MEMCACHED_E2BIG;
		default:
			return code_of_failure(batch, op);
	}
}

/* Touch has a code of its own for a server that cannot be reached. */
static bool lost_server(const lrd_op *op)
{
	return op->failure == LRD_FAILURE_DOWN || op->failure == LRD_FAILURE_UNRESOLVED
		|| op->failure == LRD_FAILURE_UNREACHABLE || op->failure == LRD_FAILURE_TIMED_OUT
		|| op->failure == LRD_FAILURE_CLOSED || op->failure == LRD_FAILURE_OUT_OF_STEP;
}

int memcached_batch_code(memcached_batch *batch, uint32_t which)
{
	const lrd_op *op = &batch->ops[which];
	memcached_client *client = batch->client;

	batch->object->error = 0;
	if (batch->items[which].code != 0) {
		return batch->items[which].code;
	}
	int code = code_of(batch, op);
	if (code == MEMCACHED_SUCCESS) {
		return code;
	}
	if (lost_server(op) || op->failure == LRD_FAILURE_DENIED) {
		client->last_server = op->server;
	}
	if (lost_server(op) && op->kind == LRD_OP_TOUCH) {
		batch->object->error = 0;
		return MEMCACHED_WRITE_FAILURE;
	}
	return code;
}

int memcached_batch_end(memcached_batch *batch, uint32_t which)
{
	int code = memcached_batch_code(batch, which);

	batch->object->code = code;
	batch->client->last_code = code;
	batch->client->last_errno = batch->object->error;
	return code;
}

bool memcached_batch_read(memcached_batch *batch, uint32_t which, zval *value)
{
	memcached_item *item = &batch->items[which];
	zend_string *bytes = item->found != NULL ? item->found : ZSTR_EMPTY_ALLOC();

	item->found = NULL;
	memcached_payload read = memcached_payload_read(batch->client, bytes, batch->ops[which].found_flags, value);
	batch->has_refused = batch->has_refused || read == MEMCACHED_PAYLOAD_REFUSED;
	return read == MEMCACHED_PAYLOAD_READ;
}

void memcached_batch_close(memcached_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		memcached_item *item = &batch->items[i];
		zend_string_release(item->key);
		if (item->server_key != NULL) {
			zend_string_release(item->server_key);
		}
		if (item->wire != NULL) {
			efree(item->wire);
		}
		if (item->bytes != NULL) {
			zend_string_release(item->bytes);
		}
		if (item->found != NULL) {
			zend_string_release(item->found);
		}
	}
	efree(batch->ops);
	efree(batch->items);
}

/* ---- what an object holds back ---- */

void memcached_object_forget(memcached_object *object)
{
	if (object->delayed != NULL) {
		memcached_batch *batch = object->delayed;
		object->delayed = NULL;
		if (object->client->sent == batch->ops) {
			object->client->sent = NULL;
		}
		memcached_batch_close(batch);
		efree(batch);
	}
}

bool memcached_object_flush(memcached_object *object)
{
	memcached_batch *batch = object->buffered;
	bool is_done = true;

	if (EXPECTED(batch == NULL)) {
		return true;
	}
	object->buffered = NULL;
	memcached_batch_run(batch);
	for (uint32_t i = 0; i < batch->count; i++) {
		int code = memcached_batch_code(batch, i);
		is_done = is_done && !(batch->ops[i].failure != LRD_FAILURE_NONE && memcached_is_error(code));
	}
	memcached_batch_close(batch);
	efree(batch);
	object->error = 0;
	return is_done;
}

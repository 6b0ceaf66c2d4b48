#include "memcache_batch.h"

#include "zend_exceptions.h"

#include "../dropin/dropin_bytes.h"
#include "memcache_payload.h"

/* ---- opening ---- */

void memcache_batch_open(memcache_batch *batch, const memcache_call *call, uint32_t room)
{
	*batch = (memcache_batch) {
		.call = call,
		.pool = call->pool,
		.room = room > 0 ? room : 1,
	};
	batch->ops = safe_emalloc(batch->room, sizeof(lrd_op), 0);
	batch->items = safe_emalloc(batch->room, sizeof(memcache_item), 0);
}

static uint32_t add_place(memcache_batch *batch)
{
	if (batch->count == batch->room) {
		batch->room *= 2;
		batch->ops = safe_erealloc(batch->ops, batch->room, sizeof(lrd_op), 0);
		batch->items = safe_erealloc(batch->items, batch->room, sizeof(memcache_item), 0);
	}
	return batch->count++;
}

lrd_op *memcache_batch_add(memcache_batch *batch, zend_string *key, lrd_kind kind)
{
	uint32_t which = add_place(batch);
	lrd_op *op = &batch->ops[which];

	/* But for the scratch, which is written before it is read. */
	memset(op, 0, offsetof(lrd_op, scratch));
	op->kind = (uint8_t) kind;
	op->key = (lrd_slice) {.bytes = ZSTR_VAL(key), .size = ZSTR_LEN(key)};
	batch->items[which] = (memcache_item) {.key = key, .of = which};
	batch->given = batch->count;
	return op;
}

void memcache_batch_bytes(memcache_batch *batch, zend_string *bytes, uint32_t flags)
{
	uint32_t which = batch->count - 1;

	batch->items[which].bytes = bytes;
	batch->ops[which].flags = flags;
	batch->ops[which].value = (lrd_slice) {.bytes = ZSTR_VAL(bytes), .size = ZSTR_LEN(bytes)};
}

/* ---- the round trip ---- */

/* Ops that are run: all of the batch, or a selection, which stands in an array of its own. */
typedef struct selection {
	memcache_batch *batch;
	lrd_op *ops;
	const uint32_t *which;      /* NULL: all */
	uint32_t count;
} selection;

static uint32_t number_of(const selection *selection, uint32_t place)
{
	return selection->which != NULL ? selection->which[place] : place;
}

static char *room_in_batch(void *context, lrd_op *op, size_t size, size_t kept)
{
	const selection *selection = context;
	uint32_t which = number_of(selection, (uint32_t) (op - selection->ops));

	return dropin_room(&selection->batch->items[which].found, size, kept);
}

static void run_selection(selection *selection, lrd_pool *engine)
{
	memcache_batch *batch = selection->batch;

	if (selection->which == NULL) {
		selection->ops = batch->ops;
		lrd_pool_run(engine, batch->ops, selection->count, 0, room_in_batch, selection);
		return;
	}
	selection->ops = safe_emalloc(selection->count, sizeof(lrd_op), 0);
	for (uint32_t i = 0; i < selection->count; i++) {
		selection->ops[i] = batch->ops[selection->which[i]];
	}
	lrd_pool_run(engine, selection->ops, selection->count, 0, room_in_batch, selection);
	for (uint32_t i = 0; i < selection->count; i++) {
		batch->ops[selection->which[i]] = selection->ops[i];
	}
	efree(selection->ops);
}

/* ---- servers that were lost ---- */

/* User code that a notice runs may forget the pool's servers. */
static void keep_servers(memcache_batch *batch)
{
	if (batch->servers != NULL) {
		return;
	}
	batch->server_count = batch->pool->count;
	batch->servers = safe_emalloc(batch->server_count, sizeof(*batch->servers), 0);
	batch->lost = safe_emalloc(batch->server_count, sizeof(*batch->lost), 0);
	for (uint32_t i = 0; i < batch->server_count; i++) {
		batch->servers[i] = memcache_pool_server(batch->pool, i);
		batch->servers[i]->owners++;
	}
}

static void lose(memcache_batch *batch, lrd_pool *engine, const lrd_op *op)
{
	keep_servers(batch);
	for (uint32_t i = 0; i < batch->lost_count; i++) {
		if (batch->lost[i] == op->server) {
			return;
		}
	}
	batch->lost[batch->lost_count++] = op->server;
	memcache_server_failed(batch->servers[op->server], op->failure, lrd_pool_error(engine, op->server));
}

/* What the servers are known to be after this. True: all have answered. */
static bool look_at_servers(const selection *selection, lrd_pool *engine)
{
	memcache_batch *batch = selection->batch;
	bool is_whole = true;

	for (uint32_t i = 0; i < selection->count; i++) {
		const lrd_op *op = &batch->ops[number_of(selection, i)];
		if (EXPECTED(!memcache_server_is_lost(op->failure))) {
			if (op->failure != LRD_FAILURE_NONE || op->status == LRD_NOT_A_NUMBER || op->status == LRD_TOO_LARGE) {
				keep_servers(batch);
			}
			if (UNEXPECTED(memcache_pool_server(batch->pool, op->server)->is_failed)) {
				memcache_server_went_well(memcache_pool_server(batch->pool, op->server));
			}
		} else {
			is_whole = false;
		}
	}
	for (uint32_t i = 0; i < selection->count && !is_whole; i++) {
		const lrd_op *op = &batch->ops[number_of(selection, i)];
		if (memcache_server_is_lost(op->failure)) {
			lose(batch, engine, op);
		}
	}
	return is_whole;
}

/* The next server for an op whose own was lost. False: there is none. */
static bool place_again(memcache_batch *batch, uint32_t which)
{
	const memcache_pool *pool = batch->pool;
	memcache_item *item = &batch->items[which];
	uint32_t server = batch->ops[which].server;
	const zend_long most = MEMCACHE_G(max_failover_attempts);

	if (item->of != which || MEMCACHE_G(allow_failover) == 0) {
		return false;
	}
	if (item->tried == NULL) {
		item->tried = ecalloc(pool->count, 1);
	}
	while ((zend_long) item->index < most && item->tries < pool->count) {
		item->tries += item->tried[server] == 0;
		item->tried[server] = 1;
		server = memcache_pool_find_next(pool, item->key, item->tried, &item->index);
		if (item->tried[server] == 0 && memcache_pool_is_valid(pool, server)) {
			batch->ops[which].server = server;
			return true;
		}
	}
	return false;
}

/* Runs the ops of these numbers, and those that lose their server again elsewhere, until none is left. */
static void run_all(memcache_batch *batch, lrd_pool *engine, uint32_t *which, uint32_t count, bool goes_on)
{
	selection selection = {.batch = batch, .which = which, .count = count};

	while (selection.count > 0) {
		run_selection(&selection, engine);
		if (look_at_servers(&selection, engine)) {
			break;
		}
		uint32_t left = 0;
		uint32_t *again = safe_emalloc(selection.count, sizeof(*again), 0);
		for (uint32_t i = 0; i < selection.count; i++) {
			uint32_t number = number_of(&selection, i);
			if (!memcache_server_is_lost(batch->ops[number].failure)) {
				continue;
			}
			if (goes_on && place_again(batch, number)) {
				again[left++] = number;
			} else {
				batch->items[number].is_lost = true;
			}
		}
		if (which != NULL) {
			efree(which);
		}
		selection.which = which = again;
		selection.count = left;
	}
	if (which != NULL) {
		efree(which);
	}
}

/* ---- copies ---- */

static void add_copy(memcache_batch *batch, uint32_t of, uint32_t server)
{
	uint32_t which = add_place(batch);

	batch->ops[which] = batch->ops[of];
	batch->ops[which].server = server;
	batch->items[which] = (memcache_item) {.key = zend_string_copy(batch->items[of].key), .of = of};
}

/* The same on the next servers, as far as these are up. */
static void add_copies(memcache_batch *batch, uint32_t which, zend_long copies)
{
	const memcache_pool *pool = batch->pool;
	unsigned char *tried = ecalloc(pool->count, 1);
	uint32_t index = 0, server = batch->ops[which].server;

	for (zend_long i = 1; i < copies && i < (zend_long) pool->count; i++) {
		tried[server] = 1;
		server = memcache_pool_find_next(pool, batch->items[which].key, tried, &index);
		if (tried[server] != 0) {
			break;
		}
		if (memcache_pool_is_valid(pool, server)) {
			add_copy(batch, which, server);
		}
	}
	efree(tried);
}

static void lose_all(memcache_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		batch->items[i].is_lost = true;
	}
}

void memcache_batch_run(memcache_batch *batch, zend_long copies)
{
	uint32_t unplaced = 0, count = batch->count;
	uint32_t *which = NULL;
	lrd_pool *engine = memcache_pool_ready(batch->pool);

	if (engine == NULL) {
		lose_all(batch);
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		batch->ops[i].server = memcache_pool_find(batch->pool, batch->items[i].key);
		bool has_server = memcache_pool_is_valid(batch->pool, batch->ops[i].server);
		batch->items[i].is_lost = !has_server;
		unplaced += !has_server;
	}
	for (uint32_t i = 0; i < count && UNEXPECTED(copies > 1); i++) {
		add_copies(batch, i, copies);
	}
	if (UNEXPECTED(unplaced > 0)) {
		uint32_t placed = 0;
		which = safe_emalloc(batch->count, sizeof(*which), 0);
		for (uint32_t i = 0; i < batch->count; i++) {
			if (!batch->items[i].is_lost) {
				which[placed++] = i;
			}
		}
		run_all(batch, engine, which, placed, true);
		return;
	}
	run_all(batch, engine, NULL, batch->count, true);
}

void memcache_batch_run_there(memcache_batch *batch)
{
	lrd_pool *engine = memcache_pool_ready(batch->pool);

	if (engine == NULL) {
		lose_all(batch);
		return;
	}
	run_all(batch, engine, NULL, batch->count, false);
}

/* ---- what came of it ---- */

/* As the servers say it, and php-memcache's number of it. */
static const char *fault_of(const lrd_op *op, int *number)
{
	if (op->status == LRD_NOT_A_NUMBER) {
		*number = 6;
		return "CLIENT_ERROR cannot increment or decrement non-numeric value";
	}
	if (op->status == LRD_TOO_LARGE || op->failure == LRD_FAILURE_TOO_LARGE) {
		*number = 3;
		return "SERVER_ERROR object too large for cache";
	}
	switch (op->failure) {
		case LRD_FAILURE_NO_MEMORY:
			*number = 130;
			return "SERVER_ERROR out of memory storing object";
		case LRD_FAILURE_CLIENT_ERROR:
			*number = 6;
			return "CLIENT_ERROR bad command line format";
		case LRD_FAILURE_UNKNOWN_COMMAND:
			*number = -1;
			return "ERROR";
		default:
			*number = -1;
			return "SERVER_ERROR";
	}
}

static void complain(const memcache_server *server, const char *message, int number)
{
	php_error_docref(NULL, E_NOTICE, "Server %s (tcp %d, udp %d) failed with: %s (%d)", server->host,
		(int) server->tcp_port, (int) server->udp_port, message, number);
}

memcache_result memcache_batch_result_of(memcache_batch *batch, uint32_t which)
{
	const lrd_op *op = &batch->ops[which];
	int number;

	if (batch->items[which].is_lost) {
		return MEMCACHE_LOST;
	}
	switch (op->status) {
		case LRD_OK:
			return MEMCACHE_DONE;
		case LRD_MISS:
			return MEMCACHE_MISS;
		case LRD_EXISTS:
			return MEMCACHE_REFUSED;
		default:
			break;
	}
	const char *fault = fault_of(op, &number);
	if (batch->servers != NULL) {
		complain(batch->servers[op->server], fault, number);
	}
	return MEMCACHE_FAULTY;
}

memcache_result memcache_batch_result(memcache_batch *batch, uint32_t which)
{
	memcache_result result = memcache_batch_result_of(batch, which);

	for (uint32_t i = batch->given; i < batch->count; i++) {
		if (batch->items[i].of == which) {
			memcache_result copy = memcache_batch_result_of(batch, i);
			result = copy > result ? copy : result;
		}
	}
	return result;
}

bool memcache_batch_read(memcache_batch *batch, uint32_t which, zval *value)
{
	memcache_item *item = &batch->items[which];
	zend_string *bytes = item->found != NULL ? item->found : ZSTR_EMPTY_ALLOC();

	item->found = NULL;
	return memcache_payload_read(bytes, batch->ops[which].found_flags, value);
}

void memcache_batch_close(memcache_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		memcache_item *item = &batch->items[i];
		zend_string_release(item->key);
		if (item->bytes != NULL) {
			zend_string_release(item->bytes);
		}
		if (item->found != NULL) {
			zend_string_release(item->found);
		}
		if (item->tried != NULL) {
			efree(item->tried);
		}
	}
	for (uint32_t i = 0; i < batch->server_count; i++) {
		memcache_server_release(batch->servers[i]);
	}
	if (batch->servers != NULL) {
		efree(batch->servers);
		efree(batch->lost);
	}
	efree(batch->ops);
	efree(batch->items);
}

/* ---- failures ---- */

static void call_back(zval *callback, const memcache_server *server)
{
	zval parameters[5], result;

	ZVAL_STRING(&parameters[0], server->host);
	ZVAL_LONG(&parameters[1], server->tcp_port);
	ZVAL_LONG(&parameters[2], server->udp_port);
	ZVAL_STRING(&parameters[3], server->why);
	ZVAL_LONG(&parameters[4], server->error);
	ZVAL_UNDEF(&result);
	call_user_function(NULL, NULL, callback, &result, 5, parameters);
	zval_ptr_dtor(&parameters[0]);
	zval_ptr_dtor(&parameters[3]);
	zval_ptr_dtor(&result);
}

void memcache_failure_report(const memcache_call *call, const memcache_server *server)
{
	zval *property = NULL, callback;

	if (call->object != NULL && call->pool->has_callback) {
		property = zend_hash_str_find_ind(
			call->object->handlers->get_properties(call->object), ZEND_STRL("_failureCallback"));
	}
	if (property != NULL) {
		ZVAL_DEREF(property);
	}
	if (property == NULL || Z_TYPE_P(property) == IS_NULL) {
		complain(server, server->why, server->error);
		return;
	}
	ZVAL_COPY(&callback, property);
	if (zend_is_callable(&callback, 0, NULL)) {
		call_back(&callback, server);
	} else {
		call->pool->has_callback = false;
		add_property_null_ex(&(zval) {.value.obj = call->object, .u1.type_info = IS_OBJECT_EX},
			ZEND_STRL("_failureCallback"));
		php_error_docref(NULL, E_WARNING, "Invalid failure callback");
	}
	zval_ptr_dtor(&callback);
}

void memcache_batch_report(memcache_batch *batch)
{
	for (uint32_t i = 0; i < batch->lost_count && EG(exception) == NULL; i++) {
		memcache_failure_report(batch->call, batch->servers[batch->lost[i]]);
	}
}

#include "php_memcached_batch.h"

#include "zend_exceptions.h"

#include "../core/base/lrd_clock.h"
#include "../core/client/lrd_proto.h"
#include "php_answer.h"
#include "php_loss.h"
#include "php_outcome.h"

struct php_batch_chunk {
	php_batch_chunk *next;
	char bytes[3000];           /* with this the allocator's largest small size */
};

/* ---- keys ---- */

static void refuse_key(const php_batch *batch, const zend_string *name, uint32_t argument)
{
	const size_t plain_max = LRD_WIRE_KEY_MAX, base64_max = LRD_WIRE_KEY_MAX / 4 * 3;
	const zend_string *prefix = batch->memcached->prefix;
	bool is_plain = true;

	for (size_t i = 0; i < ZSTR_LEN(name); i++) {
		unsigned char byte = (unsigned char) ZSTR_VAL(name)[i];
		is_plain = is_plain && byte > 0x20 && byte != 0x7f;
	}
	for (size_t i = 0; i < ZSTR_LEN(prefix); i++) {
		unsigned char byte = (unsigned char) ZSTR_VAL(prefix)[i];
		is_plain = is_plain && byte > 0x20 && byte != 0x7f;
	}
	size_t most = is_plain ? plain_max : base64_max;
	zend_argument_value_error(argument, "must %s 1 to %zu bytes long as %s sent%s%s, %zu given",
		batch->is_of_many ? "contain only keys that are" : "be", most > ZSTR_LEN(prefix) ? most - ZSTR_LEN(prefix) : 0,
		batch->is_of_many ? "they are" : "it is", ZSTR_LEN(prefix) > 0 ? " behind the prefix" : "",
		is_plain ? "" : " in base64, for its control bytes or spaces", ZSTR_LEN(name));
}

static void reserve_key(php_batch *batch)
{
	if (batch->left < PHP_BATCH_KEY_ROOM) {
		php_batch_chunk *chunk = emalloc(sizeof(*chunk));
		chunk->next = batch->chunks;
		batch->chunks = chunk;
		batch->at = chunk->bytes;
		batch->left = sizeof(chunk->bytes);
	}
}

/* False: it cannot be one. */
static bool write_key(php_batch *batch, lrd_op *op, const zend_string *name)
{
	const php_memcached *memcached = batch->memcached;
	size_t prefix = ZSTR_LEN(memcached->prefix), size = ZSTR_LEN(name);
	lrd_slice given = {.bytes = ZSTR_VAL(name), .size = size}, key = given;
	size_t used = 0;

	if (UNEXPECTED(size == 0 || size > LRD_WIRE_KEY_MAX || prefix + size > LRD_WIRE_KEY_MAX)) {
		return false;
	}
	reserve_key(batch);
	if (prefix > 0) {
		memcpy(batch->at, ZSTR_VAL(memcached->prefix), prefix);
		memcpy(batch->at + prefix, given.bytes, size);
		key = (lrd_slice) {.bytes = batch->at, .size = prefix + size};
		used = key.size;
	}
	if (UNEXPECTED(!lrd_proto_key(key, batch->at + used, &op->key, &op->is_base64))) {
		return false;
	}
	used += op->is_base64 ? op->key.size : 0;
	batch->at += used;
	batch->left -= used;
	op->route = memcached->pool->hashes_prefix ? key : given;
	return true;
}

/* ---- opening ---- */

lrd_op *php_batch_begin(php_batch_single *single, const zval *object, zend_string *name, lrd_kind kind)
{
	php_memcached *memcached = php_memcached_of(object);

	if (UNEXPECTED(memcached == NULL)) {
		return NULL;
	}
	single->batch = (php_batch) {
		.memcached = memcached,
		.ops = &single->op,
		.items = &single->item,
		.room = 1,
		.is_single = true,
		.at = single->key,
		.left = sizeof(single->key),
	};
	return php_batch_add(&single->batch, name, kind, 1);
}

void php_batch_open(php_batch *batch, php_memcached *memcached, uint32_t room)
{
	*batch = (php_batch) {.memcached = memcached, .room = room};
	if (room > 0) {
		batch->ops = safe_emalloc(room, sizeof(lrd_op), 0);
		batch->items = safe_emalloc(room, sizeof(php_batch_item), 0);
	}
}

lrd_op *php_batch_add(php_batch *batch, zend_string *name, lrd_kind kind, uint32_t argument)
{
	if (batch->count == batch->room) {
		batch->room = batch->room == 0 ? 8 : 2 * batch->room;
		batch->ops = safe_erealloc(batch->ops, batch->room, sizeof(lrd_op), 0);
		batch->items = safe_erealloc(batch->items, batch->room, sizeof(php_batch_item), 0);
	}
	lrd_op *op = &batch->ops[batch->count];
	/* But for the scratch, which is written before it is read. */
	memset(op, 0, offsetof(lrd_op, scratch));
	op->kind = (uint8_t) kind;
	if (UNEXPECTED(!write_key(batch, op, name))) {
		refuse_key(batch, name, argument);
		return NULL;
	}
	batch->items[batch->count++] = (php_batch_item) {.name = zend_string_copy(name)};
	return op;
}

bool php_batch_open_list(php_batch *batch, const zval *object, const HashTable *list, lrd_kind kind, uint32_t argument)
{
	php_memcached *memcached = php_memcached_of(object);
	zval *element;

	if (memcached == NULL) {
		return false;
	}
	php_batch_open(batch, memcached, zend_hash_num_elements(list));
	batch->is_of_many = true;
	ZEND_HASH_FOREACH_VAL((HashTable *) list, element) {
		ZVAL_DEREF(element);
		if (UNEXPECTED(Z_TYPE_P(element) != IS_STRING && Z_TYPE_P(element) != IS_LONG)) {
			zend_argument_type_error(argument, "must contain only strings, %s found", zend_zval_type_name(element));
			php_batch_close(batch);
			return false;
		}
		zend_string *name = zval_get_string(element);
		bool added = php_batch_add(batch, name, kind, argument) != NULL;
		zend_string_release(name);
		if (UNEXPECTED(!added)) {
			php_batch_close(batch);
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

bool php_batch_open_keys(php_batch *batch, const zval *object, const HashTable *array, lrd_kind kind, uint32_t argument)
{
	php_memcached *memcached = php_memcached_of(object);
	zend_ulong index;
	zend_string *name;

	if (memcached == NULL) {
		return false;
	}
	php_batch_open(batch, memcached, zend_hash_num_elements(array));
	batch->is_of_many = true;
	ZEND_HASH_FOREACH_KEY((HashTable *) array, index, name) {
		zend_string *key = name != NULL ? zend_string_copy(name) : zend_long_to_str((zend_long) index);
		bool added = php_batch_add(batch, key, kind, argument) != NULL;
		zend_string_release(key);
		if (UNEXPECTED(!added)) {
			php_batch_close(batch);
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

/* ---- what is to be stored ---- */

void php_batch_bytes(php_batch *batch, uint32_t which, zend_string *bytes)
{
	batch->items[which].bytes = zend_string_copy(bytes);
	batch->ops[which].value = (lrd_slice) {.bytes = ZSTR_VAL(bytes), .size = ZSTR_LEN(bytes)};
}

bool php_batch_encode(php_batch *batch, uint32_t which, zval *value)
{
	value_encoded encoded;
	zval held;

	/* A copy, because user code may write to what the value is a reference to. */
	ZVAL_COPY_DEREF(&held, value);
	zend_result result = value_encode(&batch->memcached->format, &held, &encoded);
	if (result == SUCCESS) {
		lrd_op *op = &batch->ops[which];
		batch->items[which].bytes = encoded.bytes;
		op->flags = encoded.flags;
		/* What is to be gone at once need not travel. */
		if (op->ttl >= 0) {
			op->value = (lrd_slice) {.bytes = ZSTR_VAL(encoded.bytes), .size = ZSTR_LEN(encoded.bytes)};
		}
	}
	zval_ptr_dtor(&held);
	return result == SUCCESS && EG(exception) == NULL;
}

/* ---- the round trip ---- */

/*
 * NULL: the value is not taken, since it has more bytes than one may have, or than memory_limit has left. What was
 * announced is looked at first, so that nothing is read in vain.
 */
static char *room_for(zend_string **found, const lrd_op *op, size_t size, size_t kept)
{
	bool fits = (uint64_t) LARDER_G(memcached_value_max) >= op->reply.size && value_fits_memory(kept > 0 ? size
		: (size_t) op->reply.size);

	if (EXPECTED(fits) && kept > 0) {
		*found = zend_string_extend(*found, size, 0);
		ZSTR_VAL(*found)[size] = '\0';
		return ZSTR_VAL(*found);
	}
	/* An op that is asked again elsewhere puts its bytes into new room. */
	if (*found != NULL) {
		zend_string_release(*found);
		*found = NULL;
	}
	if (UNEXPECTED(!fits)) {
		return NULL;
	}
	*found = zend_string_alloc(size, 0);
	ZSTR_VAL(*found)[size] = '\0';
	return ZSTR_VAL(*found);
}

static char *room_in_batch(void *context, lrd_op *op, size_t size, size_t kept)
{
	php_batch *batch = context;
	return room_for(&batch->items[op - batch->ops].found, op, size, kept);
}

/* Of a value that was not taken. */
static uint8_t excess_of(const lrd_op *op)
{
	return op->found_size > (uint64_t) LARDER_G(memcached_value_max) ? PHP_FAILURE_OVER_SIZE : PHP_FAILURE_OVER_MEMORY;
}

static bool was_not_taken(const lrd_op *op)
{
	return op->found == NULL && op->found_size > 0;
}

/* What a value may cost. All of one call are decoded in one time, which begins with the first. */
static value_limits limits_of(php_batch *batch)
{
	if (batch->decoded_by_ns == 0) {
		batch->decoded_by_ns = lrd_clock_coarse_ns() + (uint64_t) LARDER_G(memcached_decode_timeout) * LRD_MS_NS;
	}
	return (value_limits) {.most = (size_t) LARDER_G(memcached_value_max), .until_ns = batch->decoded_by_ns};
}

/* What a reply brought, once. */
static zend_string *take_found(php_batch *batch, uint32_t which)
{
	zend_string *found = batch->items[which].found;

	if (batch->ops[which].found == NULL) {
		return ZSTR_EMPTY_ALLOC();
	}
	batch->items[which].found = NULL;
	return found;
}

/* ---- strings to which the server cannot add, since it has them in another form: read, and stored anew ---- */

enum { REWRITES_MAX = 32 };

/* More ops for keys of the batch, with what is left of its time. */
static void add_beside(php_batch *side, const php_batch *batch, uint32_t which, lrd_op op)
{
	op.key = batch->ops[which].key;
	op.is_base64 = batch->ops[which].is_base64;
	op.route = batch->ops[which].route;
	side->ops[side->count] = op;
	side->items[side->count++] = (php_batch_item) {.name = zend_string_copy(batch->items[which].name)};
}

static void run_side(php_batch *side)
{
	lrd_pool *pool = php_pool_ready(side->memcached->pool);
	uint32_t left_ms = lrd_pool_time_left(pool);

	if (left_ms > 0) {
		lrd_pool_run(pool, side->ops, side->count, left_ms, room_in_batch, side);
		return;
	}
	for (uint32_t i = 0; i < side->count; i++) {
		side->ops[i].status = LRD_DOWN;
		side->ops[i].failure = LRD_FAILURE_TIMED_OUT;
		side->ops[i].server = lrd_pool_find(pool, side->ops[i].route);
	}
}

/* What the op makes of the string that was found, as it is to be stored. False: that is no string. */
static bool add_to_text(php_batch *batch, const lrd_op *op, zend_string *found, const lrd_op *read,
	value_encoded *encoded)
{
	const uint32_t users_flags = 0xffff0000;
	value_limits limits = limits_of(batch);
	zend_string *text = value_decode_text(found, read->found_flags, &limits);
	zval sum;

	if (text == NULL) {
		return false;
	}
	lrd_slice old = {.bytes = ZSTR_VAL(text), .size = ZSTR_LEN(text)};
	lrd_slice left = op->kind == LRD_OP_APPEND ? old : op->value, right = op->kind == LRD_OP_APPEND ? op->value : old;
	ZVAL_STR(&sum, zend_string_concat2(left.bytes, left.size, right.bytes, right.size));
	bool is_done = value_encode(&batch->memcached->format, &sum, encoded) == SUCCESS;
	encoded->flags |= read->found_size > 0 ? read->found_flags & users_flags : 0;
	zval_ptr_dtor(&sum);
	zend_string_release(text);
	return is_done;
}

/* One try for each of these places. Returns for how many others were first; their places come to the front. */
static uint32_t rewrite(php_batch *batch, uint32_t *places, uint32_t count)
{
	php_batch reads, writes;
	uint32_t lost = 0;

	php_batch_open(&reads, batch->memcached, count);
	php_batch_open(&writes, batch->memcached, count);
	for (uint32_t i = 0; i < count; i++) {
		add_beside(&reads, batch, places[i], (lrd_op) {.kind = LRD_OP_GET, .wants_version = true, .wants_ttl = true});
	}
	run_side(&reads);
	for (uint32_t i = 0; i < count; i++) {
		const lrd_op *read = &reads.ops[i];
		lrd_op *op = &batch->ops[places[i]];
		value_encoded encoded;
		if (read->status == LRD_OK && was_not_taken(read)) {
			op->status = LRD_REFUSED;
			op->server = read->server;
			php_failures_note(
				&batch->failures, excess_of(read), read->server, batch->items[places[i]].name, read->found_size);
		} else if (read->status != LRD_OK) {
			op->status = read->status == LRD_MISS ? LRD_MISS : LRD_DOWN;
			op->failure = read->failure;
			op->server = read->server;
		} else if (add_to_text(batch, op, take_found(&reads, i), read, &encoded)) {
			places[writes.count] = places[i];
			add_beside(&writes, batch, places[i], (lrd_op) {
				.kind = LRD_OP_CAS,
				.flags = encoded.flags,
				.value = {.bytes = ZSTR_VAL(encoded.bytes), .size = ZSTR_LEN(encoded.bytes)},
				.ttl = read->number,
				.token = read->version,
			});
			writes.items[writes.count - 1].bytes = encoded.bytes;
		}
	}
	run_side(&writes);
	for (uint32_t i = 0; i < writes.count; i++) {
		lrd_op *op = &batch->ops[places[i]];
		if (writes.ops[i].status == LRD_EXISTS) {
			places[lost++] = places[i];
		} else {
			op->status = writes.ops[i].status;
			op->failure = writes.ops[i].failure;
			op->server = writes.ops[i].server;
		}
	}
	php_batch_free(&reads);
	php_batch_free(&writes);
	return lost;
}

static bool adds_bytes(const lrd_op *op)
{
	return op->kind == LRD_OP_APPEND || op->kind == LRD_OP_PREPEND;
}

static void rewrite_all(php_batch *batch)
{
	uint32_t *places = safe_emalloc(batch->count, sizeof(*places), 0);
	uint32_t count = 0;

	for (uint32_t i = 0; i < batch->count; i++) {
		if (adds_bytes(&batch->ops[i]) && batch->ops[i].status == LRD_EXISTS) {
			places[count++] = i;
		}
	}
	for (uint32_t tries = 0; count > 0 && tries < REWRITES_MAX; tries++) {
		count = rewrite(batch, places, count);
	}
	for (uint32_t i = 0; i < count; i++) {
		batch->ops[places[i]].status = LRD_REFUSED;
		batch->ops[places[i]].failure = LRD_FAILURE_CONTENDED;
	}
	efree(places);
}

/* Once all replies are there. */
static void settle(php_batch *batch)
{
	bool has_rest = false;

	for (uint32_t i = 0; i < batch->count; i++) {
		has_rest = has_rest || (batch->ops[i].status == LRD_EXISTS && adds_bytes(&batch->ops[i]));
	}
	if (UNEXPECTED(has_rest)) {
		rewrite_all(batch);
	}
	for (uint32_t i = 0; i < batch->count; i++) {
		const lrd_op *op = &batch->ops[i];
		if (UNEXPECTED(op->failure != LRD_FAILURE_NONE)) {
			php_failures_note(
				&batch->failures, (uint8_t) op->failure, op->server, batch->items[i].name, op->value.size);
		}
	}
}

void php_batch_run(php_batch *batch)
{
	if (batch->count > 0) {
		php_loss_check();
		lrd_pool_run(php_pool_ready(batch->memcached->pool), batch->ops, batch->count, 0, room_in_batch, batch);
		settle(batch);
	}
}

void php_batch_send(php_batch *batch)
{
	php_pool *pool = batch->memcached->pool;

	if (batch->count > 0) {
		php_loss_check();
		lrd_pool_send(php_pool_ready(pool), batch->ops, batch->count, 0, room_in_batch, batch);
		pool->sent = batch->ops;
		pool->sent_count = batch->count;
	}
}

void php_batch_take(php_batch *batch)
{
	if (batch->count > 0) {
		if (batch->memcached->pool->sent == batch->ops) {
			php_pool_take_sent(batch->memcached->pool);
		}
		settle(batch);
	}
}

static char *room_in_string(void *context, lrd_op *op, size_t size, size_t kept)
{
	return room_for(context, op, size, kept);
}

uint64_t php_batch_deadline(const php_memcached *memcached)
{
	return lrd_clock_monotonic_ns() + memcached->pool->timeout_ms * LRD_MS_NS;
}

/*
 * Servers are asked one after the other: each has its share of what is left, so that one that hangs takes no other's.
 */
static uint32_t share_of(const php_memcached *memcached, uint32_t server, uint64_t deadline_ns)
{
	uint64_t now_ns = lrd_clock_monotonic_ns();
	uint64_t left = now_ns < deadline_ns ? (deadline_ns - now_ns) / LRD_MS_NS : 0;

	return (uint32_t) MAX(left / (lrd_pool_size(memcached->pool->pool) - server), 1);
}

zend_string *php_batch_ask(const php_memcached *memcached, uint32_t server, const char *line, uint64_t deadline_ns,
	lrd_op *op, php_failures **failures)
{
	zend_string *answer = NULL;

	*op = (lrd_op) {.server = server};
	lrd_pool_ask(php_pool_ready(memcached->pool), server, (lrd_slice) {.bytes = line, .size = strlen(line)},
		share_of(memcached, server, deadline_ns), op, room_in_string, &answer);
	if (op->failure != LRD_FAILURE_NONE && failures != NULL) {
		php_failures_note(failures, (uint8_t) op->failure, server, NULL, 0);
	}
	if (op->status == LRD_OK && was_not_taken(op)) {
		if (failures != NULL) {
			php_failures_note(failures, excess_of(op), server, NULL, op->found_size);
		}
		return NULL;
	}
	if (op->status == LRD_OK) {
		return answer != NULL ? answer : ZSTR_EMPTY_ALLOC();
	}
	if (answer != NULL) {
		zend_string_release(answer);
	}
	return NULL;
}

/* ---- what came back ---- */

static const uint8_t failures_by_excess[] = {
	[VALUE_EXCESS_SIZE] = PHP_FAILURE_OVER_SIZE,
	[VALUE_EXCESS_MEMORY] = PHP_FAILURE_OVER_MEMORY,
	[VALUE_EXCESS_TIME] = PHP_FAILURE_OVER_TIME,
	[VALUE_EXCESS_DEPTH] = PHP_FAILURE_OVER_DEPTH,
};

php_batch_found php_batch_decode(php_batch *batch, uint32_t which, zval *value)
{
	const lrd_op *op = &batch->ops[which];

	if (op->status != LRD_OK) {
		return op->status == LRD_MISS ? FOUND_MISS : FOUND_NO_ANSWER;
	}
	zend_string *name = batch->items[which].name;
	if (UNEXPECTED(was_not_taken(op))) {
		php_failures_note(&batch->failures, excess_of(op), op->server, name, op->found_size);
		return FOUND_UNREADABLE;
	}
	zend_string *bytes = take_found(batch, which);
	value_limits limits = limits_of(batch);
	if (EXPECTED(value_decode(&batch->memcached->format, bytes, op->found_flags, &limits, value) == SUCCESS)) {
		return FOUND_HIT;
	}
	value_flaw flaw;
	if (!value_flaw_take(&flaw)) {
		return FOUND_THREW;
	}
	if (limits.excess == VALUE_EXCESS_NONE) {
		php_failures_note_flaw(&batch->failures, &flaw, op->server, name);
	} else {
		php_failures_note(&batch->failures, failures_by_excess[limits.excess], op->server, name, limits.size);
	}
	return FOUND_UNREADABLE;
}

/* Runs another op on the same key. */
static lrd_op run_beside(const php_batch *batch, const lrd_op *op, lrd_kind kind, uint64_t token)
{
	lrd_op other = {.kind = (uint8_t) kind,
		.is_base64 = op->is_base64,
		.key = op->key,
		.route = op->route,
		.seconds = op->seconds,
		.token = token};
	zend_string *found = NULL;

	lrd_pool_run(php_pool_ready(batch->memcached->pool), &other, 1, 0, room_in_string, &found);
	if (found != NULL) {
		zend_string_release(found);
	}
	return other;
}

/* So that nobody waits for what this caller will not make. */
static void give_leases_back(php_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		if (batch->ops[i].lease != 0) {
			run_beside(batch, &batch->ops[i], LRD_OP_RELEASE, batch->ops[i].lease);
			batch->ops[i].lease = 0;
		}
	}
}

/* A damaged value would else be a miss that nobody makes anew until it ends by itself. */
static void lease_unreadable(const php_batch *batch, lrd_op *op)
{
	if (op->kind == LRD_OP_GET_OR_LEASE && op->lease == 0) {
		lrd_op lease = run_beside(batch, op, LRD_OP_LEASE, 0);
		op->lease = lease.status == LRD_OK ? lease.lease : 0;
		op->lease_is_lost = lease.lease_is_lost;
	}
}

/* False, with an exception. */
static bool answer_of(php_batch *batch, uint32_t which, zval *answer)
{
	lrd_op *op = &batch->ops[which];
	zval value;

	switch (php_batch_decode(batch, which, &value)) {
		case FOUND_HIT:
			php_answer_of(answer, &value, op->version, op->stale, op->lease);
			return true;
		case FOUND_UNREADABLE:
			lease_unreadable(batch, op);
			ZEND_FALLTHROUGH;
		case FOUND_MISS:
			if (op->lease_is_lost) {
				php_answer_lease(answer, 0);
			} else {
				php_answer_of(answer, NULL, 0, false, op->lease);
			}
			return true;
		case FOUND_NO_ANSWER:
			php_answer_none(answer);
			return true;
		default:
			give_leases_back(batch);
			return false;
	}
}

/* Of an op that asked for no value. */
static void version_of(const lrd_op *op, zval *answer)
{
	zval nothing;

	ZVAL_NULL(&nothing);
	if (op->status == LRD_OK || op->status == LRD_MISS) {
		php_answer_of(answer, op->status == LRD_OK ? &nothing : NULL, op->version, op->stale, 0);
	} else {
		php_answer_none(answer);
	}
}

bool php_batch_result(php_batch *batch, uint32_t which, zval *result)
{
	const lrd_op *op = &batch->ops[which];
	bool is_done = op->status == LRD_OK;

	switch ((lrd_kind) op->kind) {
		case LRD_OP_GET:
		case LRD_OP_GET_AND_TOUCH:
		case LRD_OP_GET_OR_LEASE:
			return answer_of(batch, which, result);
		case LRD_OP_VERSION:
			version_of(op, result);
			return true;
		case LRD_OP_HAS:
		case LRD_OP_RELEASE:
			ZVAL_BOOL(result, is_done);
			return true;
		case LRD_OP_LEASE:
			ZVAL_NULL(result);
			if (is_done) {
				ZVAL_LONG(result, (zend_long) op->lease);
			}
			return true;
		case LRD_OP_ADD_NUMBER:
			if (is_done) {
				ZVAL_LONG(result, (zend_long) op->number);
				return true;
			}
			ZEND_FALLTHROUGH;
		default:
			php_outcome_from(op->status, result);
			return true;
	}
}

void php_batch_put(HashTable *table, zend_string *name, zval *value)
{
	zend_ulong index;

	const zval *added = ZEND_HANDLE_NUMERIC(name, index)
		? zend_hash_index_add(table, index, value)
		: zend_hash_add(table, name, value);
	if (UNEXPECTED(added == NULL)) {
		zval_ptr_dtor(value);
	}
}

bool php_batch_results(php_batch *batch, zval *results)
{
	HashTable *table = zend_new_array(batch->count);
	zend_object *outcome = NULL;
	zval result;

	for (uint32_t i = 0; i < batch->count; i++) {
		/*
		 * Most end as the one before, and a case of an enum is looked up by its name. The class holds its cases until
		 * the request is over.
		 */
		if (outcome != NULL && batch->ops[i].kind == batch->ops[i - 1].kind
			&& batch->ops[i].status == batch->ops[i - 1].status) {
			ZVAL_OBJ_COPY(&result, outcome);
		} else if (UNEXPECTED(!php_batch_result(batch, i, &result))) {
			zend_array_release(table);
			return false;
		} else {
			outcome = Z_TYPE(result) == IS_OBJECT && Z_OBJCE(result) == php_outcome_ce ? Z_OBJ(result) : NULL;
		}
		php_batch_put(table, batch->items[i].name, &result);
	}
	ZVAL_ARR(results, table);
	return true;
}

void php_batch_finish_one(php_batch *batch, zval *return_value)
{
	php_batch_run(batch);
	bool is_given = php_batch_result(batch, 0, return_value);
	php_batch_close(batch);
	if (UNEXPECTED(!is_given)) {
		RETURN_THROWS();
	}
}

void php_batch_finish(php_batch *batch, zval *return_value)
{
	php_batch_run(batch);
	bool is_given = php_batch_results(batch, return_value);
	php_batch_close(batch);
	if (UNEXPECTED(!is_given)) {
		RETURN_THROWS();
	}
}

/* ---- the end ---- */

static void free_item(php_batch_item *item)
{
	zend_string_release(item->name);
	if (item->bytes != NULL) {
		zend_string_release(item->bytes);
	}
	if (item->found != NULL) {
		zend_string_release(item->found);
	}
}

void php_batch_free(php_batch *batch)
{
	for (uint32_t i = 0; i < batch->count; i++) {
		free_item(&batch->items[i]);
	}
	while (batch->chunks != NULL) {
		php_batch_chunk *chunk = batch->chunks;
		batch->chunks = chunk->next;
		efree(chunk);
	}
	if (!batch->is_single && batch->room > 0) {
		efree(batch->ops);
		efree(batch->items);
	}
	php_failures_free(batch->failures);
	batch->failures = NULL;
}

void php_batch_close(php_batch *batch)
{
	php_memcached *memcached = batch->memcached;

	if (UNEXPECTED(memcached->failures != NULL)) {
		php_failures_free(memcached->failures);
	}
	memcached->failures = batch->failures;
	batch->failures = NULL;
	php_batch_free(batch);
}

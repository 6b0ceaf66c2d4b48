#define _POSIX_C_SOURCE 200809L
#include "memcache_batch.h"

#include <stdlib.h>

#include "SAPI.h"
#include "ext/session/php_session.h"
#include "ext/standard/url.h"
#include "php_variables.h"

#include "memcache_payload.h"
#include "memcache_session.h"

enum {
	LOCK_SIZE = 5,              /* ".lock" */
	WAIT_MIN_MS = 5,
	WAIT_MAX_MS = 1000,
	STANDARD_RETRY = 15,
};

/* What lies in mod_data between open and close. */
typedef struct session {
	memcache_call call;
	zend_string *prefix;
} session;

/* ---- the save path ---- */

static bool is_between(char byte)
{
	return byte == ',' || byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static zval *parameter(zval *parameters, const char *name)
{
	return zend_hash_str_find(Z_ARRVAL_P(parameters), name, strlen(name));
}

/* "persistent=1&weight=2&timeout=1&retry_interval=15" */
static void read_query(const zend_string *query, memcache_server_options *options)
{
	zval parameters, *found;

	array_init(&parameters);
	sapi_module.treat_data(PARSE_STRING, estrdup(ZSTR_VAL(query)), &parameters);
	if ((found = parameter(&parameters, "persistent")) != NULL) {
		options->is_persistent = zend_is_true(found);
	}
	if ((found = parameter(&parameters, "udp_port")) != NULL) {
		options->udp_port = zval_get_long(found);
	}
	if ((found = parameter(&parameters, "weight")) != NULL) {
		options->weight = zval_get_long(found);
	}
	if ((found = parameter(&parameters, "timeout")) != NULL) {
		options->timeout = zval_get_double(found);
	}
	if ((found = parameter(&parameters, "retry_interval")) != NULL) {
		options->retry_interval = zval_get_long(found);
	}
	zval_ptr_dtor(&parameters);
}

/* Owned. NULL: it names no host. */
static zend_string *host_of(const php_url *url)
{
	bool is_path = url->scheme != NULL && url->path != NULL && zend_string_equals_literal(url->scheme, "file");

	if (!is_path) {
		return url->host != NULL ? zend_string_copy(url->host) : NULL;
	}
	/* ":0" behind a path is no part of it. */
	size_t size = ZSTR_LEN(url->path);
	if (size > 2 && memcmp(ZSTR_VAL(url->path) + size - 2, ":0", 2) == 0) {
		size -= 2;
	}
	return strpprintf(0, "unix://%.*s", (int) size, ZSTR_VAL(url->path));
}

/* One server's URL. False: it is none, or its values cannot be; with a warning for the former. */
static bool add_url(memcache_pool *pool, const char *path, size_t from, size_t size)
{
	static const char scheme[] = "unix:";
	memcache_server_options options = {.weight = 1, .timeout = 1, .retry_interval = STANDARD_RETRY, .status = true};
	zend_string *text = zend_string_init(path + from, size, false);

	/* PHP takes a URL that has no host for a file alone. */
	if (size > sizeof(scheme) - 1 && memcmp(ZSTR_VAL(text), scheme, sizeof(scheme) - 1) == 0) {
		memcpy(ZSTR_VAL(text), "file:", sizeof(scheme) - 1);
	}
	php_url *url = php_url_parse_ex(ZSTR_VAL(text), ZSTR_LEN(text));
	zend_string_release(text);
	if (url == NULL) {
		php_error_docref(NULL, E_WARNING, "Failed to parse memcache.save_path (error at offset %d, url was '%s')",
			(int) from, path);
		return false;
	}
	if (url->query != NULL) {
		read_query(url->query, &options);
	}
	options.host = host_of(url);
	options.tcp_port = url->port;
	php_url_free(url);
	bool is_good = options.host != NULL && options.weight > 0 && options.timeout > 0;
	if (is_good) {
		memcache_pool_add(pool, &options);
	}
	if (options.host != NULL) {
		zend_string_release(options.host);
	}
	return is_good;
}

static bool add_servers(memcache_pool *pool, const char *path)
{
	for (size_t from = 0; path[from] != '\0';) {
		size_t to = from;
		while (path[to] != '\0' && !is_between(path[to])) {
			to++;
		}
		if (to > from && !add_url(pool, path, from, to - from)) {
			return false;
		}
		from = path[to] != '\0' ? to + 1 : to;
	}
	return pool->count > 0;
}

/* ---- keys and servers ---- */

static zend_string *prefix_of(void)
{
	const memcache_prefix settings = {
		.fixed = MEMCACHE_G(session_prefix_static_key),
		.has_host = MEMCACHE_G(session_prefix_host_key),
		.removes_www = MEMCACHE_G(session_prefix_host_key_remove_www),
		.removes_subdomain = MEMCACHE_G(session_prefix_host_key_remove_subdomain),
	};

	return memcache_prefix_make(&settings);
}

/* NULL: there is none, or no room for a lock behind it. */
static zend_string *key_of(const session *session, const zend_string *id)
{
	zend_string *key = memcache_key_make(session->prefix, id);

	if (key != NULL && ZSTR_LEN(key) + LOCK_SIZE > MEMCACHE_KEY_MAX) {
		zend_string_release(key);
		php_error_docref(NULL, E_WARNING, "The session id is too long for a key");
		return NULL;
	}
	return key;
}

static zend_string *lock_of(const zend_string *key)
{
	return zend_string_concat2(ZSTR_VAL(key), ZSTR_LEN(key), ".lock", LOCK_SIZE);
}

/* The servers of a session one after the other: as many as it has copies. */
typedef struct walk {
	const session *session;
	const zend_string *key;
	unsigned char *seen;
	uint32_t seen_count, index;
} walk;

static void walk_begin(walk *walk, const session *session, const zend_string *key)
{
	walk->session = session;
	walk->key = key;
	walk->seen = ecalloc(session->call.pool->count, 1);
	walk->seen_count = walk->index = 0;
}

/* False: there is none left. `server` may be down. */
static bool walk_next(walk *walk, uint32_t *server)
{
	const memcache_pool *pool = walk->session->call.pool;

	if ((zend_long) walk->seen_count >= MEMCACHE_G(session_redundancy) || walk->seen_count >= pool->count) {
		return false;
	}
	*server = memcache_pool_find_next(pool, walk->key, walk->seen, &walk->index);
	if (walk->seen[*server] != 0) {
		return false;
	}
	walk->seen[*server] = 1;
	walk->seen_count++;
	return true;
}

static void walk_end(walk *walk)
{
	efree(walk->seen);
}

/* An op for this server and no other. Consumes the key. */
static lrd_op *add_at(memcache_batch *batch, zend_string *key, lrd_kind kind, uint32_t server)
{
	lrd_op *op = memcache_batch_add(batch, key, kind);

	op->server = server;
	return op;
}

/* A number as php-memcache stores it. */
static void add_number(memcache_batch *batch, zend_string *key, lrd_kind kind, uint32_t server, char digit)
{
	add_at(batch, key, kind, server)->ttl = MEMCACHE_G(lock_timeout);
	memcache_batch_bytes(batch, ZSTR_CHAR((zend_uchar) digit), MEMCACHE_TYPE_LONG);
}

/* ---- reading ---- */

typedef enum reading {
	FOUND,
	EMPTY,                      /* locked, and there is nothing */
	BUSY,                       /* somebody else has the lock */
	NO_ANSWER,
} reading;

/* Counts the lock up, or makes it, and reads: one round trip. The lock is ours if it counts 1 then. */
static reading read_at(const session *session, const zend_string *key, uint32_t server, zend_string **value)
{
	enum { COUNTED, MADE, READ };
	memcache_batch batch;
	zval found;
	reading reading = BUSY;

	memcache_batch_open(&batch, &session->call, 3);
	lrd_op *op = add_at(&batch, lock_of(key), LRD_OP_COUNT, server);
	op->by = 1;
	add_number(&batch, lock_of(key), LRD_OP_ADD, server, '1');
	add_at(&batch, zend_string_copy((zend_string *) key), LRD_OP_GET, server);
	memcache_batch_run_there(&batch);
	bool is_counted = memcache_batch_result_of(&batch, COUNTED) == MEMCACHE_DONE && batch.ops[COUNTED].number == 1;
	bool is_made = memcache_batch_result_of(&batch, MADE) == MEMCACHE_DONE;
	memcache_result result = memcache_batch_result_of(&batch, READ);
	if (result == MEMCACHE_LOST) {
		reading = NO_ANSWER;
	} else if (is_counted || is_made) {
		reading = EMPTY;
		if (result == MEMCACHE_DONE && memcache_batch_read(&batch, READ, &found)) {
			*value = zval_get_string(&found);
			zval_ptr_dtor(&found);
			reading = FOUND;
		}
	}
	memcache_batch_close(&batch);
	return reading;
}

static void sleep_ms(uint32_t ms)
{
	struct timespec time = {.tv_sec = (time_t) (ms / 1000), .tv_nsec = (long) (ms % 1000) * 1000000};

	nanosleep(&time, NULL);
}

/* While somebody else has the lock: twice as long as a lock lives, at most. */
static reading wait_for(const session *session, const zend_string *key, uint32_t server, zend_string **value)
{
	int64_t left = (int64_t) MEMCACHE_G(lock_timeout) * 2000;
	uint32_t ms = WAIT_MIN_MS;
	reading reading = read_at(session, key, server, value);

	while (reading == BUSY && left > 0) {
		sleep_ms(ms);
		left -= ms;
		ms = MIN(ms * 2, WAIT_MAX_MS);
		reading = read_at(session, key, server, value);
	}
	return reading;
}

PS_READ_FUNC(memcache)
{
	session *session = PS_GET_MOD_DATA();
	zend_result result = SUCCESS;
	uint32_t server;
	walk walk;

	(void) maxlifetime;
	*val = NULL;
	zend_string *data_key = session != NULL ? key_of(session, key) : NULL;
	if (data_key == NULL || memcache_pool_ready(session->call.pool) == NULL) {
		return FAILURE;
	}
	walk_begin(&walk, session, data_key);
	while (*val == NULL && result == SUCCESS && walk_next(&walk, &server)) {
		if (memcache_pool_is_valid(session->call.pool, server)
			&& wait_for(session, data_key, server, val) == BUSY) {
			php_error_docref(NULL, E_WARNING, "The session is locked by another request");
			result = FAILURE;
		}
	}
	walk_end(&walk);
	zend_string_release(data_key);
	if (*val == NULL && result == SUCCESS) {
		*val = ZSTR_EMPTY_ALLOC();
	}
	return result;
}

/* ---- writing ---- */

/* Whether something was done, and nothing refused. */
static bool is_done(memcache_batch *batch, memcache_result also)
{
	bool is_any = false, is_refused = false;

	for (uint32_t i = 0; i < batch->count; i++) {
		memcache_result result = memcache_batch_result_of(batch, i);
		is_any = is_any || result == MEMCACHE_DONE || result == also;
		is_refused = is_refused || (result != MEMCACHE_LOST && result != MEMCACHE_DONE && result != also);
	}
	return is_any && !is_refused;
}

static zend_result write_all(const session *session, const zend_string *key, zend_string *value, zend_long lifetime)
{
	memcache_batch batch;
	uint32_t server, flags = 0;
	walk walk;
	zval plain;

	ZVAL_STR(&plain, value);
	zend_string *bytes = memcache_payload_from(session->call.pool, &plain, &flags);
	memcache_batch_open(&batch, &session->call, 4);
	walk_begin(&walk, session, key);
	while (walk_next(&walk, &server)) {
		if (!memcache_pool_is_valid(session->call.pool, server)) {
			continue;
		}
		add_at(&batch, zend_string_copy((zend_string *) key), LRD_OP_SET, server)->ttl = time(NULL) + lifetime;
		memcache_batch_bytes(&batch, zend_string_copy(bytes), flags);
		add_number(&batch, lock_of(key), LRD_OP_SET, server, '0');
	}
	walk_end(&walk);
	if (batch.count > 0) {
		memcache_batch_run_there(&batch);
	}
	bool is_written = is_done(&batch, MEMCACHE_DONE);
	memcache_batch_close(&batch);
	zend_string_release(bytes);
	return is_written ? SUCCESS : FAILURE;
}

PS_WRITE_FUNC(memcache)
{
	session *session = PS_GET_MOD_DATA();
	zend_string *data_key = session != NULL ? key_of(session, key) : NULL;

	if (data_key == NULL || memcache_pool_ready(session->call.pool) == NULL) {
		return FAILURE;
	}
	zend_result result = write_all(session, data_key, val, maxlifetime);
	zend_string_release(data_key);
	return result;
}

/* What has not changed is written again all the same: that unlocks it, and gives it its time. */
PS_UPDATE_TIMESTAMP_FUNC(memcache)
{
	return ps_write_memcache(mod_data, key, val, maxlifetime);
}

PS_DESTROY_FUNC(memcache)
{
	session *session = PS_GET_MOD_DATA();
	zend_string *data_key = session != NULL ? key_of(session, key) : NULL;
	memcache_batch batch;
	uint32_t server;
	walk walk;

	if (data_key == NULL || memcache_pool_ready(session->call.pool) == NULL) {
		return FAILURE;
	}
	memcache_batch_open(&batch, &session->call, 4);
	walk_begin(&walk, session, data_key);
	while (walk_next(&walk, &server)) {
		if (memcache_pool_is_valid(session->call.pool, server)) {
			add_at(&batch, zend_string_copy(data_key), LRD_OP_DELETE, server);
			add_at(&batch, lock_of(data_key), LRD_OP_DELETE, server);
		}
	}
	walk_end(&walk);
	if (batch.count > 0) {
		memcache_batch_run_there(&batch);
	}
	bool is_gone = is_done(&batch, MEMCACHE_MISS);
	memcache_batch_close(&batch);
	zend_string_release(data_key);
	return is_gone ? SUCCESS : FAILURE;
}

/* Servers drop what has ended by themselves. */
PS_GC_FUNC(memcache)
{
	(void) mod_data;
	(void) maxlifetime;
	*nrdels = 0;
	return 0;
}

/* ---- ids ---- */

/* An id is known if one of its servers has data. */
PS_VALIDATE_SID_FUNC(memcache)
{
	session *session = PS_GET_MOD_DATA();
	zend_string *data_key = session != NULL ? key_of(session, key) : NULL;
	memcache_batch batch;
	uint32_t server;
	walk walk;
	bool is_known = false;

	if (data_key == NULL || memcache_pool_ready(session->call.pool) == NULL) {
		return FAILURE;
	}
	memcache_batch_open(&batch, &session->call, 2);
	walk_begin(&walk, session, data_key);
	while (walk_next(&walk, &server)) {
		if (memcache_pool_is_valid(session->call.pool, server)) {
			add_at(&batch, zend_string_copy(data_key), LRD_OP_HAS, server);
		}
	}
	walk_end(&walk);
	if (batch.count > 0) {
		memcache_batch_run_there(&batch);
	}
	for (uint32_t i = 0; i < batch.count; i++) {
		is_known = memcache_batch_result_of(&batch, i) == MEMCACHE_DONE || is_known;
	}
	memcache_batch_close(&batch);
	zend_string_release(data_key);
	return is_known ? SUCCESS : FAILURE;
}

PS_CREATE_SID_FUNC(memcache)
{
	return php_session_create_id(mod_data);
}

/* ---- opening and closing ---- */

PS_OPEN_FUNC(memcache)
{
	const char *path = MEMCACHE_G(session_save_path) != NULL ? MEMCACHE_G(session_save_path) : save_path;
	memcache_pool *pool = memcache_pool_make();

	(void) session_name;
	PS_SET_MOD_DATA(NULL);
	if (path == NULL || !add_servers(pool, path)) {
		memcache_pool_free(pool);
		return FAILURE;
	}
	session *session = ecalloc(1, sizeof(*session));
	session->call.pool = pool;
	session->prefix = prefix_of();
	PS_SET_MOD_DATA(session);
	return SUCCESS;
}

PS_CLOSE_FUNC(memcache)
{
	session *session = PS_GET_MOD_DATA();

	if (session != NULL) {
		memcache_pool_free(session->call.pool);
		if (session->prefix != NULL) {
			zend_string_release(session->prefix);
		}
		efree(session);
		PS_SET_MOD_DATA(NULL);
	}
	return SUCCESS;
}

void memcache_session_init(void)
{
	static const ps_module handler = {PS_MOD_UPDATE_TIMESTAMP(memcache)};

	php_session_register_module(&handler);
}

#include "memcached_batch.h"

#include <errno.h>
#include <stdlib.h>

#include "zend_smart_str.h"

#include "../dropin/dropin_bytes.h"

/* ---- the list ---- */

ZEND_METHOD(Memcached, addServer)
{
	zend_string *host;
	zend_long port, weight = 0;

	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(host)
		Z_PARAM_LONG(port)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(weight)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	memcached_set_code(object, memcached_client_add(object->client, ZSTR_VAL(host), port, weight, false));
	RETURN_BOOL(!memcached_is_error(object->code));
}

/* [host, port, weight] by position, whatever the keys are. False: it has no port. */
static bool add_entry(memcached_object *object, HashTable *entry)
{
	zval *element, *fields[3] = {NULL, NULL, NULL};
	int count = 0;

	ZEND_HASH_FOREACH_VAL(entry, element) {
		if (count < 3) {
			fields[count++] = element;
		}
	} ZEND_HASH_FOREACH_END();
	if (count < 2) {
		return false;
	}
	zend_string *host = zval_get_string(fields[0]);
	zend_long port = zval_get_long(fields[1]), weight = fields[2] != NULL ? zval_get_long(fields[2]) : 0;
	memcached_code code = memcached_client_add(object->client, ZSTR_VAL(host), port, weight, true);
	zend_string_release(host);
	memcached_set_code(object, code);
	return code == MEMCACHED_SUCCESS;
}

ZEND_METHOD(Memcached, addServers)
{
	HashTable *servers;
	zval *entry;
	int number = 0;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(servers)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	memcached_set_code(object, MEMCACHED_SUCCESS);
	ZEND_HASH_FOREACH_VAL(servers, entry) {
		number++;
		ZVAL_DEREF(entry);
		if (Z_TYPE_P(entry) != IS_ARRAY) {
			php_error_docref(NULL, E_WARNING, "server list entry #%d is not an array", number);
		} else if (!add_entry(object, Z_ARRVAL_P(entry))) {
			php_error_docref(NULL, E_WARNING, "could not add entry #%d to the server list", number + 1);
		}
	} ZEND_HASH_FOREACH_END();
	/* What was added counts; what was not has its warning. */
	memcached_set_code(object, MEMCACHED_SUCCESS);
	RETURN_TRUE;
}

static void describe(const memcached_server *server, zval *array)
{
	array_init_size(array, 3);
	add_assoc_string(array, "host", server->host);
	add_assoc_long(array, "port", server->port);
}

ZEND_METHOD(Memcached, getServerList)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	const memcached_client *client = object->client;
	array_init_size(return_value, client->server_count);
	for (uint32_t i = 0; i < client->server_count; i++) {
		zval server;
		describe(&client->servers[i], &server);
		add_assoc_string(&server, "type", client->servers[i].is_unix ? "SOCKET"
			: client->options[MEMCACHED_USE_UDP] != 0 ? "UDP" : "TCP");
		add_next_index_zval(return_value, &server);
	}
}

static memcached_code code_without_pool(const memcached_client *client)
{
	return client->server_count > 0 ? MEMCACHED_FAILURE : MEMCACHED_NO_SERVERS;
}

ZEND_METHOD(Memcached, getServerByKey)
{
	zend_string *key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(key)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	memcached_set_code(object, MEMCACHED_SUCCESS);
	if (ZSTR_LEN(key) == 0 || ZSTR_LEN(key) > LRD_WIRE_KEY_MAX) {
		memcached_set_code(object, MEMCACHED_BAD_KEY_PROVIDED);
		RETURN_FALSE;
	}
	lrd_pool *pool = memcached_client_ready(object->client);
	if (pool == NULL) {
		memcached_set_code(object, code_without_pool(object->client));
		RETURN_FALSE;
	}
	/* As the route of an op. */
	memcached_batch batch;
	memcached_batch_open(&batch, object, NULL, 1);
	uint32_t server = lrd_pool_find(pool, memcached_batch_add(&batch, key, LRD_OP_GET)->route);
	memcached_batch_close(&batch);
	describe(&object->client->servers[server], return_value);
	add_assoc_long(return_value, "weight", 0);
}

ZEND_METHOD(Memcached, resetServerList)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	memcached_object_flush(object);
	memcached_client_reset(object->client);
	RETURN_TRUE;
}

ZEND_METHOD(Memcached, quit)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	memcached_object_flush(object);
	memcached_client_take(object->client);
	if (object->client->pool != NULL) {
		lrd_pool_close(object->client->pool);
	}
	RETURN_TRUE;
}

ZEND_METHOD(Memcached, flushBuffers)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	RETURN_BOOL(memcached_object_flush(object));
}

ZEND_METHOD(Memcached, getLastDisconnectedServer)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	const memcached_client *client = object->client;
	if (client->last_server >= client->server_count) {
		RETURN_FALSE;
	}
	describe(&client->servers[client->last_server], return_value);
}

/* ---- lines to each server ---- */

static char *room_in_string(void *context, lrd_op *op, size_t size, size_t kept)
{
	return dropin_room(context, size, kept);
}

/* What one server answers to a line; NULL: it does not, and the object has the code of that. */
static zend_string *ask(memcached_object *object, uint32_t server, zend_string *line)
{
	memcached_batch batch;
	zend_string *answer = NULL;
	lrd_pool *pool = memcached_client_ready(object->client);

	if (pool == NULL) {
		memcached_set_code(object, code_without_pool(object->client));
		object->client->last_code = object->code;
		return NULL;
	}
	memcached_object_flush(object);
	memcached_client_take(object->client);
	/* For its code alone. */
	memcached_batch_open(&batch, object, NULL, 1);
	lrd_op *op = memcached_batch_add(&batch, line, LRD_OP_GET);
	op->server = server;
	batch.items[0].code = 0;
	lrd_pool_ask(
		pool, server, (lrd_slice) {.bytes = ZSTR_VAL(line), .size = ZSTR_LEN(line)}, 0, op, room_in_string, &answer);
	int code = memcached_batch_end(&batch, 0);
	memcached_batch_close(&batch);
	if (code == MEMCACHED_SUCCESS) {
		return answer != NULL ? answer : ZSTR_EMPTY_ALLOC();
	}
	if (answer != NULL) {
		zend_string_release(answer);
	}
	return NULL;
}

typedef void (*take_answer)(const memcached_server *server, const zend_string *answer, zval *array);

/* Asks all. False: one of them, or all, gave no answer; the object's code is that of the first. */
static bool ask_all(memcached_object *object, zend_string *line, take_answer take, zval *array)
{
	memcached_client *client = object->client;
	int code = MEMCACHED_SUCCESS, error = 0;

	if (client->server_count == 0) {
		memcached_set_code(object, MEMCACHED_NO_SERVERS);
		client->last_code = MEMCACHED_NO_SERVERS;
		return false;
	}
	for (uint32_t i = 0; i < client->server_count; i++) {
		zend_string *answer = ask(object, i, line);
		if (answer != NULL) {
			if (take != NULL) {
				take(&client->servers[i], answer, array);
			}
			zend_string_release(answer);
		} else if (code == MEMCACHED_SUCCESS) {
			code = object->code;
			error = object->error;
		}
	}
	object->code = client->last_code = code;
	object->error = client->last_errno = error;
	return code == MEMCACHED_SUCCESS;
}

static zend_string *name_of(const memcached_server *server)
{
	return strpprintf(0, "%s:%d", server->host, (int) server->port);
}

/* Numbers are numbers. */
static void read_stat(const char *bytes, size_t size, zval *value)
{
	zend_string *text = zend_string_init(bytes, size, false);
	char *end;

	errno = 0;
	ZVAL_LONG(value, ZEND_STRTOL(ZSTR_VAL(text), &end, 10));
	if (errno != 0 || end == ZSTR_VAL(text) || *end != '\0') {
		errno = 0;
		ZVAL_DOUBLE(value, strtod(ZSTR_VAL(text), &end));
		if (errno != 0 || end == ZSTR_VAL(text) || *end != '\0') {
			ZVAL_STR_COPY(value, text);
		}
	}
	zend_string_release(text);
}

/* "STAT name value" lines */
static void take_stats(const memcached_server *server, const zend_string *answer, zval *array)
{
	const char *at = ZSTR_VAL(answer), *end = at + ZSTR_LEN(answer);
	static const char stat[] = "STAT ";
	zend_string *name = name_of(server);
	zval stats, value, *known = zend_hash_find(Z_ARRVAL_P(array), name);

	if (known == NULL && at < end) {
		array_init(&stats);
		known = zend_hash_add(Z_ARRVAL_P(array), name, &stats);
	}
	zend_string_release(name);
	while (at < end) {
		lrd_slice line = dropin_line(&at, end);
		if (line.size <= sizeof(stat) - 1 || memcmp(line.bytes, stat, sizeof(stat) - 1) != 0) {
			continue;
		}
		const char *key = line.bytes + sizeof(stat) - 1, *line_end = line.bytes + line.size;
		const char *blank = memchr(key, ' ', (size_t) (line_end - key));
		const char *key_end = blank != NULL ? blank : line_end;
		const char *text = blank != NULL ? blank + 1 : line_end;
		read_stat(text, (size_t) (line_end - text), &value);
		zend_symtable_str_update(Z_ARRVAL_P(known), key, (size_t) (key_end - key), &value);
	}
}

ZEND_METHOD(Memcached, getStats)
{
	enum { TYPE_MAX = 64 };
	zend_string *type = NULL, *line;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(type)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	memcached_set_code(object, MEMCACHED_SUCCESS);
	for (size_t i = 0; type != NULL && i < ZSTR_LEN(type); i++) {
		unsigned char byte = (unsigned char) ZSTR_VAL(type)[i];
		if (byte <= 0x20 || byte >= 0x7f || i >= TYPE_MAX) {
			memcached_set_code(object, MEMCACHED_INVALID_ARGUMENTS);
			RETURN_FALSE;
		}
	}
	line = type != NULL && ZSTR_LEN(type) > 0
		? zend_string_concat2("stats ", 6, ZSTR_VAL(type), ZSTR_LEN(type))
		: zend_string_init("stats", 5, false);
	array_init(return_value);
	bool is_whole = ask_all(object, line, take_stats, return_value);
	zend_string_release(line);
	if (!is_whole) {
		zval_ptr_dtor(return_value);
		RETURN_FALSE;
	}
}

/* "VERSION 1.6.18" */
static void take_version(const memcached_server *server, const zend_string *answer, zval *array)
{
	int parts[3] = {255, 255, 255};
	zend_string *name = name_of(server);
	zval version;

	sscanf(ZSTR_VAL(answer), "VERSION %d.%d.%d", &parts[0], &parts[1], &parts[2]);
	ZVAL_STR(&version, strpprintf(0, "%d.%d.%d", parts[0], parts[1], parts[2]));
	if (zend_hash_add(Z_ARRVAL_P(array), name, &version) == NULL) {
		zval_ptr_dtor(&version);
	}
	zend_string_release(name);
}

/* Calls whose failure, wherever it was, is "some errors". */
static bool ask_all_or_some(memcached_object *object, zend_string *line, take_answer take, zval *array)
{
	bool is_whole = ask_all(object, line, take, array);

	if (!is_whole && object->code != MEMCACHED_NO_SERVERS) {
		memcached_set_code(object, MEMCACHED_SOME_ERRORS);
	}
	return is_whole;
}

ZEND_METHOD(Memcached, getVersion)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	zend_string *line = zend_string_init("version", 7, false);
	array_init(return_value);
	bool is_whole = ask_all_or_some(object, line, take_version, return_value);
	zend_string_release(line);
	if (!is_whole) {
		zval_ptr_dtor(return_value);
		RETURN_FALSE;
	}
}

ZEND_METHOD(Memcached, flush)
{
	zend_long delay = 0;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(delay)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	memcached_set_code(object, MEMCACHED_SUCCESS);
	zend_string *line = delay != 0 ? strpprintf(0, "flush_all " ZEND_LONG_FMT, delay)
		: zend_string_init("flush_all", 9, false);
	bool is_whole = ask_all_or_some(object, line, NULL, NULL);
	zend_string_release(line);
	RETURN_BOOL(is_whole);
}

/* ---- keys ---- */

static int hexadecimal(char digit)
{
	return digit >= '0' && digit <= '9' ? digit - '0'
		: digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
		: digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
		: -1;
}

/* A key as a line of a dump has it: "%20" for a blank. */
static zend_string *unescape(const char *bytes, size_t size)
{
	zend_string *key = zend_string_alloc(size, false);
	size_t used = 0;

	for (size_t i = 0; i < size; i++) {
		if (bytes[i] == '%' && i + 2 < size && hexadecimal(bytes[i + 1]) >= 0 && hexadecimal(bytes[i + 2]) >= 0) {
			ZSTR_VAL(key)[used++] = (char) (hexadecimal(bytes[i + 1]) * 16 + hexadecimal(bytes[i + 2]));
			i += 2;
		} else {
			ZSTR_VAL(key)[used++] = bytes[i];
		}
	}
	key = zend_string_truncate(key, used, false);
	ZSTR_VAL(key)[used] = '\0';
	return key;
}

/* "key=news%3A4 exp=…" lines */
static void take_keys(const memcached_server *server, const zend_string *answer, zval *array)
{
	const char *at = ZSTR_VAL(answer), *end = at + ZSTR_LEN(answer);

	while (at < end) {
		lrd_slice line = dropin_line(&at, end);
		if (line.size <= 4 || memcmp(line.bytes, "key=", 4) != 0) {
			continue;
		}
		const char *blank = memchr(line.bytes, ' ', line.size);
		size_t size = (blank != NULL ? (size_t) (blank - line.bytes) : line.size) - 4;
		add_next_index_str(array, unescape(line.bytes + 4, size));
	}
}

ZEND_METHOD(Memcached, getAllKeys)
{
	static const char dump[] = "lru_crawler metadump all";

	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	zend_string *line = zend_string_init(dump, sizeof(dump) - 1, false);
	array_init(return_value);
	bool is_whole = ask_all(object, line, take_keys, return_value);
	zend_string_release(line);
	if (!is_whole) {
		zval_ptr_dtor(return_value);
		RETURN_FALSE;
	}
}

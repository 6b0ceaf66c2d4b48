/* What the servers say of themselves, and what is said to each of them. */
#include "memcache_object.h"

#include "zend_exceptions.h"
#include "zend_smart_str.h"

#include "../dropin/dropin_bytes.h"

enum { CACHEDUMP_LIMIT = 100 };

/* ---- a line to one server ---- */

static char *room_in_string(void *context, lrd_op *op, size_t size, size_t kept)
{
	return dropin_room(context, size, kept);
}

/* Its answer; NULL: it gives none, and that was told. User code may have run then. */
static zend_string *ask(const memcache_call *call, uint32_t number, const zend_string *line)
{
	lrd_pool *engine = memcache_pool_ready(call->pool);
	memcache_server *server = engine != NULL ? memcache_pool_server(call->pool, number) : NULL;
	zend_string *answer = NULL;
	lrd_op op = {.kind = LRD_OP_GET};

	if (server == NULL || !memcache_server_is_valid(server)) {
		return NULL;
	}
	const lrd_slice bytes = {.bytes = ZSTR_VAL(line), .size = ZSTR_LEN(line)};
	lrd_pool_ask(engine, number, bytes, 0, &op, room_in_string, &answer);
	if (op.status == LRD_OK) {
		memcache_server_went_well(server);
		return answer != NULL ? answer : ZSTR_EMPTY_ALLOC();
	}
	if (answer != NULL) {
		zend_string_release(answer);
	}
	if (memcache_server_is_lost(op.failure)) {
		memcache_server_failed(server, op.failure, lrd_pool_error(engine, number));
		server->owners++;
		memcache_failure_report(call, server);
		memcache_server_release(server);
	}
	return NULL;
}

/* ---- version ---- */

static bool read_version(const zend_string *answer, zval *version)
{
	static const char word[] = "VERSION ";
	const char *at = ZSTR_VAL(answer);
	lrd_slice line = dropin_line(&at, at + ZSTR_LEN(answer));

	if (line.size <= sizeof(word) - 1 || memcmp(line.bytes, word, sizeof(word) - 1) != 0) {
		return false;
	}
	ZVAL_STRINGL(version, line.bytes + sizeof(word) - 1, line.size - (sizeof(word) - 1));
	return true;
}

ZEND_FUNCTION(memcache_get_version)
{
	zval *object = getThis();
	memcache_call call;

	if (MEMCACHE_PARSE("", &object, memcache_pool_ce) == FAILURE) {
		RETURN_THROWS();
	}
	ZVAL_FALSE(return_value);
	if (!memcache_call_begin(&call, object)) {
		return;
	}
	zend_string *line = zend_string_init(ZEND_STRL("version"), false);
	for (uint32_t i = 0; i < call.pool->count && Z_TYPE_P(return_value) == IS_FALSE && EG(exception) == NULL; i++) {
		zend_string *answer = ask(&call, i, line);
		if (answer != NULL) {
			read_version(answer, return_value);
			zend_string_release(answer);
		}
	}
	zend_string_release(line);
	memcache_call_end(&call);
}

/* ---- flush ---- */

ZEND_FUNCTION(memcache_flush)
{
	zval *object = getThis();
	zend_long delay = 0;
	memcache_call call;

	if (MEMCACHE_PARSE("|l", &object, memcache_pool_ce, &delay) == FAILURE) {
		RETURN_THROWS();
	}
	if (!memcache_call_begin(&call, object)) {
		RETURN_FALSE;
	}
	bool is_whole = true;
	zend_string *line = delay > 0 ? strpprintf(0, "flush_all " ZEND_LONG_FMT, delay)
		: zend_string_init(ZEND_STRL("flush_all"), false);
	for (uint32_t i = 0; i < call.pool->count && EG(exception) == NULL; i++) {
		zend_string *answer = ask(&call, i, line);
		is_whole = is_whole && answer != NULL;
		if (answer != NULL) {
			zend_string_release(answer);
		}
	}
	zend_string_release(line);
	memcache_call_end(&call);
	RETURN_BOOL(is_whole);
}

/* ---- stats ---- */

static lrd_slice until(const char *from, const char *end, char mark)
{
	const char *at = from < end ? memchr(from, mark, (size_t) (end - from)) : NULL;

	return (lrd_slice) {.bytes = at != NULL ? from : NULL, .size = at != NULL ? (size_t) (at - from) : 0};
}

/* The array under this name, made if it is not there. */
static zval *part_of(zval *array, lrd_slice name)
{
	zval part, *known = zend_symtable_str_find(Z_ARRVAL_P(array), name.bytes, name.size);

	if (known != NULL && Z_TYPE_P(known) == IS_ARRAY) {
		return known;
	}
	array_init(&part);
	return zend_symtable_str_update(Z_ARRVAL_P(array), name.bytes, name.size, &part);
}

/* "items:1:number 5" is ["items" => [1 => ["number" => "5"]]]. */
static void take_stat(const char *at, const char *end, zval *array)
{
	lrd_slice name = until(at, end, ' ');
	zval value;

	if (name.bytes == NULL) {
		return;
	}
	const char *text = name.bytes + name.size + 1;
	for (lrd_slice part; (part = until(at, name.bytes + name.size, ':')).bytes != NULL; at += part.size + 1) {
		array = part_of(array, part);
	}
	ZVAL_STRINGL(&value, text, (size_t) (end - text));
	zend_symtable_str_update(Z_ARRVAL_P(array), at, (size_t) (name.bytes + name.size - at), &value);
}

/* "key [3 b; 1157099416 s]" is ["key" => ["3", "1157099416"]]. */
static void take_item(const char *at, const char *end, zval *array)
{
	lrd_slice name = until(at, end, ' ');
	zval values;

	if (name.bytes == NULL) {
		return;
	}
	array_init(&values);
	at += name.size + 1;
	for (char mark = '['; (at = at < end ? memchr(at, mark, (size_t) (end - at)) : NULL) != NULL; mark = ';') {
		do {
			at++;
		} while (at < end && *at == ' ');
		lrd_slice number = until(at, end, ' ');
		if (number.bytes != NULL) {
			add_next_index_stringl(&values, number.bytes, number.size);
		}
	}
	zend_symtable_str_update(Z_ARRVAL_P(array), name.bytes, name.size, &values);
}

static bool begins(lrd_slice line, const char *word)
{
	return line.size >= strlen(word) && memcmp(line.bytes, word, strlen(word)) == 0;
}

/* An array, true for a reset, or false: there was nothing. */
static void read_stats(const zend_string *answer, zval *stats)
{
	const char *at = ZSTR_VAL(answer), *end = at + ZSTR_LEN(answer);

	ZVAL_FALSE(stats);
	while (at < end) {
		lrd_slice line = dropin_line(&at, end);
		const char *line_end = line.bytes + line.size;
		bool is_stat = begins(line, "STAT "), is_item = begins(line, "ITEM ");
		if (begins(line, "RESET")) {
			zval_ptr_dtor(stats);
			ZVAL_TRUE(stats);
			return;
		}
		if ((is_stat || is_item) && Z_TYPE_P(stats) != IS_ARRAY) {
			array_init(stats);
		}
		if (is_stat) {
			take_stat(line.bytes + 5, line_end, stats);
		} else if (is_item) {
			take_item(line.bytes + 5, line_end, stats);
		}
	}
}

static bool is_type(const zend_string *type)
{
	static const char *const types[] = {"reset", "malloc", "slabs", "cachedump", "items", "sizes"};

	for (size_t i = 0; type != NULL && i < sizeof(types) / sizeof(types[0]); i++) {
		if (zend_string_equals_cstr(type, types[i], strlen(types[i]))) {
			return true;
		}
	}
	if (type != NULL) {
		php_error_docref(NULL, E_WARNING, "Invalid stats type");
	}
	return type == NULL;
}

static zend_string *stats_line(const zend_string *type, zend_long slab, zend_long limit)
{
	if (slab != 0) {
		return strpprintf(0, "stats %s " ZEND_LONG_FMT " " ZEND_LONG_FMT, type != NULL ? ZSTR_VAL(type) : "cachedump",
			slab, limit);
	}
	return type != NULL ? strpprintf(0, "stats %s", ZSTR_VAL(type)) : zend_string_init(ZEND_STRL("stats"), false);
}

static void stats_of(const memcache_call *call, uint32_t number, const zend_string *line, zval *stats)
{
	zend_string *answer = ask(call, number, line);

	ZVAL_FALSE(stats);
	if (answer != NULL) {
		read_stats(answer, stats);
		zend_string_release(answer);
	}
}

/* Of the first server that has any. */
static void first_stats(const memcache_call *call, const zend_string *line, zval *stats)
{
	for (uint32_t i = 0; i < call->pool->count && Z_TYPE_P(stats) == IS_FALSE && EG(exception) == NULL; i++) {
		stats_of(call, i, line, stats);
	}
}

/* Of each server, by "host:port". */
static void all_stats(const memcache_call *call, const zend_string *line, zval *all)
{
	if (call->pool->count > 0) {
		array_init_size(all, call->pool->count);
	}
	for (uint32_t i = 0; i < call->pool->count && EG(exception) == NULL; i++) {
		const memcache_server *server = memcache_pool_server(call->pool, i);
		zend_string *name = strpprintf(0, "%s:%d", server->host, (int) server->tcp_port);
		zval stats;
		stats_of(call, i, line, &stats);
		zend_symtable_update(Z_ARRVAL_P(all), name, &stats);
		zend_string_release(name);
	}
}

static void get_stats(INTERNAL_FUNCTION_PARAMETERS, bool of_all)
{
	zval *object = getThis();
	zend_string *type = NULL;
	zend_long slab = 0, limit = CACHEDUMP_LIMIT;
	memcache_call call;

	if (MEMCACHE_PARSE("|Sll", &object, memcache_pool_ce, &type, &slab, &limit) == FAILURE) {
		RETURN_THROWS();
	}
	ZVAL_FALSE(return_value);
	if (!memcache_call_begin(&call, object)) {
		return;
	}
	if (call.pool->count > 0 && is_type(type)) {
		zend_string *line = stats_line(type, slab, limit);
		if (of_all) {
			all_stats(&call, line, return_value);
		} else {
			first_stats(&call, line, return_value);
		}
		zend_string_release(line);
	}
	memcache_call_end(&call);
}

ZEND_FUNCTION(memcache_get_stats)
{
	get_stats(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_FUNCTION(memcache_get_extended_stats)
{
	get_stats(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

#include "php_memcached_batch.h"

#include <inttypes.h>

#include "../core/base/lrd_clock.h"
#include "php_outcome.h"

/* Adds under a server's name. */
static void add_by_server(zval *array, const php_memcached *memcached, uint32_t server, zval *value)
{
	lrd_slice name = lrd_pool_name(memcached->pool->pool, server);
	zend_symtable_str_update(Z_ARRVAL_P(array), name.bytes, name.size, value);
}

/* The next word of the text, up to a space or the line's end. */
static lrd_slice take_word(const char **at, const char *end)
{
	lrd_slice word = {.bytes = *at};

	while (*at < end && **at != ' ' && **at != '\r' && **at != '\n') {
		(*at)++;
	}
	word.size = (size_t) (*at - word.bytes);
	if (*at < end && **at == ' ') {
		(*at)++;
	}
	return word;
}

static lrd_slice take_rest(const char **at, const char *end)
{
	const char *line_end = memchr(*at, '\n', (size_t) (end - *at));
	lrd_slice rest = {.bytes = *at, .size = (size_t) ((line_end != NULL ? line_end : end) - *at)};

	*at = line_end != NULL ? line_end + 1 : end;
	if (rest.size > 0 && rest.bytes[rest.size - 1] == '\r') {
		rest.size--;
	}
	return rest;
}

/* "STAT name value" lines, into `numbers` (uninitialised). */
static void read_stats(const zend_string *answer, zval *numbers)
{
	const char *at = ZSTR_VAL(answer), *end = at + ZSTR_LEN(answer);
	const lrd_slice stat = {.bytes = "STAT", .size = 4};

	array_init(numbers);
	while (at < end) {
		bool is_stat = lrd_slice_equals(take_word(&at, end), stat);
		lrd_slice name = take_word(&at, end), rest = take_rest(&at, end);
		if (is_stat) {
			zval value;
			ZVAL_STRINGL(&value, rest.bytes, rest.size);
			zend_symtable_str_update(Z_ARRVAL_P(numbers), name.bytes, name.size, &value);
		}
	}
}

/* Replaces what the object knows of its last call. */
static void keep_failures(php_memcached *memcached, php_failures *failures)
{
	php_failures_free(memcached->failures);
	memcached->failures = failures;
}

ZEND_METHOD(Larder_Memcached, stats)
{
	static const char *const groups[][2] = {
		{"", "stats"},
		{"settings", "stats settings"},
		{"items", "stats items"},
		{"slabs", "stats slabs"},
		{"sizes", "stats sizes"},
		{"conns", "stats conns"},
	};
	zend_string *group = NULL;
	const char *line = NULL;
	php_failures *failures = NULL;

	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR(group)
	ZEND_PARSE_PARAMETERS_END();

	php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL) {
		RETURN_THROWS();
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (group == NULL ? i == 0 : zend_string_equals_cstr(group, groups[i][0], strlen(groups[i][0]))) {
			line = groups[i][1];
		}
	}
	if (line == NULL) {
		zend_argument_value_error(1, "must be \"\", \"settings\", \"items\", \"slabs\", \"sizes\" or \"conns\"");
		RETURN_THROWS();
	}
	array_init(return_value);
	uint64_t deadline_ns = php_batch_deadline(memcached);
	for (uint32_t server = 0; server < lrd_pool_size(memcached->pool->pool); server++) {
		lrd_op op;
		zval numbers;
		zend_string *answer = php_batch_ask(memcached, server, line, deadline_ns, &op, &failures);
		if (answer == NULL) {
			ZVAL_NULL(&numbers);
		} else {
			read_stats(answer, &numbers);
			zend_string_release(answer);
		}
		add_by_server(return_value, memcached, server, &numbers);
	}
	keep_failures(memcached, failures);
}

ZEND_METHOD(Larder_Memcached, version)
{
	php_failures *failures = NULL;

	ZEND_PARSE_PARAMETERS_NONE();

	php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL) {
		RETURN_THROWS();
	}
	array_init(return_value);
	uint64_t deadline_ns = php_batch_deadline(memcached);
	for (uint32_t server = 0; server < lrd_pool_size(memcached->pool->pool); server++) {
		lrd_op op;
		zval version;
		zend_string *answer = php_batch_ask(memcached, server, "version", deadline_ns, &op, &failures);
		ZVAL_NULL(&version);
		if (answer != NULL) {
			const char *at = ZSTR_VAL(answer), *end = at + ZSTR_LEN(answer);
			take_word(&at, end);
			lrd_slice number = take_rest(&at, end);
			ZVAL_STRINGL(&version, number.bytes, number.size);
			zend_string_release(answer);
		}
		add_by_server(return_value, memcached, server, &version);
	}
	keep_failures(memcached, failures);
}

ZEND_METHOD(Larder_Memcached, clear)
{
	lrd_status status = LRD_OK;
	php_failures *failures = NULL;

	ZEND_PARSE_PARAMETERS_NONE();

	php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL || !php_memcached_is_ours(memcached)) {
		RETURN_THROWS();
	}
	uint64_t deadline_ns = php_batch_deadline(memcached);
	for (uint32_t server = 0; server < lrd_pool_size(memcached->pool->pool); server++) {
		lrd_op op;
		zend_string *answer = php_batch_ask(memcached, server, "flush_all", deadline_ns, &op, &failures);
		if (answer != NULL) {
			zend_string_release(answer);
		} else if (op.status == LRD_UNKNOWN || status == LRD_OK) {
			/* What nobody knows outweighs what was not done. */
			status = op.status;
		}
	}
	keep_failures(memcached, failures);
	php_outcome_from(status, return_value);
}

uint64_t php_memcached_item_max(const php_memcached *memcached, uint32_t server)
{
	uint64_t *known = &memcached->pool->servers[server].item_max;
	zval numbers;
	lrd_op op;

	if (*known != 0) {
		return *known;
	}
	zend_string *answer = php_batch_ask(memcached, server, "stats settings", php_batch_deadline(memcached), &op, NULL);
	if (answer == NULL) {
		return 0;
	}
	read_stats(answer, &numbers);
	zend_string_release(answer);
	const zval *number = zend_hash_str_find(Z_ARRVAL(numbers), "item_size_max", strlen("item_size_max"));
	if (number != NULL) {
		*known = strtoull(Z_STRVAL_P(number), NULL, 10);
	}
	zval_ptr_dtor(&numbers);
	return *known;
}

ZEND_METHOD(Larder_Memcached, failures)
{
	ZEND_PARSE_PARAMETERS_NONE();

	const php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL) {
		RETURN_THROWS();
	}
	if (memcached->failures == NULL) {
		RETURN_EMPTY_ARRAY();
	}
	lrd_pool *pool = memcached->pool->pool;
	array_init_size(return_value, memcached->failures->count);
	for (uint32_t i = 0; i < memcached->failures->count; i++) {
		const php_failure_note *note = &memcached->failures->notes[i];
		php_failure_place place = {.timeout_ms = memcached->pool->timeout_ms, .server = {.bytes = "", .size = 0}};
		zval failure;
		if (note->server < lrd_pool_size(pool)) {
			place.server = lrd_pool_name(pool, note->server);
			place.why = lrd_pool_why(pool, note->server);
			place.limit = note->kind == LRD_FAILURE_TOO_LARGE ? php_memcached_item_max(memcached, note->server) : 0;
		}
		php_failure_from(&failure, note, &place);
		add_next_index_zval(return_value, &failure);
	}
}

ZEND_METHOD(Larder_Memcached, serverOf)
{
	php_batch_single single;
	zend_string *name;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(name)
	ZEND_PARSE_PARAMETERS_END();

	const lrd_op *op = php_batch_begin(&single, ZEND_THIS, name, LRD_OP_HAS);
	if (op == NULL) {
		RETURN_THROWS();
	}
	const lrd_pool *pool = single.batch.memcached->pool->pool;
	lrd_slice server = lrd_pool_name(pool, lrd_pool_find(pool, op->route));
	php_batch_free(&single.batch);
	RETURN_STRINGL(server.bytes, server.size);
}

/* ---- which process answers ---- */

enum {
	/* of uptime, which is 2 at the beginning: no process that begins later has the same second */
	SETTLED_SECONDS = 4,
};

static const char *number_of(const zval *numbers, const char *name)
{
	const zval *number = zend_hash_str_find(Z_ARRVAL_P(numbers), name, strlen(name));
	return number != NULL ? Z_STRVAL_P(number) : "0";
}

/* Asks the server who it is, and keeps it with the connection over which it told. */
static void ask_process(php_memcached *memcached, uint32_t server)
{
	lrd_pool *pool = memcached->pool->pool;
	php_pool_server *known = &memcached->pool->servers[server];
	/* The share of this one server is then the whole of a timeout. */
	uint64_t left = (uint64_t) (lrd_pool_size(pool) - server) * memcached->pool->timeout_ms * LRD_MS_NS;
	php_failures *failures = NULL;
	lrd_op op;
	zval numbers;

	known->connection = 0;
	zend_string *answer = php_batch_ask(memcached, server, "stats", lrd_clock_monotonic_ns() + left, &op, &failures);
	keep_failures(memcached, failures);
	if (answer == NULL) {
		return;
	}
	read_stats(answer, &numbers);
	zend_string_release(answer);
	uint64_t process = strtoull(number_of(&numbers, "pid"), NULL, 10);
	uint64_t now = strtoull(number_of(&numbers, "time"), NULL, 10);
	uint64_t uptime = strtoull(number_of(&numbers, "uptime"), NULL, 10);
	zval_ptr_dtor(&numbers);
	if (process == 0 || now <= uptime) {
		return;
	}
	snprintf(known->process, sizeof(known->process), "%" PRIu64 " %" PRIu64, process, now - uptime);
	known->settled_ns = lrd_clock_monotonic_ns()
		+ (uptime < SETTLED_SECONDS ? (SETTLED_SECONDS - uptime) * 1000 * LRD_MS_NS : 0);
	known->connection = lrd_pool_connection(pool, server);
}

ZEND_METHOD(Larder_Memcached, processOf)
{
	php_batch_single single;
	zend_string *name;
	bool ask = true;

	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_BOOL(ask)
	ZEND_PARSE_PARAMETERS_END();

	const lrd_op *op = php_batch_begin(&single, ZEND_THIS, name, LRD_OP_HAS);
	if (op == NULL) {
		RETURN_THROWS();
	}
	php_memcached *memcached = single.batch.memcached;
	const lrd_pool *pool = memcached->pool->pool;
	uint32_t server = lrd_pool_find(pool, op->route);
	php_batch_free(&single.batch);
	const php_pool_server *known = &memcached->pool->servers[server];
	if (memcached->pool->udp) {
		RETURN_NULL();
	}
	if (ask && (known->connection == 0 || known->connection != lrd_pool_connection(pool, server))) {
		ask_process(memcached, server);
	}
	if (known->connection == 0 || known->connection != lrd_pool_connection(pool, server)
		|| known->settled_ns > lrd_clock_monotonic_ns()) {
		RETURN_NULL();
	}
	lrd_slice address = lrd_pool_name(pool, server);
	size_t size = strlen(known->process);
	zend_string *process = zend_string_alloc(address.size + 1 + size, 0);
	memcpy(ZSTR_VAL(process), address.bytes, address.size);
	ZSTR_VAL(process)[address.size] = ' ';
	memcpy(ZSTR_VAL(process) + address.size + 1, known->process, size + 1);
	RETURN_STR(process);
}

ZEND_METHOD(Larder_Memcached, settings)
{
	ZEND_PARSE_PARAMETERS_NONE();

	const php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL) {
		RETURN_THROWS();
	}
	GC_ADDREF(memcached->settings);
	RETURN_ARR(memcached->settings);
}

ZEND_METHOD(Larder_Memcached, info)
{
	static const struct {
		const char *name;
		size_t place;
	} counts[] = {
		{"connects", offsetof(lrd_pool_counts, connects)},
		{"connectFailures", offsetof(lrd_pool_counts, connect_failures)},
		{"batches", offsetof(lrd_pool_counts, batches)},
		{"requests", offsetof(lrd_pool_counts, requests)},
		{"bytesSent", offsetof(lrd_pool_counts, bytes_sent)},
		{"bytesReceived", offsetof(lrd_pool_counts, bytes_received)},
		{"timeouts", offsetof(lrd_pool_counts, timeouts)},
		{"closedInDoubt", offsetof(lrd_pool_counts, closed_in_doubt)},
		{"refusedDown", offsetof(lrd_pool_counts, refused_down)},
		{"udpAsked", offsetof(lrd_pool_counts, udp_asked)},
		{"udpAnswered", offsetof(lrd_pool_counts, udp_answered)},
		{"udpLost", offsetof(lrd_pool_counts, udp_lost)},
		{"udpDropped", offsetof(lrd_pool_counts, udp_dropped)},
		{"udpLong", offsetof(lrd_pool_counts, udp_long)},
		{"udpFallbacks", offsetof(lrd_pool_counts, udp_fallbacks)},
	};

	ZEND_PARSE_PARAMETERS_NONE();

	const php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL) {
		RETURN_THROWS();
	}
	const lrd_pool *pool = memcached->pool->pool;
	array_init(return_value);
	for (uint32_t server = 0; server < lrd_pool_size(pool); server++) {
		lrd_pool_counts counted;
		zval row;
		lrd_pool_counted(pool, server, &counted);
		array_init(&row);
		for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
			const void *at = (const char *) &counted + counts[i].place;
			add_assoc_long(&row, counts[i].name, (zend_long) *(const uint64_t *) at);
		}
		add_assoc_bool(&row, "down", lrd_pool_is_down(pool, server));
		add_by_server(return_value, memcached, server, &row);
	}
}

ZEND_METHOD(Larder_Memcached, close)
{
	ZEND_PARSE_PARAMETERS_NONE();

	const php_memcached *memcached = php_memcached_of(ZEND_THIS);
	if (memcached == NULL) {
		RETURN_THROWS();
	}
	php_pool_take_sent(memcached->pool);
	lrd_pool_close(memcached->pool->pool);
}

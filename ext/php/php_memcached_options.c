/* The constructor: 22 arguments, each looked at before anything is made of them. */
#include "php_memcached_batch.h"

typedef struct options {
	HashTable *list;            /* NULL: `server` is the only one */
	zend_string *server;
	zend_string *prefix;
	zend_long timeout;
	zend_long retry;
	zend_string *ring;
	zend_string *hash;
	zend_string *layout;
	zend_string *serializer;
	zend_string *compressor;
	zend_long threshold;
	bool shared;
	zend_string *failover;
	bool udp;
	zend_long dns_timeout;
	zend_string *user;
	zend_string *password;
	zend_string *tls_ca;
	zend_string *tls_cert;
	zend_string *tls_key;
	zend_string *tls_name;
	bool tls_verify;
	zval *objects;              /* NULL: the usual ones */
} options;

/* The number of each argument, for messages. */
enum {
	ARGUMENT_SERVERS = 1,
	ARGUMENT_PREFIX,
	ARGUMENT_TIMEOUT,
	ARGUMENT_RETRY,
	ARGUMENT_RING,
	ARGUMENT_HASH,
	ARGUMENT_LAYOUT,
	ARGUMENT_SERIALIZER,
	ARGUMENT_COMPRESSOR,
	ARGUMENT_THRESHOLD,
	ARGUMENT_SHARED,
	ARGUMENT_FAILOVER,
	ARGUMENT_UDP,
	ARGUMENT_DNS_TIMEOUT,
	ARGUMENT_USER,
	ARGUMENT_PASSWORD,
	ARGUMENT_TLS_CA,
	ARGUMENT_TLS_CERT,
	ARGUMENT_TLS_KEY,
	ARGUMENT_TLS_NAME,
	ARGUMENT_OBJECTS = 22,
};

/* False, with an exception. */
static bool parse(zend_execute_data *execute_data, options *given)
{
	*given = (options) {
		.timeout = 250,
		.retry = 1000,
		.threshold = 2000,
		.shared = true,
		.dns_timeout = 1000,
		.tls_verify = true,
	};
	ZEND_PARSE_PARAMETERS_START(0, 22)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT_OR_STR(given->list, given->server)
		Z_PARAM_STR(given->prefix)
		Z_PARAM_LONG(given->timeout)
		Z_PARAM_LONG(given->retry)
		Z_PARAM_STR(given->ring)
		Z_PARAM_STR_OR_NULL(given->hash)
		Z_PARAM_STR(given->layout)
		Z_PARAM_STR(given->serializer)
		Z_PARAM_STR(given->compressor)
		Z_PARAM_LONG(given->threshold)
		Z_PARAM_BOOL(given->shared)
		Z_PARAM_STR(given->failover)
		Z_PARAM_BOOL(given->udp)
		Z_PARAM_LONG(given->dns_timeout)
		Z_PARAM_STR_OR_NULL(given->user)
		Z_PARAM_STR_OR_NULL(given->password)
		Z_PARAM_STR_OR_NULL(given->tls_ca)
		Z_PARAM_STR_OR_NULL(given->tls_cert)
		Z_PARAM_STR_OR_NULL(given->tls_key)
		Z_PARAM_STR_OR_NULL(given->tls_name)
		Z_PARAM_BOOL(given->tls_verify)
		Z_PARAM_ZVAL(given->objects)
	ZEND_PARSE_PARAMETERS_END_EX(return false);
	return true;
}

/* False, with an exception: the core takes these as strings that end at the first NUL. */
static bool texts_are_texts(const options *given)
{
	const struct {
		const zend_string *text;
		uint32_t argument;
	} texts[] = {
		{given->ring, ARGUMENT_RING},
		{given->hash, ARGUMENT_HASH},
		{given->layout, ARGUMENT_LAYOUT},
		{given->serializer, ARGUMENT_SERIALIZER},
		{given->compressor, ARGUMENT_COMPRESSOR},
		{given->failover, ARGUMENT_FAILOVER},
		{given->user, ARGUMENT_USER},
		{given->password, ARGUMENT_PASSWORD},
		{given->tls_ca, ARGUMENT_TLS_CA},
		{given->tls_cert, ARGUMENT_TLS_CERT},
		{given->tls_key, ARGUMENT_TLS_KEY},
		{given->tls_name, ARGUMENT_TLS_NAME},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const zend_string *text = texts[i].text;
		if (text != NULL && memchr(ZSTR_VAL(text), '\0', ZSTR_LEN(text)) != NULL) {
			zend_argument_value_error(texts[i].argument, "must not contain any null bytes");
			return false;
		}
		if (text != NULL && ZSTR_LEN(text) == 0) {
			zend_argument_value_error(texts[i].argument, "cannot be empty");
			return false;
		}
	}
	return true;
}

/* False, with an exception. */
static bool is_between(zend_long number, zend_long least, zend_long most, uint32_t argument)
{
	if (number >= least && number <= most) {
		return true;
	}
	zend_argument_value_error(argument,
		"must be between " ZEND_LONG_FMT " and " ZEND_LONG_FMT ", " ZEND_LONG_FMT " given", least, most, number);
	return false;
}

/* False, with an exception. */
static bool numbers_fit(const options *given)
{
	const zend_long longest_ms = 3600 * 1000;
	const size_t longest_prefix = LRD_WIRE_KEY_MAX - 1;

	if (given->prefix != NULL && ZSTR_LEN(given->prefix) > longest_prefix) {
		zend_argument_value_error(
			ARGUMENT_PREFIX, "must be at most %zu bytes long, %zu given", longest_prefix, ZSTR_LEN(given->prefix));
		return false;
	}
	return is_between(given->timeout, 1, longest_ms, ARGUMENT_TIMEOUT)
		&& is_between(given->retry, 1, longest_ms, ARGUMENT_RETRY)
		&& is_between(given->dns_timeout, 1, longest_ms, ARGUMENT_DNS_TIMEOUT)
		&& is_between(given->threshold, 0, ZEND_LONG_MAX, ARGUMENT_THRESHOLD);
}

/* False, with an exception. Of `true` there is nothing to be made: *allowed is NULL then. */
static bool find_allowed(const zval *objects, value_allowed **allowed)
{
	zval *name;
	bool is_list = objects == NULL || Z_TYPE_P(objects) == IS_ARRAY;

	*allowed = NULL;
	if (!is_list && Z_TYPE_P(objects) != IS_TRUE && Z_TYPE_P(objects) != IS_FALSE) {
		zend_argument_type_error(ARGUMENT_OBJECTS, "must be of type bool or a list of classes, %s given",
			zend_zval_type_name((zval *) objects));
		return false;
	}
	if (!is_list) {
		*allowed = Z_TYPE_P(objects) == IS_FALSE ? value_allowed_none(false) : NULL;
		return true;
	}
	*allowed = value_allowed_usual(false);
	if (objects == NULL) {
		return true;
	}
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(objects), name) {
		ZVAL_DEREF(name);
		if (Z_TYPE_P(name) != IS_STRING || Z_STRLEN_P(name) == 0) {
			zend_argument_type_error(ARGUMENT_OBJECTS, "must be a list of names of classes, there is %s in it",
				Z_TYPE_P(name) == IS_STRING ? "\"\"" : zend_zval_type_name(name));
			value_allowed_free(*allowed);
			return false;
		}
		value_allowed_add(*allowed, Z_STRVAL_P(name), Z_STRLEN_P(name));
	} ZEND_HASH_FOREACH_END();
	return true;
}

/* False, with an exception. */
static bool find_failover(const zend_string *name, lrd_failover *failover)
{
	static const char *const names[] = {
		[LRD_FAILOVER_NONE] = "none",
		[LRD_FAILOVER_NEXT] = "next",
		[LRD_FAILOVER_MIRROR] = "mirror",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (name == NULL || strcmp(ZSTR_VAL(name), names[i]) == 0) {
			*failover = (lrd_failover) i;
			return true;
		}
	}
	zend_argument_value_error(
		ARGUMENT_FAILOVER, "must be \"none\", \"next\" or \"mirror\", \"%s\" given", ZSTR_VAL(name));
	return false;
}

/* False, with an exception. */
static bool read_server(lrd_pool_server *server, zend_string *key, zval *value)
{
	const zend_long most = 1000;

	ZVAL_DEREF(value);
	if (key == NULL && Z_TYPE_P(value) == IS_STRING) {
		*server = (lrd_pool_server) {.address = {.bytes = Z_STRVAL_P(value), .size = Z_STRLEN_P(value)}, .weight = 1};
		return true;
	}
	if (key == NULL || Z_TYPE_P(value) != IS_LONG) {
		zend_argument_type_error(ARGUMENT_SERVERS,
			"must be a server, a list of them, or weights by server; there is %s %s %s", zend_zval_type_name(value),
			key == NULL ? "in the list" : "as the weight of", key == NULL ? "of servers" : ZSTR_VAL(key));
		return false;
	}
	if (Z_LVAL_P(value) < 1 || Z_LVAL_P(value) > most) {
		zend_argument_value_error(ARGUMENT_SERVERS,
			"must have weights from 1 to " ZEND_LONG_FMT ", \"%s\" has " ZEND_LONG_FMT, most, ZSTR_VAL(key),
			Z_LVAL_P(value));
		return false;
	}
	*server = (lrd_pool_server) {
		.address = {.bytes = ZSTR_VAL(key), .size = ZSTR_LEN(key)}, .weight = (uint32_t) Z_LVAL_P(value)};
	return true;
}

/* False, with an exception. The slices point into what was given. */
static bool read_servers(const options *given, lrd_pool_server *servers, uint32_t *count)
{
	HashTable names;
	zend_string *key;
	zval *value;
	bool valid = true;

	*count = 0;
	if (given->list == NULL) {
		const char *usual = "127.0.0.1:11211";
		servers[(*count)++] = (lrd_pool_server) {
			.address = given->server != NULL
				? (lrd_slice) {.bytes = ZSTR_VAL(given->server), .size = ZSTR_LEN(given->server)}
				: (lrd_slice) {.bytes = usual, .size = strlen(usual)},
			.weight = 1,
		};
		return true;
	}
	zend_hash_init(&names, zend_hash_num_elements(given->list), NULL, NULL, false);
	ZEND_HASH_FOREACH_STR_KEY_VAL(given->list, key, value) {
		lrd_pool_server *server = &servers[*count];
		valid = read_server(server, key, value);
		if (valid && zend_hash_str_add_empty_element(&names, server->address.bytes, server->address.size) == NULL) {
			zend_argument_value_error(ARGUMENT_SERVERS, "must name each server once, \"%.*s\" is there again",
				(int) server->address.size, server->address.bytes);
			valid = false;
		}
		if (!valid) {
			break;
		}
		(*count)++;
	} ZEND_HASH_FOREACH_END();
	zend_hash_destroy(&names);
	if (valid && *count == 0) {
		zend_argument_value_error(ARGUMENT_SERVERS, "must name at least one server");
		valid = false;
	}
	return valid;
}

static const char *text_or_null(const zend_string *text)
{
	return text != NULL ? ZSTR_VAL(text) : NULL;
}

/* NULL, with an exception. */
static php_pool *take_pool(const options *given, lrd_failover failover)
{
	uint32_t count, room = given->list != NULL ? zend_hash_num_elements(given->list) : 1;
	lrd_pool_server *servers = safe_emalloc(room + 1, sizeof(*servers), 0);
	php_pool *pool = NULL;

	if (read_servers(given, servers, &count)) {
		pool = php_pools_take(&(lrd_pool_options) {
			.servers = servers,
			.server_count = count,
			/* Named, as where PHP fills in the defaults before a named argument: else those would be another pool. */
			.ring = given->ring != NULL ? ZSTR_VAL(given->ring) : "larder",
			.hash = text_or_null(given->hash),
			.timeout_ms = (uint32_t) given->timeout,
			.dns_timeout_ms = (uint32_t) given->dns_timeout,
			.retry_ms = (uint32_t) given->retry,
			.failover = failover,
			.has_stubs = !given->shared,
			.udp = given->udp,
			.user = text_or_null(given->user),
			.password = text_or_null(given->password),
			.tls_ca_file = text_or_null(given->tls_ca),
			.tls_cert_file = text_or_null(given->tls_cert),
			.tls_key_file = text_or_null(given->tls_key),
			.tls_name = text_or_null(given->tls_name),
			.tls_no_verify = !given->tls_verify,
		});
	}
	efree(servers);
	return pool;
}

static void keep_text(HashTable *settings, const char *name, zend_string *text)
{
	zval value;

	ZVAL_NULL(&value);
	if (text != NULL) {
		ZVAL_STR_COPY(&value, text);
	}
	zend_hash_str_add_new(settings, name, strlen(name), &value);
}

static void keep_text_or(HashTable *settings, const char *name, zend_string *text, const char *usual)
{
	zval value;

	if (text != NULL) {
		keep_text(settings, name, text);
	} else {
		ZVAL_STRING(&value, usual);
		zend_hash_str_add_new(settings, name, strlen(name), &value);
	}
}

static void keep_number(HashTable *settings, const char *name, zend_long number)
{
	zval value;

	ZVAL_LONG(&value, number);
	zend_hash_str_add_new(settings, name, strlen(name), &value);
}

static void keep_bool(HashTable *settings, const char *name, bool is_so)
{
	zval value;

	ZVAL_BOOL(&value, is_so);
	zend_hash_str_add_new(settings, name, strlen(name), &value);
}

static void keep_objects(HashTable *settings, zval *objects)
{
	zval value;

	if (objects == NULL) {
		ZVAL_EMPTY_ARRAY(&value);
	} else {
		ZVAL_COPY(&value, objects);
	}
	zend_hash_str_add_new(settings, "objects", strlen("objects"), &value);
}

static HashTable *servers_of(const options *given)
{
	uint32_t count, room = given->list != NULL ? zend_hash_num_elements(given->list) : 1;
	lrd_pool_server *servers = safe_emalloc(room + 1, sizeof(*servers), 0);
	HashTable *weights = zend_new_array(room);

	read_servers(given, servers, &count);
	for (uint32_t i = 0; i < count; i++) {
		zval weight;
		ZVAL_LONG(&weight, servers[i].weight);
		zend_symtable_str_update(weights, servers[i].address.bytes, servers[i].address.size, &weight);
	}
	efree(servers);
	return weights;
}

/* In the order of the arguments. */
static HashTable *settings_of(const options *given)
{
	HashTable *settings = zend_new_array(21);
	zval servers;

	ZVAL_ARR(&servers, servers_of(given));
	zend_hash_str_add_new(settings, "servers", strlen("servers"), &servers);
	keep_text_or(settings, "prefix", given->prefix, "");
	keep_number(settings, "timeout", given->timeout);
	keep_number(settings, "retry", given->retry);
	keep_text_or(settings, "ring", given->ring, "larder");
	keep_text(settings, "hash", given->hash);
	keep_text_or(settings, "layout", given->layout, "memcached");
	keep_text_or(settings, "serializer", given->serializer, "php");
	keep_text_or(settings, "compressor", given->compressor, "none");
	keep_number(settings, "compressionThreshold", given->threshold);
	keep_bool(settings, "shared", given->shared);
	keep_text_or(settings, "failover", given->failover, "none");
	keep_bool(settings, "udp", given->udp);
	keep_number(settings, "dnsTimeout", given->dns_timeout);
	keep_text(settings, "user", given->user);
	keep_text(settings, "tlsCa", given->tls_ca);
	keep_text(settings, "tlsCert", given->tls_cert);
	keep_text(settings, "tlsKey", given->tls_key);
	keep_text(settings, "tlsName", given->tls_name);
	keep_bool(settings, "tlsVerify", given->tls_verify);
	keep_objects(settings, given->objects);
	return settings;
}

/* False, with an exception. */
static bool find_format(const options *given, value_format *format)
{
	char why[VALUE_FORMAT_WHY];

	if (value_format_find(
			format, text_or_null(given->layout), text_or_null(given->serializer), text_or_null(given->compressor), why)
		== FAILURE) {
		zend_value_error("Larder\\Memcached::__construct(): %s", why);
		return false;
	}
	format->threshold = (size_t) given->threshold;
	return true;
}

ZEND_METHOD(Larder_Memcached, __construct)
{
	options given;
	value_format format;
	value_allowed *allowed;
	lrd_failover failover;

	if (!parse(execute_data, &given)) {
		return;
	}
	php_memcached *memcached = php_memcached_from(Z_OBJ_P(ZEND_THIS));
	if (memcached->pool != NULL) {
		zend_throw_error(NULL, "The Larder\\Memcached object has been constructed already");
		RETURN_THROWS();
	}
	if (!texts_are_texts(&given) || !numbers_fit(&given) || !find_failover(given.failover, &failover)
		|| !find_format(&given, &format)) {
		RETURN_THROWS();
	}
	if ((given.user == NULL) != (given.password == NULL)) {
		zend_argument_value_error(
			given.user == NULL ? ARGUMENT_USER : ARGUMENT_PASSWORD, "must be given: $user and $password go together");
		RETURN_THROWS();
	}
	if (!find_allowed(given.objects, &allowed)) {
		RETURN_THROWS();
	}
	php_pool *pool = take_pool(&given, failover);
	if (pool == NULL) {
		value_allowed_free(allowed);
		RETURN_THROWS();
	}
	memcached->pool = pool;
	memcached->prefix = given.prefix != NULL ? zend_string_copy(given.prefix) : ZSTR_EMPTY_ALLOC();
	memcached->format = format;
	memcached->format.allowed = memcached->allowed = allowed;
	memcached->settings = settings_of(&given);
	memcached->shared = given.shared;
}

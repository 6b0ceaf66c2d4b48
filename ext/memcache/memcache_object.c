#include "memcache_object.h"

#include "zend_exceptions.h"

zend_class_entry *memcache_pool_ce;
zend_class_entry *memcache_ce;

static int resource_type;

static const char property[] = "connection";
static const double standard_timeout = 1;

enum {
	STANDARD_RETRY = 15,
	PORT_MAX = 65635,           /* php-memcache's own limit */
};

/* ---- the resource ---- */

static ZEND_RSRC_DTOR_FUNC(free_resource)
{
	if (res->ptr != NULL) {
		memcache_pool_free(res->ptr);
		res->ptr = NULL;
	}
}

void memcache_object_init(int module_number)
{
	resource_type = zend_register_list_destructors_ex(free_resource, NULL, "memcache connection", module_number);
}

/* The value of the property, or NULL: there is none. */
static zval *connection_of(zval *object)
{
	zval *connection = zend_hash_str_find_ind(Z_OBJPROP_P(object), property, sizeof(property) - 1);

	if (connection != NULL) {
		ZVAL_DEREF(connection);
	}
	return connection != NULL && Z_TYPE_P(connection) != IS_NULL ? connection : NULL;
}

bool memcache_call_begin(memcache_call *call, zval *object)
{
	zval *connection = connection_of(object);

	if (connection == NULL) {
		php_error_docref(NULL, E_WARNING, "No servers added to memcache connection");
		return false;
	}
	call->pool = Z_TYPE_P(connection) == IS_RESOURCE ? zend_fetch_resource_ex(connection, property, resource_type)
		: NULL;
	if (call->pool == NULL) {
		php_error_docref(NULL, E_WARNING, "Invalid MemcachePool->connection member variable");
		return false;
	}
	call->object = Z_OBJ_P(object);
	call->resource = Z_RES_P(connection);
	GC_ADDREF(call->resource);
	return true;
}

void memcache_call_end(const memcache_call *call)
{
	zend_list_delete(call->resource);
}

/* The object's pool, made if it has none yet. */
static bool make_pool(memcache_call *call, zval *object)
{
	zval *connection = connection_of(object);

	if (connection == NULL) {
		add_property_resource(object, property, zend_register_resource(memcache_pool_make(), resource_type));
	} else if (Z_TYPE_P(connection) != IS_RESOURCE
		|| zend_fetch_resource_ex(connection, property, resource_type) == NULL) {
		php_error_docref(NULL, E_WARNING, "Unknown connection identifier");
		return false;
	}
	return EG(exception) == NULL && memcache_call_begin(call, object);
}

/* ---- adding servers ---- */

static bool is_good(const memcache_server_options *options)
{
	if (options->weight < 1) {
		php_error_docref(NULL, E_WARNING, "weight must be a positive integer");
		return false;
	}
	if (options->tcp_port > PORT_MAX || options->tcp_port < 0) {
		php_error_docref(NULL, E_WARNING, "invalid tcp port number");
		return false;
	}
	if (options->udp_port > PORT_MAX || options->udp_port < 0) {
		php_error_docref(NULL, E_WARNING, "invalid udp port number");
		return false;
	}
	return true;
}

static void set_prefix(memcache_pool *pool)
{
	const memcache_prefix settings = {
		.fixed = MEMCACHE_G(prefix_static_key),
		.has_host = MEMCACHE_G(prefix_host_key),
		.removes_www = MEMCACHE_G(prefix_host_key_remove_www),
		.removes_subdomain = MEMCACHE_G(prefix_host_key_remove_subdomain),
	};

	if (pool->prefix != NULL) {
		zend_string_release(pool->prefix);
	}
	pool->prefix = memcache_prefix_make(&settings);
}

/* False: with a warning, or an exception. */
static bool add_server(memcache_call *call, zval *object, memcache_server_options *options, uint32_t *number)
{
	if (!is_good(options) || !make_pool(call, object)) {
		return false;
	}
	if (options->udp_port != 0 && call->pool->is_binary) {
		php_error_docref(NULL, E_NOTICE, "binary protocol isn't support over UDP, defaulting to TCP");
		options->udp_port = 0;
	}
	set_prefix(call->pool);
	*number = memcache_pool_add(call->pool, options);
	return true;
}

/* Connects now, where no connection is open yet. */
static bool connect_now(const memcache_call *call, uint32_t number)
{
	lrd_pool *engine = memcache_pool_ready(call->pool);
	memcache_server *server = memcache_pool_server(call->pool, number);

	if (engine == NULL) {
		return false;
	}
	double ms = server->timeout * 1000;
	lrd_failure failure = lrd_pool_connect(engine, number, ms >= 1 && ms < 86400000 ? (uint32_t) ms : 0);
	if (failure == LRD_FAILURE_NONE) {
		memcache_server_went_well(server);
		return true;
	}
	memcache_server_failed(server, failure, lrd_pool_error(engine, number));
	server->owners++;
	memcache_failure_report(call, server);
	php_error_docref(NULL, E_WARNING, "Can't connect to %s:%d, %s (%d)", server->host, (int) server->tcp_port,
		server->why, server->error);
	memcache_server_release(server);
	return false;
}

static bool connect_server(zval *object, memcache_server_options *options)
{
	memcache_call call;
	uint32_t number;

	if (!add_server(&call, object, options, &number)) {
		return false;
	}
	bool is_connected = connect_now(&call, number);
	memcache_call_end(&call);
	return is_connected;
}

static memcache_server_options standard_options(void)
{
	return (memcache_server_options) {
		.tcp_port = MEMCACHE_G(default_port),
		.weight = 1,
		.retry_interval = STANDARD_RETRY,
		.timeout = standard_timeout,
		.is_persistent = true,
		.status = true,
	};
}

ZEND_METHOD(MemcachePool, connect)
{
	memcache_server_options options = standard_options();

	if (zend_parse_parameters(ZEND_NUM_ARGS(), "S|llbldl", &options.host, &options.tcp_port, &options.udp_port,
			&options.is_persistent, &options.weight, &options.timeout, &options.retry_interval) == FAILURE) {
		RETURN_THROWS();
	}
	RETURN_BOOL(connect_server(ZEND_THIS, &options));
}

ZEND_METHOD(MemcachePool, addserver)
{
	memcache_server_options options = standard_options();
	memcache_call call;
	uint32_t number;

	if (zend_parse_parameters(ZEND_NUM_ARGS(), "S|llbldlb", &options.host, &options.tcp_port, &options.udp_port,
			&options.is_persistent, &options.weight, &options.timeout, &options.retry_interval, &options.status)
		== FAILURE) {
		RETURN_THROWS();
	}
	if (!add_server(&call, ZEND_THIS, &options, &number)) {
		RETURN_FALSE;
	}
	memcache_call_end(&call);
	RETURN_BOOL(EG(exception) == NULL);
}

/* A function makes the object; a method has it. */
static void connect_or_make(INTERNAL_FUNCTION_PARAMETERS, bool is_persistent)
{
	memcache_server_options options = standard_options();
	bool has_no_port;
	zval object;

	options.is_persistent = is_persistent;
	if (zend_parse_parameters(
			ZEND_NUM_ARGS(), "S|l!d", &options.host, &options.tcp_port, &has_no_port, &options.timeout) == FAILURE) {
		RETURN_THROWS();
	}
	if (getThis() != NULL) {
		RETURN_BOOL(connect_server(getThis(), &options));
	}
	object_init_ex(&object, memcache_ce);
	if (connect_server(&object, &options)) {
		RETURN_COPY_VALUE(&object);
	}
	zval_ptr_dtor(&object);
	RETURN_FALSE;
}

ZEND_FUNCTION(memcache_connect)
{
	connect_or_make(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_FUNCTION(memcache_pconnect)
{
	connect_or_make(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

/* ---- the failure callback ---- */

static bool is_callback(zval *callback)
{
	if (callback == NULL || Z_TYPE_P(callback) == IS_NULL || zend_is_callable(callback, 0, NULL)) {
		return true;
	}
	php_error_docref(NULL, E_WARNING, "Invalid failure callback");
	return false;
}

static void set_callback(const memcache_call *call, zval *object, zval *callback)
{
	call->pool->has_callback = Z_TYPE_P(callback) != IS_NULL;
	Z_TRY_ADDREF_P(callback);
	add_property_zval(object, "_failureCallback", callback);
	Z_TRY_DELREF_P(callback);
}

ZEND_FUNCTION(memcache_set_failure_callback)
{
	zval *object = getThis(), *callback;
	memcache_call call;

	if (MEMCACHE_PARSE("z", &object, memcache_pool_ce, &callback) == FAILURE) {
		RETURN_THROWS();
	}
	if (!memcache_call_begin(&call, object)) {
		RETURN_FALSE;
	}
	bool is_set = is_callback(callback);
	if (is_set) {
		set_callback(&call, object, callback);
	}
	memcache_call_end(&call);
	RETURN_BOOL(is_set);
}

ZEND_FUNCTION(memcache_add_server)
{
	zval *object = getThis(), *callback = NULL;
	memcache_server_options options = standard_options();
	memcache_call call;
	uint32_t number;

	if (MEMCACHE_PARSE("S|lbldlbz", &object, memcache_ce, &options.host, &options.tcp_port, &options.is_persistent,
			&options.weight, &options.timeout, &options.retry_interval, &options.status, &callback) == FAILURE) {
		RETURN_THROWS();
	}
	if (!is_callback(callback) || !add_server(&call, object, &options, &number)) {
		RETURN_FALSE;
	}
	if (callback != NULL && Z_TYPE_P(callback) != IS_NULL) {
		set_callback(&call, object, callback);
	}
	memcache_call_end(&call);
	RETURN_BOOL(EG(exception) == NULL);
}

/* ---- one server ---- */

/* NULL, with a warning: the pool has none of this address. */
static memcache_server *find_server(const memcache_pool *pool, const zend_string *host, zend_long port)
{
	for (uint32_t i = 0; i < pool->count; i++) {
		memcache_server *server = memcache_pool_server(pool, i);
		if (server->tcp_port == port && strcmp(server->host, ZSTR_VAL(host)) == 0) {
			return server;
		}
	}
	php_error_docref(NULL, E_WARNING, "Server not found in pool");
	return NULL;
}

ZEND_FUNCTION(memcache_set_server_params)
{
	zval *object = getThis(), *callback = NULL;
	memcache_server_options options = standard_options();
	memcache_call call;

	if (MEMCACHE_PARSE("S|ldlbz", &object, memcache_pool_ce, &options.host, &options.tcp_port, &options.timeout,
			&options.retry_interval, &options.status, &callback) == FAILURE) {
		RETURN_THROWS();
	}
	if (!memcache_call_begin(&call, object)) {
		RETURN_FALSE;
	}
	memcache_server *server = find_server(call.pool, options.host, options.tcp_port);
	bool is_set = server != NULL && is_callback(callback);
	if (is_set) {
		server->timeout = options.timeout;
		server->retry_interval = options.retry_interval;
		memcache_server_set_up(server, options.status);
		memcache_pool_changed(call.pool);
		if (callback != NULL) {
			set_callback(&call, object, callback);
		}
	}
	memcache_call_end(&call);
	RETURN_BOOL(is_set);
}

ZEND_FUNCTION(memcache_get_server_status)
{
	zval *object = getThis();
	zend_string *host;
	zend_long port = MEMCACHE_G(default_port);
	memcache_call call;

	if (MEMCACHE_PARSE("S|l", &object, memcache_pool_ce, &host, &port) == FAILURE) {
		RETURN_THROWS();
	}
	if (!memcache_call_begin(&call, object)) {
		RETURN_FALSE;
	}
	const memcache_server *server = find_server(call.pool, host, port);
	if (server != NULL) {
		ZVAL_LONG(return_value, server->is_failed ? 0 : 1);
	} else {
		ZVAL_FALSE(return_value);
	}
	memcache_call_end(&call);
}

ZEND_METHOD(MemcachePool, findserver)
{
	zval *key;
	memcache_call call;

	if (zend_parse_parameters(ZEND_NUM_ARGS(), "z", &key) == FAILURE) {
		RETURN_THROWS();
	}
	if (!memcache_call_begin(&call, ZEND_THIS)) {
		RETURN_FALSE;
	}
	ZVAL_FALSE(return_value);
	if (call.pool->count > 0) {
		zend_string *name = memcache_pool_key(call.pool, key);
		if (name == NULL) {
			php_error_docref(NULL, E_WARNING, "Invalid key");
		} else if (memcache_pool_ready(call.pool) != NULL) {
			const memcache_server *server = memcache_pool_server(call.pool, memcache_pool_find(call.pool, name));
			ZVAL_STR(return_value, strpprintf(0, "%s:%d", server->host, (int) server->tcp_port));
		}
		if (name != NULL) {
			zend_string_release(name);
		}
	}
	memcache_call_end(&call);
}

/* ---- the pool ---- */

ZEND_FUNCTION(memcache_close)
{
	zval *object = getThis();
	memcache_call call;

	if (MEMCACHE_PARSE("", &object, memcache_pool_ce) == FAILURE) {
		RETURN_THROWS();
	}
	if (!memcache_call_begin(&call, object)) {
		RETURN_FALSE;
	}
	memcache_pool_close(call.pool);
	memcache_call_end(&call);
	RETURN_TRUE;
}

ZEND_FUNCTION(memcache_set_compress_threshold)
{
	zval *object = getThis();
	zend_long threshold;
	double min_savings = MEMCACHE_SAVINGS;
	memcache_call call;

	if (MEMCACHE_PARSE("l|d", &object, memcache_pool_ce, &threshold, &min_savings) == FAILURE) {
		RETURN_THROWS();
	}
	if (!memcache_call_begin(&call, object)) {
		RETURN_FALSE;
	}
	bool is_set = false;
	if (threshold < 0) {
		php_error_docref(NULL, E_WARNING, "threshold must be a positive integer");
	} else {
		call.pool->compress_threshold = threshold;
		is_set = min_savings >= 0 && min_savings <= 1;
		if (is_set) {
			call.pool->min_savings = min_savings;
		} else {
			php_error_docref(NULL, E_WARNING, "min_savings must be a float in the 0..1 range");
		}
	}
	memcache_call_end(&call);
	RETURN_BOOL(is_set);
}

/* It would be for the binary protocol alone. */
ZEND_FUNCTION(memcache_set_sasl_auth_data)
{
	zval *object = getThis();
	zend_string *user, *password;

	if (MEMCACHE_PARSE("SS", &object, memcache_pool_ce, &user, &password) == FAILURE) {
		RETURN_THROWS();
	}
	if (ZSTR_LEN(user) > 0 && ZSTR_LEN(password) > 0) {
		php_error_docref(NULL, E_WARNING, "SASL is not supported");
	}
	RETURN_FALSE;
}

ZEND_FUNCTION(memcache_debug)
{
	zval *on_off;

	if (zend_parse_parameters(ZEND_NUM_ARGS(), "|z", &on_off) == FAILURE) {
		RETURN_THROWS();
	}
	php_error_docref(
		NULL, E_WARNING, "memcache_debug() is deprecated, please use a debugger (like Eclipse + CDT)");
	RETURN_BOOL(PHP_DEBUG);
}

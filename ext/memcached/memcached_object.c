#include "memcached_batch.h"

#include "zend_exceptions.h"

#include "memcached_address.h"

zend_class_entry *memcached_ce;
static zend_object_handlers handlers;

static zend_object *create_object(zend_class_entry *class)
{
	memcached_object *object = zend_object_alloc(sizeof(*object), class);

	memset(object, 0, XtOffsetOf(memcached_object, std));
	zend_object_std_init(&object->std, class);
	object_properties_init(&object->std, class);
	object->std.handlers = &handlers;
	return &object->std;
}

static void free_object(zend_object *std)
{
	memcached_object *object = memcached_object_from(std);

	if (object->client != NULL) {
		memcached_object_flush(object);
	}
	memcached_object_forget(object);
	if (object->client != NULL && !object->client->is_persistent) {
		memcached_client_free(object->client);
	}
	object->client = NULL;
	zend_object_std_dtor(std);
}

void memcached_object_init(void)
{
	memcpy(&handlers, zend_get_std_object_handlers(), sizeof(handlers));
	handlers.offset = XtOffsetOf(memcached_object, std);
	handlers.free_obj = free_object;
	handlers.clone_obj = NULL;
	memcached_ce->create_object = create_object;
}

/* ---- the constructor ---- */

static void set_defaults(memcached_client *client)
{
	if (MEMCACHED_G(default_consistent_hash)) {
		memcached_client_set(client, MEMCACHED_DISTRIBUTION, MEMCACHED_CONSISTENT);
	}
	if (MEMCACHED_G(default_binary_protocol)) {
		memcached_client_set(client, MEMCACHED_BINARY_PROTOCOL, 1);
		memcached_client_set(client, MEMCACHED_TCP_NODELAY, 1);
	}
	if (MEMCACHED_G(default_connect_timeout) != 0) {
		memcached_client_set(client, MEMCACHED_CONNECT_TIMEOUT, (uint64_t) MEMCACHED_G(default_connect_timeout));
	}
}

/* False: it could not be called, or it threw. */
static bool call_new(zval *this, zend_fcall_info *call, zend_fcall_info_cache *cache, zend_string *id)
{
	zval parameters[2], result;

	ZVAL_COPY(&parameters[0], this);
	if (id != NULL) {
		ZVAL_STR_COPY(&parameters[1], id);
	} else {
		ZVAL_NULL(&parameters[1]);
	}
	ZVAL_UNDEF(&result);
	call->retval = &result;
	call->params = parameters;
	call->param_count = 2;
	bool is_called = zend_call_function(call, cache) == SUCCESS;
	zval_ptr_dtor(&parameters[0]);
	zval_ptr_dtor(&parameters[1]);
	zval_ptr_dtor(&result);
	return is_called && EG(exception) == NULL;
}

ZEND_METHOD(Memcached, __construct)
{
	zend_string *id = NULL, *servers = NULL;
	zend_fcall_info call = empty_fcall_info;
	zend_fcall_info_cache cache = empty_fcall_info_cache;

	ZEND_PARSE_PARAMETERS_START(0, 3)
		Z_PARAM_OPTIONAL
		Z_PARAM_STR_OR_NULL(id)
		Z_PARAM_FUNC_OR_NULL(call, cache)
		Z_PARAM_STR_OR_NULL(servers)
	ZEND_PARSE_PARAMETERS_END();

	memcached_object *object = memcached_object_from(Z_OBJ_P(ZEND_THIS));
	memcached_client *client;
	bool has_id = id != NULL && ZSTR_LEN(id) > 0;

	/* Called again: a callback may be using the client of before, so that stays until the request is over. */
	memcached_object_flush(object);
	memcached_object_forget(object);
	object->client = NULL;
	object->is_pristine = true;
	client = has_id ? memcached_client_find(id) : NULL;
	if (client != NULL) {
		object->client = client;
		object->is_pristine = false;
		return;
	}
	client = memcached_client_make(has_id);
	if (servers != NULL && ZSTR_LEN(servers) > 0 && !memcached_address_configure(client, servers)) {
		memcached_client_free(client);
		zend_error(E_ERROR, "Memcached::__construct(): Failed to allocate memory for memcached structure");
		return;
	}
	set_defaults(client);
	object->client = client;
	if (ZEND_FCI_INITIALIZED(call) && !call_new(ZEND_THIS, &call, &cache, id)) {
		if (object->client == client) {
			object->client = NULL;
			memcached_client_free(client);
		}
		return;
	}
	if (has_id) {
		memcached_client_keep(client, id);
	}
}

/* ---- how the last call ended ---- */

ZEND_METHOD(Memcached, getResultCode)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	RETURN_LONG(object->code);
}

ZEND_METHOD(Memcached, getResultMessage)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	if (object->error != 0 && (object->code == MEMCACHED_ERRNO || object->code == MEMCACHED_UNKNOWN_READ_FAILURE)) {
		RETURN_STR(strpprintf(0, "%s: %s", memcached_code_text(object->code), strerror(object->error)));
	}
	RETURN_STRING(memcached_code_text(object->code));
}

ZEND_METHOD(Memcached, getLastErrorMessage)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	const memcached_client *client = object->client;
	if (client->last_code != MEMCACHED_SUCCESS && client->last_server < client->server_count) {
		const memcached_server *server = &client->servers[client->last_server];
		if (server->is_unix) {
			RETURN_STR(strpprintf(0, "%s, socket: %s", memcached_code_text(client->last_code), server->host));
		}
		/* Of a certificate that is not trusted. */
		const char *why = client->last_code == MEMCACHED_AUTH_FAILURE && client->pool != NULL
			? lrd_pool_why(client->pool, client->last_server) : "";
		RETURN_STR(strpprintf(0, "%s%s%s, host: %s:%d", memcached_code_text(client->last_code),
			why[0] != '\0' ? ": " : "", why, server->host, (int) server->port));
	}
	RETURN_STRING(memcached_code_text(client->last_code));
}

ZEND_METHOD(Memcached, getLastErrorCode)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	RETURN_LONG(object->client->last_code);
}

ZEND_METHOD(Memcached, getLastErrorErrno)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	RETURN_LONG(object->client->last_errno);
}

ZEND_METHOD(Memcached, isPersistent)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	RETURN_BOOL(object->client->is_persistent);
}

ZEND_METHOD(Memcached, isPristine)
{
	ZEND_PARSE_PARAMETERS_NONE();

	MEMCACHED_OBJECT();
	RETURN_BOOL(object->is_pristine);
}

ZEND_METHOD(Memcached, checkKey)
{
	zend_string *key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(key)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	bool is_good = memcached_key_is_good(object->client, key);
	memcached_set_code(object, is_good ? MEMCACHED_SUCCESS : MEMCACHED_BAD_KEY_PROVIDED);
	RETURN_BOOL(is_good);
}

#include "memcached_batch.h"

#include "../value/value_compressors.h"
#include "../value/value_serializers.h"

/* Their options are neighbours, in the same order. */
static int tls_text_of(zend_long option)
{
	return MEMCACHED_TLS_CA + (int) (MEMCACHED_OPT_TLS_CA - option);
}

static bool has_serializer(zend_long serializer)
{
	switch (serializer) {
		case MEMCACHED_SERIALIZER_PHP:
		case MEMCACHED_SERIALIZER_JSON:
		case MEMCACHED_SERIALIZER_JSON_ARRAY:
			return true;
		case MEMCACHED_SERIALIZER_IGBINARY:
			return value_serializer_is_loaded(&value_serializer_igbinary);
		case MEMCACHED_SERIALIZER_MSGPACK:
			return value_serializer_is_loaded(&value_serializer_msgpack);
		default:
			return false;
	}
}

static bool has_compression(zend_long type)
{
	switch (type) {
		case MEMCACHED_COMPRESSION_FASTLZ:
			return true;
		case MEMCACHED_COMPRESSION_ZLIB:
			return value_compressor_zlib.readable;
		case MEMCACHED_COMPRESSION_ZSTD:
			return value_compressor_zstd.readable;
		default:
			return false;
	}
}

/* A list in lower case, with the usual ones. */
static void return_objects(const value_allowed *allowed, zval *return_value)
{
	zend_string *name;

	if (allowed == NULL || allowed->none) {
		RETURN_BOOL(allowed == NULL);
	}
	array_init(return_value);
	ZEND_HASH_FOREACH_STR_KEY((HashTable *) &allowed->names, name) {
		add_next_index_stringl(return_value, ZSTR_VAL(name), ZSTR_LEN(name));
	} ZEND_HASH_FOREACH_END();
}

ZEND_METHOD(Memcached, getOption)
{
	zend_long option;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_LONG(option)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	const memcached_client *client = object->client;
	const char *text;
	switch (option) {
		case MEMCACHED_OPT_COMPRESSION:
			RETURN_BOOL(client->compresses);
		case MEMCACHED_OPT_COMPRESSION_TYPE:
			RETURN_LONG(client->compression_type);
		case MEMCACHED_OPT_COMPRESSION_LEVEL:
			RETURN_LONG(client->compression_level);
		case MEMCACHED_OPT_ITEM_SIZE_LIMIT:
			RETURN_LONG(client->item_size_limit);
		case MEMCACHED_OPT_PREFIX_KEY:
			RETURN_STRINGL(client->prefix != NULL ? client->prefix : "", client->prefix_size);
		case MEMCACHED_OPT_TLS:
			RETURN_BOOL(client->tls);
		case MEMCACHED_OPT_TLS_VERIFY:
			RETURN_BOOL(client->tls_verify);
		case MEMCACHED_OPT_TLS_CA:
		case MEMCACHED_OPT_TLS_CERT:
		case MEMCACHED_OPT_TLS_KEY:
		case MEMCACHED_OPT_TLS_NAME:
			text = client->tls_texts[tls_text_of(option)];
			RETURN_STRING(text != NULL ? text : "");
		case MEMCACHED_OPT_SERIALIZER:
			RETURN_LONG(client->serializer);
		case MEMCACHED_OPT_USER_FLAGS:
			RETURN_LONG(client->user_flags);
		case MEMCACHED_OPT_STORE_RETRY_COUNT:
			RETURN_LONG(client->store_retry_count);
		case MEMCACHED_OPT_OBJECTS:
			return_objects(client->allowed, return_value);
			return;
		case MEMCACHED_SEND_SIZE:
		case MEMCACHED_RECV_SIZE:
			if (client->server_count == 0) {
				php_error_docref(NULL, E_WARNING, "no servers defined");
				return;
			}
			break;
		default:
			break;
	}
	RETURN_LONG(option >= 0 && option < MEMCACHED_OPTIONS ? (zend_long) client->options[option] : 0);
}

/* ---- setting ---- */

static bool set_code(memcached_object *object, int code)
{
	object->code = code;
	object->error = 0;
	if (!memcached_is_error(code)) {
		return true;
	}
	object->client->last_code = code;
	php_error_docref(NULL, E_WARNING, "error setting memcached option: %s", memcached_code_text(code));
	return false;
}

static bool set_prefix(memcached_object *object, zval *value)
{
	zend_string *text = zval_get_string(value);
	/* Up to a NUL, as a text of C. */
	memcached_code code = memcached_client_set_prefix(object->client, ZSTR_VAL(text), strlen(ZSTR_VAL(text)));

	zend_string_release(text);
	if (code == MEMCACHED_BAD_KEY_PROVIDED) {
		object->code = MEMCACHED_INVALID_ARGUMENTS;
		php_error_docref(NULL, E_WARNING, "bad key provided");
		return false;
	}
	return true;
}

/* An empty text and null are none. */
static bool set_tls_text(memcached_object *object, zend_long option, zval *value)
{
	zend_string *text = zval_get_string(value);
	bool is_text = memchr(ZSTR_VAL(text), '\0', ZSTR_LEN(text)) == NULL;

	if (is_text) {
		memcached_object_flush(object);
		memcached_client_set_tls_text(object->client, tls_text_of(option), ZSTR_VAL(text));
	} else {
		object->code = MEMCACHED_INVALID_ARGUMENTS;
		php_error_docref(NULL, E_WARNING, "a file's or certificate's name must not contain any null bytes");
	}
	zend_string_release(text);
	return is_text;
}

static bool set_serializer(memcached_object *object, zend_long serializer)
{
	if (has_serializer(serializer)) {
		object->client->serializer = serializer;
		return true;
	}
	object->client->serializer = MEMCACHED_SERIALIZER_PHP;
	object->code = MEMCACHED_INVALID_ARGUMENTS;
	php_error_docref(NULL, E_WARNING, "invalid serializer provided");
	return false;
}

static bool set_objects(memcached_object *object, zval *value)
{
	value_allowed *allowed = NULL;
	zval *name;

	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) == IS_FALSE) {
		allowed = value_allowed_none(true);
	} else if (Z_TYPE_P(value) == IS_ARRAY) {
		allowed = value_allowed_usual(true);
		ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(value), name) {
			zend_string *text = zval_get_string(name);
			value_allowed_add(allowed, ZSTR_VAL(text), ZSTR_LEN(text));
			zend_string_release(text);
		} ZEND_HASH_FOREACH_END();
	} else if (Z_TYPE_P(value) != IS_TRUE) {
		object->code = MEMCACHED_INVALID_ARGUMENTS;
		php_error_docref(NULL, E_WARNING, "OPT_OBJECTS must be true, false or a list of classes");
		return false;
	}
	value_allowed_free(object->client->allowed);
	object->client->allowed = allowed;
	return true;
}

static bool set_user_flags(memcached_client *client, zend_long flags)
{
	if (flags > UINT16_MAX) {
		php_error_docref(NULL, E_WARNING, "MEMC_OPT_USER_FLAGS must be < %u", UINT16_MAX);
		return false;
	}
	client->user_flags = flags < 0 ? -1 : flags;
	return true;
}

static bool set_client_option(memcached_object *object, zend_long option, zend_long value)
{
	memcached_client *client = object->client;

	memcached_object_flush(object);
	if (option < 0 || (uint64_t) option > MEMCACHED_OPTIONS) {
		return set_code(object, MEMCACHED_INVALID_ARGUMENTS);
	}
	/* Load from file, a library's own number: nobody may set it. */
	if (option == MEMCACHED_OPTIONS) {
		return set_code(object, MEMCACHED_INVALID_ARGUMENTS);
	}
	if (option != MEMCACHED_KETAMA_WEIGHTED && client->options[option] == (uint64_t) value) {
		return true;
	}
	return set_code(object, (int) memcached_client_set(client, (uint32_t) option, (uint64_t) value));
}

static bool set_option(memcached_object *object, zend_long option, zval *value)
{
	memcached_client *client = object->client;

	if (option == MEMCACHED_OPT_PREFIX_KEY) {
		return set_prefix(object, value);
	}
	if (option == MEMCACHED_OPT_OBJECTS) {
		return set_objects(object, value);
	}
	zend_long number = zval_get_long(value);
	switch (option) {
		case MEMCACHED_OPT_COMPRESSION:
			client->compresses = number != 0;
			return true;
		case MEMCACHED_OPT_COMPRESSION_TYPE:
			if (!has_compression(number)) {
				object->code = MEMCACHED_INVALID_ARGUMENTS;
				return false;
			}
			client->compression_type = number;
			return true;
		case MEMCACHED_OPT_COMPRESSION_LEVEL:
			client->compression_level = number;
			return true;
		case MEMCACHED_OPT_ITEM_SIZE_LIMIT:
			if (number < 0) {
				php_error_docref(NULL, E_WARNING, "ITEM_SIZE_LIMIT must be >= 0");
				return false;
			}
			client->item_size_limit = number;
			return true;
		case MEMCACHED_OPT_SERIALIZER:
			return set_serializer(object, number);
		case MEMCACHED_OPT_USER_FLAGS:
			return set_user_flags(client, number);
		case MEMCACHED_OPT_TLS:
		case MEMCACHED_OPT_TLS_VERIFY:
			/* Not by its number: "on" must not be off. */
			memcached_object_flush(object);
			memcached_client_set_tls(client, option == MEMCACHED_OPT_TLS ? zend_is_true(value) : client->tls,
				option == MEMCACHED_OPT_TLS_VERIFY ? zend_is_true(value) : client->tls_verify);
			return true;
		case MEMCACHED_OPT_TLS_CA:
		case MEMCACHED_OPT_TLS_CERT:
		case MEMCACHED_OPT_TLS_KEY:
		case MEMCACHED_OPT_TLS_NAME:
			return set_tls_text(object, option, value);
		case MEMCACHED_OPT_STORE_RETRY_COUNT:
			client->store_retry_count = number;
			return true;
		default:
			return set_client_option(object, option, number);
	}
}

ZEND_METHOD(Memcached, setOption)
{
	zend_long option;
	zval *value;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_LONG(option)
		Z_PARAM_ZVAL(value)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	RETURN_BOOL(set_option(object, option, value));
}

ZEND_METHOD(Memcached, setOptions)
{
	HashTable *options;
	zend_ulong option;
	zend_string *name;
	bool is_set = true;
	zval *value;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ARRAY_HT(options)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	ZEND_HASH_FOREACH_KEY_VAL(options, option, name, value) {
		if (name != NULL) {
			php_error_docref(NULL, E_WARNING, "invalid configuration option");
			is_set = false;
		} else {
			is_set = set_option(object, (zend_long) option, value) && is_set;
		}
	} ZEND_HASH_FOREACH_END();
	RETURN_BOOL(is_set);
}

/* ---- what needs another protocol, or another library ---- */

static bool is_map(const HashTable *map)
{
	zval *server;

	ZEND_HASH_FOREACH_VAL((HashTable *) map, server) {
		if (zval_get_long(server) < 0) {
			php_error_docref(NULL, E_WARNING, "the map must contain positive integers");
			return false;
		}
	} ZEND_HASH_FOREACH_END();
	return true;
}

ZEND_METHOD(Memcached, setBucket)
{
	HashTable *servers, *forward;
	zend_long replicas;

	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_ARRAY_HT(servers)
		Z_PARAM_ARRAY_HT_OR_NULL(forward)
		Z_PARAM_LONG(replicas)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	if (zend_hash_num_elements(servers) == 0) {
		php_error_docref(NULL, E_WARNING, "server map cannot be empty");
		RETURN_FALSE;
	}
	if (forward != NULL && zend_hash_num_elements(servers) != zend_hash_num_elements(forward)) {
		php_error_docref(NULL, E_WARNING, "forward_map length must match the server_map length");
		RETURN_FALSE;
	}
	if (replicas < 0) {
		php_error_docref(NULL, E_WARNING, "replicas must be larger than zero");
		RETURN_FALSE;
	}
	if (!is_map(servers) || (forward != NULL && !is_map(forward))) {
		RETURN_FALSE;
	}
	memcached_set_code(object, MEMCACHED_NOT_SUPPORTED);
	RETURN_FALSE;
}

ZEND_METHOD(Memcached, setSaslAuthData)
{
	zend_string *user, *password;

	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STR(user)
		Z_PARAM_STR(password)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	if (!memcached_is_binary(object->client)) {
		php_error_docref(NULL, E_WARNING, "SASL is only supported with binary protocol");
		RETURN_FALSE;
	}
	memcached_set_code(object, MEMCACHED_NOT_SUPPORTED);
	RETURN_FALSE;
}

ZEND_METHOD(Memcached, setEncodingKey)
{
	zend_string *key;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(key)
	ZEND_PARSE_PARAMETERS_END();

	MEMCACHED_OBJECT();
	memcached_set_code(object, MEMCACHED_NOT_SUPPORTED);
	RETURN_FALSE;
}

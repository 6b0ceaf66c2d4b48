#define _GNU_SOURCE
#include "memcached_client.h"

#include <pthread.h>
#include <stdlib.h>

#include "../dropin/dropin_bytes.h"

static int persistent_list_entry;

static const char id_prefix[] = "memcached:id=";

enum {
	WEIGHT_MAX = 1000,
	HOST_MAX = 255,
	FOR_EVER_MS = 24 * 3600 * 1000,
	PREFIX_MAX = 128,
	HASHES = 9,
	HSIEH = 7,
	MD5 = 1,
};

/* ---- making and ending ---- */

memcached_client *memcached_client_make(bool is_persistent)
{
	memcached_client *client = pecalloc(1, sizeof(*client), true);

	client->is_persistent = is_persistent;
	client->options[MEMCACHED_CACHE_LOOKUPS] = 1;
	client->options[MEMCACHED_POLL_TIMEOUT] = 5000;
	client->options[MEMCACHED_CONNECT_TIMEOUT] = 4000;
	client->options[MEMCACHED_RETRY_TIMEOUT] = 2;
	client->options[MEMCACHED_SERVER_FAILURE_LIMIT] = 5;
	client->options[MEMCACHED_IO_MSG_WATERMARK] = 500;
	client->options[MEMCACHED_IO_BYTES_WATERMARK] = 65 * 1024;
	client->options[MEMCACHED_CORK] = 1;
	client->compresses = true;
	client->serializer = MEMCACHED_G(serializer);
	client->compression_type = MEMCACHED_G(compression_type);
	client->compression_level = MEMCACHED_G(compression_level);
	client->store_retry_count = MEMCACHED_G(store_retry_count);
	client->item_size_limit = MEMCACHED_G(item_size_limit);
	client->allowed = dropin_allowed(MEMCACHED_G(objects) != NULL ? MEMCACHED_G(objects) : "");
	client->user_flags = -1;
	client->last_server = LRD_NO_SERVER;
	memcached_client_set_tls_as_told(client);
	client->next = MEMCACHED_G(clients);
	if (client->next != NULL) {
		client->next->previous = client;
	}
	MEMCACHED_G(clients) = client;
	return client;
}

void memcached_client_take(memcached_client *client)
{
	lrd_op *ops = client->sent;

	if (UNEXPECTED(ops != NULL)) {
		client->sent = NULL;
		lrd_pool_take(client->pool, ops, client->sent_count);
	}
}

void memcached_client_changed(memcached_client *client)
{
	memcached_client_take(client);
	if (client->pool != NULL) {
		lrd_pool_free(client->pool);
		client->pool = NULL;
	}
}

void memcached_client_reset(memcached_client *client)
{
	memcached_client_changed(client);
	for (uint32_t i = 0; i < client->server_count; i++) {
		free(client->servers[i].host);
	}
	free(client->servers);
	client->servers = NULL;
	client->server_count = 0;
	client->is_weighted = false;
	client->last_server = LRD_NO_SERVER;
}

void memcached_client_free(memcached_client *client)
{
	if (client->previous != NULL) {
		client->previous->next = client->next;
	} else {
		MEMCACHED_G(clients) = client->next;
	}
	if (client->next != NULL) {
		client->next->previous = client->previous;
	}
	memcached_client_reset(client);
	value_allowed_free(client->allowed);
	free(client->prefix);
	for (int i = 0; i < MEMCACHED_TLS_TEXTS; i++) {
		free(client->tls_texts[i]);
	}
	free(client);
}

/* ---- persistent ids ---- */

static zend_string *name_of(const zend_string *id)
{
	return zend_string_concat2(id_prefix, sizeof(id_prefix) - 1, ZSTR_VAL(id), ZSTR_LEN(id));
}

memcached_client *memcached_client_find(const zend_string *id)
{
	zend_string *name = name_of(id);
	const zend_resource *entry = zend_hash_find_ptr(&EG(persistent_list), name);

	zend_string_release(name);
	return entry != NULL && entry->type == persistent_list_entry ? entry->ptr : NULL;
}

void memcached_client_keep(memcached_client *client, const zend_string *id)
{
	zend_string *name = name_of(id);
	zend_resource entry = {.type = persistent_list_entry, .ptr = client};

	GC_SET_REFCOUNT(&entry, 1);
	/* By its bytes: the table outlives the request, so it makes a name of its own. */
	zend_hash_str_update_mem(&EG(persistent_list), ZSTR_VAL(name), ZSTR_LEN(name), &entry, sizeof(entry));
	zend_string_release(name);
}

static ZEND_RSRC_DTOR_FUNC(end_persistent)
{
	if (res->ptr != NULL) {
		memcached_client_free(res->ptr);
		res->ptr = NULL;
	}
}

static void in_child(void)
{
#ifdef ZTS
	if (tsrm_get_ls_cache() == NULL) {
		return;
	}
#endif
	for (memcached_client *client = MEMCACHED_G(clients); client != NULL; client = client->next) {
		if (client->pool != NULL) {
			lrd_pool_forked(client->pool);
		}
	}
}

void memcached_clients_init(int module_number)
{
	static bool watching;           /* MINIT may run more than once; a handler cannot be taken back */

	persistent_list_entry =
		zend_register_list_destructors_ex(NULL, end_persistent, "Memcached persistent connection", module_number);
	if (!watching) {
		watching = pthread_atfork(NULL, NULL, in_child) == 0;
	}
}

void memcached_clients_end_request(void)
{
	memcached_client *next;

	for (memcached_client *client = MEMCACHED_G(clients); client != NULL; client = next) {
		next = client->next;
		/* Its memory was the request's: the next run on the pool closes what is still under way. */
		client->sent = NULL;
		if (!client->is_persistent) {
			memcached_client_free(client);
		}
	}
}

/* ---- servers ---- */

static int by_host_and_port(const void *left, const void *right)
{
	const memcached_server *a = left, *b = right;
	int order = strcmp(a->host, b->host);

	return order != 0 ? order : (int) a->port - (int) b->port;
}

/* The points stay those of this hash, as in the older client, until servers or the distribution change. */
static void make_points(memcached_client *client)
{
	client->points_hash = client->options[MEMCACHED_HASH];
}

static void sort_servers(memcached_client *client)
{
	if (client->options[MEMCACHED_SORT_HOSTS] != 0 && client->server_count > 1) {
		qsort(client->servers, client->server_count, sizeof(*client->servers), by_host_and_port);
	}
}

memcached_code memcached_client_add(
	memcached_client *client, const char *host, zend_long port, zend_long weight, bool is_listed)
{
	if (host[0] == '\0') {
		host = "localhost";
	}
	if (strlen(host) > HOST_MAX || client->server_count >= 1024) {
		return MEMCACHED_INVALID_ARGUMENTS;
	}
	client->servers =
		safe_perealloc(client->servers, client->server_count + 1, sizeof(*client->servers), 0, true);
	memcached_server *server = &client->servers[client->server_count];
	uint16_t short_port = (uint16_t) port;
	bool is_unix = host[0] == '/';
	*server = (memcached_server) {
		.host = pestrdup(host, true),
		.port = is_unix && is_listed ? 0 : short_port != 0 ? short_port : 11211,
		.is_unix = is_unix,
		.weight = (uint32_t) weight != 0 ? (uint32_t) weight : 1,
	};
	client->server_count++;
	client->is_weighted = client->is_weighted || server->weight > 1;
	if (server->weight > 1 && client->options[MEMCACHED_KETAMA] != 0) {
		client->options[MEMCACHED_KETAMA_WEIGHTED] = 1;
	}
	sort_servers(client);
	make_points(client);
	memcached_client_changed(client);
	return MEMCACHED_SUCCESS;
}

/* ---- options ---- */

static bool is_hash(uint64_t value)
{
	return value < HASHES && value != HSIEH;
}

/* What is no hash is the default one, except for HSIEH, which is refused: Debian's library is built without it. */
static memcached_code set_hash(memcached_client *client, uint32_t option, uint64_t value)
{
	if (value == HSIEH) {
		return MEMCACHED_INVALID_ARGUMENTS;
	}
	client->options[option] = is_hash(value) ? value : 0;
	return MEMCACHED_SUCCESS;
}

static memcached_code set_distribution(memcached_client *client, uint64_t value)
{
	if (value > MEMCACHED_VIRTUAL_BUCKET) {
		return MEMCACHED_INVALID_ARGUMENTS;
	}
	client->options[MEMCACHED_DISTRIBUTION] = value;
	client->options[MEMCACHED_KETAMA] = value == MEMCACHED_CONSISTENT || value == MEMCACHED_CONSISTENT_KETAMA
		|| value == MEMCACHED_CONSISTENT_WEIGHTED;
	client->options[MEMCACHED_KETAMA_WEIGHTED] = value == MEMCACHED_CONSISTENT_WEIGHTED;
	client->is_weighted = value == MEMCACHED_CONSISTENT ? false : client->is_weighted;
	make_points(client);
	return MEMCACHED_SUCCESS;
}

static memcached_code set_ketama(memcached_client *client, bool on, bool is_weighted)
{
	uint64_t hash = on && is_weighted ? MD5 : 0;

	client->options[MEMCACHED_HASH] = client->options[MEMCACHED_KETAMA_HASH] = hash;
	set_distribution(client,
		!on ? MEMCACHED_MODULA : is_weighted ? MEMCACHED_CONSISTENT_WEIGHTED : MEMCACHED_CONSISTENT);
	if (on && !is_weighted) {
		/* The same ring, under another number. */
		client->options[MEMCACHED_DISTRIBUTION] = MEMCACHED_CONSISTENT_KETAMA;
	}
	return MEMCACHED_SUCCESS;
}

/* Options whose one value cannot be changed. */
static memcached_code set_fixed(const memcached_client *client, uint32_t option, uint64_t value)
{
	return client->options[option] == value ? MEMCACHED_SUCCESS : MEMCACHED_DEPRECATED;
}

static memcached_code set_number(memcached_client *client, uint32_t option, uint64_t value)
{
	switch (option) {
		case MEMCACHED_POLL_TIMEOUT:
		case MEMCACHED_CONNECT_TIMEOUT:
		case MEMCACHED_RETRY_TIMEOUT:
		case MEMCACHED_SEND_TIMEOUT:
		case MEMCACHED_RECV_TIMEOUT:
		case MEMCACHED_DEAD_TIMEOUT:
			client->options[option] = (uint64_t) (int64_t) (int32_t) value;
			return MEMCACHED_SUCCESS;
		case MEMCACHED_SEND_SIZE:
		case MEMCACHED_RECV_SIZE:
			client->options[option] = (int32_t) value > 0 ? value : 0;
			return MEMCACHED_SUCCESS;
		case MEMCACHED_SERVER_FAILURE_LIMIT:
			if (value == 0) {
				return MEMCACHED_INVALID_ARGUMENTS;
			}
			ZEND_FALLTHROUGH;
		default:
			client->options[option] = (uint32_t) value;
			return MEMCACHED_SUCCESS;
	}
}

static bool is_switch(uint32_t option)
{
	static const uint64_t switches = UINT64_C(1) << MEMCACHED_NO_BLOCK | UINT64_C(1) << MEMCACHED_TCP_NODELAY
		| UINT64_C(1) << MEMCACHED_SUPPORT_CAS | UINT64_C(1) << MEMCACHED_BUFFER_WRITES
		| UINT64_C(1) << MEMCACHED_SORT_HOSTS | UINT64_C(1) << MEMCACHED_VERIFY_KEY
		| UINT64_C(1) << MEMCACHED_BINARY_PROTOCOL | UINT64_C(1) << MEMCACHED_HASH_WITH_PREFIX_KEY
		| UINT64_C(1) << MEMCACHED_NOREPLY | UINT64_C(1) << MEMCACHED_USE_UDP
		| UINT64_C(1) << MEMCACHED_AUTO_EJECT_HOSTS | UINT64_C(1) << MEMCACHED_RANDOMIZE_REPLICA_READ
		| UINT64_C(1) << MEMCACHED_TCP_KEEPALIVE | UINT64_C(1) << MEMCACHED_REMOVE_FAILED_SERVERS;

	return (switches >> option & 1) != 0;
}

static void set_switch(memcached_client *client, uint32_t option, bool on)
{
	client->options[option] = on;
	if (option == MEMCACHED_AUTO_EJECT_HOSTS || option == MEMCACHED_REMOVE_FAILED_SERVERS) {
		client->options[MEMCACHED_AUTO_EJECT_HOSTS] = client->options[MEMCACHED_REMOVE_FAILED_SERVERS] = on;
	} else if (option == MEMCACHED_USE_UDP && on) {
		client->options[MEMCACHED_NOREPLY] = 1;
	} else if (option == MEMCACHED_SORT_HOSTS) {
		sort_servers(client);
	}
}

memcached_code memcached_client_set(memcached_client *client, uint32_t option, uint64_t value)
{
	memcached_code code = MEMCACHED_SUCCESS;

	switch (option) {
		case MEMCACHED_HASH:
		case MEMCACHED_KETAMA_HASH:
			code = set_hash(client, option, value);
			break;
		case MEMCACHED_DISTRIBUTION:
			code = set_distribution(client, value);
			break;
		case MEMCACHED_KETAMA:
		case MEMCACHED_KETAMA_WEIGHTED:
			code = set_ketama(client, value != 0, option == MEMCACHED_KETAMA_WEIGHTED);
			break;
		case MEMCACHED_CACHE_LOOKUPS:
		case MEMCACHED_USER_DATA:
		case MEMCACHED_CORK:
			return set_fixed(client, option, value);
		case MEMCACHED_LOAD_FROM_FILE:
			return value == 0 ? MEMCACHED_SUCCESS : MEMCACHED_INVALID_ARGUMENTS;
		default:
			if (is_switch(option)) {
				set_switch(client, option, value != 0);
			} else {
				code = set_number(client, option, value);
			}
	}
	if (code == MEMCACHED_SUCCESS) {
		memcached_client_changed(client);
	}
	return code;
}

memcached_code memcached_client_set_prefix(memcached_client *client, const char *prefix, size_t size)
{
	if (size >= PREFIX_MAX) {
		return MEMCACHED_KEY_TOO_BIG;
	}
	for (size_t i = 0; i < size && !memcached_is_binary(client); i++) {
		if ((unsigned char) prefix[i] <= 0x20 || (unsigned char) prefix[i] >= 0x7f) {
			return MEMCACHED_BAD_KEY_PROVIDED;
		}
	}
	char *copy = size > 0 ? pestrndup(prefix, size, true) : NULL;
	free(client->prefix);
	client->prefix = copy;
	client->prefix_size = size;
	return MEMCACHED_SUCCESS;
}

/* ---- TLS ---- */

void memcached_client_set_tls(memcached_client *client, bool tls, bool verify)
{
	if (client->tls != tls || client->tls_verify != verify) {
		client->tls = tls;
		client->tls_verify = verify;
		memcached_client_changed(client);
	}
}

void memcached_client_set_tls_text(memcached_client *client, int which, const char *text)
{
	const char *present = client->tls_texts[which] != NULL ? client->tls_texts[which] : "";

	text = text != NULL ? text : "";
	if (strcmp(present, text) != 0) {
		free(client->tls_texts[which]);
		client->tls_texts[which] = text[0] != '\0' ? pestrdup(text, true) : NULL;
		memcached_client_changed(client);
	}
}

void memcached_client_set_tls_as_told(memcached_client *client)
{
	memcached_client_set_tls(client, MEMCACHED_G(tls), MEMCACHED_G(tls_verify));
	memcached_client_set_tls_text(client, MEMCACHED_TLS_CA, MEMCACHED_G(tls_ca));
	memcached_client_set_tls_text(client, MEMCACHED_TLS_CERT, MEMCACHED_G(tls_cert));
	memcached_client_set_tls_text(client, MEMCACHED_TLS_KEY, MEMCACHED_G(tls_key));
	memcached_client_set_tls_text(client, MEMCACHED_TLS_NAME, MEMCACHED_G(tls_name));
}

/* ---- the pool ---- */

static uint32_t milliseconds(uint64_t option)
{
	int64_t ms = (int64_t) option;

	return ms < 0 || ms > FOR_EVER_MS ? FOR_EVER_MS : (uint32_t) ms;
}

/* 0: none, or less. */
static uint32_t seconds_in_ms(uint64_t option)
{
	int64_t seconds = (int64_t) option;

	return seconds <= 0 ? 0 : (uint32_t) MIN(seconds * 1000, FOR_EVER_MS);
}

/* One deadline for what the older client has two for: the longer of them. */
uint32_t memcached_client_timeout(const memcached_client *client)
{
	uint32_t connect = milliseconds(client->options[MEMCACHED_CONNECT_TIMEOUT]);
	uint32_t poll = milliseconds(client->options[MEMCACHED_POLL_TIMEOUT]);

	return MAX(MAX(connect, poll), 1);
}

static const char *ring_of(const memcached_client *client)
{
	switch (client->options[MEMCACHED_DISTRIBUTION]) {
		case MEMCACHED_MODULA:
			return "modula";
		case MEMCACHED_CONSISTENT_WEIGHTED:
			return "ketama";
		default:
			return "consistent";
	}
}

static lrd_pool *make_pool(const memcached_client *client)
{
	static const char *const hashes[HASHES] = {
		"default", "md5", "crc", "fnv1_64", "fnv1a_64", "fnv1_32", "fnv1a_32", "default", "murmur"};
	lrd_pool_server *servers = safe_emalloc(client->server_count, sizeof(*servers), 0);
	const char *ring = ring_of(client);
	char why[LRD_POOL_WHY];
	lrd_pool *pool;

	for (uint32_t i = 0; i < client->server_count; i++) {
		const memcached_server *server = &client->servers[i];
		servers[i] = (lrd_pool_server) {
			.host = {.bytes = server->host, .size = strlen(server->host)},
			.port = server->port,
			.is_unix = server->is_unix,
			.is_tls = client->tls && !server->is_unix,
			.names_port = true,
			.weight = client->is_weighted || strcmp(ring, "ketama") == 0 ? MIN(server->weight, WEIGHT_MAX) : 1,
		};
	}
	lrd_pool_options options = {
		.servers = servers,
		.server_count = client->server_count,
		.ring = ring,
		.hash = strcmp(ring, "ketama") == 0 ? NULL : hashes[client->points_hash],
		.key_hash = hashes[client->options[MEMCACHED_HASH]],
		.timeout_ms = memcached_client_timeout(client),
		.retry_ms = MAX(seconds_in_ms(client->options[MEMCACHED_RETRY_TIMEOUT]), 1),
		.retry_is_fixed = true,
		.allows_doubles = true,
		.failover = client->options[MEMCACHED_REMOVE_FAILED_SERVERS] != 0 ? LRD_FAILOVER_EJECT : LRD_FAILOVER_NONE,
		.failure_limit = (uint32_t) client->options[MEMCACHED_SERVER_FAILURE_LIMIT],
		.out_ms = seconds_in_ms(client->options[MEMCACHED_DEAD_TIMEOUT]),
		.timeout_limit = (uint32_t) client->options[MEMCACHED_SERVER_TIMEOUT_LIMIT],
		.tls_ca_file = client->tls_texts[MEMCACHED_TLS_CA],
		.tls_cert_file = client->tls_texts[MEMCACHED_TLS_CERT],
		.tls_key_file = client->tls_texts[MEMCACHED_TLS_KEY],
		.tls_name = client->tls_texts[MEMCACHED_TLS_NAME],
		.tls_no_verify = !client->tls_verify,
	};
	if (memcached_is_binary(client) && client->options[MEMCACHED_NUMBER_OF_REPLICAS] > 0 && client->server_count > 1) {
		options.failover = LRD_FAILOVER_MIRROR;
	}
	lrd_status status = lrd_pool_open(&options, &pool, why);
	efree(servers);
	if (status != LRD_OK) {
		/* A file that is gone must not end the page of somebody who only wanted a cache. */
		php_error_docref(NULL, E_WARNING, "no server can be asked: %s", why);
		return NULL;
	}
	return pool;
}

lrd_pool *memcached_client_ready(memcached_client *client)
{
	if (client->pool == NULL && client->server_count > 0) {
		client->pool = make_pool(client);
		client->request = MEMCACHED_G(request);
		return client->pool;
	}
	if (UNEXPECTED(client->request != MEMCACHED_G(request)) && client->pool != NULL) {
		client->request = MEMCACHED_G(request);
		lrd_pool_begin_request(client->pool);
	}
	return client->pool;
}

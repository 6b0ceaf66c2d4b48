#include "php_pools.h"

#include "zend_smart_str.h"

#include <stdlib.h>

/* Texts stand with their lengths, so that no two sets of options look alike. */
static void add_text(smart_str *text, const char *value)
{
	if (value == NULL) {
		smart_str_appendc(text, '-');
		return;
	}
	smart_str_append_unsigned(text, strlen(value));
	smart_str_appendc(text, ':');
	smart_str_appends(text, value);
}

static void add_number(smart_str *text, uint32_t value)
{
	smart_str_append_unsigned(text, value);
	smart_str_appendc(text, ',');
}

static zend_string *text_of(const lrd_pool_options *options)
{
	smart_str text = {0};

	for (uint32_t i = 0; i < options->server_count; i++) {
		const lrd_pool_server *server = &options->servers[i];
		add_number(&text, (uint32_t) server->address.size);
		smart_str_appendl(&text, server->address.bytes, server->address.size);
		add_number(&text, server->weight);
	}
	add_number(&text, options->timeout_ms);
	add_number(&text, options->dns_timeout_ms);
	add_number(&text, options->retry_ms);
	add_number(&text, (uint32_t) options->failover);
	add_number(&text, options->has_stubs);
	add_number(&text, options->udp);
	add_number(&text, options->tls_no_verify);
	add_text(&text, options->ring);
	add_text(&text, options->hash);
	add_text(&text, options->user);
	add_text(&text, options->password);
	add_text(&text, options->tls_ca_file);
	add_text(&text, options->tls_cert_file);
	add_text(&text, options->tls_key_file);
	add_text(&text, options->tls_name);
	smart_str_0(&text);
	return text.s;
}

static void free_pool(php_pool *pool)
{
	lrd_pool_free(pool->pool);
	free(pool->servers);
	free(pool);
}

uint32_t php_pools_count(void)
{
	uint32_t count = 0;

	for (const php_pool *pool = LARDER_G(pools); pool != NULL; pool = pool->next) {
		count++;
	}
	return count;
}

/* Frees the last ones of the list, down to `most`, but none that is referred to. */
static void free_oldest(uint32_t most)
{
	for (uint32_t count = php_pools_count(); count > most; count--) {
		php_pool **oldest = NULL;
		for (php_pool **at = &LARDER_G(pools); *at != NULL; at = &(*at)->next) {
			if ((*at)->references == 0) {
				oldest = at;
			}
		}
		if (oldest == NULL) {
			return;
		}
		php_pool *pool = *oldest;
		*oldest = pool->next;
		free_pool(pool);
	}
}

static php_pool *find(const zend_string *text)
{
	for (php_pool **at = &LARDER_G(pools); *at != NULL; at = &(*at)->next) {
		php_pool *pool = *at;
		if (pool->size == ZSTR_LEN(text) && memcmp(pool->text, ZSTR_VAL(text), pool->size) == 0) {
			*at = pool->next;
			return pool;
		}
	}
	return NULL;
}

static php_pool *make(const lrd_pool_options *options, const zend_string *text)
{
	char why[LRD_POOL_WHY];
	lrd_pool *opened;

	lrd_status status = lrd_pool_open(options, &opened, why);
	if (status != LRD_OK) {
		zend_value_error(
			"Larder\\Memcached::__construct(): %s", status == LRD_BAD_OPTION ? why : lrd_status_text(status));
		return NULL;
	}
	php_pool *pool = malloc(sizeof(*pool) + ZSTR_LEN(text));
	php_pool_server *servers = calloc(lrd_pool_size(opened), sizeof(*servers));
	if (pool == NULL || servers == NULL) {
		free(pool);
		free(servers);
		lrd_pool_free(opened);
		zend_throw_error(NULL, "Out of memory");
		return NULL;
	}
	*pool = (php_pool) {
		.pool = opened,
		.servers = servers,
		.udp = options->udp,
		.timeout_ms = options->timeout_ms,
		.hashes_prefix = lrd_pool_hashes_prefix(opened),
		.size = ZSTR_LEN(text),
	};
	memcpy(pool->text, ZSTR_VAL(text), ZSTR_LEN(text));
	return pool;
}

php_pool *php_pools_take(const lrd_pool_options *options)
{
	zend_string *text = text_of(options);
	php_pool *pool = find(text);

	if (pool == NULL) {
		free_oldest(PHP_POOLS_MAX - 1);
		pool = make(options, text);
	}
	zend_string_release(text);
	if (pool != NULL) {
		pool->references++;
		pool->next = LARDER_G(pools);
		LARDER_G(pools) = pool;
	}
	return pool;
}

void php_pools_give(php_pool *pool)
{
	pool->references--;
}

void php_pool_take_sent(php_pool *pool)
{
	lrd_op *ops = pool->sent;

	if (ops != NULL) {
		pool->sent = NULL;
		lrd_pool_take(pool->pool, ops, pool->sent_count);
	}
}

void php_pools_end_request(void)
{
	/* A request that ended by force may have left its objects without a word. */
	for (php_pool *pool = LARDER_G(pools); pool != NULL; pool = pool->next) {
		pool->references = 0;
		pool->begun = false;
		/* Its memory was the request's: the next run closes what is still under way. */
		pool->sent = NULL;
	}
	free_oldest(PHP_POOLS_MAX);
}

void php_pools_forked(void)
{
	for (php_pool *pool = LARDER_G(pools); pool != NULL; pool = pool->next) {
		lrd_pool_forked(pool->pool);
	}
}

void php_pools_close(zend_larder_globals *globals)
{
	while (globals->pools != NULL) {
		php_pool *pool = globals->pools;
		globals->pools = pool->next;
		free_pool(pool);
	}
}

#include "memcache_pool.h"

#include <strings.h>

/* ---- making and ending ---- */

memcache_pool *memcache_pool_make(void)
{
	memcache_pool *pool = ecalloc(1, sizeof(*pool));

	pool->is_standard = MEMCACHE_G(is_standard);
	pool->is_fnv = MEMCACHE_G(is_fnv);
	pool->is_binary = MEMCACHE_G(is_binary);
	pool->compress_threshold = MEMCACHE_G(compress_threshold);
	pool->min_savings = MEMCACHE_SAVINGS;
	return pool;
}

static void give_back(memcache_pool *pool)
{
	if (pool->line != NULL) {
		memcache_line_release(pool->line, pool->members, pool->count);
		pool->line = NULL;
	}
}

void memcache_pool_close(memcache_pool *pool)
{
	give_back(pool);
	for (uint32_t i = 0; i < pool->count; i++) {
		memcache_server_release(pool->members[i].server);
	}
	if (pool->members != NULL) {
		efree(pool->members);
	}
	pool->members = NULL;
	pool->count = 0;
	pool->is_standard = MEMCACHE_G(is_standard);
	pool->is_fnv = MEMCACHE_G(is_fnv);
}

void memcache_pool_free(memcache_pool *pool)
{
	memcache_pool_close(pool);
	if (pool->prefix != NULL) {
		zend_string_release(pool->prefix);
	}
	efree(pool);
}

/* ---- servers ---- */

/* Only where connections are open already: else the line is taken at the first use. */
static void take_anew(memcache_pool *pool, uint32_t count_before)
{
	memcache_line *before = pool->line;

	if (before != NULL) {
		pool->line = memcache_line_take(pool->members, pool->count, pool->is_standard, pool->is_fnv, before);
		memcache_line_release(before, pool->members, count_before);
	}
}

void memcache_pool_changed(memcache_pool *pool)
{
	take_anew(pool, pool->count);
}

uint32_t memcache_pool_add(memcache_pool *pool, const memcache_server_options *options)
{
	pool->members = safe_erealloc(pool->members, pool->count + 1, sizeof(*pool->members), 0);
	pool->members[pool->count] = (memcache_member) {
		.server = memcache_server_take(options),
		.weight = options->weight,
	};
	pool->count++;
	take_anew(pool, pool->count - 1);
	return pool->count - 1;
}

lrd_pool *memcache_pool_ready(memcache_pool *pool)
{
	if (UNEXPECTED(pool->line == NULL)) {
		if (pool->count == 0) {
			return NULL;
		}
		pool->line = memcache_line_take(pool->members, pool->count, pool->is_standard, pool->is_fnv, NULL);
		if (pool->line == NULL) {
			return NULL;
		}
	}
	memcache_line_begin(pool->line);
	return pool->line->pool;
}

static uint32_t find(const memcache_pool *pool, const char *bytes, size_t size)
{
	return lrd_pool_find(pool->line->pool, (lrd_slice) {.bytes = bytes, .size = size});
}

uint32_t memcache_pool_find_next(
	const memcache_pool *pool, const zend_string *key, const unsigned char *tried, uint32_t *index)
{
	char name[MEMCACHE_KEY_MAX + 24];
	uint32_t server;

	do {
		int size = snprintf(name, sizeof(name), "%s-%u", ZSTR_VAL(key), (*index)++);
		server = find(pool, name, (size_t) size);
	} while (tried != NULL && tried[server] != 0 && (zend_long) *index < MEMCACHE_G(max_failover_attempts));
	return server;
}

uint32_t memcache_pool_find(const memcache_pool *pool, const zend_string *key)
{
	uint32_t server = find(pool, ZSTR_VAL(key), ZSTR_LEN(key));
	uint32_t index = 0;

	while (UNEXPECTED(!memcache_pool_is_valid(pool, server)) && MEMCACHE_G(allow_failover) != 0
		&& (zend_long) index < MEMCACHE_G(max_failover_attempts)) {
		server = memcache_pool_find_next(pool, key, NULL, &index);
	}
	return server;
}

/* ---- keys ---- */

static void clean(char *to, const char *from, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		to[i] = (unsigned char) from[i] > ' ' ? from[i] : '_';
	}
}

zend_string *memcache_key_make(const zend_string *prefix, const zend_string *key)
{
	size_t before = prefix != NULL ? MIN(ZSTR_LEN(prefix), MEMCACHE_KEY_MAX) : 0;
	size_t size = MIN(before + ZSTR_LEN(key), MEMCACHE_KEY_MAX);

	if (ZSTR_LEN(key) == 0) {
		return NULL;
	}
	zend_string *made = zend_string_alloc(size, false);
	if (before > 0) {
		clean(ZSTR_VAL(made), ZSTR_VAL(prefix), before);
	}
	clean(ZSTR_VAL(made) + before, ZSTR_VAL(key), size - before);
	ZSTR_VAL(made)[size] = '\0';
	return made;
}

zend_string *memcache_pool_key(const memcache_pool *pool, zval *key)
{
	zend_string *text, *made;

	ZVAL_DEREF(key);
	text = zval_try_get_string(key);
	if (text == NULL) {
		return NULL;
	}
	made = memcache_key_make(pool->prefix, text);
	zend_string_release(text);
	return made;
}

/* ---- the prefix ---- */

static const zend_string *server_name(void)
{
	zval *server, *name;

	zend_is_auto_global_str(ZEND_STRL("_SERVER"));
	server = zend_hash_str_find(&EG(symbol_table), ZEND_STRL("_SERVER"));
	if (server == NULL || Z_TYPE_P(server) != IS_ARRAY) {
		return NULL;
	}
	name = zend_hash_str_find(Z_ARRVAL_P(server), ZEND_STRL("SERVER_NAME"));
	return name != NULL && Z_TYPE_P(name) == IS_STRING ? Z_STR_P(name) : NULL;
}

/* What is left are the last two parts of the name. */
static const char *without_subdomain(const char *name)
{
	int dots = 0;

	for (const char *at = name + strlen(name); at > name; at--) {
		if (*at == '.' && ++dots == 2) {
			return at[1] != '\0' ? at + 1 : name;
		}
	}
	return name;
}

zend_string *memcache_prefix_make(const memcache_prefix *settings)
{
	const char *fixed = settings->fixed != NULL ? settings->fixed : "", *host = "";
	const zend_string *name = settings->has_host ? server_name() : NULL;

	if (name != NULL) {
		host = ZSTR_VAL(name);
		if (settings->removes_www && strncasecmp(host, "www.", 4) == 0) {
			host += 4;
		}
		if (settings->removes_subdomain) {
			host = without_subdomain(host);
		}
	}
	if (*fixed == '\0' && *host == '\0') {
		return NULL;
	}
	return zend_string_concat2(fixed, strlen(fixed), host, strlen(host));
}

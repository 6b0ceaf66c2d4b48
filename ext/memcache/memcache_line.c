#define _GNU_SOURCE
#include "memcache_line.h"

#include <pthread.h>
#include <stdlib.h>

#include "zend_smart_str.h"

enum {
	WEIGHT_MAX = 1000,
	KEPT_MAX = 16,
	UDP_RETRY_MS = 15000,
};

/* ---- making and ending ---- */

/* The shortest time of any server holds for all, as in the older client. */
static uint32_t timeout_ms(const memcache_member *members, uint32_t count)
{
	double shortest = members[0].server->timeout;

	for (uint32_t i = 1; i < count; i++) {
		shortest = MIN(shortest, members[i].server->timeout);
	}
	const double most = 24 * 3600;
	return shortest > most || shortest != shortest ? (uint32_t) (most * 1000) : (uint32_t) MAX(shortest * 1000, 1);
}

static zend_string *name_of(const memcache_member *members, uint32_t count, bool is_standard, bool is_fnv)
{
	smart_str name = {0};

	smart_str_append_printf(&name, "%d %d %u", is_standard, is_fnv, timeout_ms(members, count));
	for (uint32_t i = 0; i < count; i++) {
		const memcache_server *server = members[i].server;
		smart_str_append_printf(&name, "\n%s %d %d " ZEND_LONG_FMT " %d", server->host, (int) server->tcp_port,
			(int) server->udp_port, members[i].weight, server->is_persistent);
	}
	smart_str_0(&name);
	return name.s;
}

/* "tcp://" says nothing; brackets are not the address's. */
static lrd_slice host_of(const memcache_server *server)
{
	static const char scheme[] = "tcp://";
	const char *host = server->host;

	if (strncmp(host, scheme, sizeof(scheme) - 1) == 0) {
		host += sizeof(scheme) - 1;
	}
	size_t size = strlen(host);
	bool has_brackets = size > 2 && host[0] == '[' && host[size - 1] == ']';
	return (lrd_slice) {.bytes = host + has_brackets, .size = size - 2 * has_brackets};
}

static lrd_pool *open_pool(const memcache_member *members, uint32_t count, bool is_standard, bool is_fnv)
{
	lrd_pool_server *servers = safe_emalloc(count, sizeof(*servers), 0);
	char why[LRD_POOL_WHY];
	lrd_pool *pool;

	for (uint32_t i = 0; i < count; i++) {
		const memcache_server *server = members[i].server;
		const char *path = memcache_server_path(server);
		servers[i] = (lrd_pool_server) {
			.host = path != NULL ? (lrd_slice) {.bytes = path, .size = strlen(path)} : host_of(server),
			.port = path != NULL ? 0 : server->tcp_port,
			.is_unix = path != NULL,
			.weight = (uint32_t) MIN(members[i].weight, WEIGHT_MAX),
			.udp_port = server->udp_port,
		};
	}
	/* Which server is down is decided here, and not by the engine: it tries what it is asked to. */
	lrd_pool_options options = {
		.servers = servers,
		.server_count = count,
		.ring = is_standard ? "memcache-standard" : "memcache",
		.hash = is_fnv ? "fnv1a_32" : "crc32",
		.timeout_ms = timeout_ms(members, count),
		.retry_ms = 1,
		.retry_is_fixed = true,
		.udp_retry_ms = UDP_RETRY_MS,
		.allows_doubles = true,
	};
	lrd_status status = lrd_pool_open(&options, &pool, why);
	efree(servers);
	if (status != LRD_OK) {
		zend_throw_error(NULL, "MemcachePool: %s", why);
		return NULL;
	}
	return pool;
}

static void free_line(memcache_line *line)
{
	lrd_pool_free(line->pool);
	free(line->name);
	free(line);
}

static void take_out(memcache_line *line)
{
	if (line->previous != NULL) {
		line->previous->next = line->next;
	} else {
		MEMCACHE_G(lines) = line->next;
	}
	if (line->next != NULL) {
		line->next->previous = line->previous;
	}
}

static void destroy(memcache_line *line)
{
	take_out(line);
	free_line(line);
}

static void put_first(memcache_line *line)
{
	line->previous = NULL;
	line->next = MEMCACHE_G(lines);
	if (line->next != NULL) {
		line->next->previous = line;
	}
	MEMCACHE_G(lines) = line;
}

static memcache_line *find_kept(const zend_string *name)
{
	memcache_line *line = MEMCACHE_G(lines);

	while (line != NULL && (line->is_used || strcmp(line->name, ZSTR_VAL(name)) != 0)) {
		line = line->next;
	}
	return line;
}

/* A server has one connection of a process, unless two pools that have it are in use at once. */
static void adopt(memcache_line *line, const memcache_line *before)
{
	if (before != NULL) {
		lrd_pool_adopt(line->pool, before->pool);
	}
	if (line->persistent == 0) {
		return;
	}
	for (const memcache_line *other = MEMCACHE_G(lines); other != NULL; other = other->next) {
		if (!other->is_used && other != line) {
			lrd_pool_adopt(line->pool, other->pool);
		}
	}
}

memcache_line *memcache_line_take(
	const memcache_member *members, uint32_t count, bool is_standard, bool is_fnv, memcache_line *before)
{
	zend_string *name = name_of(members, count, is_standard, is_fnv);
	memcache_line *line = find_kept(name);

	if (line == NULL) {
		lrd_pool *pool = open_pool(members, count, is_standard, is_fnv);
		if (pool != NULL) {
			line = pecalloc(1, sizeof(*line), true);
			line->pool = pool;
			line->name = pestrndup(ZSTR_VAL(name), ZSTR_LEN(name), true);
			put_first(line);
		}
	}
	zend_string_release(name);
	if (line == NULL) {
		return NULL;
	}
	line->is_used = true;
	line->persistent = 0;
	for (uint32_t i = 0; i < count; i++) {
		line->persistent += members[i].server->is_persistent;
	}
	adopt(line, before);
	return line;
}

/* The one that was not used for the longest time goes, where there are many. */
static void limit_kept(void)
{
	uint32_t kept = 0;
	memcache_line *oldest = NULL;

	for (memcache_line *line = MEMCACHE_G(lines); line != NULL; line = line->next) {
		if (!line->is_used) {
			kept++;
			oldest = line;
		}
	}
	if (kept > KEPT_MAX) {
		destroy(oldest);
	}
}

void memcache_line_release(memcache_line *line, const memcache_member *members, uint32_t count)
{
	if (line->persistent == 0) {
		destroy(line);
		return;
	}
	for (uint32_t i = 0; i < count && i < lrd_pool_size(line->pool); i++) {
		if (!members[i].server->is_persistent) {
			lrd_pool_close_server(line->pool, i);
		}
	}
	line->is_used = false;
	/* To the front: the list is in the order of use. */
	take_out(line);
	put_first(line);
	limit_kept();
}

void memcache_line_begin(memcache_line *line)
{
	if (UNEXPECTED(line->request != MEMCACHE_G(request))) {
		line->request = MEMCACHE_G(request);
		lrd_pool_begin_request(line->pool);
	}
}

/* ---- the process ---- */

static void in_child(void)
{
#ifdef ZTS
	if (tsrm_get_ls_cache() == NULL) {
		return;
	}
#endif
	for (memcache_line *line = MEMCACHE_G(lines); line != NULL; line = line->next) {
		lrd_pool_forked(line->pool);
	}
}

void memcache_lines_init(void)
{
	static bool watching;           /* MINIT may run more than once; a handler cannot be taken back */

	if (!watching) {
		watching = pthread_atfork(NULL, NULL, in_child) == 0;
	}
}

void memcache_lines_free(memcache_line **lines)
{
	memcache_line *next;

	for (memcache_line *line = *lines; line != NULL; line = next) {
		next = line->next;
		free_line(line);
	}
	*lines = NULL;
}

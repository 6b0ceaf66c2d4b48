#define _GNU_SOURCE
#include "lrd_pool_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	TIMEOUT_MS = 250,
	DNS_TIMEOUT_MS = 1000,
	RETRY_MS = 1000,
	TIMEOUT_LIMIT = 2,
	WEIGHT_MAX = 1000,
	LOGIN_MAX = 250,            /* memcached reads "user password" of up to 256 bytes */
	COPIED_BELOW = 512,
	COPIED_BELOW_TLS = 16000,   /* one record where a plain connection has slices */
};

/* Writes why, for use in a return. */
static lrd_status refuse(char why[LRD_POOL_WHY], const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(why, LRD_POOL_WHY, format, arguments);
	va_end(arguments);
	return LRD_BAD_OPTION;
}

/* ---- servers ---- */

static bool are_same(const lrd_address *a, const lrd_address *b)
{
	if (a->is_unix != b->is_unix || a->port != b->port || a->host.size != b->host.size) {
		return false;
	}
	if (a->is_unix) {
		return memcmp(a->host.bytes, b->host.bytes, a->host.size) == 0;
	}
	return strncasecmp(a->host.bytes, b->host.bytes, a->host.size) == 0;
}

static lrd_slice text_of(const lrd_pool_server *server)
{
	return server->host.bytes != NULL ? server->host : server->address;
}

static lrd_status add_server(
	lrd_pool *pool, const lrd_pool_server *server, bool allows_doubles, char why[LRD_POOL_WHY])
{
	const uint32_t number = pool->loop.lane_count;
	char bad[LRD_ADDRESS_WHY];
	lrd_address address;
	const lrd_slice given = text_of(server);
	lrd_slice *name = &pool->names[number];
	name->bytes = memcpy(pool->text + pool->text_size, given.bytes, given.size);
	name->size = given.size;
	pool->text_size += given.size;
	if (server->host.bytes != NULL) {
		address = (lrd_address) {
			.host = *name, .port = server->port, .is_unix = server->is_unix, .is_tls = server->is_tls };
	} else if (!lrd_address_read(*name, &address, bad)) {
		return refuse(why, "%s", bad);
	}
	if (server->weight > WEIGHT_MAX) {
		return refuse(why, "the weight of \"%.*s\" must be from 1 to %d, not %u", (int) name->size, name->bytes,
			WEIGHT_MAX, server->weight);
	}
	if (address.is_tls && !lrd_tls_is_there()) {
		return refuse(why, "\"%.*s\" needs OpenSSL, which this build is without", (int) name->size, name->bytes);
	}
	for (uint32_t i = 0; i < number && !allows_doubles; i++) {
		if (are_same(&pool->loop.lanes[i].conn.address, &address)) {
			return refuse(why, "\"%.*s\" is listed twice", (int) name->size, name->bytes);
		}
	}
	lrd_lane *lane = &pool->loop.lanes[number];
	lrd_conn_init(&lane->conn, &pool->rules, &address);
	lane->server = number;
	pool->udp_ports[number] = server->udp_port;
	pool->has_udp = pool->has_udp || server->udp_port != 0;
	lane->copied_below = address.is_tls ? COPIED_BELOW_TLS : COPIED_BELOW;
	pool->has_tls = pool->has_tls || address.is_tls;
	pool->loop.lane_count++;
	return LRD_OK;
}

/* All the memory that the number of servers decides. */
static bool make_places(lrd_pool *pool, const lrd_pool_options *options)
{
	size_t text = 1;
	for (uint32_t i = 0; i < options->server_count; i++) {
		text += text_of(&options->servers[i]).size;
	}
	pool->text = malloc(text);
	pool->names = calloc(options->server_count, sizeof *pool->names);
	pool->loop.lanes = calloc(options->server_count, sizeof *pool->loop.lanes);
	pool->loop.active = calloc(options->server_count, sizeof(lrd_lane *));
	pool->loop.polled = calloc(options->server_count, sizeof *pool->loop.polled);
	pool->loop.route.tried = calloc(options->server_count, 1);
	pool->weights = calloc(options->server_count, sizeof *pool->weights);
	pool->was_out = calloc(options->server_count, sizeof *pool->was_out);
	pool->names_port = calloc(options->server_count, sizeof *pool->names_port);
	pool->udp = calloc(options->server_count, sizeof(lrd_udp *));
	pool->udp_ports = calloc(options->server_count, sizeof *pool->udp_ports);
	pool->udp_lanes = calloc(options->server_count, sizeof *pool->udp_lanes);
	return pool->weights != NULL && pool->was_out != NULL && pool->names_port != NULL && pool->text != NULL
		&& pool->names != NULL && pool->loop.lanes != NULL && pool->loop.active != NULL && pool->loop.polled != NULL
		&& pool->loop.route.tried != NULL && pool->udp != NULL && pool->udp_ports != NULL
		&& pool->udp_lanes != NULL;
}

static lrd_status add_servers(lrd_pool *pool, const lrd_pool_options *options, char why[LRD_POOL_WHY])
{
	if (options->server_count == 0) {
		return refuse(why, "at least one server is needed");
	}
	if (options->server_count > LRD_SERVERS_MAX) {
		return refuse(why, "%u servers are more than %u", options->server_count, LRD_SERVERS_MAX);
	}
	if (!make_places(pool, options)) {
		return refuse(why, "there is no memory for %u servers", options->server_count);
	}
	for (uint32_t i = 0; i < options->server_count; i++) {
		lrd_status status = add_server(pool, &options->servers[i], options->allows_doubles, why);
		if (status != LRD_OK) {
			return status;
		}
	}
	return LRD_OK;
}

/* ---- the ring ---- */

static lrd_status ring_of(const lrd_pool *pool, lrd_ring **ring)
{
	uint32_t count = pool->loop.lane_count;
	lrd_ring_server *servers = calloc(count, sizeof *servers);
	if (servers == NULL) {
		return LRD_SYSTEM;
	}
	for (uint32_t i = 0; i < count; i++) {
		const lrd_address *address = &pool->loop.lanes[i].conn.address;
		servers[i] = (lrd_ring_server) {
			.host = address->host,
			.port = address->port,
			.weight = pool->weights[i],
			.is_unix = address->is_unix,
			.names_port = pool->names_port[i],
			.is_out = pool->was_out[i],
		};
	}
	lrd_status status = lrd_ring_make(pool->ring_kind, pool->points_hash, servers, count, ring);
	free(servers);
	if (status == LRD_OK && pool->key_hash != NULL) {
		lrd_ring_hash_keys(*ring, pool->key_hash);
	}
	return status;
}

static lrd_status make_ring(lrd_pool *pool, const lrd_pool_options *options, char why[LRD_POOL_WHY])
{
	const char *name = options->ring != NULL ? options->ring : "larder";
	const lrd_ring_kind *kind = lrd_ring_named(name);
	const lrd_hash *hash = options->hash != NULL ? lrd_hash_named(options->hash) : NULL;
	const lrd_hash *key_hash = options->key_hash != NULL ? lrd_hash_named(options->key_hash) : NULL;
	if (kind == NULL) {
		return refuse(why, "there is no ring \"%s\"", name);
	}
	if (options->hash != NULL && hash == NULL) {
		return refuse(why, "there is no hash \"%s\"", options->hash);
	}
	for (uint32_t i = 0; i < options->server_count; i++) {
		pool->weights[i] = options->servers[i].weight != 0 ? options->servers[i].weight : 1;
		pool->names_port[i] = options->servers[i].names_port;
	}
	pool->ring_kind = kind;
	pool->points_hash = hash;
	pool->key_hash = key_hash;
	lrd_status status = ring_of(pool, &pool->ring);
	pool->hashes_prefix = kind->hashes_prefix;
	pool->loop.route.ring = pool->ring;
	pool->loop.route.lanes = pool->loop.lanes;
	pool->loop.route.count = pool->loop.lane_count;
	if (status == LRD_BAD_OPTION) {
		return refuse(
			why, "the ring \"%s\" cannot have the hash \"%s\"", name, options->hash != NULL ? options->hash : "");
	}
	return status == LRD_OK ? LRD_OK
							: refuse(why, "there is no memory for the ring of %u servers", options->server_count);
}

void lrd_pool_eject(lrd_pool *pool)
{
	uint64_t now = lrd_clock_monotonic_ns();
	uint32_t out = 0, changed = 0;
	for (uint32_t i = 0; i < pool->loop.lane_count; i++) {
		bool is_out = lrd_conn_is_out(&pool->loop.lanes[i].conn, now);
		changed += is_out != pool->was_out[i];
		out += is_out;
		pool->was_out[i] = is_out;
	}
	if (changed == 0) {
		return;
	}
	if (pool->ring_of_rest != NULL) {
		lrd_ring_free(pool->ring_of_rest);
		pool->ring_of_rest = NULL;
	}
	bool is_rest = out > 0 && out < pool->loop.lane_count;
	/* Without memory the keys of a server that is out stay its own, and fail. */
	bool is_made = is_rest && ring_of(pool, &pool->ring_of_rest) == LRD_OK;
	pool->loop.route.ring = is_made ? pool->ring_of_rest : pool->ring;
}

/* ---- who we are ---- */

static bool is_plain_word(const char *text, bool may_have_blanks)
{
	for (const unsigned char *at = (const unsigned char *) text; *at != '\0'; at++) {
		if (*at < 0x20 || *at == 0x7f || (*at == ' ' && !may_have_blanks)) {
			return false;
		}
	}
	return text[0] != '\0';
}

/* A server with a password file takes the classic set of any key for the log-in. */
static lrd_status make_login(lrd_pool *pool, const lrd_pool_options *options, char why[LRD_POOL_WHY])
{
	if (options->user == NULL && options->password == NULL) {
		return LRD_OK;
	}
	if (options->user == NULL || options->password == NULL) {
		return refuse(why, "a user and a password must be given together");
	}
	if (!is_plain_word(options->user, false) || !is_plain_word(options->password, true)) {
		return refuse(why,
			"a user's name may not be empty or hold blanks, nor the password be empty, nor either hold control "
			"characters");
	}
	size_t size = strlen(options->user) + 1 + strlen(options->password);
	if (size > LOGIN_MAX) {
		return refuse(why, "user and password may have %d bytes together, not %zu", LOGIN_MAX - 1, size - 1);
	}
	char *text = malloc(size + 64);
	if (text == NULL) {
		return refuse(why, "there is no memory for the password");
	}
	int length = snprintf(text, size + 64, "set auth 0 0 %zu\r\n%s %s\r\n", size, options->user, options->password);
	pool->login = text;
	pool->rules.login = (lrd_slice) { text, (size_t) length };
	return LRD_OK;
}

static lrd_status make_tls(lrd_pool *pool, const lrd_pool_options *options, char why[LRD_POOL_WHY])
{
	const lrd_tls_options tls = {
		.ca_file = options->tls_ca_file,
		.cert_file = options->tls_cert_file,
		.key_file = options->tls_key_file,
		.name = options->tls_name,
		.verify = !options->tls_no_verify,
	};
	char bad[LRD_TLS_WHY];
	if (!pool->has_tls) {
		return LRD_OK;
	}
	lrd_status status = lrd_tls_context_make(&tls, &pool->rules.tls, bad);
	return status == LRD_OK ? LRD_OK : refuse(why, "%s", bad);
}

/* ---- making and ending ---- */

static uint32_t or_else(uint32_t value, uint32_t standard)
{
	return value != 0 ? value : standard;
}

static lrd_status fill(lrd_pool *pool, const lrd_pool_options *options, char why[LRD_POOL_WHY])
{
	pool->rules.timeout_ms = or_else(options->timeout_ms, TIMEOUT_MS);
	pool->rules.wait_ms = pool->rules.timeout_ms;
	pool->rules.dns_timeout_ms = or_else(options->dns_timeout_ms, DNS_TIMEOUT_MS);
	pool->rules.retry_ms = or_else(options->retry_ms, RETRY_MS);
	pool->rules.retry_is_fixed = options->retry_is_fixed;
	pool->rules.timeout_limit = or_else(options->timeout_limit, TIMEOUT_LIMIT);
	if (options->failover == LRD_FAILOVER_EJECT) {
		pool->rules.failure_limit = or_else(options->failure_limit, 1);
		pool->rules.out_ms = or_else(options->out_ms, pool->rules.retry_ms);
	}
	pool->udp_retry_ms = or_else(options->udp_retry_ms, pool->rules.retry_ms);
	pool->failover = options->failover;
	pool->has_udp = pool->udp_is_everywhere = options->udp;
	pool->loop.receiver.rules.has_stubs = options->has_stubs;
	lrd_status status = add_servers(pool, options, why);
	if (status == LRD_OK) {
		status = make_ring(pool, options, why);
	}
	if (status == LRD_OK) {
		status = make_login(pool, options, why);
	}
	if (status == LRD_OK) {
		status = make_tls(pool, options, why);
	}
	pool->loop.route.servers_per_op = 1;
	if (options->failover == LRD_FAILOVER_NEXT || options->failover == LRD_FAILOVER_MIRROR) {
		/* Half of the time is for the first server, the rest for another one. */
		pool->rules.wait_ms = (pool->rules.timeout_ms + 1) / 2;
		pool->loop.route.servers_per_op = options->failover == LRD_FAILOVER_MIRROR ? 2 : pool->loop.lane_count;
	}
	return status;
}

bool lrd_pool_has_tls(void)
{
	return lrd_tls_is_there();
}

lrd_status lrd_pool_open(const lrd_pool_options *options, lrd_pool **pool, char why[LRD_POOL_WHY])
{
	*pool = NULL;
	why[0] = '\0';
	lrd_pool *made = calloc(1, sizeof *made);
	if (made == NULL) {
		return refuse(why, "there is no memory for a pool");
	}
	lrd_status status = fill(made, options, why);
	if (status != LRD_OK) {
		lrd_pool_free(made);
		return status;
	}
	*pool = made;
	return LRD_OK;
}

static void free_login(lrd_pool *pool)
{
	if (pool->login != NULL) {
		explicit_bzero(pool->login, pool->rules.login.size);
		free(pool->login);
	}
}

void lrd_pool_free(lrd_pool *pool)
{
	for (uint32_t i = 0; i < pool->loop.lane_count; i++) {
		lrd_conn_free(&pool->loop.lanes[i].conn);
		if (pool->udp[i] != NULL) {
			lrd_udp_close(pool->udp[i]);
		}
	}
	if (pool->rules.tls != NULL) {
		lrd_tls_context_free(pool->rules.tls);
	}
	if (pool->ring != NULL) {
		lrd_ring_free(pool->ring);
	}
	if (pool->ring_of_rest != NULL) {
		lrd_ring_free(pool->ring_of_rest);
	}
	free_login(pool);
	free(pool->weights);
	free(pool->was_out);
	free(pool->names_port);
	free(pool->text);
	free(pool->names);
	free(pool->loop.lanes);
	free(pool->loop.active);
	free(pool->loop.polled);
	free(pool->loop.route.tried);
	free(pool->loop.receiver.answer);
	free(pool->udp);
	free(pool->udp_ports);
	free(pool->udp_lanes);
	free(pool->copies);
	free(pool);
}

void lrd_pool_begin_request(lrd_pool *pool)
{
	pool->loop.request++;
}

static void drop_all(lrd_pool *pool, bool aloud)
{
	lrd_loop_forget(&pool->loop);
	for (uint32_t i = 0; i < pool->loop.lane_count; i++) {
		lrd_conn_close(&pool->loop.lanes[i].conn, aloud);
		if (pool->udp[i] != NULL) {
			pool->udp_before = lrd_pool_udp_sum(pool->udp_before, pool->udp[i]);
			lrd_udp_close(pool->udp[i]);
			pool->udp[i] = NULL;
		}
	}
	pool->busy = false;
	pool->sent = NULL;
}

void lrd_pool_forked(lrd_pool *pool)
{
	drop_all(pool, false);
}

void lrd_pool_close(lrd_pool *pool)
{
	drop_all(pool, true);
}

/* ---- questions ---- */

bool lrd_pool_hashes_prefix(const lrd_pool *pool)
{
	return pool->hashes_prefix;
}

uint32_t lrd_pool_size(const lrd_pool *pool)
{
	return pool->loop.lane_count;
}

lrd_slice lrd_pool_name(const lrd_pool *pool, uint32_t server)
{
	return pool->names[server];
}

uint32_t lrd_pool_find(const lrd_pool *pool, lrd_slice route)
{
	return lrd_ring_find(pool->loop.route.ring, route.bytes, route.size);
}

const char *lrd_pool_why(const lrd_pool *pool, uint32_t server)
{
	return pool->loop.lanes[server].conn.why;
}

int lrd_pool_error(const lrd_pool *pool, uint32_t server)
{
	return pool->loop.lanes[server].conn.error;
}

bool lrd_pool_is_out(const lrd_pool *pool, uint32_t server)
{
	return lrd_conn_is_out(&pool->loop.lanes[server].conn, lrd_clock_monotonic_ns());
}

bool lrd_pool_is_down(const lrd_pool *pool, uint32_t server)
{
	return lrd_conn_is_down(&pool->loop.lanes[server].conn, lrd_clock_monotonic_ns());
}

uint64_t lrd_pool_connection(const lrd_pool *pool, uint32_t server)
{
	const lrd_conn *conn = &pool->loop.lanes[server].conn;
	return conn->state == LRD_CONN_READY ? conn->counts.connects : 0;
}

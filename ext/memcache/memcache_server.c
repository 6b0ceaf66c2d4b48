#include "memcache_server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- making and ending ---- */

static memcache_server *make(const memcache_server_options *options)
{
	memcache_server *server = pecalloc(1, sizeof(*server), true);

	server->host = pestrndup(ZSTR_VAL(options->host), ZSTR_LEN(options->host), true);
	server->tcp_port = (uint16_t) options->tcp_port;
	server->udp_port = (uint16_t) options->udp_port;
	return server;
}

static memcache_server *find(const memcache_server_options *options)
{
	memcache_server *server = MEMCACHE_G(servers);

	while (server != NULL
		&& (server->tcp_port != (uint16_t) options->tcp_port || server->udp_port != (uint16_t) options->udp_port
			|| strcmp(server->host, ZSTR_VAL(options->host)) != 0)) {
		server = server->next;
	}
	return server;
}

memcache_server *memcache_server_take(const memcache_server_options *options)
{
	bool is_persistent = options->is_persistent && options->status;
	memcache_server *server = is_persistent ? find(options) : NULL;

	if (server == NULL) {
		server = make(options);
		server->is_persistent = is_persistent;
		/* Never failed at any time: with an interval of 0 or more it is tried at once, as in the older client. */
		server->is_failed = !options->status;
		if (is_persistent) {
			server->next = MEMCACHE_G(servers);
			MEMCACHE_G(servers) = server;
		}
	}
	server->timeout = options->timeout;
	server->retry_interval = options->retry_interval;
	server->owners++;
	return server;
}

static void destroy(memcache_server *server)
{
	free(server->host);
	free(server);
}

void memcache_server_release(memcache_server *server)
{
	if (--server->owners == 0 && !server->is_persistent) {
		destroy(server);
	}
}

void memcache_servers_free(memcache_server **servers)
{
	memcache_server *next;

	for (memcache_server *server = *servers; server != NULL; server = next) {
		next = server->next;
		destroy(server);
	}
	*servers = NULL;
}

/* ---- whether it is down ---- */

bool memcache_server_is_valid(const memcache_server *server)
{
	return !server->is_failed
		|| (server->retry_interval >= 0 && time(NULL) >= server->failed_at + (time_t) server->retry_interval);
}

void memcache_server_set_up(memcache_server *server, bool is_up)
{
	server->is_failed = !is_up;
}

bool memcache_server_is_lost(lrd_failure failure)
{
	switch (failure) {
		case LRD_FAILURE_DOWN:
		case LRD_FAILURE_UNRESOLVED:
		case LRD_FAILURE_UNREACHABLE:
		case LRD_FAILURE_TIMED_OUT:
		case LRD_FAILURE_CLOSED:
		case LRD_FAILURE_OUT_OF_STEP:
		case LRD_FAILURE_DENIED:
			return true;
		default:
			return false;
	}
}

void memcache_server_failed(memcache_server *server, lrd_failure failure, int error)
{
	server->is_failed = true;
	server->failed_at = time(NULL);
	server->error = 0;
	switch (failure) {
		case LRD_FAILURE_UNRESOLVED:
			snprintf(server->why, sizeof(server->why),
				"Connection failed: php_network_getaddresses: getaddrinfo for %.128s failed: Name or service not known",
				server->host);
			break;
		case LRD_FAILURE_UNREACHABLE:
		case LRD_FAILURE_DOWN:
			server->error = error != 0 ? error : ETIMEDOUT;
			snprintf(server->why, sizeof(server->why), "Connection failed: %s", strerror(server->error));
			break;
		case LRD_FAILURE_TIMED_OUT:
			snprintf(server->why, sizeof(server->why), "Network timeout");
			break;
		case LRD_FAILURE_CLOSED:
			snprintf(server->why, sizeof(server->why), "Read failed (socket was unexpectedly closed)");
			break;
		case LRD_FAILURE_DENIED:
			snprintf(server->why, sizeof(server->why), "Authentication failed");
			break;
		default:
			snprintf(server->why, sizeof(server->why), "Malformed server response");
	}
}

void memcache_server_went_well(memcache_server *server)
{
	server->is_failed = false;
	server->why[0] = '\0';
}

const char *memcache_server_path(const memcache_server *server)
{
	static const char scheme[] = "unix://";

	return strncmp(server->host, scheme, sizeof(scheme) - 1) == 0 ? server->host + sizeof(scheme) - 1 : NULL;
}

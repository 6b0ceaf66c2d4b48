#define _GNU_SOURCE
#include "pool_world.h"

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SERVERS = 16, ROOMS = 40000, ARGUMENTS = 32 };

/* ---- pools and ops ---- */

lrd_pool *pool_of(lrd_pool_options options, ...)
{
	lrd_pool_server servers[SERVERS];
	char why[LRD_POOL_WHY];
	lrd_pool *pool;
	va_list addresses;
	va_start(addresses, options);
	for (const char *address; (address = va_arg(addresses, const char *)) != NULL;) {
		servers[options.server_count++] = (lrd_pool_server) { .address = { address, strlen(address) }, .weight = 1 };
	}
	va_end(addresses);
	options.servers = servers;
	options.timeout_ms = options.timeout_ms != 0 ? options.timeout_ms : 300;
	if (lrd_pool_open(&options, &pool, why) != LRD_OK) {
		fail_msg("%s", why);
	}
	return pool;
}

lrd_op pool_op(lrd_kind kind, const char *key)
{
	return (lrd_op) { .kind = (uint8_t) kind, .key = { key, strlen(key) }, .route = { key, strlen(key) } };
}

lrd_op set_of(const char *key, const char *value)
{
	lrd_op op = pool_op(LRD_OP_SET, key);
	op.value = (lrd_slice) { value, strlen(value) };
	return op;
}

static char *rooms[ROOMS];
static size_t room_count;

void forget_room(void)
{
	while (room_count > 0) {
		free(rooms[--room_count]);
	}
}

char *room_of_world(void *context, lrd_op *op, size_t size, size_t kept)
{
	(void) context;
	if (room_count == ROOMS) {
		abort();
	}
	char *room = malloc(size > 0 ? size : 1);
	rooms[room_count++] = room;
	if (kept > 0) {
		memcpy(room, op->reply.value, kept);
	}
	return room;
}

void run(lrd_pool *pool, lrd_op *ops, uint32_t count)
{
	forget_room();
	lrd_pool_run(pool, ops, count, 0, room_of_world, NULL);
}

void run_one(lrd_pool *pool, lrd_op *op)
{
	run(pool, op, 1);
}

unsigned run_timed(lrd_pool *pool, lrd_op *ops, uint32_t count)
{
	uint64_t begin = lrd_clock_monotonic_ns();
	run(pool, ops, count);
	return (unsigned) ((lrd_clock_monotonic_ns() - begin) / LRD_MS_NS);
}

void assert_found(const lrd_op *op, const char *value)
{
	assert_int_equal(op->status, LRD_OK);
	assert_int_equal(op->found_size, strlen(value));
	assert_non_null(op->found);
	assert_memory_equal(op->found, value, strlen(value));
}

lrd_pool_counts counts_of(const lrd_pool *pool, uint32_t server)
{
	lrd_pool_counts counts;
	lrd_pool_counted(pool, server, &counts);
	return counts;
}

/* ---- a real server ---- */

struct memcached {
	pid_t process;
	char folder[32];
	char address[80];
	int port;
};

static int free_port(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof at;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *) &at, sizeof at) != 0
		|| getsockname(fd, (struct sockaddr *) &at, &size) != 0) {
		abort();
	}
	close(fd);
	return ntohs(at.sin_port);
}

static void become_memcached(const memcached *server, const char *arguments)
{
	char port[8], path[64], more[256] = "";
	char *words[ARGUMENTS] = { "memcached", "-u", "root", "-t", "2" };
	size_t count = geteuid() == 0 ? 5 : 1;
	/* A test that fails ends nothing by itself. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(port, sizeof port, "%d", server->port);
	snprintf(path, sizeof path, "%s/socket", server->folder);
	if (server->port != 0) {
		char *tcp[] = { "-l", "127.0.0.1", "-p", port };
		memcpy(words + count, tcp, sizeof tcp);
		count += 4;
	} else {
		words[count++] = "-s";
		words[count++] = path;
	}
	if (arguments != NULL) {
		snprintf(more, sizeof more, "%s", arguments);
	}
	for (char *word = strtok(more, " "); word != NULL && count < ARGUMENTS - 1; word = strtok(NULL, " ")) {
		words[count++] = word;
	}
	execvp("memcached", words);
	execv("/usr/bin/memcached", words);
	_exit(127);
}

static bool answers(const memcached *server)
{
	struct sockaddr_in tcp = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t) server->port)
	};
	struct sockaddr_un path = { .sun_family = AF_UNIX };
	snprintf(path.sun_path, sizeof path.sun_path, "%s/socket", server->folder);
	int fd = socket(server->port != 0 ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool is_there = (server->port != 0
		? connect(fd, (struct sockaddr *) &tcp, sizeof tcp)
		: connect(fd, (struct sockaddr *) &path, sizeof path))
		== 0;
	close(fd);
	return is_there;
}

memcached *memcached_start(bool is_tcp, const char *arguments)
{
	return memcached_start_at(is_tcp ? free_port() : 0, arguments);
}

memcached *memcached_start_at(int port, const char *arguments)
{
	memcached *server = calloc(1, sizeof *server);
	if (server == NULL) {
		abort();
	}
	strcpy(server->folder, "/tmp/larder-test-XXXXXX");
	if (mkdtemp(server->folder) == NULL) {
		abort();
	}
	server->port = port;
	if (port != 0) {
		snprintf(server->address, sizeof server->address, "127.0.0.1:%d", server->port);
	} else {
		snprintf(server->address, sizeof server->address, "unix:%s/socket", server->folder);
	}
	server->process = fork();
	if (server->process == 0) {
		become_memcached(server, arguments);
	}
	for (int tries = 0; !answers(server); tries++) {
		if (tries == 500) {
			fail_msg("memcached does not start");
		}
		nanosleep(&(struct timespec) { .tv_nsec = 10000000 }, NULL);
	}
	return server;
}

const char *memcached_address(const memcached *server)
{
	return server->address;
}

int memcached_process(const memcached *server)
{
	return server->process;
}

void memcached_end(memcached *server)
{
	char path[64];
	kill(server->process, SIGKILL);
	waitpid(server->process, NULL, 0);
	snprintf(path, sizeof path, "%s/socket", server->folder);
	unlink(path);
	rmdir(server->folder);
	free(server);
}

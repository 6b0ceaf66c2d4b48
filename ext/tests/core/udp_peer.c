/* What udp_peer.h says. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../core/base/lrd_clock.h"
#include "udp_peer.h"

/* ---- the peer ---- */

void udp_require(bool holds)
{
	if (!holds) {
		abort();
	}
}

void udp_send_raw(peer *p, const void *bytes, size_t size)
{
	udp_require(
		sendto(p->fd, bytes, size, 0, (const struct sockaddr *) &p->client, sizeof p->client) == (ssize_t) size);
}

size_t udp_datagram(char at[1500], unsigned id, unsigned number, unsigned total, const char *payload, size_t size)
{
	const unsigned fields[] = { id, number, total, 0 };
	for (unsigned i = 0; i < 4; i++) {
		at[2 * i] = (char) (fields[i] >> 8);
		at[2 * i + 1] = (char) fields[i];
	}
	memcpy(at + 8, payload, size);
	return size + 8;
}

void udp_send_part(peer *p, unsigned id, unsigned number, unsigned total, const char *payload, size_t size)
{
	char at[1500];
	udp_send_raw(p, at, udp_datagram(at, id, number, total, payload, size));
}

size_t udp_value_of(const char *key, char *at)
{
	size_t size = (size_t) atoi(key + strcspn(key, "0123456789"));
	unsigned seed = 0;
	for (const char *c = key; *c != 0; c++) {
		seed = seed * 31 + (unsigned char) *c;
	}
	for (size_t i = 0; i < size; i++) {
		at[i] = (char) (seed + i * 7);
	}
	return size;
}

size_t udp_reply_to(char *at, const char *key, const char *opaque)
{
	if (key[0] == 'm') {
		return (size_t) sprintf(at, "EN O%s\r\n", opaque);
	}
	size_t size = udp_value_of(key, at + 64);
	size_t head = (size_t) sprintf(at, "VA %zu f5 O%s\r\n", size, opaque);
	memmove(at + head, at + 64, size);
	memcpy(at + head + size, "\r\n", 2);
	return head + size + 2;
}

void udp_send_reply(peer *p, const asked *request, unsigned op)
{
	char at[2000];
	udp_send_part(p, request->id, 0, 1, at, udp_reply_to(at, request->ops[op].key, request->ops[op].opaque));
}

void udp_answer_all(peer *p, const asked *request)
{
	for (unsigned i = 0; i < request->count; i++) {
		udp_send_reply(p, request, i);
	}
}

static void read_request(const char *bytes, size_t size, asked *request)
{
	char text[2000], *rest = text;
	memcpy(text, bytes + 8, size - 8);
	text[size - 8] = 0;
	request->id = (unsigned char) bytes[0] * 256u + (unsigned char) bytes[1];
	request->count = 0;
	for (char *line = strsep(&rest, "\n"); line != NULL && *line != 0; line = strsep(&rest, "\n")) {
		udp_require(
			sscanf(line, "mg %250s v f O%8s", request->ops[request->count].key, request->ops[request->count].opaque)
			== 2);
		request->count++;
	}
}

static void *serve(void *context)
{
	peer *p = context;
	char bytes[2000];
	for (;;) {
		socklen_t length = sizeof p->client;
		struct sockaddr_in from;
		ssize_t size = recvfrom(p->fd, bytes, sizeof bytes, 0, (struct sockaddr *) &from, &length);
		if (size <= 1) {
			return NULL;
		}
		asked *request = malloc(sizeof *request);
		p->client = from;
		read_request(bytes, (size_t) size, request);
		p->datagrams++;
		p->longest = size > p->longest ? (unsigned) size : p->longest;
		p->answer(p, request);
		free(request);
	}
}

peer *udp_peer_start(void (*answer)(peer *, const asked *))
{
	peer *p = calloc(1, sizeof *p);
	socklen_t length = sizeof p->address;
	int buffer = 1 << 20;
	p->answer = answer;
	p->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	p->address = (struct sockaddr_in) { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	setsockopt(p->fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
	assert_int_equal(bind(p->fd, (struct sockaddr *) &p->address, sizeof p->address), 0);
	assert_int_equal(getsockname(p->fd, (struct sockaddr *) &p->address, &length), 0);
	assert_int_equal(pthread_create(&p->thread, NULL, serve, p), 0);
	return p;
}

void udp_peer_stop(peer *p)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_int_equal(sendto(fd, "", 1, 0, (struct sockaddr *) &p->address, sizeof p->address), 1);
	close(fd);
	pthread_join(p->thread, NULL);
	close(p->fd);
	free(p);
}

/* ---- the caller ---- */

lrd_op udp_ops[OPS_MAX];
char udp_keys[OPS_MAX][LRD_WIRE_KEY_MAX + 1];
static char (*rooms)[ROOM_MAX];
unsigned udp_wait_ms = WAIT_MS;

lrd_udp *udp_open_to(const struct sockaddr_in *address)
{
	lrd_udp *udp = lrd_udp_open((const struct sockaddr *) address, sizeof *address, RETRY_MS);
	assert_non_null(udp);
	return udp;
}

void udp_make_op(unsigned i)
{
	lrd_slice key = { udp_keys[i], strlen(udp_keys[i]) };
	udp_ops[i] = (lrd_op) { .kind = LRD_OP_GET, .open = true, .key = key, .opaque = 0xdeadbeef };
	udp_ops[i].request =
		(lrd_request) { .command = LRD_MG, .key = udp_ops[i].key, .with = LRD_ASK_VALUE | LRD_ASK_FLAGS };
	udp_ops[i].reply.code = LRD_CODE_UNANSWERED;
	udp_ops[i].next = &udp_ops[i + 1];
}

void udp_make_ops(unsigned count, const char *form, unsigned first, unsigned step)
{
	for (unsigned i = 0; i < count; i++) {
		snprintf(udp_keys[i], sizeof udp_keys[i], form, first + i * step);
		udp_make_op(i);
	}
	udp_ops[count - 1].next = NULL;
}

char *udp_room(void *context, lrd_op *op, size_t size, size_t kept)
{
	(void) context;
	(void) kept;
	assert_in_range(size, 0, ROOM_MAX);
	return rooms[op - udp_ops];
}

unsigned udp_get(lrd_udp *udp)
{
	uint64_t deadline_ns = lrd_clock_monotonic_ns() + udp_wait_ms * LRD_MS_NS;
	lrd_udp_get(&(lrd_udp_lane) { udp, udp_ops }, 1, deadline_ns, udp_room, NULL);
	unsigned answered = 0;
	for (const lrd_op *op = udp_ops; op != NULL; op = op->next) {
		char value[ROOM_MAX];
		if (op->reply.code == LRD_CODE_NONE) {
			continue;
		}
		answered++;
		if (op->key.bytes[0] == 'm') {
			assert_int_equal(op->reply.code, LRD_CODE_MISS);
			continue;
		}
		assert_int_equal(op->reply.code, LRD_CODE_OK);
		assert_true(op->reply.has_value);
		assert_int_equal(op->reply.flags, 5);
		assert_int_equal(op->reply.size, udp_value_of(op->key.bytes, value));
		assert_memory_equal(op->reply.value, value, op->reply.size);
	}
	return answered;
}

bool udp_is_off(const lrd_udp *udp)
{
	return !lrd_udp_is_on(udp, lrd_clock_monotonic_ns());
}

void udp_nap(unsigned ms)
{
	nanosleep(&(struct timespec) { .tv_nsec = (long) ms * 1000000 }, NULL);
}

int udp_make_rooms(void **state)
{
	(void) state;
	rooms = calloc(OPS_MAX, sizeof *rooms);
	return rooms == NULL;
}

int udp_free_rooms(void **state)
{
	(void) state;
	free(rooms);
	return 0;
}

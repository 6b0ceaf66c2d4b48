/* Gets by datagrams against a scripted peer that reorders, repeats, delays, forges and loses, and against a real memcached. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../core/base/lrd_clock.h"
#include "../../core/client/lrd_proto.h"
#include "../../core/client/lrd_udp.h"

enum { OPS_MAX = 10000, ROOM_MAX = 1400, WAIT_MS = 300, RETRY_MS = 60 };

/* ---- the peer ---- */

/* In the peer's thread, where cmocka cannot jump. */
static void require(bool holds)
{
	if (!holds) {
		abort();
	}
}

typedef struct asked {
	unsigned id;
	unsigned count;
	struct {
		char key[LRD_WIRE_KEY_MAX + 1];
		char opaque[9];
	} ops[64];
} asked;

typedef struct peer {
	int fd;
	pthread_t thread;
	struct sockaddr_in address;
	struct sockaddr_in client;
	void (*answer)(struct peer *peer, const asked *request);
	unsigned datagrams;
	unsigned longest;
	unsigned most_open;         /* asked and not answered yet, at most; for scripts that count */
	asked kept[64];
	unsigned kept_count;
	uint32_t random;
} peer;

static void send_raw(peer *p, const void *bytes, size_t size)
{
	require(sendto(p->fd, bytes, size, 0, (const struct sockaddr *) &p->client, sizeof p->client) == (ssize_t) size);
}

static size_t datagram(char at[1500], unsigned id, unsigned number, unsigned total, const char *payload, size_t size)
{
	const unsigned fields[] = { id, number, total, 0 };
	for (unsigned i = 0; i < 4; i++) {
		at[2 * i] = (char) (fields[i] >> 8);
		at[2 * i + 1] = (char) fields[i];
	}
	memcpy(at + 8, payload, size);
	return size + 8;
}

static void send_part(peer *p, unsigned id, unsigned number, unsigned total, const char *payload, size_t size)
{
	char at[1500];
	send_raw(p, at, datagram(at, id, number, total, payload, size));
}

/* The value of a key that ends in its size: bytes that depend on the key and their place. */
static size_t value_of(const char *key, char *at)
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

static size_t reply_to(char *at, const char *key, const char *opaque)
{
	if (key[0] == 'm') {
		return (size_t) sprintf(at, "EN O%s\r\n", opaque);
	}
	size_t size = value_of(key, at + 64);
	size_t head = (size_t) sprintf(at, "VA %zu f5 O%s\r\n", size, opaque);
	memmove(at + head, at + 64, size);
	memcpy(at + head + size, "\r\n", 2);
	return head + size + 2;
}

static void send_reply(peer *p, const asked *request, unsigned op)
{
	char at[2000];
	send_part(p, request->id, 0, 1, at, reply_to(at, request->ops[op].key, request->ops[op].opaque));
}

static void answer_all(peer *p, const asked *request)
{
	for (unsigned i = 0; i < request->count; i++) {
		send_reply(p, request, i);
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
		require(sscanf(line, "mg %250s v f O%8s", request->ops[request->count].key, request->ops[request->count].opaque) == 2);
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

static peer *peer_start(void (*answer)(peer *, const asked *))
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

static void peer_stop(peer *p)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_int_equal(sendto(fd, "", 1, 0, (struct sockaddr *) &p->address, sizeof p->address), 1);
	close(fd);
	pthread_join(p->thread, NULL);
	close(p->fd);
	free(p);
}

/* ---- the caller ---- */

static lrd_op ops[OPS_MAX];
static char keys[OPS_MAX][LRD_WIRE_KEY_MAX + 1];
static char (*rooms)[ROOM_MAX];
static unsigned wait_ms = WAIT_MS;

static lrd_udp *open_to(const struct sockaddr_in *address)
{
	lrd_udp *udp = lrd_udp_open((const struct sockaddr *) address, sizeof *address, RETRY_MS);
	assert_non_null(udp);
	return udp;
}

static void make_op(unsigned i)
{
	ops[i] = (lrd_op) { .kind = LRD_OP_GET, .open = true, .key = { keys[i], strlen(keys[i]) }, .opaque = 0xdeadbeef };
	ops[i].request = (lrd_request) { .command = LRD_MG, .key = ops[i].key, .with = LRD_ASK_VALUE | LRD_ASK_FLAGS };
	ops[i].reply.code = LRD_CODE_UNANSWERED;
	ops[i].next = &ops[i + 1];
}

/* form: of the key, with the number in it. */
static void make_ops(unsigned count, const char *form, unsigned first, unsigned step)
{
	for (unsigned i = 0; i < count; i++) {
		snprintf(keys[i], sizeof keys[i], form, first + i * step);
		make_op(i);
	}
	ops[count - 1].next = NULL;
}

static char *room(void *context, lrd_op *op, size_t size)
{
	(void) context;
	assert_in_range(size, 0, ROOM_MAX);
	return rooms[op - ops];
}

static unsigned get(lrd_udp *udp)
{
	lrd_udp_get(&(lrd_udp_lane) { udp, ops }, 1, lrd_clock_monotonic_ns() + wait_ms * LRD_MS_NS, room, NULL);
	unsigned answered = 0;
	for (const lrd_op *op = ops; op != NULL; op = op->next) {
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
		assert_int_equal(op->reply.size, value_of(op->key.bytes, value));
		assert_memory_equal(op->reply.value, value, op->reply.size);
	}
	return answered;
}

static bool is_off(const lrd_udp *udp)
{
	return !lrd_udp_is_on(udp, lrd_clock_monotonic_ns());
}

static void nap(unsigned ms)
{
	nanosleep(&(struct timespec) { .tv_nsec = (long) ms * 1000000 }, NULL);
}

/* ---- in order ---- */

static void values_of_every_size_come(void **state)
{
	(void) state;
	peer *p = peer_start(answer_all);
	lrd_udp *udp = open_to(&p->address);
	make_ops(1301, "k%u", 0, 1);
	assert_int_equal(get(udp), 1301);
	const lrd_udp_counts *counts = lrd_udp_counted(udp);
	assert_int_equal(counts->asked, 1301);
	assert_int_equal(counts->answered, 1301);
	assert_int_equal(counts->lost + counts->dropped + counts->fallbacks + counts->long_replies, 0);
	assert_false(is_off(udp));
	lrd_udp_close(udp);
	peer_stop(p);
}

static void a_miss_is_an_answer(void **state)
{
	(void) state;
	peer *p = peer_start(answer_all);
	lrd_udp *udp = open_to(&p->address);
	make_ops(50, "m%u", 0, 1);
	assert_int_equal(get(udp), 50);
	lrd_udp_close(udp);
	peer_stop(p);
}

static void many_ops_share_a_datagram(void **state)
{
	(void) state;
	peer *p = peer_start(answer_all);
	lrd_udp *udp = open_to(&p->address);
	make_ops(100, "key:%u", 100, 1);
	assert_int_equal(get(udp), 100);
	assert_in_range(p->datagrams, 2, 3);
	assert_in_range(p->longest, 1300, 1400);
	make_ops(20, "k%0249u", 0, 1);
	assert_int_equal(get(udp), 20);
	assert_in_range(p->longest, 1300, 1400);
	lrd_udp_close(udp);
	peer_stop(p);
}

/* Answers nothing until the caller must be waiting for it, and then all. */
static void answer_when_it_is_quiet(peer *p, const asked *request)
{
	char probe;
	unsigned open = 0;
	p->kept[p->kept_count++] = *request;
	if (recv(p->fd, &probe, 1, MSG_PEEK | MSG_DONTWAIT) < 0) {
		nap(2);
	}
	for (unsigned i = 0; i < p->kept_count; i++) {
		open += p->kept[i].count;
	}
	p->most_open = open > p->most_open ? open : p->most_open;
	if (recv(p->fd, &probe, 1, MSG_PEEK | MSG_DONTWAIT) < 0) {
		for (unsigned i = 0; i < p->kept_count; i++) {
			answer_all(p, &p->kept[i]);
		}
		p->kept_count = 0;
	}
}

static void what_is_in_flight_is_bounded(void **state)
{
	(void) state;
	peer *p = peer_start(answer_when_it_is_quiet);
	lrd_udp *udp = open_to(&p->address);
	make_ops(1000, "k%u", 1000, 0);
	wait_ms = 2000;
	assert_int_equal(get(udp), 1000);
	wait_ms = WAIT_MS;
	assert_in_range(p->most_open, 64, 128);
	lrd_udp_close(udp);
	peer_stop(p);
}

/* ---- out of order ---- */

static void answer_backwards(peer *p, const asked *request)
{
	p->kept[p->kept_count++] = *request;
	if (p->kept_count == 3) {
		for (unsigned i = 3; i-- > 0;) {
			for (unsigned op = p->kept[i].count; op-- > 0;) {
				send_reply(p, &p->kept[i], op);
			}
		}
	}
}

static void replies_may_come_in_any_order(void **state)
{
	(void) state;
	peer *p = peer_start(answer_backwards);
	lrd_udp *udp = open_to(&p->address);
	make_ops(15, "k%0249u", 100, 3);
	assert_int_equal(get(udp), 15);
	assert_int_equal(p->datagrams, 3);
	lrd_udp_close(udp);
	peer_stop(p);
}

static void answer_twice(peer *p, const asked *request)
{
	for (unsigned i = 0; i < request->count; i++) {
		send_reply(p, request, i);
		send_reply(p, request, i);
	}
}

static void a_repeated_reply_counts_once(void **state)
{
	(void) state;
	peer *p = peer_start(answer_twice);
	lrd_udp *udp = open_to(&p->address);
	make_ops(30, "k%u", 0, 1);
	for (unsigned i = 0; i < 20; i++) {
		assert_int_equal(get(udp), 30);
	}
	assert_int_equal(lrd_udp_counted(udp)->answered, 600);
	assert_in_range(lrd_udp_counted(udp)->dropped, 20 * 29 - 29, 600);
	assert_false(is_off(udp));
	lrd_udp_close(udp);
	peer_stop(p);
}

/* ---- foreign ---- */

static void send_lie(peer *p, unsigned id, const char *opaque)
{
	char line[64];
	send_part(p, id, 0, 1, line, (size_t) sprintf(line, "VA 5 f5 O%s\r\nwrong\r\n", opaque));
}

/* The first request is only kept; the next one meets its late replies, and every mixture of the two. */
static void answer_late(peer *p, const asked *request)
{
	if (p->kept_count == 0) {
		p->kept[p->kept_count++] = *request;
		return;
	}
	for (unsigned i = 0; i < request->count; i++) {
		send_lie(p, p->kept[0].id, p->kept[0].ops[i].opaque);
		send_lie(p, p->kept[0].id, request->ops[i].opaque);
		send_lie(p, request->id, p->kept[0].ops[i].opaque);
		send_lie(p, request->id + 64, request->ops[i].opaque);
		send_reply(p, request, i);
	}
}

static void a_late_reply_is_dropped(void **state)
{
	(void) state;
	peer *p = peer_start(answer_late);
	lrd_udp *udp = open_to(&p->address);
	make_ops(10, "k%u", 10, 1);
	assert_int_equal(get(udp), 0);
	assert_int_equal(lrd_udp_counted(udp)->lost, 10);
	assert_int_equal(get(udp), 10);
	assert_int_equal(lrd_udp_counted(udp)->dropped, 40);
	lrd_udp_close(udp);
	peer_stop(p);
}

static void answer_after_a_stranger(peer *p, const asked *request)
{
	char at[1500], line[64];
	int stranger = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	for (unsigned i = 0; i < request->count; i++) {
		size_t size = (size_t) sprintf(line, "VA 5 f5 O%s\r\nwrong\r\n", request->ops[i].opaque);
		size = datagram(at, request->id, 0, 1, line, size);
		require(sendto(stranger, at, size, 0, (struct sockaddr *) &p->client, sizeof p->client) == (ssize_t) size);
	}
	close(stranger);
	nap(2);
	answer_all(p, request);
}

static void a_stranger_is_not_heard(void **state)
{
	(void) state;
	peer *p = peer_start(answer_after_a_stranger);
	lrd_udp *udp = open_to(&p->address);
	make_ops(10, "k%u", 10, 1);
	assert_int_equal(get(udp), 10);
	assert_int_equal(lrd_udp_counted(udp)->answered, 10);
	lrd_udp_close(udp);
	peer_stop(p);
}

/* Everything that is almost a reply, then the reply. */
static void answer_after_damage(peer *p, const asked *request)
{
	char at[1500], line[200];
	const char *opaque = request->ops[0].opaque;
	size_t size = (size_t) sprintf(line, "VA 5 f5 O%s\r\nwrong\r\n", opaque);
	for (size_t cut = 0; cut < size + 8; cut++) {
		datagram(at, request->id, 0, 1, line, size);
		send_raw(p, at, cut);
	}
	send_part(p, request->id, 1, 1, line, size);
	send_part(p, request->id, 0, 0, line, size);
	send_part(p, request->id + 1, 0, 1, line, size);
	static const char *const forms[] = { "VA 5 f5 O%s\r\nwrong\r\nx", "VA 5 f5 O%s\r\nwrong\rx", "VA 4 f5 O%s\r\nwrong\r\n", "VA 6 f5 O%s\r\nwrong\r\n",
		"EN O%s\r\n\r\n", "HD O%s\r\n", "NF O%s\r\n", "EX O%s\r\n", "VA 5 f5\r\nwrong\r\n", "EN\r\n", "SERVER_ERROR out of memory\r\n" };
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		char wrong[200];
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		send_part(p, request->id, 0, 1, wrong, (size_t) snprintf(wrong, sizeof wrong, forms[i], opaque));
	}
	send_part(p, request->id, 0, 1, "VA 5 f5 O00000000\r\nwrong\r\n", 26);
	/* Of one that is too long, 1,400 bytes look like a reply. */
	memset(at, 'x', sizeof at);
	datagram(at, request->id, 0, 1, line, (size_t) sprintf(line, "VA %u f5 O%s\r\n", 1400 - 8 - 22 - 2, opaque));
	require(strlen(line) == 22);
	memcpy(at + 1398, "\r\n", 2);
	send_raw(p, at, sizeof at);
	answer_all(p, request);
}

static void a_damaged_reply_is_dropped(void **state)
{
	(void) state;
	peer *p = peer_start(answer_after_damage);
	lrd_udp *udp = open_to(&p->address);
	make_ops(1, "k%u", 77, 1);
	assert_int_equal(get(udp), 1);
	assert_int_equal(lrd_udp_counted(udp)->dropped, strlen("VA 5 f5 Oxxxxxxxx\r\nwrong\r\n") + 8 + 3 + 11 + 2);
	lrd_udp_close(udp);
	peer_stop(p);
}

/* ---- long ---- */

/* Two replies of two datagrams each, their ends exchanged: the lengths would fit. */
static void answer_interleaved(peer *p, const asked *request)
{
	char at[2][2000];
	size_t size = reply_to(at[0], request->ops[0].key, request->ops[0].opaque);
	require(reply_to(at[1], request->ops[1].key, request->ops[1].opaque) == size);
	send_part(p, request->id, 0, 2, at[0], 1000);
	send_part(p, request->id, 0, 2, at[1], 1000);
	send_part(p, request->id, 1, 2, at[1] + 1000, size - 1000);
	send_part(p, request->id, 1, 2, at[0] + 1000, size - 1000);
	/* A part of a value that looks like a reply. */
	send_part(p, request->id, 1, 2, at[0], (size_t) sprintf(at[0], "EN O%s\r\n", request->ops[2].opaque));
	send_reply(p, request, 2);
}

static void long_replies_are_left_and_not_spliced(void **state)
{
	(void) state;
	peer *p = peer_start(answer_interleaved);
	lrd_udp *udp = open_to(&p->address);
	for (unsigned i = 0; i < 20; i++) {
		make_ops(3, "k%u", 1392, 0);
		strcpy(keys[0], "ka1392");
		strcpy(keys[1], "kb1392");
		strcpy(keys[2], "k77");
		for (unsigned op = 0; op < 3; op++) {
			make_op(op);
		}
		ops[2].next = NULL;
		assert_int_equal(get(udp), 1);
		assert_int_equal(ops[0].reply.code, LRD_CODE_NONE);
		assert_int_equal(ops[1].reply.code, LRD_CODE_NONE);
		assert_int_equal(ops[2].reply.code, LRD_CODE_OK);
	}
	assert_int_equal(lrd_udp_counted(udp)->long_replies, 40);
	assert_int_equal(lrd_udp_counted(udp)->lost + lrd_udp_counted(udp)->fallbacks, 0);
	lrd_udp_close(udp);
	peer_stop(p);
}

/* ---- lost ---- */

static void answer_most(peer *p, const asked *request)
{
	for (unsigned i = 0; i < request->count; i++) {
		p->random = p->random * 1664525u + 1013904223u;
		if (p->random >> 16 > 65536 / 20) {
			send_reply(p, request, i);
		}
	}
}

static void a_loss_turns_it_off_for_a_while(void **state)
{
	(void) state;
	peer *p = peer_start(answer_most);
	lrd_udp *udp = open_to(&p->address);
	make_ops(100, "k%u", 100, 7);
	uint64_t before = lrd_clock_monotonic_ns();
	unsigned answered = get(udp);
	assert_in_range(lrd_clock_monotonic_ns() - before, 40 * LRD_MS_NS, WAIT_MS / 2 * LRD_MS_NS);
	assert_in_range(answered, 80, 99);
	const lrd_udp_counts *counts = lrd_udp_counted(udp);
	assert_int_equal(counts->lost, 100 - answered);
	assert_int_equal(counts->fallbacks, 1);
	assert_true(is_off(udp));
	nap(RETRY_MS + 2);
	assert_false(is_off(udp));
	make_ops(10000, "k%u", 100, 0);
	answered = get(udp);
	assert_in_range(answered, 500, 9999);
	assert_int_equal(counts->fallbacks, 2);
	assert_int_equal(counts->asked, counts->answered + counts->lost);
	assert_int_equal(counts->long_replies + counts->dropped, 0);
	lrd_udp_close(udp);
	peer_stop(p);
}

static void answer_slowly(peer *p, const asked *request)
{
	for (unsigned i = 0; i < request->count; i++) {
		nap(10);
		send_reply(p, request, i);
	}
}

static void a_slow_server_has_lost_nothing(void **state)
{
	(void) state;
	peer *p = peer_start(answer_slowly);
	lrd_udp *udp = open_to(&p->address);
	make_ops(30, "k%u", 10, 1);
	uint64_t before = lrd_clock_monotonic_ns();
	assert_in_range(get(udp), 5, 15);
	assert_in_range(lrd_clock_monotonic_ns() - before, (WAIT_MS / 2 - 10) * LRD_MS_NS, (WAIT_MS / 2 + 40) * LRD_MS_NS);
	assert_int_equal(lrd_udp_counted(udp)->fallbacks, 0);
	assert_false(is_off(udp));
	lrd_udp_close(udp);
	peer_stop(p);
}

static void answer_nothing(peer *p, const asked *request)
{
	(void) p;
	(void) request;
}

static void a_silent_server_does_not_hold_up_the_others(void **state)
{
	(void) state;
	peer *silent = peer_start(answer_nothing), *good = peer_start(answer_all);
	lrd_udp_lane lanes[] = { { open_to(&silent->address), ops }, { open_to(&good->address), ops + 50 } };
	make_ops(2050, "k%u", 10, 0);
	ops[49].next = NULL;
	uint64_t before = lrd_clock_monotonic_ns();
	lrd_udp_get(lanes, 2, before + 3 * WAIT_MS * LRD_MS_NS, room, NULL);
	assert_in_range(lrd_clock_monotonic_ns() - before, 40 * LRD_MS_NS, 200 * LRD_MS_NS);
	assert_int_equal(lrd_udp_counted(lanes[0].udp)->lost, 50);
	assert_true(is_off(lanes[0].udp));
	assert_int_equal(lrd_udp_counted(lanes[1].udp)->answered, 2000);
	assert_false(is_off(lanes[1].udp));
	for (unsigned i = 0; i < 2050; i++) {
		assert_int_equal(ops[i].reply.code, i < 50 ? LRD_CODE_NONE : LRD_CODE_OK);
	}
	lrd_udp_close(lanes[0].udp);
	lrd_udp_close(lanes[1].udp);
	peer_stop(silent);
	peer_stop(good);
}

static void where_nobody_listens_it_is_known_at_once(void **state)
{
	(void) state;
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof address;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, (struct sockaddr *) &address, sizeof address), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *) &address, &length), 0);
	close(fd);
	lrd_udp *udp = open_to(&address);
	make_ops(500, "k%u", 10, 0);
	uint64_t before = lrd_clock_monotonic_ns();
	assert_int_equal(get(udp), 0);
	assert_in_range(lrd_clock_monotonic_ns() - before, 0, 20 * LRD_MS_NS);
	assert_int_equal(lrd_udp_counted(udp)->fallbacks, 1);
	assert_true(is_off(udp));
	lrd_udp_close(udp);
}

/* ---- out of the middle ---- */

static jmp_buf out;

static char *no_room(void *context, lrd_op *op, size_t size)
{
	(void) context;
	(void) op;
	(void) size;
	longjmp(out, 1);
}

static void a_call_may_be_left_from_its_room(void **state)
{
	(void) state;
	peer *p = peer_start(answer_all);
	lrd_udp *udp = open_to(&p->address);
	make_ops(300, "k%u", 10, 1);
	if (setjmp(out) == 0) {
		lrd_udp_get(&(lrd_udp_lane) { udp, ops }, 1, lrd_clock_monotonic_ns() + wait_ms * LRD_MS_NS, no_room, NULL);
		fail();
	}
	make_ops(300, "k%u", 500, 1);
	assert_int_equal(get(udp), 300);
	lrd_udp_close(udp);
	peer_stop(p);
}

static void without_time_nothing_is_asked(void **state)
{
	(void) state;
	peer *p = peer_start(answer_all);
	lrd_udp *udp = open_to(&p->address);
	make_ops(10, "k%u", 10, 1);
	lrd_udp_get(&(lrd_udp_lane) { udp, ops }, 1, lrd_clock_monotonic_ns() - 1, room, NULL);
	assert_int_equal(lrd_udp_counted(udp)->asked + lrd_udp_counted(udp)->fallbacks, 0);
	for (unsigned i = 0; i < 10; i++) {
		assert_int_equal(ops[i].reply.code, LRD_CODE_NONE);
	}
	lrd_udp_close(udp);
	peer_stop(p);
}

/* ---- memcached ---- */

/* A port that is free for both; another process may take it before memcached does: then it is tried again. */
static uint16_t free_port(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof address;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(fd, (struct sockaddr *) &address, sizeof address), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *) &address, &length), 0);
	close(fd);
	return ntohs(address.sin_port);
}

static int connect_to(const struct sockaddr_in *address)
{
	for (unsigned i = 0; i < 100; i++) {
		int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (connect(fd, (const struct sockaddr *) address, sizeof *address) == 0) {
			return fd;
		}
		close(fd);
		nap(10);
	}
	return -1;
}

static pid_t memcached_start(struct sockaddr_in *address, int *fd)
{
	for (unsigned i = 0; i < 3; i++) {
		char port[8];
		*address = (struct sockaddr_in) { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(free_port()) };
		snprintf(port, sizeof port, "%u", ntohs(address->sin_port));
		pid_t pid = fork();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			execlp("memcached", "memcached", "-u", geteuid() == 0 ? "root" : "nobody", "-l", "127.0.0.1", "-p", port, "-U", port, "-t", "4", (char *) NULL);
			_exit(127);
		}
		*fd = connect_to(address);
		if (*fd >= 0) {
			return pid;
		}
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	return 0;
}

static void store(int fd, const char *key)
{
	char line[300], value[ROOM_MAX * 4];
	size_t size = value_of(key, value);
	int length = snprintf(line, sizeof line, "ms %s %zu F5\r\n", key, size);
	assert_int_equal(send(fd, line, (size_t) length, MSG_MORE), length);
	assert_int_equal(send(fd, value, size, MSG_MORE), size);
	assert_int_equal(send(fd, "\r\n", 2, 0), 2);
	assert_int_equal(recv(fd, line, 4, MSG_WAITALL), 4);
	assert_memory_equal(line, "HD\r\n", 4);
}

static void memcached_answers_by_datagrams(void **state)
{
	(void) state;
	struct sockaddr_in address;
	int fd = -1;
	pid_t pid = memcached_start(&address, &fd);
	if (pid == 0) {
		skip();
	}
	lrd_udp *udp = open_to(&address);
	make_ops(1301, "k%u", 0, 1);
	for (unsigned i = 0; i < 1301; i++) {
		store(fd, keys[i]);
	}
	assert_int_equal(get(udp), 1301);
	make_ops(200, "m%u", 0, 1);
	assert_int_equal(get(udp), 200);
	make_ops(100, "k%u", 1280, 2);
	for (unsigned i = 0; i < 100; i++) {
		store(fd, keys[i]);
	}
	unsigned answered = get(udp);
	const lrd_udp_counts *counts = lrd_udp_counted(udp);
	assert_int_equal(counts->long_replies, 100 - answered);
	assert_in_range(answered, 40, 60);
	make_ops(500, "k%u", 100, 1);
	assert_int_equal(get(udp), 500);
	assert_int_equal(counts->lost + counts->fallbacks, 0);
	lrd_udp_close(udp);
	close(fd);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

static int make_rooms(void **state)
{
	(void) state;
	rooms = calloc(OPS_MAX, sizeof *rooms);
	return rooms == NULL;
}

static int free_rooms(void **state)
{
	(void) state;
	free(rooms);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_every_size_come),
		cmocka_unit_test(a_miss_is_an_answer),
		cmocka_unit_test(many_ops_share_a_datagram),
		cmocka_unit_test(what_is_in_flight_is_bounded),
		cmocka_unit_test(replies_may_come_in_any_order),
		cmocka_unit_test(a_repeated_reply_counts_once),
		cmocka_unit_test(a_late_reply_is_dropped),
		cmocka_unit_test(a_stranger_is_not_heard),
		cmocka_unit_test(a_damaged_reply_is_dropped),
		cmocka_unit_test(long_replies_are_left_and_not_spliced),
		cmocka_unit_test(a_loss_turns_it_off_for_a_while),
		cmocka_unit_test(a_slow_server_has_lost_nothing),
		cmocka_unit_test(a_silent_server_does_not_hold_up_the_others),
		cmocka_unit_test(where_nobody_listens_it_is_known_at_once),
		cmocka_unit_test(a_call_may_be_left_from_its_room),
		cmocka_unit_test(without_time_nothing_is_asked),
		cmocka_unit_test(memcached_answers_by_datagrams),
	};
	return cmocka_run_group_tests_name("udp", tests, make_rooms, free_rooms);
}

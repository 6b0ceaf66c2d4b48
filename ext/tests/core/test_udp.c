/* Gets by datagrams against a peer that reorders, repeats, delays, forges and damages. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../core/base/lrd_clock.h"
#include "udp_peer.h"

/* ---- in order ---- */

static void values_of_every_size_come(void **state)
{
	(void) state;
	peer *p = udp_peer_start(udp_answer_all);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(1301, "k%u", 0, 1);
	assert_int_equal(udp_get(udp), 1301);
	const lrd_udp_counts *counts = lrd_udp_counted(udp);
	assert_int_equal(counts->asked, 1301);
	assert_int_equal(counts->answered, 1301);
	assert_int_equal(counts->lost + counts->dropped + counts->fallbacks + counts->long_replies, 0);
	assert_false(udp_is_off(udp));
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

static void a_miss_is_an_answer(void **state)
{
	(void) state;
	peer *p = udp_peer_start(udp_answer_all);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(50, "m%u", 0, 1);
	assert_int_equal(udp_get(udp), 50);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

static void many_ops_share_a_datagram(void **state)
{
	(void) state;
	peer *p = udp_peer_start(udp_answer_all);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(100, "key:%u", 100, 1);
	assert_int_equal(udp_get(udp), 100);
	assert_in_range(p->datagrams, 2, 3);
	assert_in_range(p->longest, 1300, 1400);
	udp_make_ops(20, "k%0249u", 0, 1);
	assert_int_equal(udp_get(udp), 20);
	assert_in_range(p->longest, 1300, 1400);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

/* Answers nothing until the caller must be waiting for it, and then all. */
static void answer_when_it_is_quiet(peer *p, const asked *request)
{
	char probe;
	unsigned open = 0;
	p->kept[p->kept_count++] = *request;
	if (recv(p->fd, &probe, 1, MSG_PEEK | MSG_DONTWAIT) < 0) {
		udp_nap(2);
	}
	for (unsigned i = 0; i < p->kept_count; i++) {
		open += p->kept[i].count;
	}
	p->most_open = open > p->most_open ? open : p->most_open;
	if (recv(p->fd, &probe, 1, MSG_PEEK | MSG_DONTWAIT) < 0) {
		for (unsigned i = 0; i < p->kept_count; i++) {
			udp_answer_all(p, &p->kept[i]);
		}
		p->kept_count = 0;
	}
}

static void what_is_in_flight_is_bounded(void **state)
{
	(void) state;
	peer *p = udp_peer_start(answer_when_it_is_quiet);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(1000, "k%u", 1000, 0);
	udp_wait_ms = 2000;
	assert_int_equal(udp_get(udp), 1000);
	udp_wait_ms = WAIT_MS;
	assert_in_range(p->most_open, 64, 128);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

/* ---- out of order ---- */

static void answer_backwards(peer *p, const asked *request)
{
	p->kept[p->kept_count++] = *request;
	if (p->kept_count == 3) {
		for (unsigned i = 3; i-- > 0;) {
			for (unsigned op = p->kept[i].count; op-- > 0;) {
				udp_send_reply(p, &p->kept[i], op);
			}
		}
	}
}

static void replies_may_come_in_any_order(void **state)
{
	(void) state;
	peer *p = udp_peer_start(answer_backwards);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(15, "k%0249u", 100, 3);
	assert_int_equal(udp_get(udp), 15);
	assert_int_equal(p->datagrams, 3);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

static void answer_twice(peer *p, const asked *request)
{
	for (unsigned i = 0; i < request->count; i++) {
		udp_send_reply(p, request, i);
		udp_send_reply(p, request, i);
	}
}

static void a_repeated_reply_counts_once(void **state)
{
	(void) state;
	peer *p = udp_peer_start(answer_twice);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(30, "k%u", 0, 1);
	for (unsigned i = 0; i < 20; i++) {
		assert_int_equal(udp_get(udp), 30);
	}
	assert_int_equal(lrd_udp_counted(udp)->answered, 600);
	assert_in_range(lrd_udp_counted(udp)->dropped, 20 * 29 - 29, 600);
	assert_false(udp_is_off(udp));
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

/* ---- foreign ---- */

static void send_lie(peer *p, unsigned id, const char *opaque)
{
	char line[64];
	udp_send_part(p, id, 0, 1, line, (size_t) sprintf(line, "VA 5 f5 O%s\r\nwrong\r\n", opaque));
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
		udp_send_reply(p, request, i);
	}
}

static void a_late_reply_is_dropped(void **state)
{
	(void) state;
	peer *p = udp_peer_start(answer_late);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(10, "k%u", 10, 1);
	assert_int_equal(udp_get(udp), 0);
	assert_int_equal(lrd_udp_counted(udp)->lost, 10);
	assert_int_equal(udp_get(udp), 10);
	assert_int_equal(lrd_udp_counted(udp)->dropped, 40);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

static void answer_after_a_stranger(peer *p, const asked *request)
{
	char at[1500], line[64];
	int stranger = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	for (unsigned i = 0; i < request->count; i++) {
		size_t size = (size_t) sprintf(line, "VA 5 f5 O%s\r\nwrong\r\n", request->ops[i].opaque);
		size = udp_datagram(at, request->id, 0, 1, line, size);
		udp_require(sendto(stranger, at, size, 0, (struct sockaddr *) &p->client, sizeof p->client) == (ssize_t) size);
	}
	close(stranger);
	udp_nap(2);
	udp_answer_all(p, request);
}

static void a_stranger_is_not_heard(void **state)
{
	(void) state;
	peer *p = udp_peer_start(answer_after_a_stranger);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(10, "k%u", 10, 1);
	assert_int_equal(udp_get(udp), 10);
	assert_int_equal(lrd_udp_counted(udp)->answered, 10);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

/* Everything that is almost a reply, then the reply. */
static void answer_after_damage(peer *p, const asked *request)
{
	char at[1500], line[200];
	const char *opaque = request->ops[0].opaque;
	size_t size = (size_t) sprintf(line, "VA 5 f5 O%s\r\nwrong\r\n", opaque);
	for (size_t cut = 0; cut < size + 8; cut++) {
		udp_datagram(at, request->id, 0, 1, line, size);
		udp_send_raw(p, at, cut);
	}
	udp_send_part(p, request->id, 1, 1, line, size);
	udp_send_part(p, request->id, 0, 0, line, size);
	udp_send_part(p, request->id + 1, 0, 1, line, size);
	static const char *const forms[] = { "VA 5 f5 O%s\r\nwrong\r\nx", "VA 5 f5 O%s\r\nwrong\rx",
		"VA 4 f5 O%s\r\nwrong\r\n", "VA 6 f5 O%s\r\nwrong\r\n", "EN O%s\r\n\r\n", "HD O%s\r\n", "NF O%s\r\n",
		"EX O%s\r\n", "VA 5 f5\r\nwrong\r\n", "EN\r\n", "SERVER_ERROR out of memory\r\n" };
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		char wrong[200];
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		udp_send_part(p, request->id, 0, 1, wrong, (size_t) snprintf(wrong, sizeof wrong, forms[i], opaque));
	}
	udp_send_part(p, request->id, 0, 1, "VA 5 f5 O00000000\r\nwrong\r\n", 26);
	/* Of one that is too long, 1,400 bytes look like a reply. */
	memset(at, 'x', sizeof at);
	udp_datagram(at, request->id, 0, 1, line, (size_t) sprintf(line, "VA %u f5 O%s\r\n", 1400 - 8 - 22 - 2, opaque));
	udp_require(strlen(line) == 22);
	memcpy(at + 1398, "\r\n", 2);
	udp_send_raw(p, at, sizeof at);
	udp_answer_all(p, request);
}

static void a_damaged_reply_is_dropped(void **state)
{
	(void) state;
	peer *p = udp_peer_start(answer_after_damage);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(1, "k%u", 77, 1);
	assert_int_equal(udp_get(udp), 1);
	assert_int_equal(lrd_udp_counted(udp)->dropped, strlen("VA 5 f5 Oxxxxxxxx\r\nwrong\r\n") + 8 + 3 + 11 + 2);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

/* ---- long ---- */

/* Two replies of two datagrams each, their ends exchanged: the lengths would fit. */
static void answer_interleaved(peer *p, const asked *request)
{
	char at[2][2000];
	size_t size = udp_reply_to(at[0], request->ops[0].key, request->ops[0].opaque);
	udp_require(udp_reply_to(at[1], request->ops[1].key, request->ops[1].opaque) == size);
	udp_send_part(p, request->id, 0, 2, at[0], 1000);
	udp_send_part(p, request->id, 0, 2, at[1], 1000);
	udp_send_part(p, request->id, 1, 2, at[1] + 1000, size - 1000);
	udp_send_part(p, request->id, 1, 2, at[0] + 1000, size - 1000);
	/* A part of a value that looks like a reply. */
	udp_send_part(p, request->id, 1, 2, at[0], (size_t) sprintf(at[0], "EN O%s\r\n", request->ops[2].opaque));
	udp_send_reply(p, request, 2);
}

static void long_replies_are_left_and_not_spliced(void **state)
{
	(void) state;
	peer *p = udp_peer_start(answer_interleaved);
	lrd_udp *udp = udp_open_to(&p->address);
	for (unsigned i = 0; i < 20; i++) {
		udp_make_ops(3, "k%u", 1392, 0);
		strcpy(udp_keys[0], "ka1392");
		strcpy(udp_keys[1], "kb1392");
		strcpy(udp_keys[2], "k77");
		for (unsigned op = 0; op < 3; op++) {
			udp_make_op(op);
		}
		udp_ops[2].next = NULL;
		assert_int_equal(udp_get(udp), 1);
		assert_int_equal(udp_ops[0].reply.code, LRD_CODE_NONE);
		assert_int_equal(udp_ops[1].reply.code, LRD_CODE_NONE);
		assert_int_equal(udp_ops[2].reply.code, LRD_CODE_OK);
	}
	assert_int_equal(lrd_udp_counted(udp)->long_replies, 40);
	assert_int_equal(lrd_udp_counted(udp)->lost + lrd_udp_counted(udp)->fallbacks, 0);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

/* ---- out of the middle ---- */

static jmp_buf out;

static char *no_room(void *context, lrd_op *op, size_t size, size_t kept)
{
	(void) context;
	(void) op;
	(void) size;
	(void) kept;
	longjmp(out, 1);
}

static void a_call_may_be_left_from_its_room(void **state)
{
	(void) state;
	peer *p = udp_peer_start(udp_answer_all);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(300, "k%u", 10, 1);
	if (setjmp(out) == 0) {
		lrd_udp_get(
			&(lrd_udp_lane) { udp, udp_ops }, 1, lrd_clock_monotonic_ns() + udp_wait_ms * LRD_MS_NS, no_room, NULL);
		fail();
	}
	udp_make_ops(300, "k%u", 500, 1);
	assert_int_equal(udp_get(udp), 300);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

static void without_time_nothing_is_asked(void **state)
{
	(void) state;
	peer *p = udp_peer_start(udp_answer_all);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(10, "k%u", 10, 1);
	lrd_udp_get(&(lrd_udp_lane) { udp, udp_ops }, 1, lrd_clock_monotonic_ns() - 1, udp_room, NULL);
	assert_int_equal(lrd_udp_counted(udp)->asked + lrd_udp_counted(udp)->fallbacks, 0);
	for (unsigned i = 0; i < 10; i++) {
		assert_int_equal(udp_ops[i].reply.code, LRD_CODE_NONE);
	}
	lrd_udp_close(udp);
	udp_peer_stop(p);
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
		cmocka_unit_test(a_call_may_be_left_from_its_room),
		cmocka_unit_test(without_time_nothing_is_asked),
	};
	return cmocka_run_group_tests_name("udp", tests, udp_make_rooms, udp_free_rooms);
}

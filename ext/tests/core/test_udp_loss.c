/* Gets by datagrams where some get lost, or all of them, or none by a real memcached. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../core/base/lrd_clock.h"
#include "udp_peer.h"

/* ---- lost ---- */

static void answer_most(peer *p, const asked *request)
{
	for (unsigned i = 0; i < request->count; i++) {
		p->random = p->random * 1664525u + 1013904223u;
		if (p->random >> 16 > 65536 / 20) {
			udp_send_reply(p, request, i);
		}
	}
}

static void a_loss_turns_it_off_for_a_while(void **state)
{
	(void) state;
	peer *p = udp_peer_start(answer_most);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(100, "k%u", 100, 7);
	uint64_t before = lrd_clock_monotonic_ns();
	unsigned answered = udp_get(udp);
	assert_in_range(lrd_clock_monotonic_ns() - before, 40 * LRD_MS_NS, WAIT_MS / 2 * LRD_MS_NS);
	assert_in_range(answered, 80, 99);
	const lrd_udp_counts *counts = lrd_udp_counted(udp);
	assert_int_equal(counts->lost, 100 - answered);
	assert_int_equal(counts->fallbacks, 1);
	assert_true(udp_is_off(udp));
	udp_nap(RETRY_MS + 2);
	assert_false(udp_is_off(udp));
	udp_make_ops(10000, "k%u", 100, 0);
	answered = udp_get(udp);
	assert_in_range(answered, 500, 9999);
	assert_int_equal(counts->fallbacks, 2);
	assert_int_equal(counts->asked, counts->answered + counts->lost);
	assert_int_equal(counts->long_replies + counts->dropped, 0);
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

static void answer_slowly(peer *p, const asked *request)
{
	for (unsigned i = 0; i < request->count; i++) {
		udp_nap(10);
		udp_send_reply(p, request, i);
	}
}

static void a_slow_server_has_lost_nothing(void **state)
{
	(void) state;
	peer *p = udp_peer_start(answer_slowly);
	lrd_udp *udp = udp_open_to(&p->address);
	udp_make_ops(30, "k%u", 10, 1);
	uint64_t before = lrd_clock_monotonic_ns();
	assert_in_range(udp_get(udp), 5, 15);
	assert_in_range(lrd_clock_monotonic_ns() - before, (WAIT_MS / 2 - 10) * LRD_MS_NS, WAIT_MS * LRD_MS_NS);
	assert_int_equal(lrd_udp_counted(udp)->fallbacks, 0);
	assert_false(udp_is_off(udp));
	lrd_udp_close(udp);
	udp_peer_stop(p);
}

static void answer_nothing(peer *p, const asked *request)
{
	(void) p;
	(void) request;
}

static void a_silent_server_does_not_hold_up_the_others(void **state)
{
	(void) state;
	peer *silent = udp_peer_start(answer_nothing), *good = udp_peer_start(udp_answer_all);
	lrd_udp_lane lanes[] = { { udp_open_to(&silent->address), udp_ops },
		{ udp_open_to(&good->address), udp_ops + 50 } };
	udp_make_ops(2050, "k%u", 10, 0);
	udp_ops[49].next = NULL;
	uint64_t before = lrd_clock_monotonic_ns();
	lrd_udp_get(lanes, 2, before + 3 * WAIT_MS * LRD_MS_NS, udp_room, NULL);
	/* The others' answers are not kept until the deadline. */
	assert_in_range(lrd_clock_monotonic_ns() - before, 40 * LRD_MS_NS, 3 * WAIT_MS / 2 * LRD_MS_NS);
	assert_int_equal(lrd_udp_counted(lanes[0].udp)->lost, 50);
	assert_true(udp_is_off(lanes[0].udp));
	assert_int_equal(lrd_udp_counted(lanes[1].udp)->answered, 2000);
	assert_false(udp_is_off(lanes[1].udp));
	for (unsigned i = 0; i < 2050; i++) {
		assert_int_equal(udp_ops[i].reply.code, i < 50 ? LRD_CODE_NONE : LRD_CODE_OK);
	}
	lrd_udp_close(lanes[0].udp);
	lrd_udp_close(lanes[1].udp);
	udp_peer_stop(silent);
	udp_peer_stop(good);
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
	lrd_udp *udp = udp_open_to(&address);
	udp_make_ops(500, "k%u", 10, 0);
	uint64_t before = lrd_clock_monotonic_ns();
	assert_int_equal(udp_get(udp), 0);
	assert_in_range(lrd_clock_monotonic_ns() - before, 0, WAIT_MS / 3 * LRD_MS_NS);
	assert_int_equal(lrd_udp_counted(udp)->fallbacks, 1);
	assert_true(udp_is_off(udp));
	lrd_udp_close(udp);
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
		udp_nap(10);
	}
	return -1;
}

static pid_t memcached_start(struct sockaddr_in *address, int *fd)
{
	for (unsigned i = 0; i < 3; i++) {
		char port[8];
		*address = (struct sockaddr_in) {
			.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(free_port())
		};
		snprintf(port, sizeof port, "%u", ntohs(address->sin_port));
		pid_t pid = fork();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			execlp("memcached", "memcached", "-u", geteuid() == 0 ? "root" : "nobody", "-l", "127.0.0.1", "-p", port,
				"-U", port, "-t", "4", (char *) NULL);
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
	size_t size = udp_value_of(key, value);
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
	lrd_udp *udp = udp_open_to(&address);
	udp_make_ops(1301, "k%u", 0, 1);
	for (unsigned i = 0; i < 1301; i++) {
		store(fd, udp_keys[i]);
	}
	assert_int_equal(udp_get(udp), 1301);
	udp_make_ops(200, "m%u", 0, 1);
	assert_int_equal(udp_get(udp), 200);
	udp_make_ops(100, "k%u", 1280, 2);
	for (unsigned i = 0; i < 100; i++) {
		store(fd, udp_keys[i]);
	}
	unsigned answered = udp_get(udp);
	const lrd_udp_counts *counts = lrd_udp_counted(udp);
	assert_int_equal(counts->long_replies, 100 - answered);
	assert_in_range(answered, 40, 60);
	udp_make_ops(500, "k%u", 100, 1);
	assert_int_equal(udp_get(udp), 500);
	assert_int_equal(counts->lost + counts->fallbacks, 0);
	lrd_udp_close(udp);
	close(fd);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loss_turns_it_off_for_a_while),
		cmocka_unit_test(a_slow_server_has_lost_nothing),
		cmocka_unit_test(a_silent_server_does_not_hold_up_the_others),
		cmocka_unit_test(where_nobody_listens_it_is_known_at_once),
		cmocka_unit_test(memcached_answers_by_datagrams),
	};
	return cmocka_run_group_tests_name("udp loss", tests, udp_make_rooms, udp_free_rooms);
}

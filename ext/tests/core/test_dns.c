/* Names to addresses: at once, in time, or not at all; with resolvers that are slow, broken or stuck. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../core/base/lrd_clock.h"
#include "../../core/client/lrd_dns.h"

static atomic_bool is_stuck;
static atomic_uint asked;

static lrd_status find(const char *host, uint32_t timeout_ms, lrd_dns_answer *answer)
{
	return lrd_dns_find((lrd_slice) { host, strlen(host) }, 11211, timeout_ms, answer);
}

static void write_address(const lrd_dns_answer *answer, uint32_t at, char room[80])
{
	char host[64] = "", port[8] = "";
	const struct sockaddr *address = (const struct sockaddr *) &answer->found[at].address;
	getnameinfo(address, answer->found[at].size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(room, 80, "%s %s", host, port);
}

/* All that the name stands for, in order, with commas. */
static void expect(const char *host, const char *expected)
{
	lrd_dns_answer answer;
	char all[LRD_DNS_ADDRESSES * 80] = "", one[80];
	assert_int_equal(find(host, 5000, &answer), LRD_OK);
	for (uint32_t at = 0; at < answer.count; at++) {
		write_address(&answer, at, one);
		strcat(strcat(all, at > 0 ? "," : ""), one);
	}
	assert_string_equal(all, expected);
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec) { ms / 1000, ms % 1000 * 1000000 }, NULL);
}

static int resolve_late(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **list)
{
	(void) host;
	atomic_fetch_add(&asked, 1);
	while (atomic_load(&is_stuck)) {
		pause_ms(1);
	}
	return getaddrinfo("192.0.2.7", service, hints, list);
}

static int release(void **state)
{
	(void) state;
	atomic_store(&is_stuck, false);
	for (int turn = 0; turn < 5000 && lrd_dns_left_behind() > 0; turn++) {
		pause_ms(1);
	}
	lrd_dns_set_resolver(NULL);
	return lrd_dns_left_behind() == 0 ? 0 : -1;
}

static void get_stuck(void)
{
	atomic_store(&asked, 0);
	atomic_store(&is_stuck, true);
	lrd_dns_set_resolver(resolve_late);
}

/* Our answers. */
static unsigned count_threads(void)
{
	char line[100];
	unsigned count = 0;
	FILE *status = fopen("/proc/self/status", "r");
	assert_non_null(status);
	while (fgets(line, sizeof line, status) != NULL && sscanf(line, "Threads: %u", &count) != 1) {
	}
	fclose(status);
	return count - 1;
}

/* A thread that was counted may not have begun, and one that is no longer may not have ended. */
static bool comes_to_threads(unsigned expected)
{
	for (int turn = 0; turn < 2000 && count_threads() != expected; turn++) {
		pause_ms(1);
	}
	return count_threads() == expected;
}

static void numeric_addresses_need_no_resolver(void **state)
{
	(void) state;
	get_stuck();
	expect("127.0.0.1", "127.0.0.1 11211");
	expect("255.255.255.254", "255.255.255.254 11211");
	expect("::1", "::1 11211");
	expect("2001:db8::7", "2001:db8::7 11211");
	expect("fe80::1%lo", "fe80::1%lo 11211");
	assert_int_equal(asked, 0);
}

static void a_name_is_found(void **state)
{
	(void) state;
	lrd_dns_answer answer;
	char one[80];
	bool is_there = false;
	assert_int_equal(find("localhost", 5000, &answer), LRD_OK);
	assert_in_range(answer.count, 1, 2);
	for (uint32_t at = 0; at < answer.count; at++) {
		write_address(&answer, at, one);
		is_there = is_there || strcmp(one, "127.0.0.1 11211") == 0 || strcmp(one, "::1 11211") == 0;
	}
	assert_true(is_there);
}

static int resolve_code;

static int resolve_to_code(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **list)
{
	(void) host;
	(void) service;
	(void) hints;
	(void) list;
	errno = ENETDOWN;
	return resolve_code;
}

static void what_fails_is_told(void **state)
{
	(void) state;
	static const struct {
		int code;
		lrd_status status;
		int error;
	} cases[] = {
		{ EAI_NONAME, LRD_MISS, 0 },
		{ EAI_NODATA, LRD_MISS, 0 },
		{ EAI_AGAIN, LRD_SYSTEM, EAGAIN },
		{ EAI_FAIL, LRD_SYSTEM, EIO },
		{ EAI_MEMORY, LRD_SYSTEM, ENOMEM },
		{ EAI_SYSTEM, LRD_SYSTEM, ENETDOWN },
	};
	lrd_dns_set_resolver(resolve_to_code);
	for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
		lrd_dns_answer answer;
		resolve_code = cases[at].code;
		assert_int_equal(find("cache", 5000, &answer), cases[at].status);
		if (cases[at].error != 0) {
			assert_int_equal(errno, cases[at].error);
		}
	}
}

static void a_name_that_cannot_be_is_a_miss(void **state)
{
	(void) state;
	lrd_dns_answer answer;
	char long_name[300];
	memset(long_name, 'a', sizeof long_name);
	long_name[sizeof long_name - 1] = '\0';
	get_stuck();
	assert_int_equal(find("", 5000, &answer), LRD_MISS);
	assert_int_equal(find(long_name, 5000, &answer), LRD_MISS);
	assert_int_equal(lrd_dns_find((lrd_slice) { "127.0.0.1\0x", 11 }, 1, 5000, &answer), LRD_MISS);
	assert_int_equal(lrd_dns_find((lrd_slice) { NULL, 0 }, 1, 5000, &answer), LRD_MISS);
	assert_int_equal(asked, 0);
}

/*
 * With a name server: a miss. Without one: the resolver's word that it could not ask, or a time-out. Never an address.
 */
static void a_name_that_does_not_exist_has_no_address(void **state)
{
	(void) state;
	lrd_dns_answer answer;
	assert_int_not_equal(find("larder-test.invalid", 2000, &answer), LRD_OK);
}

static int resolve_to_many(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **list)
{
	(void) host;
	struct addrinfo **end = list;
	for (int at = 0; at < 24; at++) {
		char address[20];
		/* Each twice. */
		snprintf(address, sizeof address, "192.0.2.%d", at / 2);
		int code = getaddrinfo(address, service, hints, end);
		if (code != 0) {
			return code;
		}
		end = &(*end)->ai_next;
	}
	return 0;
}

static void doubles_are_left_out_and_the_rest_cut(void **state)
{
	(void) state;
	lrd_dns_set_resolver(resolve_to_many);
	expect("cache",
		"192.0.2.0 11211,192.0.2.1 11211,192.0.2.2 11211,192.0.2.3 11211,192.0.2.4 11211,192.0.2.5 11211,192.0.2.6 "
		"11211,192.0.2.7 11211");
}

static void a_slow_resolver_is_not_waited_for(void **state)
{
	(void) state;
	lrd_dns_answer answer;
	get_stuck();
	static const uint32_t patience[] = { 1, 50, 0 };
	for (int at = 0; at < 3; at++) {
		uint64_t before = lrd_clock_monotonic_ns();
		assert_int_equal(find("cache", patience[at], &answer), LRD_TIMEOUT);
		assert_in_range((lrd_clock_monotonic_ns() - before) / LRD_MS_NS, patience[at], patience[at] + 1000);
	}
	assert_int_equal(lrd_dns_left_behind(), 3);
	/* Numeric addresses are as near as ever. */
	expect("127.0.0.1", "127.0.0.1 11211");
}

static void a_hundred_time_outs_leave_four_threads(void **state)
{
	(void) state;
	lrd_dns_answer answer;
	get_stuck();
	uint64_t start = lrd_clock_monotonic_ns();
	for (int at = 0; at < 100; at++) {
		assert_int_equal(find("cache", 50, &answer), LRD_TIMEOUT);
	}
	/* Four waited, the others were told at once. */
	assert_in_range((lrd_clock_monotonic_ns() - start) / LRD_MS_NS, 4 * 50, 40 * 50);
	assert_int_equal(lrd_dns_left_behind(), 4);
	assert_true(comes_to_threads(4));
	assert_int_equal(asked, 4);
	release(NULL);
	assert_true(comes_to_threads(0));
	lrd_dns_set_resolver(resolve_late);
	expect("cache", "192.0.2.7 11211");
}

static void a_child_begins_with_no_thread_left_behind(void **state)
{
	(void) state;
	lrd_dns_answer answer;
	int status;
	get_stuck();
	for (int at = 0; at < 4; at++) {
		assert_int_equal(find("cache", 1, &answer), LRD_TIMEOUT);
	}
	pid_t child = fork();
	if (child == 0) {
		alarm(10);
		atomic_store(&is_stuck, false);
		_exit(find("cache", 5000, &answer) == LRD_OK && lrd_dns_left_behind() == 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(lrd_dns_left_behind(), 4);
}

static pthread_t signalled;

static void note_thread(int signal)
{
	(void) signal;
	signalled = pthread_self();
}

/* Signals come to the process's own thread: PHP's handlers look at that thread's globals. */
static void the_thread_takes_no_signal(void **state)
{
	(void) state;
	lrd_dns_answer answer;
	sigset_t blocked, before;
	get_stuck();
	assert_int_equal(find("cache", 1, &answer), LRD_TIMEOUT);
	signal(SIGUSR1, note_thread);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &blocked, &before);
	kill(getpid(), SIGUSR1);
	pause_ms(50);
	assert_int_equal(signalled, 0);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	assert_true(pthread_equal(signalled, pthread_self()));
	assert_false(sigismember(&before, SIGUSR1));
	signal(SIGUSR1, SIG_DFL);
}

/* The last one frees: the time-out falls before, after and into the answer. */
static int resolve_soon(const char *host, const char *service, const struct addrinfo *hints, struct addrinfo **list)
{
	unsigned turn = atomic_fetch_add(&asked, 1);
	nanosleep(&(struct timespec) { 0, (long) (turn % 20) * 100000 }, NULL);
	return resolve_late(host, service, hints, list);
}

static void an_answer_at_the_last_moment_is_whole_or_not_there(void **state)
{
	(void) state;
	unsigned found = 0, late = 0;
	atomic_store(&asked, 0);
	lrd_dns_set_resolver(resolve_soon);
	for (int at = 0; at < 400; at++) {
		lrd_dns_answer answer = { 0 };
		lrd_status status = find("cache", 1, &answer);
		if (status == LRD_OK) {
			char one[80];
			assert_int_equal(answer.count, 1);
			write_address(&answer, 0, one);
			assert_string_equal(one, "192.0.2.7 11211");
			found++;
		} else {
			assert_int_equal(status, LRD_TIMEOUT);
			assert_int_equal(answer.count, 0);
			late++;
		}
		assert_in_range(lrd_dns_left_behind(), 0, 4);
	}
	assert_int_not_equal(found, 0);
	assert_int_not_equal(late, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(numeric_addresses_need_no_resolver, release),
		cmocka_unit_test_teardown(a_name_is_found, release),
		cmocka_unit_test_teardown(what_fails_is_told, release),
		cmocka_unit_test_teardown(a_name_that_cannot_be_is_a_miss, release),
		cmocka_unit_test_teardown(a_name_that_does_not_exist_has_no_address, release),
		cmocka_unit_test_teardown(doubles_are_left_out_and_the_rest_cut, release),
		cmocka_unit_test_teardown(a_slow_resolver_is_not_waited_for, release),
		cmocka_unit_test_teardown(a_hundred_time_outs_leave_four_threads, release),
		cmocka_unit_test_teardown(a_child_begins_with_no_thread_left_behind, release),
		cmocka_unit_test_teardown(the_thread_takes_no_signal, release),
		cmocka_unit_test_teardown(an_answer_at_the_last_moment_is_whole_or_not_there, release),
	};
	/* Where no name server answers, that is known in a second. */
	setenv("RES_OPTIONS", "timeout:1 attempts:1", 1);
	return cmocka_run_group_tests_name("dns", tests, NULL, NULL);
}

/* Pools of real memcached servers: all kinds of connections, many keys, large values, failover. */
#define _GNU_SOURCE
#include "pool_world.h"

#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <openssl/pem.h>

#include "../../core/client/lrd_pool_parts.h"
#include "tls_peer.h"

enum { MANY = 10000, LARGE = 10000 };

static char names[MANY][16];
static char large[LARGE + MANY];

static lrd_op *ops_of(lrd_kind kind, uint32_t count, size_t size)
{
	lrd_op *ops = calloc(count, sizeof *ops);
	assert_non_null(ops);
	for (uint32_t i = 0; i < count; i++) {
		ops[i] = pool_op(kind, names[i]);
		if (kind == LRD_OP_SET) {
			ops[i].value = (lrd_slice) { large + i, size };
		}
		ops[i].by = 1;
	}
	return ops;
}

static void assert_all(const lrd_op *ops, uint32_t count, lrd_status status)
{
	for (uint32_t i = 0; i < count; i++) {
		if (ops[i].status != status || ops[i].open) {
			fail_msg("op %u: status %d, failure %d", i, ops[i].status, ops[i].failure);
		}
	}
}

static void assert_all_found(const lrd_op *ops, uint32_t count, size_t size)
{
	assert_all(ops, count, LRD_OK);
	for (uint32_t i = 0; i < count; i++) {
		if (ops[i].found_size != size || memcmp(ops[i].found, large + i, size) != 0) {
			fail_msg("op %u: another value", i);
		}
	}
}

/* Sets, gets both ways, counts and deletes; each value is different from its neighbours'. */
static void try_all(lrd_pool *pool, uint32_t count, size_t size)
{
	lrd_op *ops = ops_of(LRD_OP_SET, count, size);
	run(pool, ops, count);
	assert_all(ops, count, LRD_OK);
	free(ops);
	for (int versions = 0; versions < 2; versions++) {
		ops = ops_of(LRD_OP_GET, count, 0);
		for (uint32_t i = 0; i < count; i++) {
			ops[i].wants_version = versions;
		}
		run(pool, ops, count);
		assert_all_found(ops, count, size);
		free(ops);
	}
	ops = ops_of(LRD_OP_ADD_NUMBER, count, 0);
	run(pool, ops, count);
	assert_all(ops, count, LRD_NOT_A_NUMBER);
	free(ops);
	for (int again = 0; again < 2; again++) {
		ops = ops_of(LRD_OP_DELETE, count, 0);
		run(pool, ops, count);
		assert_all(ops, count, again ? LRD_MISS : LRD_OK);
		free(ops);
	}
	ops = ops_of(LRD_OP_GET, count, 0);
	run(pool, ops, count);
	assert_all(ops, count, LRD_MISS);
	free(ops);
	forget_room();
}

/* ---- connections ---- */

static void one_connection_serves_everything(void **state)
{
	(void) state;
	for (int is_tcp = 0; is_tcp < 2; is_tcp++) {
		memcached *server = memcached_start(is_tcp, NULL);
		lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 10000 }, memcached_address(server), NULL);
		for (uint32_t count = 1; count <= 1000; count *= 10) {
			try_all(pool, count, 300);
		}
		assert_int_equal(counts_of(pool, 0).connects, 1);
		assert_int_equal(counts_of(pool, 0).closed_in_doubt, 0);
		lrd_pool_free(pool);
		memcached_end(server);
	}
}

/* "localhost" may have an address where nobody listens. */
static void each_address_of_a_name_is_tried(void **state)
{
	(void) state;
	char address[32];
	memcached *server = memcached_start(true, NULL);
	snprintf(address, sizeof address, "localhost%s", strchr(memcached_address(server), ':'));
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 5000 }, address, NULL);
	try_all(pool, 10, 300);
	assert_int_equal(counts_of(pool, 0).connects, 1);
	lrd_pool_close(pool);
	lrd_conn *conn = &pool->loop.lanes[0].conn;
	conn->names.found[1] = conn->names.found[conn->name];
	((struct sockaddr_in *) &conn->names.found[0].address)->sin_family = AF_INET;
	((struct sockaddr_in *) &conn->names.found[0].address)->sin_port = htons(1);
	conn->names.count = 2;
	conn->name = 0;
	try_all(pool, 10, 300);
	assert_int_equal(counts_of(pool, 0).connects, 2);
	assert_int_equal(counts_of(pool, 0).connect_failures, 0);
	lrd_pool_free(pool);
	memcached_end(server);
}

static void six_servers_are_asked_at_once(void **state)
{
	(void) state;
	memcached *servers[6];
	for (int i = 0; i < 6; i++) {
		servers[i] = memcached_start(i % 2 == 0, NULL);
	}
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 10000 }, memcached_address(servers[0]),
		memcached_address(servers[1]), memcached_address(servers[2]), memcached_address(servers[3]),
		memcached_address(servers[4]), memcached_address(servers[5]), NULL);
	try_all(pool, 1000, 300);
	for (uint32_t i = 0; i < 6; i++) {
		assert_int_equal(counts_of(pool, i).connects, 1);
		assert_true(counts_of(pool, i).requests > 0);
	}
	assert_int_equal(counts_of(pool, LRD_NO_SERVER).connects, 6);
	lrd_pool_free(pool);
	for (int i = 0; i < 6; i++) {
		memcached_end(servers[i]);
	}
}

/* Both sides would wait for ever if we only wrote: the server reads no more while its replies are not taken. */
static void ten_thousand_large_values_pass_small_buffers(void **state)
{
	(void) state;
	const int small = 4096;
	memcached *server = memcached_start(false, "-m 512");
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 30000 }, memcached_address(server), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	int fd = pool->loop.lanes[0].conn.fd;
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
	lrd_op *ops = ops_of(LRD_OP_SET, MANY, LARGE);
	run(pool, ops, MANY);
	assert_all(ops, MANY, LRD_OK);
	free(ops);
	for (int versions = 0; versions < 2; versions++) {
		ops = ops_of(LRD_OP_GET, MANY, 0);
		for (uint32_t i = 0; i < MANY; i++) {
			ops[i].wants_version = versions;
		}
		run(pool, ops, MANY);
		assert_all_found(ops, MANY, LARGE);
		free(ops);
	}
	lrd_pool_free(pool);
	memcached_end(server);
}

static void a_large_value_comes_whole_or_is_refused(void **state)
{
	(void) state;
	memcached *server = memcached_start(true, NULL);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 5000 }, memcached_address(server), NULL);
	static const size_t sizes[] = {511, 512, 513, 32000, 32768, 1000000};
	char *value = malloc(2000000);
	for (size_t i = 0; i < 2000000; i++) {
		value[i] = (char) (i * 7 + i / 251);
	}
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		lrd_op op = pool_op(LRD_OP_SET, "a");
		op.value = (lrd_slice) { value, sizes[i] };
		run_one(pool, &op);
		assert_ended(&op, LRD_OK, LRD_FAILURE_NONE);
		op = pool_op(LRD_OP_GET, "a");
		run_one(pool, &op);
		assert_ended(&op, LRD_OK, LRD_FAILURE_NONE);
		assert_int_equal(op.found_size, sizes[i]);
		assert_memory_equal(op.found, value, sizes[i]);
	}
	lrd_op ops[] = {set_of("b", "1"), pool_op(LRD_OP_SET, "a"), set_of("c", "1")};
	ops[1].value = (lrd_slice) { value, 2000000 };
	run(pool, ops, 3);
	assert_ended(&ops[0], LRD_OK, LRD_FAILURE_NONE);
	assert_ended(&ops[1], LRD_TOO_LARGE, LRD_FAILURE_TOO_LARGE);
	assert_ended(&ops[2], LRD_OK, LRD_FAILURE_NONE);
	run_one(pool, &ops[1]);
	assert_ended(&ops[1], LRD_TOO_LARGE, LRD_FAILURE_TOO_LARGE);
	assert_int_equal(counts_of(pool, 0).connects, 1);
	free(value);
	lrd_pool_free(pool);
	memcached_end(server);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void a_password_opens_the_server(void **state)
{
	(void) state;
	char path[] = "/tmp/larder-login-XXXXXX", arguments[64];
	close(mkstemp(path));
	write_file(path, "me:secret\n");
	snprintf(arguments, sizeof arguments, "-Y %s", path);
	memcached *server = memcached_start(true, arguments);
	lrd_pool_options options = { .user = "me", .password = "secret" };
	lrd_pool *pool = pool_of(options, memcached_address(server), NULL);
	try_all(pool, 10, 100);
	lrd_pool_free(pool);
	pool = pool_of((lrd_pool_options) { .user = "me", .password = "wrong" }, memcached_address(server), NULL);
	lrd_op op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_ended(&op, LRD_DOWN, LRD_FAILURE_DENIED);
	lrd_pool_free(pool);
	pool = pool_of((lrd_pool_options) { .user = NULL }, memcached_address(server), NULL);
	op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_ended(&op, LRD_REFUSED, LRD_FAILURE_DENIED);
	lrd_pool_free(pool);
	/* It answers the first request of several and none behind it. */
	pool = pool_of((lrd_pool_options) { .user = NULL }, memcached_address(server), NULL);
	lrd_op ops[] = {set_of("a", "x"), pool_op(LRD_OP_GET, "b"), pool_op(LRD_OP_GET, "c")};
	run(pool, ops, 3);
	for (int i = 0; i < 3; i++) {
		assert_ended(&ops[i], LRD_REFUSED, LRD_FAILURE_DENIED);
	}
	assert_true(lrd_pool_is_down(pool, 0));
	lrd_pool_free(pool);
	pool = pool_of((lrd_pool_options) { .user = NULL }, memcached_address(server), NULL);
	lrd_pool_ask(pool, 0, (lrd_slice) { "stats", 5 }, 0, &op, room_of_world, NULL);
	assert_ended(&op, LRD_REFUSED, LRD_FAILURE_DENIED);
	lrd_pool_free(pool);
	memcached_end(server);
	unlink(path);
}

/* More than 16,000 bytes at once would never be answered by this version. */
static void over_tls_a_batch_of_any_size_passes(void **state)
{
	(void) state;
	char certificate[] = "/tmp/larder-cert-XXXXXX", key[] = "/tmp/larder-key-XXXXXX", arguments[160], address[80];
	tls_identity us = tls_issue(&tls_authority, "IP:127.0.0.1", 1);
	FILE *file = fdopen(mkstemp(certificate), "w");
	PEM_write_X509(file, us.certificate);
	fclose(file);
	file = fdopen(mkstemp(key), "w");
	PEM_write_PrivateKey(file, us.key, NULL, NULL, 0, NULL, NULL);
	fclose(file);
	tls_drop(&us);
	snprintf(arguments, sizeof arguments, "-Z -o ssl_chain_cert=%s,ssl_key=%s", certificate, key);
	memcached *server = memcached_start(true, arguments);
	snprintf(address, sizeof address, "tls://%s", memcached_address(server));
	lrd_pool_options options = { .timeout_ms = 5000, .tls_ca_file = tls_files.trusted };
	lrd_pool *pool = pool_of(options, address, NULL);
	try_all(pool, 50, 400);
	try_all(pool, 1000, 400);
	try_all(pool, 50, LARGE);
	lrd_pool_begin_request(pool);
	try_all(pool, 2, 15990);
	lrd_op op = pool_op(LRD_OP_SET, "a");
	op.value = (lrd_slice) { large, 19000 };
	run_one(pool, &op);
	assert_ended(&op, LRD_OK, LRD_FAILURE_NONE);
	assert_int_equal(counts_of(pool, 0).connects, 1);
	lrd_pool_free(pool);
	pool = pool_of((lrd_pool_options) { .timeout_ms = 5000, .tls_ca_file = tls_files.foreign }, address, NULL);
	op = pool_op(LRD_OP_GET, "a");
	run_one(pool, &op);
	assert_ended(&op, LRD_DOWN, LRD_FAILURE_DENIED);
	lrd_pool_free(pool);
	memcached_end(server);
	unlink(certificate);
	unlink(key);
}

static void gets_by_datagrams_and_the_rest_by_tcp(void **state)
{
	(void) state;
	char arguments[32];
	memcached *server = memcached_start(true, NULL);
	snprintf(arguments, sizeof arguments, "-U %s", strchr(memcached_address(server), ':') + 1);
	memcached_end(server);
	/* The same number for both: one that was free a moment ago. */
	server = memcached_start_at(atoi(arguments + 3), arguments);
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 5000, .udp = true }, memcached_address(server), NULL);
	try_all(pool, 100, 300);
	lrd_pool_counts counts = counts_of(pool, LRD_NO_SERVER);
	assert_true(counts.udp_answered >= 100);
	assert_int_equal(counts.udp_lost, 0);
	try_all(pool, 10, LARGE);
	lrd_pool_free(pool);
	memcached_end(server);
}

/* ---- failover ---- */

static uint32_t count_with(const lrd_op *ops, uint32_t count, lrd_status status)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < count; i++) {
		found += ops[i].status == status;
	}
	return found;
}

/* Sets and gets of 300 keys on three servers, the last of which is dead; returns how many keys were found. */
static uint32_t use_two_of_three(lrd_failover failover)
{
	memcached *servers[3];
	for (int i = 0; i < 3; i++) {
		servers[i] = memcached_start(true, NULL);
	}
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 2000, .failover = failover },
		memcached_address(servers[0]), memcached_address(servers[1]), memcached_address(servers[2]), NULL);
	kill(memcached_process(servers[2]), SIGKILL);
	memcached_end(servers[2]);
	lrd_op *ops = ops_of(LRD_OP_SET, 300, 100);
	run(pool, ops, 300);
	free(ops);
	ops = ops_of(LRD_OP_GET, 300, 0);
	run(pool, ops, 300);
	uint32_t found = count_with(ops, 300, LRD_OK);
	assert_int_equal(count_with(ops, 300, LRD_DOWN), 300 - found);
	assert_int_equal(counts_of(pool, 2).connects, 1);
	free(ops);
	lrd_pool_free(pool);
	memcached_end(servers[0]);
	memcached_end(servers[1]);
	return found;
}

static void a_dead_servers_keys_go_where_the_policy_says(void **state)
{
	(void) state;
	assert_in_range(use_two_of_three(LRD_FAILOVER_NONE), 120, 280);
	assert_int_equal(use_two_of_three(LRD_FAILOVER_NEXT), 300);
	assert_int_equal(use_two_of_three(LRD_FAILOVER_MIRROR), 300);
}

static void a_mirror_has_what_was_written_before_the_death(void **state)
{
	(void) state;
	memcached *servers[3];
	for (int i = 0; i < 3; i++) {
		servers[i] = memcached_start(true, NULL);
	}
	lrd_pool *pool = pool_of((lrd_pool_options) { .timeout_ms = 2000, .failover = LRD_FAILOVER_MIRROR },
		memcached_address(servers[0]), memcached_address(servers[1]), memcached_address(servers[2]), NULL);
	lrd_op *ops = ops_of(LRD_OP_SET, 300, 100);
	run(pool, ops, 300);
	assert_all(ops, 300, LRD_OK);
	free(ops);
	ops = ops_of(LRD_OP_DELETE, 100, 0);
	run(pool, ops, 100);
	assert_all(ops, 100, LRD_OK);
	free(ops);
	memcached_end(servers[1]);
	for (int again = 0; again < 2; again++) {
		ops = ops_of(LRD_OP_GET, 300, 0);
		run(pool, ops, 300);
		/* On the first call the connection's end is found behind the first byte: then they go to the second server. */
		assert_all(ops, 100, LRD_MISS);
		assert_all(ops + 100, 200, LRD_OK);
		free(ops);
		lrd_pool_begin_request(pool);
	}
	lrd_pool_free(pool);
	memcached_end(servers[0]);
	memcached_end(servers[2]);
}

static int begin_group(void **state)
{
	for (int i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof names[i], "key:%d", i);
	}
	for (size_t i = 0; i < sizeof large; i++) {
		large[i] = (char) ('a' + (i * 31 + i / 97) % 26);
	}
	return tls_make_folder(state);
}

static int end_test(void **state)
{
	(void) state;
	forget_room();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(one_connection_serves_everything, end_test),
		cmocka_unit_test_teardown(each_address_of_a_name_is_tried, end_test),
		cmocka_unit_test_teardown(six_servers_are_asked_at_once, end_test),
		cmocka_unit_test_teardown(ten_thousand_large_values_pass_small_buffers, end_test),
		cmocka_unit_test_teardown(a_large_value_comes_whole_or_is_refused, end_test),
		cmocka_unit_test_teardown(a_password_opens_the_server, end_test),
		cmocka_unit_test_teardown(over_tls_a_batch_of_any_size_passes, end_test),
		cmocka_unit_test_teardown(gets_by_datagrams_and_the_rest_by_tcp, end_test),
		cmocka_unit_test_teardown(a_dead_servers_keys_go_where_the_policy_says, end_test),
		cmocka_unit_test_teardown(a_mirror_has_what_was_written_before_the_death, end_test),
	};
	return cmocka_run_group_tests(tests, begin_group, tls_remove_folder);
}

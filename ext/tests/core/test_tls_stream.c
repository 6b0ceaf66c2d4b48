/* TLS as a stream of bytes: ends, pieces, waits, floods and sessions. */
#define _GNU_SOURCE
#include "tls_peer.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BIG = 6 << 20 };

static int end_in_order(SSL *ssl, int fd, int go)
{
	(void) fd;
	(void) go;
	SSL_write(ssl, "last", 4);
	SSL_shutdown(ssl);
	return 0;
}

static int end_rudely(SSL *ssl, int fd, int go)
{
	(void) fd;
	(void) go;
	SSL_write(ssl, "last", 4);
	return 0;
}

static void an_end_without_a_word_is_a_failure(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:cache");
	for (int rudely = 0; rudely < 2; rudely++) {
		char byte;
		size_t count;
		tls_peer p = tls_start(server, rudely ? end_rudely : end_in_order);
		lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text("cache"));
		assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_DONE);
		tls_hear(tls, p.fd, "last");
		assert_int_equal(tls_read_some(tls, p.fd, &byte, 1, &count), rudely ? LRD_TLS_FAILED : LRD_TLS_CLOSED);
		assert_int_equal(count, 0);
		assert_string_equal(lrd_tls_why(tls), rudely ? "TLS failed: the peer closed the connection" : "");
		lrd_tls_close(tls, true);
		assert_int_equal(tls_stop(&p), 0);
	}
	SSL_CTX_free(server);
	lrd_tls_context_free(context);
}

static void a_write_to_a_gone_peer_raises_no_signal(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:cache");
	tls_peer p = tls_start(server, end_in_order);
	lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text("cache"));
	size_t count;
	int status;
	assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_DONE);
	assert_int_equal(waitpid(p.pid, &status, 0), p.pid);
	assert_int_equal(lrd_tls_write(tls, "hello", 5, &count), LRD_TLS_FAILED);
	assert_string_equal(lrd_tls_why(tls), "TLS failed: Broken pipe");
	lrd_tls_close(tls, true);
	/* The close_notify is written without a signal too. */
	int pair[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	close(pair[1]);
	tls = lrd_tls_open(context, pair[0], tls_text("cache"));
	assert_int_equal(lrd_tls_handshake(tls), LRD_TLS_FAILED);
	lrd_tls_close(tls, true);
	close(pair[0]);
	close(p.fd);
	close(p.go);
	SSL_CTX_free(server);
	lrd_tls_context_free(context);
}

static void a_silent_peer_holds_nobody_up(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	int pair[2];
	size_t count;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	lrd_tls *tls = lrd_tls_open(context, pair[0], tls_text("cache"));
	alarm(TLS_PATIENCE_MS / 1000);
	assert_int_equal(lrd_tls_handshake(tls), LRD_TLS_WANTS_READ);
	assert_int_equal(lrd_tls_handshake(tls), LRD_TLS_WANTS_READ);
	assert_int_equal(lrd_tls_write(tls, "x", 1, &count), LRD_TLS_WANTS_READ);
	alarm(0);
	lrd_tls_close(tls, true);
	close(pair[0]);
	close(pair[1]);
	lrd_tls_context_free(context);
}

/* Passes bytes on one by one, both ways, until one end closes. */
static pid_t relay(int left, int right, int others)
{
	pid_t pid = fork();
	if (pid != 0) {
		return pid;
	}
	close(others);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	int ends[2] = { left, right };
	struct pollfd p[2] = { { .fd = left, .events = POLLIN }, { .fd = right, .events = POLLIN } };
	while (poll(p, 2, TLS_PATIENCE_MS) > 0) {
		for (int at = 0; at < 2; at++) {
			char byte;
			if (p[at].revents != 0 && (read(ends[at], &byte, 1) != 1 || write(ends[!at], &byte, 1) != 1)) {
				_exit(0);
			}
		}
	}
	_exit(1);
}

static void a_handshake_in_single_bytes_comes_to_its_end(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:cache");
	int pair[2], status;
	tls_peer p = tls_start(server, tls_echo);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	pid_t between = relay(pair[1], p.fd, pair[0]);
	close(pair[1]);
	lrd_tls *tls = lrd_tls_open(context, pair[0], tls_text("cache"));
	assert_int_equal(tls_shake(tls, pair[0]), LRD_TLS_DONE);
	tls_say(tls, pair[0], "hello");
	tls_hear(tls, pair[0], "hello");
	lrd_tls_close(tls, false);
	close(pair[0]);
	assert_int_equal(waitpid(between, &status, 0), between);
	assert_int_equal(status, 0);
	assert_int_equal(tls_stop(&p), 1);
	SSL_CTX_free(server);
	lrd_tls_context_free(context);
}

static char pattern(size_t at)
{
	return (char) (at * 2654435761u >> 13);
}

/* Takes turns: a chunk out, a chunk in. */
static int flood(SSL *ssl, int fd, int go)
{
	(void) fd;
	(void) go;
	char chunk[10000];
	for (size_t sent = 0, got = 0; sent < BIG || got < BIG;) {
		size_t size = BIG - sent < sizeof chunk ? BIG - sent : sizeof chunk;
		for (size_t at = 0; at < size; at++) {
			chunk[at] = pattern(sent + at);
		}
		if (size > 0 && SSL_write(ssl, chunk, (int) size) != (int) size) {
			return 2;
		}
		sent += size;
		size_t wanted = BIG - got < sizeof chunk ? BIG - got : sizeof chunk;
		for (size_t end = got + wanted; got < end;) {
			int some = SSL_read(ssl, chunk, (int) (end - got));
			for (int at = 0; at < some; at++) {
				if (chunk[at] != pattern(got + (size_t) at)) {
					return 3;
				}
			}
			if (some <= 0) {
				return 4;
			}
			got += (size_t) some;
		}
	}
	return tls_echo(ssl, fd, go);
}

/* Every try from another address and with more bytes, as a loop with a moving buffer does. */
static lrd_tls_step write_some(lrd_tls *tls, size_t *sent, unsigned turn)
{
	static char room[2][40000];
	char *bytes = room[turn & 1];
	size_t size = BIG - *sent, count;
	size = size < 30000 + turn % 10000 ? size : 30000 + turn % 10000;
	memset(room[!(turn & 1)], '#', sizeof room[0]);
	for (size_t at = 0; at < size; at++) {
		bytes[at] = pattern(*sent + at);
	}
	lrd_tls_step step = lrd_tls_write(tls, bytes, size, &count);
	*sent += count;
	return step;
}

static lrd_tls_step read_pattern(lrd_tls *tls, size_t *got)
{
	static char bytes[20000];
	size_t count;
	lrd_tls_step step = lrd_tls_read(tls, bytes, sizeof bytes, &count);
	for (size_t at = 0; at < count; at++) {
		assert_int_equal(bytes[at], pattern(*got + at));
	}
	*got += count;
	return step;
}

static void much_goes_both_ways_at_once(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:cache");
	tls_peer p = tls_start(server, flood);
	setsockopt(p.fd, SOL_SOCKET, SO_SNDBUF, &(int) { 5000 }, sizeof(int));
	lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text("cache"));
	assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_DONE);
	size_t sent = 0, got = 0;
	unsigned waits = 0;
	for (unsigned turn = 0; sent < BIG || got < BIG; turn++) {
		lrd_tls_step in = got < BIG ? read_pattern(tls, &got) : LRD_TLS_WANTS_READ;
		lrd_tls_step out = sent < BIG ? write_some(tls, &sent, turn) : LRD_TLS_WANTS_READ;
		assert_in_range(in, LRD_TLS_DONE, LRD_TLS_WANTS_WRITE);
		assert_in_range(out, LRD_TLS_DONE, LRD_TLS_WANTS_WRITE);
		if (in != LRD_TLS_DONE && out != LRD_TLS_DONE) {
			struct pollfd q = { .fd = p.fd, .events = (short) (POLLIN | (out == LRD_TLS_WANTS_WRITE ? POLLOUT : 0)) };
			assert_false(lrd_tls_has_pending(tls));
			assert_int_equal(poll(&q, 1, TLS_PATIENCE_MS), 1);
			waits++;
		}
	}
	assert_int_not_equal(waits, 0);
	lrd_tls_close(tls, true);
	assert_int_equal(tls_stop(&p), 0);
	SSL_CTX_free(server);
	lrd_tls_context_free(context);
}

/* Twenty records at once, the last one in two parts. */
static int send_records(SSL *ssl, int fd, int go)
{
	BIO *room = BIO_new(BIO_s_mem());
	char *bytes, byte;
	SSL_set0_wbio(ssl, room);
	for (int at = 0; at < 20; at++) {
		char line[20];
		snprintf(line, sizeof line, "line %02d", at);
		SSL_write(ssl, line, 7);
	}
	long size = BIO_get_mem_data(room, &bytes);
	if (write(fd, bytes, (size_t) size - 5) != size - 5) {
		return 2;
	}
	if (read(go, &byte, 1) != 1 || write(fd, bytes + size - 5, 5) != 5) {
		return 3;
	}
	while (read(fd, &byte, 1) == 1) {
	}
	return 0;
}

static void what_poll_cannot_see_is_pending_until_nothing_whole_is_left(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:cache");
	tls_peer p = tls_start(server, send_records);
	lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text("cache"));
	char line[8] = "";
	size_t count;
	assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_DONE);
	/* Part of a record. */
	assert_int_equal(tls_read_some(tls, p.fd, line, 4, &count), LRD_TLS_DONE);
	assert_int_equal(count, 4);
	assert_true(lrd_tls_has_pending(tls));
	assert_int_equal(lrd_tls_read(tls, line + 4, 3, &count), LRD_TLS_DONE);
	assert_string_equal(line, "line 00");
	/* Further records: all came with one recv(), the socket holds nothing. */
	for (int at = 1; at < 19; at++) {
		char expected[20];
		snprintf(expected, sizeof expected, "line %02d", at);
		assert_int_equal(poll(&(struct pollfd) { .fd = p.fd, .events = POLLIN }, 1, 0), 0);
		assert_true(lrd_tls_has_pending(tls));
		assert_int_equal(lrd_tls_read(tls, line, 7, &count), LRD_TLS_DONE);
		assert_string_equal(line, expected);
	}
	/* Half a record: only poll() can tell when to go on, or a loop would spin. */
	assert_int_equal(lrd_tls_read(tls, line, 7, &count), LRD_TLS_WANTS_READ);
	assert_false(lrd_tls_has_pending(tls));
	assert_int_equal(write(p.go, "", 1), 1);
	assert_int_equal(tls_read_some(tls, p.fd, line, 7, &count), LRD_TLS_DONE);
	assert_string_equal(line, "line 19");
	assert_false(lrd_tls_has_pending(tls));
	lrd_tls_close(tls, true);
	assert_int_equal(tls_stop(&p), 0);
	SSL_CTX_free(server);
	lrd_tls_context_free(context);
}

static int tell_resumed(SSL *ssl, int fd, int go)
{
	SSL_write(ssl, SSL_session_reused(ssl) ? "old" : "new", 3);
	return tls_echo(ssl, fd, go);
}

static void connect_and_hear(lrd_tls_context *context, SSL_CTX *server, const char *host, bool aloud, const char *words)
{
	tls_peer p = tls_start(server, tell_resumed);
	lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text(host));
	assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_DONE);
	tls_hear(tls, p.fd, words);
	lrd_tls_close(tls, aloud);
	assert_int_equal(tls_stop(&p), aloud ? 0 : 1);
}

static void a_session_is_resumed_with_the_same_host_only(void **state)
{
	(void) state;
	static const int versions[] = { TLS1_2_VERSION, TLS1_3_VERSION };
	for (int at = 0; at < 2; at++) {
		lrd_tls_context *context = tls_trust(tls_files.trusted);
		SSL_CTX *server = tls_serve_named("DNS:one,DNS:two");
		SSL_CTX_set_max_proto_version(server, versions[at]);
		connect_and_hear(context, server, "one", true, "new");
		connect_and_hear(context, server, "two", true, "new");
		connect_and_hear(context, server, "one", true, "old");
		/* Not even an end without a word takes it away. */
		connect_and_hear(context, server, "one", false, "old");
		connect_and_hear(context, server, "one", true, "old");
		SSL_CTX_free(server);
		lrd_tls_context_free(context);
	}
}

/* Another server under the same name knows nothing of the session: its certificate is looked at as ever. */
static void a_session_does_not_stand_in_for_a_certificate(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:one");
	connect_and_hear(context, server, "one", true, "new");
	SSL_CTX_free(server);
	server = tls_serve_named("DNS:two");
	tls_peer p = tls_start(server, tls_echo);
	lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text("one"));
	assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_DENIED);
	lrd_tls_close(tls, true);
	assert_int_equal(tls_stop(&p), 100);
	SSL_CTX_free(server);
	lrd_tls_context_free(context);
}

static void a_child_closes_without_a_word(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:cache");
	tls_peer p = tls_start(server, tls_echo);
	lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text("cache"));
	int status;
	assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_DONE);
	pid_t child = fork();
	if (child == 0) {
		lrd_tls_close(tls, false);
		lrd_tls_context_free(context);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	tls_say(tls, p.fd, "still there");
	tls_hear(tls, p.fd, "still there");
	lrd_tls_close(tls, true);
	assert_int_equal(tls_stop(&p), 0);
	SSL_CTX_free(server);
	lrd_tls_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_end_without_a_word_is_a_failure),
		cmocka_unit_test(a_write_to_a_gone_peer_raises_no_signal),
		cmocka_unit_test(a_silent_peer_holds_nobody_up),
		cmocka_unit_test(a_handshake_in_single_bytes_comes_to_its_end),
		cmocka_unit_test(much_goes_both_ways_at_once),
		cmocka_unit_test(what_poll_cannot_see_is_pending_until_nothing_whole_is_left),
		cmocka_unit_test(a_session_is_resumed_with_the_same_host_only),
		cmocka_unit_test(a_session_does_not_stand_in_for_a_certificate),
		cmocka_unit_test(a_child_closes_without_a_word),
	};
	return cmocka_run_group_tests_name("tls stream", tests, tls_make_folder, tls_remove_folder);
}

/* Which servers TLS lets in, and what a context is made of. */
#define _GNU_SOURCE
#include "tls_peer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <openssl/err.h>

/* The handshake's end with a server of that certificate, as asked for under that host. */
static lrd_tls_step meet(lrd_tls_context *context, const tls_identity *shown, const char *host, const char *why)
{
	SSL_CTX *server = tls_serve(shown);
	tls_peer p = tls_start(server, tls_echo);
	lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text(host));
	assert_non_null(tls);
	lrd_tls_step step = tls_shake(tls, p.fd);
	if (step == LRD_TLS_DONE) {
		tls_say(tls, p.fd, "hello");
		tls_hear(tls, p.fd, "hello");
	} else {
		size_t count;
		assert_int_equal(lrd_tls_write(tls, "secret", 6, &count), LRD_TLS_FAILED);
		assert_int_equal(lrd_tls_read(tls, (char [8]) { 0 }, 8, &count), LRD_TLS_FAILED);
		if (why == NULL || strstr(lrd_tls_why(tls), why) == NULL) {
			fail_msg("\"%s\" does not tell of \"%s\"", lrd_tls_why(tls), why != NULL ? why : "");
		}
	}
	lrd_tls_close(tls, true);
	assert_int_equal(tls_stop(&p), step == LRD_TLS_DONE ? 0 : step == LRD_TLS_DENIED ? 100 : 1);
	SSL_CTX_free(server);
	return step;
}

static void the_certificate_must_hold_the_name(void **state)
{
	(void) state;
	static const struct {
		const char *names, *host, *why;
	} cases[] = {
		{ "DNS:cache.example", "cache.example", NULL },
		{ "DNS:cache.example", "CACHE.example", NULL },
		{ "DNS:cache.example", "cache.example.", NULL },
		{ "DNS:*.example.org", "cache.example.org", NULL },
		{ "IP:127.0.0.1", "127.0.0.1", NULL },
		{ "IP:::1", "::1", NULL },
		{ "IP:fe80::1", "fe80::1%lo", NULL },
		{ "DNS:cache.example", "cache.example.org", "hostname mismatch" },
		{ "DNS:cache.example", "example", "hostname mismatch" },
		{ "DNS:c*.example.org", "cache.example.org", "hostname mismatch" },
		{ "DNS:leaf.example", "leaf", "hostname mismatch" },
		{ "DNS:127.0.0.1", "127.0.0.1", "IP address mismatch" },
		{ "IP:127.0.0.1", "127.0.0.2", "IP address mismatch" },
		{ "IP:::1", "::2", "IP address mismatch" },
	};
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
		tls_identity i = tls_issue(&tls_authority, cases[at].names, 10);
		lrd_tls_step expected = cases[at].why == NULL ? LRD_TLS_DONE : LRD_TLS_DENIED;
		if (meet(context, &i, cases[at].host, cases[at].why) != expected) {
			fail_msg("%s for %s", cases[at].host, cases[at].names);
		}
		tls_drop(&i);
	}
	lrd_tls_context_free(context);
}

static void the_certificate_must_be_valid_and_of_an_authority(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted), *other = tls_trust(tls_files.foreign);
	lrd_tls_context *systems = tls_trust(NULL);
	tls_identity good = tls_issue(&tls_authority, "DNS:cache", 10);
	tls_identity expired = tls_issue(&tls_authority, "DNS:cache", -1);
	tls_identity false_one = tls_issue(&tls_stranger, "DNS:cache", 10);
	assert_int_equal(meet(context, &good, "cache", ""), LRD_TLS_DONE);
	assert_int_equal(meet(context, &expired, "cache", "expired"), LRD_TLS_DENIED);
	assert_int_equal(meet(context, &false_one, "cache", "issuer certificate"), LRD_TLS_DENIED);
	assert_int_equal(meet(other, &good, "cache", "issuer certificate"), LRD_TLS_DENIED);
	assert_int_equal(meet(systems, &good, "cache", "issuer certificate"), LRD_TLS_DENIED);
	tls_drop(&good);
	tls_drop(&expired);
	tls_drop(&false_one);
	lrd_tls_context_free(context);
	lrd_tls_context_free(other);
	lrd_tls_context_free(systems);
}

static void the_options_name_and_verify_change_what_is_checked(void **state)
{
	(void) state;
	lrd_tls_context *context;
	char why[LRD_TLS_WHY];
	tls_identity i = tls_issue(&tls_authority, "DNS:cache", 10);
	tls_identity false_one = tls_issue(&tls_stranger, "DNS:other", -1);
	lrd_tls_options named = { .ca_file = tls_files.trusted, .name = "cache", .verify = true };
	assert_int_equal(lrd_tls_context_make(&named, &context, why), LRD_OK);
	assert_int_equal(meet(context, &i, "10.0.0.1", ""), LRD_TLS_DONE);
	lrd_tls_context_free(context);
	lrd_tls_options trusting = { .verify = false };
	assert_int_equal(lrd_tls_context_make(&trusting, &context, why), LRD_OK);
	assert_int_equal(meet(context, &false_one, "cache", ""), LRD_TLS_DONE);
	lrd_tls_context_free(context);
	tls_drop(&i);
	tls_drop(&false_one);
}

static int tell_name(SSL *ssl, int fd, int go)
{
	const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
	name = name != NULL ? name : "none";
	SSL_write(ssl, name, (int) strlen(name));
	return tls_echo(ssl, fd, go);
}

static void only_names_are_sent_as_server_names(void **state)
{
	(void) state;
	static const char *const cases[][2] = { { "cache.", "cache" }, { "127.0.0.1", "none" }, { "::1", "none" } };
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:cache,IP:127.0.0.1,IP:::1");
	for (size_t at = 0; at < 3; at++) {
		tls_peer p = tls_start(server, tell_name);
		lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text(cases[at][0]));
		assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_DONE);
		tls_hear(tls, p.fd, cases[at][1]);
		lrd_tls_close(tls, true);
		assert_int_equal(tls_stop(&p), 0);
	}
	SSL_CTX_free(server);
	assert_null(lrd_tls_open(context, 0, tls_text("")));
	assert_null(lrd_tls_open(context, 0, (lrd_slice) { "a\0b", 3 }));
	lrd_tls_context_free(context);
}

static void old_versions_are_refused(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:cache");
	SSL_CTX_set_cipher_list(server, "ALL:@SECLEVEL=0");
	SSL_CTX_set_min_proto_version(server, TLS1_VERSION);
	SSL_CTX_set_max_proto_version(server, TLS1_1_VERSION);
	tls_peer p = tls_start(server, tls_echo);
	lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text("cache"));
	assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_FAILED);
	assert_non_null(strstr(lrd_tls_why(tls), "version"));
	lrd_tls_close(tls, true);
	assert_int_equal(tls_stop(&p), 100);
	SSL_CTX_free(server);
	lrd_tls_context_free(context);
}

static void make_fails(lrd_tls_options options, const char *first, const char *second)
{
	lrd_tls_context *context;
	char why[LRD_TLS_WHY];
	options.verify = true;
	assert_int_equal(lrd_tls_context_make(&options, &context, why), LRD_BAD_OPTION);
	if (strstr(why, first) == NULL || strstr(why, second) == NULL) {
		fail_msg("\"%s\" does not name %s and \"%s\"", why, first, second);
	}
	assert_int_equal(ERR_peek_error(), 0);
}

static void a_file_that_cannot_be_used_is_named(void **state)
{
	(void) state;
	const tls_paths *f = &tls_files;
	char long_name[300];
	memset(long_name, 'x', sizeof long_name);
	long_name[sizeof long_name - 1] = '\0';
	make_fails((lrd_tls_options) { .ca_file = f->absent }, f->absent, "No such file");
	make_fails((lrd_tls_options) { .ca_file = f->garbage }, f->garbage, "no certificate");
	make_fails((lrd_tls_options) { .ca_file = long_name }, "xxx", "xxx");
	make_fails((lrd_tls_options) { .cert_file = f->absent }, f->absent, "No such file");
	make_fails((lrd_tls_options) { .cert_file = f->garbage }, f->garbage, "no start line");
	make_fails((lrd_tls_options) { .cert_file = f->trusted }, f->trusted, "the certificate's key");
	make_fails((lrd_tls_options) { .cert_file = f->trusted, .key_file = f->client_key }, f->client_key, "mismatch");
	make_fails((lrd_tls_options) { .key_file = f->client_key }, f->client_key, "without a certificate");
	/* No question at the terminal either. */
	make_fails((lrd_tls_options) { .cert_file = f->client, .key_file = f->locked_key }, f->locked_key, "password");
	make_fails((lrd_tls_options) { .name = "" }, "name", "1 to 255 bytes");
	make_fails((lrd_tls_options) { .name = long_name }, "name", "1 to 255 bytes");
}

/* TLS 1.3 tells a client only after its handshake that its certificate was not enough. */
static void a_certificate_is_shown_where_the_server_asks(void **state)
{
	(void) state;
	SSL_CTX *server = tls_serve_named("DNS:cache");
	assert_int_equal(SSL_CTX_load_verify_locations(server, tls_files.trusted, NULL), 1);
	SSL_CTX_set_verify(server, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
	const char *const cases[][2] = { { NULL, NULL }, { tls_files.client, NULL },
		{ tls_files.client, tls_files.client_key } };
	for (int at = 0; at < 3; at++) {
		lrd_tls_options options = { tls_files.trusted, cases[at][0], cases[at][1], NULL, true };
		lrd_tls_context *context;
		char why[LRD_TLS_WHY], byte;
		size_t count;
		assert_int_equal(lrd_tls_context_make(&options, &context, why), LRD_OK);
		tls_peer p = tls_start(server, tls_echo);
		lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text("cache"));
		assert_int_equal(tls_shake(tls, p.fd), LRD_TLS_DONE);
		if (at > 0) {
			tls_say(tls, p.fd, "hello");
			tls_hear(tls, p.fd, "hello");
		} else {
			assert_int_equal(tls_read_some(tls, p.fd, &byte, 1, &count), LRD_TLS_FAILED);
			assert_non_null(strstr(lrd_tls_why(tls), "certificate required"));
		}
		lrd_tls_close(tls, true);
		assert_int_equal(tls_stop(&p), at > 0 ? 0 : 100);
		lrd_tls_context_free(context);
	}
	SSL_CTX_free(server);
}

static int read_nothing(SSL *ssl, int fd, int go)
{
	char byte;
	(void) fd;
	SSL_write(ssl, "hello", 5);
	return (int) read(go, &byte, 1);
}

/* PHP code may leave errors behind: they are not ours. */
static void errors_of_others_do_not_disturb(void **state)
{
	(void) state;
	lrd_tls_context *context = tls_trust(tls_files.trusted);
	SSL_CTX *server = tls_serve_named("DNS:cache");
	tls_peer p = tls_start(server, read_nothing);
	static char bytes[10000];
	size_t count;
	lrd_tls_step step;
	ERR_raise(ERR_LIB_USER, 1);
	lrd_tls *tls = lrd_tls_open(context, p.fd, tls_text("cache"));
	do {
		ERR_raise(ERR_LIB_USER, 1);
		step = lrd_tls_handshake(tls);
	} while (tls_wait_for(step, p.fd));
	assert_int_equal(step, LRD_TLS_DONE);
	tls_hear(tls, p.fd, "hello");
	ERR_raise(ERR_LIB_USER, 1);
	assert_int_equal(lrd_tls_read(tls, bytes, 8, &count), LRD_TLS_WANTS_READ);
	do {
		ERR_raise(ERR_LIB_USER, 1);
		step = lrd_tls_write(tls, bytes, sizeof bytes, &count);
	} while (step == LRD_TLS_DONE);
	assert_int_equal(step, LRD_TLS_WANTS_WRITE);
	assert_int_equal(ERR_peek_error(), 0);
	lrd_tls_close(tls, true);
	assert_int_equal(tls_stop(&p), 0);
	SSL_CTX_free(server);
	lrd_tls_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_certificate_must_hold_the_name),
		cmocka_unit_test(the_certificate_must_be_valid_and_of_an_authority),
		cmocka_unit_test(the_options_name_and_verify_change_what_is_checked),
		cmocka_unit_test(only_names_are_sent_as_server_names),
		cmocka_unit_test(old_versions_are_refused),
		cmocka_unit_test(a_file_that_cannot_be_used_is_named),
		cmocka_unit_test(a_certificate_is_shown_where_the_server_asks),
		cmocka_unit_test(errors_of_others_do_not_disturb),
	};
	return cmocka_run_group_tests_name("tls", tests, tls_make_folder, tls_remove_folder);
}

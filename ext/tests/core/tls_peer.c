#define _GNU_SOURCE
#include "tls_peer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

static char folder[] = "/tmp/larder-tls-XXXXXX";
tls_identity tls_authority, tls_stranger;
tls_paths tls_files;

tls_identity tls_issue(const tls_identity *issuer, const char *names, long days)
{
	static long serial = 1;
	tls_identity made = { EVP_EC_gen("P-256"), X509_new() };
	bool is_authority = issuer == NULL;
	if (is_authority) {
		issuer = &made;
	}
	X509_set_version(made.certificate, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(made.certificate), serial++);
	X509_gmtime_adj(X509_getm_notBefore(made.certificate), -2 * 86400);
	X509_gmtime_adj(X509_getm_notAfter(made.certificate), days * 86400);
	X509_set_pubkey(made.certificate, made.key);
	X509_NAME *subject = X509_get_subject_name(made.certificate);
	const char *called = is_authority ? names : "leaf";
	X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *) called, -1, -1, 0);
	X509_set_issuer_name(made.certificate, X509_get_subject_name(issuer->certificate));
	X509_EXTENSION *extension = is_authority
		? X509V3_EXT_conf_nid(NULL, NULL, NID_basic_constraints, "critical,CA:TRUE")
		: X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);
	assert_non_null(extension);
	X509_add_ext(made.certificate, extension, -1);
	X509_EXTENSION_free(extension);
	assert_int_not_equal(X509_sign(made.certificate, issuer->key, EVP_sha256()), 0);
	return made;
}

void tls_drop(tls_identity *i)
{
	X509_free(i->certificate);
	EVP_PKEY_free(i->key);
}

static FILE *file(char path[64], const char *name)
{
	snprintf(path, 64, "%s/%s", folder, name);
	FILE *opened = fopen(path, "w");
	assert_non_null(opened);
	return opened;
}

static void write_identity(const tls_identity *i, char path[64], const char *name, bool with_key)
{
	FILE *pem = file(path, name);
	PEM_write_X509(pem, i->certificate);
	if (with_key) {
		PEM_write_PrivateKey(pem, i->key, NULL, NULL, 0, NULL, NULL);
	}
	fclose(pem);
}

int tls_make_folder(void **state)
{
	(void) state;
	assert_non_null(mkdtemp(folder));
	tls_authority = tls_issue(NULL, "the authority", 10);
	tls_stranger = tls_issue(NULL, "a stranger", 10);
	write_identity(&tls_authority, tls_files.trusted, "trusted.pem", false);
	write_identity(&tls_stranger, tls_files.foreign, "foreign.pem", false);
	FILE *text = file(tls_files.garbage, "garbage.pem");
	fputs("no PEM\n", text);
	fclose(text);
	snprintf(tls_files.absent, sizeof tls_files.absent, "%s/absent.pem", folder);
	tls_identity client = tls_issue(&tls_authority, "DNS:client", 10);
	write_identity(&client, tls_files.client, "client.pem", true);
	FILE *key = file(tls_files.client_key, "client.key");
	PEM_write_PrivateKey(key, client.key, NULL, NULL, 0, NULL, NULL);
	fclose(key);
	key = file(tls_files.locked_key, "locked.key");
	PEM_write_PrivateKey(key, client.key, EVP_aes_128_cbc(), NULL, 0, NULL, "secret");
	fclose(key);
	tls_drop(&client);
	return 0;
}

int tls_remove_folder(void **state)
{
	(void) state;
	tls_drop(&tls_authority);
	tls_drop(&tls_stranger);
	const char *paths[] = {
		tls_files.trusted,
		tls_files.foreign,
		tls_files.garbage,
		tls_files.client,
		tls_files.client_key,
		tls_files.locked_key,
	};
	for (size_t at = 0; at < sizeof paths / sizeof *paths; at++) {
		unlink(paths[at]);
	}
	return rmdir(folder);
}

/*
 * The server.
 */

SSL_CTX *tls_serve(const tls_identity *i)
{
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());
	assert_non_null(context);
	assert_int_equal(SSL_CTX_use_certificate(context, i->certificate), 1);
	assert_int_equal(SSL_CTX_use_PrivateKey(context, i->key), 1);
	SSL_CTX_set_session_id_context(context, (const unsigned char *) "test", 4);
	return context;
}

SSL_CTX *tls_serve_named(const char *names)
{
	tls_identity i = tls_issue(&tls_authority, names, 10);
	SSL_CTX *context = tls_serve(&i);
	tls_drop(&i);
	return context;
}

static void be_the_peer(SSL_CTX *context, tls_behaviour act, int fd, int go)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_IGN);
	alarm(2 * TLS_PATIENCE_MS / 1000);
	SSL *ssl = SSL_new(context);
	SSL_set_fd(ssl, fd);
	_exit(SSL_accept(ssl) == 1 ? act(ssl, fd, go) : 100);
}

tls_peer tls_start(SSL_CTX *context, tls_behaviour act)
{
	int pair[2], go[2];
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(pipe(go), 0);
	pid_t pid = fork();
	assert_int_not_equal(pid, -1);
	if (pid == 0) {
		close(pair[0]);
		close(go[1]);
		be_the_peer(context, act, pair[1], go[0]);
	}
	close(pair[1]);
	close(go[0]);
	return (tls_peer) { pid, pair[0], go[1] };
}

int tls_stop(tls_peer *p)
{
	int status;
	close(p->fd);
	close(p->go);
	assert_int_equal(waitpid(p->pid, &status, 0), p->pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 200 + WTERMSIG(status);
}

int tls_echo(SSL *ssl, int fd, int go)
{
	(void) fd;
	(void) go;
	char bytes[16384];
	int got;
	while ((got = SSL_read(ssl, bytes, sizeof bytes)) > 0) {
		if (SSL_write(ssl, bytes, got) != got) {
			return 2;
		}
	}
	return SSL_get_error(ssl, got) == SSL_ERROR_ZERO_RETURN ? 0 : 1;
}

/*
 * The client.
 */

lrd_tls_context *tls_trust(const char *ca_file)
{
	lrd_tls_options options = { .ca_file = ca_file, .verify = true };
	lrd_tls_context *context;
	char why[LRD_TLS_WHY];
	assert_int_equal(lrd_tls_context_make(&options, &context, why), LRD_OK);
	assert_string_equal(why, "");
	return context;
}

lrd_slice tls_text(const char *bytes)
{
	return (lrd_slice) { bytes, strlen(bytes) };
}

bool tls_wait_for(lrd_tls_step step, int fd)
{
	assert_int_equal(ERR_peek_error(), 0);
	if (step != LRD_TLS_WANTS_READ && step != LRD_TLS_WANTS_WRITE) {
		return false;
	}
	struct pollfd p = { .fd = fd, .events = step == LRD_TLS_WANTS_READ ? POLLIN : POLLOUT };
	assert_int_equal(poll(&p, 1, TLS_PATIENCE_MS), 1);
	return true;
}

lrd_tls_step tls_shake(lrd_tls *tls, int fd)
{
	lrd_tls_step step;
	do {
		step = lrd_tls_handshake(tls);
	} while (tls_wait_for(step, fd));
	return step;
}

lrd_tls_step tls_read_some(lrd_tls *tls, int fd, char *bytes, size_t room, size_t *count)
{
	lrd_tls_step step;
	do {
		step = lrd_tls_read(tls, bytes, room, count);
	} while (tls_wait_for(step, fd));
	return step;
}

void tls_say(lrd_tls *tls, int fd, const char *words)
{
	size_t count, size = strlen(words);
	lrd_tls_step step;
	do {
		step = lrd_tls_write(tls, words, size, &count);
	} while (tls_wait_for(step, fd));
	assert_int_equal(step, LRD_TLS_DONE);
	assert_int_equal(count, size);
}

void tls_hear(lrd_tls *tls, int fd, const char *words)
{
	char bytes[200] = "";
	size_t size = 0, count;
	while (size < strlen(words)) {
		assert_int_equal(tls_read_some(tls, fd, bytes + size, sizeof bytes - 1 - size, &count), LRD_TLS_DONE);
		size += count;
	}
	assert_string_equal(bytes, words);
}


/*
 * What the tests of TLS share: authorities and certificates made at run time, a server in a child process at the other
 * end of a socket pair, and a client's calls with the waits between them. Every group of tests makes and removes the
 * folder of files itself.
 *
 * The socket pair is left blocking: no call of the client may ever wait.
 */
#ifndef TLS_PEER_H
#define TLS_PEER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/types.h>

#include <openssl/ssl.h>

#include "../../core/client/lrd_tls.h"

enum { TLS_PATIENCE_MS = 10000 };

typedef struct tls_identity {
	EVP_PKEY *key;
	X509 *certificate;
} tls_identity;

/* PEM files; "absent" is none, "locked_key" has a password. */
typedef struct tls_paths {
	char trusted[64], foreign[64], garbage[64], client[64], client_key[64], locked_key[64], absent[64];
} tls_paths;

extern tls_identity tls_authority, tls_stranger;
extern tls_paths tls_files;

int tls_make_folder(void **state);
int tls_remove_folder(void **state);

/* Names as in a configuration of OpenSSL: "DNS:cache,IP:::1". issuer NULL: an authority of that name. */
tls_identity tls_issue(const tls_identity *issuer, const char *names, long days);
void tls_drop(tls_identity *i);

typedef struct tls_peer {
	pid_t pid;
	int fd;             /* the client's end */
	int go;             /* a byte written here lets the server go on */
} tls_peer;

/* What the server does after the handshake; its answer is the exit code. */
typedef int (*tls_behaviour)(SSL *ssl, int fd, int go);

SSL_CTX *tls_serve(const tls_identity *i);
SSL_CTX *tls_serve_named(const char *names);
tls_peer tls_start(SSL_CTX *context, tls_behaviour act);
/* The server's exit code; 100 after a handshake that failed. */
int tls_stop(tls_peer *p);
/* Sends back what comes; 0 after a close_notify, 1 after an end without. */
int tls_echo(SSL *ssl, int fd, int go);

lrd_tls_context *tls_trust(const char *ca_file);
lrd_slice tls_text(const char *bytes);
/* Whether to try again: then poll() said that it is worth it. Checks that OpenSSL's queue of errors was left empty. */
bool tls_wait_for(lrd_tls_step step, int fd);
lrd_tls_step tls_shake(lrd_tls *tls, int fd);
lrd_tls_step tls_read_some(lrd_tls *tls, int fd, char *bytes, size_t room, size_t *count);
void tls_say(lrd_tls *tls, int fd, const char *words);
void tls_hear(lrd_tls *tls, int fd, const char *words);

#endif

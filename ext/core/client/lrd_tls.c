#define _GNU_SOURCE
#include "lrd_tls.h"

#include <stdio.h>

#ifdef LARDER_WITH_OPENSSL

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

enum { NAME_ROOM = 256 };

/* The newest session that a host gave. It never outlives its context, whose options checked the certificate in it. */
typedef struct lrd_tls_host {
	struct lrd_tls_host *next;
	SSL_SESSION *session;
	char name[NAME_ROOM];
} lrd_tls_host;

struct lrd_tls_context {
	SSL_CTX *ssl;
	BIO_METHOD *socket;
	lrd_tls_host *hosts;
	bool verify;
	char name[NAME_ROOM];       /* "": each host's own */
};

struct lrd_tls {
	SSL *ssl;
	lrd_tls_host *host;
	int fd;
	int error;                  /* errno of the socket's last failure */
	bool broken;                /* OpenSSL allows no further call */
	bool starved;               /* what lies in OpenSSL's buffer is no whole record */
	bool verify;
	char why[LRD_TLS_WHY];
};

bool lrd_tls_is_there(void)
{
	return true;
}

/*
 * Our BIO over the socket, because OpenSSL's raises SIGPIPE and would block on a socket that was left blocking.
 */

static int socket_write(BIO *bio, const char *bytes, int size)
{
	lrd_tls *tls = BIO_get_data(bio);
	ssize_t sent;

	BIO_clear_retry_flags(bio);
	do {
		sent = send(tls->fd, bytes, (size_t) size, MSG_NOSIGNAL | MSG_DONTWAIT);
	} while (sent < 0 && errno == EINTR);
	if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
		BIO_set_retry_write(bio);
	} else if (sent < 0) {
		tls->error = errno;
	}
	return (int) sent;
}

static int socket_read(BIO *bio, char *bytes, int room)
{
	lrd_tls *tls = BIO_get_data(bio);
	ssize_t got;

	BIO_clear_retry_flags(bio);
	do {
		got = recv(tls->fd, bytes, (size_t) room, MSG_DONTWAIT);
	} while (got < 0 && errno == EINTR);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
		BIO_set_retry_read(bio);
	} else if (got < 0) {
		tls->error = errno;
	}
	return (int) got;
}

static long socket_control(BIO *bio, int command, long number, void *pointer)
{
	(void) bio;
	(void) number;
	(void) pointer;
	return command == BIO_CTRL_FLUSH;
}

/* Its type takes no number: nobody searches a chain for it, and such numbers are few in a process. */
static BIO_METHOD *make_socket_method(void)
{
	BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "larder socket");

	if (method != NULL) {
		BIO_meth_set_write(method, socket_write);
		BIO_meth_set_read(method, socket_read);
		BIO_meth_set_ctrl(method, socket_control);
	}
	return method;
}

/*
 * The context.
 */

/* The first error in OpenSSL's queue; later ones only say which caller passed it on. Empties the queue. */
static const char *take_reason(void)
{
	unsigned long error = ERR_peek_error();
	const char *reason = "out of memory";

	if (error != 0 && ERR_GET_LIB(error) == ERR_LIB_SYS) {
		reason = strerror(ERR_GET_REASON(error));
	} else if (error != 0) {
		reason = ERR_reason_error_string(error);
	}
	ERR_clear_error();
	return reason != NULL ? reason : "unknown error";
}

/* Without this OpenSSL asks at the terminal. */
static int give_no_password(char *bytes, int room, int writing, void *was_asked)
{
	(void) bytes;
	(void) room;
	(void) writing;
	*(bool *) was_asked = true;
	return -1;
}

/* OpenSSL hands over its reference: the answer 1 says that it was kept. */
static int keep_session(SSL *ssl, SSL_SESSION *session)
{
	lrd_tls *tls = SSL_get_app_data(ssl);

	SSL_SESSION_free(tls->host->session);
	tls->host->session = session;
	return 1;
}

static void set_up(SSL_CTX *ssl, bool verify)
{
	SSL_CTX_set_min_proto_version(ssl, TLS1_2_VERSION);
	SSL_CTX_set_options(ssl, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
	SSL_CTX_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	/* One recv() for as many records as it gives, in place of two for each. */
	SSL_CTX_set_read_ahead(ssl, 1);
	SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
	SSL_CTX_sess_set_new_cb(ssl, keep_session);
	SSL_CTX_set_verify(ssl, verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, NULL);
}

static bool load_authorities(SSL_CTX *ssl, const lrd_tls_options *options, char why[LRD_TLS_WHY])
{
	if (!options->verify) {
		return true;
	}
	if (options->ca_file == NULL) {
		if (SSL_CTX_set_default_verify_paths(ssl) != 1) {
			snprintf(why, LRD_TLS_WHY, "the system's certificate authorities cannot be loaded: %s", take_reason());
			return false;
		}
		return true;
	}
	if (SSL_CTX_load_verify_locations(ssl, options->ca_file, NULL) != 1) {
		snprintf(why, LRD_TLS_WHY, "%s cannot be read as certificate authorities: %s", options->ca_file, take_reason());
		return false;
	}
	return true;
}

static bool load_certificate(SSL_CTX *ssl, const lrd_tls_options *options, char why[LRD_TLS_WHY])
{
	bool is_locked = false;

	if (options->cert_file == NULL) {
		if (options->key_file != NULL) {
			snprintf(why, LRD_TLS_WHY, "%s is a key without a certificate", options->key_file);
		}
		return options->key_file == NULL;
	}
	SSL_CTX_set_default_passwd_cb(ssl, give_no_password);
	SSL_CTX_set_default_passwd_cb_userdata(ssl, &is_locked);
	if (SSL_CTX_use_certificate_chain_file(ssl, options->cert_file) != 1) {
		snprintf(why, LRD_TLS_WHY, "%s cannot be read as a certificate: %s", options->cert_file, take_reason());
		return false;
	}
	const char *key_file = options->key_file != NULL ? options->key_file : options->cert_file;
	/* Compares the key with the certificate too. */
	bool is_read = SSL_CTX_use_PrivateKey_file(ssl, key_file, SSL_FILETYPE_PEM) == 1;
	SSL_CTX_set_default_passwd_cb_userdata(ssl, NULL);
	if (!is_read) {
		const char *reason = take_reason();
		reason = is_locked ? "it has a password" : reason;
		snprintf(why, LRD_TLS_WHY, "%s cannot be read as the certificate's key: %s", key_file, reason);
	}
	return is_read;
}

/* What certificates and SNI know: no scope of an address, no dot at the end. False if it does not fit. */
static bool read_name(char room[NAME_ROOM], lrd_slice host)
{
	const char *scope = host.size > 0 ? memchr(host.bytes, '%', host.size) : NULL;
	size_t size = scope != NULL ? (size_t) (scope - host.bytes) : host.size;

	if (size > 0 && host.bytes[size - 1] == '.') {
		size--;
	}
	if (size == 0 || size >= NAME_ROOM || memchr(host.bytes, '\0', size) != NULL) {
		return false;
	}
	memcpy(room, host.bytes, size);
	room[size] = '\0';
	return true;
}

lrd_status lrd_tls_context_make(const lrd_tls_options *options, lrd_tls_context **context, char why[LRD_TLS_WHY])
{
	lrd_tls_context *made = calloc(1, sizeof *made);

	why[0] = '\0';
	ERR_clear_error();
	if (made != NULL) {
		made->verify = options->verify;
		made->socket = make_socket_method();
		made->ssl = SSL_CTX_new(TLS_client_method());
	}
	if (made == NULL || made->socket == NULL || made->ssl == NULL) {
		snprintf(why, LRD_TLS_WHY, "OpenSSL cannot be started: %s", take_reason());
	} else if (options->name != NULL && !read_name(made->name, (lrd_slice) { options->name, strlen(options->name) })) {
		snprintf(why, LRD_TLS_WHY, "the name in the certificate must have 1 to %d bytes", NAME_ROOM - 1);
	} else {
		set_up(made->ssl, options->verify);
		if (load_authorities(made->ssl, options, why) && load_certificate(made->ssl, options, why)) {
			ERR_clear_error();
			*context = made;
			return LRD_OK;
		}
	}
	lrd_tls_context_free(made);
	return LRD_BAD_OPTION;
}

void lrd_tls_context_free(lrd_tls_context *context)
{
	if (context == NULL) {
		return;
	}
	while (context->hosts != NULL) {
		lrd_tls_host *host = context->hosts;
		context->hosts = host->next;
		SSL_SESSION_free(host->session);
		free(host);
	}
	SSL_CTX_free(context->ssl);
	BIO_meth_free(context->socket);
	free(context);
}

/*
 * A connection.
 */

static lrd_tls_host *find_host(lrd_tls_context *context, const char *name)
{
	lrd_tls_host *host = context->hosts;

	while (host != NULL && strcmp(host->name, name) != 0) {
		host = host->next;
	}
	if (host == NULL) {
		host = calloc(1, sizeof *host);
		if (host != NULL) {
			strcpy(host->name, name);
			host->next = context->hosts;
			context->hosts = host;
		}
	}
	return host;
}

/* Which name the certificate must hold; SNI knows names only. */
static bool expect_name(SSL *ssl, const char *name)
{
	X509_VERIFY_PARAM *expected = SSL_get0_param(ssl);
	unsigned char address[sizeof(struct in6_addr)];

	if (inet_pton(AF_INET, name, address) == 1) {
		return X509_VERIFY_PARAM_set1_ip(expected, address, 4) == 1;
	}
	if (inet_pton(AF_INET6, name, address) == 1) {
		return X509_VERIFY_PARAM_set1_ip(expected, address, 16) == 1;
	}
	X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
	return X509_VERIFY_PARAM_set1_host(expected, name, 0) == 1 && SSL_set_tlsext_host_name(ssl, name) == 1;
}

static bool prepare(lrd_tls *tls, lrd_tls_context *context)
{
	const char *name = context->name[0] != '\0' ? context->name : tls->host->name;
	BIO *bio;

	tls->ssl = SSL_new(context->ssl);
	bio = tls->ssl != NULL ? BIO_new(context->socket) : NULL;
	if (bio == NULL) {
		return false;
	}
	BIO_set_data(bio, tls);
	BIO_set_init(bio, 1);
	SSL_set_bio(tls->ssl, bio, bio);
	SSL_set_app_data(tls->ssl, tls);
	SSL_set_connect_state(tls->ssl);
	if (tls->host->session != NULL) {
		SSL_set_session(tls->ssl, tls->host->session);
	}
	return expect_name(tls->ssl, name);
}

lrd_tls *lrd_tls_open(lrd_tls_context *context, int fd, lrd_slice host)
{
	lrd_tls *tls = calloc(1, sizeof *tls);
	char name[NAME_ROOM];

	if (tls == NULL) {
		return NULL;
	}
	ERR_clear_error();
	tls->fd = fd;
	tls->verify = context->verify;
	tls->host = read_name(name, host) ? find_host(context, name) : NULL;
	if (tls->host == NULL || !prepare(tls, context)) {
		SSL_free(tls->ssl);
		free(tls);
		tls = NULL;
	}
	ERR_clear_error();
	return tls;
}

static lrd_tls_step fail(lrd_tls *tls)
{
	long verdict = SSL_get_verify_result(tls->ssl);

	tls->broken = true;
	if (tls->verify && verdict != X509_V_OK) {
		ERR_clear_error();
		snprintf(tls->why, sizeof tls->why, "the certificate is not to be trusted: %s",
			X509_verify_cert_error_string(verdict));
		return LRD_TLS_DENIED;
	}
	if (ERR_peek_error() != 0) {
		snprintf(tls->why, sizeof tls->why, "TLS failed: %s", take_reason());
	} else if (tls->error != 0) {
		snprintf(tls->why, sizeof tls->why, "TLS failed: %s", strerror(tls->error));
	} else {
		snprintf(tls->why, sizeof tls->why, "TLS failed: the peer closed the connection");
	}
	return LRD_TLS_FAILED;
}

/*
 * Every call of OpenSSL on a connection ends here. Its queue of errors is left empty: it is the thread's, and PHP's
 * too.
 */
static lrd_tls_step finish(lrd_tls *tls, int result)
{
	lrd_tls_step step;

	switch (SSL_get_error(tls->ssl, result)) {
	case SSL_ERROR_NONE:
		step = LRD_TLS_DONE;
		break;
	case SSL_ERROR_WANT_READ:
		step = LRD_TLS_WANTS_READ;
		break;
	case SSL_ERROR_WANT_WRITE:
		step = LRD_TLS_WANTS_WRITE;
		break;
	case SSL_ERROR_ZERO_RETURN:
		step = LRD_TLS_CLOSED;
		break;
	default:
		step = fail(tls);
	}
	ERR_clear_error();
	return step;
}

lrd_tls_step lrd_tls_handshake(lrd_tls *tls)
{
	if (tls->broken) {
		return LRD_TLS_FAILED;
	}
	ERR_clear_error();
	return finish(tls, SSL_do_handshake(tls->ssl));
}

lrd_tls_step lrd_tls_read(lrd_tls *tls, char *bytes, size_t room, size_t *count)
{
	*count = 0;
	if (tls->broken) {
		return LRD_TLS_FAILED;
	}
	ERR_clear_error();
	lrd_tls_step step = finish(tls, SSL_read_ex(tls->ssl, bytes, room, count));
	tls->starved = step != LRD_TLS_DONE;
	return step;
}

lrd_tls_step lrd_tls_write(lrd_tls *tls, const char *bytes, size_t size, size_t *count)
{
	*count = 0;
	if (tls->broken) {
		return LRD_TLS_FAILED;
	}
	ERR_clear_error();
	return finish(tls, SSL_write_ex(tls->ssl, bytes, size, count));
}

/* Read-ahead may hold further records undecrypted; part of one is not worth a read before poll() reports the rest. */
bool lrd_tls_has_pending(const lrd_tls *tls)
{
	return !tls->broken && (SSL_pending(tls->ssl) > 0 || (!tls->starved && SSL_has_pending(tls->ssl) == 1));
}

const char *lrd_tls_why(const lrd_tls *tls)
{
	return tls->why;
}

void lrd_tls_close(lrd_tls *tls, bool aloud)
{
	if (tls == NULL) {
		return;
	}
	ERR_clear_error();
	if (aloud && !tls->broken && SSL_is_init_finished(tls->ssl)) {
		SSL_shutdown(tls->ssl);
	}
	/* Without this, OpenSSL drops the session when the connection is freed. */
	SSL_set_shutdown(tls->ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
	SSL_free(tls->ssl);
	ERR_clear_error();
	free(tls);
}

#else

bool lrd_tls_is_there(void)
{
	return false;
}

lrd_status lrd_tls_context_make(const lrd_tls_options *options, lrd_tls_context **context, char why[LRD_TLS_WHY])
{
	(void) options;
	(void) context;
	snprintf(why, LRD_TLS_WHY, "TLS is not in this build: it was made without OpenSSL");
	return LRD_BAD_OPTION;
}

void lrd_tls_context_free(lrd_tls_context *context)
{
	(void) context;
}

lrd_tls *lrd_tls_open(lrd_tls_context *context, int fd, lrd_slice host)
{
	(void) context;
	(void) fd;
	(void) host;
	return NULL;
}

lrd_tls_step lrd_tls_handshake(lrd_tls *tls)
{
	(void) tls;
	return LRD_TLS_FAILED;
}

lrd_tls_step lrd_tls_read(lrd_tls *tls, char *bytes, size_t room, size_t *count)
{
	(void) tls;
	(void) bytes;
	(void) room;
	*count = 0;
	return LRD_TLS_FAILED;
}

lrd_tls_step lrd_tls_write(lrd_tls *tls, const char *bytes, size_t size, size_t *count)
{
	(void) tls;
	(void) bytes;
	(void) size;
	*count = 0;
	return LRD_TLS_FAILED;
}

bool lrd_tls_has_pending(const lrd_tls *tls)
{
	(void) tls;
	return false;
}

const char *lrd_tls_why(const lrd_tls *tls)
{
	(void) tls;
	return "TLS is not in this build";
}

void lrd_tls_close(lrd_tls *tls, bool aloud)
{
	(void) tls;
	(void) aloud;
}

#endif

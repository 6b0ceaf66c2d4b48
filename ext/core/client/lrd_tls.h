/*
 * TLS over a connected non-blocking socket, by OpenSSL. The socket stays the caller's. Nothing blocks and nothing
 * raises SIGPIPE.
 *
 * A context is made once for a pool, serves all its connections and is freed after them; a session is resumed where the
 * server allows.
 */
#ifndef LRD_TLS_H
#define LRD_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "../base/lrd_slice.h"
#include "../base/lrd_status.h"

#define LRD_TLS_WHY 200

typedef struct lrd_tls_options {
	const char *ca_file;        /* NULL: the system's */
	const char *cert_file;      /* NULL: none is shown to the server */
	const char *key_file;       /* NULL: cert_file holds it */
	const char *name;           /* the name in the certificate; NULL: the host's */
	bool verify;                /* false only by an explicit option */
} lrd_tls_options;

typedef struct lrd_tls_context lrd_tls_context;
typedef struct lrd_tls lrd_tls;

/* Whether it was compiled in. */
bool lrd_tls_is_there(void);

/* LRD_BAD_OPTION with a sentence that names the file. */
lrd_status lrd_tls_context_make(const lrd_tls_options *options, lrd_tls_context **context, char why[LRD_TLS_WHY]);
void lrd_tls_context_free(lrd_tls_context *context);

/* host may be a numeric address: then the certificate must name that. NULL without memory. */
lrd_tls *lrd_tls_open(lrd_tls_context *context, int fd, lrd_slice host);

typedef enum lrd_tls_step {
	LRD_TLS_DONE,
	LRD_TLS_WANTS_READ,
	LRD_TLS_WANTS_WRITE,
	LRD_TLS_CLOSED,             /* by the peer, in order */
	LRD_TLS_DENIED,             /* the certificate is not to be trusted; lrd_tls_why() says why */
	LRD_TLS_FAILED,
} lrd_tls_step;

lrd_tls_step lrd_tls_handshake(lrd_tls *tls);
/* DONE with *count bytes, 1 or more. */
lrd_tls_step lrd_tls_read(lrd_tls *tls, char *bytes, size_t room, size_t *count);
/* The same; a write that WANTS something must be tried again with at least the same bytes, at any address. */
lrd_tls_step lrd_tls_write(lrd_tls *tls, const char *bytes, size_t size, size_t *count);
/*
 * A read is worth a try though poll() may know nothing: bytes lie here. Never true of a part of a record, so that no
 * loop spins.
 */
bool lrd_tls_has_pending(const lrd_tls *tls);
const char *lrd_tls_why(const lrd_tls *tls);
/* aloud: sends close_notify to the peer, without waiting; a forked child must not do that. */
void lrd_tls_close(lrd_tls *tls, bool aloud);

#endif

/*
 * One connection to one server, from its name to bytes: addresses, connecting, TLS, authentication, the two buffers,
 * and what is known of the server's health. Of requests it knows only whether some are unanswered (in_doubt).
 *
 * A connection lives as long as its pool and owns its socket and buffers; rules and the address's text are the pool's.
 * Nothing here blocks except lrd_conn_open() for a name that is to be looked up, and lrd_conn_receive() where its
 * caller asks for it.
 */
#ifndef LRD_CONN_H
#define LRD_CONN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include "lrd_address.h"
#include "lrd_dns.h"
#include "lrd_op.h"
#include "lrd_tls.h"

enum {
	LRD_CONN_BUFFER = 32768,    /* each of the two */
	LRD_CONN_SLICES = 128,      /* pieces of one write: more than two for each of 50 large values */
};

/* What all connections of a pool have in common. */
typedef struct lrd_conn_rules {
	uint32_t timeout_ms;
	uint32_t wait_ms;           /* of a read that blocks */
	uint32_t dns_timeout_ms;
	uint32_t retry_ms;
	bool retry_is_fixed;        /* else it doubles with each failure in a row */
	uint32_t failure_limit;     /* so many in a row, and the server is out; 0: it never is */
	uint32_t out_ms;            /* how long it is out before it is tried again */
	uint32_t timeout_limit;     /* time-outs in a row that are a failure */
	lrd_tls_context *tls;       /* NULL: no server is tls:// */
	lrd_slice login;            /* what is sent first; empty: nothing */
} lrd_conn_rules;

typedef enum lrd_conn_state {
	LRD_CONN_CLOSED,
	LRD_CONN_CONNECTING,
	LRD_CONN_HANDSHAKING,
	LRD_CONN_AUTHENTICATING,
	LRD_CONN_READY,
} lrd_conn_state;

typedef struct lrd_conn_counts {
	uint64_t connects, connect_failures;
	uint64_t batches, requests;
	uint64_t bytes_sent, bytes_received;
	uint64_t timeouts, closed_in_doubt, refused_down;
} lrd_conn_counts;

typedef struct lrd_conn {
	const lrd_conn_rules *rules;
	lrd_address address;
	lrd_dns_answer names;
	uint64_t names_until_ns;    /* when they are to be looked up again */
	uint32_t name;              /* the one in use */
	int fd;
	lrd_conn_state state;
	lrd_tls *tls;
	bool in_doubt;              /* set before a batch's first byte, cleared when each of its requests was answered */
	bool is_proved;             /* it has answered once */
	uint32_t opaque;            /* of the next request */
	uint32_t request;           /* lrd_loop's: the PHP request of the last use */
	uint64_t used_ns;           /* lrd_loop's: when its last round ended */
	/* what poll() waits for before the next read or write; with TLS a read may need a write first */
	short read_events;
	short write_events;
	uint64_t try_until_ns;      /* while connecting: then the next address is tried */

	uint32_t failures;          /* in a row */
	uint32_t timeouts;          /* in a row, of a server that was answering */
	uint64_t down_until_ns;
	int error;                  /* errno of the last connect() that failed; 0: it timed out, or none was tried */
	char why[LRD_TLS_WHY];      /* its certificate was not trusted when it was last shown; else empty */
	lrd_conn_counts counts;

	char *in;                   /* LRD_CONN_BUFFER bytes, made with the first connection */
	size_t in_start, in_end;
	char *out;
	size_t out_used;
	struct iovec slices[LRD_CONN_SLICES];   /* what is to be sent: of out, or the caller's bytes */
	uint32_t slice_first, slice_end;
} lrd_conn;

void lrd_conn_init(lrd_conn *conn, const lrd_conn_rules *rules, const lrd_address *address);
void lrd_conn_free(lrd_conn *conn);
/* aloud: TLS says goodbye to its peer, which a forked child must not do. */
void lrd_conn_close(lrd_conn *conn, bool aloud);

/*
 * Begins to connect; state says how far it came. Otherwise the failure, with the connection closed. *waited_ns: the
 * time that a look-up of the name took, which counts against no deadline.
 */
lrd_failure lrd_conn_open(lrd_conn *conn, uint64_t deadline_ns, uint64_t *waited_ns);
/* The same look-up alone. */
bool lrd_conn_find(lrd_conn *conn, uint64_t *waited_ns);
/* Goes on connecting, when poll() has reported read_events or the time for one address is over. Returns the same. */
lrd_failure lrd_conn_step(lrd_conn *conn, uint64_t now_ns, uint64_t deadline_ns);
/* READY, and nothing lies there unread: no late reply, no end. */
bool lrd_conn_is_quiet(lrd_conn *conn);

/* ---- health ---- */

static inline bool lrd_conn_is_down(const lrd_conn *conn, uint64_t now_ns)
{
	return conn->down_until_ns > now_ns;
}

/* Down, and for so many failures that the ring is to go without it. */
static inline bool lrd_conn_is_out(const lrd_conn *conn, uint64_t now_ns)
{
	uint32_t limit = conn->rules->failure_limit;
	return limit != 0 && conn->failures >= limit && lrd_conn_is_down(conn, now_ns);
}

void lrd_conn_went_well(lrd_conn *conn);
void lrd_conn_failed(lrd_conn *conn, uint64_t now_ns);
/* is_silent: nothing at all has come. Then one time-out is enough; of a server that is only slow it takes more. */
void lrd_conn_timed_out(lrd_conn *conn, bool is_silent, uint64_t now_ns);

/* ---- bytes ---- */

static inline bool lrd_conn_has_output(const lrd_conn *conn)
{
	return conn->slice_first < conn->slice_end;
}

/* The next `size` bytes of out were written by the caller and are to be sent. */
void lrd_conn_put(lrd_conn *conn, size_t size);
/* The caller's own bytes, which stay where they are until they are sent. */
void lrd_conn_put_slice(lrd_conn *conn, lrd_slice slice);

typedef enum lrd_conn_io {
	LRD_IO_SOME,                /* at least one byte */
	LRD_IO_LATER,               /* not now: see read_events, write_events */
	LRD_IO_END,                 /* closed or broken */
} lrd_conn_io;

/* One write of what is to be sent. */
lrd_conn_io lrd_conn_send(lrd_conn *conn, size_t *sent);

/*
 * One read: first into `rest` (NULL: nothing), then into the buffer; *into_rest bytes came into the former. blocks:
 * waits for up to rules->wait_ms. *drained: the next read would find nothing.
 */
lrd_conn_io lrd_conn_receive(
	lrd_conn *conn, char *rest, size_t rest_size, bool blocks, size_t *into_rest, bool *drained);

#endif

/*
 * What a caller wants done with one key, and the outcome. An array of ops goes down through lrd_pool_run(), which fills
 * in the second half; nothing is called back but lrd_room.
 *
 * Many kinds take one round trip at their usual course and more at others (a counter that is to be made, an add that
 * meets a lease): lrd_verb.h.
 */
#ifndef LRD_OP_H
#define LRD_OP_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/lrd_slice.h"
#include "../base/lrd_status.h"
#include "lrd_request.h"

typedef enum lrd_kind {
	LRD_OP_GET,             /* value and flags; what else op->wants_… says. OK, MISS */
	LRD_OP_GET_AND_TOUCH,   /* the same, and sets the ttl. OK, MISS */
	LRD_OP_HAS,             /* OK, MISS */
	LRD_OP_VERSION,         /* the version without the value. OK, MISS */
	LRD_OP_SET,             /* OK */
	LRD_OP_ADD,             /* OK, EXISTS */
	LRD_OP_REPLACE,         /* OK, MISS */
	LRD_OP_CAS,             /* token is the version. OK, MISS, EXISTS */
	/*
	 * To the stored bytes, whatever they are; with op->flags only if the stored flags have none of these bits. OK, MISS,
	 * EXISTS
	 */
	LRD_OP_APPEND,
	LRD_OP_PREPEND,
	LRD_OP_DELETE,          /* OK, MISS */
	LRD_OP_TOUCH,           /* OK, MISS */
	/*
	 * by, has_initial, initial, ttl (of a counter made here), flags (those of an integer). OK with number; MISS,
	 * NOT_A_NUMBER
	 */
	LRD_OP_ADD_NUMBER,
	/*
	 * As the server itself counts: a number without a sign, that wraps at 2^64 and stops at 0 on the way down. by (as
	 * unsigned), counts_down, has_initial, initial, ttl. The flags stay; those of a counter made here are 0. OK with
	 * number (as unsigned); MISS, NOT_A_NUMBER
	 */
	LRD_OP_COUNT,
	/*
	 * OK with a value (and stale, and a token if this caller is to make it anew); MISS with a token, or without one if
	 * another process makes it
	 */
	LRD_OP_GET_OR_LEASE,
	LRD_OP_LEASE,           /* OK with a token; BUSY */
	LRD_OP_SET_LEASED,      /* token is the lease. OK, LOST */
	LRD_OP_RELEASE,         /* token is the lease. OK, LOST */
	/* the value stays for ttl more seconds (0: as long as it would have) until somebody makes it anew. OK, MISS */
	LRD_OP_MARK_STALE,
} lrd_kind;

/*
 * Why an op was not done, or not known to be done, for another reason than its kind allows. In a mirrored pool an op
 * may be OK with a failure: that of the other server's copy.
 */
typedef enum lrd_failure {
	LRD_FAILURE_NONE,
	LRD_FAILURE_DOWN,           /* known to be; not tried */
	LRD_FAILURE_UNRESOLVED,     /* its name has no address */
	LRD_FAILURE_UNREACHABLE,    /* no connection */
	LRD_FAILURE_TIMED_OUT,
	LRD_FAILURE_CLOSED,         /* by the server, before its reply */
	LRD_FAILURE_OUT_OF_STEP,    /* a reply that does not prove that it is ours */
	LRD_FAILURE_DENIED,         /* authentication, or the certificate */
	LRD_FAILURE_TOO_LARGE,
	LRD_FAILURE_NO_MEMORY,
	LRD_FAILURE_SERVER_ERROR,
	LRD_FAILURE_CLIENT_ERROR,
	LRD_FAILURE_UNKNOWN_COMMAND,
	LRD_FAILURE_CONTENDED,      /* others changed the key each time between our look and our write */
} lrd_failure;

#define LRD_NO_SERVER UINT32_MAX

typedef struct lrd_op {
	/* ---- set by the caller; all else zero ---- */
	uint8_t kind;               /* lrd_kind */
	bool is_base64;             /* key is in base64 */
	bool wants_version;
	bool wants_ttl;             /* GET: into number, as ttl has it */
	bool has_initial;
	bool counts_down;
	uint32_t flags;
	lrd_slice key;              /* as sent, from lrd_proto_key() */
	lrd_slice route;            /* what the ring hashes */
	lrd_slice value;
	int64_t ttl;                /* as in lrd_request */
	int64_t seconds;            /* GET_OR_LEASE, LEASE: the lease's life, 1 or more */
	int64_t by;
	int64_t initial;
	uint64_t token;

	/* ---- how it went ---- */
	/* of those above; or DOWN (not done), REFUSED (not done), TOO_LARGE (not done), UNKNOWN (sent, no answer) */
	lrd_status status;
	lrd_failure failure;
	uint32_t server;            /* whose answer, or lack of one, this is */
	uint32_t found_flags;
	char *found;                /* the value, from lrd_room; NULL with a size: it was not wanted */
	uint64_t found_size;
	uint64_t version;
	uint64_t lease;             /* 0: none */
	int64_t number;
	bool stale;
	bool lease_is_lost;         /* GET_OR_LEASE, LEASE: nobody can have one, since the server numbers no items */

	/* ---- lrd_verb's and lrd_loop's own ---- */
	uint8_t step;
	uint8_t tries;
	bool open;                  /* request is to be sent, or its reply awaited */
	uint32_t opaque;
	struct lrd_op *next;        /* the next one of its server, in the order of sending */
	lrd_request request;
	lrd_reply reply;
	uint64_t kept;              /* from one step to a later one */
	char scratch[64];           /* bytes of a request that nobody else keeps */
} lrd_op;

/*
 * Returns room for the first `size` bytes of a value that is to have op->reply.size of them; the caller owns it. It is
 * asked again as bytes come, so that nobody can make us reserve much by announcing much: then the first `kept` bytes
 * are to be those of the room before. NULL: the caller does not want so much. The value's bytes are then read and
 * dropped, and the op ends with found_size and no found.
 *
 * It may leave by longjmp: the core keeps no memory of the batch, and closes the connection that was being read at its
 * next use.
 */
typedef char *(*lrd_room)(void *context, lrd_op *op, size_t size, size_t kept);

/* What lrd_room is asked for at first, at most; later for twice as much as has come. */
#define LRD_ROOM_STEP ((size_t) 256 << 10)

#endif

/*
 * One request of the meta protocol, and what its reply said. Plain data; the bytes belong to the maker of the request.
 */
#ifndef LRD_REQUEST_H
#define LRD_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/lrd_slice.h"

#define LRD_WIRE_KEY_MAX 250u       /* bytes of a key as it is sent */

typedef enum lrd_command {
	LRD_MG,
	LRD_MS,
	LRD_MD,
	LRD_MA,
} lrd_command;

/* What a request asks for and carries besides its key. */
enum {
	LRD_ASK_VALUE = 1 << 0,         /* v */
	LRD_ASK_FLAGS = 1 << 1,         /* f */
	LRD_ASK_CAS = 1 << 2,           /* c */
	LRD_ASK_TTL = 1 << 3,           /* t, before T takes effect */
	LRD_ASK_SIZE = 1 << 4,          /* s: mg only before 1.6.20 */
	LRD_WITH_TTL = 1 << 5,          /* T(ttl) */
	LRD_WITH_CAS = 1 << 6,          /* C(cas) */
	LRD_WITH_VIVIFY = 1 << 7,       /* mg, ma: N(vivify) */
	LRD_WITH_RECACHE = 1 << 8,      /* mg: R(vivify) */
	LRD_WITH_STALE = 1 << 9,        /* md, ms: I */
};

typedef struct lrd_request {
	lrd_slice key;                  /* as sent: base64 already when is_base64 */
	lrd_slice value;                /* ms */
	uint64_t cas;
	uint64_t delta;                 /* ma */
	uint64_t initial;               /* ma with N: J */
	/* as the server takes it: 0 never ends, negative is over at once, over 30 days is a date */
	int64_t ttl;
	int64_t vivify;
	uint32_t flags;                 /* ms: the item's client flags */
	uint16_t with;                  /* bits of the above */
	uint8_t command;                /* lrd_command */
	char mode;                      /* ms: S E R A P; ma: + -; 0: none is sent */
	bool is_base64;
} lrd_request;

/* Every reply that doc/protocol.txt knows of. */
typedef enum lrd_code {
	LRD_CODE_NONE,                  /* not sent */
	LRD_CODE_UNANSWERED,            /* sent, or perhaps; no reply that proves itself */
	LRD_CODE_OK,                    /* HD, VA, OK */
	LRD_CODE_MISS,                  /* EN */
	LRD_CODE_NOT_FOUND,             /* NF */
	LRD_CODE_NOT_STORED,            /* NS */
	LRD_CODE_EXISTS,                /* EX */
	LRD_CODE_NOT_A_NUMBER,          /* CLIENT_ERROR cannot increment or decrement non-numeric value */
	LRD_CODE_TOO_LARGE,             /* SERVER_ERROR object too large for cache */
	LRD_CODE_NO_MEMORY,             /* SERVER_ERROR out of memory … */
	LRD_CODE_DENIED,                /* CLIENT_ERROR unauthenticated, authentication failure */
	LRD_CODE_BUSY,                  /* BUSY … */
	LRD_CODE_SERVER_ERROR,          /* any other SERVER_ERROR */
	LRD_CODE_CLIENT_ERROR,          /* any other CLIENT_ERROR: we sent what it does not understand */
	LRD_CODE_UNKNOWN_COMMAND,       /* ERROR: older than 1.6.10, or no memcached */
} lrd_code;

typedef struct lrd_reply {
	uint64_t cas;
	int64_t ttl;                    /* -1: never ends */
	char *value;                    /* where lrd_room put it; NULL: it was not wanted */
	uint64_t size;                  /* of the value: VA's length, or what s said */
	uint32_t flags;
	uint32_t opaque;
	uint16_t told;                  /* bits of what a request may ask for */
	uint8_t code;                   /* lrd_code */
	bool has_opaque;
	bool has_value;                 /* VA: size bytes and CR LF follow the line */
	bool won;                       /* W: to us falls to make it */
	bool stale;                     /* X */
	bool waiting;                   /* Z: it fell to somebody else */
} lrd_reply;

#endif

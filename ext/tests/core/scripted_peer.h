/*
 * A server that plays a list of steps, in a thread, on a free port of 127.0.0.1: for what no real memcached
 * does. A step that does not come true ends the play; peer_end() then fails the test with its number.
 *
 * In PEER_LINE, "O*" stands for any opaque, which is kept, and "~" for whatever comes before the last word; in
 * PEER_SEND, "O{0}" is the first one kept on this connection, "O{1}" the second. The steps are the test's and must
 * outlive the peer.
 */
#ifndef SCRIPTED_PEER_H
#define SCRIPTED_PEER_H

#include <stddef.h>

typedef enum peer_do {
	PEER_END,           /* of the list */
	PEER_ACCEPT,        /* a connection, within 5 s; the one before is closed */
	PEER_LINE,          /* reads a line, which must be text */
	PEER_BYTES,         /* reads number bytes, whatever they are */
	PEER_SEND,          /* text; only its first number bytes when that is not 0 */
	PEER_ZEROES,        /* sends number zero bytes */
	PEER_WAIT,          /* number milliseconds */
	PEER_CLOSE,
	PEER_HALF_CLOSE,    /* sends its end, goes on reading */
	PEER_RESET,
	PEER_GONE,          /* the client closes, within 5 s, having sent no more */
	PEER_QUIET,         /* the client sends nothing for number milliseconds */
	PEER_DEAF,          /* no longer listens: connections are refused */
} peer_do;

typedef struct peer_step {
	peer_do what;
	const char *text;
	size_t number;
} peer_step;

typedef struct peer peer;

/* It listens before this returns. */
peer *peer_start(const peer_step *steps);
/* "127.0.0.1:port" */
const char *peer_address(const peer *peer);
/* Waits for the last step. */
void peer_end(peer *peer);
/* Connections made so far. */
unsigned peer_accepted(const peer *peer);

#endif

/*
 * Gets by datagrams. Several `mg` per datagram, each with an opaque; a reply counts only if it fits one datagram (total
 * 1), comes from the server's address under an id that is awaited, and its opaque is that of an op which has no answer
 * yet. All else is dropped, and what has no answer in the end is left to TCP.
 */
#ifndef LRD_UDP_H
#define LRD_UDP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "lrd_op.h"

typedef struct lrd_udp lrd_udp;

typedef struct lrd_udp_counts {
	uint64_t asked;             /* ops sent by datagram */
	uint64_t answered;
	uint64_t long_replies;      /* of more than one datagram, left to TCP */
	uint64_t lost;              /* not answered in time */
	uint64_t dropped;           /* datagrams late, foreign or damaged */
	uint64_t fallbacks;         /* times that a loss turned UDP off for the retry interval */
} lrd_udp_counts;

/* NULL: no socket. retry_ms: how long after a loss only TCP is used. */
lrd_udp *lrd_udp_open(const struct sockaddr *address, socklen_t size, uint32_t retry_ms);
void lrd_udp_close(lrd_udp *udp);
/* Whether it is to be tried now. */
bool lrd_udp_is_on(const lrd_udp *udp, uint64_t now_ns);
const lrd_udp_counts *lrd_udp_counted(const lrd_udp *udp);

typedef struct lrd_udp_lane {
	lrd_udp *udp;
	/* open LRD_OP_GETs, linked by next, with their requests written, which ask for the value */
	lrd_op *first;
} lrd_udp_lane;

/*
 * Asks all servers at once, until all has come or a reply is overdue (a part of the time to the deadline, so that TCP
 * has the rest). Sets op->reply, with the value in room()'s place, of those that were answered; the others' code is
 * LRD_CODE_NONE. Gives the ops other opaques.
 */
void lrd_udp_get(lrd_udp_lane *lanes, uint32_t count, uint64_t deadline_ns, lrd_room room, void *context);

#endif

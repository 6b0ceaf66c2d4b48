/* Writes the requests of a lane's round as text, in pieces that fit the connection's buffer, and sends them. */
#ifndef LRD_SEND_H
#define LRD_SEND_H

#include "lrd_lane.h"

/* Sends until all is sent, the socket takes no more, or it is another lane's turn. END: the connection is broken. */
lrd_conn_io lrd_send(lrd_lane *lane);

#endif

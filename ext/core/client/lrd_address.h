/*
 * A server as it is written in a configuration: "host", "host:port", "[::1]:11211", "unix:/path", "tls://host:port".
 * Pure functions on the caller's text; the slices point into it. A host alone has port 11211.
 */
#ifndef LRD_ADDRESS_H
#define LRD_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/lrd_slice.h"

#define LRD_ADDRESS_WHY 160

typedef struct lrd_address {
	lrd_slice host;             /* a name, a numeric address without brackets, or a path */
	uint16_t port;              /* 0: a Unix socket */
	bool is_unix;
	bool is_tls;
} lrd_address;

/* False with a sentence in why that names the text and what is allowed. Control bytes, spaces and NULs are refused. */
bool lrd_address_read(lrd_slice text, lrd_address *address, char why[LRD_ADDRESS_WHY]);

#endif

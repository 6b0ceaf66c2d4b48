/*
 * Names to addresses, with a deadline: the resolver runs in a thread, which is left behind if it takes too
 * long. Numeric addresses are answered at once without one. While 4 threads are left behind, further names are
 * LRD_TIMEOUT at once.
 */
#ifndef LRD_DNS_H
#define LRD_DNS_H

#include <stdint.h>
#include <sys/socket.h>

#include "../base/lrd_slice.h"
#include "../base/lrd_status.h"

#define LRD_DNS_ADDRESSES 8u

typedef struct lrd_dns_answer {
	uint32_t count;             /* 1 to LRD_DNS_ADDRESSES, in the resolver's order */
	struct {
		struct sockaddr_storage address;
		socklen_t size;
	} found[LRD_DNS_ADDRESSES];
} lrd_dns_answer;

/* LRD_OK; LRD_TIMEOUT; LRD_MISS: there is no such name; LRD_SYSTEM. The port is put into the addresses. */
lrd_status lrd_dns_find(lrd_slice host, uint16_t port, uint32_t timeout_ms, lrd_dns_answer *answer);

#ifdef LRD_FAULTS
struct addrinfo;
/* Tests only: in place of getaddrinfo() in the thread; NULL: that again. */
void lrd_dns_set_resolver(int (*resolver)(const char *, const char *, const struct addrinfo *, struct addrinfo **));
/* The number of threads left behind. */
unsigned lrd_dns_left_behind(void);
#endif

#endif

/*
 * The two ends of a test of lrd_udp: a server in a thread whose script answers each datagram as it likes, and an array
 * of ops with the room for their values. The test starts and stops the peer; the script runs in its thread.
 */
#ifndef UDP_PEER_H
#define UDP_PEER_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../core/client/lrd_udp.h"

enum { OPS_MAX = 10000, ROOM_MAX = 1400, WAIT_MS = 300, RETRY_MS = 60 };

/* ---- the peer ---- */

typedef struct asked {
	unsigned id;
	unsigned count;
	struct {
		char key[LRD_WIRE_KEY_MAX + 1];
		char opaque[9];
	} ops[64];
} asked;

typedef struct peer {
	int fd;
	pthread_t thread;
	struct sockaddr_in address;
	struct sockaddr_in client;
	void (*answer)(struct peer *peer, const asked *request);
	unsigned datagrams;
	unsigned longest;
	unsigned most_open;         /* asked and not answered yet, at most; for scripts that count */
	asked kept[64];
	unsigned kept_count;
	uint32_t random;
} peer;

peer *udp_peer_start(void (*answer)(peer *, const asked *));
void udp_peer_stop(peer *p);

/* In the peer's thread, where cmocka cannot jump. */
void udp_require(bool holds);
void udp_send_raw(peer *p, const void *bytes, size_t size);
size_t udp_datagram(char at[1500], unsigned id, unsigned number, unsigned total, const char *payload, size_t size);
void udp_send_part(peer *p, unsigned id, unsigned number, unsigned total, const char *payload, size_t size);
/* The true reply, and a datagram of it. Keys in m are misses. */
size_t udp_reply_to(char *at, const char *key, const char *opaque);
void udp_send_reply(peer *p, const asked *request, unsigned op);
void udp_answer_all(peer *p, const asked *request);

/* The value of a key that ends in its size: bytes that depend on the key and their place. Returns the size. */
size_t udp_value_of(const char *key, char *at);
void udp_nap(unsigned ms);

/* ---- the caller ---- */

extern lrd_op udp_ops[OPS_MAX];
extern char udp_keys[OPS_MAX][LRD_WIRE_KEY_MAX + 1];
extern unsigned udp_wait_ms;

int udp_make_rooms(void **state);
int udp_free_rooms(void **state);
lrd_udp *udp_open_to(const struct sockaddr_in *address);
/* The op of udp_keys[i], followed by the next one. */
void udp_make_op(unsigned i);
/* form: of the key, with the number in it. */
void udp_make_ops(unsigned count, const char *form, unsigned first, unsigned step);
char *udp_room(void *context, lrd_op *op, size_t size, size_t kept);
/* Of all ops made. How many were answered; each of these must be right. */
unsigned udp_get(lrd_udp *udp);
bool udp_is_off(const lrd_udp *udp);

#endif

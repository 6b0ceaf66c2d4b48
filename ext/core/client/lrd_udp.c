/*
 * Nothing of a call outlives it but the socket and its counters: lrd_room may leave by longjmp, and the next call
 * forgets what was awaited.
 *
 * A datagram in flight is known by its id. Its ops are neighbours in the lane's list and have neighbouring opaques, so
 * a reply finds its op by id and opaque, and one of the two alone finds nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "../base/lrd_clock.h"
#include "lrd_proto.h"
#include "lrd_ring.h"
#include "lrd_udp.h"

enum {
	HEADER = 8,                     /* id, number of this datagram, how many there are, 0: 16 bits each, big-endian */
	DATAGRAM_MAX = 1400,            /* memcached's, too */
	OPS_IN_DATAGRAM = 64,           /* the bits of flight.open */
	FLIGHTS = 64,
	ASKED_MAX = 128,                /* replies on their way to us at most */
	BUFFER_OF_REPLY = 3072,         /* what the kernel may charge the socket's buffer for one */
	SENT_AT_ONCE = 8,
	RECEIVED_AT_ONCE = 32,
	RECEIVES_AT_ONCE = 8,           /* then the other servers have their turn */
	QUIET_MIN_MS = 5,
	QUIET_MAX_MS = 50,
};

typedef struct flight {
	uint64_t open;                  /* a bit for each op that waits for its reply */
	lrd_op *first;
	uint32_t first_opaque;
	uint32_t count;
	uint16_t id;
} flight;

struct lrd_udp {
	int fd;
	uint32_t retry_ms;
	uint64_t off_until_ns;
	uint32_t asked_max;
	uint32_t next_opaque;
	uint16_t next_id;               /* its flight is flights[id % FLIGHTS] */
	bool has_rest;                  /* parts of a long reply may lie in the socket's buffer or come yet */
	lrd_udp_counts counts;

	/* ---- of one lrd_udp_get() ---- */
	lrd_op *unsent;
	uint32_t asked;                 /* open bits of all flights */
	bool heard;                     /* something came in this call */
	uint64_t last_ns;               /* when something went or came */
	flight flights[FLIGHTS];
};

typedef struct outbox {
	struct mmsghdr messages[SENT_AT_ONCE];
	struct iovec parts[SENT_AT_ONCE];
	char bytes[SENT_AT_ONCE][DATAGRAM_MAX];
	flight *flights[SENT_AT_ONCE];
	unsigned count;
} outbox;

typedef struct inbox {
	struct mmsghdr messages[RECEIVED_AT_ONCE];
	struct iovec parts[RECEIVED_AT_ONCE];
	char bytes[RECEIVED_AT_ONCE][DATAGRAM_MAX];
} inbox;

/* ---- the socket ---- */

static uint32_t buffer_for(int fd)
{
	int size = ASKED_MAX * BUFFER_OF_REPLY;
	socklen_t length = sizeof size;
	(void) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
	if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, &length) != 0 || size < 8 * BUFFER_OF_REPLY) {
		return 8;
	}
	uint32_t fit = (uint32_t) size / BUFFER_OF_REPLY;
	return fit < ASKED_MAX ? fit : ASKED_MAX;
}

lrd_udp *lrd_udp_open(const struct sockaddr *address, socklen_t size, uint32_t retry_ms)
{
	lrd_udp *udp = calloc(1, sizeof *udp);
	if (udp == NULL) {
		return NULL;
	}
	udp->retry_ms = retry_ms;
	udp->fd = socket(address->sa_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	/* Connected, so that the kernel drops what does not come from this address. */
	if (udp->fd < 0 || connect(udp->fd, address, size) != 0) {
		lrd_udp_close(udp);
		return NULL;
	}
	udp->asked_max = buffer_for(udp->fd);
	uint32_t start[2] = { (uint32_t) lrd_clock_monotonic_ns(), (uint32_t) getpid() };
	(void) !getrandom(start, sizeof start, GRND_NONBLOCK);
	udp->next_opaque = start[0];
	udp->next_id = (uint16_t) start[1];
	return udp;
}

void lrd_udp_close(lrd_udp *udp)
{
	if (udp == NULL) {
		return;
	}
	if (udp->fd >= 0) {
		close(udp->fd);
	}
	free(udp);
}

bool lrd_udp_is_on(const lrd_udp *udp, uint64_t now_ns)
{
	return now_ns >= udp->off_until_ns;
}

const lrd_udp_counts *lrd_udp_counted(const lrd_udp *udp)
{
	return &udp->counts;
}

/*
 * What was not sent was not lost. A server that still answered when the time was up may have lost nothing either.
 */
static void give_up(lrd_udp *udp, uint64_t now_ns, bool is_silent)
{
	udp->counts.lost += udp->asked;
	udp->asked = 0;
	udp->unsent = NULL;
	if (is_silent) {
		udp->counts.fallbacks++;
		udp->off_until_ns = now_ns + udp->retry_ms * LRD_MS_NS;
	}
}

/* ---- sending ---- */

static void put_16(char *at, unsigned number)
{
	at[0] = (char) (number >> 8 & 255);
	at[1] = (char) (number & 255);
}

/* Packs as many ops as fit into one datagram. NULL: none may go now. */
static flight *pack(lrd_udp *udp, char bytes[DATAGRAM_MAX], size_t *size)
{
	flight *f = &udp->flights[udp->next_id % FLIGHTS];
	if (udp->unsent == NULL || udp->asked >= udp->asked_max || f->open != 0) {
		return NULL;
	}
	*f = (flight) { .first = udp->unsent, .first_opaque = udp->next_opaque, .id = udp->next_id++ };
	put_16(bytes, f->id);
	put_16(bytes + 2, 0);
	put_16(bytes + 4, 1);
	put_16(bytes + 6, 0);
	*size = HEADER;
	while (udp->unsent != NULL && f->count < OPS_IN_DATAGRAM && udp->asked < udp->asked_max) {
		char line[LRD_PROTO_LINE_MAX];
		lrd_op *op = udp->unsent;
		size_t length = lrd_proto_line(line, &op->request, udp->next_opaque);
		if (*size + length > DATAGRAM_MAX) {
			break;
		}
		memcpy(bytes + *size, line, length);
		*size += length;
		op->opaque = udp->next_opaque++;
		f->open |= UINT64_C(1) << f->count++;
		udp->asked++;
		udp->unsent = op->next;
	}
	return f;
}

/* The first `sent` of the outbox went; the rest is as if it had never been packed. */
static void unpack(lrd_udp *udp, const outbox *out, unsigned sent)
{
	for (unsigned i = 0; i < sent; i++) {
		udp->counts.asked += out->flights[i]->count;
	}
	if (sent < out->count) {
		udp->unsent = out->flights[sent]->first;
	}
	for (unsigned i = sent; i < out->count; i++) {
		udp->asked -= out->flights[i]->count;
		out->flights[i]->open = 0;
	}
}

/* False: the socket takes nothing now, or the server is not there. */
static bool post(lrd_udp *udp, outbox *out, uint64_t now_ns)
{
	int sent;
	unsigned tries = 0;
	do {
		sent = sendmmsg(udp->fd, out->messages, out->count, MSG_NOSIGNAL);
		/* A refusal may be the answer to a datagram of an earlier call. */
	} while (sent < 0 && (errno == EINTR || (errno == ECONNREFUSED && !udp->heard && tries++ == 0)));
	int error = sent < 0 ? errno : 0;
	unpack(udp, out, sent < 0 ? 0 : (unsigned) sent);
	udp->last_ns = now_ns;
	if (sent < 0 && error != EAGAIN && error != ENOBUFS) {
		give_up(udp, now_ns, true);
	}
	/* After a part of them: the next try says why not all, or takes the rest. */
	return sent > 0;
}

static void send_more(lrd_udp *udp, uint64_t now_ns)
{
	outbox out;
	bool went = true;
	/* Not for each reply that comes, because a datagram should be full. */
	if (udp->unsent == NULL || udp->asked > udp->asked_max / 2) {
		return;
	}
	while (went) {
		for (out.count = 0; out.count < SENT_AT_ONCE; out.count++) {
			size_t size;
			flight *f = pack(udp, out.bytes[out.count], &size);
			if (f == NULL) {
				break;
			}
			out.flights[out.count] = f;
			out.parts[out.count] = (struct iovec) { out.bytes[out.count], size };
			out.messages[out.count] = (struct mmsghdr) { .msg_hdr = {
															.msg_iov = &out.parts[out.count], .msg_iovlen = 1 } };
		}
		if (out.count == 0) {
			return;
		}
		went = post(udp, &out, now_ns);
	}
}

/* ---- receiving ---- */

static unsigned get_16(const char *at)
{
	return (unsigned) (unsigned char) at[0] << 8 | (unsigned char) at[1];
}

static lrd_op *op_of(const flight *f, uint32_t place)
{
	lrd_op *op = f->first;
	while (place-- > 0) {
		op = op->next;
	}
	return op;
}

/* A value and nothing behind it, or a miss. */
static bool is_answer(const lrd_reply *reply, lrd_slice rest)
{
	if (!reply->has_value) {
		return reply->code == LRD_CODE_MISS && rest.size == 0;
	}
	return rest.size == reply->size + 2 && memcmp(rest.bytes + reply->size, "\r\n", 2) == 0;
}

/*
 * False: not a reply that we wait for. Of a reply in many datagrams only the first says whose it is; it ends the wait,
 * and the others mean nothing: those of two replies cannot be told apart.
 */
static bool take(lrd_udp *udp, lrd_slice datagram, lrd_room room, void *context)
{
	lrd_reply reply = { .value = NULL };
	size_t used;
	if (datagram.size < HEADER) {
		return false;
	}
	unsigned id = get_16(datagram.bytes), number = get_16(datagram.bytes + 2), total = get_16(datagram.bytes + 4);
	flight *f = &udp->flights[id % FLIGHTS];
	if (f->open == 0 || f->id != id || number >= total) {
		return false;
	}
	if (number > 0) {
		return true;
	}
	datagram.bytes += HEADER;
	datagram.size -= HEADER;
	if (lrd_proto_reply(datagram.bytes, datagram.size, &reply, &used) != LRD_PARSE_DONE || !reply.has_opaque) {
		return false;
	}
	uint32_t place = reply.opaque - f->first_opaque;
	if (place >= f->count || (f->open >> place & 1) == 0) {
		return false;
	}
	lrd_op *op = op_of(f, place);
	if (!lrd_proto_fits(&op->request, &reply)) {
		return false;
	}
	if (total == 1 && !is_answer(&reply, (lrd_slice) { datagram.bytes + used, datagram.size - used })) {
		return false;
	}
	f->open &= ~(UINT64_C(1) << place);
	udp->asked--;
	if (total > 1) {
		udp->has_rest = true;
		udp->counts.long_replies++;
		return true;
	}
	op->reply = reply;
	if (reply.has_value) {
		op->reply.value = room(context, op, reply.size, 0);
		if (op->reply.value != NULL) {
			memcpy(op->reply.value, datagram.bytes + used, reply.size);
		}
	}
	udp->counts.answered++;
	return true;
}

static int receive_some(lrd_udp *udp, inbox *in)
{
	for (unsigned i = 0; i < RECEIVED_AT_ONCE; i++) {
		in->parts[i] = (struct iovec) { in->bytes[i], DATAGRAM_MAX };
		in->messages[i] = (struct mmsghdr) { .msg_hdr = { .msg_iov = &in->parts[i], .msg_iovlen = 1 } };
	}
	return recvmmsg(udp->fd, in->messages, RECEIVED_AT_ONCE, MSG_DONTWAIT, NULL);
}

/* False: the server is not there. */
static bool receive(lrd_udp *udp, inbox *in, uint64_t now_ns, lrd_room room, void *context)
{
	for (unsigned times = 0; times < RECEIVES_AT_ONCE && udp->asked > 0; times++) {
		int count = receive_some(udp, in);
		if (count < 0) {
			return errno == EAGAIN || errno == EINTR;
		}
		for (int i = 0; i < count; i++) {
			bool is_whole = (in->messages[i].msg_hdr.msg_flags & MSG_TRUNC) == 0;
			if (is_whole && take(udp, (lrd_slice) { in->bytes[i], in->messages[i].msg_len }, room, context)) {
				udp->last_ns = now_ns;
				udp->heard = true;
			} else {
				udp->counts.dropped++;
			}
		}
		if (count < RECEIVED_AT_ONCE) {
			break;
		}
	}
	return true;
}

/* Room for this call's replies where the last call left parts of a long one. */
static void drop_rest(lrd_udp *udp)
{
	inbox in;
	for (unsigned times = 0; times < RECEIVES_AT_ONCE && udp->has_rest; times++) {
		udp->has_rest = receive_some(udp, &in) == RECEIVED_AT_ONCE;
	}
}

/* ---- a call ---- */

typedef struct call {
	lrd_udp_lane *lanes;
	uint32_t count;
	uint64_t quiet_ns;              /* a reply this long after the last one is overdue */
	uint64_t end_ns;
} call;

static void begin(lrd_udp_lane *lane)
{
	lrd_udp *udp = lane->udp;
	udp->unsent = lane->first;
	udp->asked = 0;
	udp->heard = false;
	for (unsigned i = 0; i < FLIGHTS; i++) {
		udp->flights[i].open = 0;
	}
	for (lrd_op *op = lane->first; op != NULL; op = op->next) {
		op->reply.code = LRD_CODE_NONE;
	}
	drop_rest(udp);
}

static void give_up_overdue(const call *c, uint64_t now_ns)
{
	for (uint32_t i = 0; i < c->count; i++) {
		lrd_udp *udp = c->lanes[i].udp;
		bool is_silent = now_ns >= udp->last_ns + c->quiet_ns;
		if (udp->asked > 0 && (is_silent || now_ns >= c->end_ns)) {
			give_up(udp, now_ns, is_silent || !udp->heard);
		}
	}
}

/* Waits until something is there or overdue. Returns how many lanes are polled; 0: all is done. */
static nfds_t wait_for_some(const call *c, struct pollfd *polled, uint32_t *lane_of, uint64_t now_ns)
{
	nfds_t count = 0;
	uint64_t until = c->end_ns;
	for (uint32_t i = 0; i < c->count; i++) {
		const lrd_udp *udp = c->lanes[i].udp;
		if (udp->asked == 0) {
			continue;
		}
		lane_of[count] = i;
		polled[count++] = (struct pollfd) { .fd = udp->fd, .events = POLLIN };
		if (udp->last_ns + c->quiet_ns < until) {
			until = udp->last_ns + c->quiet_ns;
		}
	}
	if (count > 0) {
		uint64_t left = until > now_ns ? until - now_ns : 0;
		struct timespec timeout = { .tv_sec = (time_t) (left / 1000000000), .tv_nsec = (long) (left % 1000000000) };
		if (ppoll(polled, count, &timeout, NULL) < 0) {
			for (nfds_t i = 0; i < count; i++) {
				polled[i].revents = 0;
			}
		}
	}
	return count;
}

static void ask_all(const call *c, uint64_t now_ns, lrd_room room, void *context)
{
	struct pollfd polled[LRD_SERVERS_MAX];
	uint32_t lane_of[LRD_SERVERS_MAX];
	inbox in;
	nfds_t count;
	while ((count = wait_for_some(c, polled, lane_of, now_ns)) > 0) {
		now_ns = lrd_clock_monotonic_ns();
		for (nfds_t i = 0; i < count; i++) {
			lrd_udp *udp = c->lanes[lane_of[i]].udp;
			if (polled[i].revents == 0) {
				continue;
			}
			if (!receive(udp, &in, now_ns, room, context)) {
				give_up(udp, now_ns, true);
			}
			if (now_ns < c->end_ns) {
				send_more(udp, now_ns);
			}
		}
		give_up_overdue(c, now_ns);
	}
}

void lrd_udp_get(lrd_udp_lane *lanes, uint32_t count, uint64_t deadline_ns, lrd_room room, void *context)
{
	uint64_t now_ns = lrd_clock_monotonic_ns();
	uint64_t left = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
	call c = { lanes, count < LRD_SERVERS_MAX ? count : LRD_SERVERS_MAX, left / 3, now_ns + left / 2 };
	if (c.quiet_ns < QUIET_MIN_MS * LRD_MS_NS) {
		c.quiet_ns = QUIET_MIN_MS * LRD_MS_NS;
	}
	if (c.quiet_ns > QUIET_MAX_MS * LRD_MS_NS) {
		c.quiet_ns = QUIET_MAX_MS * LRD_MS_NS;
	}
	for (uint32_t i = 0; i < c.count; i++) {
		begin(&lanes[i]);
		if (left > 0) {
			send_more(lanes[i].udp, now_ns);
		}
	}
	ask_all(&c, now_ns, room, context);
}

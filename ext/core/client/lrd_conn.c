#define _GNU_SOURCE
#include "lrd_conn.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../base/lrd_clock.h"

#define NAMES_FRESH_NS (60000 * LRD_MS_NS)
#define NAMES_RETRY_NS (10000 * LRD_MS_NS)

enum {
	BACKOFF_STEPS = 4,          /* 16 times the interval */
};

void lrd_conn_init(lrd_conn *conn, const lrd_conn_rules *rules, const lrd_address *address)
{
	memset(conn, 0, sizeof *conn);
	conn->rules = rules;
	conn->address = *address;
	conn->fd = -1;
}

void lrd_conn_free(lrd_conn *conn)
{
	lrd_conn_close(conn, true);
	free(conn->in);
	free(conn->out);
}

void lrd_conn_close(lrd_conn *conn, bool aloud)
{
	if (conn->tls != NULL) {
		lrd_tls_close(conn->tls, aloud);
		conn->tls = NULL;
	}
	if (conn->fd >= 0) {
		close(conn->fd);
		conn->fd = -1;
	}
	conn->state = LRD_CONN_CLOSED;
	conn->in_doubt = false;
	conn->in_start = conn->in_end = 0;
	conn->out_used = 0;
	conn->slice_first = conn->slice_end = 0;
}

/* ---- health ---- */

void lrd_conn_went_well(lrd_conn *conn)
{
	conn->is_proved = true;
	conn->failures = 0;
	conn->timeouts = 0;
	conn->down_until_ns = 0;
}

void lrd_conn_failed(lrd_conn *conn, uint64_t now_ns)
{
	uint32_t doublings = conn->failures < BACKOFF_STEPS ? conn->failures : BACKOFF_STEPS;
	uint64_t down_ms = (uint64_t) conn->rules->retry_ms << (conn->rules->retry_is_fixed ? 0 : doublings);
	conn->failures++;
	if (conn->rules->failure_limit != 0 && conn->failures >= conn->rules->failure_limit) {
		down_ms = conn->rules->out_ms;
	}
	conn->down_until_ns = now_ns + down_ms * LRD_MS_NS;
}

void lrd_conn_timed_out(lrd_conn *conn, bool is_silent, uint64_t now_ns)
{
	conn->counts.timeouts++;
	if (++conn->timeouts >= conn->rules->timeout_limit || is_silent) {
		lrd_conn_failed(conn, now_ns);
	}
}

/* ---- connecting ---- */

static bool make_buffers(lrd_conn *conn)
{
	if (conn->in == NULL) {
		conn->in = malloc(LRD_CONN_BUFFER);
	}
	if (conn->out == NULL) {
		conn->out = malloc(LRD_CONN_BUFFER);
	}
	return conn->in != NULL && conn->out != NULL;
}

static bool name_path(lrd_conn *conn)
{
	struct sockaddr_un *at = (struct sockaddr_un *) &conn->names.found[0].address;
	if (conn->address.host.size >= sizeof at->sun_path) {
		return false;
	}
	memset(at, 0, sizeof *at);
	at->sun_family = AF_UNIX;
	memcpy(at->sun_path, conn->address.host.bytes, conn->address.host.size);
	conn->names.found[0].size = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + conn->address.host.size + 1);
	conn->names.count = 1;
	return true;
}

/* An old answer is better than none: a server stays known while the resolver is down. */
bool lrd_conn_find(lrd_conn *conn, uint64_t *waited_ns)
{
	*waited_ns = 0;
	uint64_t begin = lrd_clock_monotonic_ns();
	if (conn->names.count > 0 && begin < conn->names_until_ns) {
		return true;
	}
	if (conn->address.is_unix) {
		conn->names_until_ns = UINT64_MAX;
		return name_path(conn);
	}
	lrd_dns_answer answer;
	lrd_status status = lrd_dns_find(conn->address.host, conn->address.port, conn->rules->dns_timeout_ms, &answer);
	uint64_t end = lrd_clock_monotonic_ns();
	*waited_ns = end - begin;
	if (status == LRD_OK && answer.count > 0) {
		conn->names = answer;
	}
	conn->names_until_ns = end + (status == LRD_OK ? NAMES_FRESH_NS : NAMES_RETRY_NS);
	return conn->names.count > 0;
}

static void set_time(int fd, int option, uint64_t ns)
{
	struct timeval time = { .tv_sec = (time_t) (ns / 1000000000), .tv_usec = (suseconds_t) (ns / 1000 % 1000000) };
	if (time.tv_sec == 0 && time.tv_usec == 0) {
		time.tv_usec = 1;
	}
	setsockopt(fd, SOL_SOCKET, option, &time, sizeof time);
}

/* A path's connect() never goes on by itself: where the server's queue is full, it is waited for. */
static bool connect_waiting(lrd_conn *conn, uint64_t deadline_ns)
{
	uint64_t now = lrd_clock_monotonic_ns();
	if (now >= deadline_ns || fcntl(conn->fd, F_SETFL, 0) != 0) {
		return false;
	}
	set_time(conn->fd, SO_SNDTIMEO, deadline_ns - now);
	return connect(conn->fd, (struct sockaddr *) &conn->names.found[0].address, conn->names.found[0].size) == 0;
}

/* Connects to the address in use. True: connected, or under way. */
static bool begin_connect(lrd_conn *conn, uint64_t deadline_ns)
{
	const struct sockaddr *address = (const struct sockaddr *) &conn->names.found[conn->name].address;
	conn->fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (conn->fd < 0) {
		return false;
	}
	if (!conn->address.is_unix) {
		const int on = 1;
		setsockopt(conn->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	}
	conn->state = LRD_CONN_CONNECTING;
	conn->read_events = POLLOUT;
	/* An interrupted connect() goes on by itself. */
	if (connect(conn->fd, address, conn->names.found[conn->name].size) == 0) {
		conn->read_events = 0;
		return true;
	}
	if (errno == EINPROGRESS || errno == EINTR) {
		return true;
	}
	if (errno == EAGAIN && connect_waiting(conn, deadline_ns)) {
		conn->read_events = 0;
		return true;
	}
	conn->error = errno;
	return false;
}

/* Tries the addresses from the one in use on, until one is under way. Each has its part of the time. */
static lrd_failure connect_next(lrd_conn *conn, uint64_t now_ns, uint64_t deadline_ns)
{
	for (; conn->name < conn->names.count; conn->name++) {
		if (begin_connect(conn, deadline_ns)) {
			uint64_t left = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
			conn->try_until_ns = now_ns + left / (conn->names.count - conn->name);
			return LRD_FAILURE_NONE;
		}
		lrd_conn_close(conn, false);
	}
	conn->name = 0;
	return LRD_FAILURE_UNREACHABLE;
}

static lrd_failure become_ready(lrd_conn *conn)
{
	/* Blocking, so that one server's reply can be waited for by its read alone; every other call says MSG_DONTWAIT. */
	if (conn->tls == NULL) {
		fcntl(conn->fd, F_SETFL, 0);
		set_time(conn->fd, SO_RCVTIMEO, conn->rules->wait_ms * LRD_MS_NS);
	}
	conn->state = LRD_CONN_READY;
	conn->read_events = POLLIN;
	conn->write_events = POLLOUT;
	conn->in_start = conn->in_end = 0;
	return LRD_FAILURE_NONE;
}

static lrd_failure step_login(lrd_conn *conn)
{
	static const char stored[] = "STORED\r\n";
	const size_t length = sizeof stored - 1;
	size_t count;
	bool drained;
	conn->read_events = POLLIN;
	while (lrd_conn_has_output(conn)) {
		lrd_conn_io io = lrd_conn_send(conn, &count);
		if (io != LRD_IO_SOME) {
			conn->read_events = conn->write_events;
			return io == LRD_IO_LATER ? LRD_FAILURE_NONE : LRD_FAILURE_UNREACHABLE;
		}
	}
	while (conn->in_end < length) {
		lrd_conn_io io = lrd_conn_receive(conn, NULL, 0, false, &count, &drained);
		if (io != LRD_IO_SOME) {
			return io == LRD_IO_LATER ? LRD_FAILURE_NONE : LRD_FAILURE_UNREACHABLE;
		}
		if (memcmp(conn->in, stored, conn->in_end < length ? conn->in_end : length) != 0) {
			return LRD_FAILURE_DENIED;
		}
	}
	return conn->in_end == length ? become_ready(conn) : LRD_FAILURE_OUT_OF_STEP;
}

static lrd_failure begin_login(lrd_conn *conn)
{
	if (conn->rules->login.size == 0) {
		return become_ready(conn);
	}
	conn->state = LRD_CONN_AUTHENTICATING;
	conn->write_events = POLLOUT;
	lrd_conn_put_slice(conn, conn->rules->login);
	return step_login(conn);
}

static lrd_failure step_handshake(lrd_conn *conn)
{
	switch (lrd_tls_handshake(conn->tls)) {
	case LRD_TLS_DONE:
		return begin_login(conn);
	case LRD_TLS_WANTS_READ:
		conn->read_events = POLLIN;
		return LRD_FAILURE_NONE;
	case LRD_TLS_WANTS_WRITE:
		conn->read_events = POLLOUT;
		return LRD_FAILURE_NONE;
	case LRD_TLS_DENIED:
		snprintf(conn->why, sizeof conn->why, "%s", lrd_tls_why(conn->tls));
		return LRD_FAILURE_DENIED;
	default:
		return LRD_FAILURE_UNREACHABLE;
	}
}

static lrd_failure connected(lrd_conn *conn)
{
	if (!conn->address.is_tls) {
		return begin_login(conn);
	}
	conn->tls = lrd_tls_open(conn->rules->tls, conn->fd, conn->address.host);
	if (conn->tls == NULL) {
		return LRD_FAILURE_NO_MEMORY;
	}
	conn->state = LRD_CONN_HANDSHAKING;
	return step_handshake(conn);
}

/* NONE: connected, or still under way; *is_over: by the latter */
static lrd_failure step_connect(lrd_conn *conn, uint64_t now_ns, uint64_t deadline_ns)
{
	int error = 0;
	socklen_t size = sizeof error;
	struct pollfd poll_one = { .fd = conn->fd, .events = POLLOUT };
	if (conn->read_events != 0) {
		if (poll(&poll_one, 1, 0) <= 0 && now_ns < conn->try_until_ns) {
			return LRD_FAILURE_NONE;
		}
		if (poll_one.revents == 0 || getsockopt(conn->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
			lrd_conn_close(conn, false);
			conn->error = error;
			conn->name++;
			lrd_failure failure = connect_next(conn, now_ns, deadline_ns);
			if (failure != LRD_FAILURE_NONE || conn->read_events != 0) {
				return failure;
			}
		}
	}
	return connected(conn);
}

lrd_failure lrd_conn_step(lrd_conn *conn, uint64_t now_ns, uint64_t deadline_ns)
{
	lrd_failure failure = LRD_FAILURE_NONE;
	switch (conn->state) {
	case LRD_CONN_CONNECTING:
		failure = step_connect(conn, now_ns, deadline_ns);
		break;
	case LRD_CONN_HANDSHAKING:
		failure = step_handshake(conn);
		break;
	case LRD_CONN_AUTHENTICATING:
		failure = step_login(conn);
		break;
	default:
		break;
	}
	if (failure != LRD_FAILURE_NONE) {
		conn->name = 0;
		lrd_conn_close(conn, false);
	}
	return failure;
}

lrd_failure lrd_conn_open(lrd_conn *conn, uint64_t deadline_ns, uint64_t *waited_ns)
{
	*waited_ns = 0;
	conn->counts.connects++;
	conn->error = 0;
	conn->is_proved = false;
	lrd_conn_close(conn, false);
	if (!make_buffers(conn)) {
		return LRD_FAILURE_NO_MEMORY;
	}
	if (!lrd_conn_find(conn, waited_ns)) {
		return conn->address.is_unix ? LRD_FAILURE_UNREACHABLE : LRD_FAILURE_UNRESOLVED;
	}
	if (getrandom(&conn->opaque, sizeof conn->opaque, 0) != (ssize_t) sizeof conn->opaque) {
		return LRD_FAILURE_UNREACHABLE;
	}
	conn->name = conn->name < conn->names.count ? conn->name : 0;
	uint64_t now = lrd_clock_monotonic_ns();
	lrd_failure failure = connect_next(conn, now, deadline_ns + *waited_ns);
	if (failure == LRD_FAILURE_NONE && conn->read_events == 0) {
		failure = lrd_conn_step(conn, now, deadline_ns + *waited_ns);
	}
	return failure;
}

bool lrd_conn_is_quiet(lrd_conn *conn)
{
	char byte;
	ssize_t count;
	if (conn->state != LRD_CONN_READY || (conn->tls != NULL && lrd_tls_has_pending(conn->tls))) {
		return false;
	}
	do {
		count = recv(conn->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
	} while (count < 0 && errno == EINTR);
	return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* ---- sending ---- */

void lrd_conn_put(lrd_conn *conn, size_t size)
{
	char *at = conn->out + conn->out_used;
	conn->out_used += size;
	if (conn->slice_end > conn->slice_first) {
		struct iovec *last = &conn->slices[conn->slice_end - 1];
		if ((char *) last->iov_base + last->iov_len == at) {
			last->iov_len += size;
			return;
		}
	}
	conn->slices[conn->slice_end++] = (struct iovec) { .iov_base = at, .iov_len = size };
}

void lrd_conn_put_slice(lrd_conn *conn, lrd_slice slice)
{
	if (slice.size > 0) {
		/* sendmsg() only reads what iov_base points at. */
		conn->slices[conn->slice_end++] = (struct iovec) { .iov_base = (void *) (uintptr_t) slice.bytes,
			.iov_len = slice.size };
	}
}

static void drop_sent(lrd_conn *conn, size_t count)
{
	conn->counts.bytes_sent += count;
	while (conn->slice_first < conn->slice_end) {
		struct iovec *first = &conn->slices[conn->slice_first];
		if (count < first->iov_len) {
			first->iov_base = (char *) first->iov_base + count;
			first->iov_len -= count;
			return;
		}
		count -= first->iov_len;
		conn->slice_first++;
	}
	conn->slice_first = conn->slice_end = 0;
	conn->out_used = 0;
}

static lrd_conn_io send_tls(lrd_conn *conn, size_t *sent)
{
	const struct iovec *first = &conn->slices[conn->slice_first];
	switch (lrd_tls_write(conn->tls, first->iov_base, first->iov_len, sent)) {
	case LRD_TLS_DONE:
		drop_sent(conn, *sent);
		conn->write_events = POLLOUT;
		return LRD_IO_SOME;
	case LRD_TLS_WANTS_READ:
		conn->write_events = POLLIN;
		return LRD_IO_LATER;
	case LRD_TLS_WANTS_WRITE:
		conn->write_events = POLLOUT;
		return LRD_IO_LATER;
	default:
		return LRD_IO_END;
	}
}

lrd_conn_io lrd_conn_send(lrd_conn *conn, size_t *sent)
{
	*sent = 0;
	if (conn->tls != NULL) {
		return send_tls(conn, sent);
	}
	struct iovec *first = &conn->slices[conn->slice_first];
	const struct msghdr message = { .msg_iov = first, .msg_iovlen = conn->slice_end - conn->slice_first };
	ssize_t count;
	do {
		count = message.msg_iovlen == 1
			? send(conn->fd, first->iov_base, first->iov_len, MSG_DONTWAIT | MSG_NOSIGNAL)
			: sendmsg(conn->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
	} while (count < 0 && errno == EINTR);
	if (count < 0) {
		return errno == EAGAIN || errno == EWOULDBLOCK ? LRD_IO_LATER : LRD_IO_END;
	}
	*sent = (size_t) count;
	drop_sent(conn, *sent);
	return LRD_IO_SOME;
}

/* ---- receiving ---- */

/* Moves a line that has no end yet to the front, so that there is room behind it. */
static void make_room(lrd_conn *conn)
{
	if (conn->in_start > 0) {
		memmove(conn->in, conn->in + conn->in_start, conn->in_end - conn->in_start);
		conn->in_end -= conn->in_start;
		conn->in_start = 0;
	}
}

static lrd_conn_io receive_tls(lrd_conn *conn, char *rest, size_t rest_size, size_t *into_rest)
{
	size_t count = 0;
	bool to_rest = rest_size > 0;
	char *at = to_rest ? rest : conn->in + conn->in_end;
	switch (lrd_tls_read(conn->tls, at, to_rest ? rest_size : LRD_CONN_BUFFER - conn->in_end, &count)) {
	case LRD_TLS_DONE:
		*into_rest = to_rest ? count : 0;
		conn->in_end += to_rest ? 0 : count;
		conn->counts.bytes_received += count;
		return LRD_IO_SOME;
	case LRD_TLS_WANTS_READ:
		conn->read_events = POLLIN;
		return LRD_IO_LATER;
	case LRD_TLS_WANTS_WRITE:
		conn->read_events = POLLOUT;
		return LRD_IO_LATER;
	default:
		return LRD_IO_END;
	}
}

lrd_conn_io lrd_conn_receive(
	lrd_conn *conn, char *rest, size_t rest_size, bool blocks, size_t *into_rest, bool *drained)
{
	*into_rest = 0;
	*drained = false;
	make_room(conn);
	if (conn->tls != NULL) {
		return receive_tls(conn, rest, rest_size, into_rest);
	}
	char *at = conn->in + conn->in_end;
	size_t room = LRD_CONN_BUFFER - conn->in_end;
	struct iovec slices[2] = {
		{ .iov_base = rest, .iov_len = rest_size },
		{ .iov_base = at, .iov_len = room },
	};
	struct msghdr message = { .msg_iov = slices, .msg_iovlen = 2 };
	const int flags = blocks ? 0 : MSG_DONTWAIT;
	ssize_t count;
	do {
		count = rest_size > 0 ? recvmsg(conn->fd, &message, flags) : recv(conn->fd, at, room, flags);
	} while (count < 0 && errno == EINTR && !blocks);
	if (count < 0) {
		return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? LRD_IO_LATER : LRD_IO_END;
	}
	if (count == 0) {
		return LRD_IO_END;
	}
	size_t came = (size_t) count;
	*into_rest = came < rest_size ? came : rest_size;
	*drained = came < rest_size + room;
	conn->in_end += came - *into_rest;
	conn->counts.bytes_received += came;
	return LRD_IO_SOME;
}

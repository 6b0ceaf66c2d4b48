/* Connections by themselves: opened before they are needed, handed from one pool to another, closed one by one. */
#define _GNU_SOURCE
#include "lrd_pool_parts.h"

#include <poll.h>
#include <string.h>
#include <time.h>

static void wait_for(const lrd_conn *conn, uint64_t now_ns, uint64_t until_ns)
{
	struct pollfd one = { .fd = conn->fd, .events = conn->read_events };
	uint64_t wait = until_ns > now_ns ? until_ns - now_ns : 0;
	struct timespec time = { .tv_sec = (time_t) (wait / 1000000000), .tv_nsec = (long) (wait % 1000000000) };
	(void) ppoll(&one, 1, &time, NULL);
}

static lrd_failure connect_now(lrd_conn *conn, uint64_t timeout_ns)
{
	uint64_t waited_ns, now_ns = lrd_clock_monotonic_ns(), deadline_ns = now_ns + timeout_ns;
	lrd_failure failure = lrd_conn_open(conn, deadline_ns, &waited_ns);
	deadline_ns += waited_ns;
	while (failure == LRD_FAILURE_NONE && conn->state != LRD_CONN_READY) {
		now_ns = lrd_clock_monotonic_ns();
		if (now_ns >= deadline_ns) {
			failure = LRD_FAILURE_UNREACHABLE;
			break;
		}
		bool tries = conn->state == LRD_CONN_CONNECTING && conn->try_until_ns < deadline_ns;
		wait_for(conn, now_ns, tries ? conn->try_until_ns : deadline_ns);
		failure = lrd_conn_step(conn, lrd_clock_monotonic_ns(), deadline_ns);
	}
	return failure;
}

lrd_failure lrd_pool_connect(lrd_pool *pool, uint32_t server, uint32_t timeout_ms)
{
	lrd_conn *conn = &pool->loop.lanes[server].conn;
	/* As in a run: what a longjmp has left half done is closed first. */
	if (pool->busy) {
		lrd_pool_close(pool);
	}
	if (lrd_conn_is_quiet(conn)) {
		return LRD_FAILURE_NONE;
	}
	lrd_failure failure = connect_now(conn, (timeout_ms != 0 ? timeout_ms : pool->rules.timeout_ms) * LRD_MS_NS);
	conn->request = pool->loop.request;
	conn->used_ns = lrd_clock_monotonic_ns();
	if (failure != LRD_FAILURE_NONE) {
		conn->counts.connect_failures++;
		lrd_conn_close(conn, false);
		lrd_conn_failed(conn, conn->used_ns);
	}
	return failure;
}

void lrd_pool_close_server(lrd_pool *pool, uint32_t server)
{
	lrd_conn_close(&pool->loop.lanes[server].conn, true);
}

/* ---- from one pool to another ---- */

static bool are_alike(const lrd_conn *a, const lrd_conn *b)
{
	const lrd_slice *left = &a->address.host, *right = &b->address.host;
	return a->address.port == b->address.port && a->address.is_unix == b->address.is_unix
		&& a->address.is_tls == b->address.is_tls && left->size == right->size
		&& memcmp(left->bytes, right->bytes, left->size) == 0;
}

static bool may_move(const lrd_conn *conn)
{
	return conn->state == LRD_CONN_READY && !conn->in_doubt && !lrd_conn_has_output(conn);
}

/* All but what belongs to its pool: rules, and the address's text. */
static void exchange(lrd_conn *a, lrd_conn *b)
{
	lrd_conn kept = *a;
	*a = *b;
	*b = kept;
	b->rules = a->rules;
	b->address = a->address;
	a->rules = kept.rules;
	a->address = kept.address;
	/* The numbers of PHP's requests are each pool's own: the next use looks whether it is quiet. */
	a->request = b->request = UINT32_MAX;
}

void lrd_pool_adopt(lrd_pool *to, lrd_pool *from)
{
	if (from->busy || to->busy || from->rules.wait_ms != to->rules.wait_ms || from->login != NULL || to->login != NULL
		|| from->has_tls || to->has_tls) {
		return;
	}
	for (uint32_t i = 0; i < to->loop.lane_count; i++) {
		lrd_conn *conn = &to->loop.lanes[i].conn;
		for (uint32_t j = 0; j < from->loop.lane_count && conn->state == LRD_CONN_CLOSED; j++) {
			lrd_conn *other = &from->loop.lanes[j].conn;
			if (may_move(other) && are_alike(conn, other)) {
				exchange(conn, other);
			}
		}
	}
}

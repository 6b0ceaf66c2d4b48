#define _GNU_SOURCE
#include "scripted_peer.h"

#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	PATIENCE_MS = 5000,
	LINE_MAX_SIZE = 4096,
	OPAQUES_MAX = 256,
};

struct peer {
	const peer_step *steps;
	pthread_t thread;
	int listener, fd;
	atomic_uint accepted;
	char address[32];
	char opaques[OPAQUES_MAX][16];
	size_t opaque_count;
	char failure[LINE_MAX_SIZE + 256];  /* empty: all came true */
};

static bool is_ready(int fd, int ms)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };
	return poll(&one, 1, ms) == 1;
}

static bool fails(peer *peer, const char *why)
{
	snprintf(peer->failure, sizeof peer->failure, "%s", why);
	return false;
}

static void drop(peer *peer)
{
	if (peer->fd >= 0) {
		close(peer->fd);
		peer->fd = -1;
	}
}

static bool take_connection(peer *peer)
{
	drop(peer);
	peer->opaque_count = 0;
	if (!is_ready(peer->listener, PATIENCE_MS)) {
		return fails(peer, "nobody connects");
	}
	peer->fd = accept4(peer->listener, NULL, NULL, SOCK_CLOEXEC);
	atomic_fetch_add(&peer->accepted, 1);
	return peer->fd >= 0 || fails(peer, "accept fails");
}

/* One byte at a time: what follows is another step's. */
static bool read_line(peer *peer, char line[LINE_MAX_SIZE])
{
	size_t size = 0;
	while (size < LINE_MAX_SIZE - 1) {
		if (!is_ready(peer->fd, PATIENCE_MS)) {
			return fails(peer, "no line comes");
		}
		if (recv(peer->fd, line + size, 1, 0) != 1) {
			return fails(peer, "closed in place of a line");
		}
		if (line[size++] == '\n') {
			line[size] = '\0';
			return true;
		}
	}
	return fails(peer, "a line without an end");
}

static bool is_word(char byte)
{
	return byte != '\0' && byte != ' ' && byte != '\r' && byte != '\n';
}

static bool matches(peer *peer, const char *text, const char *line)
{
	while (*text != '\0') {
		if (text[0] == 'O' && text[1] == '*' && *line == 'O' && peer->opaque_count < OPAQUES_MAX) {
			char *opaque = peer->opaques[peer->opaque_count++];
			size_t size = 0;
			for (line++; is_word(*line) && size < sizeof peer->opaques[0] - 1; line++) {
				opaque[size++] = *line;
			}
			opaque[size] = '\0';
			text += 2;
		} else if (*text == '~') {
			const char *last = strrchr(line, ' ');
			line = last != NULL ? last + 1 : line;
			text++;
		} else if (*text++ != *line++) {
			return false;
		}
	}
	return *line == '\0';
}

static bool expect_line(peer *peer, const char *text)
{
	char line[LINE_MAX_SIZE];
	if (!read_line(peer, line)) {
		return false;
	}
	if (!matches(peer, text, line)) {
		snprintf(peer->failure, sizeof peer->failure, "the line is %s", line);
		return false;
	}
	return true;
}

static bool read_bytes(peer *peer, size_t count)
{
	char bytes[65536];
	while (count > 0) {
		ssize_t got = is_ready(peer->fd, PATIENCE_MS)
			? recv(peer->fd, bytes, count < sizeof bytes ? count : sizeof bytes, 0)
			: -1;
		if (got <= 0) {
			return fails(peer, "fewer bytes come");
		}
		count -= (size_t) got;
	}
	return true;
}

static size_t fill_in(peer *peer, const char *text, char *at, size_t room)
{
	size_t size = 0;
	while (*text != '\0' && size < room - 32) {
		unsigned number;
		int used = 0;
		if (sscanf(text, "O{%u}%n", &number, &used) == 1 && used > 0 && number < peer->opaque_count) {
			size += (size_t) sprintf(at + size, "O%s", peer->opaques[number]);
			text += used;
		} else {
			at[size++] = *text++;
		}
	}
	return size;
}

static bool send_all(peer *peer, const char *bytes, size_t size)
{
	/* The step decides what it means that the client has gone already. */
	while (size > 0) {
		ssize_t count = send(peer->fd, bytes, size, MSG_NOSIGNAL);
		if (count <= 0) {
			break;
		}
		bytes += count;
		size -= (size_t) count;
	}
	return true;
}

static bool send_text(peer *peer, const peer_step *step)
{
	static _Thread_local char bytes[1 << 20];
	size_t size = fill_in(peer, step->text, bytes, sizeof bytes);
	return send_all(peer, bytes, step->number != 0 && step->number < size ? step->number : size);
}

static bool send_zeroes(peer *peer, size_t count)
{
	static const char zeroes[65536];
	for (; count > 0; count -= count < sizeof zeroes ? count : sizeof zeroes) {
		send_all(peer, zeroes, count < sizeof zeroes ? count : sizeof zeroes);
	}
	return true;
}

static bool expect_end(peer *peer)
{
	char byte;
	if (!is_ready(peer->fd, PATIENCE_MS)) {
		return fails(peer, "the client does not close");
	}
	return recv(peer->fd, &byte, 1, 0) <= 0 || fails(peer, "the client sends more");
}

static bool nap(size_t ms)
{
	struct timespec time = { .tv_sec = (time_t) (ms / 1000), .tv_nsec = (long) (ms % 1000 * 1000000) };
	nanosleep(&time, NULL);
	return true;
}

static bool end_connection(peer *peer, peer_do how)
{
	const struct linger at_once = { .l_onoff = 1, .l_linger = 0 };
	if (how == PEER_HALF_CLOSE) {
		shutdown(peer->fd, SHUT_WR);
		return true;
	}
	if (how == PEER_RESET) {
		setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
	}
	drop(peer);
	return true;
}

static bool play_step(peer *peer, const peer_step *step)
{
	switch (step->what) {
	case PEER_ACCEPT:
		return take_connection(peer);
	case PEER_LINE:
		return expect_line(peer, step->text);
	case PEER_BYTES:
		return read_bytes(peer, step->number);
	case PEER_SEND:
		return send_text(peer, step);
	case PEER_ZEROES:
		return send_zeroes(peer, step->number);
	case PEER_WAIT:
		return nap(step->number);
	case PEER_CLOSE:
	case PEER_HALF_CLOSE:
	case PEER_RESET:
		return end_connection(peer, step->what);
	case PEER_GONE:
		return expect_end(peer);
	case PEER_QUIET:
		return !is_ready(peer->fd, (int) step->number) || fails(peer, "the client is not quiet");
	case PEER_DEAF:
		shutdown(peer->listener, SHUT_RDWR);
		close(peer->listener);
		peer->listener = -1;
		return true;
	case PEER_END:
		break;
	}
	return true;
}

static void *play(void *argument)
{
	peer *peer = argument;
	for (const peer_step *step = peer->steps; step->what != PEER_END; step++) {
		if (!play_step(peer, step)) {
			char why[sizeof peer->failure];
			memcpy(why, peer->failure, sizeof why);
			snprintf(peer->failure, sizeof peer->failure, "step %d: %.4000s", (int) (step - peer->steps), why);
			break;
		}
	}
	drop(peer);
	return NULL;
}

peer *peer_start(const peer_step *steps)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof at;
	peer *peer = calloc(1, sizeof *peer);
	if (peer == NULL) {
		abort();
	}
	peer->steps = steps;
	peer->fd = -1;
	peer->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (peer->listener < 0 || bind(peer->listener, (struct sockaddr *) &at, sizeof at) != 0
		|| listen(peer->listener, 16) != 0 || getsockname(peer->listener, (struct sockaddr *) &at, &size) != 0
		|| pthread_create(&peer->thread, NULL, play, peer) != 0) {
		perror("scripted_peer");
		abort();
	}
	snprintf(peer->address, sizeof peer->address, "127.0.0.1:%u", ntohs(at.sin_port));
	return peer;
}

const char *peer_address(const peer *peer)
{
	return peer->address;
}

unsigned peer_accepted(const peer *peer)
{
	return atomic_load(&peer->accepted);
}

void peer_end(peer *peer)
{
	char failure[sizeof peer->failure];
	pthread_join(peer->thread, NULL);
	memcpy(failure, peer->failure, sizeof failure);
	if (peer->listener >= 0) {
		close(peer->listener);
	}
	free(peer);
	if (failure[0] != '\0') {
		fprintf(stderr, "scripted_peer: %s\n", failure);
		abort();
	}
}

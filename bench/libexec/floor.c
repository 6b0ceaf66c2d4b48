/*
 * The floor under every memcached client: prepared requests are sent, and as many bytes are received as their replies
 * have. No key is hashed, no reply is read, nothing is allocated; what comes last can be looked at afterwards. Used
 * through PHP's FFI.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

static int opened(int fd, const struct sockaddr *address, socklen_t size, int seconds)
{
	int on = 1;
	struct timeval limit = {.tv_sec = seconds};

	if (fd < 0) {
		return -1;
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (address->sa_family == AF_INET) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	}
	if (connect(fd, address, size) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

int floor_tcp(const char *host, int port, int seconds)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short) port)};

	if (inet_pton(AF_INET, host, &address.sin_addr) != 1) {
		return -1;
	}
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return opened(fd, (const struct sockaddr *) &address, sizeof(address), seconds);
}

int floor_unix(const char *path, int seconds)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	if (strlen(path) >= sizeof(address.sun_path)) {
		return -1;
	}
	strcpy(address.sun_path, path);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return opened(fd, (const struct sockaddr *) &address, sizeof(address), seconds);
}

void floor_close(int fd)
{
	close(fd);
}

static int sent(int fd, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t count = send(fd, bytes, size, MSG_NOSIGNAL);
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count <= 0) {
			return 0;
		}
		bytes += count;
		size -= (size_t) count;
	}
	return 1;
}

static int received(int fd, char *room, size_t size)
{
	while (size > 0) {
		ssize_t count = recv(fd, room, size, 0);
		if (count < 0 && errno == EINTR) {
			continue;
		}
		if (count <= 0) {
			return 0;
		}
		room += count;
		size -= (size_t) count;
	}
	return 1;
}

/*
 * times rounds of `count` requests, request i on fds[i], its reply into rooms[i]. together: all are sent before the
 * first reply is awaited; else each waits for its own. 0: a server failed or took too long.
 */
int floor_run(const int *fds, const char **requests, const size_t *sizes, char **rooms, const size_t *replies,
              int count, int together, long times)
{
	while (times-- > 0) {
		for (int i = 0; i < count; i++) {
			if (!sent(fds[i], requests[i], sizes[i]) || (!together && !received(fds[i], rooms[i], replies[i]))) {
				return 0;
			}
		}
		for (int i = 0; together && i < count; i++) {
			if (!received(fds[i], rooms[i], replies[i])) {
				return 0;
			}
		}
	}
	return 1;
}

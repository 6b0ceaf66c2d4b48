#define _GNU_SOURCE
#include "lrd_dns.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../base/lrd_clock.h"

enum {
	NAME_ROOM = 256,
	LEFT_BEHIND_MAX = 4,
};

/* One question. The asker and the resolving thread hold it; the last one frees it. */
typedef struct lookup {
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool is_ended;              /* by the thread, with what follows */
	bool is_left;               /* by the asker, and counted in left_behind */
	lrd_status status;
	int error;                  /* errno, for LRD_SYSTEM */
	lrd_dns_answer answer;
	atomic_uint holders;
	uint16_t port;
	char host[NAME_ROOM];
} lookup;

/* The threads left behind, and the process that counted them: a forked child has none. */
static atomic_uint left_behind;
static atomic_int counted_by;

static int (*resolve)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = getaddrinfo;

#ifdef LRD_FAULTS

void lrd_dns_set_resolver(int (*resolver)(const char *, const char *, const struct addrinfo *, struct addrinfo **))
{
	resolve = resolver != NULL ? resolver : getaddrinfo;
}

unsigned lrd_dns_left_behind(void)
{
	return atomic_load(&left_behind);
}

#endif

static bool holds(const lrd_dns_answer *answer, const void *address, socklen_t size)
{
	for (uint32_t at = 0; at < answer->count; at++) {
		if (answer->found[at].size == size && memcmp(&answer->found[at].address, address, size) == 0) {
			return true;
		}
	}
	return false;
}

static void put_port(struct sockaddr *address, uint16_t port)
{
	if (address->sa_family == AF_INET) {
		((struct sockaddr_in *) (void *) address)->sin_port = htons(port);
	} else {
		((struct sockaddr_in6 *) (void *) address)->sin6_port = htons(port);
	}
}

static lrd_status read_list(const struct addrinfo *list, uint16_t port, lrd_dns_answer *answer)
{
	memset(answer, 0, sizeof *answer);
	for (const struct addrinfo *entry = list; entry != NULL && answer->count < LRD_DNS_ADDRESSES;
		entry = entry->ai_next) {
		if (entry->ai_family != AF_INET && entry->ai_family != AF_INET6) {
			continue;
		}
		put_port(entry->ai_addr, port);
		/* A name may stand twice in /etc/hosts: a dead address is tried once. */
		if (!holds(answer, entry->ai_addr, entry->ai_addrlen)) {
			memcpy(&answer->found[answer->count].address, entry->ai_addr, entry->ai_addrlen);
			answer->found[answer->count].size = entry->ai_addrlen;
			answer->count++;
		}
	}
	return answer->count > 0 ? LRD_OK : LRD_MISS;
}

/* errno is set for LRD_SYSTEM. */
static lrd_status status_of(int code)
{
	switch (code) {
	case EAI_NONAME:
	case EAI_NODATA:
	case EAI_ADDRFAMILY:
		return LRD_MISS;
	case EAI_AGAIN:
		errno = EAGAIN;
		return LRD_SYSTEM;
	case EAI_MEMORY:
		errno = ENOMEM;
		return LRD_SYSTEM;
	case EAI_SYSTEM:
		return LRD_SYSTEM;
	default:
		errno = EIO;
		return LRD_SYSTEM;
	}
}

static lrd_status look_up(const char *host, uint16_t port, bool is_numeric, lrd_dns_answer *answer)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = is_numeric ? AI_NUMERICHOST : 0 };
	struct addrinfo *list = NULL;
	int code = is_numeric ? getaddrinfo(host, NULL, &hints, &list) : resolve(host, NULL, &hints, &list);

	if (code != 0) {
		return status_of(code);
	}
	lrd_status status = read_list(list, port, answer);
	freeaddrinfo(list);
	return status;
}

static void let_go(lookup *l)
{
	if (atomic_fetch_sub(&l->holders, 1) == 1) {
		pthread_cond_destroy(&l->ended);
		pthread_mutex_destroy(&l->lock);
		free(l);
	}
}

static void *run(void *argument)
{
	lookup *l = argument;
	lrd_dns_answer answer;
	lrd_status status = look_up(l->host, l->port, false, &answer);
	int error = errno;

	pthread_mutex_lock(&l->lock);
	l->status = status;
	l->error = error;
	if (status == LRD_OK) {
		l->answer = answer;
	}
	l->is_ended = true;
	bool is_left = l->is_left;
	pthread_cond_signal(&l->ended);
	pthread_mutex_unlock(&l->lock);
	let_go(l);
	if (is_left) {
		atomic_fetch_sub(&left_behind, 1);
	}
	return NULL;
}

static lookup *make(const char *host, uint16_t port)
{
	lookup *l = calloc(1, sizeof *l);
	pthread_condattr_t attributes;

	if (l == NULL) {
		return NULL;
	}
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&l->ended, &attributes);
	pthread_condattr_destroy(&attributes);
	pthread_mutex_init(&l->lock, NULL);
	atomic_init(&l->holders, 2);
	l->port = port;
	strcpy(l->host, host);
	return l;
}

/* A thread that is left behind may outlive the unloading of an extension: its code must not go. */
static void stay_in_memory(void)
{
	static atomic_bool is_pinned;
	Dl_info here;

	if (!atomic_exchange(&is_pinned, true) && dladdr((void *) &is_pinned, &here) != 0 && here.dli_fname != NULL) {
		/* Never closed, by design. */
		(void) dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	}
}

/* Blocks all signals, since no signal handler of PHP may run in the thread. 0, or the errno of the failure. */
static int start(lookup *l)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	pthread_t thread;

	stay_in_memory();
	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&thread, &attributes, run, l);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

static lrd_status wait_for(lookup *l, uint64_t deadline, lrd_dns_answer *answer)
{
	struct timespec until = {
		.tv_sec = (time_t) (deadline / (1000 * LRD_MS_NS)),
		.tv_nsec = (long) (deadline % (1000 * LRD_MS_NS)),
	};
	lrd_status status = LRD_TIMEOUT;
	int error = 0;

	pthread_mutex_lock(&l->lock);
	while (!l->is_ended && error != ETIMEDOUT) {
		error = pthread_cond_timedwait(&l->ended, &l->lock, &until);
	}
	if (l->is_ended) {
		status = l->status;
		error = l->error;
		if (status == LRD_OK) {
			*answer = l->answer;
		}
	} else {
		l->is_left = true;
		atomic_fetch_add(&left_behind, 1);
	}
	pthread_mutex_unlock(&l->lock);
	let_go(l);
	errno = error;
	return status;
}

static bool has_room(void)
{
	pid_t process = getpid();

	if (atomic_exchange(&counted_by, process) != process) {
		atomic_store(&left_behind, 0);
	}
	return atomic_load(&left_behind) < LEFT_BEHIND_MAX;
}

lrd_status lrd_dns_find(lrd_slice host, uint16_t port, uint32_t timeout_ms, lrd_dns_answer *answer)
{
	uint64_t deadline = lrd_clock_monotonic_ns() + timeout_ms * LRD_MS_NS;
	char name[NAME_ROOM];

	if (host.size == 0 || host.size >= sizeof name || memchr(host.bytes, '\0', host.size) != NULL) {
		return LRD_MISS;
	}
	memcpy(name, host.bytes, host.size);
	name[host.size] = '\0';
	lrd_status status = look_up(name, port, true, answer);
	if (status != LRD_MISS) {
		return status;
	}
	if (!has_room()) {
		return LRD_TIMEOUT;
	}
	lookup *l = make(name, port);
	if (l == NULL) {
		errno = ENOMEM;
		return LRD_SYSTEM;
	}
	int error = start(l);
	if (error != 0) {
		atomic_store(&l->holders, 1);
		let_go(l);
		errno = error;
		return LRD_SYSTEM;
	}
	return wait_for(l, deadline, answer);
}

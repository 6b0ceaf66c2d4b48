#define _GNU_SOURCE
#include "lrd_lock.h"

#include <errno.h>
#include <time.h>

#include "../base/lrd_clock.h"

/* A lock is held for microseconds: a waiter mostly gets it before it would have fallen asleep. */
#define SPINS 64

lrd_status lrd_lock_init(lrd_lock *lock)
{
	pthread_mutexattr_t attributes;
	if (pthread_mutexattr_init(&attributes) != 0) {
		return LRD_SYSTEM;
	}
	int failed = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	/* Robust: the kernel unlocks it when its owner dies, and reports that to the next taker. */
	failed |= pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	failed |= pthread_mutex_init(&lock->mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return failed == 0 ? LRD_OK : LRD_SYSTEM;
}

static lrd_status status_of(int error)
{
	return error == 0 ? LRD_OK : error == EOWNERDEAD ? LRD_OWNER_DIED : LRD_TIMEOUT;
}

lrd_status lrd_lock_take(lrd_lock *lock, unsigned ms)
{
	int error = pthread_mutex_trylock(&lock->mutex);
	for (int spin = 0; error == EBUSY && ms > 0 && spin < SPINS; spin++) {
		error = pthread_mutex_trylock(&lock->mutex);
	}
	if (error != EBUSY || ms == 0) {
		return status_of(error);
	}
	uint64_t until = lrd_clock_monotonic_ns() + ms * LRD_MS_NS;
	struct timespec deadline = {
		.tv_sec = (time_t) (until / UINT64_C(1000000000)),
		.tv_nsec = (long) (until % UINT64_C(1000000000)),
	};
	return status_of(pthread_mutex_clocklock(&lock->mutex, CLOCK_MONOTONIC, &deadline));
}

void lrd_lock_repaired(lrd_lock *lock)
{
	pthread_mutex_consistent(&lock->mutex);
}

void lrd_lock_give(lrd_lock *lock)
{
	pthread_mutex_unlock(&lock->mutex);
}

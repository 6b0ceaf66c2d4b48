#define _GNU_SOURCE
#include "lrd_lock.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
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

static struct timespec time_of(uint64_t ns)
{
	return (struct timespec) {
		.tv_sec = (time_t) (ns / UINT64_C(1000000000)),
		.tv_nsec = (long) (ns % UINT64_C(1000000000)),
	};
}

#ifdef __GLIBC__
static int lock_until(pthread_mutex_t *mutex, uint64_t until_ns)
{
	const struct timespec deadline = time_of(until_ns);
	return pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &deadline);
}
#else
/*
 * POSIX has only the real-time clock for this before 2024, and so has musl. A wait is cut into short ones, so that a
 * clock that is set meanwhile costs one of them and no more.
 */
static int lock_until(pthread_mutex_t *mutex, uint64_t until_ns)
{
	const uint64_t longest_ns = 10 * LRD_MS_NS;
	int error;
	do {
		uint64_t now_ns = lrd_clock_monotonic_ns();
		uint64_t left_ns = now_ns < until_ns ? until_ns - now_ns : 0;
		struct timespec real;
		clock_gettime(CLOCK_REALTIME, &real);
		uint64_t real_ns = (uint64_t) real.tv_sec * UINT64_C(1000000000) + (uint64_t) real.tv_nsec;
		const struct timespec deadline = time_of(real_ns + (left_ns < longest_ns ? left_ns : longest_ns));
		error = pthread_mutex_timedlock(mutex, &deadline);
	} while (error == ETIMEDOUT && lrd_clock_monotonic_ns() < until_ns);
	return error;
}
#endif

#ifdef __GLIBC__
/*
 * Whether it is still of the kind that lrd_lock_init() makes. The C library takes another path for each kind, and one
 * that damage has made up leads anywhere.
 */
static bool is_ours(const lrd_lock *lock)
{
	static _Atomic int kind;        /* of a robust one it is not 0 */
	int expected = atomic_load_explicit(&kind, memory_order_relaxed);
	if (expected == 0) {
		lrd_lock sample;
		if (lrd_lock_init(&sample) != LRD_OK) {
			return false;
		}
		expected = sample.mutex.__data.__kind;
		atomic_store_explicit(&kind, expected, memory_order_relaxed);
	}
	return __builtin_expect(lock->mutex.__data.__kind == expected, 1);
}
#else
static bool is_ours(const lrd_lock *lock)
{
	(void) lock;
	return true;
}
#endif

lrd_status lrd_lock_take(lrd_lock *lock, unsigned ms)
{
	if (!is_ours(lock)) {
		return LRD_TIMEOUT;
	}
	int error = pthread_mutex_trylock(&lock->mutex);
	for (int spin = 0; error == EBUSY && ms > 0 && spin < SPINS; spin++) {
		error = pthread_mutex_trylock(&lock->mutex);
	}
	if (error != EBUSY || ms == 0) {
		return status_of(error);
	}
	uint64_t until = lrd_clock_monotonic_ns() + ms * LRD_MS_NS;
	return status_of(lock_until(&lock->mutex, until));
}

void lrd_lock_repaired(lrd_lock *lock)
{
	pthread_mutex_consistent(&lock->mutex);
}

void lrd_lock_give(lrd_lock *lock)
{
	pthread_mutex_unlock(&lock->mutex);
}

bool lrd_lock_is_lost(const lrd_lock *lock)
{
	static const lrd_lock zeros;
	return memcmp(lock, &zeros, sizeof zeros) == 0;
}

#define _GNU_SOURCE
#include "lrd_lock.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
# include <linux/futex.h>
# include <sys/syscall.h>
# include <unistd.h>
#endif

#include "../base/lrd_clock.h"
#include "../base/lrd_fault.h"

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

static bool is_zero(const pthread_mutex_t *mutex)
{
	static const pthread_mutex_t zeros;
	return memcmp(mutex, &zeros, sizeof zeros) == 0;
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

#if defined(__GLIBC__) && __PTHREAD_MUTEX_HAVE_PREV
/*
 * The C library ends the process when futex(2) says that the memory of a lock is gone, and follows the list of robust
 * locks through a lock that has become zeros. The file of a segment may be cut at any moment, so waiting and giving
 * back are made here, on the library's own layout; getting a lock reads nothing of it that leads anywhere.
 */
typedef __pthread_list_t entry;

static _Atomic int *word_of(pthread_mutex_t *mutex)
{
	return (_Atomic int *) &mutex->__data.__lock;
}

/* What robust lists are made of points at `next`, and may have a mark in its lowest bit. */
static entry *entry_of(void *next)
{
	return (entry *) (((uintptr_t) next & ~(uintptr_t) 1) - offsetof(entry, __next));
}

/* The kernel goes through it when the thread dies. A child that was forked has it at the same place. */
static struct robust_list_head *robust_locks(void)
{
	static _Thread_local struct robust_list_head *list;
	size_t size;
	if (list == NULL && syscall(SYS_get_robust_list, 0, &list, &size) != 0) {
		list = NULL;
	}
	return list;
}

/* As the library waits: who has slept marks the lock, so that whoever else sleeps is woken after it. */
static int lock_until(pthread_mutex_t *mutex, uint64_t until_ns)
{
	const struct timespec deadline = time_of(until_ns);
	_Atomic int *word = word_of(mutex);
	for (;;) {
		int error = pthread_mutex_trylock(mutex);
		if (error != EBUSY) {
			if (error == 0 || error == EOWNERDEAD) {
				atomic_fetch_or(word, (int) FUTEX_WAITERS);
			}
			return error;
		}
		int seen = atomic_load(word);
		if (seen == 0 || ((unsigned) seen & FUTEX_OWNER_DIED) != 0) {
			continue;
		}
		if (((unsigned) seen & FUTEX_WAITERS) == 0) {
			int marked = (int) ((unsigned) seen | FUTEX_WAITERS);
			if (!atomic_compare_exchange_strong(word, &seen, marked)) {
				continue;
			}
			seen = marked;
		}
		LRD_FAULT("waits");
		if (syscall(SYS_futex, word, FUTEX_WAIT_BITSET, seen, &deadline, NULL, FUTEX_BITSET_MATCH_ANY) != 0
			&& errno != EAGAIN && errno != EINTR) {
			return errno;
		}
	}
}

static bool give(pthread_mutex_t *mutex)
{
	struct robust_list_head *list = robust_locks();
	if (list == NULL) {
		return pthread_mutex_unlock(mutex) == 0;
	}
	entry *own = &mutex->__data.__list;
	/* Each is read once, before anything is written. */
	entry *before = (entry *) *(void *volatile *) &own->__prev, *after = (entry *) *(void *volatile *) &own->__next;
	if (before == NULL || after == NULL) {
		return false;
	}
	*(void *volatile *) &list->list_op_pending = &own->__next;
	atomic_signal_fence(memory_order_seq_cst);
	entry_of(before)->__next = after;
	entry_of(after)->__prev = before;
	own->__prev = own->__next = NULL;
	/* A lock that a death has left and nobody has repaired since is given on as such. */
	bool broken = mutex->__data.__owner == INT_MAX;
	mutex->__data.__owner = 0;
	mutex->__data.__nusers--;
	int old = atomic_exchange(word_of(mutex), broken ? (int) FUTEX_OWNER_DIED : 0);
	if (((unsigned) old & FUTEX_WAITERS) != 0) {
		syscall(SYS_futex, word_of(mutex), FUTEX_WAKE, 1);
	}
	atomic_signal_fence(memory_order_seq_cst);
	*(void *volatile *) &list->list_op_pending = NULL;
	return true;
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

static bool give(pthread_mutex_t *mutex)
{
	return !is_zero(mutex) && pthread_mutex_unlock(mutex) == 0;
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

bool lrd_lock_give(lrd_lock *lock)
{
	return give(&lock->mutex);
}

bool lrd_lock_is_lost(const lrd_lock *lock)
{
	return is_zero(&lock->mutex);
}

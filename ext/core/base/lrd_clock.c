#define _GNU_SOURCE
#include "lrd_clock.h"

#include <time.h>

#ifdef LRD_FAULTS
static int64_t shift_ms;

void lrd_clock_shift_real_ms(int64_t shift)
{
	shift_ms = shift;
}

static uint64_t held_ns;

void lrd_clock_hold_ns(uint64_t time_ns)
{
	held_ns = time_ns;
}
#endif

static uint64_t monotonic_ns(clockid_t clock)
{
#ifdef LRD_FAULTS
	if (held_ns != 0) {
		return held_ns;
	}
#endif
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t) now.tv_sec * UINT64_C(1000000000) + (uint64_t) now.tv_nsec;
}

uint64_t lrd_clock_monotonic_ns(void)
{
	return monotonic_ns(CLOCK_MONOTONIC);
}

uint64_t lrd_clock_coarse_ns(void)
{
	return monotonic_ns(CLOCK_MONOTONIC_COARSE);
}

uint64_t lrd_clock_real_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	uint64_t ms = (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / LRD_MS_NS;
#ifdef LRD_FAULTS
	ms += (uint64_t) shift_ms;
#endif
	return ms;
}

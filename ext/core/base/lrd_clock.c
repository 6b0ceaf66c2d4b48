#define _GNU_SOURCE
#include "lrd_clock.h"

#include <time.h>

#ifdef LRD_FAULTS
static int64_t shift_ms;

void lrd_clock_shift_real_ms(int64_t shift)
{
	shift_ms = shift;
}
#endif

static uint64_t ns_of(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t) now.tv_sec * UINT64_C(1000000000) + (uint64_t) now.tv_nsec;
}

uint64_t lrd_clock_monotonic_ns(void)
{
	return ns_of(CLOCK_MONOTONIC);
}

uint64_t lrd_clock_coarse_ns(void)
{
	return ns_of(CLOCK_MONOTONIC_COARSE);
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

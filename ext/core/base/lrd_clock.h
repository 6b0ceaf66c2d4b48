/* Time. Monotonic for deadlines and leases, real for ttls, so that a clock set back never revives a lease. */
#ifndef LRD_CLOCK_H
#define LRD_CLOCK_H

#include <stdint.h>

#define LRD_MS_NS UINT64_C(1000000)

/* Nanoseconds of CLOCK_MONOTONIC: the same in all processes of a host. */
uint64_t lrd_clock_monotonic_ns(void);

/* The same clock, a kernel tick (at most 10 ms) behind, at a fifth of the cost. */
uint64_t lrd_clock_coarse_ns(void);

/* Milliseconds since 1970 by CLOCK_REALTIME_COARSE (a kernel tick, at most 10 ms, behind). */
uint64_t lrd_clock_real_ms(void);

#ifdef LRD_FAULTS
/* Tests only: shifts what lrd_clock_real_ms() says in this process. */
void lrd_clock_shift_real_ms(int64_t shift);

/* Tests only: both monotonic clocks of this process stand still at this time; 0: they go on. */
void lrd_clock_hold_ns(uint64_t time_ns);
#endif

#endif

/* The clocks go forward, agree with the system's and can be shifted by a test. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <time.h>

#include "../../core/base/lrd_clock.h"

static uint64_t system_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / LRD_MS_NS;
}

static void monotonic_time_goes_forward_in_nanoseconds(void **state)
{
	(void) state;
	uint64_t before = lrd_clock_monotonic_ns();
	nanosleep(&(struct timespec) { .tv_nsec = 5000000 }, NULL);
	uint64_t passed = lrd_clock_monotonic_ns() - before;
	assert_in_range(passed, 5 * LRD_MS_NS, 5000 * LRD_MS_NS);
}

static void real_time_is_the_systems_in_milliseconds(void **state)
{
	(void) state;
	uint64_t before = system_ms(), now = lrd_clock_real_ms();
	assert_in_range(now, before - 20, system_ms());
}

static void a_shift_moves_real_time_only(void **state)
{
	(void) state;
	uint64_t monotonic = lrd_clock_monotonic_ns(), real = system_ms();
	lrd_clock_shift_real_ms(-3600000);
	assert_in_range(lrd_clock_real_ms(), real - 3600020, real - 3590000);
	assert_in_range(lrd_clock_monotonic_ns() - monotonic, 0, 5000 * LRD_MS_NS);
	lrd_clock_shift_real_ms(0);
	assert_in_range(lrd_clock_real_ms(), real - 20, real + 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(monotonic_time_goes_forward_in_nanoseconds),
		cmocka_unit_test(real_time_is_the_systems_in_milliseconds),
		cmocka_unit_test(a_shift_moves_real_time_only),
	};
	return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}

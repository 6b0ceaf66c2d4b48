#include "value_limits.h"

#include "../core/base/lrd_clock.h"

enum {
	CHUNK = 2 << 20,            /* what PHP's allocator takes from the system at a time; all above has pages of its own */
	PAGE = 4096,
	RESERVE = 64 << 10,         /* so that there is room for the sentence that says so */
};

/*
 * Asks the allocator itself, with the limit raised by one chunk meanwhile: whether one is needed depends on how what it
 * has is cut up. A chunk that it took for that is given back.
 */
static bool fits_between(size_t size, size_t limit)
{
	if (zend_set_memory_limit(limit + 2 * (size_t) CHUNK) == FAILURE) {
		return false;
	}
	void *room = emalloc(size);
	bool fits = zend_memory_usage(true) <= limit;
	efree(room);
	if (zend_set_memory_limit(limit) == FAILURE) {
		zend_mm_gc(zend_mm_get_heap());
		zend_set_memory_limit(limit);
	}
	return fits;
}

bool value_fits_memory(size_t size)
{
	if (PG(memory_limit) <= 0) {
		return true;
	}
	size_t limit = (size_t) PG(memory_limit);
	if (size > limit) {
		return false;
	}
	size_t whole = (size + RESERVE + PAGE - 1) / PAGE * PAGE;
	/* With a chunk to spare, it fits however the others are cut up. */
	if (EXPECTED(zend_memory_usage(true) + whole + CHUNK <= limit)) {
		return true;
	}
	if (whole < CHUNK) {
		return fits_between(whole, limit);
	}
	/* As the allocator does before it gives up: chunks that it keeps for later go back to the system. */
	zend_mm_gc(zend_mm_get_heap());
	return zend_memory_usage(true) + whole <= limit;
}

bool value_within(value_limits *limits, size_t size)
{
	if (size > limits->most) {
		limits->excess = VALUE_EXCESS_SIZE;
	} else if (!value_fits_memory(size)) {
		limits->excess = VALUE_EXCESS_MEMORY;
	} else {
		return true;
	}
	limits->size = size;
	return false;
}

bool value_in_time(value_limits *limits)
{
	if (limits->until_ns == 0 || lrd_clock_coarse_ns() <= limits->until_ns) {
		return true;
	}
	limits->excess = VALUE_EXCESS_TIME;
	return false;
}
